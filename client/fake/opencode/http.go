package opencode

import (
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"askbox/client/fake"
)

// routes lays out the paths of the wire. Whatever is not one of them is the page
// of the web interface, with status 200.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	at := func(pattern string, h func(http.ResponseWriter, *http.Request)) { mux.HandleFunc(pattern, h) }
	at("GET /global/health", s.getHealth)
	at("GET /doc", s.getDoc)
	at("GET /global/event", s.serveGlobalEvents)
	at("GET /event", s.serveEvents)
	at("POST /global/dispose", s.postDisposeAll)
	at("POST /instance/dispose", s.postDispose)
	at("GET /permission", s.list(1, false))
	at("GET /question", s.list(1, true))
	at("POST /permission/{ask}/reply", s.postReply)
	at("POST /question/{ask}/reply", s.postAnswers)
	at("POST /question/{ask}/reject", s.postReject)
	at("POST /session/{session}/permissions/{ask}", s.postOldReply)
	at("GET /session", s.getSessions)
	at("GET /session/status", s.getStatus)
	at("GET /session/{session}", s.getSession)
	at("DELETE /session/{session}", s.deleteSession)
	at("GET /session/{session}/children", s.getChildren)
	at("GET /session/{session}/message", s.getMessages)
	at("GET /session/{session}/message/{message}", s.getMessage)
	at("POST /session/{session}/abort", s.postAbort)
	at("GET /experimental/session", s.getAllSessions)
	at("GET /project", s.getProjects)
	s.routes2(at)
	at("/", servePage)
	return s.guarded(mux)
}

// guarded lets only those in who know the password.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.authorised(r) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="Secure Area"`)
		if strings.HasPrefix(r.URL.Path, "/api/") {
			fail(w, &problem{status: 401, body: tagged{Tag: "UnauthorizedError", Message: "Authentication required"}})
			return
		}
		fail(w, &problem{status: 401})
	})
}

// page is what unknown routes get.
const page = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>OpenCode</title></head>\n" +
	"<body><noscript>You need to enable JavaScript to run this app.</noscript><div id=\"root\"></div></body>\n</html>\n"

func servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = io.WriteString(w, page)
}

func (s *Server) getHealth(w http.ResponseWriter, _ *http.Request) {
	fake.SendJSON(w, 200, struct {
		Healthy bool   `json:"healthy"`
		Version string `json:"version"`
	}{true, version})
}

func (s *Server) getDoc(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"openapi":"3.1.0","info":{"title":"opencode","version":"1.0.0"},"paths":{}}`)
}

// folder returns which folder a request is for. It answers the request itself,
// and reports false, where that is a file.
func (s *Server) folder(w http.ResponseWriter, r *http.Request) (string, bool) {
	given := r.URL.Query().Get("directory")
	if given == "" {
		given = r.Header.Get("X-Opencode-Directory")
		if decoded, err := url.PathUnescape(given); err == nil {
			given = decoded
		}
	}
	return s.normal(w, given)
}

func (s *Server) normal(w http.ResponseWriter, given string) (string, bool) {
	switch {
	case given == "":
		given = s.options.Root
	case !path.IsAbs(given):
		given = path.Join(s.options.Root, given)
	}
	given = clean(given)
	if slices.Contains(s.options.Files, given) {
		fail(w, unknownError())
		return "", false
	}
	return given, true
}

// list answers with the pending asks of one folder.
func (s *Server) list(engine int, questions bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		folder, ok := s.folder(w, r)
		if !ok {
			return
		}
		s.mu.Lock()
		s.boot(folder)
		items := []any{}
		var wrong *problem
		for i, a := range s.listed(folder, engine, questions) {
			if a.broken != "" && wrong == nil {
				wrong = undefined(i, a.broken)
			}
			items = append(items, a.wire())
		}
		s.mu.Unlock()
		if wrong != nil {
			fail(w, wrong)
			return
		}
		fake.SendJSON(w, 200, items)
	}
}

func (s *Server) postDispose(w http.ResponseWriter, r *http.Request) {
	folder, ok := s.folder(w, r)
	if !ok {
		return
	}
	s.mu.Lock()
	s.dispose(folder)
	s.unlock()
	fake.SendJSON(w, 200, true)
}

func (s *Server) postDisposeAll(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	s.disposeAll()
	s.unlock()
	fake.SendJSON(w, 200, true)
}
