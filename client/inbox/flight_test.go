package inbox

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
)

const undo = 3 * time.Second

// TestAnswerIsHeldSentOnceAndDone is the way of nearly every answer.
func TestAnswerIsHeldSentOnceAndDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1), ask(2))
		play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			if f := flightOf(t, b, a); f.State != Held || !f.Until.Equal(time.Now().Add(undo)) {
				t.Fatalf("not held: %+v", f)
			}
			var busy *Busy
			if err := b.Send(a.Ref, b.Latest().Find(a.Ref).Digest, deny); !errors.As(err, &busy) {
				t.Errorf("a second answer was not refused as busy: %v", err)
			}
			after(undo - time.Millisecond)
			if _, _, sent := d.count(); sent != 0 {
				t.Fatal("sent before its time")
			}
			after(time.Second)
			if f := flightOf(t, b, a); f.State != Done {
				t.Errorf("not done: %+v", f)
			}
			if isOpen(b, a) || !isOpen(b, ask(2)) {
				t.Error("the answered ask has to leave the list, and the other one to stay")
			}
			after(time.Minute)
			if len(d.sent) != 1 || d.sent[0].Decision != client.Allow {
				t.Errorf("sent %v", d.sent)
			}
			if l := b.Latest().Answered; len(l) != 1 || !l[0].Here || !l[0].ByMe || l[0].Ref != a.Ref {
				t.Errorf("answered: %+v", l)
			}
		}, d)
	})
}

func TestUndoInTimeSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
			send(t, b, a, client.Answer{Decision: client.Deny, Message: "not now"})
			after(undo / 2)
			if answer, ok := b.Undo(a.Ref); !ok || answer.Message != "not now" {
				t.Fatalf("not taken back: %v %v", answer, ok)
			}
			after(time.Minute)
			if it := b.Latest().Find(a.Ref); it.Flight != nil || len(d.sent) != 0 {
				t.Errorf("something was sent or is still shown: %+v %v", it.Flight, d.sent)
			}
			send(t, b, a, allow)
			after(undo)
			if _, ok := b.Undo(a.Ref); ok {
				t.Error("taken back after it was sent")
			}
		}, d)
	})
}

// TestUndoAtTheVeryMoment takes the answer back in the same instant in which it
// would be sent: either it is taken back, or it is sent, and never both.
func TestUndoAtTheVeryMoment(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			a, d := ask(1), newDouble(ask(1))
			play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
				send(t, b, a, allow)
				time.Sleep(undo)
				_, back := b.Undo(a.Ref)
				after(time.Second)
				if _, _, sent := d.count(); back == (sent == 1) {
					t.Fatalf("taken back: %v, sent %d times", back, sent)
				}
			}, d)
		})
	}
}

func TestSendIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
			var changed *Changed
			if err := b.Send(a.Ref, "another digest", allow); !errors.As(err, &changed) || changed.Item == nil {
				t.Errorf("got %v", err)
			}
			var closed *client.Closed
			if err := b.Send(ask(9).Ref, "", allow); !errors.As(err, &closed) {
				t.Errorf("got %v", err)
			}
			var invalid *client.InvalidAnswer
			if err := b.Send(a.Ref, a.Digest(), client.Answer{}); !errors.As(err, &invalid) {
				t.Errorf("got %v", err)
			}
			d.end(a.Ref, client.Answered, byGrace("deny"))
			after(2 * time.Second)
			if err := b.Send(a.Ref, a.Digest(), allow); !errors.As(err, &closed) || closed.Ask == nil || closed.Ask.Closing.By.Name.Raw() != "Grace" {
				t.Errorf("got %v", err)
			}
			if len(d.sent) != 0 || len(b.Unsent()) != 0 {
				t.Error("something was taken")
			}
		}, d)
	})
}

// TestTheSameIDInAnotherSession is another ask.
func TestTheSameIDInAnotherSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := ask(1)
		two := ask(1, command("rm -rf /"), func(a *client.Ask) { a.Ref.Session, a.Session.ID = "cs_2", "cs_2" })
		var got client.Ref
		d := newDouble(one, two)
		d.takes = func(_ int, a *client.Ask, answer client.Answer) (*client.Ask, error) {
			got = a.Ref
			return d.end(a.Ref, client.Answered, client.Closing{}), nil
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			send(t, b, two, allow)
			if got != two.Ref || isOpen(b, two) || !isOpen(b, one) {
				t.Errorf("answered %v", got)
			}
		}, d)
	})
}

// TestContentChangesWhileHeld sends nothing: it is not what was read.
func TestContentChangesWhileHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			d.set(func(d *double) { d.asks = []*client.Ask{ask(1, command("rm -rf ~"))} })
			after(undo + time.Second)
			f := flightOf(t, b, a)
			var changed *Changed
			if f.State != Refused || !errors.As(f.Err, &changed) || changed.Item.Ask.Approval.Parts[0].Text.Raw() != "rm -rf ~" {
				t.Errorf("got %+v", f)
			}
			if len(d.sent) != 0 {
				t.Error("an answer to other content was sent")
			}
			b.Forget(a.Ref)
			if b.Latest().Find(a.Ref).Flight != nil {
				t.Error("not forgotten")
			}
		}, d)
	})
}

func TestClosedWhileHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			d.end(a.Ref, client.Answered, byGrace("deny"))
			after(2 * time.Second)
			it := b.Latest().Find(a.Ref)
			if it.Flight.State != TooLate || it.Ask.Closing.By.Name.Raw() != "Grace" {
				t.Errorf("got %+v", it.Flight)
			}
			after(time.Minute)
			if len(d.sent) != 0 {
				t.Error("sent to a closed ask")
			}
		}, d)
	})
}

