package oar

import (
	"bytes"
	"html"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// cookie is where the relay repeats its token for its own page.
const cookie = "copilot_auth"

// list is a reply that is written item by item, because some grow without bound.
type list struct {
	name  string
	items []func() jsontext.Value
	rest  []byte // further members, with a comma before each
}

// handler answers one call.
type handler func(*http.Request) (any, *problem)

// routes lays out the paths of the wire.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	on := func(pattern string, h handler) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+s.options.Prefix+path, s.authorised(h))
	}
	on("GET /api/relay/identity", s.getIdentity)
	on("GET /api/remote-relays", s.getRemoteRelays)
	on("GET /api/conversations", s.getConversations)
	on("GET /api/conversation/{id}", s.getConversation)
	on("GET /api/relay-questions", s.getCards)
	on("GET /api/relay-question/{id}", s.getCard)
	on("POST /api/relay-question/{id}/answer", s.posted("answer", s.answerCard, "answer", "structuredAnswer", "sdk_session_id"))
	on("POST /api/relay-question/{id}/timeout", s.posted("timeout", s.timeOutCard, "sdk_session_id"))
	on("GET /api/relay-boards", s.getBoards)
	on("POST /api/relay-board/{id}/action", s.posted("action", s.actOnBoard, "actionId"))
	on("GET /api/asks", s.ifAsks(s.getAsks))
	on("POST /api/ask/{id}/answer", s.ifAsks(s.posted("answer", s.answerAsk, "answer", "option")))
	on("POST /api/ask/{id}/dismiss", s.ifAsks(s.posted("dismiss", s.dismissAsk)))
	mux.HandleFunc("GET "+s.options.Prefix+"/{$}", s.servePage)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fail(w, page(http.StatusNotFound)) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie(cookie); err != nil || c.Value != s.options.Token {
			w.Header().Add("Set-Cookie", cookie+"="+s.options.Token+"; Path=/; HttpOnly; SameSite=Lax")
		}
		if wrong := s.inspect(r); wrong != nil {
			fail(w, wrong)
			return
		}
		s.settle()
		mux.ServeHTTP(w, r)
	})
}

// inspect refuses and notes what a client must never send.
func (s *Server) inspect(r *http.Request) *problem {
	var found []string
	for name := range r.Header {
		if strings.HasPrefix(strings.ToLower(name), "x-oar-remote-") {
			found = append(found, "the header "+name)
		}
	}
	if r.Header.Get("Cookie") != "" {
		found = append(found, "a cookie")
	}
	if r.URL.Query().Has("token") {
		found = append(found, "the token in the query")
	}
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	var members map[string]jsontext.Value
	if json.Unmarshal(body, &members, jsontext.AllowDuplicateNames(true)) == nil && members["origin"] != nil {
		found = append(found, "an origin in the body")
	}
	if len(found) == 0 {
		return nil
	}
	s.blame(r, found...)
	return refuse(http.StatusBadRequest, "This request holds "+strings.Join(found, ", "))
}

// blame notes what arrived that no client should send.
func (s *Server) blame(r *http.Request, found ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range found {
		s.violations = append(s.violations, r.Method+" "+r.URL.Path+": "+f)
	}
}

// authorised lets only the relay's token through and sends what the call gives.
func (s *Server) authorised(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+s.options.Token {
			fail(w, refuse(http.StatusUnauthorized, "Unauthorized"))
			return
		}
		reply, wrong := h(r)
		switch l, isList := reply.(list); {
		case wrong != nil:
			fail(w, wrong)
		case isList:
			l.send(w)
		default:
			send(w, http.StatusOK, reply)
		}
	}
}

// ifAsks makes paths unknown while the relay has no asks.
func (s *Server) ifAsks(h handler) handler {
	return func(r *http.Request) (any, *problem) {
		s.mu.Lock()
		off := s.noAsks
		s.mu.Unlock()
		if off {
			return nil, page(http.StatusNotFound)
		}
		return h(r)
	}
}

// posted reads the body of a call to an item, of which only the named members
// belong to it, and keeps what arrived with what came of it.
func (s *Server) posted(call string, h func(id string, body request) (any, *problem), members ...string) handler {
	return func(r *http.Request) (any, *problem) {
		id := r.PathValue("id")
		raw, _ := io.ReadAll(r.Body)
		var body request
		var reply any
		wrong := s.read(r, raw, members, &body)
		if wrong == nil {
			reply, wrong = h(id, body)
		}
		sent := Sent{Call: call, Body: string(raw)}
		if wrong != nil {
			sent.Error = wrong.body.Error
			if wrong.html {
				sent.Error = "not JSON"
			}
		}
		s.note(id, sent)
		return reply, wrong
	}
}

// request holds every member that a call may send.
type request struct {
	Answer           *string        `json:"answer"`
	StructuredAnswer jsontext.Value `json:"structuredAnswer"`
	SDKSessionID     *string        `json:"sdk_session_id"`
	ActionID         *string        `json:"actionId"`
	Option           *string        `json:"option"`
}

// read decodes a body, which may be missing. What is no JSON object gets a page,
// as the parser before the relay's own code sends it.
func (s *Server) read(r *http.Request, raw []byte, members []string, into *request) *problem {
	if len(raw) == 0 {
		return nil
	}
	if kind := r.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		s.blame(r, "a body of the type "+kind)
		return refuse(http.StatusBadRequest, "Empty answer")
	}
	if value := jsontext.Value(raw); !value.IsValid() || value.Kind() != '{' {
		return page(http.StatusBadRequest)
	}
	var given map[string]jsontext.Value
	_ = json.Unmarshal(raw, &given)
	for name := range given {
		if !slices.Contains(members, name) {
			s.blame(r, "the member "+name)
			return refuse(http.StatusBadRequest, "Unknown member "+name)
		}
	}
	if err := json.Unmarshal(raw, into); err != nil {
		s.blame(r, "a member of the wrong type: "+err.Error())
		return refuse(http.StatusBadRequest, "Malformed request")
	}
	return nil
}

func (l list) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = io.WriteString(w, `{"`+l.name+`":[`)
	for i, item := range l.items {
		value := item()
		if i > 0 {
			value = append([]byte{','}, value...)
		}
		if _, err := w.Write(value); err != nil {
			return
		}
	}
	_, _ = io.WriteString(w, "]"+string(l.rest)+"}")
}

func send(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	fake.SendJSON(w, status, body)
}

func fail(w http.ResponseWriter, wrong *problem) {
	if !wrong.html {
		send(w, wrong.status, wrong.body)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(wrong.status)
	_, _ = io.WriteString(w, "<!DOCTYPE html>\n<html lang=\"en\"><title>Error</title><pre>"+
		html.EscapeString(http.StatusText(wrong.status))+"</pre></html>\n")
}

// servePage is the page behind a session's link, for people.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	title := s.options.Name
	if c := s.conversation(r.URL.Query().Get("conv")); c != nil {
		title = c.Title
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!doctype html><meta charset=\"utf-8\"><title>"+html.EscapeString(title)+
		"</title><h1>"+html.EscapeString(title)+"</h1><p>A session of a fake relay.</p>\n")
}
