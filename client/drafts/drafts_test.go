package drafts

import (
	"errors"
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
	s := open(t, t.TempDir())
	for _, data := range []string{"", `{"Relay":"work"`, `{"Relay":"home","Session":"cs_1","ID":"x","Draft":{"Answer":{"Message":"hi"}}}`} {
		if err := os.WriteFile(s.path(ref), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if d, ok := open(t, s.folder).Load(ref); ok {
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
	if u := s.Unkept(); len(u) != 1 || u[0].Ref != ref {
		t.Errorf("kept nowhere: %v", u)
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
	if u := s.Unkept(); len(u) != 0 {
		t.Errorf("still kept nowhere: %v", u)
	}
}

// TestUnkept keeps in memory what no disk takes, says so at once, and writes it as soon
// as one does (L10, G21).
func TestUnkept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "drafts")
	s := open(t, folder)
	block := func() {
		t.Helper()
		if err := errors.Join(os.RemoveAll(folder), os.WriteFile(folder, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	block()
	s.Save(ref, reason("x"))
	<-s.Changed()
	if u := s.Unkept(); len(u) != 1 || u[0].Ref != ref || u[0].Draft.Answer.Message != "x" || u[0].Err == nil {
		t.Fatalf("%+v", u)
	}
	if d, ok := s.Load(ref); !ok || d.Answer.Message != "x" {
		t.Errorf("%+v", d)
	}
	if err := s.Flush(); err == nil || len(s.Unkept()) != 1 {
		t.Errorf("%v", err)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	other := client.Ref{Relay: "home", ID: "1"}
	s.Save(other, reason("y"))
	flush(t, s)
	if u := s.Unkept(); len(u) != 0 {
		t.Errorf("%+v", u)
	}
	again := open(t, folder)
	if d, ok := again.Load(ref); !ok || d.Answer.Message != "x" || !again.Has(other) {
		t.Errorf("%+v", d)
	}
	block()
	s.Save(ref, Draft{})
	if err := s.Flush(); len(s.Unkept()) != 0 {
		t.Errorf("%v, %+v", err, s.Unkept())
	}
}

// TestNoFolder keeps drafts in memory where there is no place for them.
func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(filepath.Join(file, "drafts"))
	if err == nil {
		t.Fatal("no error")
	}
	s.Save(ref, reason("x"))
	if d, ok := s.Load(ref); !ok || d.Answer.Message != "x" || s.Flush() == nil {
		t.Errorf("%+v", d)
	}
}

// TestAnotherAskbox writes a draft that is there once it was looked at.
func TestAnotherAskbox(t *testing.T) {
	folder := t.TempDir()
	s, other := open(t, folder), open(t, folder)
	other.Save(ref, reason("x"))
	flush(t, other)
	if _, ok := s.Load(ref); ok {
		t.Error("there before it was looked at")
	}
	<-s.Changed()
	if d, ok := s.Load(ref); !ok || d.Answer.Message != "x" {
		t.Errorf("%+v", d)
	}
}
