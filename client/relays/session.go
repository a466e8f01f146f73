package relays

import (
	"net/url"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// SessionKeys are the names under which a session sends what kinds of relay name
// differently. Its title and url are called that everywhere. List is the key of the
// list of asks that a session holds, and empty where it holds none.
type SessionKeys struct{ ID, CreatedBy, Parent, List string }

// Read takes a session apart. A title or a name decides nothing, so odd ones are
// shown as they come out. me is the id of the person, empty where nobody knows
// it. The object holds the rest of the session; trouble says why none of its asks
// can be answered, and is empty when all is well.
func (k SessionKeys) Read(raw jsontext.Value, me string) (s client.Session, o httpx.Object, trouble string) {
	s, o, _, trouble = k.ReadWith(raw, me)
	return s, o, trouble
}

// ReadWith is Read for a session that holds a list of asks. The items are nil where
// there is no such list; the object has what stands there instead.
func (k SessionKeys) ReadWith(raw jsontext.Value, me string) (s client.Session, o httpx.Object, items []jsontext.Value, trouble string) {
	var err error
	if k.List == "" {
		o, err = httpx.Split(raw)
	} else {
		o, items, _, err = httpx.SplitList(raw, k.List)
	}
	if err != nil {
		return s, httpx.Object{}, nil, "its session could not be read"
	}
	// The id is sent back, so it has to be exactly what was sent.
	if json.Unmarshal(o.Get(k.ID), &s.ID) != nil || !httpx.Segment(s.ID) {
		s.ID, trouble = "", "its session has no usable id"
	}
	if name, doubled := o.Doubled(); doubled {
		trouble = "the key " + text.New(name).Quoted(60) + " stands in its session twice"
	}
	s.Title, s.Link = text.New(Word(o, "title")), Link(Word(o, "url"))
	s.StartedBy = Actor(o.Get(k.CreatedBy), me)
	s.Starter = Starter(s.StartedBy, Word(o, k.Parent) != "", me)
	if s.StartedBy.Type == client.ActorAgent {
		s.Origin = s.StartedBy.Name
	}
	return s, o, items, trouble
}

// Starter says whose session it is. One that has a parent was started by the
// agent of that parent, whoever it says created it.
func Starter(by client.Actor, child bool, me string) client.Starter {
	switch {
	case child || by.Type == client.ActorAgent:
		return client.StarterAgent
	case by.Me:
		return client.StarterMe
	case by.Type != client.ActorSystem && by.ID != "" && me != "":
		return client.StarterPerson
	}
	return client.StarterUnknown
}

// Actor reads somebody, {"type","id","name"}, and nobody where there is no such
// object. Whose id is me is the person, unless the type says that it is none; without
// both ids nobody can tell.
func Actor(raw jsontext.Value, me string) client.Actor {
	o, err := httpx.Split(raw)
	if err != nil {
		return client.Actor{}
	}
	a := client.Actor{ID: Word(o, "id"), Name: text.New(Word(o, "name"))}
	switch Word(o, "type") {
	case "user":
		a.Type = client.ActorUser
	case "agent":
		a.Type = client.ActorAgent
	case "system":
		a.Type = client.ActorSystem
	}
	if a.Type == client.ActorUser || a.Type == client.ActorUnknown && (a.ID != "" || !a.Name.Empty()) {
		a.MaybeMe = a.ID == "" || me == ""
		a.Me = !a.MaybeMe && a.ID == me
	}
	return a
}

// Word returns the string under a key, and nothing where there is none. Like
// [httpx.String] it is for what decides nothing.
func Word(o httpx.Object, key string) string {
	s, _ := httpx.String(o.Get(key))
	return s
}

// longestLink is the most bytes of a link that is opened or shown.
const longestLink = 2000

// Link lets an address through that a browser may be given: http or https, a
// host, nobody's name or password, and nothing but visible ASCII. Of any other it
// returns nothing.
func Link(raw string) string {
	if len(raw) > longestLink {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil {
		return ""
	}
	for _, b := range []byte(raw) {
		if b <= ' ' || b > '~' {
			return ""
		}
	}
	return raw
}
