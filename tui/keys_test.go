package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
)

// sentOnly checks that exactly one answer left, for one ask.
func (w *world) sentOnly(it *inbox.Item, d client.Decision) {
	w.t.Helper()
	if len(w.box.sent) != 1 {
		w.t.Fatalf("%d answers were sent, want 1; the screen:\n%s", len(w.box.sent), w.frame())
	}
	got := w.box.sent[0]
	if got.ref != it.Ask.Ref || got.digest != it.Digest || got.answer.Decision != d {
		w.t.Fatalf("sent %v %v %v", got.ref, got.digest == it.Digest, got.answer)
	}
}

func (w *world) sentNothing() {
	w.t.Helper()
	if len(w.box.sent) != 0 {
		w.t.Fatalf("%d answers were sent: %+v; the screen:\n%s", len(w.box.sent), w.box.sent, w.frame())
	}
}

func burst(keys ...string) func(*world) {
	return func(w *world) {
		w.pass(time.Second)
		for _, k := range keys {
			w.send(keyNamed(k))
		}
		w.pass(time.Second)
	}
}

func paste(s string) func(*world) {
	return func(w *world) {
		w.pass(time.Second)
		w.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true})
	}
}

// What a person does decides; what no person does decides nothing (R5, R6, R7).
func TestWhatDecides(t *testing.T) {
	type act = func(*world)
	key := func(keys ...string) act { return func(w *world) { w.key(keys...) } }
	wait := func(d time.Duration) act { return func(w *world) { w.pass(d) } }
	now := func(k string) act { return func(w *world) { w.send(keyNamed(k)) } }
	message := func(msg tea.Msg) act { return func(w *world) { w.send(msg) } }
	arrive := func(w *world) {
		g := w.box.snapshot.Groups[0]
		w.publish(w.snap(group("work", g.Version+1, append([]*inbox.Item{approval("work", "new", "rm -rf /", 0)}, g.Items...)...)))
	}
	for _, c := range []struct {
		name   string
		width  int
		acts   []act
		sends  client.Decision // NoDecision: nothing is sent
		screen string
	}{
		{name: "a on a read ask", width: 120, acts: []act{key("a")}, sends: client.Allow},
		{name: "d", width: 120, acts: []act{key("d")}, sends: client.Deny},
		{name: "a key that bounces counts once", width: 120, acts: []act{burst("a", "a")}, sends: client.Allow},
		{name: "enter never approves", width: 120, acts: []act{key("enter", "enter", "enter", " ", "enter")}},
		{name: "a row is not the ask", width: 80, acts: []act{key("a", "d", "A", "A", "x", "1", " ")}, screen: "open the ask with enter"},
		{name: "the opened ask is", width: 80, acts: []act{key("enter", "a")}, sends: client.Allow},
		{name: "back in the list it is not", width: 80, acts: []act{key("enter", "esc", "a")}},
		{name: "too soon", width: 80, acts: []act{wait(time.Second), now("enter"), wait(50 * time.Millisecond), now("a"), wait(time.Second)}, screen: "only just"},
		{name: "pressed again", width: 80, acts: []act{wait(time.Second), now("enter"), now("a"), key("a")}, sends: client.Allow},
		{name: "an arrival does not matter", width: 120, acts: []act{wait(time.Second), arrive, wait(50 * time.Millisecond), key("a")}, sends: client.Allow},
		{name: "typed through an arrival, on the ask that was there", width: 120,
			acts: []act{wait(time.Second), arrive, wait(50 * time.Millisecond), now("a"), wait(time.Second)}, sends: client.Allow},
		{name: "a burst of keys in one reading", width: 120, acts: []act{func(w *world) {
			w.pass(time.Second)
			w.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("aaa")})
			w.pass(time.Second)
		}}, screen: "too fast"},
		{name: "a burst of keys in readings of their own", width: 120, acts: []act{burst("a", "enter", "a", "enter")}},
		{name: "a word", width: 120, acts: []act{burst("y", "e", "s", " ", "d", "o", " ", "a")}},
		{name: "a paste", width: 120, acts: []act{paste("a\ra\r"), wait(time.Second)}, screen: "belongs into a text field"},
		{name: "right after a paste", width: 120, acts: []act{paste("x"), wait(100 * time.Millisecond), now("a"), wait(time.Second)}, screen: "came with a paste"},
		{name: "long after a paste", width: 120, acts: []act{paste("x"), key("a")}, sends: client.Allow},
		{name: "out of focus", width: 120, acts: []act{message(tea.BlurMsg{}), key("a")}, screen: "not in focus"},
		{name: "just back in focus", width: 120, acts: []act{message(tea.BlurMsg{}), wait(time.Minute), message(tea.FocusMsg{}),
			wait(200 * time.Millisecond), now("a"), wait(time.Second)}, screen: "into focus"},
		{name: "back in focus for a while", width: 120, acts: []act{message(tea.BlurMsg{}), wait(time.Minute), message(tea.FocusMsg{}), key("a")}, sends: client.Allow},
		{name: "too small", width: 120, acts: []act{message(tea.WindowSizeMsg{Width: 39, Height: 9}), key("a", "d")}, screen: "askbox needs"},
		{name: "covered by the help", width: 120, acts: []act{key("?", "a", "d", "x")}, screen: "Press esc"},
		{name: "covered by the history", width: 120, acts: []act{key("h", "a", "d")}, screen: "Press esc"},
		{name: "just uncovered", width: 120, acts: []act{key("?"), now("?"), wait(405 * time.Millisecond), now("a"), wait(time.Second)}, screen: "only just"},
		{name: "a click", width: 120, acts: []act{message(tea.MouseMsg{X: 60, Y: 20, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})}},
		{name: "always wants a second key", width: 120, acts: []act{key("A")}},
		{name: "and gets it", width: 120, acts: []act{key("A", "A")}, sends: client.Always},
		{name: "but not as a burst", width: 120, acts: []act{burst("A", "A")}},
		{name: "searched for", width: 120, acts: []act{key("/", "a", "d", "A", "enter")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				it := approval("work", "1", "ls", time.Minute)
				w := newWorld(t, c.width, 30, group("work", 1, it, approval("work", "2", "pwd", time.Hour)))
				for _, do := range c.acts {
					do(w)
				}
				if c.screen != "" {
					w.shows(c.screen)
				}
				if c.sends == client.NoDecision {
					w.sentNothing()
				} else {
					w.sentOnly(it, c.sends)
				}
			})
		})
	}
}

