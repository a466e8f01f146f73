package opencode

import (
	"bytes"
	"context"
	"errors"
	"time"

	"askbox/client"
	"askbox/client/relays/httpx"
)

const (
	// silence is after how long without a word a stream counts as dead; the
	// server sends a heartbeat every 10 s.
	silence = 35 * time.Second
	// largestEvent is the most bytes of an event: those of messages hold whole
	// outputs of tools.
	largestEvent = 16 << 20
	// backlog is how many events may wait while one is looked into.
	backlog = 1024
)

// Watch follows the events of all folders until the stream or the context ends.
func (r *Relay) Watch(ctx context.Context, on func(client.Event)) error {
	r.follow(true)
	defer r.follow(false)
	inner, cancel := context.WithCancel(ctx)
	events := make(chan event, backlog)
	done, up := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-up:
			if err := httpx.Contain(func() error { r.tell(inner, events, on); return nil }); err != nil {
				cancel() // nobody takes the events any more, so the stream begins anew
			}
		case <-inner.Done():
		}
	}()
	err := r.http.Stream(inner, httpx.Request{Path: httpx.Path("global", "event")},
		httpx.StreamOptions{Idle: silence, Limit: largestEvent, Open: func() {
			r.connected()
			on(client.Event{})
			close(up)
		}},
		func(e httpx.Event) {
			if read, ok := readEvent(e.Data); ok {
				select {
				case events <- read:
				case <-inner.Done():
				}
			}
		})
	cancel()
	<-done
	if errors.Is(err, httpx.ErrNoStream) {
		return nil
	}
	return err
}

// follow notes that somebody follows the stream, or does not any more.
func (r *Relay) follow(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.watched = true
	if !on {
		r.state.streaming = false
	}
}

// connected notes that events are told of from now on. The stream has no
// replay, so every folder is listed anew that was not listed since.
func (r *Relay) connected() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.streaming, r.state.since, r.state.noSecond = true, r.state.next(), false
}

// tell looks into the events one after the other and passes on what they mean.
func (r *Relay) tell(ctx context.Context, events <-chan event, on func(client.Event)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.more:
			on(client.Event{List: true})
		case e := <-events:
			r.heed(ctx, e, on)
		}
	}
}

// event is one event of the server that may concern an ask.
type event struct {
	folder string
	kind   string
	about  httpx.Object // the properties
	raw    []byte       // the same, as sent
}

// words are what the names of events begin with that are looked at. Most events
// are words of agents, and not worth taking apart.
var words = [][]byte{[]byte(`"permission.`), []byte(`"question.`), []byte(`"session.`), []byte(`disposed"`)}

// readEvent takes an event apart, and reports whether it is to be looked into.
// Fields come in any order, and some are there only sometimes.
func readEvent(data []byte) (e event, ok bool) {
	for _, word := range words {
		ok = ok || bytes.Contains(data, word)
	}
	if !ok {
		return e, false
	}
	outer, err := httpx.Split(data)
	if err != nil {
		return e, false
	}
	e.folder, _ = httpx.String(outer.Get("directory"))
	payload, err := httpx.Split(outer.Get("payload"))
	if err != nil {
		return e, false
	}
	e.kind, _ = httpx.String(payload.Get("type"))
	if !heeded[e.kind] {
		return e, false
	}
	e.raw = payload.Get("properties")
	e.about, err = httpx.Split(e.raw)
	return e, err == nil
}

// text returns a property that is a string.
func (e event) text(name string) string {
	s, _ := httpx.String(e.about.Get(name))
	return s
}
