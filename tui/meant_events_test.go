package tui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// deed is one thing that happens in a random story.
type deed struct {
	kind, a, b, c int
}

// pick takes one of some things by a drawn number.
func pick[T any](n int, from ...T) T { return from[n%len(from)] }

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// happens lets something happen on a relay.
func (w *meantWorld) happens(d deed) {
	r := w.relays[d.a%len(w.relays)]
	asks := r.list()
	switch n := d.b % 12; {
	case n == 0 || len(asks) == 0:
		w.add(r, pick(d.c, 1, 2, 5, 12, 40), pick(d.c/5, 1, 3, 9), d.c%3, d.c%7 == 0)
	case n <= 6:
		w.changes(r, asks[d.c%len(asks)], d.c/7)
	case n == 7:
		r.set(func(r *meantRelay) {
			if h := r.asks[d.c%len(r.asks)]; !h.closed {
				r.end(h, pick(d.c, client.Answered, client.Dismissed, client.Withdrawn, client.Expired), "Grace", false, text.New("deny"))
			}
		})
	case n == 8:
		r.set(func(r *meantRelay) {
			h := r.asks[d.c%len(r.asks)]
			if h.closed {
				r.put(h, h.content)
			}
		})
	case n == 9:
		r.set(func(r *meantRelay) { slices.Reverse(r.asks) })
	case n == 10:
		r.set(func(r *meantRelay) {
			r.slowList, r.slowGet, r.slowAnswer = ms(pick(d.c, 0, 0, 300, 2500)), ms(pick(d.c/4, 0, 0, 200, 3000)), ms(pick(d.c/16, 0, 0, 900))
			r.lateCopy = d.c%3 == 0
		})
	default:
		r.set(func(r *meantRelay) {
			r.down = d.c%8 == 0
			r.outcome = pick(d.c, answerTaken, answerTaken, answerTaken, d.c%outcomes)
		})
	}
}

// changes changes what an ask holds under its id.
func (w *meantWorld) changes(r *meantRelay, h *heldAsk, how int) {
	var c content
	closed := false
	r.set(func(*meantRelay) { c, closed = *h.content, h.closed })
	if closed {
		return
	}
	w.change++
	c.command, c.rules, c.modes = slices.Clone(c.command), slices.Clone(c.rules), slices.Clone(c.modes)
	at := how % len(c.command)
	switch n := how % 7; {
	case n <= 1:
		c.command[at] = w.restamped(c.command[at])
	case n == 2:
		for i := range c.command {
			c.command[i] = w.restamped(c.command[i])
		}
	case n == 3 && len(c.rules) > 0:
		c.rules[how%len(c.rules)] = w.restamped(c.rules[how%len(c.rules)])
	case n == 4:
		c.extra = stamped(c.id, "x000", w.change, 2)
	case n == 5 && !c.question:
		c.modes = []string{stamped(c.id, "m000", w.change, 1), stamped(c.id, "m001", w.change, 1)}
	default:
		c.command = append(c.command, stamped(c.id, fmt.Sprintf("l%03d", len(c.command)), w.change, 2))
	}
	c.born = time.Now()
	w.know(&c)
	r.set(func(r *meantRelay) { r.put(h, &c) })
}

// restamped is a line as it is after a change.
func (w *meantWorld) restamped(line string) string {
	return stamped(line[:3], line[3:7], w.change, len(strings.Fields(line)))
}

// weather changes the line and the terminal.
func (w *meantWorld) weather(d deed) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if w.silent {
		// Of a terminal that says nothing only so much is promised.
		w.down, w.up = ms(pick(d.b, 5, 150, 400)), ms(pick(d.c, 5, 150, 400))
		return
	}
	switch d.a % 4 {
	case 0:
		w.down, w.up = ms(pick(d.b, 2, 190, 400, 800)), ms(pick(d.c, 2, 190, 400, 800))
	case 1:
		w.busy = ms(pick(d.b, 0, 100, 1500))
	case 2:
		w.lose += 1 + d.b%3
	case 3:
		if w.replies > 0 {
			w.stalled = now.Add(ms(pick(d.b, 500, 2000, 4000)))
		}
	}
}

// machine stops the program, lets the machine sleep, or opens the editor.
func (w *meantWorld) machine(d deed) {
	long := ms(pick(d.b, 100, 2000, 8000, 60_000))
	switch d.a % 3 {
	case 0:
		w.halt(long)
		w.wait(long)
		w.signals <- os.Interrupt // which signal it is does not matter: it says that the program goes on
	case 1:
		w.halt(long)
		w.clock.sleep()
		w.wait(long)
		w.clock.wake()
	case 2:
		w.key("\x05")
	}
	w.wait(ms(pick(d.c, 0, 50, 300, 1500)))
}

// halt keeps keys in the terminal's line for a while, which nobody reads.
func (w *meantWorld) halt(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = time.Now().Add(d)
}

// draftsHold returns every draft that is kept.
func (w *meantWorld) draftsHold() string {
	_ = w.drafts.Flush()
	var all strings.Builder
	entries, _ := os.ReadDir(w.folder)
	for _, e := range entries {
		b, _ := os.ReadFile(w.folder + "/" + e.Name())
		all.Write(b)
	}
	return all.String()
}
