package tui

import (
	"strings"
	"testing"
	"time"
)

// day is when every story begins.
var day = time.Date(2000, 1, 1, 14, 0, 0, 0, time.UTC)

func at(ms int) moment {
	d := time.Duration(ms) * time.Millisecond
	return moment{wall: day.Add(d), mono: d}
}

func yes(time.Time) bool { return true }
func no(time.Time) bool  { return false }

// A script is what happens before the key at the end, and whether that key decides.
func TestGate(t *testing.T) {
	type step = func(a arming) arming
	show := func(ms int) step { return func(a arming) arming { return a.show(at(ms), readTime) } }
	press := func(ms int) step {
		return func(a arming) arming { a, _ = a.press(at(ms), keyTypes, false, yes); return a }
	}
	move := func(ms int) step {
		return func(a arming) arming { a, _ = a.press(at(ms), keyLetter, false, yes); return a }
	}
	for _, c := range []struct {
		name    string
		steps   []step
		key     int
		several bool
		fresh   func(time.Time) bool
		why     string // empty: the gate is open
		crowded bool   // not alone
	}{
		{name: "read and quiet", steps: []step{show(0)}, key: 400},
		{name: "too soon", steps: []step{show(0)}, key: 399, why: "only just"},
		{name: "after a change", steps: []step{func(a arming) arming { return a.show(at(0), changeTime) }}, key: 1499, why: "only just"},
		{name: "long after a change", steps: []step{func(a arming) arming { return a.show(at(0), changeTime) }}, key: 1500},
		{name: "the terminal shows something else", steps: []step{show(0), func(a arming) arming { a.behind = true; return a }}, key: 5000, why: "has only just got"},
		{name: "typing goes on", steps: []step{press(900), show(1000), press(1150), press(1300)}, key: 1500, crowded: true},
		{name: "typing went on and then paused", steps: []step{press(900), show(1000), press(1150)}, key: 1550},
		{name: "a refused key counts as typing", steps: []step{show(0), press(390)}, key: 789, crowded: true},
		{name: "and pressed again after a pause it counts", steps: []step{show(0), press(390)}, key: 790},
		{name: "moves are no typing", steps: []step{show(0), move(500), move(600)}, key: 700},
		{name: "words for a field that did not open", steps: []step{show(0), press(1000), func(a arming) arming { return a.lose("D") }}, key: 1999, why: "no text field", crowded: true},
		{name: "long after them", steps: []step{show(0), press(1000), func(a arming) arming { return a.lose("D") }}, key: 2000},
		{name: "several runes in one reading", steps: []step{show(0)}, key: 1000, several: true, why: "too fast", crowded: true},
		{name: "two keys closer than fingers", steps: []step{show(0), move(1000)}, key: 1024, why: "too fast", crowded: true},
		{name: "two keys as fast as fingers", steps: []step{show(0), press(1000)}, key: 1025, crowded: true},
		{name: "after a paste", steps: []step{show(0), func(a arming) arming { return a.pasted(at(1000)) }}, key: 1499, why: "paste"},
		{name: "long after a paste", steps: []step{show(0), func(a arming) arming { return a.pasted(at(1000)) }}, key: 1500},
		{name: "out of focus", steps: []step{show(0), arming.blur}, key: 5000, why: "not in focus"},
		{name: "just in focus", steps: []step{show(0), arming.blur, func(a arming) arming { return a.focused(at(5000)) }}, key: 5200, why: "into focus"},
		{name: "in focus for a while", steps: []step{show(0), arming.blur, func(a arming) arming { return a.focused(at(5000)) }}, key: 5400},
		{name: "too small", steps: []step{show(0), func(a arming) arming { a.small = true; return a }}, key: 5000, why: "too small"},
		{name: "no ask on the screen", steps: []step{show(0), func(a arming) arming { a.onView = false; return a }}, key: 5000, why: "open the ask"},
		{name: "the rest of a torn key", steps: []step{show(0), func(a arming) arming { a.torn = at(1000).mono; return a }}, key: 1399, why: "tore a key"},
		{name: "shown again after it was covered", steps: []step{show(0), show(5000)}, key: 5300, why: "only just"},
		{name: "woken, no news", steps: []step{show(0), func(a arming) arming { return a.wake(at(9000)) }}, key: 20000, fresh: no, why: "asleep"},
		{name: "woken, with news", steps: []step{show(0), func(a arming) arming { return a.wake(at(9000)) }}, key: 20000},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newArming(at(0))
			a.onView = true
			for _, s := range c.steps {
				a = s(a)
			}
			if c.fresh == nil {
				c.fresh = yes
			}
			_, g := a.press(at(c.key), keyTypes, c.several, c.fresh)
			if g.open != (c.why == "") || !strings.Contains(g.why, c.why) || g.alone == c.crowded {
				t.Fatalf("open %v, why %q, alone %v; want %q", g.open, g.why, g.alone, c.why)
			}
		})
	}
}

func TestSleepIsNoticed(t *testing.T) {
	a := newArming(at(0)).show(at(0), readTime)
	a.onView = true
	a, slept := a.tick(at(60_000))
	if slept {
		t.Fatal("a minute by both clocks is no sleep")
	}
	// The wall clock went on for ten minutes, the monotonic one for a second.
	now := moment{wall: day.Add(11 * time.Minute), mono: 61 * time.Second}
	a, slept = a.tick(now)
	if !slept {
		t.Fatal("the sleep was not noticed")
	}
	later := moment{wall: now.wall.Add(time.Minute), mono: now.mono + time.Minute}
	if _, g := a.press(later, keyTypes, false, no); g.open {
		t.Fatal("a key decided before the relay was read again")
	}
	var asked time.Time
	a, g := a.press(later, keyTypes, false, func(since time.Time) bool { asked = since; return true })
	if !g.open || !asked.Equal(now.wall) {
		t.Fatalf("open %v, asked since %v, want %v", g.open, asked, now.wall)
	}
	later.mono += time.Second
	if _, g = a.press(later, keyTypes, false, no); !g.open {
		t.Fatalf("closed after news came: %s", g.why)
	}
}
