//go:build unix

package opencodebed

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"askbox/client/fake"
)

// witness follows the server's events and remembers what they tell of asks and
// turns. It sees asks that the server cannot list.
type witness struct {
	cancel context.CancelFunc
	over   chan struct{}

	mu      sync.Mutex
	asks    []Asked
	parents map[string]string // a session's parent
	idle    map[string]bool   // the session's last turn has ended
	changed fake.Signal
}

// watch begins to follow. It returns once the server has greeted.
func (b *Bed) watch(ctx context.Context) (*witness, error) {
	following, cancel := context.WithCancel(context.Background())
	request, err := b.request(following, "GET", "/global/event", nil)
	if err != nil {
		cancel()
		return nil, err
	}
	response, err := b.client.Do(request)
	if err != nil {
		cancel()
		return nil, err
	}
	w := &witness{cancel: cancel, over: make(chan struct{}), parents: map[string]string{}, idle: map[string]bool{}}
	greeted := make(chan struct{})
	go func() {
		defer close(w.over)
		defer func() { _ = response.Body.Close() }()
		w.follow(response.Body, sync.OnceFunc(func() { close(greeted) }))
	}()
	select {
	case <-greeted:
		return w, nil
	case <-w.over:
		cancel()
		return nil, errors.New("the server's events ended before it greeted")
	case <-ctx.Done():
		w.stop()
		return nil, fmt.Errorf("the server's events do not begin: %w", context.Cause(ctx))
	}
}

func (w *witness) stop() {
	w.cancel()
	<-w.over
	w.changed.Broadcast()
}

// follow reads events until the stream ends.
func (w *witness) follow(from io.Reader, greeted func()) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			continue
		}
		var event struct {
			Directory string
			Payload   struct {
				Type       string
				Properties json.RawMessage
			}
		}
		if json.Unmarshal(data, &event) != nil {
			continue
		}
		if event.Payload.Type == "server.connected" {
			greeted()
		}
		w.take(event.Directory, event.Payload.Type, event.Payload.Properties)
	}
}

// take remembers one event.
func (w *witness) take(folder, kind string, properties json.RawMessage) {
	var p struct {
		ID, SessionID string
		Info          struct{ ID, ParentID string }
		Status        struct{ Type string }
	}
	if json.Unmarshal(properties, &p) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case strings.HasSuffix(kind, ".asked"):
		w.asks = append(w.asks, Asked{p.ID, p.SessionID, folder, strings.TrimSuffix(kind, ".asked"), slices.Clone(properties)})
	case kind == "session.created":
		w.parents[p.Info.ID] = p.Info.ParentID
	case kind == "session.status":
		w.idle[p.SessionID] = p.Status.Type == "idle"
	default:
		return
	}
	w.changed.Broadcast()
}

// of reports whether a session is another one or works for it; w.mu is held.
func (w *witness) of(session, root string) bool {
	for range len(w.parents) + 1 {
		if session == root {
			return true
		}
		session = w.parents[session]
	}
	return false
}

// wait returns what closes at the next event. Take it before looking.
func (b *Bed) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.witness == nil {
		return nil
	}
	return b.witness.changed.Wait()
}

// asksOf returns what was asked in a session and below it since the server
// started, oldest first.
func (b *Bed) asksOf(session string) []Asked {
	b.mu.Lock()
	w := b.witness
	b.mu.Unlock()
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Asked
	for _, a := range w.asks {
		if w.of(a.Session, session) {
			out = append(out, a)
		}
	}
	return out
}

// idle reports whether a turn ran in a session and has ended.
func (b *Bed) idle(session string) (bool, error) {
	b.mu.Lock()
	w := b.witness
	b.mu.Unlock()
	if w == nil {
		return false, errors.New("the server does not run")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.idle[session], nil
}

// busy forgets that an earlier turn of a session has ended.
func (b *Bed) busy(session string) {
	b.mu.Lock()
	w := b.witness
	b.mu.Unlock()
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.idle, session)
}
