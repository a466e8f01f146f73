package inbox

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/history"
)

// TestAnAnswerThatDidNotCountIsNotSilent: somebody else is first while it is held, or when
// it is sent. Its row stays, it is said who was first and how, and the history has both.
func TestAnAnswerThatDidNotCountIsNotSilent(t *testing.T) {
	for name, first := range map[string]func(d *double, a *client.Ask) (*client.Ask, error){
		"while it is held": nil,
		"when it is sent": func(d *double, a *client.Ask) (*client.Ask, error) {
			return nil, &client.Closed{Ask: d.end(a.Ref, client.Answered, graceWith(deny))}
		},
		"and the relay does not say how": func(d *double, a *client.Ask) (*client.Ask, error) {
			d.set(func(d *double) { d.asks = d.asks[1:] })
			return nil, &client.NotFound{}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, err := history.Open(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				d := newDouble(ask(1), ask(2))
				if first != nil {
					d.takes = func(_ int, a *client.Ask, _ client.Answer) (*client.Ask, error) { return first(d, a) }
				}
				play(t, Options{Undo: undo, History: store}, func(t *testing.T, b *Inbox) {
					send(t, b, ask(1), allow)
					if first == nil {
						d.end(ask(1).Ref, client.Answered, graceWith(deny))
					}
					after(time.Minute)
					row := listed(b, ask(1))
					if row == nil || row.Flight == nil || row.Flight.State != TooLate || b.Latest().Counts()[0] != 1 {
						t.Fatalf("its row: %+v", row)
					}
					n := b.Latest().Notices
					if len(n) != 1 || !strings.Contains(n[0].Text, "allow") || strings.Contains(name, "how") == strings.Contains(n[0].Text, `denied by "Grace"`) {
						t.Errorf("said: %+v", n)
					}
					kept, err := store.Since(time.Now().Add(-time.Hour))
					if err != nil || len(kept) != 1 {
						t.Fatalf("kept: %+v, %v", kept, err)
					}
					for where, e := range map[string]*history.Entry{"day": b.Latest().Answered[0], "file": &kept[0]} {
						if e.Tried == nil || e.Tried.End != history.TooLate || e.Tried.Answer.Decision != client.Allow || e.Here || e.Mine() {
							t.Errorf("%s: %+v", where, e)
						}
						if first != nil && strings.Contains(name, "how") {
							continue
						}
						if e.By.Raw() != "Grace" || e.Did() != "denied" {
							t.Errorf("%s: what counted is %+v", where, e)
						}
					}
					if b.Latest().Mine != 0 {
						t.Errorf("%d are counted", b.Latest().Mine)
					}
					b.Forget(ask(1).Ref)
					if listed(b, ask(1)) != nil {
						t.Error("its row stays although it was seen")
					}
				}, d)
			})
		})
	}
}

func graceWith(answer client.Answer) client.Closing {
	c := byGrace(answer.Decision.Done())
	c.Decision = answer.Decision
	return c
}

