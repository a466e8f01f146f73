package tui

import (
	"testing"
	"time"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/inbox"
)

// An answer that did not count keeps its row until the cursor has been on it for a moment.
func TestAMissedAnswerIsSeenOnce(t *testing.T) {
	story(t, func(t *testing.T) {
		a, b, c := approval("work", "5", "ls", 3*time.Minute), approval("work", "6", "pwd", 4*time.Minute), approval("work", "7", "id", 5*time.Minute)
		missed := closeItem(b, client.Answered, "Grace")
		missed.Flight = &inbox.Flight{State: inbox.TooLate, Answer: client.Answer{Decision: client.Allow}, At: day, Err: &client.Closed{Ask: missed.Ask}}
		w := newWorld(t, 80, 24, group("work", 1, a, missed, c))
		w.shows("too late")
		time.Sleep(time.Minute)
		w.key("j")
		if len(w.box.forgot) != 0 {
			t.Fatal("it was taken to be seen before the cursor was on it")
		}
		w.key("j")
		if len(w.box.forgot) != 1 || w.box.forgot[0] != b.Ask.Ref {
			t.Fatalf("it was seen, and %v are", w.box.forgot)
		}
		w.key("k", "k")
		// Open asks, and answers that counted, are none of these.
		if len(w.box.forgot) != 2 {
			t.Fatalf("seen are %v", w.box.forgot)
		}
	})
}

// What has just become too late was not seen by a cursor that leaves at that moment.
func TestAMissedAnswerIsNotSeenInPassing(t *testing.T) {
	story(t, func(t *testing.T) {
		a, b := approval("work", "5", "ls", 3*time.Minute), approval("work", "6", "pwd", 4*time.Minute)
		w := newWorld(t, 80, 24, group("work", 1, a, b))
		time.Sleep(time.Minute)
		missed := closeItem(a, client.Answered, "Grace")
		missed.Flight = &inbox.Flight{State: inbox.TooLate, Answer: client.Answer{Decision: client.Allow}, At: time.Now(), Err: &client.Closed{Ask: missed.Ask}}
		w.publish(w.snap(group("work", 2, missed, b)))
		w.send(keyNamed("j"))
		if len(w.box.forgot) != 0 {
			t.Errorf("seen are %v", w.box.forgot)
		}
	})
}

// What the last run left is the first thing that is said, until it stood there for a moment.
func TestWhatTheLastRunLeft(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 24, group("work", 1, approval("work", "5", "ls", 3*time.Minute)))
		s := w.snap(group("work", 2, approval("work", "5", "ls", 3*time.Minute)))
		e := entry("9", "make deploy", time.Hour)
		e.How, e.Tried = client.Open, &history.Attempt{End: history.NotSent, Answer: history.Answer{Decision: client.Deny}}
		s.Left = []history.Entry{*e}
		w.publish(s)
		w.shows("deny, not sent")
		w.shows("make deploy")
		w.send(keyNamed("j"))
		w.shows("deny, not sent")
		if w.box.seen != 0 {
			t.Fatal("a key at that moment is taken for having seen it")
		}
		w.pass(2 * time.Second)
		w.send(keyNamed("j"))
		w.hides("not sent")
		if w.box.seen != 1 {
			t.Errorf("seen %d times", w.box.seen)
		}
	})
}
