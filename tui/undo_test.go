package tui

import (
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/inbox"
)

// u takes back what is held, in the order in which the keys were pressed.
func TestUndo(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "rm -rf build", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		w.key("u")
		w.shows("There is no answer to take back.")
		w.key("a")
		w.sentOnly(it, client.Allow)
		held := *it
		held.Flight = &inbox.Flight{State: inbox.Held, Answer: w.box.sent[0].answer, Until: time.Now().Add(3 * time.Second)}
		w.publish(w.snap(group("work", 2, &held)))
		w.key("u")
		w.sentNothing()
		w.shows("Taken back, nothing was sent: allow · rm -rf build")
	})
}

func TestUndoTooLate(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "rm -rf build", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		w.key("a")
		w.box.sent = nil // it has left
		w.key("u")
		w.shows("Too late to take back")
	})
}

// What the inbox refuses is said, and nothing looks sent.
func TestRefusedByTheInbox(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "ls", time.Minute)
		w := newWorld(t, 120, 30, group("work", 1, it))
		w.box.refuse = &inbox.Changed{Item: it}
		w.key("a")
		w.sentNothing()
		w.shows("Nothing was sent")
	})
}

// Quitting asks while an answer is unsent; enter alone sends nothing.
func TestQuit(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		name  string
		keys  []string
		quits bool
		flush *bool
	}{
		{"nothing unsent", []string{"q"}, true, nil},
		{"stay by enter", []string{"a", "q", "enter"}, false, nil},
		{"stay by esc", []string{"a", "ctrl+c", "esc"}, false, nil},
		{"letters do nothing", []string{"a", "q", "a", "d", "y", "x", "q"}, false, nil},
		{"send and quit", []string{"a", "q", "2", "enter"}, true, &yes},
		{"drop and quit", []string{"a", "q", "down", "j", "enter"}, true, &no},
		{"ctrl+c twice drops", []string{"a", "ctrl+c", "ctrl+c"}, true, &no},
	} {
		t.Run(c.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				w := newWorld(t, 120, 30, group("work", 1, approval("work", "1", "ls", time.Minute)))
				w.key(c.keys...)
				if w.quit != c.quits {
					t.Fatalf("quit: %v, want %v:\n%s", w.quit, c.quits, w.frame())
				}
				if (w.box.flushed == nil) != (c.flush == nil) || (c.flush != nil && *c.flush != *w.box.flushed) {
					t.Fatal("the inbox was not closed as chosen")
				}
			})
		})
	}
}

// What was taken back is told by what tells it from the other asks (J23).
func TestTakenBackSaysWhatDiffers(t *testing.T) {
	story(t, func(t *testing.T) {
		var asks []*inbox.Item
		for i := range 3 {
			asks = append(asks, approval("work", itoa(i), "docker compose -f deploy/staging.yml exec -T postgres psql -c 'shard = "+itoa(i)+"' | tee out.txt | grep -v nothing at all", time.Duration(i)*time.Minute))
		}
		w := newWorld(t, 120, 30, group("work", 1, asks...))
		w.key("j", "d", "u")
		w.shows("Taken back, nothing was sent: deny")
		w.shows("shard = 1")
		if says := w.m.status.text; !strings.Contains(says, "shard = 1") {
			t.Errorf("it says %q", says)
		}
	})
}
