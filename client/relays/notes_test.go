package relays

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func words(n *Notes) (all []string) {
	for _, note := range n.List() {
		all = append(all, note.Session+" "+note.What)
	}
	return all
}

// What is noted is there at the next start, for this relay and where it is of a token for
// that token, and nothing secret stands in the file.
func TestNotesAreKept(t *testing.T) {
	o := Options{Name: "yard", BaseURL: "https://yard.example", Token: "wk_secret", State: filepath.Join(t.TempDir(), "askbox")}
	n := o.Notes()
	n.Add(Note{Session: "s1", What: "paused"}, false)
	n.Add(Note{Session: "s1", Title: "Own", What: "self_approval"}, true)
	n.Add(Note{Session: "s2", What: "self_approval"}, true)
	n.Remove("s2", "self_approval")
	n.Add(Note{Session: "s1", What: "paused"}, false)
	want := []string{"s1 self_approval", "s1 paused"}
	for i, n := range []*Notes{n, o.Notes()} {
		if got := words(n); !slices.Equal(got, want) {
			t.Errorf("%d: got %q", i, got)
		}
	}
	other := o
	other.Token = "wk_other"
	if got := words(other.Notes()); !slices.Equal(got, []string{"s1 paused"}) {
		t.Errorf("another token: got %q", got)
	}
	other.BaseURL = "https://other.example"
	other.Notes().Add(Note{Session: "s9", What: "paused"}, false)
	if got := words(n); !slices.Equal(got, want) {
		t.Errorf("beside another relay: got %q", got)
	}
	data, err := os.ReadFile(n.path)
	if err != nil || strings.Contains(string(data), "secret") || strings.Contains(string(data), "example") || !strings.Contains(string(data), "s9") {
		t.Errorf("the file holds %s, %v", data, err)
	}
	if info, err := os.Stat(n.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
}

// Without a file the notes last as long as the program.
func TestNotesWithoutAFile(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(broken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"", filepath.Join(broken, "below")} {
		n := Options{Name: "yard", State: state}.Notes()
		n.Add(Note{Session: "s1", What: "paused"}, false)
		if got := words(n); len(got) != 1 {
			t.Errorf("%q: got %q", state, got)
		}
		if n.Remove("s1", "paused"); len(words(n)) != 0 {
			t.Errorf("%q: it was not removed", state)
		}
	}
}
