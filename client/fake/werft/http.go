package werft

import (
	"encoding/base64"
	"html"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// handler answers one call of somebody with a key.
type handler func(Key, *http.Request) (any, *problem)

// routes lays out the paths of the wire.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	on := func(pattern string, h handler) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+s.options.Prefix+"/v1"+path, s.authorised(h))
	}
	on("GET /me", s.me)
	on("GET /sessions", s.getSessions)
	on("GET /sessions/{session}", s.getSession)
	on("GET /sessions/{session}/requests", s.getRequests)
	on("POST /sessions/{session}/requests/{request}/answer", func(k Key, r *http.Request) (any, *problem) {
		body, _ := io.ReadAll(r.Body)
		return s.answer(k, Ref{r.PathValue("session"), r.PathValue("request")}, body)
	})
	for _, operation := range []string{"pause", "resume"} {
		on("POST /sessions/{session}/"+operation, func(k Key, r *http.Request) (any, *problem) {
			body, _ := io.ReadAll(r.Body)
			return s.pause(k, r.PathValue("session"), operation, body)
		})
	}
	on("GET /receipts/{receipt}", func(_ Key, r *http.Request) (any, *problem) { return s.receipt(r.PathValue("receipt")) })
	mux.HandleFunc("GET /s/{session}", s.servePage)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fail(w, notFound("path")) })
	return mux
}

// authorised lets only known keys through and sends what the call gives.
func (s *Server) authorised(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		k, ok := s.key(r)
		if !ok {
			fail(w, refuse(http.StatusUnauthorized, "UNAUTHORIZED", "the key is not known here"))
			return
		}
		s.settle()
		reply, wrong := h(k, r)
		if wrong != nil {
			fail(w, wrong)
			return
		}
		fake.SendJSON(w, http.StatusOK, reply)
	}
}

func fail(w http.ResponseWriter, wrong *problem) {
	fake.SendJSON(w, wrong.status, struct {
		Error *problem `json:"error"`
	}{wrong})
}

func (s *Server) me(k Key, _ *http.Request) (any, *problem) {
	if s.options.NoMe {
		return nil, notFound("path")
	}
	return struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}{k.Actor.ID, k.Actor.Name}, nil
}

type sessionsPage struct {
	Sessions   []jsontext.Value `json:"sessions"`
	NextCursor *string          `json:"next_cursor"`
}

// getSessions lists sessions, newest first. A cursor names the session that it
// points behind, so nothing is doubled or skipped when sessions come and go.
func (s *Server) getSessions(_ Key, r *http.Request) (any, *problem) {
	query := r.URL.Query()
	limit := 20
	if given := query.Get("limit"); given != "" {
		var err error
		if limit, err = strconv.Atoi(given); err != nil || limit < 1 || limit > 100 {
			return nil, refuse(400, "INVALID_REQUEST", "limit is 1 to 100")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	from, wrong := s.behind(query.Get("cursor"))
	if wrong != nil {
		return nil, wrong
	}
	if s.most > 0 {
		limit = min(limit, s.most)
	}
	page := sessionsPage{Sessions: []jsontext.Value{}}
	for i := from; i >= 0; i-- {
		n := s.sessions[i]
		if status := query.Get("status"); status != "" && status != n.status() {
			continue
		}
		if len(page.Sessions) == limit {
			next := base64.RawURLEncoding.EncodeToString([]byte(s.sessions[i+1].ID))
			page.NextCursor = &next
			break
		}
		page.Sessions = append(page.Sessions, n.wire())
	}
	return page, nil
}

// behind returns the index of the newest session behind a cursor, -1 for none;
// s.mu is held.
func (s *Server) behind(cursor string) (int, *problem) {
	if cursor == "" {
		return len(s.sessions) - 1, nil
	}
	id, err := base64.RawURLEncoding.DecodeString(cursor)
	i := slices.IndexFunc(s.sessions, func(n *session) bool { return n.ID == string(id) })
	if s.expire > 0 || err != nil || i < 0 {
		s.expire = max(0, s.expire-1)
		return 0, refuse(400, "INVALID_CURSOR", "the cursor is not one of this listing; start again from its first page")
	}
	return i - 1, nil
}

func (s *Server) getSession(_ Key, r *http.Request) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.find(r.PathValue("session")); n != nil {
		return n.wire(), nil
	}
	return nil, notFound("session")
}

// getRequests lists the open requests of a session, oldest first.
func (s *Server) getRequests(_ Key, r *http.Request) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.find(r.PathValue("session"))
	if n == nil {
		return nil, notFound("session")
	}
	out := struct {
		Requests []jsontext.Value `json:"requests"`
	}{[]jsontext.Value{}}
	for _, r := range n.listed() {
		out.Requests = append(out.Requests, r.wire())
	}
	return out, nil
}

// servePage is the page behind a session's link, for people.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	n, ok := s.Session(r.PathValue("session"))
	if !ok {
		fail(w, notFound("session"))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!doctype html><meta charset=\"utf-8\"><title>"+html.EscapeString(n.Title)+
		"</title><h1>"+html.EscapeString(n.Title)+"</h1><p>A session of a fake relay.</p>\n")
}
