package inbox

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/history"
)

// TestAnotherContentWasAnswered is said once, and both contents are kept, whatever
// told of the relay's: the reply, an event before or after it, or a later list.
func TestAnotherContentWasAnswered(t *testing.T) {
	shown, other := ask(1, command("ls -la build")), ask(1, command("rm -rf build/../src"))
	otherRule := ask(1, command("ls -la build"), rules("Bash(*)"))
	closed := func(a *client.Ask, answer client.Answer) *client.Ask {
		c := *a
		how, by := byMe(answer)
		c.Status, c.Closing, c.Offers = how, &by, client.Refused("it is over")
		return &c
	}
	bare := func(a *client.Ask, answer client.Answer) *client.Ask { // the relay does not repeat the content
		c := closed(a, answer)
		c.Approval = nil
		return c
	}
	part := func(a *client.Ask, answer client.Answer) *client.Ask { // it repeats the tool alone
		c := closed(a, answer)
		c.Approval = &client.ApprovalAsk{Tool: a.Approval.Tool}
		return c
	}
	lost := &client.Uncertain{Err: errors.New("the connection broke")}
	always := client.Answer{Decision: client.Always}
	for _, tt := range []struct {
		name        string
		answer      client.Answer
		takes       func(s *streaming) (*client.Ask, error)
		later       func(s *streaming)
		here, there string
	}{
		{name: "the reply", answer: allow, here: "ls -la build", there: "rm -rf build/../src",
			takes: func(*streaming) (*client.Ask, error) { return closed(other, allow), nil }},
		{name: "the rule in the reply", answer: always, here: "Bash(make)", there: "Bash(*)",
			takes: func(*streaming) (*client.Ask, error) { return closed(otherRule, always), nil }},
		{name: "an event before the reply", answer: allow, here: "ls -la build", there: "rm -rf build/../src",
			takes: func(s *streaming) (*client.Ask, error) {
				s.events <- client.Event{Closed: closed(other, allow)}
				time.Sleep(time.Second)
				return bare(shown, allow), nil
			}},
		{name: "an event while it was open", answer: allow, here: "ls -la build", there: "rm -rf build/../src",
			takes: func(s *streaming) (*client.Ask, error) {
				s.events <- client.Event{Opened: other}
				time.Sleep(time.Second)
				return closed(shown, allow), nil // a copy of what was sent
			}},
		{name: "an event after the reply", answer: allow, here: "ls -la build", there: "rm -rf build/../src",
			takes: func(*streaming) (*client.Ask, error) { return bare(shown, allow), nil },
			later: func(s *streaming) { s.events <- client.Event{Closed: closed(other, allow)} }},
		{name: "the list of closed asks", answer: allow, here: "ls -la build", there: "rm -rf build/../src",
			takes: func(*streaming) (*client.Ask, error) { return bare(shown, allow), nil },
			later: func(s *streaming) {
				s.set(func(d *double) { d.shut = client.Batch{Asks: []*client.Ask{closed(other, allow)}, Complete: true} })
			}},
		{name: "after a lost reply", answer: allow, here: "ls -la build", there: "rm -rf build/../src",
			takes: func(s *streaming) (*client.Ask, error) {
				s.set(func(d *double) { d.asks, d.over[shown.Ref] = nil, closed(other, allow) })
				return nil, lost
			}},
		{name: "the same", answer: allow, takes: func(*streaming) (*client.Ask, error) { return closed(shown, allow), nil },
			later: func(s *streaming) { s.events <- client.Event{Closed: closed(shown, allow)} }},
		{name: "a part of it is told", answer: allow, takes: func(*streaming) (*client.Ask, error) { return part(shown, allow), nil }},
		{name: "nothing is told", answer: allow, takes: func(*streaming) (*client.Ask, error) { return bare(shown, allow), nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store, err := history.Open(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				s := newStreaming(shown)
				s.takes = func(int, *client.Ask, client.Answer) (*client.Ask, error) {
					now, err := tt.takes(s)
					s.set(func(d *double) { d.asks = nil })
					return now, err
				}
				play(t, Options{Undo: undo, History: store}, func(t *testing.T, b *Inbox) {
					send(t, b, shown, tt.answer)
					after(undo + 2*time.Second)
					if tt.later != nil {
						tt.later(s)
					}
					after(3 * time.Minute)
					it, f := b.Latest().Find(shown.Ref), flightOf(t, b, shown)
					if f.State != Done || !it.Ask.Status.Closed() || !shown.SameContent(it.Ask) {
						t.Errorf("state %d, shown as %v", f.State, it.Ask.What())
					}
					said := 0
					for _, n := range b.Latest().Notices {
						if strings.Contains(n.Text, Differ) {
							said++
						}
					}
					differs := tt.there != ""
					if differs != (f.Differs != nil) || differs != (said == 1) || !differs && said != 0 {
						t.Errorf("differs %v, said %d times", f.Differs, said)
					}
					if f.Differs != nil && f.Differs.SameContent(shown) {
						t.Errorf("it differs as %v", f.Differs.What())
					}
					kept, err := store.Since(time.Time{})
					if err != nil {
						t.Fatal(err)
					}
					file := make([]*history.Entry, len(kept))
					for i := range kept {
						file[i] = &kept[i]
					}
					for where, all := range map[string][]*history.Entry{"list": b.Latest().Answered, "file": file} {
						if len(all) == 0 {
							t.Fatalf("%s: nothing", where)
						}
						e := all[0]
						if e.What.Raw() != "ls -la build" || e.Shown.Raw() != tt.here || e.Told.Raw() != tt.there || differs != (e.Note == Differ) {
							t.Errorf("%s: %+v", where, e)
						}
					}
				}, s)
			})
		})
	}
}

// TestListOfClosedAsksKeepsWhatWasShown by an askbox that ended since.
func TestListOfClosedAsksKeepsWhatWasShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, err := history.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		how, by := byMe(allow)
		over := ask(1, command("rm -rf ~"), func(a *client.Ask) { a.Status, a.Closing = how, &by })
		e := entry(ask(1, command("ls"), func(a *client.Ask) { a.Status, a.Closing = how, &by }), 0)
		e.Here = true
		if err := store.Append(*e); err != nil {
			t.Fatal(err)
		}
		d := newDouble()
		d.shut = client.Batch{Asks: []*client.Ask{over}, Complete: true}
		play(t, Options{History: store}, func(t *testing.T, b *Inbox) {
			after(2 * time.Minute)
			if l := b.Latest().Answered; len(l) != 1 || l[0].What.Raw() != "ls" || l[0].Shown.Raw() != "ls" || l[0].Told.Raw() != "rm -rf ~" || l[0].Note != Differ {
				t.Errorf("listed %+v", l)
			}
		}, d)
	})
}
