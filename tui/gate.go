package tui

import "time"

// How long things take until a key may decide. They follow from how people read
// and type: nobody reads an ask in less than readTime, whoever types words makes
// no pause of aloneTime between two letters, and no finger is faster than burstTime.
const (
	readTime = 400 * time.Millisecond // the ask drawn by the terminal, or the terminal in focus
	// changeTime is the same for an ask whose content has changed: it has to be
	// noticed first that it is not the one that was read.
	changeTime = 1500 * time.Millisecond
	// stepTime is the same for an ask that the person moved to, and knows to come.
	stepTime  = 150 * time.Millisecond
	aloneTime = 400 * time.Millisecond // before and after a key that decides
	burstTime = 25 * time.Millisecond  // between two keys of a person
	pasteTime = 500 * time.Millisecond // after a paste
	// lostTime is how long the keyboard has to be quiet after words that were meant
	// for a text field, where none was open. Whoever goes on typing without a look
	// at the screen makes no pause as long.
	lostTime = time.Second
	// bounceTime is within what a key that comes twice was pressed once.
	bounceTime = 30 * time.Millisecond
	// settleLimit is how long a key that decided waits for the terminal to have
	// nothing more.
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
	// soon says that nothing but a moment on the screen is missing.
	soon bool
	// alone says that no other key came shortly before, apart from moves.
	alone bool
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
	shown   time.Duration // since when the terminal shows this ask with this content
	wait    time.Duration // how long that has to be
	onView  bool          // whether an ask is laid out at all
	behind  bool          // the terminal shows, or will, something else than what is laid out
	key     time.Duration // the last key
	typed   time.Duration // the last key that may be part of a text
	letter  time.Duration // the last key that is a letter, moves included
	paste   time.Duration // the last paste
	focus   time.Duration // when the terminal got its focus back
	torn    time.Duration // the last rest of a sequence that the line tore apart
	blurred bool
	small   bool   // the screen is too small
	lost    string // the key that opened no text field, or typing; words may still come
	seen    moment
	woke    time.Time // the wall clock at the last wake-up; zero: nothing to wait for
}

func newArming(now moment) arming {
	long := now.mono - time.Hour
	return arming{key: long, typed: long, letter: long, paste: long, focus: long, torn: long, shown: now.mono, wait: readTime, seen: now}
}

// show tells that the terminal has drawn another ask, or another content, or has
// done so again after something else covered it, and how long that has to stand.
func (a arming) show(now moment, wait time.Duration) arming {
	a.shown, a.wait = now.mono, wait
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
	return a.show(now, max(a.wait, readTime))
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

// typing is what lose takes where it is no key that opens a field.
const typing = "typing"

// lose tells that a key which opens a text field opened none, or that somebody
// typed on behind a key that decides, so that what comes next may be words.
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

// press tells of a key and returns whether it may decide. several says that it came
// together with others in one reading. fresh reports whether the relay of the ask was
// read after a moment; it is asked only after a wake-up.
func (a arming) press(now moment, k kind, several bool, fresh func(time.Time) bool) (arming, gate) {
	burst := several || now.mono-a.key < burstTime
	before := a.typed
	if k == keyEnter {
		// Whoever moves and then goes into an answer makes a pause; "ok" does not.
		before = max(before, a.letter)
	}
	alone := !burst && now.mono-before >= aloneTime
	a.key = now.mono
	if now.mono-a.typed >= lostTime {
		a.lost = ""
	}
	switch k {
	case keyLetter:
		a.letter = now.mono
	case keyTypes, keyEnter:
		a.typed = now.mono
	}
	if !a.woke.IsZero() && fresh(a.woke) {
		a.woke = time.Time{}
	}
	g := a.judge(now, burst)
	g.alone = alone && a.lost == ""
	if a.blurred {
		// A key proves the focus, whatever the terminal said before.
		a = a.focused(now)
	}
	return a, g
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
	case now.mono-a.torn < aloneTime:
		return gate{why: "Nothing was sent: the line tore a key apart. Press the key again."}
	case a.blurred:
		return gate{why: "Nothing was sent: the terminal was not in focus. Press the key again."}
	case now.mono-a.focus < readTime:
		return gate{why: "Nothing was sent: the terminal just came into focus. Press the key again."}
	case !a.woke.IsZero():
		return gate{why: "Nothing was sent: askbox was asleep and waits for news from the relay. Press the key again in a moment."}
	case a.behind:
		return gate{soon: a.lost == "", why: "Nothing was sent: the terminal has only just got what the key would act on. Press the key again."}
	case now.mono-a.shown < a.wait:
		return gate{soon: a.lost == "", why: "Nothing was sent: the ask has only just come on the screen. Press the key again."}
	case a.lost != "":
		return gate{why: "Nothing was sent: no text field was open for what you typed. Press the key again in a moment."}
	}
	return gate{open: true}
}