// A person who wants to give a reason types it, looking at the keys, also where
// no text field opened. None of the letters decides (R6).
func TestTypingOnWithoutATextField(t *testing.T) {
	type act = func(*world)
	slowly := func(words string) act {
		return func(w *world) {
			for _, r := range words {
				w.pass(300 * time.Millisecond)
				w.send(keyNamed(string(r)))
			}
			w.pass(200 * time.Millisecond)
		}
	}
	key := func(keys ...string) act { return func(w *world) { w.key(keys...) } }
	for _, c := range []struct {
		name  string
		acts  []act
		sends client.Decision
	}{
		{name: "a reason", acts: []act{key("D"), slowly("add a test, d x A 1")}},
		{name: "with the key of another field in it", acts: []act{key("D"), slowly("tXa da")}},
		{name: "a key that came too fast", acts: []act{key("j"), func(w *world) {
			w.send(keyNamed("D"))
			w.send(keyNamed("o"))
		}, slowly("ad")}},
		{name: "with its own key in it", acts: []act{key("D"), slowly("DDa")}},
		{name: "a decision after a look at the screen", acts: []act{key("D", "a")}, sends: client.Allow},
		{name: "what closes the gate is over by then", acts: []act{key("D"), slowly("no"), key("d")}, sends: client.Deny},
	} {
		t.Run(c.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				it := approval("work", "1", "ls", time.Minute)
				it.Ask.Offers[client.ActDenyReason] = client.Offer{Why: "this card takes no reason"}
				it.Ask.Offers[client.ActDismissMessage] = client.Offer{}
				it.Digest = it.Ask.Digest()
				w := newWorld(t, 120, 30, group("work", 1, it))
				for _, do := range c.acts {
					do(w)
				}
				if c.sends == client.NoDecision {
					w.sentNothing()
				} else {
					w.sentOnly(it, c.sends)
				}
			})
		})
	}
}

// A field that lacks what the terminal sent is not sent before it was looked at (D19).
func TestDamagedField(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "ls", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		lost := 2 // before the field was opened
		w.m.lost = func() int { return lost }
		w.key("D", "n", "o")
		lost += 3
		w.key("enter")
		w.sentNothing()
		w.shows("lacks 3 bytes")
		w.key("enter")
		w.sentOnly(it, client.Deny)
	})
}

// A key that has others behind it which the machine was too busy to deliver is
// the beginning of a sentence.
func TestKeyWithMoreOnTheWay(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "ls", time.Minute)))
		w.pass(time.Second)
		w.send(keyNamed("a"))
		w.send(settledMsg{seq: w.m.unsettled.seq, alone: false})
		w.pass(time.Second)
		w.sentNothing()
		w.shows("faster than they could be taken")
	})
}

// Settling waits for what is on its way, but not for ever.
func TestSettleWaitsForTheTerminal(t *testing.T) {
	story(t, func(t *testing.T) {
		start := time.Now()
		quiet := func() bool { return time.Since(start) >= aloneTime+300*time.Millisecond }
		if got := settle(t.Context(), 1, quiet)(); got != (settledMsg{1, true}) || time.Since(start) < aloneTime+300*time.Millisecond {
			t.Errorf("settled as %+v after %s", got, time.Since(start))
		}
		if got := settle(t.Context(), 2, func() bool { return false })(); got != (settledMsg{2, false}) {
			t.Errorf("a terminal that never rests settled as %+v", got)
		}
	})
}

