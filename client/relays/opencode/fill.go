package opencode

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"askbox/client/relays/httpx"
)

// complete reads, for each ask that is new, its tool call and its session.
func (r *Relay) complete(ctx context.Context) {
	now := r.now()
	r.mu.Lock()
	var recs []*record
	for _, rec := range r.state.records {
		if r.state.lacks(rec, now) {
			recs = append(recs, rec)
		}
	}
	r.mu.Unlock()
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, rec := range recs {
		group.Go(func() error {
			return httpx.Contain(func() error { r.fill(ctx, rec); return nil })
		})
	}
	_ = group.Wait()
}

// recheck is how old the reading of a tool call may be while no stream tells of
// turns that end.
const recheck = 2 * time.Minute

// lacks reports whether there is more to learn of an ask than is known.
func (s *state) lacks(rec *record, now time.Time) bool {
	q := rec.request
	if q.unreadable != "" {
		return false
	}
	return s.lacksSession(q.session) || s.lacksCall(rec, now)
}

func (s *state) lacksSession(id string) bool {
	for range deepest {
		own := s.sessions[id]
		if own == nil {
			return httpx.Segment(id)
		}
		if own.deleted || own.parent == "" {
			return false
		}
		id = own.parent
	}
	return false
}

// lacksCall reports whether the tool call of an ask is to be read: for the first
// time, or again, because nobody would have told that the turn ended.
func (s *state) lacksCall(rec *record, now time.Time) bool {
	switch {
	case rec.request.message == "":
		return false
	case rec.call == nil, !rec.call.settled():
		return true
	case rec.request.engine == second, rec.ghost == aborted, rec.ghost == deleted:
		return false
	case s.streaming:
		return rec.checked <= s.since
	}
	return now.Sub(rec.at) > recheck
}

// fill reads what an ask lacks.
func (r *Relay) fill(ctx context.Context, rec *record) {
	r.learn(ctx, rec.request.session)
	r.mu.Lock()
	wanted := r.state.lacksCall(rec, r.now())
	r.mu.Unlock()
	if wanted {
		_ = r.readAgain(ctx, rec) // tried again at the next poll
	}
}

// readAgain reads the tool call of an ask as it is now. What it gets may have
// changed under the same ids, and then the ask is another one.
func (r *Relay) readAgain(ctx context.Context, rec *record) error {
	r.mu.Lock()
	q, known, at, when := rec.request, rec.call, r.state.next(), r.now()
	r.mu.Unlock()
	if q.message == "" {
		return nil
	}
	call, err := r.settledCall(ctx, q)
	if err != nil && !missing(err) {
		return err
	}
	how := alive
	if q.engine == first {
		how = r.judge(ctx, q, call, known != nil)
	}
	if call == nil {
		call = &toolCall{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if rec.request != q || at < rec.checked {
		return nil
	}
	rec.checked, rec.at = at, when
	if !rec.call.same(call) {
		rec.call = call
	}
	if how != alive {
		rec.ghost = how
	}
	return nil
}

// judge says whether a tool call shows that its ask is a ghost for good. That a
// session was deleted shows in the session alone, whose turn may run on.
func (r *Relay) judge(ctx context.Context, q *request, call *toolCall, again bool) ghost {
	if call != nil && call.status == "error" {
		return aborted
	}
	if again || call == nil || call.status == "" {
		if s := r.fetchSession(ctx, q.session); s != nil && s.deleted {
			return deleted
		}
	}
	return alive
}
