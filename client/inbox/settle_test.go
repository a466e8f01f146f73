package inbox

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/history"
)

// TestWhatTheRelaySays to an answer, and what has to be shown then.
func TestWhatTheRelaySays(t *testing.T) {
	lost := &client.Uncertain{Err: errors.New("the connection broke")}
	now := func(how client.Status, c client.Closing) *client.Ask {
		a := ask(1)
		a.Status, a.Closing = how, &c
		return a
	}
	tests := []struct {
		name   string
		answer client.Answer
		takes  func(d *double, n int, a *client.Ask) (*client.Ask, error)
		reads  func(d *double, n int, a *client.Ask) (*client.Ask, error)
		state  FlightState
		sent   int
		open   bool
		how    client.Status
		err    error // exactly, where it counts
	}{
		{name: "allowed", answer: allow, state: Done, sent: 1, how: client.Answered},
		{name: "expired in the reply", answer: allow, state: TooLate, sent: 1, how: client.Expired,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				return d.end(a.Ref, client.Expired, client.Closing{}), nil
			}},
		{name: "skipped what was allowed", answer: client.Answer{Dismiss: true}, state: TooLate, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				return d.end(a.Ref, client.Answered, byGrace("allow")), nil
			}},
		{name: "taken, they say, with another decision", answer: allow, state: TooLate, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				return d.end(a.Ref, client.Answered, client.Closing{Given: &deny}), nil
			}},
		{name: "taken, with other words", answer: client.Answer{Decision: client.Deny, Message: "not today"}, state: TooLate, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				return d.end(a.Ref, client.Answered, client.Closing{Given: &client.Answer{Decision: client.Deny, Message: "ask Grace"}}), nil
			}},
		{name: "taken, with the blanks cut off", answer: client.Answer{Decision: client.Deny, Message: "not today\n"}, state: Done, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				return d.end(a.Ref, client.Answered, client.Closing{Given: &client.Answer{Decision: client.Deny, Message: "not today"}}), nil
			}},
		{name: "taken, and the message is not repeated", answer: client.Answer{Decision: client.Deny, Message: "not today"}, state: Done, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				return d.end(a.Ref, client.Answered, client.Closing{Given: &deny}), nil
			}},
		{name: "lost, and the message is not repeated", answer: client.Answer{Decision: client.Deny, Message: "not today"}, state: NotKnown, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, client.Closing{Given: &deny})
				return nil, lost
			}},
		{name: "another ask is told to be answered", answer: deny, state: Done, sent: 2, how: client.Answered,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				if n == 2 {
					return d.end(a.Ref, client.Answered, client.Closing{}), nil
				}
				other := now(client.Answered, client.Closing{})
				other.Ref.ID = "other"
				return other, nil
			}},
		{name: "another ask is always told", answer: deny, state: NotKnown, sent: 1, open: true,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				other := now(client.Answered, client.Closing{})
				other.Ref.Session = "other"
				return other, nil
			},
			reads: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				other := now(client.Answered, client.Closing{})
				other.Ref.ID = "other"
				return other, nil
			}},
		{name: "closed, with another ask", answer: allow, state: TooLate, sent: 1, how: client.Dismissed,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Dismissed, byGrace(""))
				other := now(client.Answered, byGrace("allow"))
				other.Ref.ID = "other"
				return nil, &client.Closed{Ask: other}
			}},
		{name: "closed, with the ask", answer: allow, state: TooLate, sent: 1, how: client.Dismissed,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				return nil, &client.Closed{Ask: d.end(a.Ref, client.Dismissed, byGrace(""))}
			}},
		{name: "closed, without the ask", answer: allow, state: TooLate, sent: 1, how: client.Withdrawn,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Withdrawn, client.Closing{})
				return nil, &client.Closed{}
			}},
		{name: "not found", answer: deny, state: TooLate, sent: 1, how: client.Gone,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) { return nil, &client.NotFound{} },
			reads: func(d *double, _ int, a *client.Ask) (*client.Ask, error) { return nil, &client.NotFound{} }},
		{name: "not found, but open", answer: allow, state: Refused, sent: 1, open: true,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) { return nil, &client.NotFound{} }},
		{name: "not allowed", answer: allow, state: Refused, sent: 1, open: true,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) { return nil, &client.NotAllowed{} }},
		{name: "rate limited", answer: allow, state: Refused, sent: 1, open: true,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				return nil, &client.RateLimited{Until: time.Now().Add(time.Hour)}
			}},
		{name: "not reachable", answer: allow, state: Refused, sent: 1, open: true,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				return nil, &client.Unreachable{Reason: "ECONNREFUSED"}
			}},
		{name: "lost, and it counted", answer: allow, state: Done, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, func() client.Closing { _, c := byMe(allow); return c }())
				return nil, lost
			}},
		{name: "lost, and someone else was first", answer: allow, state: TooLate, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, byGrace("deny"))
				return nil, lost
			}},
		{name: "lost, and I was first elsewhere", answer: allow, state: TooLate, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, func() client.Closing { _, c := byMe(deny); return c }())
				return nil, lost
			}},
		{name: "lost, and interrupted", answer: allow, state: TooLate, sent: 1, how: client.Interrupted,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Interrupted, client.Closing{})
				return nil, lost
			}},
		{name: "lost, still open, taken the second time", answer: deny, state: Done, sent: 2, how: client.Answered,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				if n == 1 {
					return nil, lost
				}
				return d.end(a.Ref, client.Answered, client.Closing{}), nil
			}},
		{name: "lost twice, and it counted", answer: allow, state: Done, sent: 2, how: client.Answered,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				if n == 2 {
					d.end(a.Ref, client.Answered, func() client.Closing { _, c := byMe(allow); return c }())
				}
				return nil, lost
			}},
		{name: "lost, second attempt finds its own answer", answer: allow, state: TooLate, sent: 2, how: client.Answered,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				if n == 1 {
					return nil, lost
				}
				return nil, &client.Closed{Ask: d.end(a.Ref, client.Answered, byGrace("allow"))}
			}},
		{name: "lost, second attempt finds what the first one did", answer: allow, state: Done, sent: 2, how: client.Answered,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				if n == 1 {
					return nil, lost
				}
				return nil, &client.Closed{Ask: d.end(a.Ref, client.Answered, func() client.Closing { _, c := byMe(allow); return c }())}
			}},
		{name: "lost, second attempt finds the same answer of a person who may be me", answer: allow, state: NotKnown, sent: 2, how: client.Answered, err: ErrSame,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				if n == 1 {
					return nil, lost
				}
				return nil, &client.Closed{Ask: d.end(a.Ref, client.Answered, maybeMe(allow))}
			}},
		{name: "lost, and the same answer of a person who may be me", answer: allow, state: NotKnown, sent: 1, how: client.Answered, err: ErrSame,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, maybeMe(allow))
				return nil, lost
			}},
		{name: "lost, and less than the same answer of a person who may be me", answer: client.Answer{Decision: client.Deny, Message: "not today"}, state: NotKnown, sent: 1, how: client.Answered, err: lost,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, maybeMe(deny))
				return nil, lost
			}},
		{name: "lost, and another answer of a person who may be me", answer: allow, state: TooLate, sent: 1, how: client.Answered,
			takes: func(d *double, _ int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, maybeMe(deny))
				return nil, lost
			}},
		{name: "lost, second attempt finds it gone, perhaps by the first", answer: allow, state: NotKnown, sent: 2, how: client.Gone,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				if n == 1 {
					return nil, lost
				}
				d.set(func(d *double) { d.asks = nil })
				return nil, &client.Closed{Ask: now(client.Gone, client.Closing{Note: "someone else answered, or the turn moved on"})}
			}},
		{name: "lost each time, and open", answer: allow, state: Refused, sent: sendsMost, open: true,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) { return nil, lost }},
		{name: "lost, and gone without a word", answer: allow, state: NotKnown, sent: 1, how: client.Gone,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				d.set(func(d *double) { d.asks = nil })
				return nil, lost
			}},
		{name: "lost, and nobody says by whom", answer: allow, state: NotKnown, sent: 1, how: client.Answered,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, client.Closing{})
				return nil, lost
			}},
		{name: "a failure of the relay that counted", answer: allow, state: Done, sent: 1, how: client.Answered,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, func() client.Closing { _, c := byMe(allow); return c }())
				return nil, &client.Failed{Status: 502}
			}},
		{name: "HTML that counted", answer: allow, state: Done, sent: 1, how: client.Answered,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, func() client.Closing { _, c := byMe(allow); return c }())
				return nil, &client.NotRelay{What: "an HTML page"}
			}},
		{name: "a panic", answer: allow, state: Done, sent: 1, how: client.Answered,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				d.end(a.Ref, client.Answered, func() client.Closing { _, c := byMe(allow); return c }())
				panic("in the adapter")
			}},
		{name: "taken, they say, and still open", answer: allow, state: Refused, sent: sendsMost, open: true,
			takes: func(d *double, n int, a *client.Ask) (*client.Ask, error) {
				return now(client.Open, client.Closing{}), nil
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, d := ask(1), newDouble(ask(1))
				if tt.takes != nil {
					d.takes = func(n int, a *client.Ask, _ client.Answer) (*client.Ask, error) { return tt.takes(d, n, a) }
				}
				if tt.reads != nil {
					d.reads = func(n int, a *client.Ask) (*client.Ask, error) { return tt.reads(d, n, a) }
				}
				play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
					send(t, b, a, tt.answer)
					after(5 * time.Minute)
					f := flightOf(t, b, a)
					if f.State != tt.state {
						t.Errorf("state %d, want %d: %v", f.State, tt.state, f.Err)
					}
					if tt.err != nil && !errors.Is(f.Err, tt.err) {
						t.Errorf("it says %v", f.Err)
					}
					if len(d.sent) != tt.sent {
						t.Errorf("sent %d times, want %d", len(d.sent), tt.sent)
					}
					if isOpen(b, a) != tt.open {
						t.Errorf("open: %v", isOpen(b, a))
					}
					it := b.Latest().Find(a.Ref)
					if !tt.open && it.Ask.Status != tt.how {
						t.Errorf("closed as %v, want %v", it.Ask.Status, tt.how)
					}
					if f.State != Done && f.State != NotKnown && f.Err == nil {
						t.Error("it does not say why")
					}
					if row := listed(b, a); (row != nil) != (tt.open || tt.state != Done) || row != nil && row != it {
						t.Errorf("listed as %+v", row)
					}
					if open := b.Latest().Counts()[0]; (open == 1) != tt.open {
						t.Errorf("%d are counted as open", open)
					}
					b.Forget(a.Ref)
					if row := listed(b, a); (row != nil) != tt.open || row != nil && row.Flight != nil {
						t.Errorf("once it was seen it is listed as %+v", row)
					}
					l := b.Latest().Answered
					if len(l) != 1 || l[0].Here != (tt.state == Done) || l[0].Mine() && tt.state != Done && !it.Ask.Closing.By.Me {
						t.Fatalf("in the day: %+v", l)
					}
					tried, ends := l[0].Tried, map[FlightState]history.End{TooLate: history.TooLate, Refused: history.Refused, NotKnown: history.NotKnown}
					if (tried != nil) != (tt.state != Done) || tried != nil && (tried.End != ends[tt.state] || tried.Answer.Action() != tt.answer.Action()) {
						t.Errorf("tried: %+v", tried)
					}
					said := 0
					for _, n := range b.Latest().Notices {
						if n.Ref == a.Ref {
							said++
						}
					}
					if (said == 1) != (tt.state != Done) {
						t.Errorf("said %d times: %v", said, b.Latest().Notices)
					}
				}, d)
			})
		})
	}
}
