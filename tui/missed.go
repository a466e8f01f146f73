package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client/inbox"
	"askbox/tui/ask"
)

// seenAfter is how long the row of an answer that did not count has to stand under the
// cursor to have been seen.
const seenAfter = time.Second

// left has the row of an answer that did not count go once the cursor has left it. before
// is what the cursor was on.
func (m model) left(before *inbox.Item) (model, tea.Cmd) {
	_, now := m.list.Selected()
	if before == nil || now != nil && now.Ask.Ref == before.Ask.Ref || !before.Ask.Status.Closed() {
		return m, nil
	}
	f := before.Flight
	if f == nil || f.State <= inbox.Done || m.now.Sub(f.At) < seenAfter {
		return m, nil
	}
	return m.request(request{kind: requestForget, Wish: ask.Wish{Ref: before.Ask.Ref}})
}
