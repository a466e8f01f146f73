package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui/ask"
)

// act does what a pane asks for.
func (m model) act(w ask.Wish, g gate) (model, tea.Cmd) {
	switch w.Kind {
	case ask.Send:
		return m.send(w, g)
	case ask.Undo:
		return m.undoOf(w)
	case ask.Forget:
		return m.request(request{kind: requestForget, Wish: w})
	case ask.Back:
		m.opened = false
	case ask.Say:
		m = m.trouble(w.Text)
	case ask.Edit:
		return m, prepare(edit{ref: w.Ref, before: w.Text})
	case ask.Pause:
		return m.request(request{kind: requestPause, Wish: w})
	case ask.Open:
		return m.openIntent(w.Text)
	case ask.Attach:
		return m, copyText(m.ctx, m.out, w.Text, "For a shell: "+text.New(w.Text).String(), "")
	case ask.Copy:
		return m, copyText(m.ctx, m.out, w.Text, "", w.Note)
	}
	return m, nil
}

// send hands an answer over to be held, once more only for what stands on the
// screen: the pane made sure of that, and this holds whatever the pane does.
func (m model) send(w ask.Wish, g gate) (model, tea.Cmd) {
	switch {
	case !g.open:
		return m.trouble(g.why), nil
	case !m.shown.ok || w.Ref != m.shown.ref || w.Digest != m.shown.digest:
		return m.trouble("Nothing was sent: the ask on the screen is another one by now. Read it again."), nil
	}
	if m.bundle.item != nil && w.Ref == m.bundle.item.Ask.Ref {
		return m.sendAll(w)
	}
	return m.hold(w, "")
}

// hold hands an answer over to be held. what names the ask where several are answered.
func (m model) hold(w ask.Wish, what string) (model, tea.Cmd) {
	m.sent = append(without(m.sent, w.Ref), w.Ref)
	m.sent = m.sent[max(len(m.sent)-100, 0):]
	m.unsettled.held = append(m.unsettled.held[:len(m.unsettled.held):len(m.unsettled.held)], held{w.Ref, w.Digest})
	return m.request(request{kind: requestHold, Wish: w, what: what})
}

// undoOf takes an answer back, and with it all that the same key gave.
func (m model) undoOf(w ask.Wish) (model, tea.Cmd) {
	if slices.Contains(m.batch.refs, w.Ref) {
		return m.undoAll()
	}
	what := ""
	if it := m.snapshot.Find(w.Ref); it != nil {
		what = m.list.Line(it, 40)
	}
	return m.request(request{kind: requestUndo, Wish: w, what: what})
}

// filter goes to another filter.
func (m model) filter(step int) model {
	const filters = 3
	f := (int(m.list.Filter()) + step + filters) % filters
	m.list = m.list.Show(client.Filter(f))
	m.opened = false
	return m
}

// toggle shows a screen over the inbox, or goes back from it.
func (m model) toggle(s screen) model {
	if m.screen == s {
		m.screen = screenInbox
		return m
	}
	if m.screen = s; s == screenHistory {
		m.history = m.history.Open()
	}
	return m
}
