// Package keymap holds every key of askbox with its help. A key means the same
// on every screen: what decides somewhere never does anything else elsewhere.
package keymap

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Map holds the bindings. It is made once and shared; nobody changes it.
type Map struct {
	Up, Down, Top, Bottom                        key.Binding
	PageUp, PageDown, HalfUp, HalfDown           key.Binding
	LineUp, LineDown                             key.Binding // of the ask, wherever the cursor is
	Start, End                                   key.Binding // first and last row of the ask
	NextAsk, PrevAsk                             key.Binding // from inside an open one too
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
	Command, Order, Mark                         key.Binding

	spelled func() *strings.Replacer
}

// action is what a key does.
type action struct {
	name  string // in the configuration
	bound *key.Binding
	desc  string
	label string   // of the keys in the help; empty: all of them
	keys  []string // as Bubble Tea names them
	is    kind
}

// kind says what the configuration may do to the keys of an action.
type kind int

const (
	plain   kind = iota
	decides      // sends something, or leads to it: never on enter
	writes       // works in a text too, so never a letter
	fixed        // the same for everybody
)

// actions lists what there is, in the order of the help.
func (m *Map) actions() []action {
	return []action{
		{"up", &m.Up, "up", "", []string{"up", "k"}, plain},
		{"down", &m.Down, "down", "", []string{"down", "j"}, plain},
		{"top", &m.Top, "first ask", "", []string{"g"}, plain},
		{"bottom", &m.Bottom, "last ask", "", []string{"G"}, plain},
		{"page_up", &m.PageUp, "page up in the ask", "", []string{"pgup"}, writes},
		{"page_down", &m.PageDown, "page down in the ask", "", []string{"pgdown"}, writes},
		{"half_up", &m.HalfUp, "half a page up", "", []string{"ctrl+u"}, plain},
		{"half_down", &m.HalfDown, "half a page down", "", []string{"ctrl+d"}, plain},
		{"line_up", &m.LineUp, "a line up in the ask", "", []string{"K"}, plain},
		{"line_down", &m.LineDown, "a line down in the ask", "", []string{"J"}, plain},
		{"start", &m.Start, "start of the ask", "", []string{"home"}, plain},
		{"end", &m.End, "end of the ask", "", []string{"end"}, plain},
		{"next_ask", &m.NextAsk, "next ask, from inside an open one too", "", []string{"ctrl+n"}, plain},
		{"previous_ask", &m.PrevAsk, "previous ask", "", []string{"ctrl+p"}, plain},
		{"enter", &m.Enter, "open the ask, go into its answer; in the last field: send", "", []string{"enter"}, fixed},
		{"back", &m.Back, "back; what was typed is kept as a draft", "", []string{"esc"}, fixed},
		{"allow", &m.Allow, "allow", "", []string{"a"}, decides},
		{"always", &m.Always, "allow always: shows the rule, wants the key once more", "", []string{"A"}, decides},
		{"allow_message", &m.AllowMessage, "allow with a message", "", []string{"m"}, decides},
		{"deny", &m.Deny, "deny", "", []string{"d"}, decides},
		{"deny_reason", &m.DenyReason, "deny with a reason", "", []string{"D"}, decides},
		{"choose", &m.Choose, "choose an option", "1-9", []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, fixed},
		{"tick", &m.Tick, "choose or tick the option under the cursor; elsewhere a page down", "", []string{" "}, decides},
		{"type", &m.Type, "type an answer of your own", "", []string{"t"}, decides},
		{"next_field", &m.NextField, "next ask that needs you; in an answer: next field", "", []string{"tab"}, writes},
		{"previous_field", &m.PrevField, "the one before; in an answer: previous field", "", []string{"shift+tab"}, writes},
		{"new_line", &m.NewLine, "a new line in a text", "ctrl+j", []string{"ctrl+j", "alt+enter"}, writes},
		{"editor", &m.Editor, "write it in $VISUAL or $EDITOR", "", []string{"ctrl+e"}, writes},
		{"dismiss", &m.Dismiss, "dismiss", "", []string{"x"}, decides},
		{"dismiss_message", &m.DismissMessage, "dismiss with a message", "", []string{"X"}, decides},
		{"undo", &m.Undo, "take back the answer that has not been sent yet", "", []string{"u"}, plain},
		{"next_filter", &m.NextFilter, "next filter", "", []string{"f"}, plain},
		{"previous_filter", &m.PrevFilter, "previous filter", "", []string{"F"}, plain},
		{"search", &m.Search, "narrow to what you type, see below", "", []string{"/"}, plain},
		{"next_match", &m.SearchNext, "next match", "", []string{"n"}, plain},
		{"previous_match", &m.SearchPrev, "previous match", "", []string{"N"}, plain},
		{"mark", &m.Mark, "mark the approval, at once again all alike: one key answers all marked, once they are read", "", []string{"*"}, plain},
		{"order", &m.Order, "order by need, and by age again", "", []string{"s"}, plain},
		{"history", &m.History, "Answered in the last day", "", []string{"h"}, plain},
		{"as_sent", &m.Raw, "the ask as the relay sent it", "", []string{"v"}, plain},
		{"link", &m.Open, "open the session's link, or copy the command that goes to it", "", []string{"o"}, plain},
		{"copy", &m.Copy, "copy what is asked", "", []string{"y"}, plain},
		{"pause", &m.Pause, "pause or resume the session", "", []string{"p"}, decides},
		{"refresh", &m.Refresh, "ask every relay now", "", []string{"R"}, plain},
		{"redraw", &m.Redraw, "draw the screen anew", "", []string{"ctrl+l"}, writes},
		{"background", &m.Stop, "put askbox into the background", "", []string{"ctrl+z"}, writes},
		{"help", &m.Help, "help", "", []string{"?"}, plain},
		{"command", &m.Command, "a command: :q quits", "", []string{":"}, plain},
		{"quit", &m.Quit, "back one level; from the list: quit", "", []string{"q"}, plain},
		{"interrupt", &m.Interrupt, "quit, from everywhere", "", []string{"ctrl+c"}, fixed},
	}
}

