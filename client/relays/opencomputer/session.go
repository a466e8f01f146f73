package opencomputer

import (
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
)

// sessionKeys are the names of what a session sends.
var sessionKeys = relays.SessionKeys{ID: "id", CreatedBy: "createdBy", Parent: "parentId"}

// readSession takes a session apart. trouble says why none of its asks can be
// answered; empty when all is well.
func readSession(raw jsontext.Value, me string) (s client.Session, asks jsontext.Value, trouble string) {
	s, o, trouble := sessionKeys.Read(raw, me)
	return s, o.Get("asks"), trouble
}
