package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
)

// tests are approvals of one tool that differ at their end, newest first.
func tests(n, lines int) (all []*inbox.Item) {
	for i := range n {
		all = append(all, approval("work", fmt.Sprint(i+1), strings.Repeat("set -x\n", lines)+fmt.Sprintf("go test -run Test%d", i+1), time.Duration(i+1)*time.Minute))
	}
	return all
}

// Asks that are alike are read as one document, and one key answers each of them, bound to
// what was shown of it.
func TestOneKeyAnswersAllMarked(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 30}} {
		for key, want := range map[string]client.Decision{"a": client.Allow, "d": client.Deny} {
			story(t, func(t *testing.T) {
				asks := tests(4, 6)
				other := question("work", "q", "Which one?", 0)
				w := newWorld(t, size[0], size[1], group("work", 1, append(asks, other)...))
				w.key("*")
				w.shows("1 marked")
				w.key("*")
				w.shows("4 marked")
				if size[0] < twoPanes {
					w.key("enter")
				}
				w.shows("4 asks stand below")
				w.key("a")
				w.sentNothing() // it was not read to its end
				sessions := strings.Builder{}
				for range 60 {
					sessions.WriteString(w.frame())
					w.key("pgdown")
				}
				for i := range asks {
					if says := fmt.Sprintf("%d of 4 │ Fix the flaky build", i+1); !strings.Contains(sessions.String(), says) {
						t.Errorf("at %v nothing says %q", size, says)
					}
				}
				w.shows("go test -run Test4")
				w.key(key)
				if len(w.box.taken) != 4 {
					t.Fatalf("at %v %d were answered:\n%s", size, len(w.box.taken), w.frame())
				}
				for i, s := range w.box.taken {
					if s.ref != asks[i].Ask.Ref || s.digest != asks[i].Digest || s.answer.Decision != want {
						t.Errorf("%+v", s)
					}
				}
				w.hides("4 marked")
			})
		}
	}
}

// What changes, closes or is typed on while asks are marked is answered by nobody.
func TestMarkedAsksKeepTheGuards(t *testing.T) {
	begin := func(t *testing.T) (*world, []*inbox.Item) {
		asks := tests(3, 0)
		w := newWorld(t, 120, 40, group("work", 1, asks...))
		w.key("*", "*")
		w.pass(2 * time.Second)
		w.shows("read to the end")
		return w, asks
	}
	story(t, func(t *testing.T) { // one closes right before the key
		w, asks := begin(t)
		w.publish(w.snap(group("work", 2, asks[0], asks[2])))
		w.shows("lost the mark")
		w.send(keyNamed("a"))
		w.pass(time.Second)
		w.sentNothing()
		w.key("a")
		if len(w.box.taken) != 2 {
			t.Fatalf("%d were answered", len(w.box.taken))
		}
	})
	story(t, func(t *testing.T) { // one changes right before the key
		w, asks := begin(t)
		changed := approval("work", "2", "rm -rf ~", 2*time.Minute)
		w.publish(w.snap(group("work", 2, asks[0], changed, asks[2])))
		w.send(keyNamed("a"))
		w.pass(time.Second)
		w.sentNothing()
		w.shows("changed since you saw it")
		w.pass(2 * time.Second)
		w.key("a")
		w.sentNothing()
		w.key("end", "a")
		if len(w.box.taken) != 3 || w.box.taken[1].digest != changed.Digest {
			t.Fatalf("%+v\n%s", w.box.taken, w.frame())
		}
	})
	story(t, func(t *testing.T) { // one changes after all were answered
		w, asks := begin(t)
		w.key("a")
		changed := approval("work", "2", "rm -rf ~", 2*time.Minute)
		w.publish(w.snap(group("work", 2, asks[0], changed, asks[2])))
		w.pass(2 * time.Second)
		w.key("j")
		w.shows("What it was (-) and what it is now (+)")
	})
	story(t, func(t *testing.T) { // somebody types words
		w, _ := begin(t)
		w.send(keyNamed("a"))
		w.pass(100 * time.Millisecond)
		w.send(keyNamed("l"))
		w.pass(time.Second)
		if len(w.box.undone) != 3 {
			t.Fatalf("%d of 3 were taken back", len(w.box.undone))
		}
	})
	story(t, func(t *testing.T) { // a key that comes with others
		w, _ := begin(t)
		w.send(keyNamed("a"), keyNamed("a"))
		w.send(keyNamed("j"), keyNamed("a"))
		w.pass(time.Second)
		if len(w.box.sent) > 0 {
			t.Fatalf("%+v", w.box.sent)
		}
	})
}

