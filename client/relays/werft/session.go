package werft

import (
	"net/url"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/httpx"
	"askbox/client/text"
)

// session is a session of the relay and what its state means for its requests.
type session struct {
	client.Session
	// refuses says why nothing can be answered in it; empty when that can be.
	refuses string
	// blocked says that a pause waits for something.
	blocked bool
	state   string
	// trouble says why it could not be read; empty when all is well.
	trouble string
}

const pauseBlocked = "PAUSE_BLOCKED"

// blockedWords say what a pause that does not come to its end waits for.
const blockedWords = "the pause is blocked: an open request has to be answered, or the turn interrupted"

// dead are the states in which nothing can be answered, in words.
var dead = map[string]string{
	"stopped":           "the session is stopped, so nothing can be answered in it",
	"recovery_required": "the session has to be recovered first, so nothing can be answered in it",
	"closed":            "the session is closed, so nothing can be answered in it",
}

// readSession takes a session apart. A title or a name decides nothing, so odd
// ones are shown as they come out.
func readSession(raw jsontext.Value, me string) session {
	o, err := httpx.Split(raw)
	if err != nil {
		return session{trouble: "its session could not be read"}
	}
	word := func(key string) string {
		s, _ := httpx.String(o.Get(key))
		return s
	}
	var s session
	if json.Unmarshal(o.Get("session_id"), &s.ID) != nil || !httpx.Segment(s.ID) {
		s.ID, s.trouble = "", "its session has no usable id"
	}
	if name, doubled := o.Doubled(); doubled {
		s.trouble = "the key " + text.New(name).Fit(60) + " stands in its session twice"
	}
	s.Title, s.Link = text.New(word("title")), link(word("url"))
	s.StartedBy = readActor(o.Get("created_by"), me)
	s.Starter = starter(s.StartedBy, word("parent_id") != "", me)
	if s.StartedBy.Type == client.ActorAgent {
		s.Origin = s.StartedBy.Name
	}
	_ = json.Unmarshal(o.Get("revision"), &s.Revision)
	s.judge(word("admission_state"), word("status"), word("attention"))
	return s
}

// judge says what the state of a session means. A pause that is blocked waits for
// an answer, so answers have to be possible then.
func (s *session) judge(admission, status, attention string) {
	s.state = admission
	s.blocked = attention == pauseBlocked
	for _, state := range []string{admission, status} {
		if why, ok := dead[state]; ok {
			s.state, s.refuses = state, why
		}
	}
	switch {
	case s.refuses != "":
		s.Trouble = s.refuses
	case s.blocked:
		s.Trouble, s.CanResume = blockedWords, admission != "active"
	case admission == "paused":
		s.refuses = "the session is paused: resume it (p), then answer"
		s.Trouble, s.CanResume = "paused", true
	case admission == "active":
		s.CanPause = true
	case admission != "":
		s.Trouble = "its state is " + text.New(admission).Fit(40)
	}
	if s.Trouble == "" && attention != "" {
		s.Trouble = "it needs attention: " + text.New(attention).Fit(40)
	}
}

// starter says whose session it is.
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

// answerer reads who answered: somebody as a session names them, or an id or name
// alone, which is the form that the documentation leaves open.
func answerer(raw jsontext.Value, who identity) client.Actor {
	s, ok := httpx.String(raw)
	if !ok || s == "" {
		return readActor(raw, who.me())
	}
	return client.Actor{Type: client.ActorUser, ID: s, Name: text.New(s),
		Me: s == who.me() || s == who.name.Raw()}
}

// readActor reads somebody, and nobody where there is no such object.
func readActor(raw jsontext.Value, me string) client.Actor {
	o, err := httpx.Split(raw)
	if err != nil {
		return client.Actor{}
	}
	var a client.Actor
	switch kind, _ := httpx.String(o.Get("type")); kind {
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

// link lets an address through that a browser may be given.
func link(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || len(raw) > longestLink || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil {
		return ""
	}
	for _, b := range []byte(raw) {
		if b <= ' ' || b > '~' {
			return ""
		}
	}
	return raw
}