// TestNothingIsSentUnseen is for a relay that has not answered for minutes: the
// ask is read first, and nothing is sent where that fails.
func TestNothingIsSentUnseen(t *testing.T) {
	down := &client.Unreachable{Reason: "ECONNREFUSED"}
	for _, tt := range []struct {
		name  string
		reads func(int, *client.Ask) (*client.Ask, error)
		state FlightState
		sent  int
	}{
		{"it cannot be read", func(int, *client.Ask) (*client.Ask, error) { return nil, down }, Refused, 0},
		{"it is another one", func(int, *client.Ask) (*client.Ask, error) { return ask(1, command("rm -rf ~")), nil }, Refused, 0},
		{"it is closed", func(_ int, a *client.Ask) (*client.Ask, error) { return ended(a, client.Withdrawn, ""), nil }, TooLate, 0},
		{"it is not found", func(int, *client.Ask) (*client.Ask, error) { return nil, &client.NotFound{} }, TooLate, 0},
		{"it is the same", func(int, *client.Ask) (*client.Ask, error) { return ask(1), nil }, Done, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, d := ask(1), newDouble(ask(1))
				play(t, Options{}, func(t *testing.T, b *Inbox) {
					d.set(func(d *double) {
						d.lists = func(int) (client.Batch, error) { return client.Batch{}, down }
						d.reads = tt.reads
					})
					after(5 * time.Minute)
					send(t, b, a, allow)
					after(lookFor)
					if f := flightOf(t, b, a); f.State != tt.state || len(d.sent) != tt.sent {
						t.Errorf("state %d, sent %d: %v", f.State, len(d.sent), f.Err)
					}
				}, d)
			})
		})
	}
}

// TestExpiredIsReadBeforeItIsAnswered goes by the relay's clock, an hour ahead.
func TestExpiredIsReadBeforeItIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		expires := time.Now().Add(time.Hour + 10*time.Second)
		a := ask(1, func(a *client.Ask) { a.Expires = expires })
		d := newDouble(a)
		d.ahead = time.Hour
		play(t, Options{Poll: 20 * time.Second}, func(t *testing.T, b *Inbox) {
			if g := b.Latest().Groups[0]; g.Skew != time.Hour {
				t.Fatalf("skew %v", g.Skew)
			}
			d.reads = func(_ int, a *client.Ask) (*client.Ask, error) { return ended(a, client.Expired, ""), nil }
			after(11 * time.Second)
			send(t, b, a, allow)
			if f := flightOf(t, b, a); f.State != TooLate || len(d.sent) != 0 {
				t.Errorf("state %d, sent %d", f.State, len(d.sent))
			}
		}, d)
	})
}

// TestOthersClosedBesideAnAlways are told of as the relay tells of them: that the
// rule did it is nothing that the program may guess.
func TestOthersClosedBesideAnAlways(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1), ask(2), ask(3), ask(4))
		d.takes = func(_ int, a *client.Ask, answer client.Answer) (*client.Ask, error) {
			_, mine := byMe(deny)
			d.end(ask(2).Ref, client.Answered, mine)
			d.end(ask(3).Ref, client.Answered, client.Closing{By: client.Actor{Type: client.ActorSystem}, Note: "blocked by policy"})
			d.set(func(d *double) { d.asks = slices.Delete(d.asks, 1, 2) }) // the fourth is gone without a word
			return d.end(a.Ref, client.Answered, client.Closing{}), nil
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			send(t, b, ask(1), client.Answer{Decision: client.Always})
			after(5 * time.Second)
			s := b.Latest()
			if c := s.Find(ask(2).Ref).Ask.Closing; !c.By.Me || c.Answer[0].Raw() != "deny" || c.Note != "" {
				t.Errorf("denied by me: %+v", c)
			}
			if c := s.Find(ask(3).Ref).Ask.Closing; c.By.Type != client.ActorSystem || c.Note != "blocked by policy" {
				t.Errorf("denied by a policy: %+v", c)
			}
			if it := s.Find(ask(4).Ref); it.Ask.Status != client.Gone || it.Ask.Closing.Note != gone {
				t.Errorf("gone: %+v", it.Ask)
			}
			if len(s.Notices) != 0 {
				t.Errorf("notices: %v", s.Notices)
			}
		}, d)
	})
}

func TestCloseTellsWhatIsLoose(t *testing.T) {
	for _, tt := range []struct {
		name  string
		flush bool
		slow  time.Duration
		why   string
		sent  int
	}{
		{"held and dropped", false, 0, notSent, 0},
		{"held and sent", true, 0, "", 1},
		{"sent and not confirmed in time", true, 10 * time.Second, notConfirmed, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDouble(ask(1))
				b := New(Options{Sources: []Source{{Name: "work", Relay: d}}, Poll: time.Minute, Undo: time.Minute})
				b.Start()
				synctest.Wait()
				send(t, b, ask(1), deny)
				if refs := b.Unsent(); len(refs) != 1 || refs[0] != ask(1).Ref {
					t.Errorf("unsent: %v", refs)
				}
				d.set(func(d *double) { d.slow = tt.slow })
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
				defer cancel()
				began := time.Now()
				loose := b.Close(ctx, tt.flush)
				if took := time.Since(began); took > 2*time.Second {
					t.Errorf("took %v", took)
				}
				if tt.why == "" && len(loose) != 0 || tt.why != "" && (len(loose) != 1 || loose[0].Why != tt.why || loose[0].What == "") {
					t.Errorf("loose: %+v", loose)
				}
				if len(d.sent) != tt.sent {
					t.Errorf("sent %d times", len(d.sent))
				}
				if err := b.Send(ask(1).Ref, ask(1).Digest(), allow); err == nil {
					t.Error("taken after the end")
				}
			})
		})
	}
}
