package tui

import (
	"testing"
	"time"

	"askbox/client"
)

// H04 and H05 on the whole screen: an ask that changes under its id says so in the
// list and in its pane, also after help and another ask, and the first key that
// would approve it does nothing else than acknowledge that.
func TestAChangeIsAcknowledged(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {40, 10}} {
		story(t, func(t *testing.T) {
			before, after := approval("work", "1", "npm run lint", time.Minute), approval("work", "1", "npm publish", time.Minute)
			other := approval("work", "2", "ls", time.Hour)
			w := newWorld(t, size[0], size[1], group("work", 1, before, other))
			w.key("enter", "pgdown", "pgdown", "pgdown")
			w.publish(w.snap(group("work", 2, after, other)))
			w.pass(5 * time.Second)
			w.shows("hanged since you saw it")
			w.key("?", "?", "esc", "j", "k")
			w.shows("changed")
			w.key("enter", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown", "pgdown")
			w.shows("hanged since you saw it")
			w.key("a")
			w.shows("Nothing was sent: this ask changed")
			w.shows("since you saw it. Read it again.")
			if len(w.box.sent) > 0 {
				t.Fatalf("%v: sent %+v", size, w.box.sent)
			}
			w.key("pgup", "pgup", "a")
			w.sentOnly(after, client.Allow)
		})
	}
}

// Words that were typed for what stood there before are not sent with what stands
// there now, at the lowest size too.
func TestWordsAreNotSentWithAnother(t *testing.T) {
	for _, size := range [][2]int{{120, 24}, {40, 10}} {
		story(t, func(t *testing.T) {
			before, after := approval("work", "1", "npm run lint", time.Minute), approval("work", "1", "npm publish", time.Minute)
			w := newWorld(t, size[0], size[1], group("work", 1, before))
			w.key("enter", "pgdown", "pgdown", "pgdown", "pgdown", "m")
			for _, r := range "looks good to me" {
				w.key(string(r))
			}
			w.publish(w.snap(group("work", 2, after)))
			w.pass(750 * time.Millisecond)
			w.shows("from before")
			w.key("enter")
			if len(w.box.sent) > 0 {
				t.Fatalf("%v: sent %+v", size, w.box.sent)
			}
			w.shows("Nothing was sent: this ask changed")
			w.shows("you typed that. Read it again.")
		})
	}
}