// u takes all of them back, esc the marks, and what became of them is told together.
func TestMarkedAsksAreToldOfTogether(t *testing.T) {
	story(t, func(t *testing.T) {
		asks := tests(3, 0)
		w := newWorld(t, 120, 40, group("work", 1, asks...))
		w.key("*", "*", "esc")
		w.hides("marked")
		w.key("*", "*")
		w.pass(2 * time.Second)
		w.key("a")
		w.shows("allow · 3 asks · u takes all of them back")
		w.key("u")
		if len(w.box.undone) != 3 {
			t.Fatalf("%d of 3 were taken back", len(w.box.undone))
		}
		w.shows("Taken back, nothing was sent: allow · 3 asks")
		w.key("*", "*")
		w.pass(2 * time.Second)
		w.key("a")
		ended := map[client.Ref]*inbox.Item{}
		for i, state := range []inbox.FlightState{inbox.Done, inbox.TooLate, inbox.Done} {
			it := closeItem(asks[i], client.Answered, "Grace")
			it.Flight = &inbox.Flight{State: state, Answer: client.Answer{Decision: client.Allow}}
			ended[it.Ask.Ref] = it
		}
		s := w.snap(group("work", 5))
		s.Closed = inbox.ItemsOf(ended)
		w.publish(s)
		w.shows("2 asks allowed. But")
		w.shows("Test2: too late, answered by \"Grace\"")
	})
}

// What wants an answer of its own cannot be marked, and what is not alike not together.
func TestWhatCannotBeMarked(t *testing.T) {
	change := func(f func(a *client.Ask)) *inbox.Item {
		a := *approval("work", "2", "make", time.Hour).Ask
		approved := *a.Approval
		a.Approval = &approved
		f(&a)
		return &inbox.Item{Ask: &a, Digest: a.Digest()}
	}
	flying := approval("work", "2", "make", time.Hour)
	flying.Flight = &inbox.Flight{State: inbox.NotKnown, Err: errors.New("cut")}
	for why, it := range map[string]*inbox.Item{
		"an answer of its own":      question("work", "2", "Which one?", time.Hour),
		"Only open asks":            flying,
		"is asked about on its own": change(func(a *client.Ask) { a.Approval.Excerpt = "cut" }),
		"asked about on its own":    change(func(a *client.Ask) { a.Approval.Modes = []client.Mode{{ID: "auto"}} }),
		"about on its own":          change(func(a *client.Ask) { a.Offers[client.ActDeny].Confirm = "It ends the turn." }),
		"both allowed and denied":   change(func(a *client.Ask) { a.Offers = client.Offered(client.ActDeny) }),
		"nothing to show of it":     change(func(a *client.Ask) { a.Approval.Parts = a.Approval.Parts[1:] }),
		"one tool on one relay":     change(func(a *client.Ask) { a.Approval.Tool = text.New("Other") }),
		"Only asks for one tool on ": change(func(a *client.Ask) {
			a.Approval.Parts[0].Kind = client.PartArgs
			a.Approval.Parts[0].Args = []text.Text{text.New("x")}
		}),
	} {
		story(t, func(t *testing.T) {
			w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "ls", time.Minute), it))
			w.key("*", "j", "*")
			if !strings.Contains(w.frame(), why) || len(w.m.bundle.refs) != 1 {
				t.Errorf("%q is not said:\n%s", why, w.frame())
			}
		})
	}
}
