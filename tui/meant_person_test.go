package tui

import (
	"fmt"
	"strings"
	"time"
)

// What a person does who sees only what has arrived at the terminal.

func (w *meantWorld) wait(d time.Duration) { time.Sleep(d) }

// key presses keys, in one write.
func (w *meantWorld) key(bytes string) *press {
	p := w.press(bytes)
	p.unsure = time.Since(w.tore) < 3*time.Second // it may be taken for more of a sequence
	w.presses = append(w.presses, p)
	return p
}

// settle waits until what was done has come back, and a moment longer.
func (w *meantWorld) settle() {
	w.mu.Lock()
	d := w.down + w.up + w.busy
	stalled := time.Until(w.stalled)
	w.mu.Unlock()
	w.wait(d + max(stalled, 0) + 650*time.Millisecond)
}

func (w *meantWorld) look() view {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen.last
}

var (
	plainKeys = []string{"a", "a", "A", "d", "x", "j", "j", "k", "g", "G", "*", "*", "J", "K", "\r", "\r", "\x1b", "f", "n", "h", "?", "u", "R", "1", "2", "3",
		" ", "t", "m", "D", "X", "\t", "\x1b[Z", "\x1b[6~", "\x1b[5~", "\x1b[A", "\x1b[B", "\x1b[F", "\x1b[H", "v", "q", "/", "y", "p", "c", "\x0e", "\x10", "\x0c", "\x1b[C"}
	writes = []string{"jjj", "kk", "aa", "aA", "AA", "da", "ja", "\x1b[6~\x1b[6~\x1b[6~", strings.Repeat("\x1b[6~", 30), strings.Repeat("\x1b[6~", 30) + "a",
		strings.Repeat("\x1b[<65;60;10M", 40), strings.Repeat("\x04", 40), strings.Repeat("\x1b[B", 20), "a\r", "x\r", "yes\r", "\x1b[200~a\ra\rA\x1b[201~", "\x1b[200~some words\x1b[201~",
		"\x1b[200~a", "\x1b[201~"}
	starts = []string{"\x1b[", "\x1b[1;2", "\x1bO", "\x1b]", "\x1bP", "\x1b", "\x1b[<65;60", "\x1b[20", "\xe2\x82", "\x1b[?6"}
	rests  = []string{"A", "D", "a", "d", "x", "~", ";10M", "q", "0;5M", "m"}
	sizes  = [][2]int{{120, 30}, {80, 24}, {100, 14}, {40, 10}, {60, 12}, {39, 9}, {0, 0}, {200, 50}, {120, 60}}
	words  = []string{"yes please, go on\r", "cat a.go\r", "docker ps -a\r", "exit\r", "add a test\r", "apple", "make it so\r", "a", "ax", "d d", "no, ask me again\r", "ajar"}
)

// does lets the person do one thing.
func (w *meantWorld) does(d deed) {
	switch d.kind {
	case 0:
		w.wait(ms(pick(d.a, 10, 150, 450, 1000, 2500, 5000)))
	case 1, 2:
		w.wait(ms(pick(d.b, 5, 35, 120, 260, 450, 700, 1200)))
		w.key(pick(d.a, plainKeys...))
	case 3, 4, 5:
		w.reads()
		w.decides(d)
	case 6:
		w.wait(ms(d.b % 1500))
		w.decides(d)
	case 7:
		w.wait(ms(pick(d.b, 20, 600)))
		w.key(pick(d.a, writes...))
	case 8:
		w.tears(pick(d.a, starts...), pick(d.b, rests...), ms(pick(d.c, 1, 30, 60, 160, 300, 1200, 2600)))
	case 9:
		w.resizes(d)
	case 10:
		w.key("\x1b[O")
		w.tore = time.Now() // A letter behind it may be the end of an arrow.
		w.wait(ms(pick(d.a, 20, 500, 3000)))
		if d.b%2 == 0 {
			w.key("\x1b[I")
			w.wait(ms(pick(d.c, 0, 100, 500)))
		}
	case 11:
		w.machine(d)
	case 12:
		w.covers(d)
	case 13, 14:
		w.types(d)
	case 15, 16:
		w.happens(d)
	case 17:
		w.weather(d)
	case 18:
		for _, r := range pick(d.a, words...) {
			w.key(string(r))
			w.wait(ms(pick(d.b, 60, 120, 180, 250)))
		}
	case 19:
		w.takesBack(d)
	case 20, 21:
		w.crosses(d)
	case 22, 23:
		w.skims(d)
	case 24:
		w.marks(d)
		w.key(pick(d.a, "j", "k", "\t", "\r", "\x1b", "j", "g", "G"))
		w.settle()
	}
}

// marks marks asks that are alike, and reads on; a decision may follow.
func (w *meantWorld) marks(d deed) {
	if d.a%3 > 0 {
		return
	}
	for range 1 + d.b%3 {
		w.key("*")
		w.settle()
	}
	w.reads()
	if d.c%2 == 0 {
		w.decides(d)
	}
}

// reads scrolls through the ask that is shown, a page at a time.
func (w *meantWorld) reads() {
	w.settle()
	v := w.look()
	if v.front == "" && v.cursor != "" {
		w.key("\r")
		w.settle()
		v = w.look()
	}
	for range 25 {
		if !v.more || v.field {
			return
		}
		w.key("\x1b[6~")
		w.settle()
		v = w.look()
	}
}

