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

// Watch follows the events of all folders until the stream or the context ends. The
// stream lives once the server has greeted: something before it may hold it back.
func (r *Relay) Watch(ctx context.Context, on func(client.Event)) error {
	r.followed.Store(true)
	defer r.lived(false)
	inner, cancel := context.WithCancel(ctx)
	events := make(chan event, backlog)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := httpx.Contain(func() error { r.tell(inner, events, on); return nil }); err != nil {
			cancel() // nobody takes the events any more, so the stream begins anew
		}
	}()
	greeted := false
	err := r.http.Stream(inner, httpx.Request{Path: httpx.Path("global", "event")},
		httpx.StreamOptions{Idle: silence, Limit: largestEvent}, func(e httpx.Event) {
			read, ok := readEvent(e.Data)
			if !greeted {
				greeted = true
				r.lived(true)
				pass(inner, events, event{})
			}
			if ok {
				pass(inner, events, read)
			}
		})
	cancel()
	<-done
	if errors.Is(err, httpx.ErrNoStream) {
		return nil
	}
	return err
}

func pass(ctx context.Context, events chan<- event, e event) {
	select {
	case events <- e:
	case <-ctx.Done():
	}
}

// lived notes that events are told of from now on, or no more. The stream has no
// replay, so when it begins every folder has to be listed anew, and the server may be
// another one.
func (r *Relay) lived(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.live = on; !on {
		return
	}
	r.branded, r.since = false, r.next()
	r.noSecond.Store(false)
	for _, f := range r.folders {
		f.at = time.Time{}
	}
	for _, k := range r.known {
		k.at = time.Time{}
	}
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
			if e.take == nil {
				on(client.Event{})
			} else {
				e.take(r, ctx, e, on)
			}
		}
	}
}

// event is one event of the server that may concern an ask. Its zero value stands for
// the first one that comes.
type event struct {
	take   taker
	folder string
	kind   string
	about  httpx.Object // the properties
	raw    []byte       // the same, as sent
}

// taker takes an event in and tells what it means.
type taker func(r *Relay, ctx context.Context, e event, on func(client.Event))

