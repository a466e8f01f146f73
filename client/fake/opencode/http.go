package opencode

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// page is what unknown routes get.
const page = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>OpenCode</title></head>\n" +
	"<body><noscript>You need to enable JavaScript to run this app.</noscript><div id=\"root\"></div></body>\n</html>\n"

// tagged is an error with a tag.
type tagged struct {
	Tag       string `json:"_tag"`
	RequestID string `json:"requestID,omitzero"`
	SessionID string `json:"sessionID,omitzero"`
	Message   string `json:"message"`
	Kind      string `json:"kind,omitzero"`
}

func (t tagged) with(status int) *fake.Refusal {
	return &fake.Refusal{Status: status, Body: t, Code: t.Tag}
}

// named is an error with a name, which the first engine mostly has.
func named(status int, name string, data object) *fake.Refusal {
	return &fake.Refusal{Status: status, Body: object{"name": name, "data": data}, Code: name}
}

// bad is a request that is not as it should be: kind says which part of it.
func bad(engine int, kind, message string) *fake.Refusal {
	if engine == 2 {
		return tagged{Tag: "InvalidRequestError", Message: message, Kind: kind}.with(400)
	}
	return named(400, "BadRequest", object{"message": message, "kind": kind})
}

func noSession(engine int, id string) *fake.Refusal {
	if engine == 2 {
		return tagged{Tag: "SessionNotFoundError", SessionID: id, Message: "Session not found: " + id}.with(404)
	}
	return named(404, "NotFoundError", object{"message": "Session not found: " + id})
}

// routes lays out the paths of the wire. Whatever is not one of them is the page
// of the web interface, with status 200.
func (s *Server) routes() map[string]fake.Handler {
	return map[string]fake.Handler{
		"GET /global/health": func(*fake.Call) (any, *fake.Refusal) {
			return object{"healthy": true, "version": version}, nil
		},
		"GET /experimental/session":                          s.getSessions,
		"GET /session/status":                                s.getStatus,
		"GET /session/{session}":                             getSession,
		"GET /session/{session}/message/{message}":           s.getMessage(1),
		"GET /api/session/{session}/message/{message}":       s.getMessage(2),
		"GET /permission":                                    s.list(1, "permission"),
		"GET /question":                                      s.list(1, "question"),
		"GET /api/permission/request":                        s.list(2, "permission"),
		"GET /api/question/request":                          s.list(2, "question"),
		"POST /permission/{ask}/reply":                       s.decide(1, "per", readReply),
		"POST /question/{ask}/reply":                         s.decide(1, "que", readAnswers),
		"POST /question/{ask}/reject":                        s.decide(1, "que", readReject),
		"POST /api/session/{session}/permission/{ask}/reply": s.decide(2, "per", readReply),
		"POST /api/session/{session}/question/{ask}/reply":   s.decide(2, "que", readAnswers),
		"POST /api/session/{session}/question/{ask}/reject":  s.decide(2, "que", readReject),
		"/": func(*fake.Call) (any, *fake.Refusal) { return nil, fake.HTML(200, page) },
	}
}

// folder returns which folder a request is for.
func (s *Server) folder(c *fake.Call, engine int) string {
	given := c.URL.Query().Get("directory")
	if engine == 2 {
		given = c.URL.Query().Get("location[directory]")
	}
	if given == "" {
		given, _ = url.PathUnescape(c.Header.Get("X-Opencode-Directory"))
	}
	if given == "" {
		given = s.options.Root
	}
	return path.Clean(given)
}

