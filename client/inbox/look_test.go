package inbox

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// rules replaces what "always" would allow.
func rules(rule string) func(*client.Ask) {
	return func(a *client.Ask) {
		approval := *a.Approval
		approval.Always = []text.Text{text.New(rule)}
		a.Approval = &approval
	}
}

// question makes an ask with one question of two options.
func question(n int, labels ...string) *client.Ask {
	a := ask(n)
	a.Kind, a.Approval, a.Offers = client.Question, nil, client.Offered(client.ActAnswer, client.ActDismiss)
	q := client.QuestionAsk{ID: "q", Text: text.New("Which one?")}
	for i, l := range labels {
		q.Options = append(q.Options, client.Option{ID: string(rune('a' + i)), Label: text.New(l)})
	}
	a.Questions = []client.QuestionAsk{q}
	return a
}

var first = client.Answer{Questions: []client.QuestionAnswer{{ID: "q", Choices: []string{"a"}}}}

// TestChangeBetweenTwoPolls is seen by reading the ask once more, however long the
// poll is and however late in the hold it changes.
func TestChangeBetweenTwoPolls(t *testing.T) {
	shell := func(c string) *client.Ask { return ask(1, command(c)) }
	rule := func(r string) *client.Ask { return ask(1, rules(r)) }
	for _, tt := range []struct {
		name       string
		shown, now *client.Ask
		answer     client.Answer
		undo       time.Duration
		at         time.Duration // after the key
		refused    bool
	}{
		{"before the key", shell("ls -la build"), shell("rm -rf build/../src"), allow, undo, 0, true},
		{"without undo", shell("ls -la build"), shell("rm -rf build/../src"), allow, 0, -1, true},
		{"in the last moment", shell("ls -la build"), shell("rm -rf build/../src"), allow, undo, undo - lookAhead - time.Millisecond, true},
		{"the rule of always", rule("Bash(ls:*)"), rule("Bash(*)"), client.Answer{Decision: client.Always}, undo, 0, true},
		{"with a message", shell("ls"), shell("rm"), client.Answer{Decision: client.Allow, Message: "looks good"}, undo, 0, true},
		{"what an option means", question(1, "Keep", "Delete"), question(1, "Delete", "Keep"), first, undo, 0, true},
		{"a denial", shell("ls"), shell("rm"), deny, undo, 0, false},
		{"a dismissal", shell("ls"), shell("rm"), client.Answer{Dismiss: true}, undo, 0, false},
		{"nothing", shell("ls"), shell("ls"), allow, undo, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStreaming(tt.shown) // its events do not tell of the change
				play(t, Options{Undo: tt.undo, Poll: 10 * time.Second}, func(t *testing.T, b *Inbox) {
					after(time.Second)
					change := func() { s.set(func(d *double) { d.asks = []*client.Ask{tt.now} }) }
					if tt.at < 0 {
						change()
					}
					began := time.Now()
					var took time.Duration
					s.takes = func(_ int, a *client.Ask, answer client.Answer) (*client.Ask, error) {
						took = time.Since(began)
						how, by := byMe(answer)
						return s.end(a.Ref, how, by), nil
					}
					send(t, b, tt.shown, tt.answer)
					if tt.at >= 0 {
						after(tt.at)
						change()
					}
					after(tt.undo)
					f := flightOf(t, b, tt.shown)
					if !tt.refused {
						if f.State != Done || took != tt.undo {
							t.Fatalf("state %d after %v: %v", f.State, took, f.Err)
						}
						return
					}
					var changed *Changed
					if f.State != Refused || !errors.As(f.Err, &changed) || len(s.sent) != 0 {
						t.Fatalf("state %d, sent %v: %v", f.State, s.sent, f.Err)
					}
					if changed.Sent || !changed.Shown.SameContent(tt.shown) || !changed.Item.Ask.SameContent(tt.now) {
						t.Errorf("it says %+v", changed)
					}
					if now := b.Latest().Find(tt.shown.Ref); now.Digest != tt.now.Digest() || len(b.Unsent()) != 0 {
						t.Errorf("shown as %v, unsent %v", now.Ask.What(), b.Unsent())
					}
				}, s)
			})
		})
	}
}