// TestALostReplyIsAskedForWithPauses, the answer stays the same, and the keys come back
// while the relay has the ask open.
func TestALostReplyIsAskedForWithPauses(t *testing.T) {
	for name, fault := range map[string]error{
		"reset":   &client.Uncertain{Err: &client.Unreachable{Reason: "ECONNRESET"}},
		"500":     &client.Failed{Status: 500},
		"HTML":    &client.NotRelay{What: "an HTML page"},
		"nothing": nil,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDouble(ask(1))
				var at []time.Duration
				began := time.Now()
				d.takes = func(int, *client.Ask, client.Answer) (*client.Ask, error) {
					at = append(at, time.Since(began))
					return nil, fault
				}
				play(t, Options{}, func(t *testing.T, b *Inbox) {
					send(t, b, ask(1), allow)
					if f := flightOf(t, b, ask(1)); f.State != Checking || f.Sends != 1 || f.Err == nil {
						t.Errorf("first: %+v", f)
					}
					var busy *Busy
					if err := b.Send(ask(1).Ref, listed(b, ask(1)).Digest, deny); !errors.As(err, &busy) {
						t.Errorf("another answer beside it: %v", err)
					}
					after(20 * time.Second)
					var open *StillOpen
					if f := flightOf(t, b, ask(1)); f.State != Refused || !errors.As(f.Err, &open) || open.Sends != 3 || f.Sends != 3 {
						t.Fatalf("then: %+v", f)
					}
					if len(at) != 3 || at[1] < time.Second/2 || at[2]-at[1] < at[1] || slices.ContainsFunc(d.sent, func(a client.Answer) bool { return a.Decision != client.Allow }) {
						t.Errorf("sent %v at %v", d.sent, at)
					}
					if n := b.Latest().Notices; len(n) != 1 || !strings.Contains(n[0].Text, "was not taken") || !strings.Contains(n[0].Text, "3 times") {
						t.Errorf("said: %+v", n)
					}
					// It had arrived after all.
					how, by := byMe(allow)
					d.end(ask(1).Ref, how, by)
					after(4 * time.Second)
					if f := flightOf(t, b, ask(1)); f.State != Done || b.Latest().Mine != 1 || b.Latest().Answered[0].Tried != nil {
						t.Errorf("at last: %+v", f)
					}
				}, d)
			})
		})
	}
}

// repeating is a relay that knows one's own answer when it comes again.
type repeating struct{ *streaming }

func (repeating) Repeats() bool { return true }

// TestWhoseAnswerItWas is asked for with the same answer, where the relay tells it so and
// nobody knows whose token it is: it is never told as somebody else's.
func TestWhoseAnswerItWas(t *testing.T) {
	for name, mine := range map[string]bool{"mine": true, "another's": false} {
		for _, stream := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d := newStreaming(ask(1))
					d.takes = func(n int, a *client.Ask, answer client.Answer) (*client.Ask, error) {
						if n == 1 {
							over := d.end(a.Ref, client.Answered, maybeMe(answer))
							if stream {
								d.events <- client.Event{Closed: over}
							}
							time.Sleep(time.Second)
							return nil, &client.Uncertain{Err: errors.New("the connection broke")}
						}
						if mine {
							return d.over[a.Ref], nil
						}
						return nil, &client.Closed{Ask: d.over[a.Ref]}
					}
					play(t, Options{}, func(t *testing.T, b *Inbox) {
						send(t, b, ask(1), allow)
						after(time.Minute)
						f := flightOf(t, b, ask(1))
						if want := map[bool]FlightState{true: Done, false: TooLate}[mine]; f.State != want || len(d.sent) != 2 {
							t.Errorf("state %d after %d, want %d", f.State, len(d.sent), want)
						}
						if got := b.Latest().Mine; (got == 1) != mine {
							t.Errorf("%d are counted as mine", got)
						}
					}, repeating{d})
				})
			})
		}
	}
}

// TestWhatRunsOutIsNotSentAgain: its relay has the last word on what the first one did.
func TestWhatRunsOutIsNotSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := ask(1, func(a *client.Ask) {
			a.Expires, a.ExpiredWords = time.Now().Add(1500*time.Millisecond), "expired, counted as a denial"
		})
		d := newDouble(a)
		d.takes = func(int, *client.Ask, client.Answer) (*client.Ask, error) {
			return nil, &client.Uncertain{Err: errors.New("the connection broke")}
		}
		play(t, Options{}, func(t *testing.T, b *Inbox) {
			send(t, b, a, deny)
			after(time.Minute)
			if f := flightOf(t, b, a); len(d.sent) > 2 || f.State == Done {
				t.Errorf("sent %d times, state %d", len(d.sent), f.State)
			}
			d.end(a.Ref, client.Expired, client.Closing{At: a.Expires})
			after(time.Minute)
			if f := flightOf(t, b, a); f.State != TooLate {
				t.Errorf("state %d", f.State)
			}
		}, d)
	})
}
