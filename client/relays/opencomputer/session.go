package opencomputer

import (
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
)

// sessionKeys are the names of what a session sends.
var sessionKeys = relays.SessionKeys{ID: "id", CreatedBy: "createdBy", Parent: "parentId", List: "asks"}

// asksOf is the list of asks that a session holds, or that it has none.
type asksOf struct {
	items        []jsontext.Value
	missing, odd bool
}

// readSession takes a session apart. trouble says why none of its asks can be
// answered; empty when all is well.
func readSession(raw jsontext.Value, me string) (s client.Session, trouble string, asks asksOf) {
	s, o, items, trouble := sessionKeys.ReadWith(raw, me)
	asks.items = items
	if items == nil {
		asks.missing = o.Get(sessionKeys.List) == nil
		asks.odd = !asks.missing
	}
	return s, trouble, asks
}