// New returns the keys of askbox as they are where nobody sets any.
func New() *Map {
	m := &Map{}
	for _, a := range m.actions() {
		a.bind(a.keys, a.label)
	}
	m.spelled = m.speller()
	return m
}

func (a action) bind(keys []string, label string) {
	if label == "" {
		labels := make([]string, len(keys))
		for i, k := range keys {
			labels[i] = Label(k)
		}
		label = strings.Join(labels, " ")
	}
	*a.bound = key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, a.desc))
}

// Press returns the message of a key of a binding, whatever its keys are.
func Press(b key.Binding) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(b.Keys()[0])}
}

// Label is what a key is called on the screen.
func Label(k string) string {
	switch k {
	case " ":
		return "space"
	case "pgdown":
		return "pgdn"
	case "up":
		return "↑"
	case "down":
		return "↓"
	}
	return k
}

// Section is a part of the help.
type Section struct {
	Title string
	Keys  []key.Binding
}

// Sections returns every key, in the order in which the help shows them.
func (m *Map) Sections() []Section {
	return []Section{
		{"Move", []key.Binding{m.Up, m.Down, m.Top, m.Bottom, m.NextField, m.PrevField, m.NextAsk, m.PrevAsk, m.PageUp, m.PageDown, m.HalfUp, m.HalfDown, m.LineUp, m.LineDown, m.Start, m.End}},
		{"Open and go back", []key.Binding{m.Enter, m.Back}},
		{"Answer an approval", []key.Binding{m.Allow, m.Always, m.AllowMessage, m.Deny, m.DenyReason}},
		{"Answer a question", []key.Binding{m.Choose, m.Tick, m.Type, m.NewLine, m.Editor}},
		{"Close without an answer", []key.Binding{m.Dismiss, m.DismissMessage}},
		{"Take back", []key.Binding{m.Undo}},
		{"Look", []key.Binding{m.NextFilter, m.PrevFilter, m.Search, m.SearchNext, m.SearchPrev, m.Order, m.Mark, m.History, m.Raw, m.Open, m.Copy}},
		{"The rest", []key.Binding{m.Pause, m.Refresh, m.Redraw, m.Stop, m.Help, m.Quit, m.Interrupt, m.Command}},
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
