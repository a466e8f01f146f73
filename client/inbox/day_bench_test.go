//go:build unix

package inbox

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/history"
)

// busy returns how long this process has kept a processor busy, which says more than
// a clock where others do as well.
func busy(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkClosing opens and closes an ask by events beside many open ones, on a day
// on which many others were closed.
func BenchmarkClosing(b *testing.B) {
	for _, open := range []int{1_000, 10_000} {
		for _, closed := range []int{0, 23_000, 144_000} {
			b.Run(fmt.Sprintf("open=%d/closed=%d", open, closed), func(b *testing.B) {
				box := New(Options{Sources: []Source{{Name: "work", Relay: newDouble()}}})
				r := box.relays[0]
				var asks []*client.Ask
				for n := range open {
					asks = append(asks, ask(n))
				}
				box.locked(func() { box.fold(r, news{asks: asks, complete: true, began: box.tick()}) })
				n := open
				pass := func() {
					if n%10 == 0 { // what a poll in between forgets
						r.list.moments, r.list.shut = nil, nil
					}
					a := ask(n)
					over := ended(a, client.Answered, "")
					over.Closing.At = time.Now()
					n++
					box.tell(r, []arrived{{client.Event{Opened: a}, box.tick()}})
					box.tell(r, []arrived{{client.Event{Closed: over}, box.tick()}})
				}
				for n := range closed {
					box.day.learn(&history.Entry{Ref: client.Ref{Relay: "work", ID: fmt.Sprint("before ", n)}, How: client.Answered,
						At: time.Now().Add(-time.Duration(closed-n) * time.Millisecond)}, fromHere)
				}
				b.ReportAllocs()
				began, first := busy(b), n
				for b.Loop() {
					pass()
				}
				b.ReportMetric(float64((busy(b)-began).Nanoseconds())/float64(n-first), "cpu-ns/op")
			})
		}
	}
}

// BenchmarkDay learns of one more closing among many.
func BenchmarkDay(b *testing.B) {
	for _, closed := range []int{0, 23_000, 144_000} {
		b.Run(fmt.Sprintf("closed=%d", closed), func(b *testing.B) {
			var d day
			began := time.Now()
			n := 0
			pass := func() {
				n++
				d.learn(&history.Entry{Ref: client.Ref{Relay: "work", ID: fmt.Sprint(n)}, How: client.Answered, At: began.Add(time.Duration(n) * time.Millisecond)}, fromHere)
			}
			for range closed {
				pass()
			}
			b.ReportAllocs()
			for b.Loop() {
				pass()
			}
		})
	}
}
