package werft

import (
	"context"
	"time"

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
	// raw is the session as it was sent: two that are the same did not change.
	raw string
	// refuses says why nothing can be answered in it, refused why this key may not;
	// empty when that can be.
	refuses, refused string
	// blocked says that a pause waits for something, over that it runs no more.
	blocked, over bool
	state         string
	// noted is when it was paused from here, where it was.
	noted time.Time
	// trouble says why it could not be read; empty when all is well.
	trouble string
}

const (
	pausedState  = "paused"
	pauseBlocked = "PAUSE_BLOCKED"
)

// blockedWords say what a pause that does not come to its end waits for.
const blockedWords = "the pause is blocked: an open request has to be answered, or the turn interrupted"

// pauseEffect says what a pause does to a request that is open.
const pauseEffect = "it pauses once this request is answered, which stays open until then and ends as a denial in its time"

// dead are the states in which nothing can be answered, in words.
var dead = map[string]string{
	"stopped":           "the session is stopped, so nothing can be answered in it",
	"recovery_required": "the session has to be recovered first, so nothing can be answered in it",
	"closed":            "the session is closed, so nothing can be answered in it",
}

// refusals are the codes with which the relay refuses this key every request of a
// session, with what they mean.
var refusals = map[string]string{
	"self_approval": "this key started the session: answer with another key, made for approvals",
	forbidden:       "only its creator, its agent's admins, owners and admins answer in this session",
}

// forbidden is what changes where somebody is made an admin, so that it is tried again
// after triedAgain.
const (
	forbidden  = "forbidden"
	triedAgain = 24 * time.Hour
)

// refusal says what a note means for the requests of its session; empty where it says
// nothing of them, or no more.
func refusal(note relays.Note) string {
	if note.What == forbidden && time.Since(note.At) > triedAgain {
		return ""
	}
	return refusals[note.What]
}

// refusedIn says why this key may answer nothing in a session, as it was noted; empty
// where it may.
func refusedIn(session string, notes []relays.Note) string {
	for _, note := range notes {
		if why := refusal(note); why != "" && note.Session == session {
			return why
		}
	}
	return ""
}

// sessionKeys are the names of what a session sends.
var sessionKeys = relays.SessionKeys{ID: "session_id", CreatedBy: "created_by", Parent: "parent_id"}

// readSession takes a session apart.
func readSession(raw jsontext.Value, me string) session {
	s := session{raw: string(raw)}
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
			s.state, s.refuses, s.over = state, why, state != "recovery_required"
		}
	}
	switch {
	case s.refuses != "":
		s.Trouble = s.refuses
	case s.blocked:
		s.Trouble, s.CanResume = blockedWords, admission == pausedState
	case admission == pausedState:
		s.refuses = "the session is paused: resume it, then answer"
		s.Trouble, s.CanResume = "paused", true
	case admission == "active":
		s.CanPause, s.PauseEffect = true, pauseEffect
	case admission != "":
		s.Trouble = "its state is " + text.New(admission).Quoted(40)
	}
	if s.Trouble == "" && attention != "" {
		s.Trouble = "it needs attention: " + text.New(attention).Quoted(40)
	}
}

// read reads one session as it is now.
func (r *Relay) read(ctx context.Context, id string) (session, error) {
	reply, _, err := r.do(ctx, httpx.Request{Path: "/v1/sessions" + httpx.Path(id)})
	if err != nil {
		return session{}, err
	}
	raw := jsontext.Value(reply.Body)
	if o, err := httpx.Split(raw); err == nil && o.Get("session_id") == nil && o.Get("session") != nil {
		raw = o.Get("session")
	}
	s := readSession(raw, r.who.Who().Me())
	s.refused = refusedIn(id, r.notes.List())
	switch {
	case s.trouble != "":
		return s, &client.NotRelay{What: "JSON that is no session"}
	case s.ID != id:
		return s, &client.NotRelay{What: "another session than the one asked for"}
	}
	return s, nil
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