// TestChangeThatChangesBack refuses all the same: it was not what was shown at a
// moment when the answer could have been sent. One poll, one event, or a reading
// that is older than the newest list says so.
func TestChangeThatChangesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := ask(1)
		s := newStreaming(a)
		play(t, Options{Undo: undo, Poll: time.Minute}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			s.events <- client.Event{Opened: ask(1, command("rm -rf ~"))}
			s.events <- client.Event{Opened: a}
			b.Refresh("")
			after(time.Minute)
			if f := flightOf(t, b, a); f.State != Refused || len(s.sent) != 0 {
				t.Errorf("state %d, sent %v", f.State, s.sent)
			}
		}, s)
	})
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		d.reads = func(int, *client.Ask) (*client.Ask, error) { // what was there when it was asked
			time.Sleep(2 * time.Second)
			return ask(1, command("rm -rf ~")), nil
		}
		play(t, Options{Poll: time.Second}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			after(time.Minute)
			if f := flightOf(t, b, a); f.State != Refused || len(d.sent) != 0 {
				t.Errorf("state %d, sent %v: %v", f.State, d.sent, f.Err)
			}
			if it := b.Latest().Find(a.Ref); it.Digest != a.Digest() {
				t.Errorf("an older reading overrules the list: %v", it.Ask.What())
			}
		}, d)
	})
}

// TestRelayThatCannotBeRead is asked again for a while, with the answer held, and
// then nothing is sent.
func TestRelayThatCannotBeRead(t *testing.T) {
	for _, tt := range []struct {
		name  string
		err   error
		fails int // readings, from the first
		state FlightState
		reads int // at most
		wait  time.Duration
		limit time.Duration // for which the relay wants to be left alone, in place of err
	}{
		{"for a moment", refusedConnection, 2, Done, 3, 10 * time.Second, 0},
		{"for long", refusedConnection, 1000, Refused, 12, undo + lookFor, 0},
		{"with errors of its own", &client.Failed{Status: 502}, 1000, Refused, 12, undo + lookFor, 0},
		{"with a limit for now", nil, 1, Done, 2, 10 * time.Second, undo + 5*time.Second},
		{"with a limit for long", nil, 1000, Refused, 1, undo, time.Hour},
		{"because of the token", &client.TokenRefused{}, 1000, Refused, 1, undo, 0},
		{"because it is forbidden", &client.Failed{Status: 403}, 1000, Refused, 1, undo, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, d := ask(1), newDouble(ask(1))
				if tt.err == nil {
					tt.err = &client.RateLimited{Until: time.Now().Add(tt.limit)}
				}
				d.reads = func(n int, a *client.Ask) (*client.Ask, error) {
					if n <= tt.fails {
						return nil, tt.err
					}
					return ask(1), nil
				}
				play(t, Options{Undo: undo, Poll: time.Minute}, func(t *testing.T, b *Inbox) {
					send(t, b, a, allow)
					after(undo + time.Millisecond)
					if f := flightOf(t, b, a); tt.reads > 1 && (f.State != Held || !errors.Is(f.Err, tt.err)) {
						t.Errorf("after the first reading: state %d, %v", f.State, f.Err)
					}
					after(tt.wait)
					f := flightOf(t, b, a)
					if f.State != tt.state || f.State == Refused && (len(d.sent) != 0 || !errors.Is(f.Err, tt.err)) {
						t.Errorf("state %d, sent %v: %v", f.State, d.sent, f.Err)
					}
					if d.gets > tt.reads {
						t.Errorf("read %d times", d.gets)
					}
					var unread *Unread
					if f.State == Refused && (!errors.As(f.Err, &unread) || unread.Again) {
						t.Errorf("it says %v", f.Err)
					}
				}, d)
			})
		})
	}
}

// TestRelayThatIsKnownToBeGone is not waited for: the keys come back at once.
func TestRelayThatIsKnownToBeGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
			after(time.Second)
			d.mu.Lock()
			d.down = refusedConnection
			d.mu.Unlock()
			after(5 * time.Second)
			send(t, b, a, allow)
			after(undo + time.Millisecond)
			var unread *Unread
			if f := flightOf(t, b, a); f.State != Refused || !errors.As(f.Err, &unread) || unread.Again || len(d.sent) != 0 {
				t.Errorf("state %d, sent %v: %v", f.State, d.sent, f.Err)
			}
		}, d)
	})
}

// TestUndoWhileItIsRead takes the answer back also after its time, as long as
// nothing was sent, and the reading ends with it.
func TestUndoWhileItIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		d.reads = func(int, *client.Ask) (*client.Ask, error) { return nil, refusedConnection }
		play(t, Options{Undo: undo, Poll: time.Minute}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			after(undo + 2*time.Second)
			if _, ok := b.Undo(a.Ref); !ok {
				t.Fatalf("not taken back: %+v", flightOf(t, b, a))
			}
			_, gets, _ := d.count()
			after(time.Minute)
			if _, now, sent := d.count(); now != gets || sent != 0 || b.Latest().Find(a.Ref).Flight != nil {
				t.Errorf("read %d times more, sent %d", now-gets, sent)
			}
		}, d)
	})
}

