package werft

import (
	"context"
	"errors"
	"testing"
	"time"

	"askbox/client"
)

// TestGetAfterTheEnd claims that a request expired only where it was seen open
// until about then and no answer from here may have counted.
func TestGetAfterTheEnd(t *testing.T) {
	for _, tc := range []struct {
		name string
		seen time.Duration // before its end
		lose bool          // the reply to an answer
		want client.Status // open: not found
	}{
		{"looked on", 2 * time.Second, false, client.Expired},
		{"silent for long", 5 * time.Minute, false, client.Gone},
		{"answered, the reply was lost", 2 * time.Second, true, client.Open},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStand(t, nil)
			end := s.only().Expires
			s.date = end.Add(-tc.seen)
			ask := s.only()
			if tc.lose {
				s.reply(answerTo, `{}`, 0)
				var lost *client.Uncertain
				if _, err := s.answer(ask, allow); !errors.As(err, &lost) {
					t.Fatalf("the answer came to %v", err)
				}
			}
			s.reply("GET /v1/sessions/ses_01/requests", `{"requests":[]}`, 0)
			s.date = end.Add(time.Second)
			got, err := s.relay.Get(context.Background(), ask)
			switch {
			case tc.want == client.Open && !is[*client.NotFound](err):
				t.Errorf("got %+v, %v; whose answer it was is not known", got, err)
			case tc.want != client.Open && (err != nil || got.Status != tc.want):
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

// TestExpiryIsFinal only where the relay tells its time: by another clock nobody
// can say that it is over.
func TestExpiryIsFinal(t *testing.T) {
	s := newStand(t, nil)
	ask := s.only()
	if !ask.RunOut(ask.Expires) || ask.RunOut(ask.Expires.Add(-time.Second)) || ask.ExpiredWords != "expired, counted as a denial" {
		t.Errorf("with a clock: %q", ask.ExpiredWords)
	}
	s = newStand(t, nil)
	s.date = time.Time{}
	if ask = s.only(); ask.RunOut(ask.Expires.Add(time.Hour)) {
		t.Error("the relay tells no time, and its request is taken to be over")
	}
}
