package relays

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

var keys = SessionKeys{ID: "id", CreatedBy: "by", Parent: "parent"}

func TestReadsASession(t *testing.T) {
	s, o, trouble := keys.Read([]byte(`{"id":"s1","title":"Fix it","url":"https://oc.example/s1","by":{"type":"user","id":"u1","name":"Ada"},"more":"here"}`), "u1")
	want := client.Session{ID: "s1", Title: text.New("Fix it"), Link: "https://oc.example/s1", Starter: client.StarterMe,
		StartedBy: client.Actor{Type: client.ActorUser, ID: "u1", Name: text.New("Ada"), Me: true}}
	if !cmp.Equal(s, want, cmp.Comparer(func(a, b text.Text) bool { return a.Raw() == b.Raw() })) || trouble != "" {
		t.Errorf("got %+v, %q", s, trouble)
	}
	if Word(o, "more") != "here" {
		t.Errorf("the rest of the session is missing: %+v", o)
	}
	if s, _, _ := keys.Read([]byte(`{"id":"s1","by":{"type":"agent","id":"a1","name":"Bot"}}`), "u1"); s.Origin.Raw() != "Bot" || s.Starter != client.StarterAgent {
		t.Errorf("got %+v", s)
	}
}

func TestSessionsWhoseAsksAreNotAnswered(t *testing.T) {
	for raw, want := range map[string]string{
		`[]`:                      "could not be read",
		`{"id":"s1"`:              "could not be read",
		`{"title":"x"}`:           "no usable id",
		`{"id":7}`:                "no usable id",
		`{"id":".."}`:             "no usable id",
		"{\"id\":\"s\xff\"}":      "no usable id",
		`{"id":"s1","x":1,"x":1}`: `the key "x" stands in its session twice`,
		`{"id":"s1","id":"s1"}`:   `the key "id" stands in its session twice`,
	} {
		if s, _, trouble := keys.Read([]byte(raw), ""); !strings.Contains(trouble, want) || strings.Contains(want, "usable") && s.ID != "" {
			t.Errorf("%s: got %+v, %q", raw, s, trouble)
		}
	}
}

func TestWhoStartedASession(t *testing.T) {
	for _, test := range []struct {
		by    string
		child bool
		me    string
		want  client.Starter
	}{
		{`{"type":"user","id":"u1"}`, false, "u1", client.StarterMe},
		{`{"type":"user","id":"u2"}`, false, "u1", client.StarterPerson},
		{`{"type":"user","id":"u1"}`, true, "u1", client.StarterAgent},
		{`{"type":"agent","id":"u1"}`, false, "u1", client.StarterAgent},
		{`{"type":"system","id":"u1"}`, false, "u1", client.StarterUnknown},
		{`{"type":"user","id":"u1"}`, false, "", client.StarterUnknown},
		{`{"type":"user","id":""}`, false, "", client.StarterUnknown},
		{`{"id":"u1"}`, false, "u1", client.StarterMe},
		{`{"id":"u2"}`, false, "u1", client.StarterPerson},
		{`{"id":"u1"}`, false, "", client.StarterUnknown},
		{`{"name":"Ada"}`, false, "u1", client.StarterUnknown},
		{`null`, false, "u1", client.StarterUnknown},
		{`"u1"`, false, "u1", client.StarterUnknown},
	} {
		if got := Starter(Actor([]byte(test.by), test.me), test.child, test.me); got != test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}

func TestLinksThatABrowserIsGiven(t *testing.T) {
	long := "https://oc.example/" + strings.Repeat("a", longestLink)
	for _, raw := range []string{"https://oc.example/s?x=1#y", "http://127.0.0.1:8080/s", long[:longestLink]} {
		if Link(raw) != raw {
			t.Errorf("%s is left out", raw)
		}
	}
	for _, raw := range []string{"", "oc.example/s", "file:///etc/passwd", "javascript:alert(1)", "https:///s", "https://ada:pw@oc.example/",
		"https://oc.example/a b", "https://oc.example/\x1b[2J", "https://öc.example/", "https://oc.example/\n", long[:longestLink+1]} {
		if got := Link(raw); got != "" {
			t.Errorf("%q gives %q", raw, got)
		}
	}
}

func TestAsksThatCannotBeRead(t *testing.T) {
	kinds := ItemKeys{ID: "id", Opened: "at", Kind: "kind"}
	place := client.Ref{Relay: "work", Session: "s1"}
	ask := kinds.Unreadable(place, []byte(`{"id":"a1","at":"2026-11-30T09:00:00Z","kind":"secret"}`), "it is odd")
	if ask.Ref != (client.Ref{Relay: "work", Session: "s1", ID: "a1"}) || ask.KindName.Raw() != "secret" ||
		!ask.Opened.Equal(time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)) || ask.Unreadable != "it is odd" || ask.What().Raw() != "it could not be read: it is odd" {
		t.Errorf("got %+v", ask)
	}
	for act, offer := range ask.Offers {
		if offer.OK {
			t.Errorf("%v is offered", act)
		}
	}
	if got := kinds.Unreadable(place, []byte(`{"id":12,"kind":7,"at":"soon"}`), "x"); got.ID != "12" || !got.Opened.IsZero() || !got.KindName.Empty() {
		t.Errorf("got %+v", got)
	}
	if got := (ItemKeys{ID: "id", Opened: "at"}).Unreadable(place, []byte(`{"id":"a1","":"secret"}`), "x"); !got.KindName.Empty() {
		t.Errorf("a kind was read that is not sent: %+v", got)
	}
}

