package werft

import (
	"context"
	"testing"
	"time"

	"askbox/client"
)

// TestGetAfterTheEnd concludes that a request expired only where it was seen open
// until about then, and does not claim that the relay said so.
func TestGetAfterTheEnd(t *testing.T) {
	for _, tc := range []struct {
		name string
		seen time.Duration // before its end
		want client.Status
	}{
		{"looked on", 2 * time.Second, client.Expired},
		{"silent for long", 5 * time.Minute, client.Gone},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStand(t, nil)
			end := s.only().Expires
			s.date = end.Add(-tc.seen)
			ask := s.only()
			s.reply("GET /v1/sessions/ses_01/requests", `{"requests":[]}`, 0)
			s.date = end.Add(time.Second)
			got, err := s.relay.Get(context.Background(), ask)
			if err != nil || got.Status != tc.want || !got.Closing.Untold {
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
