package tui

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/text"
)

// act does what a pane asks for.
func (m model) act(w intent, g gate) (model, tea.Cmd) {
	switch w.kind {
	case intentSend:
		return m.send(w, g)
	case intentUndo:
		return m.undoOf(w)
	case intentForget:
		return m.request(request{kind: requestForget, ref: w.ref})
	case intentBack:
		m.opened = false
	case intentSay:
		m = m.trouble(w.text)
	case intentEdit:
		return m, prepare(edit{ref: w.ref, before: w.text})
	case intentPause:
		return m.request(request{kind: requestPause, ref: w.ref, resume: w.resume})
	case intentOpen:
		return m.openIntent(w.text)
	case intentCopy:
		return m.copyIntent(w.text)
	}
	return m, nil
}

// send hands an answer over, once more only for what stands on the screen: the
// pane made sure of that, and this holds whatever the pane does.
func (m model) send(w intent, g gate) (model, tea.Cmd) {
	switch {
	case !g.open:
		return m.trouble(g.why), nil
	case !m.shown.ok || w.ref != m.shown.ref || w.digest != m.shown.digest:
		return m.trouble("Nothing was sent: the ask on the screen is another one by now. Read it again."), nil
	}
	m.sent = append(without(m.sent, w.ref), w.ref)
	m.sent = m.sent[max(len(m.sent)-100, 0):]
	return m.request(request{kind: requestSend, ref: w.ref, digest: w.digest, answer: w.answer})
}

func (m model) undoOf(w intent) (model, tea.Cmd) {
	what := ""
	if it := m.snapshot.Find(w.ref); it != nil {
		what = brief(it.Ask, 40)
	}
	return m.request(request{kind: requestUndo, ref: w.ref, what: what})
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

func (m model) copyIntent(s string) (model, tea.Cmd) {
	if len(s) > mostCopied {
		return m.trouble("This is too long for the terminal's clipboard."), nil
	}
	return m.say("Sent to the terminal's clipboard."), copyText(m.out, s)
}

// filter goes to another filter.
func (m model) filter(step int) model {
	const filters = 3
	f := (int(m.list.Filter()) + step + filters) % filters
	m.list = m.list.Show(client.Filter(f), m.snapshot)
	m.opened = false
	return m
}

// toggle shows a screen over the inbox, or goes back from it.
func (m model) toggle(s screen) model {
	if m.screen == s {
		m.screen = screenInbox
	} else {
		m.screen = s
	}
	return m
}
