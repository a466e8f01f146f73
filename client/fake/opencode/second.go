package opencode

import (
	"net/http"
	"slices"
	"strings"

	"askbox/client/fake"
)

// routes2 lays out the paths of the second engine.
func (s *Server) routes2(at func(string, func(http.ResponseWriter, *http.Request))) {
	at("GET /api/permission/request", s.list2(false))
	at("GET /api/question/request", s.list2(true))
	at("GET /api/session/active", s.getActive)
	at("GET /api/session/{session}", s.getSession2)
	at("GET /api/session/{session}/permission", s.listSession2(false))
	at("GET /api/session/{session}/question", s.listSession2(true))
	at("GET /api/session/{session}/permission/{ask}", s.getAsk2)
	at("POST /api/session/{session}/permission/{ask}/reply", s.postReply2)
	at("POST /api/session/{session}/question/{ask}/reply", s.postAnswers2)
	at("POST /api/session/{session}/question/{ask}/reject", s.postReject2)
	at("GET /api/session/{session}/message", s.getMessages2)
	at("GET /api/session/{session}/message/{message}", s.getMessage2)
	at("POST /api/session/{session}/interrupt", s.postInterrupt)
	at("GET /api/permission/saved", s.getSaved)
	at("DELETE /api/permission/saved/{id}", s.deleteSaved)
}

// dataWire is what replies of the second engine are wrapped in.
type dataWire struct {
	Location *locationWire `json:"location,omitzero"`
	Data     any           `json:"data"`
}

type locationWire struct {
	Directory string      `json:"directory"`
	Project   locationRef `json:"project"`
}

type locationRef struct {
	ID        string `json:"id"`
	Directory string `json:"directory"`
}

func (s *Server) list2(questions bool) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		folder, ok := s.normal(w, r.URL.Query().Get("location[directory]"))
		if !ok {
			return
		}
		s.mu.Lock()
		s.boot(folder)
		items := []any{}
		for _, a := range s.listed(folder, 2, questions) {
			items = append(items, a.wire())
		}
		s.mu.Unlock()
		fake.SendJSON(w, 200, dataWire{&locationWire{folder, locationRef{projectOf(folder), folder}}, items})
	}
}

// with2 answers a request about one session to the second engine.
func (s *Server) with2(w http.ResponseWriter, r *http.Request, do func(*session) (any, *problem)) {
	id := r.PathValue("session")
	wrong := prefixed(2, id, "ses", "sessionID")
	var out any
	s.mu.Lock()
	if wrong == nil {
		n := s.byID[id]
		if n == nil || n.deleted {
			wrong = noSession(2, id)
		} else {
			out, wrong = do(n)
		}
	}
	s.unlock()
	switch {
	case wrong != nil:
		fail(w, wrong)
	case out == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		fake.SendJSON(w, 200, dataWire{Data: out})
	}
}

func (s *Server) listSession2(questions bool) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		s.with2(w, r, func(n *session) (any, *problem) {
			items := []any{}
			for _, a := range s.pendingOf(n) {
				if a.Engine == 2 && (a.Permission == nil) == questions {
					items = append(items, a.wire())
				}
			}
			return items, nil
		})
	}
}

func (s *Server) getSession2(w http.ResponseWriter, r *http.Request) {
	s.with2(w, r, func(n *session) (any, *problem) {
		type location struct {
			Directory string `json:"directory"`
		}
		return struct {
			ID        string    `json:"id"`
			ParentID  string    `json:"parentID,omitzero"`
			ProjectID string    `json:"projectID"`
			Agent     string    `json:"agent"`
			Time      timesWire `json:"time"`
			Title     string    `json:"title"`
			Location  location  `json:"location"`
		}{n.ID, n.Parent, projectOf(n.Folder), n.Agent, timesWire{Created: n.created.UnixMilli(), Updated: n.Updated.UnixMilli()},
			n.Title, location{n.Folder}}, nil
	})
}

// ask2 looks up a pending ask of a session; s.mu is held.
func (s *Server) ask2(n *session, id string, questions bool) (*ask, *problem) {
	a := s.byAsk[id]
	if a == nil || !a.pending() || a.Engine != 2 || a.session != n || (a.Permission == nil) != questions {
		return nil, noRequest(questions, id)
	}
	return a, nil
}

