package opencode

import (
	"bytes"
	"slices"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// place finds a request and its tool call on the server.
type place struct {
	list
	session string // the session that asks, which may be a subagent's
	// message and call find the tool call; empty where the server does not tell.
	message, call string
}

// request is one ask as the server tells of it, in a list or in an event,
// whichever engine it comes from. It is never changed once it is read.
type request struct {
	place
	id string
	// name is the permission's: bash, edit, external_directory, and any other.
	name             string
	patterns, always []string
	metadata         jsontext.Value // nil where there is none
	questions        []wireQuestion
	raw              jsontext.Value
	// extra is what the server sent beside what is read of such a request.
	extra []client.Part
	// unreadable says why it could not be read; then only the ids may be set.
	unreadable string
}

type wireTool struct {
	Type      string         `json:"type"`
	MessageID string         `json:"messageID"`
	CallID    string         `json:"callID"`
	Rest      jsontext.Value `json:",embed"`
}

type wireQuestion struct {
	Question string `json:"question"`
	Header   string `json:"header"`
	Options  []struct {
		Label       string         `json:"label"`
		Description string         `json:"description"`
		Rest        jsontext.Value `json:",embed"`
	} `json:"options"`
	Multiple bool           `json:"multiple"`
	Rest     jsontext.Value `json:",embed"`
}

// wireRequest holds the fields of all four kinds: the engines give the same
// things different names.
type wireRequest struct {
	ID         string         `json:"id"`
	SessionID  string         `json:"sessionID"`
	Permission string         `json:"permission"`
	Patterns   []string       `json:"patterns"`
	Always     []string       `json:"always"`
	Action     string         `json:"action"`
	Resources  []string       `json:"resources"`
	Save       []string       `json:"save"`
	Metadata   jsontext.Value `json:"metadata"`
	Tool       *wireTool      `json:"tool"`
	Source     *wireTool      `json:"source"`
	Questions  []wireQuestion `json:"questions"`
	// Blocking is what Kilo says of a question.
	Blocking jsontext.Value `json:"blocking"`
	Rest     jsontext.Value `json:",embed"`
}

// What a request of one kind has and the others do not.
var (
	ofFirst    = []string{"permission", "patterns", "always"}
	ofSecond   = []string{"action", "resources", "save"}
	ofQuestion = []string{"questions"}
)

// extra is what the server sent beside what is read of such a request.
func (w *wireRequest) extra(q *request) []client.Part {
	var all relays.Extra
	all.Rest("", w.Rest)
	ofOne := w.Permission != "" || len(w.Patterns)+len(w.Always) > 0
	ofOther := w.Action != "" || len(w.Resources)+len(w.Save) > 0
	switch {
	case q.question && (ofOne || ofOther || relays.Holds(w.Metadata)):
		all.Unread("", q.raw, slices.Concat(ofFirst, ofSecond, []string{"metadata"})...)
	case q.question:
	case q.engine == second && (ofOne || len(w.Questions) > 0):
		all.Unread("", q.raw, slices.Concat(ofFirst, ofQuestion)...)
	case q.engine == first && (ofOther || len(w.Questions) > 0):
		all.Unread("", q.raw, slices.Concat(ofSecond, ofQuestion)...)
	}
	if relays.Holds(w.Blocking) && (!q.question || w.Blocking.Kind() != 't') {
		all.Add("blocking", w.Blocking)
	}
	if w.Source != nil {
		all.Rest("source", w.Source.Rest)
	}
	if w.Tool != nil {
		all.Rest("tool", w.Tool.Rest)
	}
	if !q.question {
		return all
	}
	for i, one := range w.Questions {
		all.RestOf("questions", i, one.Rest)
		for n, o := range one.Options {
			all.RestOfOption("questions", i, n, o.Rest)
		}
	}
	return all
}

// readRequest reads an item of a list or the properties of an event. It always
// returns one: what cannot be read is counted and seen as such.
func readRequest(l list, raw jsontext.Value) *request {
	q := &request{place: place{list: l}, raw: raw}
	var w wireRequest
	if raw.Kind() != '{' {
		return q.refuse("it is no object")
	}
	if err := httpx.Decode(q.raw, &w); err != nil {
		return q.refuse(httpx.Reason(q.raw, err))
	}
	q.id, q.session = w.ID, w.SessionID
	switch {
	case !httpx.Segment(w.ID):
		return q.refuse("it has no usable id")
	case !httpx.Segment(w.SessionID):
		return q.refuse("it names no session")
	}
	q.name, q.patterns, q.always, q.metadata = w.Permission, w.Patterns, w.Always, w.Metadata
	if l.engine == second {
		q.name, q.patterns, q.always = w.Action, w.Resources, w.Save
	}
	q.extra = w.extra(q)
	if w.Tool == nil {
		w.Tool = w.Source
	}
	if w.Tool != nil && httpx.Segment(w.Tool.MessageID) {
		q.message, q.call = w.Tool.MessageID, w.Tool.CallID
	}
	q.questions = w.Questions
	if !l.question && q.name == "" {
		return q.refuse("it does not say what it asks to do")
	}
	return q
}

// refuse marks a request that could not be read. It keeps the item's id where it
// has one, and gets one of its own content otherwise, so that it is the same at
// the next poll.
func (q *request) refuse(why string) *request {
	q.unreadable = why
	if o, err := httpx.Split(q.raw); err == nil && q.id == "" {
		_ = json.Unmarshal(o.Get("id"), &q.id)
		_ = json.Unmarshal(o.Get("sessionID"), &q.session)
	}
	if q.id == "" {
		q.id = relays.ContentID(q.raw)
	}
	return q
}

// kept returns the request with an item of its own, apart from the list that it stood in.
func (q *request) kept() *request {
	q.raw = bytes.Clone(q.raw)
	return q
}

// same reports whether two readings hold the same item. Lists and events write
// the keys of one in different orders.
func (q *request) same(p *request) bool {
	if q.unreadable != p.unreadable || bytes.Equal(q.raw, p.raw) {
		return q.unreadable == p.unreadable
	}
	a, b := q.raw.Clone(), p.raw.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}
