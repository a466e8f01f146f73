//go:build unix

package e2e

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
	"askbox/cmd/askbox/e2e/terminal"
)

// The benchmarks measure what a person in front of the terminal notices, each
// beside the program hello, which has the lightest versions of the same libraries and
// does nothing. Run
// them with
//
//	go test -bench . -benchtime 10x -run '^$' ./cmd/askbox/e2e
//
// The figures that count are askbox-ms, hello-ms (medians) and their ratio.

// manyRelays makes a world of relays with asks, old enough for their ages to
// stand still.
func manyRelays(b testing.TB, relays, asks int) *world {
	w := newWorld(b, "")
	then := time.Now().Add(-3*time.Hour - 20*time.Minute)
	for i := range relays {
		relay := w.add(fmt.Sprintf("relay%02d", i), opencomputer.Options{NoEvents: true})
		for s := range max(asks/10, 1) {
			session := relay.AddSession(fake.Session{Title: fmt.Sprintf("Session %d", s), CreatedAt: then, UpdatedAt: then})
			for a := range min(asks, 10) {
				relay.Open(session, fake.Ask{OpenedAt: then, Command: fmt.Sprintf("make target-%d-%d && echo done", s, a)})
			}
		}
	}
	w.poll = "2s"
	return w
}

// launch starts a program in a window of 120 by 40.
func launch(b testing.TB, cmd *exec.Cmd) *terminal.Terminal {
	term, err := terminal.Start(cmd, terminal.Options{Width: 120, Height: 40})
	if err != nil {
		b.Fatal(err)
	}
	return term
}

func hello(b testing.TB) *exec.Cmd {
	file, err := binaries.hello()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(file)
	cmd.Env = []string{"TERM=xterm-256color", "COLORTERM=truecolor"}
	return cmd
}

// until waits for a text and returns when the output that holds it came.
func until(b testing.TB, term *terminal.Terminal, texts ...string) time.Time {
	if err := term.Wait(limit, func(screen string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
	}); err != nil {
		b.Fatal(err)
	}
	return time.Now()
}

// compare reports the medians of two series and their ratio.
func compare(b *testing.B, ours, theirs []time.Duration) {
	median := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)/2].Microseconds()) / 1000
	}
	a, h := median(ours), median(theirs)
	b.ReportMetric(a, "askbox-ms")
	b.ReportMetric(h, "hello-ms")
	b.ReportMetric(a/h, "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkFirstFrame starts askbox with five relays. Budget: 1.15 × hello.
func BenchmarkFirstFrame(b *testing.B) {
	w := manyRelays(b, 5, 10)
	start := func(cmd *exec.Cmd, text string) time.Duration {
		began := time.Now()
		term := launch(b, cmd)
		defer term.Kill()
		return until(b, term, text).Sub(began)
	}
	start(hello(b), "hello")
	start(w.command(), "askbox")
	var ours, theirs []time.Duration
	for b.Loop() {
		theirs = append(theirs, start(hello(b), "hello"))
		ours = append(ours, start(w.command(), "askbox"))
	}
	compare(b, ours, theirs)
}

// BenchmarkCommand runs commands that ask no relay. Budget: 6 ms.
func BenchmarkCommand(b *testing.B) {
	for _, args := range [][]string{{"version"}, {"list", "--help"}} {
		b.Run(strings.Join(args, " "), func(b *testing.B) {
			file := askbox(b)
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				if err := exec.Command(file, args...).Run(); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "askbox-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkFirstAsks goes on to the first asks on the screen. Budget: one round
// trip and one frame after the first frame.
func BenchmarkFirstAsks(b *testing.B) {
	w := manyRelays(b, 5, 10)
	var frame, asks []time.Duration
	askbox(b)
	for b.Loop() {
		began := time.Now()
		term := launch(b, w.command())
		frame = append(frame, until(b, term, "askbox").Sub(began))
		asks = append(asks, until(b, term, "make target").Sub(began))
		term.Kill()
	}
	slices.Sort(frame)
	slices.Sort(asks)
	b.ReportMetric(float64((asks[len(asks)/2]-frame[len(frame)/2]).Microseconds())/1000, "after-frame-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkKey moves the cursor among 1,000 asks of 20 relays. Budget: 1.0 × hello.
func BenchmarkKey(b *testing.B) {
	w := manyRelays(b, 20, 50)
	ours, theirs := launch(b, w.command()), launch(b, hello(b))
	defer ours.Kill()
	defer theirs.Kill()
	until(b, ours, "All 1000")
	until(b, theirs, "hello")
	press := func(term *terminal.Terminal, key string) time.Duration {
		if err := term.Quiet(50*time.Millisecond, limit); err != nil {
			b.Fatal(err)
		}
		before, began := term.Written(), time.Now()
		if err := term.Send(key); err != nil {
			b.Fatal(err)
		}
		at, err := term.Arrived(before, limit)
		if err != nil {
			b.Fatal(err)
		}
		return at.Sub(began)
	}
	var a, h []time.Duration
	for b.Loop() {
		for _, key := range []string{"j", "j", "j", "k", "k"} {
			h = append(h, press(theirs, key))
			a = append(a, press(ours, key))
		}
	}
	compare(b, a, h)
}

// BenchmarkIdle looks at 20 relays and 1,000 asks for ten seconds. Budgets: no
// byte, 0.6 % of a core and 18 MiB; at 10,000 asks 1 % and 35 MiB. What hello
// takes meanwhile is the clock of Bubble Tea, which looks 60 times a second for
// something to draw.
func BenchmarkIdle(b *testing.B) {
	for _, asks := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("asks=%d", asks), func(b *testing.B) {
			w := manyRelays(b, 20, asks/20)
			term, other := launch(b, w.command()), launch(b, hello(b))
			defer term.Kill()
			defer other.Kill()
			until(b, other, "hello")
			until(b, term, fmt.Sprintf("All %d", asks))
			if err := term.Quiet(2*time.Second, limit); err != nil {
				b.Fatal(err)
			}
			var bytes int
			var busy, theirs, took time.Duration
			for b.Loop() {
				written, before, them := term.Written(), must(term.Busy())(b), must(other.Busy())(b)
				began := time.Now()
				timer := time.NewTimer(10 * time.Second)
				<-timer.C
				took += time.Since(began)
				busy += must(term.Busy())(b) - before
				theirs += must(other.Busy())(b) - them
				bytes += term.Written() - written
			}
			b.ReportMetric(float64(bytes), "bytes")
			b.ReportMetric(100*busy.Seconds()/took.Seconds(), "%cpu")
			b.ReportMetric(100*theirs.Seconds()/took.Seconds(), "hello-%cpu")
			b.ReportMetric(float64(must(term.Memory())(b))/(1<<20), "MiB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// TestIdleWritesNothing polls two relays for a while without a change on them.
func TestIdleWritesNothing(t *testing.T) {
	t.Parallel()
	w := manyRelays(t, 2, 20)
	s := w.open("120x40").see("All 40").read()
	relay := w.relays["relay00"]
	written, requests := s.Terminal.Written(), len(relay.Requests())
	if err := relay.WaitCount(w.patience(), requests+4, nil); err != nil {
		t.Fatal(err)
	}
	if more := s.Terminal.Written() - written; more > 0 {
		t.Errorf("%d bytes were written while nothing changed", more)
	}
}
