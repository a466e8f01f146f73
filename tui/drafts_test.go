package tui

import (
	"testing"
	"time"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/tui/ask"
)

// TestDraftGoesWithItsAnswer once the relay has confirmed it, also where another
// ask is on the screen by then, and not before.
func TestDraftGoesWithItsAnswer(t *testing.T) {
	store, err := drafts.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	story(t, func(t *testing.T) {
		first, second := approval("work", "1", "ls", time.Minute), approval("work", "2", "pwd", time.Hour)
		w := newWorld(t, 120, 30, group("work", 1, first, second))
		w.m.drafts, w.m.ask = store, ask.New(w.m.theme, w.m.keymap, store)
		w.m = w.m.resize(120, 30)
		w.key("D", "n", "o", "enter")
		w.sentOnly(first, client.Deny)
		w.key("j")
		if w.under() != "2" {
			t.Fatalf("the cursor is on %s", w.under())
		}
		kept := func(state inbox.FlightState) bool {
			it := *first
			it.Flight = &inbox.Flight{State: state, Answer: w.box.sent[0].answer}
			w.publish(w.snap(group("work", uint64(state)+2, &it, second)))
			_, there := store.Load(first.Ask.Ref)
			return there
		}
		for _, state := range []inbox.FlightState{inbox.Held, inbox.Sending, inbox.Checking} {
			if !kept(state) {
				t.Fatalf("the draft is gone in state %d", state)
			}
		}
		if kept(inbox.Done) {
			t.Error("the draft is there after its answer arrived")
		}
		if err := store.Flush(); err != nil {
			t.Error(err)
		}
	})
}
