//go:build unix

package e2e

import (
	"strings"
	"testing"
	"time"
)

// TestPasteDecidesNothing pastes keys over an approval, with and without the
// marks of a paste, in both layouts (D15).
func TestPasteDecidesNothing(t *testing.T) {
	t.Parallel()
	for name, paste := range map[string]string{
		"marked": "\x1b[200~a\ra\r\x1b[201~", "bare": "a\ra\r", "forged end": "\x1b[200~x\x1b[201~a\ra\r\x1b[201~",
		"A twice": "\x1b[200~AA\x1b[201~", "bare A twice": "AA", "deny": "\x1b[200~d\rx\r\x1b[201~", "long": strings.Repeat("a\r", 400),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			w.relays["work"].Bash(w.session("work", "Build"), "make", "")
			for _, size := range []string{"120x40", "80x24"} {
				s := w.open(size).see("make")
				if size == "80x24" {
					s.press("enter").see("the session waits")
				}
				s.read()
				s.send(paste).nothingSent()
				s.press("ctrl+c").quits(0)
			}
		})
	}
}

// TestPasteInAField puts lines in once, and sends nothing by itself (D15, D17, D23).
func TestPasteInAField(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make").decide("D").see("enter sends")
	if err := s.Paste("one\rtwo\rthree"); err != nil {
		t.Fatal(err)
	}
	s.see("one", "two", "three").nothingSent()
	s.decide("enter").answered("work", ask, `{"decision":"deny","message":"one\ntwo\nthree"}`)
}

// TestForgedEndInAField pastes text that holds the end marker of a paste (D17).
func TestForgedEndInAField(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make").decide("D").see("enter sends")
	s.send("\x1b[200~safe\x1b[201~y\r\x1b[201~").see("safe").nothingSent()
}

// TestWideTextInAField types and pastes many wide characters at once (D19).
func TestWideTextInAField(t *testing.T) {
	t.Parallel()
	for _, marked := range []bool{false, true} {
		w := newWorld(t, "", "work")
		ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
		s := w.open("120x40").see("make").decide("D").see("enter sends")
		text := strings.Repeat("あ", 120)
		if marked {
			_ = s.Paste(text)
		} else {
			s.send(text)
		}
		s.see("あ").decide("enter").answered("work", ask, `{"decision":"deny","message":"`+text+`"}`)
	}
}

// TestReportsAreNoKeys sends what terminals send by themselves, whole and torn, to
// a field and to an approval (D12, D13).
func TestReportsAreNoKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	reports := []string{"\x1b[<35;20;5M", "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\", "\x1b[?61;4;6c", "\x1b[5;1R", "\x1b[M !!", "\x1b]52;c;YQ==\a"}
	s := w.open("120x40").see("make")
	tear := func() {
		for _, report := range reports {
			for _, at := range []int{0, 2, len(report) / 2, len(report) - 1} {
				s.send(report[:at])
				s.rest(5 * time.Millisecond)
				s.send(report[at:])
			}
		}
	}
	before := s.read().Screen()
	tear()
	if after := s.settle().Screen(); after != before {
		t.Errorf("the screen changed:\n%s\nto:\n%s", before, after)
	}
	// A busy machine tears them further, and a key that comes too soon behind a torn one
	// is refused.
	s.rest(slack(soon))
	s.decide("D").see("enter sends").write("ok").see("ok")
	tear()
	s.press("!").see("ok!").nothingSent()
}

// TestPasteWithoutAnEnd gives the keyboard back (D18).
func TestPasteWithoutAnEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make").send("\x1b[200~abc")
	s.rest(700 * time.Millisecond)
	s.press("ctrl+c").quits(0)
	s.nothingSent()
}

// TestMovesInABurst moves for keys that come together, as a held arrow does on a
// slow line.
func TestMovesInABurst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	session := w.session("work", "Build")
	for _, command := range []string{"echo one", "echo two", "echo three"} {
		w.relays["work"].Bash(session, command, "says "+command)
	}
	s := w.open("120x40").see("says echo three").send("jj").see("says echo one")
	s.send("\x1b[A\x1b[A").see("says echo three").nothingSent()
}

// TestFocusArmsAnew ignores the first keys after the terminal got its focus back
// (C11).
func TestFocusArmsAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make")
	s.read()
	s.send("\x1b[O").rest(pace)
	s.send("\x1b[I").press("a").see("Nothing was sent").nothingSent()
	s.decide("a").answered("work", ask, `{"decision":"allow"}`)
}

