package werft

import (
	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
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

// sessionKeys are the names of what a session sends.
var sessionKeys = relays.SessionKeys{ID: "session_id", CreatedBy: "created_by", Parent: "parent_id"}

// readSession takes a session apart.
func readSession(raw jsontext.Value, me string) session {
	var s session
	var o httpx.Object
	s.Session, o, s.trouble = sessionKeys.Read(raw, me)
	_ = json.Unmarshal(o.Get("revision"), &s.Revision)
	s.judge(relays.Word(o, "admission_state"), relays.Word(o, "status"), relays.Word(o, "attention"))
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
		s.Trouble = "its state is " + text.New(admission).Quoted(40)
	}
	if s.Trouble == "" && attention != "" {
		s.Trouble = "it needs attention: " + text.New(attention).Quoted(40)
	}
}

// answerer reads who answered: somebody as a session names them, or an id or name
// alone, which is the form that the documentation leaves open.
func answerer(raw jsontext.Value, who relays.Who) client.Actor {
	s, ok := httpx.String(raw)
	if !ok || s == "" {
		return who.Actor(raw)
	}
	me := s == who.Me() || s == who.ID || s == who.Name.Raw()
	return client.Actor{Type: client.ActorUser, ID: s, Name: text.New(s), Me: me, MaybeMe: !me && who.ID == ""}
}
