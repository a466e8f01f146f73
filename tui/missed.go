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

// leftOver is what the last run left to be said: answers that were not sent or not
// confirmed as it ended. It stands in the status line until it was seen.
type leftOver struct {
	words string
	since time.Time // when it came to stand there
}

// sayLeft says what a snapshot has of the last run, once.
func (m model) sayLeft(s *inbox.Snapshot) model {
	if len(s.Left) == 0 || m.leftOver.words != "" {
		return m
	}
	m.leftOver.words = inbox.LeftWords(s.Left)
	return m.standLeft()
}

func (m model) standLeft() model {
	m.leftOver.since = m.now
	return m.trouble(m.leftOver.words)
}

// seesLeft is what a key does to it: what stood there for a moment was seen, and
// anything else is said again. stood is what the status line said before the key.
func (m model) seesLeft(stood string) (model, tea.Cmd) {
	switch {
	case m.leftOver.words == "" || len(m.snapshot.Left) == 0:
		return m, nil
	case stood != m.leftOver.words, m.now.Sub(m.leftOver.since) < seenAfter:
		return m.standLeft(), nil
	}
	return m.request(request{kind: requestSeen})
}
