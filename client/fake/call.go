package fake

import (
	"errors"
	"html"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Call is one request that a face answers.
type Call struct {
	*http.Request
	// State is what the relay holds; nil where the lock is not held.
	*State
	// Key is whose call it is.
	Key  Key
	Body []byte
	// Reply is what the reply is written to: its headers, or all of it by a handler
	// that returns [Served].
	Reply http.ResponseWriter
}

// Served says that a handler has written its reply itself.
var Served = &Refusal{}

// Handler answers a call. What it returns is sent as JSON; nil is a reply
// without a body.
type Handler func(*Call) (any, *Refusal)

// Refusal is a reply that a handler sends in place of its own.
type Refusal struct {
	Status int
	// Body is sent as JSON, or as it is where it is a string of the given Type.
	Body any
	Type string
	// Code is what [Sent] calls it.
	Code string
}

// HTML is a page as a reply.
func HTML(status int, page string) *Refusal {
	return &Refusal{Status: status, Body: page, Type: "text/html; charset=utf-8", Code: "HTML"}
}

// Problem is an error as several kinds of relay have it, in the member error.
type Problem struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Field   string         `json:"field,omitzero"`
	Scope   string         `json:"scope,omitzero"`
	Ask     jsontext.Value `json:"ask,omitzero"`
}

// Refuse refuses a call with a problem.
func Refuse(status int, p Problem) *Refusal {
	return &Refusal{Status: status, Code: p.Code, Body: struct {
		Error Problem `json:"error"`
	}{p}}
}

// Problem returns the problem of a refusal that was made of one.
func (r *Refusal) Problem() Problem {
	body, _ := r.Body.(struct {
		Error Problem `json:"error"`
	})
	return body.Error
}

// Ref names the ask of the call's path.
func (c *Call) Ref() Ref { return Ref{c.PathValue("session"), c.PathValue("ask")} }

// Session returns the session of the call's path; nil where there is none.
func (c *Call) Session() *Session { return c.State.Session(c.PathValue("session")) }

// routes lays out the paths of the wire.
func (s *Store) routes() http.Handler {
	mux := http.NewServeMux()
	on := func(pattern string, h http.HandlerFunc) {
		method, path, _ := strings.Cut(pattern, " ")
		if path == "" {
			mux.HandleFunc(method, h)
			return
		}
		mux.HandleFunc(method+" "+s.wire.Prefix+path, h)
	}
	for pattern, h := range s.wire.Routes {
		on(pattern, s.handle(h, true))
	}
	for pattern, h := range s.wire.Free {
		on(pattern, s.handle(h, false))
	}
	mux.HandleFunc("GET /s/{session}", s.servePage)
	return mux
}

// handle answers requests with a handler, and keeps what arrived for an ask.
func (s *Store) handle(h Handler, locked bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c := &Call{Request: r, Body: body, Reply: w}
		wrong := s.guard(c)
		if wrong != nil {
			send(w, nil, wrong)
			return
		}
		var reply any
		do := func() {
			// The reply is encoded here, because what it is made of may change later.
			if reply, wrong = h(c); wrong == nil && reply != nil {
				reply = Marshal(reply)
			}
		}
		if !locked {
			do()
		}
		s.Do(func(st *State) {
			if locked {
				c.State = st
				do()
			}
			c.note(st, wrong)
		})
		send(w, reply, wrong)
	}
}

func (s *Store) guard(c *Call) *Refusal {
	if s.wire.Guard != nil {
		return s.wire.Guard(c)
	}
	for _, k := range s.wire.Keys {
		if c.Header.Get("Authorization") == "Bearer "+k.Token {
			c.Key = k
			return nil
		}
	}
	return s.wire.Unknown
}

// note keeps what arrived for an ask, and with which error it was refused.
func (c *Call) note(st *State, wrong *Refusal) {
	if c.Method != http.MethodPost || c.PathValue("ask") == "" {
		return
	}
	sent := Sent{By: c.Key.Actor, Call: path.Base(c.URL.Path), Body: string(c.Body)}
	if wrong != nil {
		sent.Code = wrong.Code
	}
	st.Note(c.Ref(), sent)
}

func send(w http.ResponseWriter, reply any, wrong *Refusal) {
	switch {
	case wrong == Served:
	case wrong == nil && reply == nil:
		w.WriteHeader(http.StatusNoContent)
	case wrong == nil:
		SendJSON(w, http.StatusOK, reply)
	case wrong.Body == nil || wrong.Type != "":
		text, _ := wrong.Body.(string)
		if wrong.Type != "" {
			w.Header().Set("Content-Type", wrong.Type)
		}
		w.WriteHeader(wrong.Status)
		_, _ = io.WriteString(w, text)
	default:
		SendJSON(w, wrong.Status, wrong.Body)
	}
}

// servePage is the page behind a session's link, for people.
func (s *Store) servePage(w http.ResponseWriter, r *http.Request) {
	n, ok := s.Session(r.PathValue("session"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	send(w, nil, HTML(http.StatusOK, Page(n.Title)))
}

// Page is a page with a title.
func Page(title string) string {
	title = html.EscapeString(title)
	return "<!doctype html><meta charset=\"utf-8\"><title>" + title + "</title><h1>" + title + "</h1><p>A session of a fake relay.</p>\n"
}

// Me says whose key a call carries.
func Me(c *Call) (any, *Refusal) {
	return map[string]string{"id": c.Key.ID, "name": c.Key.Name}, nil
}

// Limit reads how many items a call wants on a page: 1 to 100, or usual.
func (c *Call) Limit(usual int) (int, bool) {
	given := c.URL.Query().Get("limit")
	if given == "" {
		return usual, true
	}
	n, err := strconv.Atoi(given)
	return n, err == nil && n >= 1 && n <= 100
}

// Strict decodes a body, in which no member is too many. The field is the one
// that does not belong, as answers[0].text.
func Strict(body []byte, into any) (field string, err error) {
	err = json.Unmarshal(body, into, json.RejectUnknownMembers(true))
	if wrong, ok := errors.AsType[*json.SemanticError](err); ok {
		for token := range wrong.JSONPointer.Tokens() {
			switch _, index := strconv.Atoi(token); {
			case index == nil && field != "":
				field += "[" + token + "]"
			case field != "":
				field += "." + token
			default:
				field = token
			}
		}
	}
	return field, err
}

// Canonical returns JSON in a form in which equal values are equal.
func Canonical(raw []byte) jsontext.Value {
	value := jsontext.Value(raw).Clone()
	if value.Canonicalize() != nil {
		return raw
	}
	return value
}
