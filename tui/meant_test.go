package tui

import (
	"context"
	"flag"
	"fmt"
	"sort"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"askbox/client"
)

var aDeed = rapid.Custom(func(t *rapid.T) deed {
	n := rapid.IntRange(0, 1<<20)
	return deed{rapid.IntRange(0, 24).Draw(t, "kind"), n.Draw(t, "a"), n.Draw(t, "b"), n.Draw(t, "c")}
})

// scene is what a story begins with.
type scene struct {
	size          [2]int
	undo          time.Duration
	silent        bool
	down, up, ack int
	deeds         []deed
}

var aScene = rapid.Custom(func(t *rapid.T) scene {
	n := rapid.IntRange(0, 1<<20)
	return scene{
		size: rapid.SampledFrom([][2]int{{120, 30}, {120, 20}, {80, 24}, {40, 10}, {60, 12}}).Draw(t, "size"),
		undo: rapid.SampledFrom([]time.Duration{0, 3 * time.Second}).Draw(t, "undo"), silent: rapid.IntRange(0, 9).Draw(t, "silent") == 9,
		down: n.Draw(t, "down"), up: n.Draw(t, "up"), ack: n.Draw(t, "ack"),
		deeds: rapid.SliceOfN(aDeed, 10, 40).Draw(t, "deeds"),
	}
})

// tally counts what the stories came to, so that it is known that they tried something.
type tally struct{ stories, deeds, frames, presses, holds, answers, approvals, replies int }

func (a *tally) String() string {
	return fmt.Sprintf("%d stories of %d deeds and %d keys, %d frames with %d replies; %d decisions taken, %d sent, %d of them approvals",
		a.stories, a.deeds, a.presses, a.frames, a.replies, a.holds, a.answers, a.approvals)
}

const usualStories = 60

var stories = flag.Int("stories", usualStories, "how many random stories of a person in front of a far terminal are played")

// TestWhatIsDecidedWasMeant: whatever the line, the terminal, the relays and the
// person do, what reaches a relay was decided by a key that was pressed while its ask
// had been on the terminal in full, and nothing took it back.
func TestWhatIsDecidedWasMeant(t *testing.T) {
	t.Setenv("VISUAL", "true")
	var all tally
	checks := flag.Lookup("rapid.checks").Value.String()
	defer func() { _ = flag.Set("rapid.checks", checks) }()
	if err := flag.Set("rapid.checks", fmt.Sprint(*stories)); err != nil {
		t.Fatal(err)
	}
	// The usual stories are the same each time, so that what they find is there to be looked
	// at; more of them are others each time.
	seed := flag.Lookup("rapid.seed").Value.String()
	if *stories == usualStories && seed == "0" {
		defer func() { _ = flag.Set("rapid.seed", seed) }()
		if err := flag.Set("rapid.seed", "20261201"); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		s := aScene.Draw(rt, "scene")
		var wrong string
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until(day))
			wrong = playMeant(t, s, &all)
		})
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
	t.Log(all.String())
	if all.approvals == 0 || all.holds == all.approvals {
		t.Errorf("nothing was tried: %+v", all)
	}
}

// playMeant plays one story and says what was wrong in it.
func playMeant(t *testing.T, s scene, all *tally) string {
	ctx, cancel := context.WithCancel(context.Background())
	w := newMeantWorld(t, ctx, s.size[0], s.size[1], s.undo)
	w.silent = s.silent
	w.down, w.up, w.busy = ms(pick(s.down, 2, 20, 190, 400)), ms(pick(s.up, 2, 20, 190, 400)), ms(pick(s.ack, 0, 0, 100, 900))
	w.add(w.relays[0], 3, 2, 1, false)
	w.add(w.relays[0], 4, 3, 0, false)
	w.add(w.relays[1], 30, 9, 2, false)
	w.add(w.relays[0], 3, 2, 1, true)
	w.start(t)
	w.wait(3 * time.Second)
	for _, d := range s.deeds {
		w.does(d)
		if w.over() {
			break
		}
	}
	w.wait(12 * time.Second)
	w.lastText = w.look().text
	w.stop(cancel)
	all.stories++
	all.deeds += len(s.deeds)
	return w.judge(all)
}

// over reports whether the program has ended.
func (w *meantWorld) over() bool {
	select {
	case err := <-w.ended:
		w.ended <- err
		return true
	default:
		return false
	}
}

// judge looks at everything that reached the relays.
func (w *meantWorld) judge(all *tally) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.box.mu.Lock()
	defer w.box.mu.Unlock()
	all.frames += w.frames
	all.presses += len(w.presses)
	all.holds += len(w.box.holds)
	all.replies += w.replies
	if text := w.crash.text(); text != "" {
		return text
	}
	for _, wrong := range []string{w.sizes.wrong, w.seen.wrong} {
		if wrong != "" {
			return wrong
		}
	}
	for _, r := range w.relays {
		for i := range r.given {
			g := &r.given[i]
			all.answers++
			if approves(g.answer) {
				all.approvals++
			}
			if wrong := w.judgeOne(r, i); wrong != "" {
				return fmt.Sprintf("%s: %+v for %s at %v\n%s", wrong, g.answer, g.ref, g.at.Sub(w.clock.start), w.diary())
			}
		}
	}
	return w.wordsLost()
}

func approves(a client.Answer) bool { return a.Decision == client.Allow || a.Decision == client.Always }

// diary tells what was pressed and what came of it, for whoever reads a failure.
func (w *meantWorld) diary() string {
	type line struct {
		at   time.Time
		what string
	}
	var lines []line
	for _, p := range w.presses {
		lines = append(lines, line{p.pressed, fmt.Sprintf("%-12q pressed on %s, came after %v", p.bytes, p.view.front, p.arrived.Sub(p.pressed))})
	}
	for _, h := range w.box.holds {
		lines = append(lines, line{h.at, fmt.Sprintf("held: %+v for %s, taken %v, undone %v", h.answer, h.ref, h.taken, h.undone)})
	}
	for _, r := range w.relays {
		for _, g := range r.given {
			lines = append(lines, line{g.at, fmt.Sprintf("sent: %+v for %s", g.answer, g.ref)})
		}
	}
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].at.Before(lines[j].at) })
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%9.3f %s\n", l.at.Sub(w.clock.start).Seconds(), l.what)
	}
	return b.String()
}
