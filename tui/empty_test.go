package tui

import (
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/inbox"
)

// An empty list says why it is empty, and never more than is known.
func TestAnEmptyListSaysWhy(t *testing.T) {
	up := inbox.State{Asked: true, Reachable: true}
	part := inbox.State{Asked: true, Reachable: true, Partial: "the requests of 1 session could not be read"}
	down := inbox.State{Asked: true, Reason: "ECONNREFUSED", Next: day.Add(time.Hour)}
	for _, c := range []struct {
		name   string
		states []inbox.State
		want   string
	}{
		{"first frame", []inbox.State{{}, up}, "Asking the relays…"},
		{"all answer", []inbox.State{up, up}, "Nothing is open. New asks"},
		{"one is down", []inbox.State{up, down}, "Nothing is open on the relays that answer."},
		{"all are down", []inbox.State{down, down}, "No relay could be read."},
		{"one is read in part", []inbox.State{up, part}, "Nothing open could be read, but the list of relay1 may not be whole."},
		{"one is down, one read in part", []inbox.State{down, part}, "Nothing open could be read, but the list of relay1 may not be whole."},
	} {
		for _, width := range []int{80, 120} {
			t.Run(c.name, func(t *testing.T) {
				story(t, func(t *testing.T) {
					var groups []*inbox.Group
					for i, s := range c.states {
						g := group("relay"+itoa(i), 1)
						g.State = s
						groups = append(groups, g)
					}
					newWorld(t, width, 24, groups...).shows(c.want)
				})
			})
		}
	}
}

// Where a list may not be whole, nothing says that it is empty, and every count says
// that it may be more (H17).
func TestCountsOfAPartOfTheAsks(t *testing.T) {
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 24}} {
		story(t, func(t *testing.T) {
			part := group("work", 1)
			part.State.Partial = "the requests of 1 session could not be read"
			w := newWorld(t, size[0], size[1], part, group("home", 1, approval("home", "1", "ls", 0)))
			w.shows("[All 1+]")
			w.shows("Agents 0+")
			w.shows("─ 0+")
			w.hides("nothing open")
			w.key("f", "f")
			w.hides("Nothing is open under Agents.")
			part = group("work", 2)
			w.publish(w.snap(part))
			w.shows("Agents 0]")
			w.shows("─ 0 ")
		})
	}
}

// A filter without an ask says which filters have some.
func TestAnEmptyFilterSaysWhereTheAsksAre(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 24, group("work", 1, approval("work", "1", "ls", 0)))
		w.key("F")
		w.shows("[Agents 0]")
		w.shows("Nothing is open under Agents.")
		w.shows("All has 1.")
		w.key("f")
		w.hides("Nothing is open")
	})
}

// Where a relay does not tell whose token it is, Mine says so instead of looking done.
func TestMineSaysWhereNobodyKnowsWhoseAnAskIs(t *testing.T) {
	story(t, func(t *testing.T) {
		item := approval("work", "1", "ls", 0)
		item.Ask.Session.Starter, item.Ask.Session.StartedBy = client.StarterUnknown, client.Actor{ID: "u1", MaybeMe: true}
		w := newWorld(t, 120, 24, group("work", 1, item))
		w.key("f")
		w.shows("Nothing is open under Mine.")
		w.shows("work may be yours: the relay does not tell whose token this")
		w.key("f")
		w.hides("may be yours")
	})
}

// The name of a relay that came from another one is quoted in a sentence of the
// program (H13).
func TestNamesFromRelaysAreQuotedWhereNothingIs(t *testing.T) {
	story(t, func(t *testing.T) {
		item := approval("work", "1", "ls", 0)
		item.Ask.Session.Starter, item.Ask.Session.StartedBy = client.StarterUnknown, client.Actor{ID: "u1", MaybeMe: true}
		g := group("you. All is done", 1, item)
		g.Via = "work"
		w := newWorld(t, 120, 24, g)
		w.key("f")
		w.shows(`"you. All is done"`)
	})
}

// The footer does not say again what the ask says of its keys.
func TestFooterLeavesTheAnswersKeysToTheAsk(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 120, 24, group("work", 1, approval("work", "1", "ls", 0)))
		footer := func() string {
			lines := strings.Split(w.frame(), "\n")
			return lines[len(lines)-1]
		}
		for _, key := range []string{"a allow", "d deny", "x dismiss"} {
			if strings.Contains(footer(), key) {
				t.Errorf("the footer says %q again: %s", key, footer())
			}
		}
		w.key("D")
		if f := footer(); strings.Contains(f, "sends") || !strings.Contains(f, "pgup pgdn read the ask") {
			t.Errorf("while a reason is typed: %s", f)
		}
	})
}

// Where the ask has no line left for them, the footer says what the keys do.
func TestFooterSaysTheKeysWhereTheAskCannot(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 40, 10, group("work", 1, approval("work", "1", "ls", 0)))
		w.key("enter", "D")
		w.shows("enter sends  esc keeps it")
	})
}

// The list opens at its top, whichever relay answers first, and no reply moves
// the cursor from where it was put.
func TestTheListOpensAtItsTop(t *testing.T) {
	for _, width := range []int{80, 120} {
		story(t, func(t *testing.T) {
			work, home := group("work", 1), group("home", 1, approval("home", "1", "make", 0))
			work.State = inbox.State{}
			w := newWorld(t, width, 24, work, home)
			w.shows("make")
			w.shows("Asking the relays…")
			if _, item := w.m.list.Selected(); item != nil {
				t.Fatalf("the cursor is on %s before the relay above was asked", item.Ask.ID)
			}
			w.publish(w.snap(group("work", 2, approval("work", "2", "ls", 0)), home))
			if w.under() != "2" {
				t.Fatalf("the cursor is on %s, not at the top", w.under())
			}
		})
	}
}

// A key does not wait for a relay that hangs: the cursor goes to what is there,
// and stays.
func TestAKeyGoesToWhatIsThere(t *testing.T) {
	for _, key := range []string{"j", "enter"} {
		story(t, func(t *testing.T) {
			work, home := group("work", 1), group("home", 1, approval("home", "1", "make", 0))
			work.State = inbox.State{}
			w := newWorld(t, 80, 24, work, home)
			w.key(key)
			if w.under() != "1" {
				t.Fatalf("%s went to %s", key, w.under())
			}
			w.publish(w.snap(group("work", 2, approval("work", "2", "ls", 0)), home))
			if w.under() != "1" {
				t.Fatalf("a reply moved the cursor to %s", w.under())
			}
		})
	}
}
