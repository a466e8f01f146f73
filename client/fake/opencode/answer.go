package opencode

import (
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// undefined is the error of a listing that broke on one of its items.
func undefined(index int, member string) *problem {
	return bad(1, "Body", fmt.Sprintf("Expected JSON value, got undefined\n  at [%d][\"metadata\"][%q]", index, member))
}

// taken notes an answer that arrived, for [Server.Sent].
func (s *Server) taken(r *http.Request, id string, body []byte, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.byAsk[id]; a != nil {
		a.sent = append(a.sent, Sent{r.URL.RequestURI(), body, status})
	}
	s.changed.Broadcast()
}

// decide reads the body, has do decide on the ask, notes what came of it, and
// sends it.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, do func(id string, body []byte) *problem, good func()) {
	body, _ := io.ReadAll(r.Body)
	id := r.PathValue("ask")
	wrong := do(id, body)
	status := 200
	if wrong != nil {
		status = wrong.status
	}
	s.taken(r, id, body, status)
	if wrong != nil {
		fail(w, wrong)
		return
	}
	good()
}

// postReply answers a permission of the first engine.
func (s *Server) postReply(w http.ResponseWriter, r *http.Request) {
	folder, ok := s.folder(w, r)
	if !ok {
		return
	}
	s.decide(w, r, func(id string, body []byte) *problem {
		if wrong := prefixed(1, id, "per", "requestID"); wrong != nil {
			return wrong
		}
		reply, message, wrong := replyOf(r, body, 1, "reply")
		if wrong != nil {
			return wrong
		}
		s.mu.Lock()
		defer s.unlock()
		s.boot(folder)
		a := s.byAsk[id]
		if a == nil || !a.pending() || a.Engine != 1 || a.Folder != folder || a.Permission == nil {
			return noRequest(false, id)
		}
		s.reply(a, reply, message)
		return nil
	}, func() { fake.SendJSON(w, 200, true) })
}

// replyOf reads what a permission is answered with.
func replyOf(r *http.Request, body []byte, engine int, field string) (reply, message string, wrong *problem) {
	given, wrong := members(r, body, engine)
	if wrong != nil {
		return "", "", wrong
	}
	if given[field] == nil {
		return "", "", missing(engine, field)
	}
	if json.Unmarshal(given[field], &reply) != nil || reply != "once" && reply != "always" && reply != "reject" {
		wanted := `"once" | "always" | "reject"`
		if engine == 2 {
			wanted = "PermissionV2.Reply"
		}
		return "", "", bad(engine, "Payload", fmt.Sprintf("Expected %s, got %s\n  at [%q]", wanted, given[field], field))
	}
	if m := given["message"]; m != nil && m.Kind() != 'n' && json.Unmarshal(m, &message) != nil {
		return "", "", bad(engine, "Payload", fmt.Sprintf("Expected string | null, got %s\n  at [\"message\"]", m))
	}
	if reply != "reject" {
		message = ""
	}
	return reply, message, nil
}

// postOldReply is the deprecated way, which needs no folder and knows no message.
// It does not look whether the ask is of that session.
func (s *Server) postOldReply(w http.ResponseWriter, r *http.Request) {
	s.decide(w, r, func(id string, body []byte) *problem {
		reply, _, wrong := replyOf(r, body, 1, "response")
		if wrong != nil {
			return wrong
		}
		s.mu.Lock()
		defer s.unlock()
		n := s.byID[r.PathValue("session")]
		if n == nil || n.deleted {
			return noSession(1, r.PathValue("session"))
		}
		a := s.byAsk[id]
		if a == nil || !a.pending() || a.Engine != 1 || a.Folder != n.Folder || a.Permission == nil {
			return noRequest(false, id)
		}
		s.reply(a, reply, "")
		return nil
	}, func() { fake.SendJSON(w, 200, true) })
}

// postAnswers answers questions of the first engine. Nothing is checked but the
// types: not whether a label exists, nor how many there are.
func (s *Server) postAnswers(w http.ResponseWriter, r *http.Request) {
	folder, ok := s.folder(w, r)
	if !ok {
		return
	}
	s.decide(w, r, func(id string, body []byte) *problem {
		if wrong := prefixed(1, id, "que", "requestID"); wrong != nil {
			return wrong
		}
		answers, wrong := answersOf(r, body, 1)
		if wrong != nil {
			return wrong
		}
		s.mu.Lock()
		defer s.unlock()
		s.boot(folder)
		a := s.byAsk[id]
		if a == nil || !a.pending() || a.Engine != 1 || a.Folder != folder || a.Permission != nil {
			return noRequest(true, id)
		}
		s.answer(a, answers)
		return nil
	}, func() { fake.SendJSON(w, 200, true) })
}

func answersOf(r *http.Request, body []byte, engine int) ([][]string, *problem) {
	given, wrong := members(r, body, engine)
	if wrong != nil {
		return nil, wrong
	}
	if given["answers"] == nil {
		return nil, missing(engine, "answers")
	}
	var items []jsontext.Value
	if json.Unmarshal(given["answers"], &items) != nil {
		return nil, bad(engine, "Payload", fmt.Sprintf("Expected array, got %s\n  at [\"answers\"]", given["answers"]))
	}
	answers := [][]string{}
	for i, item := range items {
		var labels []string
		if item.Kind() != '[' || json.Unmarshal(item, &labels) != nil {
			name := "QuestionAnswer"
			if engine == 2 {
				name = "QuestionV2.Answer"
			}
			return nil, bad(engine, "Payload", fmt.Sprintf("Expected %s, got %s\n  at [\"answers\"][%d]", name, item, i))
		}
		answers = append(answers, labels)
	}
	return answers, nil
}

// postReject rejects questions of the first engine.
func (s *Server) postReject(w http.ResponseWriter, r *http.Request) {
	folder, ok := s.folder(w, r)
	if !ok {
		return
	}
	s.decide(w, r, func(id string, _ []byte) *problem {
		if wrong := prefixed(1, id, "que", "requestID"); wrong != nil {
			return wrong
		}
		s.mu.Lock()
		defer s.unlock()
		a := s.byAsk[id]
		if a == nil || !a.pending() || a.Engine != 1 || a.Folder != folder || a.Permission != nil {
			return noRequest(true, id)
		}
		s.reject(a)
		return nil
	}, func() { fake.SendJSON(w, 200, true) })
}
