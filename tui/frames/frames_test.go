package frames

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// tty is a terminal that keeps what it gets.
type tty struct {
	bytes.Buffer
	writes []string
	fails  error
}

func (t *tty) Write(p []byte) (int, error) {
	if t.fails != nil {
		return 0, t.fails
	}
	t.writes = append(t.writes, string(p))
	return len(p), nil
}
func (*tty) Read([]byte) (int, error) { return 0, io.EOF }
func (*tty) Close() error             { return nil }
func (*tty) Fd() uintptr              { return ^uintptr(0) }

// show lays a frame out and writes it, as the renderer does where nothing comes between.
func show(s *Screen[string], o *Output, record string) {
	_, _ = o.Write([]byte("frame" + s.Stamp("x"+record, Size{}, record)))
}

func replied(t *testing.T, s *Screen[string], want ...string) {
	t.Helper()
	if got, _ := s.Replied(); !slices.Equal(got, want) {
		t.Fatalf("drawn %q, want %q", got, want)
	}
}

func TestStamp(t *testing.T) {
	s := New[string]()
	first := s.Stamp("a\nb", Size{}, "r")
	if ansi.Strip(first) != "a\nb" || ansi.StringWidth(first) != ansi.StringWidth("a\nb") {
		t.Fatalf("the stamp takes room: %q", first)
	}
	if s.Stamp("a\nb", Size{}, "r") != first {
		t.Error("the same frame got another number")
	}
	for name, next := range map[string]string{"text": s.Stamp("a\nc", Size{}, "r"), "record": s.Stamp("a\nc", Size{}, "q")} {
		if next == first {
			t.Errorf("another %s kept the number", name)
		}
	}
	// The renderer cuts lines that are too long, and keeps the stamp.
	if cut := ansi.Truncate(first, 1, ""); !strings.HasSuffix(cut, first[len("a\nb"):]) {
		t.Errorf("cut to %q", cut)
	}
	if s.Stamp("", Size{}, "r") != "" {
		t.Error("an empty frame has a stamp")
	}
}

func TestOutput(t *testing.T) {
	s := New[string]()
	terminal := &tty{}
	o := s.Output(terminal)
	n, err := o.Write([]byte("\x1b[H" + s.Stamp("text", Size{}, "r") + "\x1b[24;0H"))
	if want := "\x1b[Htext\x1b[24;0H\x1b[5n"; err != nil || n != len("\x1b[H\x1b[24;0H")+len(s.Stamp("text", Size{}, "r")) || terminal.writes[0] != want {
		t.Errorf("wrote %q, %d, %v; want %q", terminal.writes, n, err, want)
	}
	for _, other := range []string{"\x1b[?1049h", stampStart + "12", stampStart + "x" + stampEnd, stampStart + stampEnd} {
		if n, err := o.Write([]byte(other)); n != len(other) || err != nil || terminal.writes[len(terminal.writes)-1] != other {
			t.Errorf("%q was written as %q, %d, %v", other, terminal.writes[len(terminal.writes)-1], n, err)
		}
	}
	terminal.fails = errors.New("gone")
	if _, err := o.Write([]byte(s.Stamp("next", Size{}, "q"))); err == nil {
		t.Error("no error where the terminal is gone")
	}
	replied(t, s, "r")
	replied(t, s)
}

// A frame that the renderer dropped is never drawn, also where the reply comes
// before the write returns.
func TestDropped(t *testing.T) {
	s := New[string]()
	o := s.Output(&tty{})
	s.Stamp("a", Size{}, "a")
	s.Stamp("b", Size{}, "b")
	show(s, o, "c")
	if s.Only(func(r string) bool { return r == "c" }) != true {
		t.Error("a frame that is never written may still be drawn")
	}
	s.Stamp("d", Size{}, "d")
	if s.Only(func(r string) bool { return r == "c" }) {
		t.Error("a frame that is not written yet was forgotten")
	}
	replied(t, s, "c")

	s = New[string]()
	s.Stamp("a", Size{}, "a")
	s.Stamp("b", Size{}, "b")
	s.ask(2)
	replied(t, s, "b")
}