// getSessions is the listing over all projects, the newest change first. What
// changed in the same millisecond as the last one of a page is on no page.
func (s *Server) getSessions(c *fake.Call) (any, *fake.Refusal) {
	query := c.URL.Query()
	before, err := strconv.ParseInt(query.Get("cursor"), 10, 64)
	var found []*fake.Session
	for _, n := range c.Sessions {
		folder := query.Get("directory")
		if !workOf(n).deleted && (folder == "" || folder == n.Folder) && (err != nil || n.UpdatedAt.UnixMilli() < before) {
			found = append(found, n)
		}
	}
	slices.SortFunc(found, func(x, y *fake.Session) int {
		return cmp.Or(cmp.Compare(y.UpdatedAt.UnixMilli(), x.UpdatedAt.UnixMilli()), cmp.Compare(y.ID, x.ID))
	})
	if limit, err := strconv.Atoi(query.Get("limit")); err == nil && limit > 0 && len(found) > limit {
		found = found[:limit]
		c.Reply.Header().Set("x-next-cursor", strconv.FormatInt(found[limit-1].UpdatedAt.UnixMilli(), 10))
	}
	type listed struct {
		sessionWire `json:",inline"`
		Project     object `json:"project"`
	}
	out := []listed{}
	for _, n := range found {
		out = append(out, listed{wireSession(n), object{"id": projectOf(n.Folder), "worktree": n.Folder}})
	}
	return out, nil
}

// getStatus says which sessions of a folder are at work. Idle ones are left out,
// and those of the second engine are elsewhere.
func (s *Server) getStatus(c *fake.Call) (any, *fake.Refusal) {
	out := object{}
	for _, n := range c.Sessions {
		if workOf(n).busy && n.Engine == 1 && n.Folder == s.folder(c, 1) {
			out[n.ID] = object{"type": "busy"}
		}
	}
	return out, nil
}

func getSession(c *fake.Call) (any, *fake.Refusal) {
	if n := c.Session(); n != nil && !workOf(n).deleted {
		return wireSession(n), nil
	}
	return nil, noSession(1, c.PathValue("session"))
}

// getMessage is the message that holds a tool call.
func (s *Server) getMessage(engine int) fake.Handler {
	return func(c *fake.Call) (any, *fake.Refusal) {
		n, id := c.Session(), c.PathValue("message")
		for _, a := range c.Asks {
			switch {
			case n == nil || workOf(n).deleted || n.Engine != engine || a.Session != n.ID || callOf(a).message != id:
			case engine == 1:
				return wireMessage(n, a), nil
			default:
				return object{"data": wireMessage2(a)}, nil
			}
		}
		if engine == 2 {
			return nil, tagged{Tag: "MessageNotFoundError", Message: "Message not found: " + id}.with(404)
		}
		return nil, named(404, "NotFoundError", object{"message": "Message not found: " + id})
	}
}

// list answers with the pending asks of one folder, oldest first.
func (s *Server) list(engine int, of string) fake.Handler {
	return func(c *fake.Call) (any, *fake.Refusal) {
		folder, items := s.folder(c, engine), []jsontext.Value{}
		for _, a := range c.Asks {
			n := c.State.Session(a.Session)
			if n.Engine != engine || n.Folder != folder || !strings.HasPrefix(kind(1, a), of) || !a.Open() && !callOf(a).ghost {
				continue
			}
			if member := callOf(a).undefined; member != "" {
				return nil, bad(1, "Body", fmt.Sprintf("Expected JSON value, got undefined\n  at [%d][\"metadata\"][%q]", len(items), member))
			}
			items = append(items, wireAsk(engine, a))
		}
		if engine == 2 {
			return object{"location": object{"directory": folder}, "data": items}, nil
		}
		return items, nil
	}
}

// decide answers a request with what read takes from the body.
func (s *Server) decide(engine int, prefix string, read func(engine int, given map[string]jsontext.Value) (fake.End, *fake.Refusal)) fake.Handler {
	return func(c *fake.Call) (any, *fake.Refusal) {
		id := c.PathValue("ask")
		if !strings.HasPrefix(id, prefix) {
			return nil, bad(engine, "Params", fmt.Sprintf("Expected a string starting with %q, got %q\n  at [\"requestID\"]", prefix, id))
		}
		var given map[string]jsontext.Value
		if !strings.HasSuffix(c.URL.Path, "/reject") {
			var wrong *fake.Refusal
			if given, wrong = members(c, engine); wrong != nil {
				return nil, wrong
			}
		}
		e, wrong := read(engine, given)
		if wrong != nil {
			return nil, wrong
		}
		if n := c.Session(); engine == 2 && (n == nil || workOf(n).deleted) {
			return nil, noSession(2, c.PathValue("session"))
		}
		a := c.State.Ask(c.Ref())
		if !s.pends(c, engine, prefix, a) {
			what := map[string]string{"per": "Permission", "que": "Question"}[prefix]
			return nil, tagged{Tag: what + "NotFoundError", RequestID: id, Message: what + " request not found: " + id}.with(404)
		}
		s.end(c.State, a, e)
		if engine == 2 {
			return nil, nil
		}
		return true, nil
	}
}

