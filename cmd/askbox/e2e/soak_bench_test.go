//go:build unix

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
	"askbox/client/fake/werft"
)

// BenchmarkSoak plays 20 relays with 1,000 asks of which five open and five others close
// a second, half of the relays with events and two of another kind, ten seconds for each
// iteration: `-bench Soak -benchtime 120x` is twenty minutes. What is told of an hour is the
// slope after the first half, in which the asks that closed are as many as are held. The goroutines are
// counted as the program is aborted at the end.
func BenchmarkSoak(b *testing.B) {
	w := newWorld(b, "")
	w.poll = "2s"
	var relays []closer
	for i := range 20 {
		name := fmt.Sprintf("relay%02d", i)
		if i < 18 {
			relays = append(relays, w.add(name, opencomputer.Options{NoEvents: i%2 == 0}))
			continue
		}
		relay, err := werft.Start(werft.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(relay.Close)
		w.configure(name, "werft", relay.URL(), relay.Token())
		relays = append(relays, relay)
	}
	queues := make([]queue, len(relays))
	for i, relay := range relays {
		queues[i].relay, queues[i].session = relay, relay.AddSession(fake.Session{Title: "Soak"})
		for range 50 {
			queues[i].open()
		}
	}
	dump := filepath.Join(b.TempDir(), "dump")
	plain := w.command()
	cmd := exec.Command("sh", append([]string{"-c", `exec "$0" "$@" 2>"$DUMP"`, plain.Path}, plain.Args[1:]...)...)
	cmd.Dir, cmd.Env = plain.Dir, append(plain.Env, "DUMP="+dump, "GOTRACEBACK=all")
	term := launch(b, cmd)
	defer term.Kill()
	until(b, term, "All 1000")

	var all []sample
	n := 0
	for b.Loop() {
		all = append(all, sampleOf(b, term))
		for tick := time.NewTicker(200 * time.Millisecond); ; n++ {
			<-tick.C
			q := &queues[n%len(queues)]
			q.open()
			q.close()
			if (n+1)%50 == 0 {
				tick.Stop()
				n++
				break
			}
		}
	}
	all = append(all, sampleOf(b, term))
	first, last := all[len(all)/2], all[len(all)-1]
	hours := last.at.Sub(first.at).Hours()
	b.ReportMetric(last.memory, "MiB")
	b.ReportMetric((last.memory-first.memory)/hours, "MiB/h")
	b.ReportMetric(last.descriptors, "descriptors")
	b.ReportMetric((last.descriptors-first.descriptors)/hours, "descriptors/h")
	b.ReportMetric((last.threads-first.threads)/hours, "threads/h")
	b.ReportMetric(100*(last.busy-first.busy).Hours()/hours, "%cpu")
	tail := all[len(all)*3/4]
	b.ReportMetric(100*(last.busy-tail.busy).Hours()/last.at.Sub(tail.at).Hours(), "last-%cpu")
	if err := term.Signal(syscall.SIGABRT); err != nil {
		b.Fatal(err)
	}
	_, _ = term.Exit(limit)
	if data, err := os.ReadFile(dump); err == nil {
		b.ReportMetric(float64(bytes.Count(data, []byte("\ngoroutine "))), "goroutines")
	}
	b.ReportMetric(0, "ns/op")
}

// closer is a relay on which asks open and close.
type closer interface {
	AddSession(fake.Session) string
	Bash(session, command, description string) fake.Ref
	AnswerAs(by fake.Actor, ref fake.Ref, given fake.Answer) bool
}

// queue is the open asks of one relay, the oldest first.
type queue struct {
	relay   closer
	session string
	refs    []fake.Ref
	n       int
}

func (q *queue) open() {
	q.n++
	q.refs = append(q.refs, q.relay.Bash(q.session, fmt.Sprintf("make target-%d && echo done", q.n), "clean build"))
}

func (q *queue) close() {
	q.relay.AnswerAs(opencomputer.Grace.Actor, q.refs[0], fake.Deny(""))
	q.refs = q.refs[1:]
}

// sample is what a program holds at a moment.
type sample struct {
	at                           time.Time
	busy                         time.Duration
	memory, descriptors, threads float64
}

func sampleOf(b *testing.B, term interface {
	Busy() (time.Duration, error)
	Memory() (int, error)
	Descriptors() (int, error)
	Threads() (int, error)
}) sample {
	return sample{at: time.Now(), busy: must(term.Busy())(b), memory: float64(must(term.Memory())(b)) / (1 << 20),
		descriptors: float64(must(term.Descriptors())(b)), threads: float64(must(term.Threads())(b))}
}
