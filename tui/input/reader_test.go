package input

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/cancelreader"
)

// line is a terminal's line in memory: what is written to it is read once.
type line struct {
	chunks chan string
	cancel chan struct{}
	once   sync.Once
}

func newLine() *line { return &line{chunks: make(chan string), cancel: make(chan struct{})} }

func (l *line) Read(p []byte) (int, error) {
	select {
	case s, ok := <-l.chunks:
		if !ok {
			return 0, io.EOF
		}
		return copy(p, s), nil
	case <-l.cancel:
		return 0, cancelreader.ErrCanceled
	}
}

func (l *line) Cancel() bool { l.once.Do(func() { close(l.cancel) }); return true }
func (l *line) Close() error { return nil }

// terminal is a Reader with lines that are made at every start of the pump.
type terminal struct {
	*Reader
	chunks chan string
}

func newTerminal() *terminal {
	t := &terminal{chunks: make(chan string)}
	t.Reader = newReader(func() (cancelreader.CancelReader, error) {
		l := newLine()
		l.chunks = t.chunks
		return l, nil
	}, Options{})
	return t
}

// recorder is a model that keeps the keys it gets.
type recorder struct {
	got  *[]string
	busy time.Duration // how long each key takes
}

func (r recorder) Init() tea.Cmd { return nil }
func (r recorder) View() string  { return "" }
func (r recorder) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.KeyMsg:
		time.Sleep(r.busy)
		if m.Paste {
			*r.got = append(*r.got, "paste:"+string(m.Runes))
		} else {
			*r.got = append(*r.got, m.String())
		}
	case tea.FocusMsg, tea.BlurMsg, tea.MouseMsg:
		*r.got = append(*r.got, fmt.Sprintf("%T", m))
	}
	return r, nil
}

// play runs Bubble Tea on a terminal in fake time and returns what a model gets.
func play(t *testing.T, m recorder, reads ...give) []string {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal()
		m.got = new([]string)
		p := tea.NewProgram(m, tea.WithInput(term), tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithoutSignalHandler())
		done := make(chan error)
		go func() { _, err := p.Run(); done <- err }()
		for _, g := range reads {
			time.Sleep(g.after)
			term.chunks <- g.bytes
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		p.Quit()
		if err := <-done; err != nil {
			t.Error(err)
		}
		_ = term.Close()
		synctest.Wait()
	})
	return *m.got
}

