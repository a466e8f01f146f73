//go:build unix

package terminal

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// run starts a shell script in a terminal.
func run(t *testing.T, o Options, script string) *Terminal {
	t.Helper()
	term, err := Start(exec.Command("/bin/sh", "-c", script), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(term.Kill)
	return term
}

func see(t *testing.T, term *Terminal, text string) {
	t.Helper()
	if err := term.Wait(10*time.Second, func(s string) bool { return strings.Contains(s, text) }); err != nil {
		t.Fatal(err)
	}
}

func TestScreen(t *testing.T) {
	term := run(t, Options{Width: 20, Height: 4}, `printf 'one\n漢字 two\n\033[1mthree\033[0m'; read x; printf "got $x"; exit 3`)
	see(t, term, "three")
	if rows := term.Rows(); len(rows) != 4 || rows[0] != "one" || rows[1] != "漢字 two" || rows[2] != "three" {
		t.Errorf("%q", rows)
	}
	if x, y, ok := term.Find("two"); x != 5 || y != 1 || !ok {
		t.Errorf("two is at %d, %d, %v", x, y, ok)
	}
	if err := term.Send("four\r"); err != nil {
		t.Fatal(err)
	}
	see(t, term, "got four")
	if status, err := term.Exit(10 * time.Second); status != 3 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
	if err := term.GivenBack(); err != nil {
		t.Error(err)
	}
}

// TestNotGivenBack sees what a program leaves behind.
func TestNotGivenBack(t *testing.T) {
	term := run(t, Options{}, `stty raw -echo; printf '\033[?1049h\033[?25l\033[?2004h'`)
	if _, err := term.Exit(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	err := term.GivenBack()
	if err == nil {
		t.Fatal("nothing was seen")
	}
	for _, want := range []string{"line settings", "cursor", "2004", "1049", "alternate"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing from: %v", want, err)
		}
	}
}

// TestAnswers has a program ask where the cursor is.
func TestAnswers(t *testing.T) {
	const ask = `stty raw -echo; printf '\033[c\033[6n'; dd bs=1 count=6 2>/dev/null | od -c | head -1; stty sane; echo over`
	term := run(t, Options{}, ask)
	see(t, term, "over")
	if term.Replies() == 0 || !strings.Contains(term.Screen(), "033   [") {
		t.Errorf("%d bytes were sent; on the screen:\n%s", term.Replies(), term.Screen())
	}
	silent := run(t, Options{Silent: true}, `printf '\033[6n'; read x`)
	if err := silent.Wait(10*time.Second, func(string) bool { return silent.Replies() > 0 }); err != nil {
		t.Error(err)
	}
	if err := silent.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status, err := silent.Exit(10 * time.Second); status != -1 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
}

func TestResize(t *testing.T) {
	term := run(t, Options{}, `echo here; while read x; do stty size; done`)
	see(t, term, "here")
	if err := term.Resize(33, 7); err != nil {
		t.Fatal(err)
	}
	if err := term.Send("\r"); err != nil {
		t.Fatal(err)
	}
	see(t, term, "7 33")
	if n := len(term.Rows()); n != 7 {
		t.Errorf("%d rows", n)
	}
}

func TestHangUp(t *testing.T) {
	term := run(t, Options{}, `echo here; read x; read y`)
	see(t, term, "here")
	if err := term.HangUp(); err != nil {
		t.Fatal(err)
	}
	if status, err := term.Exit(10 * time.Second); status == 0 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
}

func TestSequences(t *testing.T) {
	got := Sequences([]byte("a\x1b[1;31mb\x1b[2J\x1b[?25l\x1b]0;t\a\x1b]52;c;eA==\x1b\\\r\n\u009b2K\x1bc漢\x1b[12;3H\x1bP$qm\x1b\\\x1b[>q\x1b[6n\b"))
	for _, kind := range []string{"CSI m", "CSI J", "CSI ?25l", "OSC 0", "OSC 52", `C0 '\r'`, `C0 '\n'`, "C1 U+009B", "ESC c", "CSI H", "string P", "CSI >q", "CSI n", `C0 '\b'`} {
		if got[kind] != 1 {
			t.Errorf("%q: %d times in %v", kind, got[kind], got)
		}
	}
	if len(got) != 14 {
		t.Errorf("%d kinds: %v", len(got), got)
	}
	for _, cut := range []string{"a\x1b", "a\x1b[", "a\x1b[38;5"} {
		if got := Sequences([]byte(cut)); len(got) > 0 {
			t.Errorf("%q: %v", cut, got)
		}
	}
	if got := Sequences([]byte("a\x1b]0;x")); got["OSC 0"] != 1 {
		t.Errorf("a string without an end is missing: %v", got)
	}
}

// TestTaken waits for a program that comes late to what was typed.
func TestTaken(t *testing.T) {
	late := filepath.Join(t.TempDir(), "go")
	term := run(t, Options{}, `stty raw -echo; echo here; until test -e `+late+`; do sleep 0.01; done; dd bs=3 count=1; sleep 60`)
	see(t, term, "here")
	if err := term.Send("jkj"); err != nil {
		t.Fatal(err)
	}
	if err := term.Taken(50 * time.Millisecond); err == nil {
		t.Error("keys that nobody has read count as read")
	}
	if err := term.Quiet(time.Millisecond, 50*time.Millisecond); err == nil {
		t.Error("a program that has not read its keys counts as quiet")
	}
	if err := os.WriteFile(late, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := term.Taken(10 * time.Second); err != nil {
		t.Error(err)
	}
	see(t, term, "jkj")
}
