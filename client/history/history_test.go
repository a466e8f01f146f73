package history

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
	"askbox/client/text"
)

func at(n int) time.Time { return time.Now().Round(0).UTC().Add(time.Duration(n) * time.Minute) }

func sample(n int) Entry {
	return Entry{
		Ref:  client.Ref{Relay: "work", Session: "cs_1", ID: fmt.Sprintf("ak_%d", n)},
		Kind: client.Approval, Waited: true, What: text.New("rm -rf build\x1b[2K\u009b\U000e0041"), Session: text.New("Fix"),
		How: client.Answered, By: text.New("Ada"), ByMe: true, At: at(n),
		With: []text.Text{text.New("allow"), text.New("a\nb")}, Note: "by this askbox", Here: true,
	}
}

func open(t *testing.T, folder string) *Store {
	t.Helper()
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func since(t *testing.T, s *Store, moment time.Time) []Entry {
	t.Helper()
	got, err := s.Since(moment)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func add(t *testing.T, s *Store, e Entry) {
	t.Helper()
	if err := s.Append(e); err != nil {
		t.Fatal(err)
	}
}

var asTexts = cmp.Comparer(func(a, b text.Text) bool { return a.Equal(b) })

// TestEntriesComeBackAsTheyWere in another process, which is another store.
func TestEntriesComeBackAsTheyWere(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	s := open(t, folder)
	one, two := sample(-2), sample(-1)
	two.Shown, two.Told = text.New("rm -rf build"), text.New("rm -rf ~\x1b")
	two.ByType, two.Surface, two.After = client.ActorAgent, text.New("slack\n"), client.AfterFailed
	two.Answer = Answer{Decision: client.Deny, Mode: text.New("auto"), Message: text.New("no\x07"), Choices: []text.Text{text.New("a")}, Texts: []text.Text{text.New("b")}}
	two.Here, two.How = false, client.Gone
	two.Tried = &Attempt{Answer: Answer{Dismiss: true, Message: text.New("x")}, End: NotKnown, At: at(-2), Why: "no reply", Said: text.New("\x1b")}
	add(t, s, one)
	add(t, s, two)
	if diff := cmp.Diff([]Entry{two, one}, since(t, open(t, folder), at(-10)), asTexts); diff != "" {
		t.Error(diff)
	}
	if got := since(t, s, two.At); len(got) != 1 || got[0].Ref != two.Ref {
		t.Errorf("since the newest: %v", got)
	}
}

func TestFileIsItsOwnersAndHoldsNoControls(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "history.jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := open(t, folder)
	add(t, s, sample(0))
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	data, _ := os.ReadFile(path)
	for _, r := range strings.TrimSuffix(string(data), "\n") {
		if hidden(r) {
			t.Errorf("%U stands in the file", r)
		}
	}
}

// TestTornLine is what a killed writer leaves: its line is lost, no other one.
func TestTornLine(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	add(t, s, sample(-3))
	file, err := os.OpenFile(s.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"relay":"work","sess`); err != nil {
		t.Fatal(err)
	}
	file.Close()
	if got := since(t, s, at(-10)); len(got) != 1 {
		t.Errorf("with a torn line: %v", got)
	}
	add(t, s, sample(-1))
	if got := since(t, s, at(-10)); len(got) != 2 {
		t.Errorf("after a torn line: %v", got)
	}
}

// TestOldLinesGo, and what this askbox cannot read stays as it is.
func TestOldLinesGo(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	old := sample(0)
	old.At = time.Now().Add(-keepFor - 48*time.Hour)
	add(t, s, old)
	add(t, s, sample(-1))
	foreign := `{"relay":"work","session":"s","id":"x","at":"` + time.Now().Format(time.RFC3339) + `","future":[1,2]}`
	file, err := os.OpenFile(s.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(file, "not JSON at all\n%s\n", foreign)
	file.Close()
	s = open(t, folder)
	data, _ := os.ReadFile(s.path)
	if strings.Contains(string(data), `"ak_0"`) || !strings.Contains(string(data), "not JSON at all") || !strings.Contains(string(data), foreign) {
		t.Errorf("the file is now:\n%s", data)
	}
	if got := since(t, s, time.Time{}); len(got) != 2 {
		t.Errorf("got %v", got)
	}
}

func TestSizeIsBounded(t *testing.T) {
	s := open(t, t.TempDir())
	big := sample(0)
	big.What = text.New(strings.Repeat("x", 600<<10))
	for n := range 12 {
		big.Ref.ID, big.At = fmt.Sprintf("ak_%d", n), at(n)
		add(t, s, big)
	}
	info, err := os.Stat(s.path)
	if err != nil || info.Size() > compactAt {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
	if got := since(t, s, time.Time{}); len(got) == 0 || got[0].Ref.ID != "ak_11" {
		t.Errorf("the newest one is lost: %d entries", len(got))
	}
}

// TestTwoWriters write at the same time, each with its own lock on the file.
func TestTwoWriters(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for w := range 4 {
		s := open(t, folder)
		all.Go(func() {
			for n := range 10 {
				if err := s.Append(sample(w*10 + n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, e := range since(t, open(t, folder), time.Time{}) {
		seen[e.Ref.ID] = true
	}
	if len(seen) != 40 {
		t.Errorf("%d of 40 entries", len(seen))
	}
}

// TestSomethingElseInItsPlace is read no further than a history can be long, and
// does not keep an answer from being written down.
func TestSomethingElseInItsPlace(t *testing.T) {
	for name, fill := range map[string]func(*os.File) error{
		"one endless line": func(f *os.File) error { return f.Truncate(1 << 33) },
		"lines of noise": func(f *os.File) error {
			_, err := f.WriteString(strings.Repeat("\x00\xff\n", 6<<20))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			file, err := os.Create(filepath.Join(folder, "history.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			if err := fill(file); err != nil {
				t.Skipf("this file system takes no such file: %v", err)
			}
			file.Close()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := open(t, folder)
			add(t, s, sample(1))
			got := since(t, s, time.Time{})
			runtime.ReadMemStats(&after)
			if len(got) != 1 || got[0].Ref != sample(1).Ref {
				t.Errorf("got %v", got)
			}
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 700 {
				t.Errorf("it took %d MiB", used)
			}
		})
	}
}

func TestFolderThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil {
		t.Error("opened in a file")
	}
}

// TestALineOfAnOlderAskbox has no words on what was shown and what a relay told.
func TestALineOfAnOlderAskbox(t *testing.T) {
	folder := t.TempDir()
	old := fmt.Sprintf(`{"relay":"work","session":"cs_1","id":"ak_1","kind":"approval","what":"ls","how":"answered","byMe":true,"at":%q,"with":["allow"]}`+"\n",
		at(-1).Format(time.RFC3339))
	if err := os.WriteFile(filepath.Join(folder, "history.jsonl"), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	got := since(t, open(t, folder), at(-10))
	if len(got) != 1 || got[0].What.Raw() != "ls" || !got[0].Shown.Empty() || !got[0].Told.Empty() {
		t.Errorf("got %+v", got)
	}
}

// TestOddEntries: one whose time is to come is marked and does not lead, and what is too
// long to be an entry is counted and not read (L22).
func TestOddEntries(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	add(t, s, sample(-2))
	late := sample(-1)
	late.Ref.ID, late.At = "late", time.Now().Add(600_000*time.Hour)
	add(t, s, late)
	file, err := os.OpenFile(s.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(file, `{"relay":"work","id":"big","at":%q,"what":%q}`+"\n", time.Now().Format(time.RFC3339), strings.Repeat("x", 3<<20))
	file.Close()
	r, err := s.Read(time.Now().Add(-time.Hour))
	if err != nil || len(r.Entries) != 2 || r.LeftOut != 1 || !r.Since.IsZero() {
		t.Fatalf("%+v, %v", r, err)
	}
	if first, last := r.Entries[0], r.Entries[1]; first.Ref.ID == "late" || !last.At.IsZero() || !strings.Contains(last.Note, "not over yet") {
		t.Errorf("it leads: %+v", r.Entries)
	}
}

// TestWhatIsLeftOutIsSaid, and what was answered here stays longer than what was only seen.
func TestWhatIsLeftOutIsSaid(t *testing.T) {
	s := open(t, t.TempDir())
	for n := range 60 {
		e := sample(n - 100)
		e.What, e.Here = text.New(strings.Repeat("x", 100<<10)), n%10 == 0
		add(t, s, e)
	}
	r, err := s.Read(at(-1000))
	if err != nil {
		t.Fatal(err)
	}
	here, seen := 0, 0
	for _, e := range r.Entries {
		if e.Here {
			here++
		} else {
			seen++
		}
	}
	if here != 6 || seen == 0 || seen >= 54 || r.Since.IsZero() {
		t.Errorf("%d and %d, since %v", here, seen, r.Since)
	}
	if r, err = s.Read(r.Since.Add(time.Minute)); err != nil || !r.Since.IsZero() {
		t.Errorf("since %v, %v", r.Since, err)
	}
}

// TestReadingWritesNothing, also where there is nothing yet (K15).
func TestReadingWritesNothing(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state")
	if r, err := At(folder).Read(time.Time{}); err != nil || len(r.Entries) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := os.Lstat(folder); err == nil {
		t.Error("it made a folder")
	}
	add(t, open(t, folder), sample(-1))
	if err := os.Remove(filepath.Join(folder, "history.lock")); err != nil {
		t.Fatal(err)
	}
	if r, err := At(folder).Read(time.Time{}); err != nil || len(r.Entries) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("now there are %v, %v", files, err)
	}
}

// TestWhatIsLeftIsSaidUntilItWasSeen, whatever another askbox leaves meanwhile (L07).
func TestWhatIsLeftIsSaidUntilItWasSeen(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	if left, err := s.Left(); err != nil || len(left) != 0 {
		t.Fatalf("%v, %v", left, err)
	}
	one, two := sample(-2), sample(-1)
	for _, e := range []*Entry{&one, &two} {
		e.Here, e.How, e.Tried = false, client.Open, &Attempt{End: NotSent, At: e.At, Answer: Answer{Decision: client.Deny}}
	}
	if err := s.Leave(one); err != nil {
		t.Fatal(err)
	}
	next := open(t, folder)
	left, err := next.Left()
	if err != nil || len(left) != 1 || left[0].Tried.End != NotSent {
		t.Fatalf("%+v, %v", left, err)
	}
	if err := s.Leave(two); err != nil {
		t.Fatal(err)
	}
	if err := next.Seen(left); err != nil {
		t.Fatal(err)
	}
	if left, err = next.Left(); err != nil || len(left) != 1 || left[0].Ref != two.Ref {
		t.Fatalf("%+v, %v", left, err)
	}
	if err := next.Seen(left); err != nil {
		t.Fatal(err)
	}
	if left, err = next.Left(); err != nil || len(left) != 0 {
		t.Errorf("%+v, %v", left, err)
	}
	if got := since(t, next, at(-10)); len(got) != 2 || got[0].Tried == nil {
		t.Errorf("the history has %+v", got)
	}
}

// TestFreshGivesEachEntryOnce, also what another askbox writes meanwhile, and all of a file
// that was put in the place of the one before.
func TestFreshGivesEachEntryOnce(t *testing.T) {
	folder := t.TempDir()
	s, other := open(t, folder), open(t, folder)
	fresh := func(want int) {
		t.Helper()
		r, err := s.Fresh(at(-1000))
		if err != nil || len(r.Entries) != want {
			t.Errorf("%d entries, want %d: %v", len(r.Entries), want, err)
		}
	}
	fresh(0)
	add(t, s, sample(-3))
	add(t, other, sample(-2))
	fresh(2)
	fresh(0)
	add(t, other, sample(-1))
	fresh(1)
	if err := os.Rename(s.path, s.path+".old"); err != nil {
		t.Fatal(err)
	}
	fresh(0)
	add(t, other, sample(-4))
	fresh(1)
}
