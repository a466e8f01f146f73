package inbox

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
)

// ending is an ask whose time runs out for good, by a clock that is ahead.
func ending(in, ahead time.Duration) *client.Ask {
	a := ask(1)
	a.Expires, a.ExpiredWords = time.Now().Add(in+ahead), "expired, counted as a denial"
	return a
}

// TestNothingIsSentAfterTheEnd holds while the relay is silent too, and by the
// relay's clock: for an answer that comes too late, for one that is held, and for
// one that waits for the relay to say that the ask is still what it was.
func TestNothingIsSentAfterTheEnd(t *testing.T) {
	for _, tc := range []struct{ ahead, send time.Duration }{
		{3 * time.Hour, 18 * time.Second}, {-3 * time.Hour, 18 * time.Second}, {3 * time.Hour, 12 * time.Second},
	} {
		ahead := tc.ahead
		synctest.Test(t, func(t *testing.T) {
			a := ending(20*time.Second, ahead)
			d := newDouble(a)
			d.ahead = ahead
			play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
				d.set(func(d *double) { d.slow = time.Hour })
				after(tc.send)
				send(t, b, a, allow)
				after(time.Minute)
				var closed *client.Closed
				f := flightOf(t, b, a)
				if f.State != TooLate || !errors.As(f.Err, &closed) || closed.Why != "expired, counted as a denial; nothing was sent" {
					t.Errorf("the held answer came to %+v", f)
				}
				b.Forget(a.Ref)
				if err := b.Send(a.Ref, a.Digest(), deny); !errors.As(err, &closed) {
					t.Errorf("a later answer: %v", err)
				}
				if len(d.sent) != 0 || !isOpen(b, a) {
					t.Errorf("sent %v, open %v: the relay said nothing yet", d.sent, isOpen(b, a))
				}
			}, d)
		})
	}
}

// TestAnOverdueAskIsAnswered where the relay has the last word.
func TestAnOverdueAskIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := ending(10*time.Second, time.Hour)
		a.ExpiredWords = ""
		d := newDouble(a)
		d.ahead = time.Hour
		play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
			after(time.Minute)
			send(t, b, a, allow)
			after(time.Minute)
			if f := flightOf(t, b, a); f.State != Done || len(d.sent) != 1 {
				t.Errorf("came to %+v", f)
			}
		}, d)
	})
}

// TestHowAnAskEndedThatIsNotListedAnyMore: the relay says nothing of it. That one expired
// is concluded where it was seen open until about its end.
func TestHowAnAskEndedThatIsNotListedAnyMore(t *testing.T) {
	for _, tc := range []struct {
		name         string
		closes, deaf time.Duration // when it closes, and when the relay is deaf from on, until after the end
		how          client.Status
		says         string
	}{
		{"looked on", time.Hour, 0, client.Expired, "expired, counted as a denial"},
		{"closed before its end", 15 * time.Second, 0, client.Gone, gone},
		{"nobody looked on", time.Hour, 20 * time.Second, client.Gone, "unless somebody answered it before"},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := ending(90*time.Second, time.Hour)
			d := newDouble(a)
			d.ahead = time.Hour
			play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
				at := time.Duration(0)
				upTo := func(t time.Duration) { after(t - at); at = t }
				if tc.closes < time.Hour {
					upTo(tc.closes)
					d.set(func(d *double) { d.asks = nil })
				}
				if tc.deaf > 0 {
					upTo(tc.deaf)
					d.set(func(d *double) { d.down = &client.Unreachable{Reason: "test"} })
				}
				upTo(91 * time.Second)
				d.set(func(d *double) { d.asks, d.down = nil, nil })
				upTo(4 * time.Minute)
				it := b.Latest().Find(a.Ref)
				if it == nil || it.Ask.Status != tc.how || !strings.Contains(it.Ask.Closing.Note, tc.says) || it.Ask.Closing.Untold != (tc.how == client.Expired) {
					t.Errorf("%s: got %+v", tc.name, it)
				}
			}, d)
		})
	}
}
