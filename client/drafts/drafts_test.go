package drafts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"askbox/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ref = client.Ref{Relay: "work", Session: "cs_1", ID: "../../etc/passwd\x00"}

func open(t *testing.T, folder string) *Store {
	t.Helper()
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func flush(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
}

func reason(s string) Draft {
	return Draft{Digest: "d", Field: "deny", Answer: client.Answer{Decision: client.Deny, Message: s},
		Others: map[string]string{"dismiss": "later"}}
}

// TestDraftOutlivesTheProgram, whatever the ids hold.
func TestDraftOutlivesTheProgram(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state", "drafts")
	s := open(t, folder)
	want := Draft{Digest: "d", Answer: client.Answer{Questions: []client.QuestionAnswer{
		{ID: "q1", Choices: []string{"A", "C"}}, {ID: "q2", Text: "wörds\n\tand\x1b", HasText: true}}}}
	s.Save(ref, want)
	flush(t, s)
	got, ok := open(t, folder).Load(ref)
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Error(ok, diff)
	}
	other := ref
	other.Session = "cs_2"
	if _, ok := s.Load(other); ok {
		t.Error("the draft of another session")
	}
	names, _ := filepath.Glob(filepath.Join(folder, "*"))
	if len(names) != 1 || strings.Contains(names[0], "passwd") {
		t.Errorf("files: %v", names)
	}
	for path, mode := range map[string]os.FileMode{folder: 0o700, names[0]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// TestNewestCounts while the writer is still behind, and after it has caught up.
func TestNewestCounts(t *testing.T) {
	s := open(t, t.TempDir())
	typed := ""
	for _, r := range "do not run this before the tests" {
		typed += string(r)
		s.Save(ref, reason(typed))
		if got, ok := s.Load(ref); !ok || got.Answer.Message != typed {
			t.Fatalf("got %q, want %q", got.Answer.Message, typed)
		}
	}
	flush(t, s)
	if got, _ := s.Load(ref); got.Answer.Message != typed {
		t.Errorf("got %q", got.Answer.Message)
	}
}

func TestEmptyAndRemovedDraftsGo(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	for name, drop := range map[string]func(){
		"emptied": func() { s.Save(ref, Draft{Digest: "d", Answer: client.Answer{Decision: client.Allow}}) },
		"removed": func() { s.Remove(ref) },
	} {
		s.Save(ref, reason("x"))
		flush(t, s)
		drop()
		if _, ok := s.Load(ref); ok {
			t.Errorf("%s: there at once", name)
		}
		flush(t, s)
		if names, _ := filepath.Glob(filepath.Join(folder, "*")); len(names) != 0 {
			t.Errorf("%s: %v", name, names)
		}
	}
	s.Remove(ref)
	flush(t, s)
}

func TestOldDraftsAreDropped(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	s.Save(ref, reason("x"))
	flush(t, s)
	old := time.Now().Add(-keepFor - time.Hour)
	if err := os.Chtimes(s.path(ref), old, old); err != nil {
		t.Fatal(err)
	}
	if _, ok := open(t, folder).Load(ref); ok {
		t.Error("an old draft is still there")
	}
}

// TestFileThatIsNoDraft is one that was cut, or is another ask's.
func TestFileThatIsNoDraft(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	for _, data := range []string{"", `{"Relay":"work"`, `{"Relay":"home","Session":"cs_1","ID":"x","Draft":{"Answer":{"Message":"hi"}}}`} {
		if err := os.WriteFile(s.path(ref), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if d, ok := open(t, folder).Load(ref); ok {
			t.Errorf("%q gave %+v", data, d)
		}
	}
}

// TestNoPlainFileIsNoDraft: it is left alone, waited for by nobody, and named where words
// cannot be kept because of it (L21).
func TestNoPlainFileIsNoDraft(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, s.path(ref)); err != nil {
		t.Skip(err)
	}
	s = open(t, folder)
	if _, ok := s.Load(ref); ok {
		t.Error("it is a draft")
	}
	if err := s.Odd(); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("it is not named: %v", err)
	}
	s.Save(ref, reason("words"))
	if err := s.Flush(); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("got %v", err)
	}
	if failed, err := s.Failing(); failed != ref || err == nil {
		t.Errorf("failing: %v, %v", failed, err)
	}
	if d, ok := s.Load(ref); !ok || d.Answer.Message != "words" {
		t.Error("the words are lost while the program runs")
	}
	if data, err := os.ReadFile(other); err != nil || string(data) != "mine" {
		t.Errorf("the other file is %q, %v", data, err)
	}
	if err := os.Remove(s.path(ref)); err != nil {
		t.Fatal(err)
	}
	s.Save(ref, reason("more words"))
	if err := s.Flush(); err != nil {
		t.Error(err)
	}
	if _, err := s.Failing(); err != nil {
		t.Errorf("still failing: %v", err)
	}
}

func TestFlushTellsOfAFailureOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "drafts")
	s := open(t, folder)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	s.Save(ref, reason("x"))
	if err := s.Flush(); err == nil {
		t.Error("a failed write was not told")
	}
	if err := s.Flush(); err != nil {
		t.Errorf("told twice: %v", err)
	}
}