// TestTornKeysDecideNothing tears cursor keys, and the starts of what a terminal
// replies, away from the letters that they end with (G01, H19).
func TestTornKeysDecideNothing(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"120x40", "80x24"} {
		t.Run(size, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			w.relays["work"].Bash(w.session("work", "Build"), "make one", "")
			s := w.open(size).see("make one")
			if size == "80x24" {
				s.press("enter").see("the session waits")
			}
			s.read()
			for _, torn := range []struct {
				start string
				pause time.Duration
				rest  string
			}{
				{"\x1b[", 60 * time.Millisecond, "A"}, {"\x1b[", 60 * time.Millisecond, "A"}, {"\x1b[", 150 * time.Millisecond, "D"},
				{"\x1b[1;2", 1200 * time.Millisecond, "A"}, {"\x1b]", 60 * time.Millisecond, "q"}, {"\x1bO", 60 * time.Millisecond, "A"},
				{"\x1bP", 60 * time.Millisecond, "x"}, {"\x1b_", 60 * time.Millisecond, "d"},
			} {
				s.send(torn.start).rest(torn.pause)
				s.send(torn.rest).rest(500 * time.Millisecond)
				s.never("enter sends", "second A", "A again")
			}
			s.nothingSent()
			s.press("ctrl+c").quits(0)
		})
	}
}

// TestKeypadAndShiftEnter writes two lines with enter and shift in every form (G11),
// and sends them with the enter of the keypad (G29).
func TestKeypadAndShiftEnter(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make").decide("D").see("enter sends").write("one")
	for _, enter := range []string{"\x1b[27;2;13~", "\x1b[13;2u", "\x1b[13;2~", "\x1b\r"} {
		s.send(enter).settle().write("x").see("x")
	}
	s.nothingSent().read().send("\x1bOM").answered("work", ask, `{"decision":"deny","message":"one\nx\nx\nx\nx"}`)
}

// TestFocusIsProvedByAKey refuses the first key after the focus was lost, says why, and
// counts the next one, also where the terminal never says that the focus is back (G10).
func TestFocusIsProvedByAKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	ask := w.relays["work"].Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make")
	s.read().send("\x1b[O").rest(slack(500 * time.Millisecond))
	s.decide("a").see("the terminal was not in focus").nothingSent()
	s.decide("a").answered("work", ask, `{"decision":"allow"}`)
}

// TestReasonForAnAskThatJustCame opens its field, and words at a person's pace decide
// nothing (J24, H10).
func TestReasonForAnAskThatJustCame(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	session := w.session("work", "Build")
	s := w.open("120x40").see("Nothing is open")
	s.rest(slack(500 * time.Millisecond))
	w.relays["work"].Bash(session, "make", "")
	s.see("make").press("j", "D").see("enter sends").press("esc").gone("enter sends").read()
	for _, r := range "Do please use make" {
		s.press(string(r)).rest(100 * time.Millisecond)
	}
	s.see("you typed on").never("enter sends").nothingSent()
}

// TestForeignLetters decide nothing and say so; ctrl+c works in each form that a terminal
// with another layout has for it (G31).
func TestForeignLetters(t *testing.T) {
	t.Parallel()
	for _, interrupt := range []string{"\x03", "\x1b[1089::99;5u", "\x1b[27;5;1089~"} {
		w := newWorld(t, "", "work")
		w.relays["work"].Bash(w.session("work", "Build"), "make", "")
		s := w.open("80x24").see("make")
		for _, letter := range []string{"ф", "в", "й"} {
			s.press(letter).see("Latin letters")
		}
		s.press("enter").see("the session waits").press("ф").see("Latin letters").nothingSent()
		s.send(interrupt).quits(0)
	}
}