// pends reports whether an ask is there to be answered on a path: in the folder
// of the request, or in the session of the path.
func (s *Server) pends(c *fake.Call, engine int, prefix string, a *fake.Ask) bool {
	if a == nil || !a.Open() && !callOf(a).ghost || !strings.HasPrefix(a.ID, prefix) {
		return false
	}
	n := c.State.Session(a.Session)
	return n.Engine == engine && (engine == 2 && n == c.Session() || engine == 1 && n.Folder == s.folder(c, 1))
}

// members reads a body as an object, in the order in which the server finds
// fault: its content type, its JSON, its type.
func members(c *fake.Call, engine int) (out map[string]jsontext.Value, wrong *fake.Refusal) {
	kind, _, _ := strings.Cut(c.Header.Get("Content-Type"), ";")
	value := jsontext.Value(c.Body)
	switch {
	case kind != "" && kind != "application/json":
		return nil, &fake.Refusal{Status: 415, Type: "text/plain", Body: "Unsupported content-type: " + kind, Code: "415"}
	case len(value) == 0:
		return nil, bad(engine, "Payload", "Expected object, got undefined")
	case !value.IsValid():
		return nil, named(http.StatusInternalServerError, "UnknownError",
			object{"message": "Unexpected server error. Check server logs for details.", "ref": "err_d57c47ef"})
	case json.Unmarshal(value, &out) != nil:
		return nil, bad(engine, "Payload", "Expected object, got "+string(value))
	}
	return out, nil
}

// expected is a member that is missing or of another kind than it should be.
func expected(engine int, what, member string, got jsontext.Value) *fake.Refusal {
	if got == nil {
		return bad(engine, "Payload", fmt.Sprintf("Missing key\n  at [%q]", member))
	}
	return bad(engine, "Payload", fmt.Sprintf("Expected %s, got %s\n  at [%q]", what, got, member))
}

// readReply reads what a permission is answered with. A message goes with a
// rejection only; beside others it is dropped without a word.
func readReply(engine int, given map[string]jsontext.Value) (e fake.End, wrong *fake.Refusal) {
	var reply, message string
	_ = json.Unmarshal(given["reply"], &reply)
	decision := map[string]string{"once": "allow", "always": "always", "reject": "deny"}[reply]
	if decision == "" {
		return e, expected(engine, `"once" | "always" | "reject"`, "reply", given["reply"])
	}
	if m := given["message"]; m != nil && json.Unmarshal(m, &message) != nil {
		return e, expected(engine, "string | null", "message", m)
	}
	if reply != "reject" {
		message = ""
	}
	return fake.End{How: fake.Answered, Answer: fake.Answer{Decision: decision, Words: message}}, nil
}

// readAnswers reads the answers to questions. Nothing is checked but the types:
// not whether a label exists, nor how many there are.
func readAnswers(engine int, given map[string]jsontext.Value) (e fake.End, wrong *fake.Refusal) {
	var answers [][]string
	if given["answers"] == nil || json.Unmarshal(given["answers"], &answers) != nil {
		return e, expected(engine, "array", "answers", given["answers"])
	}
	return fake.End{How: fake.Answered, Answer: fake.Answer{Choices: answers}}, nil
}

func readReject(int, map[string]jsontext.Value) (fake.End, *fake.Refusal) {
	return fake.End{How: fake.Dismissed}, nil
}
