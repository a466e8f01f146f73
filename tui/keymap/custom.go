package keymap

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// Setting gives an action other keys than it has by itself.
type Setting struct {
	Action string
	Keys   []string
}

// Fault is what is wrong with a setting, in words that are safe to print.
type Fault struct{ Action, Text string }

// With returns the keys of askbox with settings in force, or what is wrong with them.
func With(settings []Setting) (*Map, []Fault) {
	m := New()
	var faults []Fault
	for _, s := range settings {
		at := slices.IndexFunc(m.actions(), func(a action) bool { return a.name == s.Action })
		if at < 0 {
			faults = append(faults, Fault{s.Action, "there is no such action; there are: " + strings.Join(names(m), ", ")})
			continue
		}
		a := m.actions()[at]
		keys, wrong := a.takes(s.Keys)
		if wrong != "" {
			faults = append(faults, Fault{s.Action, wrong})
			continue
		}
		a.bind(keys, "")
	}
	if faults = append(faults, m.clashes(settings)...); len(faults) > 0 {
		return nil, faults
	}
	return m, nil
}

func names(m *Map) (all []string) {
	for _, a := range m.actions() {
		if a.is != fixed {
			all = append(all, a.name)
		}
	}
	return all
}

// takes returns the keys as Bubble Tea names them, or why the action cannot have them.
func (a action) takes(keys []string) (named []string, wrong string) {
	if a.is == fixed {
		return nil, "this key is the same for everybody and cannot be moved"
	}
	if len(keys) == 0 {
		return nil, "name at least one key"
	}
	for _, k := range keys {
		name, known := parse(k)
		switch {
		case !known:
			return nil, "there is no key of this name; name it like \"a\", \"A\", \"ctrl+y\", \"alt+y\", \"f5\" or \"space\""
		case name == "ctrl+c":
			return nil, "ctrl+c always quits"
		case a.is == decides && enters(name):
			return nil, "enter never approves, and on some terminals this key is enter"
		case a.is == writes && utf8.RuneCountInString(name) == 1:
			return nil, "this works in a text too, where the key would be a letter"
		}
		named = append(named, name)
	}
	return named, ""
}

// enters reports whether a key is enter, or may be on some terminal.
func enters(name string) bool { return strings.Contains(name, "enter") || name == "ctrl+j" }

// typed are the names that people give to keys beside those of Bubble Tea.
var typed = map[string]string{
	"space": " ", "pgdn": "pgdown", "escape": "esc", "return": "enter", "del": "delete",
	// What terminals send for these is another key.
	"ctrl+m": "enter", "ctrl+i": "tab", "ctrl+[": "esc",
}

// parse returns the name that Bubble Tea has for a key.
func parse(k string) (name string, known bool) {
	if name, ok := typed[k]; ok {
		return name, true
	}
	plain := strings.TrimPrefix(k, "alt+")
	if r, n := utf8.DecodeRuneInString(plain); n > 0 && n == len(plain) {
		return k, unicode.IsGraphic(r) && r != utf8.RuneError && plain != " "
	}
	for t := tea.KeyType(-120); t < 128; t++ {
		if t != tea.KeyRunes && (tea.Key{Type: t}).String() == plain && plain != "" {
			return k, true
		}
	}
	return "", false
}

// clashes are the keys that two actions have now and did not have before.
func (m *Map) clashes(settings []Setting) (faults []Fault) {
	set := map[string]bool{}
	for _, s := range settings {
		set[s.Action] = true
	}
	usual, now := New().actions(), m.actions()
	for i, a := range now {
		for j, other := range now {
			if i == j || !set[a.name] || set[other.name] && j > i {
				continue
			}
			for _, k := range a.bound.Keys() {
				both := slices.Contains(usual[i].keys, k) && slices.Contains(usual[j].keys, k)
				if !both && slices.Contains(other.bound.Keys(), k) {
					faults = append(faults, Fault{a.name, Label(k) + " is the key of " + other.name + " already"})
				}
			}
		}
	}
	return faults
}
