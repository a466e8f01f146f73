package keymap

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKeysCanBeSet gives an action other keys, in the help too (K25).
func TestKeysCanBeSet(t *testing.T) {
	m, faults := With([]Setting{{"allow", []string{"ctrl+y"}}, {"deny", []string{"a"}}, {"page_down", []string{"pgdn", "f7"}}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	got := [][]string{m.Allow.Keys(), {m.Allow.Help().Key}, m.Deny.Keys(), m.PageDown.Keys(), {m.PageDown.Help().Key}, m.Always.Keys()}
	want := [][]string{{"ctrl+y"}, {"ctrl+y"}, {"a"}, {"pgdown", "f7"}, {"pgdn f7"}, {"A"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, faults := With(nil); len(faults) > 0 {
		t.Error(faults)
	}
}

// TestKeysThatCannotBeSet are refused: clashes, approving on enter in each of its
// names, and letters for what works in a text (K25, R7).
func TestKeysThatCannotBeSet(t *testing.T) {
	for _, c := range []struct {
		action, key, want string
	}{
		{"allow", "enter", "enter never approves"}, {"allow", "return", "enter never approves"}, {"always", "ctrl+m", "enter never approves"},
		{"allow_message", "alt+enter", "enter never approves"}, {"deny", "ctrl+j", "enter never approves"}, {"tick", "enter", "enter never approves"},
		{"allow", "d", "d is the key of deny already"}, {"up", "1", "1 is the key of choose already"}, {"quit", "esc", "esc is the key of back already"},
		{"allow", "space", "space is the key of tick already"}, {"refresh", "ctrl+c", "always quits"}, {"editor", "e", "works in a text"},
		{"enter", "a", "cannot be moved"}, {"choose", "z", "cannot be moved"}, {"aprove", "z", "no such action"},
		{"allow", "ctr+y", "no key of this name"}, {"allow", "", "no key of this name"}, {"allow", "ab", "no key of this name"}, {"allow", "\x1b", "no key of this name"},
	} {
		_, faults := With([]Setting{{c.action, []string{c.key}}})
		if len(faults) != 1 || faults[0].Action != c.action || !strings.Contains(faults[0].Text, c.want) {
			t.Errorf("%s = %q: %+v, want %q", c.action, c.key, faults, c.want)
		}
	}
	_, faults := With([]Setting{{"allow", []string{"z"}}, {"deny", []string{"z"}}})
	if len(faults) != 1 {
		t.Errorf("two actions on one key: %+v", faults)
	}
	if _, faults := With([]Setting{{"allow", nil}}); len(faults) != 1 {
		t.Errorf("no key: %+v", faults)
	}
}
