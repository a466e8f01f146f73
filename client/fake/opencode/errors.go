package opencode

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// problem is an error reply: JSON of one of two shapes, or plain text.
type problem struct {
	status int
	body   any // nil is none
	plain  string
}

// named is the shape with a name, which the first engine mostly has.
type named struct {
	Name string `json:"name"`
	Data struct {
		Message string `json:"message"`
		Kind    string `json:"kind,omitzero"`
		Ref     string `json:"ref,omitzero"`
	} `json:"data"`
}

// tagged is the shape with a tag.
type tagged struct {
	Tag       string `json:"_tag"`
	RequestID string `json:"requestID,omitzero"`
	SessionID string `json:"sessionID,omitzero"`
	Message   string `json:"message"`
	Kind      string `json:"kind,omitzero"`
	Field     string `json:"field,omitzero"`
}

func byName(status int, name, message, kind string) *problem {
	body := named{Name: name}
	body.Data.Message, body.Data.Kind = message, kind
	return &problem{status: status, body: body}
}

// bad is a request that is not as it should be: kind says which part of it.
func bad(engine int, kind, message string) *problem {
	if engine == 2 {
		return &problem{status: 400, body: tagged{Tag: "InvalidRequestError", Message: message, Kind: kind}}
	}
	return byName(400, "BadRequest", message, kind)
}

func unknownError() *problem {
	body := named{Name: "UnknownError"}
	body.Data.Message, body.Data.Ref = "Unexpected server error. Check server logs for details.", "err_d57c47ef"
	return &problem{status: 500, body: body}
}

func noRequest(question bool, id string) *problem {
	what := "Permission"
	if question {
		what = "Question"
	}
	return &problem{status: 404, body: tagged{Tag: what + "NotFoundError", RequestID: id, Message: what + " request not found: " + id}}
}

func noSession(engine int, id string) *problem {
	if engine == 2 {
		return &problem{status: 404, body: tagged{Tag: "SessionNotFoundError", SessionID: id, Message: "Session not found: " + id}}
	}
	return byName(404, "NotFoundError", "Session not found: "+id, "")
}

func noMessage(id string) *problem { return byName(404, "NotFoundError", "Message not found: "+id, "") }

func fail(w http.ResponseWriter, p *problem) {
	switch {
	case p.plain != "":
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(p.status)
		_, _ = w.Write([]byte(p.plain))
	case p.body == nil:
		w.WriteHeader(p.status)
	default:
		fake.SendJSON(w, p.status, p.body)
	}
}

// members reads a body as an object, in the order in which the server finds
// fault: its content type, its JSON, its type.
func members(r *http.Request, body []byte, engine int) (map[string]jsontext.Value, *problem) {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if kind = strings.TrimSpace(kind); kind != "" && kind != "application/json" {
		return nil, &problem{status: 415, plain: "Unsupported content-type: " + kind}
	}
	if len(body) == 0 {
		return nil, bad(engine, "Payload", "Expected object, got undefined")
	}
	value := jsontext.Value(body)
	if !value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return nil, unknownError()
	}
	var out map[string]jsontext.Value
	if value.Kind() != '{' || json.Unmarshal(value, &out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil, bad(engine, "Payload", "Expected object, got "+string(value))
	}
	return out, nil
}

// prefixed checks the beginning of an id in a path.
func prefixed(engine int, id, prefix, field string) *problem {
	if strings.HasPrefix(id, prefix) {
		return nil
	}
	return bad(engine, "Params", `Expected a string starting with "`+prefix+`", got "`+id+"\"\n  at [\""+field+`"]`)
}

// missing is a member that has to be there.
func missing(engine int, field string) *problem {
	return bad(engine, "Payload", "Missing key\n  at [\""+field+`"]`)
}
