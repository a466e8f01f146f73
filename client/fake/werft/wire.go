package werft

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// object is a JSON object whose members need no type of their own.
type object = map[string]any

// optionID is the id of an option, both counted from 0: one that can be taken
// neither for its number nor for its label.
func optionID(question, option int) string { return fmt.Sprintf("o_%d%d", question+1, option+1) }

// status is needs_input while a request is open.
func status(n *fake.Session) string {
	if n.Waits() {
		return "needs_input"
	}
	return "running"
}

func wireSession(n *fake.Session) jsontext.Value {
	out := object{"session_id": n.ID, "title": n.Title, "status": status(n), "admission_state": n.State, "revision": n.Revision,
		"checkpoint_revision": n.Checkpoint, "attention": nil, "url": n.URL, "created_by": n.CreatedBy, "created_at": n.CreatedAt.UTC()}
	if n.Attention != "" {
		out["attention"] = n.Attention
	}
	return fake.Marshal(out)
}

func kind(a *fake.Ask) string {
	if len(a.Questions) > 0 {
		return "question"
	}
	return "permission"
}

func wireRequest(a *fake.Ask) jsontext.Value {
	if a.Raw() != nil {
		return a.Raw()
	}
	out := object{"request_id": a.ID, "kind": kind(a), "created_at": a.OpenedAt.UTC(), "expires_at": a.ExpiresAt.UTC()}
	if kind(a) == "permission" {
		out["tool"], out["input"] = a.ToolCall()
		if a.Rule != "" {
			out["proposed_remember"] = a.Rule
		}
		return fake.Marshal(out)
	}
	questions := []object{}
	for i, q := range a.Questions {
		options := []object{}
		for j, o := range q.Options {
			options = append(options, object{"option_id": optionID(i, j), "label": o.Label, "description": o.Description})
		}
		questions = append(questions, object{"question_id": q.ID, "header": q.Header, "prompt": q.Text, "options": options, "multi_select": q.Several})
	}
	out["questions"] = questions
	return fake.Marshal(out)
}

func refuse(status int, code, message string) *fake.Refusal {
	return fake.Refuse(status, fake.Problem{Code: code, Message: message})
}

// invalid is an answer that does not fit its request. The wire page has no code
// for it, so this one is the fake's own.
func invalid(message string) *fake.Refusal { return refuse(400, "INVALID_REQUEST", message) }

func notFound(what string) *fake.Refusal {
	return refuse(404, "NOT_FOUND", "there is no such "+what)
}

// lacks is the refusal of a key without a scope.
func lacks(scope string) *fake.Refusal {
	return fake.Refuse(403, fake.Problem{Code: "MISSING_SCOPE", Message: "the key lacks the scope " + scope, Scope: scope})
}

// routes lays out the paths of the wire.
func (s *Server) routes(noMe bool) map[string]fake.Handler {
	on := map[string]fake.Handler{
		"GET /v1/sessions":                                  getSessions,
		"GET /v1/sessions/{session}":                        getSession,
		"GET /v1/sessions/{session}/requests":               getRequests,
		"POST /v1/sessions/{session}/requests/{ask}/answer": s.postAnswer,
		"POST /v1/sessions/{session}/pause":                 s.postPause,
		"POST /v1/sessions/{session}/resume":                s.postPause,
		"GET /v1/receipts/{receipt}":                        s.getReceipt,
		"/":                                                 func(*fake.Call) (any, *fake.Refusal) { return nil, notFound("path") },
	}
	if !noMe {
		on["GET /v1/me"] = fake.Me
	}
	return on
}

// getSessions lists sessions, newest first.
func getSessions(c *fake.Call) (any, *fake.Refusal) {
	query := c.URL.Query()
	limit, ok := c.Limit(20)
	if !ok {
		return nil, refuse(400, "INVALID_REQUEST", "limit is 1 to 100")
	}
	var entries []fake.Entry
	for _, n := range c.Sessions {
		wanted, state := query.Get("status"), query.Get("admission_state")
		if (wanted == "" || wanted == status(n)) && (state == "" || state == n.State) {
			entries = append(entries, n.Entry(func() jsontext.Value { return wireSession(n) }))
		}
	}
	items, next, ok := c.Page("sessions", entries, query.Get("cursor"), limit)
	if !ok {
		return nil, refuse(400, "INVALID_CURSOR", "the cursor is not one of this listing; start again from its first page")
	}
	return object{"sessions": items, "next_cursor": next}, nil
}

func getSession(c *fake.Call) (any, *fake.Refusal) {
	if n := c.Session(); n != nil {
		return wireSession(n), nil
	}
	return nil, notFound("session")
}

// getRequests lists the open requests of a session, oldest first.
func getRequests(c *fake.Call) (any, *fake.Refusal) {
	n := c.Session()
	if n == nil {
		return nil, notFound("session")
	}
	out := []jsontext.Value{}
	for _, a := range n.Open() {
		out = append(out, wireRequest(a))
	}
	return object{"requests": out}, nil
}