// skims goes to the end of the ask without having it drawn, and then decides.
func (w *meantWorld) skims(d deed) {
	if v := w.look(); v.front == "" {
		w.key("\r")
	}
	if d.c%2 == 0 {
		w.key(pick(d.c/2, "j", "\x0e"))
	}
	w.settle()
	switch d.a % 5 {
	case 0:
		w.resize(120, 60)
		w.wait(ms(pick(d.c, 5, 30, 60)))
		w.resize(120, 20)
	case 1:
		w.key("?")
		w.wait(ms(300))
		w.resize(120, 60)
		w.wait(ms(300))
		w.resize(120, 20)
		w.key("?")
	default:
		w.key(pick(d.a, strings.Repeat("\x1b[6~", 30), strings.Repeat("\x1b[<65;60;10M", 60), strings.Repeat("\x04", 60), "\x1b[F"))
	}
	w.wait(ms(pick(d.b, 420, 650, 1200)))
	w.settle()
	w.key("a")
	w.wait(ms(600))
}

// decides presses what decides: one key, or those of a decision that is asked twice.
func (w *meantWorld) decides(d deed) {
	switch d.a % 10 {
	case 0, 1, 2, 3:
		w.key("a")
	case 4:
		w.key("A")
		w.settle()
		w.reads()
		w.key("A")
	case 5:
		w.key("d")
	case 6:
		w.key("x")
	case 7:
		w.key(pick(d.c, "1", "2"))
		w.wait(ms(500))
		w.key(pick(d.c, "\r", "a"))
	case 8:
		w.key("a")
		w.wait(ms(pick(d.c, 10, 35, 120, 250, 390, 420)))
		w.key(pick(d.b, "j", "a", "p", "u", "\r", " ", "q", "\x1b[B"))
	case 9:
		w.types(d)
	}
	w.wait(ms(pick(d.b, 0, 100, 420, 600)))
}

// takesBack decides something and takes it back while it is held.
func (w *meantWorld) takesBack(d deed) {
	w.reads()
	w.key(pick(d.a, "a", "d", "x"))
	w.wait(ms(pick(d.b, 500, 1000, 2200)))
	if w.undo == 3*time.Second {
		w.backs = append(w.backs, w.key("u"))
		w.wait(ms(100))
	}
}

// crosses lets an ask change around the moment at which its key is pressed.
func (w *meantWorld) crosses(d deed) {
	w.reads()
	v := w.look()
	change := func() {
		for _, r := range w.relays {
			for _, h := range r.list() {
				if h.id.ID == "ask-"+strings.ToLower(v.front) {
					w.changes(r, h, d.c)
					return
				}
			}
		}
	}
	if d.a%3 == 0 {
		w.decides(deed{a: d.b})
		w.wait(ms(pick(d.c, 0, 100, 300, 2500)))
		change()
		return
	}
	change()
	w.wait(ms(pick(d.b, 0, 200, 600, 1200, 1900, 2100, 2400, 2700)))
	w.key(pick(d.a, "a", "a", "A", "d", "m"))
	w.wait(ms(pick(d.a, 0, 600)))
}

func (w *meantWorld) resizes(d deed) {
	size := pick(d.a, sizes...)
	before := [2]int{w.width, w.height}
	w.resize(size[0], size[1])
	w.wait(ms(pick(d.b, 5, 30, 120, 600)))
	if d.c%2 == 0 {
		w.resize(before[0], before[1])
	} else if size[0] < 40 {
		w.resize(80, 24)
	}
}

// covers puts another screen over the ask, and perhaps another size under it.
func (w *meantWorld) covers(d deed) {
	k := pick(d.a, "?", "h")
	w.key(k)
	w.wait(ms(pick(d.b, 20, 300, 900)))
	if d.c%3 == 0 {
		w.resizes(deed{a: d.c, b: d.b, c: 0})
	}
	w.key(k)
	w.wait(ms(pick(d.c, 0, 30, 200, 600)))
}

// types opens a field, where one opens, and types a word that is all its own.
func (w *meantWorld) types(d deed) {
	w.settle()
	before := w.look()
	if !before.field {
		w.key(pick(d.b, "m", "D", "X", "t"))
		w.settle()
	}
	if before.front == "" || !w.look().field {
		return
	}
	word := fmt.Sprintf("w%04d", len(w.presses))
	for _, r := range word {
		w.key(string(r))
		w.wait(ms(pick(d.c, 40, 90, 160)))
	}
	w.settle()
	v := w.look()
	if strings.Contains(v.text, word) {
		w.typedWords = append(w.typedWords, typedWord{word, before.front})
	}
	switch d.c % 5 {
	case 0, 1:
		w.key("\r")
	case 2, 3:
		w.key("\x1b")
	}
	w.wait(ms(pick(d.c, 0, 500)))
}

// tears presses a key whose sequence the line tears apart.
func (w *meantWorld) tears(start, rest string, gap time.Duration) {
	w.tear(true)
	w.key(start)
	w.wait(gap)
	p := w.key(rest)
	w.tear(false)
	w.tore = time.Now()
	switch {
	case start == "\x1b":
		p.torn = gap < 150*time.Millisecond // else it is a key behind the escape key
	case start[0] == '\x1b':
		p.torn = gap < 2500*time.Millisecond
	}
	p.unsure = true
}
