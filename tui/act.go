package tui

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

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
		m, cmd := m.copyIntent(w.Text, "")
		return m.say("For a shell: " + text.New(w.Text).String()), cmd
	case ask.Copy:
		return m.copyIntent(w.Text, w.Note)
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
	m.sent = append(without(m.sent, w.Ref), w.Ref)
	m.sent = m.sent[max(len(m.sent)-100, 0):]
	m.unsettled.held = append(m.unsettled.held[:len(m.unsettled.held):len(m.unsettled.held)], held{w.Ref, w.Digest})
	return m.request(request{kind: requestHold, Wish: w})
}

func (m model) undoOf(w ask.Wish) (model, tea.Cmd) {
	what := ""
	if it := m.snapshot.Find(w.Ref); it != nil {
		what = it.Ask.Line(40)
	}
	return m.request(request{kind: requestUndo, Wish: w, what: what})
}

func (m model) openIntent(link string) (model, tea.Cmd) {
	if !safeLink(link) {
		return m.trouble("There is no link that can be opened."), nil
	}
	return m.say("Opening " + text.New(link).String()), openLink(link)
}

// safeLink reports whether a link goes to a web page and holds nothing that a
// browser or a shell could take for anything else.
func safeLink(link string) bool {
	u, err := url.Parse(link)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil {
		return false
	}
	return !strings.ContainsFunc(link, func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r)
	})
}

func (m model) copyIntent(s, note string) (model, tea.Cmd) {
	if len(s) > mostCopied {
		return m.trouble("This is too long for the terminal's clipboard."), nil
	}
	return m.say(strings.TrimSpace("Sent to the terminal's clipboard. " + note)), copyText(m.out, s)
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