// TestOrder: a reply belongs to the oldest request.
func TestOrder(t *testing.T) {
	s := New[string]()
	o := s.Output(&tty{})
	replied(t, s)
	for _, r := range []string{"a", "b", "c"} {
		show(s, o, r)
	}
	replied(t, s, "a")
	replied(t, s, "b")
	if !s.Only(func(r string) bool { return r == "c" }) {
		t.Error("more than c waits")
	}
	replied(t, s, "c")
	replied(t, s)
	show(s, o, "d")
	replied(t, s, "d")
}

func TestSilentTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New[string]()
		o := s.Output(&tty{})
		if !s.Due().IsZero() {
			t.Error("something is due before the first frame")
		}
		show(s, o, "a")
		tick := func(after time.Duration, want ...string) {
			t.Helper()
			time.Sleep(after)
			if got, _ := s.Tick(); !slices.Equal(got, want) {
				t.Fatalf("drawn %q, want %q", got, want)
			}
		}
		tick(startTime-time.Millisecond, []string(nil)...)
		show(s, o, "b")
		if got := time.Until(s.Due()); got != time.Millisecond {
			t.Fatalf("due in %v", got)
		}
		tick(time.Millisecond, "a")
		if got := time.Until(s.Due()); got != drawTime-time.Millisecond || !s.Silent() {
			t.Fatalf("due in %v, silent %v", got, s.Silent())
		}
		tick(drawTime-2*time.Millisecond, []string(nil)...)
		tick(time.Millisecond, "b")
		if !s.Due().IsZero() {
			t.Error("something is due while nothing waits")
		}
		// It replies after all: to the first frame, and what counted by the time is doubted.
		if _, late := s.Replied(); !late || s.Silent() {
			t.Error("a late reply changed nothing")
		}
		show(s, o, "b")
		replied(t, s)
		tick(drawTime, []string(nil)...)
		replied(t, s, "b")
	})
}

// TestLostReply: where another program read a reply, nothing counts as drawn too
// early, and one request more makes up for it.
func TestLostReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New[string]()
		terminal := &tty{}
		o := s.Output(terminal)
		show(s, o, "a")
		replied(t, s, "a")
		show(s, o, "b") // its reply is lost
		show(s, o, "c")
		replied(t, s, "b")
		if _, again := s.Tick(); again {
			t.Fatal("asked again at once")
		}
		time.Sleep(time.Until(s.Due()))
		if _, again := s.Tick(); !again {
			t.Fatal("not asked again")
		}
		o.Again()
		if got := terminal.writes[len(terminal.writes)-1]; got != statusRequest+statusRequest {
			t.Fatalf("asked again with %q", got)
		}
		replied(t, s, "c")
		replied(t, s)
		show(s, o, "d")
		replied(t, s)
		replied(t, s, "d")
		time.Sleep(time.Hour)
		if _, again := s.Tick(); again || !s.Due().IsZero() {
			t.Error("asked again while everything is drawn")
		}
	})
}

// TestAgain: a terminal that fell silent is asked again once by itself, and
// by a person not more than once a second.
func TestAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New[string]()
		terminal := &tty{}
		o := s.Output(terminal)
		show(s, o, "a")
		replied(t, s, "a")
		show(s, o, "b")
		if s.Overdue() {
			t.Error("overdue at once")
		}
		time.Sleep(lostTime)
		_, again := s.Tick()
		o.Again()
		_, more := s.Tick()
		if !again || more || !s.Due().IsZero() || s.Overdue() {
			t.Errorf("again %v, more %v, due %v, overdue %v", again, more, s.Due(), s.Overdue())
		}
		time.Sleep(againTime)
		if !s.Overdue() {
			t.Error("not overdue after a second")
		}
		for range 100 {
			time.Sleep(lostTime)
			s.Tick()
			o.Again()
		}
		if len(s.asked) > mostAsked {
			t.Errorf("%d requests without a reply", len(s.asked))
		}
		time.Sleep(forgetTime)
		o.Again()
		replied(t, s, "b")
	})
}

