// Package keymap holds every key of askbox with its help. A key means the same
// on every screen: what decides somewhere never does anything else elsewhere.
package keymap

import "github.com/charmbracelet/bubbles/key"

// Map holds the bindings. It is made once and shared; nobody changes it.
type Map struct {
	Up, Down, Top, Bottom                        key.Binding
	PageUp, PageDown, HalfUp, HalfDown           key.Binding
	LineUp, LineDown                             key.Binding // of the ask, wherever the cursor is
	Start, End                                   key.Binding // first and last row of the ask
	Enter, Back                                  key.Binding
	NextFilter, PrevFilter                       key.Binding
	Allow, Always, AllowMessage                  key.Binding
	Deny, DenyReason                             key.Binding
	Choose, Tick                                 key.Binding
	Type, Editor, NextField, PrevField, NewLine  key.Binding
	Dismiss, DismissMessage                      key.Binding
	Undo, History                                key.Binding
	Search, SearchNext, SearchPrev               key.Binding
	Open, Copy, Raw, Pause                       key.Binding
	Refresh, Help, Quit, Interrupt, Stop, Redraw key.Binding
}

func bind(help, desc string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, desc))
}

// New returns the keys of askbox.
func New() *Map {
	return &Map{
		Up:             bind("↑ k", "up", "up", "k"),
		Down:           bind("↓ j", "down", "down", "j"),
		Top:            bind("g", "first ask", "g"),
		Bottom:         bind("G", "last ask", "G"),
		PageUp:         bind("pgup", "page up in the ask", "pgup"),
		PageDown:       bind("pgdn", "page down in the ask", "pgdown"),
		HalfUp:         bind("ctrl+u", "half a page up", "ctrl+u"),
		HalfDown:       bind("ctrl+d", "half a page down", "ctrl+d"),
		LineUp:         bind("K", "a line up in the ask", "K"),
		LineDown:       bind("J", "a line down in the ask", "J"),
		Start:          bind("home", "start of the ask", "home"),
		End:            bind("end", "end of the ask", "end"),
		Enter:          bind("enter", "open the ask, go into its answer; in the last field: send", "enter"),
		Back:           bind("esc", "back; what was typed is kept as a draft", "esc"),
		NextFilter:     bind("f", "next filter", "f"),
		PrevFilter:     bind("F", "previous filter", "F"),
		Allow:          bind("a", "allow", "a"),
		Always:         bind("A", "allow always: shows the rule, wants a second A", "A"),
		AllowMessage:   bind("m", "allow with a message", "m"),
		Deny:           bind("d", "deny", "d"),
		DenyReason:     bind("D", "deny with a reason", "D"),
		Choose:         bind("1-9", "choose an option", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
		Tick:           bind("space", "choose or tick the option under the cursor", " "),
		Type:           bind("t", "type an answer of your own", "t"),
		Editor:         bind("ctrl+e", "write it in $VISUAL or $EDITOR", "ctrl+e"),
		NextField:      bind("tab", "next field", "tab"),
		PrevField:      bind("shift+tab", "previous field", "shift+tab"),
		NewLine:        bind("ctrl+j", "a new line in a text", "ctrl+j", "alt+enter"),
		Dismiss:        bind("x", "dismiss", "x"),
		DismissMessage: bind("X", "dismiss with a message", "X"),
		Undo:           bind("u", "take back the answer that has not been sent yet", "u"),
		History:        bind("h", "Answered in the last day", "h"),
		Search:         bind("/", "search", "/"),
		SearchNext:     bind("n", "next match", "n"),
		SearchPrev:     bind("N", "previous match", "N"),
		Open:           bind("o", "open the session's link", "o"),
		Copy:           bind("y", "copy what is asked", "y"),
		Raw:            bind("v", "the ask as the relay sent it", "v"),
		Pause:          bind("p", "pause or resume the session", "p"),
		Refresh:        bind("R", "ask every relay now", "R"),
		Help:           bind("?", "help", "?"),
		Quit:           bind("q", "quit", "q", "ctrl+c"),
		Interrupt:      bind("ctrl+c", "quit, also from a text field", "ctrl+c"),
		Stop:           bind("ctrl+z", "put askbox into the background", "ctrl+z"),
		Redraw:         bind("ctrl+l", "draw the screen anew", "ctrl+l"),
	}
}

// Section is a part of the help.
type Section struct {
	Title string
	Keys  []key.Binding
}

// Sections returns every key, in the order in which the help shows them.
func (m *Map) Sections() []Section {
	return []Section{
		{"Move", []key.Binding{m.Up, m.Down, m.Top, m.Bottom, m.PageUp, m.PageDown, m.HalfUp, m.HalfDown, m.LineUp, m.LineDown, m.Start, m.End}},
		{"Open and go back", []key.Binding{m.Enter, m.Back}},
		{"Answer an approval", []key.Binding{m.Allow, m.Always, m.AllowMessage, m.Deny, m.DenyReason}},
		{"Answer a question", []key.Binding{m.Choose, m.Tick, m.Type, m.NextField, m.PrevField, m.NewLine, m.Editor}},
		{"Close without an answer", []key.Binding{m.Dismiss, m.DismissMessage}},
		{"Take back", []key.Binding{m.Undo}},
		{"Look", []key.Binding{m.NextFilter, m.PrevFilter, m.Search, m.SearchNext, m.SearchPrev, m.History, m.Raw, m.Open, m.Copy}},
		{"The rest", []key.Binding{m.Pause, m.Refresh, m.Redraw, m.Stop, m.Help, m.Quit}},
	}
}

// All returns every binding.
func (m *Map) All() []key.Binding {
	var all []key.Binding
	for _, s := range m.Sections() {
		all = append(all, s.Keys...)
	}
	return all
}
