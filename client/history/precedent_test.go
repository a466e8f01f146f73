package history

import (
	"testing"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// What was decided here about the same approval is counted, over restarts, and nothing else is.
func TestPrecedents(t *testing.T) {
	folder := t.TempDir()
	store, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	add := func(id string, e Entry) {
		e.Ref, e.At = client.Ref{Relay: "work", Session: "s", ID: id}, time.Now()
		if err := store.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	decided := func(d client.Decision) Entry {
		return Entry{Kind: client.Approval, What: text.New("ls"), Here: true, Same: "x", Answer: Answer{Decision: d}}
	}
	for i, d := range []client.Decision{client.Allow, client.Allow, client.Deny} {
		add(string(rune('a'+i)), decided(d))
	}
	elsewhere, tried, other := decided(client.Allow), decided(client.Allow), decided(client.Deny)
	elsewhere.Here, tried.Tried, other.Same = false, &Attempt{}, "y"
	add("d", elsewhere)
	add("e", tried)
	add("f", other)
	store, err = Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Fresh(time.Now()); err != nil {
		t.Fatal(err)
	}
	made := store.Precedents()
	if made["x"] != (Precedent{Allowed: 2, Denied: 1}) || made["y"] != (Precedent{Denied: 1}) || len(made) != 2 {
		t.Errorf("%v", made)
	}
	for want, p := range map[string]Precedent{
		"": {}, "You decided exactly this once: denied": {Denied: 1}, "You decided exactly this 4 times: allowed 4": {Allowed: 4},
		"You decided exactly this 3 times: allowed 1, always 1, denied 1": {Allowed: 1, Always: 1, Denied: 1},
	} {
		if p.String() != want {
			t.Errorf("%q, want %q", p, want)
		}
	}
}
