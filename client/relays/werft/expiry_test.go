package werft

import (
	"testing"
	"time"
)

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
