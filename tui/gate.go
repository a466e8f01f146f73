package tui

import "time"

// How long things take until a key may decide. They follow from how people read
// and type: nobody reads an ask in less than readTime, a person pauses for
// longer than quietTime before a decision, and no finger is faster than burstTime.
const (
	readTime  = 400 * time.Millisecond // the ask on the screen, or the terminal in focus
	quietTime = 250 * time.Millisecond // the keyboard, since the ask shown has changed
	burstTime = 25 * time.Millisecond  // between two keys of a person
	pasteTime = 500 * time.Millisecond // after a paste
	// lostTime is how long the keyboard has to be quiet after a key that should
	// have opened a text field and did not. Whoever goes on typing without a look
	// at the screen makes no pause as long.
	lostTime = time.Second
	// settleTime is how long a deciding key waits for a next one that would show
	// it to be the first of a burst.
	settleTime = 30 * time.Millisecond
	// settleLimit is how long it waits for the terminal to have nothing more.
	settleLimit = 2 * time.Second
	// sleepGap is how much further the wall clock may be than the monotonic one
	// before the machine is taken to have slept.
	sleepGap = 3 * time.Second
)

// gate says whether keys that decide count now and, if not, why in words for
// the status line.
type gate struct {
	open bool
	why  string
}

// moment is one point of time by both clocks. The monotonic one stands still
// while the machine sleeps, which is how a sleep is noticed.
type moment struct {
	wall time.Time
	mono time.Duration
}

// arming holds what decides whether a key may decide (R6). It is a plain value
// with no clock of its own; every method takes the moment at which it happens.
type arming struct {
	shown   time.Duration // since when this ask with this content is on the screen
	onView  bool          // whether an ask is on the screen at all
	key     time.Duration // the last key
	paste   time.Duration // the last paste
	focus   time.Duration // when the terminal got its focus back
	quiet   bool          // the keyboard was quiet long enough since shown
	blurred bool
	small   bool   // the screen is too small
	lost    string // the key that opened no text field, while words for it may still come
	seen    moment
	woke    time.Time // the wall clock at the last wake-up; zero: nothing to wait for
}

func newArming(now moment) arming {
	long := now.mono - time.Hour
	return arming{key: long, paste: long, focus: long, shown: now.mono, seen: now}
}

// show tells that another ask, or another content, came on the screen, or that
// it did so again after something else covered it.
func (a arming) show(now moment) arming {
	a.shown, a.onView, a.quiet = now.mono, true, false
	return a
}

// hide tells that no ask is on the screen.
func (a arming) hide() arming {
	a.onView, a.quiet = false, false
	return a
}

// tick notices a sleep of the machine. Every message goes through it first.
func (a arming) tick(now moment) (_ arming, slept bool) {
	wall := now.wall.Sub(a.seen.wall)
	mono := now.mono - a.seen.mono
	a.seen = now
	if wall-mono > sleepGap {
		return a.wake(now), true
	}
	return a, false
}

// wake tells that the program ran on after it was stopped.
func (a arming) wake(now moment) arming {
	a.woke = now.wall
	return a.show(now)
}

func (a arming) focused(now moment) arming {
	a.blurred, a.focus = false, now.mono
	return a
}

func (a arming) blur() arming {
	a.blurred = true
	return a
}

func (a arming) pasted(now moment) arming {
	a.paste = now.mono
	return a
}

// lose tells that a key which opens a text field opened none, so that what comes
// next may be words that were meant for it.
func (a arming) lose(key string) arming {
	a.lost = key
	return a
}

// again takes back what lose told where the same key is pressed once more: it is
// pressed to open the field.
func (a arming) again(key string) arming {
	if a.lost == key {
		a.lost = ""
	}
	return a
}

// press tells of a key and returns whether it may decide. several says that the
// key came together with others in one reading. fresh reports whether the relay
// of the ask was read after a moment; it is asked only after a wake-up.
func (a arming) press(now moment, several bool, fresh func(time.Time) bool) (arming, gate) {
	since := a.key
	a.key = now.mono
	burst := several || now.mono-since < burstTime
	// The pause counts from the last key, or from the change where that came
	// later. It has to end after the ask could be read, so that a key pressed too
	// soon is part of the typing that went on.
	if now.mono-max(since, a.shown) >= quietTime && now.mono-a.shown >= readTime {
		a.quiet = true
	}
	if now.mono-since >= lostTime {
		a.lost = ""
	}
	if !a.woke.IsZero() && fresh(a.woke) {
		a.woke = time.Time{}
	}
	return a, a.judge(now, burst)
}

func (a arming) judge(now moment, burst bool) gate {
	switch {
	case a.small:
		return gate{why: "Nothing was sent: the window is too small to show what is asked."}
	case !a.onView:
		return gate{why: "Nothing was sent: open the ask with enter first."}
	case burst:
		return gate{why: "Nothing was sent: the keys came too fast to be meant. Press the key again."}
	case now.mono-a.paste < pasteTime:
		return gate{why: "Nothing was sent: that came with a paste. Press the key again."}
	case a.blurred:
		return gate{why: "Nothing was sent: the terminal is not in focus."}
	case now.mono-a.focus < readTime:
		return gate{why: "Nothing was sent: the terminal just came into focus. Press the key again."}
	case !a.woke.IsZero():
		return gate{why: "Nothing was sent: askbox was asleep and waits for news from the relay. Press the key again in a moment."}
	case now.mono-a.shown < readTime:
		return gate{why: "Nothing was sent: the ask has only just come on the screen. Press the key again."}
	case a.lost != "":
		return gate{why: "Nothing was sent: no text field was open for what you typed. Press the key again in a moment."}
	case !a.quiet:
		return gate{why: "Nothing was sent: you were still typing when the ask changed. Press the key again."}
	}
	return gate{open: true}
}