func TestUnreadableAsksKeepTheirIds(t *testing.T) {
	kinds := ItemKeys{ID: "id", Opened: "at"}
	seen := map[string]string{}
	for _, raw := range []string{`7`, `"x"`, `{`, `{"id":null}`, `{"id":{}}`, `{"id":"a","id":"b"}`} {
		first := kinds.Unreadable(client.Ref{}, []byte(raw), "x").ID
		if again := kinds.Unreadable(client.Ref{}, []byte(raw), "y").ID; again != first || !strings.HasPrefix(first, "unreadable-") {
			t.Errorf("%s: %s, then %s", raw, first, again)
		}
		if other, doubled := seen[first]; doubled {
			t.Errorf("%s and %s have one id", raw, other)
		}
		seen[first] = raw
	}
}

func TestWhatIsFitToBeAnAsk(t *testing.T) {
	for raw, want := range map[string]string{
		`{"id":"a1"}`:           "",
		`7`:                     "it is no object",
		`{"id":7}`:              "unexpected value",
		`{"id":"a","id":"a"}`:   "twice",
		"{\"id\":\"a\xff\"}":    "not valid Unicode",
		`{"id":""}`:             "no usable id",
		`{"id":"../a"}`:         "no usable id",
		`{"text":"id is gone"}`: "no usable id",
	} {
		var item struct {
			ID string `json:"id"`
		}
		err := httpx.Decode([]byte(raw), &item)
		if why := Unfit([]byte(raw), err, item.ID); (why == "") != (want == "") || !strings.Contains(why, want) {
			t.Errorf("%s: got %q", raw, why)
		}
	}
}

func TestItemsThatAreDecoded(t *testing.T) {
	var item struct {
		ID   string         `json:"id"`
		Rest jsontext.Value `json:",embed"`
	}
	if why := Decode([]byte(`{"id":"a1","env":"x"}`), &item, &item.ID); why != "" || item.ID != "a1" {
		t.Errorf("got %+v, %q", item, why)
	}
	var all Extra
	all.Rest("", item.Rest)
	all.RestOf("questions", 1, item.Rest)
	all.RestOf("questions", 2, nil)
	all.RestOfOption("questions", 0, 3, item.Rest)
	all.RestOfOption("questions", 0, 4, nil)
	var paths []string
	for _, p := range all {
		paths = append(paths, p.Key.Raw())
	}
	if got := strings.Join(paths, " "); got != "env questions[1].env questions[0].options[3].env" {
		t.Errorf("got %s", got)
	}
	if why := Decode([]byte(`{"id":7}`), &item, &item.ID); why == "" {
		t.Error("a number is taken for an id")
	}
}

func TestASessionWithItsAsks(t *testing.T) {
	with := SessionKeys{ID: "id", CreatedBy: "by", Parent: "parent", List: "asks"}
	s, o, items, trouble := with.ReadWith([]byte(`{"id":"s1","asks":[1,2]}`), "")
	if s.ID != "s1" || len(items) != 2 || trouble != "" || o.Get("asks").Kind() != '[' {
		t.Errorf("got %+v, %s, %q", s, items, trouble)
	}
	if _, _, items, trouble := with.ReadWith([]byte(`{"id":"s1","asks":[1],"asks":[2]}`), ""); items != nil || !strings.Contains(trouble, `"asks" stands in its session twice`) {
		t.Errorf("two lists: %s, %q", items, trouble)
	}
	if _, _, items, trouble := with.ReadWith([]byte(`[]`), ""); items != nil || trouble == "" {
		t.Errorf("no session: %s, %q", items, trouble)
	}
}

func TestErrorsOfTheWholeRelay(t *testing.T) {
	for err, want := range map[error]bool{
		&client.TokenRefused{}: true, &client.RateLimited{}: true, context.Canceled: true,
		&client.Failed{}: false, &client.Unreachable{}: false, &client.NotFound{}: false,
	} {
		if OfTheRelay(err) != want {
			t.Errorf("%T: %v", err, !want)
		}
	}
	a := &client.Ask{Ref: client.Ref{ID: "a"}, Closing: &client.Closing{At: time.Unix(1, 0)}}
	b := &client.Ask{Ref: client.Ref{ID: "b"}, Closing: &client.Closing{At: time.Unix(1, 0)}}
	c := &client.Ask{Ref: client.Ref{ID: "c"}, Closing: &client.Closing{At: time.Unix(2, 0)}}
	if NewestFirst(a, b) >= 0 || NewestFirst(a, c) <= 0 || NewestFirst(a, a) != 0 {
		t.Error("closed asks stand in another order")
	}
}
