package opencomputer

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// The codes of JSON-RPC 2.0, and the one that carries the wire's own errors.
const (
	rpcParse   = -32700
	rpcRequest = -32600
	rpcMethod  = -32601
	rpcParams  = -32602
	rpcRefused = -32000
)

type rpcReply struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  any            `json:"result,omitzero"`
	Error   *rpcError      `json:"error,omitzero"`
}

type rpcError struct {
	Code    int           `json:"code"`
	Message string        `json:"message"`
	Data    *fake.Problem `json:"data,omitzero"`
}

// params are the params of every method: the ids of the path, the query, an
// answer, and the message of a dismissal.
type params struct {
	query     `json:",inline"`
	SessionID string         `json:"sessionId"`
	AskID     string         `json:"askId"`
	Answer    jsontext.Value `json:"answer"`
	Message   *string        `json:"message"`
}

// postRPC does one call. Its id comes back as it came.
func (s *Server) postRPC(c *fake.Call) (any, *fake.Refusal) {
	reply := rpcReply{Version: "2.0", ID: jsontext.Value("null")}
	var given struct {
		Version string         `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Method  string         `json:"method"`
		Params  jsontext.Value `json:"params"`
	}
	var p params
	err := json.Unmarshal(c.Body, &given)
	if given.ID != nil {
		reply.ID = given.ID
	}
	do, known := methods[given.Method]
	known = known && !(s.noMe && given.Method == "me.get")
	switch {
	case !jsontext.Value(c.Body).IsValid():
		reply.Error = &rpcError{Code: rpcParse, Message: "the body is not JSON"}
	case err != nil || given.Version != "2.0" || given.ID == nil:
		reply.Error = &rpcError{Code: rpcRequest, Message: "this is not a call of JSON-RPC 2.0"}
	case !known:
		reply.Error = &rpcError{Code: rpcMethod, Message: "there is no method " + given.Method}
	case given.Params != nil && json.Unmarshal(given.Params, &p) != nil:
		reply.Error = &rpcError{Code: rpcParams, Message: "the params do not fit"}
	default:
		s.Do(func(st *fake.State) {
			c.State = st
			result, wrong := do(c, p)
			_, name, _ := strings.Cut(given.Method, ".")
			sent := fake.Sent{By: c.Key.Actor, Call: name, Body: string(given.Params)}
			if wrong != nil {
				problem := wrong.Problem()
				reply.Error, sent.Code = &rpcError{rpcRefused, problem.Message, &problem}, problem.Code
			} else {
				reply.Result = fake.Marshal(result)
			}
			if sent.Call == "answer" {
				sent.Body = string(p.Answer)
			}
			if sent.Call == "answer" || sent.Call == "dismiss" {
				st.Note(p.ref(), sent)
			}
		})
	}
	return reply, nil
}

func (p params) ref() fake.Ref { return fake.Ref{Session: p.SessionID, Ask: p.AskID} }

var methods = map[string]func(*fake.Call, params) (any, *fake.Refusal){
	"sessions.list": func(c *fake.Call, p params) (any, *fake.Refusal) { return listSessions(c.State, p.query) },
	"asks.list":     func(c *fake.Call, p params) (any, *fake.Refusal) { return listAsks(c.State, p.SessionID, p.query) },
	"asks.get":      func(c *fake.Call, p params) (any, *fake.Refusal) { return oneAsk(c, p.ref()) },
	"asks.answer":   func(c *fake.Call, p params) (any, *fake.Refusal) { return answer(c, p.ref(), p.Answer) },
	"asks.dismiss":  func(c *fake.Call, p params) (any, *fake.Refusal) { return dismiss(c, p.ref(), p.Message, nil) },
	"me.get":        func(c *fake.Call, _ params) (any, *fake.Refusal) { return fake.Me(c) },
}