// TestClosedWhenItIsRead says so, and sends nothing.
func TestClosedWhenItIsRead(t *testing.T) {
	for _, tt := range []struct {
		name string
		over func(d *double)
		how  client.Status
	}{
		{"by Grace", func(d *double) { d.end(ask(1).Ref, client.Answered, byGrace("deny")) }, client.Answered},
		{"without a word", func(d *double) { d.set(func(d *double) { d.asks = nil }) }, client.Gone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, d := ask(1), newDouble(ask(1))
				play(t, Options{Undo: undo, Poll: time.Minute}, func(t *testing.T, b *Inbox) {
					send(t, b, a, allow)
					tt.over(d)
					after(undo)
					if f, it := flightOf(t, b, a), b.Latest().Find(a.Ref); f.State != TooLate || it.Ask.Status != tt.how || len(d.sent) != 0 {
						t.Errorf("state %d, %v, sent %v", f.State, it.Ask.Status, d.sent)
					}
				}, d)
			})
		})
	}
}

// TestASecondAnswer is refused while the first one is on its way, held or read for.
func TestASecondAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		play(t, Options{Poll: time.Minute}, func(t *testing.T, b *Inbox) {
			d.set(func(d *double) { d.slow = 800 * time.Millisecond })
			send(t, b, a, allow)
			for range 3 {
				var busy *Busy
				if err := b.Send(a.Ref, a.Digest(), deny); !errors.As(err, &busy) {
					t.Errorf("got %v", err)
				}
				after(400 * time.Millisecond)
			}
			after(time.Minute)
			if len(d.sent) != 1 || flightOf(t, b, a).State != Done {
				t.Errorf("sent %v", d.sent)
			}
		}, d)
	})
}

// TestLostReplyToWhatChanged is not sent again, and not said to be unsent.
func TestLostReplyToWhatChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		d.takes = func(int, *client.Ask, client.Answer) (*client.Ask, error) {
			d.set(func(d *double) { d.asks = []*client.Ask{ask(1, command("rm -rf ~"))} })
			return nil, &client.Uncertain{Err: errors.New("the reply was a redirect")}
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			after(time.Minute)
			var changed *Changed
			if f := flightOf(t, b, a); f.State != NotKnown || !errors.As(f.Err, &changed) || !changed.Sent || len(d.sent) != 1 {
				t.Errorf("state %d, sent %v: %v", f.State, d.sent, f.Err)
			}
			if !isOpen(b, a) || len(b.Unsent()) != 0 {
				t.Error("it is open, and can be answered again")
			}
		}, d)
	})
}

// TestLostReplyToWhatChangedBack is not sent again either: what it was taken for, if
// it was, is not known.
func TestLostReplyToWhatChangedBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, s := ask(1), newStreaming(ask(1))
		s.takes = func(int, *client.Ask, client.Answer) (*client.Ask, error) {
			s.events <- client.Event{Opened: ask(1, command("rm -rf ~"))}
			s.events <- client.Event{Opened: ask(1)}
			time.Sleep(time.Second)
			return nil, &client.Uncertain{Err: errors.New("the connection broke")}
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			after(time.Minute)
			if f := flightOf(t, b, a); f.State != NotKnown || len(s.sent) != 1 {
				t.Errorf("state %d, sent %v: %v", f.State, s.sent, f.Err)
			}
		}, s)
	})
}

// TestListThatLagsBehindALostReply has the ask open after the relay has said alone
// that it is closed: the answer is not sent a second time.
func TestListThatLagsBehindALostReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		d.lists = func(n int) (client.Batch, error) {
			return client.Batch{Asks: []*client.Ask{ask(1)}, Complete: true}, nil
		}
		d.takes = func(_ int, a *client.Ask, answer client.Answer) (*client.Ask, error) {
			how, by := byMe(answer)
			over := d.end(a.Ref, how, by)
			d.set(func(d *double) {
				d.reads = func(int, *client.Ask) (*client.Ask, error) {
					time.Sleep(time.Second) // and lists begin and end meanwhile
					return over, nil
				}
			})
			return nil, &client.Uncertain{Err: errors.New("the connection broke")}
		}
		play(t, Options{Poll: 300 * time.Millisecond}, func(t *testing.T, b *Inbox) {
			send(t, b, a, allow)
			after(2 * time.Second)
			if f := flightOf(t, b, a); f.State != Done || len(d.sent) != 1 {
				t.Errorf("state %d, sent %v", f.State, d.sent)
			}
		}, d)
	})
}
