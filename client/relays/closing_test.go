package relays

import (
	"errors"
	"testing"

	"askbox/client"
)

func TestAnAskWithItsEnd(t *testing.T) {
	ask := &client.Ask{Ref: client.Ref{ID: "a"}, Status: client.Open, Offers: client.Offered(client.ActAllow), Waits: true}
	over := Over(ask, client.Answered, client.Closing{Note: "here"})
	if ask.Status != client.Open || ask.Closing != nil || !ask.Offers[client.ActAllow].OK {
		t.Errorf("the open one was changed: %+v", ask)
	}
	if over.Status != client.Answered || over.Closing.Note != "here" || over.ID != "a" || over.Offer(client.ActAllow).OK || over.Offer(client.ActAllow).Why != "it is answered" {
		t.Errorf("got %+v", over)
	}
	var unsure *client.Uncertain
	if err := Unsure("its reply is empty"); !errors.As(err, &unsure) {
		t.Errorf("got %v", err)
	}
	var invalid *client.InvalidAnswer
	if err := Usable("no", "a", ".."); !errors.As(err, &invalid) || Usable("no", "a", "b") != nil {
		t.Errorf("got %v", err)
	}
	for _, status := range []client.Status{client.Answered, client.StatusUnknown} {
		if a := (&client.Ask{Status: status}); !Settled(a) || a.Offer(client.ActAllow).Why == "" {
			t.Errorf("%v: %+v", status, a.Offers)
		}
	}
	if a := (&client.Ask{Status: client.Open}); Settled(a) {
		t.Error("an open ask is settled")
	}
}

func TestOneOfEachReference(t *testing.T) {
	one := func(id, raw string) *client.Ask { return &client.Ask{Ref: client.Ref{ID: id}, Raw: []byte(raw)} }
	bad := one("b", "?")
	last := one("a", "1")
	got := Distinct([]*client.Ask{one("a", "1"), one("b", "2"), last, one("b", "3"), one("c", "4")}, func(*client.Ask) *client.Ask { return bad })
	if len(got) != 3 || got[0] != last || got[1] != bad || got[2].ID != "c" {
		t.Errorf("got %+v", got)
	}
}

func TestRulesThatCanBeShown(t *testing.T) {
	for raw, want := range map[string]int{`"Bash(ls)"`: 1, `["a","b"]`: 2, `""`: 0, `["a",""]`: 0, `["a",7]`: 0, `{}`: 0, `null`: 0, `7`: 0, ``: 0, `[]`: 0, "\"\xff\"": 0} {
		if got := Rules([]byte(raw)); len(got) != want {
			t.Errorf("%s: got %v", raw, got)
		}
	}
}
