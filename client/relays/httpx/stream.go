package httpx

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/tmaxmax/go-sse"

	"askbox/client"
)

// The bounds of a stream where [StreamOptions] says nothing.
const (
	DefaultIdle       = 2 * time.Minute
	DefaultEventLimit = 1 << 20 // bytes of one event
)

// ErrNoStream means that the relay has no stream at this address.
var ErrNoStream = errors.New("the relay has no stream of events here")

// errIdle is the cause with which a stream ends that has gone silent.
var errIdle = errors.New("the stream has been silent for too long")

// Event is one event of a stream.
type Event struct {
	Type string // empty where the relay sends none
	Data []byte
}

// StreamOptions set a stream up.
type StreamOptions struct {
	// Idle is how long the relay may send nothing at all, not even a comment,
	// before the stream counts as dead. 0 is the default.
	Idle time.Duration
	// Limit is the most bytes of one event. 0 is the default.
	Limit int
	// Open is called once, with the first event: only then is it known that nothing on
	// the way holds the events back.
	Open func()
}

// Stream follows a stream of events and calls on for each, in order, on this
// goroutine. It returns when the stream ends: nil where the relay ended it,
// [ErrNoStream] where there is none, the context's error, or an error of
// package client. It never connects anew; the caller does, with a backoff.
func (c *Client) Stream(ctx context.Context, q Request, o StreamOptions, on func(Event)) error {
	if o.Idle <= 0 {
		o.Idle = DefaultIdle
	}
	if o.Limit <= 0 {
		o.Limit = DefaultEventLimit
	}
	if err := c.hold.err(); err != nil {
		return err
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pool := c.current()
	defer c.release(pool)
	defer context.AfterFunc(pool.dropped, func() { cancel(errFrozen) })()
	request, err := c.request(inner, q)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Cache-Control", "no-cache")
	// The same timer first bounds the wait for the reply, then each silence.
	watchdog := time.AfterFunc(c.timeout, func() { cancel(errDeadline) })
	defer watchdog.Stop()
	response, err := pool.http.Do(request)
	if err != nil {
		q.Timeout = c.timeout
		return c.lost(ctx, inner, q, false, err)
	}
	defer response.Body.Close()
	if err := c.noStream(response); err != nil {
		return err
	}
	watchdog.Stop()
	watchdog = time.AfterFunc(o.Idle, func() { cancel(errIdle) })
	defer watchdog.Stop()
	told := false
	body := &watched{Reader: response.Body, heard: func() { watchdog.Reset(o.Idle) }}
	for event, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: o.Limit}) {
		if err != nil {
			return c.broke(ctx, inner, o, err)
		}
		if !told && o.Open != nil {
			o.Open()
		}
		told = true
		on(Event{Type: event.Type, Data: []byte(event.Data)})
	}
	if ctx.Err() == nil && !told {
		return &client.Unreachable{Reason: "the stream ended before it told anything"}
	}
	return ctx.Err()
}

// noStream looks at a reply that should be a stream. A missing route, whichever
// way the relay says it, is no failure: the relay is polled then.
func (c *Client) noStream(response *http.Response) error {
	if response.StatusCode == http.StatusOK && media(response.Header) == "text/event-stream" {
		return nil
	}
	reply, err := c.read(response, 64<<10, 0)
	if err != nil {
		return ErrNoStream
	}
	switch reply.Status {
	case http.StatusOK, http.StatusNoContent, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusNotAcceptable, http.StatusGone, http.StatusNotImplemented:
		return ErrNoStream
	}
	return c.judge(reply, Request{})
}

func (c *Client) broke(ctx, inner context.Context, o StreamOptions, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(context.Cause(inner), errIdle):
		return &client.Unreachable{Reason: "the stream was silent for " + plain(o.Idle), Err: errIdle}
	case errors.Is(context.Cause(inner), errFrozen):
		return &client.Unreachable{Reason: errFrozen.Error(), Err: errFrozen}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &client.Unreachable{Reason: "the stream broke off", Err: c.redact.quiet(err)}
	}
	return c.failure(err, o.Idle)
}

// watched tells when anything was heard.
type watched struct {
	io.Reader
	heard func()
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.heard()
	}
	return n, err
}
