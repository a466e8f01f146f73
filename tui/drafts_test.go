package tui

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/tui/ask"
	"askbox/tui/theme"
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

// TestTextThatIsKeptNowhere stays on the screen that says so whatever is pressed, and
// quitting asks (L10, G21).
func TestTextThatIsKeptNowhere(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "drafts")
	store, err := drafts.Open(folder)
	if err = errors.Join(err, os.RemoveAll(folder), os.WriteFile(folder, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, box: newFakeBox()}
	w.box.snapshot = w.snap(group("work", 1, approval("work", "1", "ls", time.Minute), approval("work", "2", "pwd", time.Hour)))
	m := bare(t, w.box, theme.PlainTheme(), clockOf(time.Now()))
	m.drafts, m.ask = store, ask.New(m.theme, m.keymap, store)
	w.m = m.resize(120, 30)
	store.Save(w.m.shown.ref, drafts.Draft{Digest: w.m.shown.digest, Field: "deny", Answer: client.Answer{Decision: client.Deny, Message: "words"}})
	<-store.Changed()
	w.shows("What you typed cannot be kept: not a directory; esc, then y copies it")
	w.m.list = w.m.list.Move(1)
	w.m = w.m.sync()
	w.shows("1 text cannot be kept: not a directory")
	w.m, _ = w.m.leave(true)
	w.shows("kept nowhere: words · work/1 · ls")
	w.hides("send what is held")
	if w.m, _ = w.m.quitKey(keyNamed("enter")); w.m.screen != screenInbox {
		t.Error("enter quits")
	}
}

// A row says that an answer to its ask was begun, also after a start (J16).
func TestADraftLeavesItsMark(t *testing.T) {
	folder := t.TempDir()
	store, err := drafts.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	story(t, func(t *testing.T) {
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 30}} {
			w := newWorld(t, size[0], size[1], group("work", 1, approval("work", "1", "ls", time.Minute), approval("work", "2", "pwd", time.Hour)))
			w.m.drafts, w.m.ask = store, ask.New(w.m.theme, w.m.keymap, store)
			w.m = w.m.resize(size[0], size[1])
			if size[0] == 40 {
				w.hides("draft")
				w.key("enter", "D", "n", "o", "esc", "esc")
			}
			w.key("j")
			w.shows("draft")
			w.key("/", "i", "s", ":", "d", "enter")
			if w.under() != "1" || w.m.list.Len() != 1 {
				t.Fatalf("is:d leads to %s of %d", w.under(), w.m.list.Len())
			}
			if err := store.Flush(); err != nil {
				t.Fatal(err)
			}
			if store, err = drafts.Open(folder); err != nil {
				t.Fatal(err)
			}
		}
	})
}