// takers are the events that are looked into.
var takers = map[string]taker{
	"permission.asked": asked(list{first, false}), "permission.v2.asked": asked(list{second, false}),
	"question.asked": asked(list{first, true}), "question.v2.asked": asked(list{second, true}),
	"permission.replied": (*Relay).closed, "permission.v2.replied": (*Relay).closed,
	"question.replied": (*Relay).closed, "question.v2.replied": (*Relay).closed,
	"question.rejected": (*Relay).closed, "question.v2.rejected": (*Relay).closed,
	"session.created": (*Relay).sessionTold, "session.updated": (*Relay).sessionTold,
	"message.part.updated": (*Relay).toolFailed,
	"session.idle":         (*Relay).turnEnded, "session.deleted": (*Relay).turnEnded, "session.status": (*Relay).turnEnded, "session.error": (*Relay).turnEnded,
	// An interrupted turn of the second engine takes its asks along, without telling of them.
	"session.next.tool.failed": (*Relay).stepEnded, "session.next.step.ended": (*Relay).stepEnded,
	"server.instance.disposed": (*Relay).disposed, "global.disposed": (*Relay).disposed,
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
	ok = ok || bytes.Contains(data, []byte(`"message.part.updated"`)) && bytes.Contains(data, []byte(`"status":"error"`))
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
	if e.take = takers[e.kind]; e.take == nil {
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

// asked takes in a new ask, with its session and its tool call.
func asked(l list) taker {
	return func(r *Relay, ctx context.Context, e event, on func(client.Event)) {
		if !r.looksAt(e.folder) {
			return
		}
		q := readRequest(l, e.raw)
		r.mu.Lock()
		f := r.folder(e.folder)
		f.proven, f.dirty = true, true
		k := r.remember(q, e.folder)
		r.mu.Unlock()
		r.complete(ctx, []*known{k}, nil)
		r.retell(q.session, on)
	}
}

// retell tells of the asks of a session that have become others: what a denial
// does depends on how many there are.
func (r *Relay) retell(session string, on func(client.Event)) {
	r.mu.Lock()
	var changed []*client.Ask
	among := r.groups()
	for _, k := range r.known {
		before := k.ask
		if k.request.session == session && r.build(k, among) != before {
			changed = append(changed, k.ask)
		}
	}
	r.mu.Unlock()
	for _, ask := range changed {
		on(client.Event{Opened: ask})
	}
}

// closed takes in the end of an ask. The server tells of those that a denial or an
// always closed along with another one as if each had been answered by itself.
func (r *Relay) closed(_ context.Context, e event, on func(client.Event)) {
	id := e.text("requestID")
	r.mu.Lock()
	k := r.known[id]
	if k == nil {
		r.mu.Unlock()
		return
	}
	ask := r.build(k, r.groups())
	r.drop(id)
	r.folder(k.folder).dirty = true
	r.mu.Unlock()
	on(client.Event{Closed: toldClosed(ask, e, r.now())})
	r.retell(k.request.session, on)
}

// sessionTold takes in a session: its folder, and its title where one of its
// asks is open.
func (r *Relay) sessionTold(_ context.Context, e event, on func(client.Event)) {
	s := readSession(e.about.Get("info"))
	if s == nil {
		return
	}
	if s.folder == "" {
		s.folder = e.folder
	}
	r.mu.Lock()
	fresh := false
	if r.looksAt(s.folder) {
		fresh = r.folders[s.folder] == nil
		r.folder(s.folder).proven = true
	}
	was := r.sessions[s.id]
	changed := was != nil && !was.like(s)
	var sessions []string
	if changed {
		r.sessions[s.id] = s
		for _, k := range r.known {
			sessions = append(sessions, k.request.session)
		}
	}
	r.mu.Unlock()
	if fresh {
		on(client.Event{List: true})
	}
	for _, id := range sessions {
		r.retell(id, on)
	}
}

// status returns the status of a session, where the event tells of it.
func (e event) status() string {
	status, _ := httpx.Split(e.about.Get("status"))
	kind, _ := httpx.String(status.Get("type"))
	return kind
}

// ends reports whether an event says that a session's turn is over.
func (e event) ends() bool {
	switch e.kind {
	case "session.status":
		return e.status() == "idle"
	case "session.error":
		problem, err := httpx.Split(e.about.Get("error"))
		name, _ := httpx.String(problem.Get("name"))
		return err == nil && name == "MessageAbortedError"
	}
	return true
}

// turnEnded makes ghosts of the asks of a session whose turn is over: those that
// were answered have been told of before. The folder is listed again, which
// finds out how the turn ended, and whether a new one has begun since.
func (r *Relay) turnEnded(_ context.Context, e event, on func(client.Event)) {
	id := e.text("sessionID")
	if !e.ends() {
		if e.status() == "busy" {
			// The next step of the turn begins.
			on(client.Event{After: client.AfterWentOn, Session: id})
		}
		return
	}
	on(client.Event{After: client.AfterStopped, Session: id})
	r.mu.Lock()
	if s := r.sessions[id]; s != nil && e.kind == "session.deleted" {
		without := *s
		without.deleted = true
		r.sessions[id] = &without
	}
	found := false
	for _, k := range r.known {
		if q := k.request; q.session == id && q.engine == first && q.unreadable == "" {
			found = true
			k.ghost, k.at = judge(q, k.call, r.sessions[id], map[string]bool{}), time.Time{}
			r.folder(k.folder).dirty = true
		}
	}
	r.mu.Unlock()
	if found {
		r.retell(id, on)
		on(client.Event{List: true})
	}
}

// toolFailed takes in the end of a tool call that was tried, and failed.
func (r *Relay) toolFailed(_ context.Context, e event, on func(client.Event)) {
	var p wirePart
	if httpx.Decode(e.about.Get("part"), &p) != nil || p.Type != "tool" {
		return
	}
	if c := newToolCall(p); c.status == "error" && !c.aborted && !c.refused() {
		on(client.Event{After: client.AfterFailed, Session: e.text("sessionID")})
	}
}

// stepEnded has the folder of a session listed that asks by the second engine.
func (r *Relay) stepEnded(_ context.Context, e event, on func(client.Event)) {
	id := e.text("sessionID")
	r.relist(on, func(k *known) bool { return k.request.engine == second && k.request.session == id })
}

// disposed takes in the end of a folder's instance, or of all of them, which
// ends their asks without telling of them.
func (r *Relay) disposed(_ context.Context, e event, on func(client.Event)) {
	where := e.text("directory")
	if where == "" {
		where = e.folder
	}
	r.relist(on, func(k *known) bool { return e.kind == "global.disposed" || k.folder == where })
}

// relist asks for a listing where a request fits that is known.
func (r *Relay) relist(on func(client.Event), fits func(*known) bool) {
	r.mu.Lock()
	found := false
	for _, k := range r.known {
		if fits(k) {
			r.folder(k.folder).dirty, found = true, true
		}
	}
	r.mu.Unlock()
	if found {
		on(client.Event{List: true})
	}
}
