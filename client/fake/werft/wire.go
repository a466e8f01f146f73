package werft

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// session is a session as it goes over the wire.
type session struct {
	ID                 string     `json:"session_id"`
	Title              string     `json:"title"`
	Status             string     `json:"status"`
	AdmissionState     string     `json:"admission_state"`
	Revision           int64      `json:"revision"`
	CheckpointRevision int64      `json:"checkpoint_revision"`
	Attention          *string    `json:"attention"`
	URL                string     `json:"url"`
	CreatedBy          fake.Actor `json:"created_by"`
	CreatedAt          time.Time  `json:"created_at"`
}

// request is a request as it goes over the wire.
type request struct {
	ID               string         `json:"request_id"`
	Kind             string         `json:"kind"`
	Tool             string         `json:"tool,omitzero"`
	Input            jsontext.Value `json:"input,omitzero"`
	ProposedRemember string         `json:"proposed_remember,omitzero"`
	Questions        []question     `json:"questions,omitzero"`
	CreatedAt        time.Time      `json:"created_at"`
	ExpiresAt        time.Time      `json:"expires_at"`
}

type question struct {
	ID          string   `json:"question_id"`
	Header      string   `json:"header"`
	Prompt      string   `json:"prompt"`
	Options     []option `json:"options"`
	MultiSelect bool     `json:"multi_select"`
}

type option struct {
	ID          string `json:"option_id"`
	Label       string `json:"label"`
	Description string `json:"description,omitzero"`
}

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
	if n.Raw() != nil {
		return n.Raw()
	}
	out := session{n.ID, n.Title, status(n), n.State, n.Revision, n.Checkpoint, nil, n.URL, n.CreatedBy, n.CreatedAt.UTC()}
	if n.Attention != "" {
		out.Attention = &n.Attention
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
	out := request{ID: a.ID, Kind: kind(a), CreatedAt: a.OpenedAt.UTC(), ExpiresAt: a.ExpiresAt.UTC()}
	for i, q := range a.Questions {
		asked := question{q.ID, q.Header, q.Text, []option{}, q.Several}
		for j, o := range q.Options {
			asked.Options = append(asked.Options, option{optionID(i, j), o.Label, o.Description})
		}
		out.Questions = append(out.Questions, asked)
	}
	if out.Kind == "permission" {
		out.ProposedRemember = a.Rule
		out.Tool, out.Input = a.ToolCall()
	}
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
		on["GET /v1/me"] = getMe
	}
	return on
}

func getMe(c *fake.Call) (any, *fake.Refusal) {
	return struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}{c.Key.ID, c.Key.Name}, nil
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
	return struct {
		Sessions   []jsontext.Value `json:"sessions"`
		NextCursor *string          `json:"next_cursor"`
	}{items, next}, nil
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
	return struct {
		Requests []jsontext.Value `json:"requests"`
	}{out}, nil
}
