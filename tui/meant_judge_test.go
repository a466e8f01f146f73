package tui

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"askbox/client"
)

// judgeOne looks at one answer that reached a relay.
func (w *meantWorld) judgeOne(r *meantRelay, n int) string {
	g := &r.given[n]
	h := w.holdOf(g)
	switch {
	case h == nil:
		return "it was never decided"
	case h.undone:
		return "it was taken back"
	case w.sentBefore(r, n, h):
		return "it was sent more often than it was decided"
	}
	p := w.pressOf(h)
	if p == nil {
		return "no key decided it"
	}
	for _, wrong := range []string{w.seenBefore(g, p), w.acknowledged(g, p), w.takenBack(g, p), w.readBefore(r, g, h)} {
		if wrong != "" {
			return wrong + fmt.Sprintf("; the key %q was pressed at %.3f and came at %.3f, on:\n%s\n", p.bytes,
				p.pressed.Sub(w.clock.start).Seconds(), p.arrived.Sub(w.clock.start).Seconds(), strings.Join(p.rows, "\n"))
		}
	}
	return ""
}

// holdOf returns the decision that an answer is.
func (w *meantWorld) holdOf(g *given) *hold {
	var found *hold
	for _, h := range w.box.holds {
		if h.ref == g.ref && h.taken && !h.at.After(g.at) {
			found = h
		}
	}
	return found
}

// sentBefore reports whether an answer had been sent already for the same decision,
// and not because its reply was lost.
func (w *meantWorld) sentBefore(r *meantRelay, n int, h *hold) bool {
	times, lost := 0, 0
	for _, g := range r.given[:n] {
		if g.ref == h.ref && !g.at.Before(h.at) {
			times++
			if g.lost {
				lost++
			}
		}
	}
	return times > lost || times > 1
}

// pressOf returns the key that decided something: the last one of its kind that had
// come to the program by then.
func (w *meantWorld) pressOf(h *hold) *press {
	want := keysOf(h.answer)
	var found *press
	for _, p := range w.presses {
		if !p.arrived.IsZero() && !p.torn && !p.arrived.After(h.at) && p.bytes != "" && strings.Contains(want, p.bytes[len(p.bytes)-1:]) {
			found = p
		}
	}
	return found
}

func keysOf(a client.Answer) string {
	switch {
	case a.Decision == client.Always:
		return "A"
	case a.Decision == client.Allow:
		return "a\r"
	case a.Decision == client.Deny:
		return "d\r"
	case a.Dismiss:
		return "x\r"
	}
	return "\r 123"
}

// seenBefore says what is wrong where the ask was not on the terminal when the key was
// pressed there, or not all that an approval depends on had been.
func (w *meantWorld) seenBefore(g *given, p *press) string {
	c := g.on
	if p.view.many {
		// Several asks stand on one page, of which all has to have been seen.
		if l := w.seen.unseen(c.lines(), p.seq); l != "" {
			return fmt.Sprintf("not on the terminal in full before the key was pressed for several: %q", l)
		}
		return ""
	}
	if p.view.front != c.id || approves(g.answer) && !p.view.shows(c.all()) {
		return "the ask was not on the terminal as the key was pressed, " + p.view.front + " was"
	}
	must := c.command[:1]
	if approves(g.answer) {
		must = c.lines()
	}
	if g.answer.Decision == client.Always {
		must = append(must, c.rules...)
	}
	if l := w.seen.unseen(must, p.seq); l != "" {
		return fmt.Sprintf("not on the terminal in full before the key was pressed: %q", l)
	}
	return ""
}

// acknowledged says what is wrong where the first key after a change approved.
func (w *meantWorld) acknowledged(g *given, p *press) string {
	if !approves(g.answer) || w.seen.changed(g.on).IsZero() {
		return ""
	}
	for _, q := range w.presses {
		if q != p && q.pressed.After(g.on.born) && q.seq < p.seq && strings.Contains("aAm\r123 ", q.bytes[len(q.bytes)-1:]) {
			return ""
		}
	}
	return "the first key after the ask had changed approved it"
}

// takenBack says what is wrong where something was typed, before or behind it, that
// should have taken it back.
func (w *meantWorld) takenBack(g *given, p *press) string {
	letter := p.bytes != "\r"
	for _, q := range w.presses {
		if q == p || q.arrived.IsZero() || q.unsure || !types(q.bytes) {
			continue
		}
		d := q.arrived.Sub(p.arrived)
		switch {
		case d >= 0 && d < aloneTime && !(q.bytes == p.bytes && d < bounceTime) && (d > 0 || q.seq > p.seq):
			return fmt.Sprintf("it was sent although %q was typed %v later", q.bytes, d)
		case letter && d <= 0 && d > -aloneTime && q.seq < p.seq && !(q.bytes == p.bytes && -d < bounceTime):
			return fmt.Sprintf("it was sent although %q was typed %v before", q.bytes, -d)
		}
	}
	for _, u := range w.backs {
		if d := u.arrived.Sub(p.arrived); d > 0 && d < w.undo && w.lastBefore(u) == p {
			return "it was sent although u took it back"
		}
	}
	return ""
}

// lastBefore returns the key before another one.
func (w *meantWorld) lastBefore(u *press) *press {
	for i, p := range w.presses {
		if p == u && i > 0 {
			return w.presses[i-1]
		}
	}
	return nil
}

// types reports whether bytes are printable keys that do not only move.
func types(bytes string) bool {
	if bytes == "" || bytes[0] == '\x1b' || bytes[0] < 0x20 && bytes[0] != '\r' || bytes[0] >= 0x80 {
		return false
	}
	return len(bytes) > 1 || !strings.Contains("jkgGJK", bytes)
}

// readBefore says what is wrong where the relay was not read for an approval since it
// was decided, or its newest reading had not the content that is approved.
func (w *meantWorld) readBefore(r *meantRelay, g *given, h *hold) string {
	if !approves(g.answer) && len(g.answer.Questions) == 0 {
		return ""
	}
	looked := false
	var newest *told
	for i := range r.told {
		t := &r.told[i]
		if t.ref != g.ref || t.ended.After(g.at) {
			continue
		}
		if t.single && t.key == g.on.key() && !t.began.Before(h.at) {
			looked = true
		}
		if newest == nil || t.began.After(newest.began) {
			newest = t
		}
	}
	switch {
	case !looked:
		return "it was sent without a look at the ask right before"
	case newest.key != g.on.key() && g.at.Sub(newest.began) > time.Millisecond:
		return "the newest reading of the ask had another content"
	}
	return ""
}

// wordsLost looks for every word that a person saw in a field.
func (w *meantWorld) wordsLost() string {
	kept := w.draftsHold() + w.lastText
	answered := map[string]bool{}
	for _, r := range w.relays {
		for _, g := range r.given {
			kept += fmt.Sprintf("%+v", g.answer)
			answered[g.on.id] = answered[g.on.id] || g.taken
		}
	}
	for _, t := range w.typedWords {
		// Keys that came later may have gone into the middle of it.
		around := regexp.MustCompile("(?s)" + strings.Join(strings.Split(t.word, ""), ".{0,40}"))
		if !around.MatchString(kept) && !answered[t.ask] {
			return fmt.Sprintf("%q was typed for %s and is nowhere; there is:\n%s\n%s", t.word, t.ask, kept, w.diary())
		}
	}
	return ""
}