func (s *Server) getAsk2(w http.ResponseWriter, r *http.Request) {
	s.with2(w, r, func(n *session) (any, *problem) {
		a, wrong := s.ask2(n, r.PathValue("ask"), false)
		if wrong != nil {
			return nil, wrong
		}
		return a.wire(), nil
	})
}

// decide2 has do decide on an ask of the second engine.
func (s *Server) decide2(w http.ResponseWriter, r *http.Request, prefix string, read func(body []byte) *problem, do func(*ask)) {
	s.decide(w, r, func(id string, body []byte) *problem {
		if wrong := prefixed(2, r.PathValue("session"), "ses", "sessionID"); wrong != nil {
			return wrong
		}
		if wrong := prefixed(2, id, prefix, "requestID"); wrong != nil {
			return wrong
		}
		if wrong := read(body); wrong != nil {
			return wrong
		}
		s.mu.Lock()
		defer s.unlock()
		n := s.byID[r.PathValue("session")]
		if n == nil || n.deleted {
			return noSession(2, r.PathValue("session"))
		}
		a, wrong := s.ask2(n, id, prefix == "que")
		if wrong == nil {
			do(a)
		}
		return wrong
	}, func() { w.WriteHeader(http.StatusNoContent) })
}

func (s *Server) postReply2(w http.ResponseWriter, r *http.Request) {
	var reply, message string
	s.decide2(w, r, "per", func(body []byte) (wrong *problem) {
		reply, message, wrong = replyOf(r, body, 2, "reply")
		return wrong
	}, func(a *ask) { s.reply(a, reply, message) })
}

func (s *Server) postAnswers2(w http.ResponseWriter, r *http.Request) {
	var answers [][]string
	s.decide2(w, r, "que", func(body []byte) (wrong *problem) {
		answers, wrong = answersOf(r, body, 2)
		return wrong
	}, func(a *ask) { s.answer(a, answers) })
}

func (s *Server) postReject2(w http.ResponseWriter, r *http.Request) {
	s.decide2(w, r, "que", func([]byte) *problem { return nil }, s.reject)
}

// getActive says which sessions of the second engine are at work, in all folders.
func (s *Server) getActive(w http.ResponseWriter, _ *http.Request) {
	out := map[string]statusWire{}
	s.mu.Lock()
	for _, n := range s.sessions {
		if n.busy && n.Engine == 2 {
			out[n.ID] = statusWire{"running"}
		}
	}
	s.mu.Unlock()
	fake.SendJSON(w, 200, dataWire{Data: out})
}

// getMessages2 lists the messages of a session, newest first.
func (s *Server) getMessages2(w http.ResponseWriter, r *http.Request) {
	s.with2(w, r, func(n *session) (any, *problem) {
		out := []messageWire2{}
		for _, m := range slices.Backward(n.messages) {
			if n.Engine == 2 {
				out = append(out, m.wire2(n))
			}
		}
		return out, nil
	})
}

func (s *Server) getMessage2(w http.ResponseWriter, r *http.Request) {
	s.with2(w, r, func(n *session) (any, *problem) {
		id := r.PathValue("message")
		for _, m := range n.messages {
			if m.id == id && n.Engine == 2 {
				return m.wire2(n), nil
			}
		}
		return nil, &problem{status: 404, body: tagged{Tag: "MessageNotFoundError", Message: "Message not found: " + id}}
	})
}

func (s *Server) postInterrupt(w http.ResponseWriter, r *http.Request) {
	s.with2(w, r, func(n *session) (any, *problem) {
		if n.Engine == 2 {
			s.abort(n)
		}
		return nil, nil
	})
}

func (s *Server) getSaved(w http.ResponseWriter, r *http.Request) {
	project := r.URL.Query().Get("projectID")
	s.mu.Lock()
	out := []savedRule{}
	for _, rule := range s.saved {
		if project == "" || rule.ProjectID == project {
			out = append(out, rule)
		}
	}
	s.mu.Unlock()
	fake.SendJSON(w, 200, dataWire{Data: out})
}

func (s *Server) deleteSaved(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimSpace(r.PathValue("id"))
	s.mu.Lock()
	s.saved = slices.DeleteFunc(s.saved, func(rule savedRule) bool { return rule.ID == id })
	s.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}