// TestBubbleTea shows what Bubble Tea makes of what it is given.
func TestBubbleTea(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		reads []give
		want  []string
	}{
		{"keys", []give{{0, "j"}, {ms, "\x1b[A"}, {ms, "\r"}, {ms, "\x03"}}, []string{"j", "up", "enter", "ctrl+c"}},
		{"burst", []give{{0, "jjj"}}, []string{"jjj"}},
		{"escape", []give{{0, "\x1b"}, {60 * ms, "\x1b"}}, []string{"esc", "esc"}},
		{"focus among keys", []give{{0, "a\x1b[Ib\x1b[O\x1b"}}, []string{"a", "tea.FocusMsg", "b", "tea.BlurMsg", "esc"}},
		{"mouse in two reads (D12)", []give{{0, "\x1b"}, {20 * ms, "[<35;20;5M"}, {0, "\x1b[<35;20"}, {20 * ms, ";5M"}}, nil},
		{"late replies (D13)", []give{{0, "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"}, {0, "\x1b[?61;4;6c"}}, []string{"\ufdd1"}},
		{"status among keys", []give{{0, "ab\x1b[0nc\x1b[3n\x1b[0n\r"}}, []string{"ab", "\ufdd0", "c", "\ufdd0", "\ufdd0", "enter"}},
		{"paste (D15)", []give{{0, "\x1b[200~a\ra\r\x1b[201~"}}, []string{"paste:a\ra\r"}},
		{"embedded end (D17)", []give{{0, "\x1b[200~safe\x1b[201~y\r\x1b[201~"}}, []string{"paste:safe\x1b[20", "paste:1~y\r"}},
		{"no end (D18)", []give{{0, "\x1b[200~abc"}, {3 * time.Second, "\x03"}}, []string{"paste:abc", "ctrl+c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := play(t, recorder{}, c.reads...)
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestEveryKey gives Bubble Tea every sequence that a terminal sends. It makes
// text of none, but of the keypad and of keys that come as code points.
func TestEveryKey(t *testing.T) {
	var reads []give
	for name, seqs := range corpus() {
		if strings.HasPrefix(name, "kitty") || name == "xterm letters" || name == "keypad" || name == "enter" || name == "pastes" || name == "8 bits" {
			continue
		}
		for _, seq := range seqs {
			reads = append(reads, give{3 * time.Second, seq})
		}
	}
	got := play(t, recorder{}, reads...)
	if len(got) < 200 {
		t.Errorf("only %d keys came", len(got))
	}
	for _, key := range got {
		if len(key) < 2 || key == "enter" || key == "esc" || strings.ContainsAny(key, "[;~") || strings.HasPrefix(key, "alt+") && len(key) == 5 {
			t.Errorf("%q came of a key that is no text", key)
		}
	}
	got = play(t, recorder{}, give{0, "\x1bOM"}, give{time.Second, "\x1bOr"}, give{time.Second, "\x1b[57401;129u"}, give{time.Second, "\x1b[27;2;13~"},
		give{time.Second, "\x1b[13;2u"}, give{time.Second, "\x1b[97;2u"}, give{time.Second, "\x1b[99;5u"}, give{time.Second, "\x1b[9;2u"}, give{time.Second, "\x1b[27u"})
	if want := []string{"enter", "2", "2", "alt+enter", "alt+enter", "A", "ctrl+c", "shift+tab", "esc"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWideText crosses the border of Bubble Tea's buffer at every place, typed
// and pasted (D19).
func TestWideText(t *testing.T) {
	for shift := range 4 {
		want := strings.Repeat("x", shift) + strings.Repeat("あ", 1200)
		if got := strings.Join(play(t, recorder{}, give{0, want}), ""); got != want {
			t.Errorf("shift %d: %d of %d bytes arrived", shift, len(got), len(want))
		}
		got := strings.Join(play(t, recorder{}, give{0, pasteStart + want + pasteEnd}), "")
		if got != "paste:"+want {
			t.Errorf("shift %d: %d of %d bytes were pasted", shift, len(got)-len("paste:"), len(want))
		}
	}
}

// TestBurstIsKnownInTime has a slow program: by the time that it gets the keys
// they look slow as well, but the reader tells.
func TestBurstIsKnownInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal()
		defer func() { _ = term.Close(); synctest.Wait() }()
		go func() { term.chunks <- "a\r" }()
		buf := make([]byte, 256)
		n, err := term.Read(buf)
		if err != nil || string(buf[:n]) != "a\r" || term.Stats().LastBurst.IsZero() {
			t.Errorf("read %q, %v, %+v", buf[:n], err, term.Stats())
		}
	})
}

// TestBusyProgram asks for nothing while a sequence comes in two pieces: they are
// as near to each other as they came, and what is torn is torn by the line.
func TestBusyProgram(t *testing.T) {
	for gap, want := range map[time.Duration]string{10 * time.Millisecond: "\x1b[A", 100 * time.Millisecond: "\x1b"} {
		synctest.Test(t, func(t *testing.T) {
			term := newTerminal()
			defer func() { _ = term.Close(); synctest.Wait() }()
			buf := make([]byte, 256)
			go func() {
				term.chunks <- "j"
				time.Sleep(time.Second)
				term.chunks <- "\x1b"
				time.Sleep(gap)
				term.chunks <- "[A"
				time.Sleep(2 * time.Second)
				term.chunks <- "k"
			}()
			for _, want := range []string{"j", want, "k"} {
				n, err := term.Read(buf)
				if err != nil || string(buf[:n]) != want {
					t.Fatalf("gap of %v: read %q, %v, want %q", gap, buf[:n], err, want)
				}
				time.Sleep(2 * time.Second) // Update is busy.
			}
		})
	}
}

// TestPause leaves keys to another program, and keeps those that came before.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal()
		buf := make([]byte, 256)
		read := func() string {
			n, err := term.Read(buf)
			if err != nil {
				return err.Error()
			}
			return string(buf[:n])
		}
		go func() { term.chunks <- "a" }()
		if got := read(); got != "a" {
			t.Fatalf("read %q", got)
		}
		go func() { term.chunks <- "b" }()
		synctest.Wait() // The pump holds b.
		term.Pause()
		if got := read(); got != "EOF" {
			t.Errorf("read %q in a pause", got)
		}
		select {
		case term.chunks <- "for the editor":
			t.Error("the reader took what was meant for another program")
		default:
		}
		term.Resume()
		if got := read(); got != "b" {
			t.Errorf("read %q after a pause", got)
		}
		waiting := make(chan string)
		go func() { waiting <- read() }()
		synctest.Wait()
		term.Pause()
		if got := <-waiting; got != "EOF" {
			t.Errorf("a pause ended a waiting read with %q", got)
		}
		_ = term.Close()
		term.Resume()
		if got := read(); got != "EOF" {
			t.Errorf("read %q after the end", got)
		}
	})
}

// TestNewestReadWins is about a Read that nobody waits for any more: it must not
// take the next key.
func TestNewestReadWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal()
		defer func() { _ = term.Close(); synctest.Wait() }()
		old := make(chan error)
		go func() { _, err := term.Read(make([]byte, 256)); old <- err }()
		synctest.Wait()
		go func() { term.chunks <- "a" }()
		buf := make([]byte, 256)
		n, err := term.Read(buf)
		if string(buf[:n]) != "a" || err != nil || <-old != io.EOF {
			t.Errorf("read %q, %v", buf[:n], err)
		}
	})
}

// TestOldReadPassesOn is about a Read that wakes for a key when another one has
// taken over: that one is woken as well.
func TestOldReadPassesOn(t *testing.T) {
	r := newReader(nil, Options{})
	p := &pump{more: make(chan struct{}, 1), stop: make(chan struct{})}
	r.pump, r.newest = p, make(chan struct{})
	p.ahead = []chunk{{bytes: []byte("a")}}
	old := make(chan struct{})
	close(old)
	for range 100 {
		p.signal()
		if err := r.wait(old, p, time.Time{}); err != io.EOF || len(p.more) != 1 || len(p.ahead) != 1 {
			t.Fatalf("ended with %v, %d signals and %d chunks", err, len(p.more), len(p.ahead))
		}
	}
}

// TestGone ends the program where the terminal ends, which Bubble Tea does not
// do by itself (D10).
func TestGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal()
		close(term.chunks)
		p := tea.NewProgram(recorder{got: new([]string)}, tea.WithInput(term), tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithoutSignalHandler())
		start := time.Now()
		if _, err := p.Run(); !errors.Is(err, ErrGone) || time.Since(start) > time.Second {
			t.Errorf("ended with %v after %v", err, time.Since(start))
		}
		_ = term.Close()
	})
}
