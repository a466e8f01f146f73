package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"askbox/client/text"
	"askbox/tui/theme"
)

// footer shows the keys that do something now.
func (m model) footer() string {
	l := theme.NewLine(m.theme, m.width).Space(1)
	last := m.keymap.Help
	rest := text.Width(last.Help().Key) + 1 + text.Width(last.Help().Desc)
	seen := map[string]bool{}
	for _, b := range m.footerKeys() {
		k, desc := b.Help().Key, m.keymap.Short(b)
		if seen[k] {
			continue
		}
		seen[k] = true
		w := text.Width(k) + 1 + text.Width(desc)
		if w+2+rest > l.Left() {
			break
		}
		l.Add(theme.Key, k).Space(1).Add(theme.Dim, desc).Space(2)
	}
	if m.helps() {
		l.Add(theme.Key, last.Help().Key).Space(1).Add(theme.Dim, last.Help().Desc)
	}
	return l.String()
}

// helps reports whether ? shows the help here: in a text it is a letter, and the
// question whether to quit wants an answer first.
func (m model) helps() bool {
	return m.prompt == 0 && m.screen != screenQuit && !(m.askVisible() && m.ask.Typing())
}

// short is a binding with fewer words, for the footer.
func short(b key.Binding, keys, desc string) key.Binding {
	if keys == "" {
		keys = b.Help().Key
	}
	return key.NewBinding(key.WithKeys(b.Keys()...), key.WithHelp(keys, desc))
}

// footerKeys are the keys that do something now: in a text or an answer those that end it,
// elsewhere those that look around.
func (m model) footerKeys() []key.Binding {
	k := m.keymap
	switch {
	case m.prompt != 0:
		return []key.Binding{short(k.Enter, "", map[rune]string{'/': "find", ':': "do it"}[m.prompt]), short(k.Back, "", "give up")}
	case m.screen == screenQuit:
		return []key.Binding{short(k.Up, k.Arrows(), "move"), short(k.Enter, "", "do it"), short(k.Back, "", "stay")}
	case m.askVisible() && (m.ask.Typing() || m.ask.Focused()):
		return m.answering()
	}
	return m.looking()
}

// looking lists the keys on the list, on an ask of which no answer is given, and on what
// covers them.
func (m model) looking() []key.Binding {
	k, inbox, one := m.keymap, m.screen == screenInbox, m.opened && !m.wide()
	ref, held := m.lastHeld()
	found := m.list.Query() != "" && m.listVisible() || m.screen == screenHistory && m.history.Query() != ""
	var keys []key.Binding
	add := func(shown bool, b key.Binding, label, does string) {
		if shown {
			keys = append(keys, short(b, label, does))
		}
	}
	add(inbox && one, k.Back, k.Back.Help().Key+" "+k.Quit.Help().Key, "back")
	add(!inbox, k.Quit, "", "back")
	add(m.listVisible() || !inbox, k.Up, k.Arrows(), "move")
	add(!inbox, k.PageDown, k.PageUp.Help().Key+" "+k.PageDown.Help().Key, "page")
	add(inbox && !m.askVisible() && m.list.Len() > 0, k.Enter, "", "open")
	add(inbox && m.list.Len() > 1, k.NextField, "", "next")
	add(held && (!m.askVisible() || ref != m.shown.ref), k.Undo, "", "take back")
	add(found, k.SearchNext, k.SearchNext.Help().Key+" "+k.SearchPrev.Help().Key, "matches")
	if m.askVisible() {
		keys = append(keys, m.ask.Looks()...)
	}
	looks := m.listVisible() || m.screen == screenHistory
	add(looks, k.NextFilter, "", "filter")
	add(looks, k.Search, "", "search")
	add(inbox, k.Refresh, "", "ask now")
	add(inbox && !one, k.Quit, "", "quit")
	add(!inbox || one, k.Interrupt, "", "quit")
	add(m.listVisible(), k.Order, "", "order")
	add(m.listVisible(), k.Mark, "", "mark")
	return keys
}

// answering lists the keys while an answer is given. The pane shows what they do
// beside the answer, so here they stand only where it has no line left for them.
func (m model) answering() []key.Binding {
	k := m.keymap
	read := short(k.PageDown, k.PageUp.Help().Key+" "+k.PageDown.Help().Key, "read the ask")
	switch {
	case !m.ask.Hinted():
		return m.ask.Keys()
	case m.ask.Typing():
		return []key.Binding{read, short(k.Interrupt, "", "quit")}
	case !m.ask.Answering():
		// The ask as the relay sent it, which has nothing to answer in it.
		return []key.Binding{short(k.Back, "", "back"), read, k.Copy}
	}
	return []key.Binding{short(k.Up, k.Arrows(), "move"), read, short(k.Quit, "", "back")}
}
