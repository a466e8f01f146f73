package relaystest

import (
	"testing"

	"askbox/client"
)

// StaysTheSame reads each open ask once more, as it is done before an answer. Where
// nothing changed it has to be the ask that was listed, or no answer would ever be
// sent, and nothing in it may be unknown.
func StaysTheSame(t *testing.T, relay client.Relay, asks []*client.Ask) {
	t.Helper()
	for _, ask := range asks {
		for _, p := range ask.Extra {
			t.Errorf("%s has %s = %s beside what is known", ask.Full(), p.Key, p.Text)
		}
		now, err := relay.Get(t.Context(), ask)
		switch {
		case err != nil:
			t.Errorf("%s cannot be read again: %v", ask.Full(), err)
		case now.Digest() != ask.Digest():
			t.Errorf("%s, read again, is another ask:\n%+v\n%+v", ask.Full(), now, ask)
		}
	}
}
