package opencode

import (
	"bytes"
	"context"
	"crypto/sha256"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// toolCall is the call of a tool for which something is asked, as the session's
// message shows it. It is never changed once it is read.
type toolCall struct {
	status    string // pending, running, completed, error; "" where there is no such call
	tool      string
	input     jsontext.Value
	failure   string // the error's text, raw
	aborted   bool
	dismissed bool           // as Kilo says of a question
	answers   jsontext.Value // what a question was answered with
	start     time.Time
}

// same reports whether two readings of a call show the same of what it gets.
func (c *toolCall) same(other *toolCall) bool {
	return c != nil && c.tool == other.tool && c.status == other.status && c.start.Equal(other.start) && equal(c.input, other.input)
}

// gets identifies what the tool gets; empty where that is not known.
func (c *toolCall) gets() string {
	if c == nil || c.status == "" {
		return ""
	}
	input := c.input.Clone()
	_ = input.Canonicalize()
	sum := sha256.Sum256(append([]byte(c.tool+"\x00"), input...))
	return string(sum[:])
}

// lives reports whether the call still waits for its answer.
func (c *toolCall) lives() bool { return c != nil && c.status != "" && !c.ended() }

// ended reports whether the call was carried out, refused or aborted.
func (c *toolCall) ended() bool {
	return c != nil && (c.status == "completed" || c.status == "error")
}

// whole reports whether all that the tool gets is known. The event of an ask may come
// just before its call begins to run.
func (c *toolCall) whole() bool { return c != nil && c.status != "" && c.status != "pending" }

func equal(a, b jsontext.Value) bool {
	if bytes.Equal(a, b) {
		return true
	}
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}

type wireState struct {
	Status   string         `json:"status"`
	Input    jsontext.Value `json:"input"`
	Error    jsontext.Value `json:"error"`
	Metadata jsontext.Value `json:"metadata"`
	// Structured is where the second engine has what the first has in Metadata.
	Structured jsontext.Value `json:"structured"`
	Time       struct {
		Start httpx.Millis `json:"start"`
	} `json:"time"`
}

// wirePart is a part of a message of the first engine, or a piece of content of
// one of the second.
type wirePart struct {
	Type   string    `json:"type"`
	CallID string    `json:"callID"`
	ID     string    `json:"id"`
	Tool   string    `json:"tool"`
	Name   string    `json:"name"`
	State  wireState `json:"state"`
	Time   struct {
		Created httpx.Millis `json:"created"`
	} `json:"time"`
}

// readCall reads the tool call at a place. A message without such a call gives one
// without a status; a message that is not there is *client.NotFound.
func (r *Relay) readCall(ctx context.Context, at place) (*toolCall, error) {
	if !httpx.Segment(at.session) || !httpx.Segment(at.message) {
		return nil, &client.NotFound{}
	}
	path := httpx.Path("session", at.session, "message", at.message)
	if at.engine == second {
		path = "/api" + path
	}
	reply, err := r.get(ctx, path, nil)
	if err != nil {
		return nil, err
	}
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return nil, err
	}
	parts := o.Get("parts")
	if at.engine == second {
		if o, err = httpx.Split(o.Get("data")); err != nil {
			return nil, err
		}
		parts = o.Get("content")
	}
	all, err := httpx.List(parts)
	if err != nil {
		return nil, &client.NotRelay{What: "JSON without the parts of a message"}
	}
	return findCall(at, all), nil
}

// findCall picks the call out of a message. A part that cannot be read is none:
// nothing that stands in it could be trusted to be the call.
func findCall(at place, parts []jsontext.Value) *toolCall {
	for _, raw := range parts {
		var p wirePart
		if raw.Kind() != '{' || httpx.Decode(raw, &p) != nil || p.Type != "tool" {
			continue
		}
		if at.engine == second {
			p.CallID, p.Tool, p.State.Time.Start = p.ID, p.Name, p.Time.Created
		}
		if p.CallID == at.call {
			return newToolCall(p)
		}
	}
	return &toolCall{}
}

func newToolCall(p wirePart) *toolCall {
	c := &toolCall{status: p.State.Status, tool: p.Tool, input: p.State.Input, start: p.State.Time.Start.Time}
	if o, err := httpx.Split(p.State.Error); err == nil {
		c.failure, _ = httpx.String(o.Get("message"))
	} else {
		c.failure, _ = httpx.String(p.State.Error)
	}
	for _, raw := range []jsontext.Value{p.State.Metadata, p.State.Structured} {
		if o, err := httpx.Split(raw); err == nil {
			c.aborted = c.aborted || o.Get("interrupted").Kind() == 't'
			c.dismissed = c.dismissed || o.Get("dismissed").Kind() == 't'
			if answers := o.Get("answers"); answers != nil {
				c.answers = answers.Clone()
			}
		}
	}
	c.aborted = c.aborted || c.failure == "Tool execution aborted" || c.failure == "Tool execution interrupted"
	return c
}

// Waiting for a call to begin to run.
const (
	callTries = 5
	callPause = 40 * time.Millisecond
)

// settledCall reads a call, and again for a moment while it has not begun to run. It
// is nil where there is none to be read.
func (r *Relay) settledCall(ctx context.Context, at place) (*toolCall, error) {
	if at.message == "" {
		return nil, nil
	}
	for try := 1; ; try++ {
		c, err := r.readCall(ctx, at)
		switch {
		case err != nil && missing(err):
			return &toolCall{}, nil
		case err != nil || c.status != "pending" || try == callTries:
			return c, err
		}
		timer := time.NewTimer(callPause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return c, ctx.Err()
		}
	}
}
