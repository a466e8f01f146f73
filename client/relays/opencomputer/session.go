package opencomputer

import (
	"net/url"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/httpx"
	"askbox/client/text"
)

// readSession takes a session apart. A title or a name decides nothing, so odd
// ones are shown as they come out. trouble says why none of its asks can be
// answered; empty when all is well.
func readSession(raw jsontext.Value, me string) (s client.Session, asks jsontext.Value, trouble string) {
	o, err := httpx.Split(raw)
	if err != nil {
		return s, nil, "its session could not be read"
	}
	str := func(name string) string {
		v, _ := httpx.String(o.Get(name))
		return v
	}
	// The id is sent back, so it has to be exactly what was sent.
	if err := json.Unmarshal(o.Get("id"), &s.ID); err != nil || !httpx.Segment(s.ID) {
		s.ID, trouble = "", "its session has no usable id"
	}
	if name, doubled := o.Doubled(); doubled {
		trouble = "the key " + text.New(name).Fit(60) + " stands in its session twice"
	}
	s.Title = text.New(str("title"))
	s.Link = link(str("url"))
	s.StartedBy = readActor(o.Get("createdBy"), me)
	s.Starter = starter(s.StartedBy, str("parentId") != "", me)
	if s.StartedBy.Type == client.ActorAgent {
		s.Origin = s.StartedBy.Name
	}
	return s, o.Get("asks"), trouble
}

// starter says whose session it is. One that has a parent was started by the
// agent of that parent, whoever it says created it.
func starter(by client.Actor, child bool, me string) client.Starter {
	switch {
	case child || by.Type == client.ActorAgent:
		return client.StarterAgent
	case by.Me:
		return client.StarterMe
	case by.Type == client.ActorUser && me != "":
		return client.StarterPerson
	}
	return client.StarterUnknown
}

// readActor reads an actor, and nothing where there is none.
func readActor(raw jsontext.Value, me string) client.Actor {
	o, err := httpx.Split(raw)
	if err != nil {
		return client.Actor{}
	}
	var a client.Actor
	kind, _ := httpx.String(o.Get("type"))
	switch kind {
	case "user":
		a.Type = client.ActorUser
	case "agent":
		a.Type = client.ActorAgent
	case "system":
		a.Type = client.ActorSystem
	}
	a.ID, _ = httpx.String(o.Get("id"))
	name, _ := httpx.String(o.Get("name"))
	a.Name = text.New(name)
	a.Me = a.Type == client.ActorUser && a.ID != "" && a.ID == me
	return a
}

// longestLink is the most bytes of a link that is opened or shown.
const longestLink = 2000

// link lets an address through that a browser may be given: http or https, a
// host, and nothing but visible ASCII.
func link(raw string) string {
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