// TestAway: nothing is asked while another program would read the reply.
func TestAway(t *testing.T) {
	s := New[string]()
	terminal := &tty{}
	o := s.Output(terminal)
	show(s, o, "a")
	replied(t, s, "a")
	s.Away()
	show(s, o, "b")
	if strings.Contains(terminal.writes[1], statusRequest) || len(s.asked) != 0 {
		t.Fatal("asked while the terminal was away")
	}
	s.Back()
	show(s, o, "b")
	replied(t, s, "b")
}

// TestQuiet: the terminal is given back once every reply has come, and not
// much later where one never comes.
func TestQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New[string]()
		o := s.Output(&tty{})
		wait := func() time.Duration {
			start := time.Now()
			s.Quiet(t.Context())
			return time.Since(start)
		}
		show(s, o, "a")
		show(s, o, "b")
		go func() {
			time.Sleep(100 * time.Millisecond)
			s.Replied()
			time.Sleep(100 * time.Millisecond)
			s.Replied()
		}()
		if got := wait(); got != 200*time.Millisecond {
			t.Errorf("waited %v for two replies", got)
		}
		if got := wait(); got != 0 {
			t.Errorf("waited %v for nothing", got)
		}
		s.Back()
		show(s, o, "c")
		if got := wait(); got != quietTime {
			t.Errorf("waited %v for a reply that never comes", got)
		}
		time.Sleep(lostTime)
		if got := wait(); got != 0 {
			t.Errorf("waited %v for a reply that is lost", got)
		}
	})
}

// For any frames, drops, lags and lost replies: no frame counts before the terminal
// has worked off one of its own requests, and in the end the last one does.
func TestNeverTooEarly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		steps := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 80).Draw(rt, "steps")
		var wrong string
		synctest.Test(t, func(t *testing.T) { wrong = play(steps) })
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

func play(steps []int) string {
	s := New[int]()
	terminal := &tty{}
	o := s.Output(terminal)
	var wire []int // the frame on the terminal when it works off each request
	frame, drawn, taken, on := 0, 0, 0, 0
	write := func() {
		before := len(terminal.writes)
		_, _ = o.Write([]byte(s.Stamp(strings.Repeat("x", frame), Size{}, frame)))
		for range strings.Count(strings.Join(terminal.writes[before:], ""), statusRequest) {
			wire = append(wire, frame)
		}
		on = frame
	}
	again := func() {
		before := len(terminal.writes)
		o.Again()
		for range strings.Count(strings.Join(terminal.writes[before:], ""), statusRequest) {
			wire = append(wire, on)
		}
	}
	reply := func() string {
		if len(wire) == 0 {
			return ""
		}
		drawn, wire = max(drawn, wire[0]), wire[1:]
		records, _ := s.Replied()
		for _, r := range records {
			taken = r
			if r > drawn {
				return "a frame counted before it was drawn"
			}
		}
		return ""
	}
	frame = 1
	write()
	reply()
	for _, step := range steps {
		switch {
		case step < 2:
			frame++
			s.Stamp(strings.Repeat("x", frame), Size{}, frame) // dropped, perhaps
		case step < 5:
			frame++
			write()
		case step < 7:
			if wrong := reply(); wrong != "" {
				return wrong
			}
		case step == 7 && len(wire) > 0:
			wire = wire[1:] // lost
		case step == 8:
			time.Sleep(lostTime)
			if _, ask := s.Tick(); ask {
				again()
			}
		default:
			time.Sleep(100 * time.Millisecond)
		}
	}
	frame++
	write()
	for range 2 {
		for len(wire) > 0 {
			if wrong := reply(); wrong != "" {
				return wrong
			}
		}
		time.Sleep(lostTime)
		if _, ask := s.Tick(); ask {
			again()
		}
	}
	if taken != frame {
		return "the last frame never counted"
	}
	return ""
}
