package relays

import (
	"bytes"

	"askbox/client"
)

// Distinct returns asks with one for each reference, in the order in which they were
// listed. Of two different contents under one reference nobody can say which one an
// answer is for: refuse makes an ask of them that cannot be read.
func Distinct(all []*client.Ask, refuse func(*client.Ask) *client.Ask) []*client.Ask {
	at := make(map[client.Ref]int, len(all))
	out := make([]*client.Ask, 0, len(all))
	for _, ask := range all {
		i, twice := at[ask.Ref]
		switch {
		case !twice:
			at[ask.Ref] = len(out)
			out = append(out, ask)
		case bytes.Equal(out[i].Raw, ask.Raw):
			out[i] = ask
		default:
			out[i] = refuse(ask)
		}
	}
	return out
}
