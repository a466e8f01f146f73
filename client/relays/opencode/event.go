package opencode

import (
	"context"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// heeded are the events that are looked into.
var heeded = map[string]bool{
	"permission.asked": true, "permission.v2.asked": true, "question.asked": true, "question.v2.asked": true,
	"permission.replied": true, "permission.v2.replied": true,
	"question.replied": true, "question.v2.replied": true, "question.rejected": true, "question.v2.rejected": true,
	"session.created": true, "session.updated": true, "session.deleted": true,
	"session.idle": true, "session.status": true, "session.error": true,
	"session.next.tool.failed": true, "session.next.step.ended": true,
	"server.instance.disposed": true, "global.disposed": true,
}

// heed takes an event in and tells what it means.
func (r *Relay) heed(ctx context.Context, e event, on func(client.Event)) {
	switch e.kind {
	case "permission.asked", "question.asked":
		r.asked(ctx, e, first, e.kind == "question.asked", on)
	case "permission.v2.asked", "question.v2.asked":
		r.asked(ctx, e, second, e.kind == "question.v2.asked", on)
	case "permission.replied", "permission.v2.replied", "question.replied", "question.v2.replied",
		"question.rejected", "question.v2.rejected":
		r.closed(e, on)
	case "session.created", "session.updated":
		r.sessionTold(e, on)
	case "session.deleted", "session.idle", "session.status", "session.error":
		if ended(e) {
			r.haunt(e.text("sessionID"), e.kind == "session.deleted", on)
		}
	case "session.next.tool.failed", "session.next.step.ended":
		// An interrupted turn of the second engine takes its asks along, without
		// telling of them.
		r.relistSession(e.text("sessionID"), on)
	default:
		r.disposed(e, on)
	}
}

// asked takes in a new ask, with its session and its tool call.
func (r *Relay) asked(ctx context.Context, e event, in engine, question bool, on func(client.Event)) {
	if !r.looksAt(e.folder) {
		return
	}
	q := readRequest(in, question, e.raw)
	r.mu.Lock()
	f := r.state.folder(e.folder)
	f.proven = true
	rec := r.state.take(q, e.folder, r.state.next())
	r.mu.Unlock()
	if rec == nil {
		return
	}
	if q.unreadable == "" {
		r.fill(ctx, rec)
	}
	r.retell(q.session, on)
}

// retell tells of the asks of a session that have become others: what a denial
// does depends on how many there are.
func (r *Relay) retell(session string, on func(client.Event)) {
	r.mu.Lock()
	var changed []*client.Ask
	all := r.state.groups()
	for _, rec := range r.state.records {
		if rec.request.session != session {
			continue
		}
		before := rec.ask
		if now := r.build(rec, all); now != before {
			changed = append(changed, now)
		}
	}
	r.mu.Unlock()
	for _, ask := range changed {
		on(client.Event{Opened: ask})
	}
}

// closed takes in the end of an ask.
func (r *Relay) closed(e event, on func(client.Event)) {
	id := e.text("requestID")
	if !httpx.Segment(id) || !r.looksAt(e.folder) {
		return
	}
	r.mu.Lock()
	rec := r.state.records[id]
	var ask *client.Ask
	if rec != nil {
		ask = r.build(rec, r.state.groups())
	}
	r.state.close(id)
	session, reply, now := e.text("sessionID"), e.text("reply"), r.now()
	note := ""
	if e.about.Get("reply") != nil {
		note = r.state.why(session, id, reply, now)
	}
	r.mu.Unlock()
	if ask == nil {
		return
	}
	switch e.kind {
	case "question.rejected", "question.v2.rejected":
		ask = over(ask, client.Dismissed, client.Closing{At: now})
	case "question.replied", "question.v2.replied":
		ask = answered(ask, e.about.Get("answers"), now)
	default:
		ask = replied(ask, reply, note, now)
	}
	on(client.Event{Closed: ask})
	r.retell(session, on)
}

// sessionTold takes in a session: its folder, and its title where one of its
// asks is open.
func (r *Relay) sessionTold(e event, on func(client.Event)) {
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
		fresh = r.state.folders[s.folder] == nil
		r.state.folder(s.folder).proven = true
	}
	known := r.state.sessions[s.id]
	changed := known != nil && *known != *s
	if changed {
		r.state.sessions[s.id] = s
	}
	r.mu.Unlock()
	if fresh {
		on(client.Event{List: true})
	}
	if changed {
		r.retellAll(on)
	}
}

// retellAll tells of every ask that has become another one.
func (r *Relay) retellAll(on func(client.Event)) {
	r.mu.Lock()
	sessions := map[string]bool{}
	for _, rec := range r.state.records {
		sessions[rec.request.session] = true
	}
	r.mu.Unlock()
	for id := range sessions {
		r.retell(id, on)
	}
}

// ended reports whether an event says that a session's turn is over.
func ended(e event) bool {
	switch e.kind {
	case "session.deleted", "session.idle":
		return true
	case "session.status":
		status, err := httpx.Split(e.about.Get("status"))
		kind, _ := httpx.String(status.Get("type"))
		return err == nil && kind == "idle"
	case "session.error":
		problem, err := httpx.Split(e.about.Get("error"))
		name, _ := httpx.String(problem.Get("name"))
		return err == nil && name == "MessageAbortedError"
	}
	return false
}

// haunt makes ghosts of the asks of a session whose turn is over: those that
// were answered have been told of before. The folder is listed again, which
// finds out how the turn ended, and whether a new one has begun since.
func (r *Relay) haunt(session string, gone bool, on func(client.Event)) {
	r.mu.Lock()
	found := false
	for _, rec := range r.state.records {
		if rec.request.session != session || rec.request.engine != first || rec.request.unreadable != "" {
			continue
		}
		found = true
		switch {
		case gone:
			rec.ghost = deleted
		case rec.ghost == alive:
			rec.ghost = idle
		}
	}
	if s := r.state.sessions[session]; s != nil && gone {
		without := *s
		without.deleted = true
		r.state.sessions[session] = &without
	}
	r.mu.Unlock()
	if found {
		r.retell(session, on)
		on(client.Event{List: true})
	}
}

// relistSession has the folder of a session listed that asks by the second engine.
func (r *Relay) relistSession(session string, on func(client.Event)) {
	r.mu.Lock()
	found := false
	for _, rec := range r.state.records {
		if rec.request.session == session && rec.request.engine == second {
			r.state.folder(rec.folder).dirty, found = true, true
		}
	}
	r.mu.Unlock()
	if found {
		on(client.Event{List: true})
	}
}

// disposed takes in the end of a folder's instance, or of all of them, which
// ends their asks without telling of them.
func (r *Relay) disposed(e event, on func(client.Event)) {
	where := e.text("directory")
	if where == "" {
		where = e.folder
	}
	r.mu.Lock()
	found := false
	for _, f := range r.state.folders {
		if f.asks > 0 && (e.kind == "global.disposed" || f.path == where) {
			f.dirty, found = true, true
		}
	}
	r.mu.Unlock()
	if found {
		on(client.Event{List: true})
	}
}