// Whatever changes the ask between the key and the moment in which it settles
// takes the key's meaning away.
func TestAskChangesAsTheKeyIsPressed(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "ls", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		w.pass(time.Second)
		w.send(keyNamed("a"))
		w.publish(w.snap(group("work", 2, approval("work", "1", "rm -rf /", time.Minute))))
		w.pass(time.Second)
		w.sentNothing()
		w.shows("Taken back, nothing was sent: the ask changed")
	})
}

// After a stop of the program no key decides before the relay was read again (D11, E24).
func TestNothingDecidesBeforeNewsAfterASleep(t *testing.T) {
	for name, wake := range map[string]tea.Msg{"resumed": tea.ResumeMsg{}, "continued": continuedMsg{}} {
		t.Run(name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				it := approval("work", "1", "ls", time.Minute)
				w := newWorld(t, 120, 30, group("work", 1, it))
				w.box.fresh = false
				w.send(wake)
				if w.box.asked != 1 {
					t.Fatalf("the relays were asked %d times", w.box.asked)
				}
				w.key("a")
				w.sentNothing()
				w.shows("asleep")
				w.box.fresh = true
				w.key("a")
				w.sentOnly(it, client.Allow)
			})
		})
	}
}

// The filters, the history and the help do not stop a key from being a letter.
func TestLettersGoToTheTextField(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "ls", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		w.key("D")
		for i, letter := range strings.Split("only yes if tests qufhR?/nNpgG", "") {
			w.key(letter)
			if i == 5 {
				urgent := approval("work", "2", "rm -rf /", 0)
				urgent.Ask.Urgent = true
				w.publish(w.snap(group("work", 2, urgent, it)))
			}
		}
		w.sentNothing()
		w.shows("only yes if tests qufhR?/nNpgG")
		if w.under() != "1" || w.quit || w.m.screen != screenInbox {
			t.Fatal("a letter did something else")
		}
		w.key("enter")
		w.sentOnly(it, client.Deny)
		if got := w.box.sent[0].answer.Message; got != "only yes if tests qufhR?/nNpgG" {
			t.Fatalf("the message is %q", got)
		}
	})
}

// A paste with an enter in it, without brackets, does not send what is typed.
func TestTypedBurstDoesNotSend(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "ls", time.Minute)))
		w.key("D", "n", "o")
		burst("x", "enter", "y", "enter")(w)
		w.sentNothing()
	})
}

// Keys held down come together in one message: they move, one by one.
func TestHeldDownKeysMove(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24, many("work", 20))
		w.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjjk")})
		if w.under() != "ask-00002" {
			t.Fatalf("the cursor is on %s", w.under())
		}
	})
}

func TestLinks(t *testing.T) {
	for link, ok := range map[string]bool{
		"https://relay.example/s/1?x=y#z": true, "http://127.0.0.1:8080/": true,
		"javascript:alert(1)": false, "file:///etc/passwd": false, "https://": false, "https://a b/": false,
		"https://x.example/\x07\x1b[2Jy": false, "https://user:pw@x.example/": false, "https://x.example/\u202e": false, "--help": false, "": false,
	} {
		if safeLink(link) != ok {
			t.Errorf("safeLink(%q) = %v", link, !ok)
		}
	}
}

// Where there is no link there may be a command that goes to the session.
func TestAttach(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("code", "ask-1", "make", time.Minute)
		a := *it.Ask
		a.Session.Link, a.Session.Attach = "", "opencode attach http://127.0.0.1:4096 --session ses_1 --dir '/srv/my app'"
		w := newWorld(t, 120, 40, group("code", 1, &inbox.Item{Ask: &a, Digest: a.Digest()}))
		w.key("o")
		w.shows("For a shell: " + a.Session.Attach)
		b := a
		b.Session.Attach = ""
		w = newWorld(t, 120, 40, group("code", 1, &inbox.Item{Ask: &b, Digest: b.Digest()}))
		w.key("o")
		w.shows("gives no link")
	})
}

func TestSnapshotsEnd(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24, everyday()...)
		w.send(snapshotMsg{err: errors.New("boom")})
		w.shows("The inbox has stopped")
		old := w.snap()
		old.Number = 0
		w.send(snapshotMsg{snapshot: old})
		w.shows("All 6")
	})
}

// Letters of another alphabet decide nothing, and the screen says why; in a text they are
// letters as any (G31).
func TestForeignLetters(t *testing.T) {
	for _, keys := range [][]string{{}, {"enter"}, {"?"}, {"h"}} {
		story(t, func(t *testing.T) {
			w := newWorld(t, 80, 24, group("work", 1, approval("work", "1", "ls", time.Minute)))
			w.key(keys...)
			for _, letter := range []string{"ф", "в", "й", "α"} {
				w.key(letter)
				w.shows("Latin letters")
			}
			w.sentNothing()
			if len(keys) == 1 && keys[0] == "enter" {
				w.key("D", "ф", "в")
				w.shows("фв")
			}
			if w.key("ctrl+c"); !w.quit {
				t.Error("ctrl+c does not quit")
			}
		})
	}
}
