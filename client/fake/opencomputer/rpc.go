package opencomputer

import (
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// The codes of JSON-RPC 2.0, and the one that carries the wire's own errors.
const (
	rpcParse      = -32700
	rpcRequest    = -32600
	rpcMethod     = -32601
	rpcParams     = -32602
	rpcRefused    = -32000
	rpcVersion    = "2.0"
	rpcNoResponse = http.StatusNoContent
)

type rpcCall struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params,omitzero"`
}

type rpcReply struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  any            `json:"result,omitzero"`
	Error   *rpcError      `json:"error,omitzero"`
}

type rpcError struct {
	Code    int      `json:"code"`
	Message string   `json:"message"`
	Data    *problem `json:"data,omitzero"`
}

// rpcParamsOf are the params of every method: the ids of the path, the query,
// an answer, and the message of a dismissal.
type rpcParamsOf struct {
	query     `json:",inline"`
	SessionID string         `json:"sessionId"`
	AskID     string         `json:"askId"`
	Answer    jsontext.Value `json:"answer"`
	Message   *string        `json:"message"`
}

func (s *Server) serveRPC(w http.ResponseWriter, r *http.Request) {
	u, ok := s.user(r)
	if !ok {
		unauthorized(w)
		return
	}
	body, _ := io.ReadAll(r.Body)
	value := jsontext.Value(body)
	if !value.IsValid() {
		fake.SendJSON(w, http.StatusOK, rpcFailure(nil, rpcParse, "the body is not JSON"))
		return
	}
	if value.Kind() != '[' {
		if reply := s.callRPC(u, value); reply != nil {
			fake.SendJSON(w, http.StatusOK, reply)
		} else {
			w.WriteHeader(rpcNoResponse)
		}
		return
	}
	s.serveBatch(w, u, value)
}

func (s *Server) serveBatch(w http.ResponseWriter, u User, value jsontext.Value) {
	var calls []jsontext.Value
	if err := json.Unmarshal(value, &calls); err != nil || len(calls) == 0 {
		fake.SendJSON(w, http.StatusOK, rpcFailure(nil, rpcRequest, "a batch holds at least one call"))
		return
	}
	var replies []*rpcReply
	for _, c := range calls {
		if reply := s.callRPC(u, c); reply != nil {
			replies = append(replies, reply)
		}
	}
	if len(replies) == 0 {
		w.WriteHeader(rpcNoResponse)
		return
	}
	fake.SendJSON(w, http.StatusOK, replies)
}

// callRPC does one call; a call without an id gets no reply.
func (s *Server) callRPC(u User, raw jsontext.Value) *rpcReply {
	var c rpcCall
	if err := json.Unmarshal(raw, &c); err != nil || c.Version != rpcVersion || c.Method == "" {
		return rpcFailure(c.ID, rpcRequest, "this is not a call of JSON-RPC 2.0")
	}
	do, ok := s.rpcMethods()[c.Method]
	if !ok {
		return rpcFailure(c.ID, rpcMethod, "there is no method "+c.Method)
	}
	var p rpcParamsOf
	if c.Params != nil {
		if err := json.Unmarshal(c.Params, &p); err != nil {
			return rpcFailure(c.ID, rpcParams, "the params do not fit: "+err.Error())
		}
	}
	result, wrong := do(u, p, c.Params)
	switch {
	case c.ID == nil:
		return nil
	case wrong != nil:
		reply := rpcFailure(c.ID, rpcRefused, wrong.Message)
		reply.Error.Data = wrong
		return reply
	}
	return &rpcReply{Version: rpcVersion, ID: idOf(c.ID), Result: result}
}

type rpcFunc = func(u User, p rpcParamsOf, raw []byte) (any, *problem)

func (s *Server) rpcMethods() map[string]rpcFunc {
	return map[string]rpcFunc{
		"sessions.list": func(_ User, p rpcParamsOf, _ []byte) (any, *problem) { return s.listSessions(p.query) },
		"asks.list":     func(_ User, p rpcParamsOf, _ []byte) (any, *problem) { return s.listAsks(p.SessionID, p.query) },
		"asks.get":      func(_ User, p rpcParamsOf, _ []byte) (any, *problem) { return s.oneAsk(Ref{p.SessionID, p.AskID}) },
		"asks.answer": func(u User, p rpcParamsOf, _ []byte) (any, *problem) {
			return s.answer(u, Ref{p.SessionID, p.AskID}, p.Answer)
		},
		"asks.dismiss": func(u User, p rpcParamsOf, raw []byte) (any, *problem) {
			return s.dismiss(u, Ref{p.SessionID, p.AskID}, raw, p.Message, nil)
		},
		"me.get": func(u User, _ rpcParamsOf, _ []byte) (any, *problem) { return s.me(u) },
	}
}

func rpcFailure(id jsontext.Value, code int, message string) *rpcReply {
	return &rpcReply{Version: rpcVersion, ID: idOf(id), Error: &rpcError{Code: code, Message: message}}
}
