package opencomputer

import (
	"html"
	"io"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// routes lays out the paths of the wire.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	at := func(method, path string, h func(User, *http.Request) (any, *problem)) {
		mux.HandleFunc(method+" "+s.prefix+path, s.authorised(h))
	}
	at("GET", "/sessions", s.getSessions)
	at("GET", "/sessions/{session}/asks", s.getAsks)
	at("GET", "/sessions/{session}/asks/{ask}", s.getAsk)
	at("POST", "/sessions/{session}/asks/{ask}/answer", s.postAnswer)
	at("POST", "/sessions/{session}/asks/{ask}/dismiss", s.postDismiss)
	at("GET", "/me", func(u User, _ *http.Request) (any, *problem) { return s.me(u) })
	if !s.options.NoRPC {
		mux.HandleFunc("POST "+s.prefix+"/rpc", s.serveRPC)
	}
	if !s.options.NoEvents {
		mux.HandleFunc("GET "+s.prefix+"/events", s.serveEvents)
	}
	mux.HandleFunc("GET /s/{session}", s.servePage)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fail(w, notFound("path")) })
	return mux
}

// authorised lets only known tokens through and sends what the call gives.
func (s *Server) authorised(h func(User, *http.Request) (any, *problem)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		u, ok := s.user(r)
		if !ok {
			unauthorized(w)
			return
		}
		reply, wrong := h(u, r)
		if wrong != nil {
			fail(w, wrong)
			return
		}
		fake.SendJSON(w, http.StatusOK, reply)
	}
}

func unauthorized(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", "Bearer")
	fail(w, refuse(401, "unauthorized", "", "the token is not known here"))
}

func fail(w http.ResponseWriter, wrong *problem) {
	fake.SendJSON(w, wrong.status, struct {
		Error *problem `json:"error"`
	}{wrong})
}

// me says whose token it is, where this relay has that.
func (s *Server) me(u User) (any, *problem) {
	if s.options.NoMe {
		return nil, notFound("path")
	}
	return struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}{u.ID, u.Name}, nil
}

func queryOf(r *http.Request) (query, *problem) {
	values := r.URL.Query()
	limit, wrong := limitOf(values.Get("limit"))
	return query{Status: values.Get("status"), Limit: limit, Cursor: values.Get("cursor"),
		UpdatedSince: values.Get("updatedSince")}, wrong
}

func refOf(r *http.Request) Ref { return Ref{r.PathValue("session"), r.PathValue("ask")} }

func (s *Server) getSessions(_ User, r *http.Request) (any, *problem) {
	q, wrong := queryOf(r)
	if wrong != nil {
		return nil, wrong
	}
	return s.listSessions(q)
}

func (s *Server) getAsks(_ User, r *http.Request) (any, *problem) {
	q, wrong := queryOf(r)
	if wrong != nil {
		return nil, wrong
	}
	return s.listAsks(r.PathValue("session"), q)
}

func (s *Server) getAsk(_ User, r *http.Request) (any, *problem) { return s.oneAsk(refOf(r)) }

func (s *Server) oneAsk(ref Ref) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, a := s.lookup(ref); a != nil {
		return a.wire(), nil
	}
	return nil, notFound("ask")
}

func (s *Server) postAnswer(u User, r *http.Request) (any, *problem) {
	body, _ := io.ReadAll(r.Body)
	return s.answer(u, refOf(r), body)
}

func (s *Server) postDismiss(u User, r *http.Request) (any, *problem) {
	body, _ := io.ReadAll(r.Body)
	message, wrong := dismissMessage(body)
	return s.dismiss(u, refOf(r), body, message, wrong)
}

// dismissMessage reads the body of a dismissal, which may be missing.
func dismissMessage(body []byte) (*string, *problem) {
	if len(body) == 0 {
		return nil, nil
	}
	var given struct {
		Message *string `json:"message"`
	}
	wrong := strict(body, &given)
	return given.Message, wrong
}

// servePage is the page behind a session's link, for people.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	title, waiting := "", false
	if n := s.find(r.PathValue("session")); n != nil {
		title, waiting = n.Title, n.status() == "waiting"
	}
	s.mu.Unlock()
	if title == "" {
		fail(w, notFound("session"))
		return
	}
	state := "It goes on by itself."
	if waiting {
		state = "It waits for an answer."
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!doctype html><meta charset=\"utf-8\"><title>"+html.EscapeString(title)+
		"</title><h1>"+html.EscapeString(title)+"</h1><p>A session of a fake relay. "+state+"</p>\n")
}

// idOf reads the id of a JSON-RPC call, which is sent back as it came.
func idOf(raw jsontext.Value) jsontext.Value {
	if raw == nil {
		return jsontext.Value("null")
	}
	return raw
}
