package opencode

import (
	"context"

	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// Get reads one ask as it is now.
func (r *Relay) Get(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	p, ok := ask.Private.(private)
	if !ok {
		return nil, &client.NotFound{}
	}
	all, err := r.read(ctx, p.list, p.folder)
	var q *request
	for _, one := range all {
		if one.id == ask.ID && one.session == ask.Ref.Session {
			q = one
		}
	}
	switch {
	case err == errBroken:
		// It is open as long as its tool call waits.
		if q = readRequest(p.list, ask.Raw); q.message == "" {
			return nil, &client.Failed{Status: 400, Why: errBroken.Error()}
		}
	case err != nil:
		return nil, err
	case q == nil:
		return r.outcome(ctx, ask)
	}
	call, how, looked := r.examine(ctx, q, p.folder)
	switch {
	case looked != nil:
		return nil, looked
	case err == errBroken && call.ended() && !call.aborted:
		return r.outcome(ctx, ask)
	}
	r.learn(ctx, q.session)
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.remember(q, p.folder)
	if k.read, k.at, k.ghost = r.next(), r.now(), how; call != nil && !k.call.same(call) {
		k.call = call
	}
	return r.build(k, r.groups()), nil
}

// examine reads what a request is about as it is now: the call of its tool, and
// whether it has outlived its turn. A tool call that is not there is one without a
// status, and nil where the request names none.
func (r *Relay) examine(ctx context.Context, q *request, folder string) (call *toolCall, how ghost, err error) {
	if q.unreadable != "" {
		return nil, alive, nil
	}
	var busy map[string]bool
	var s *session
	group, inner := errgroup.WithContext(ctx)
	group.Go(func() error {
		return httpx.Contain(func() (err error) { call, err = r.settledCall(inner, q.place); return err })
	})
	if q.engine == first {
		group.Go(func() error {
			return httpx.Contain(func() (err error) {
				if busy, err = r.busy(inner, folder); missing(err) && q.message != "" {
					err = nil // its tool call speaks for it
				}
				return err
			})
		})
		group.Go(func() error {
			return httpx.Contain(func() error { s = r.fetchSession(inner, q.session); return nil })
		})
	}
	if err := group.Wait(); err != nil {
		return nil, alive, err
	}
	return call, judge(q, call, s, busy), nil
}

// judge says whether a request has outlived what it is for. busy are the sessions of
// its folder that have a turn under way; nil: that is not known.
func judge(q *request, call *toolCall, s *session, busy map[string]bool) ghost {
	switch {
	case q.engine == second || q.unreadable != "":
		return alive // the engine itself takes such a request away
	case s != nil && s.deleted:
		return deleted
	case call != nil && call.status == "error":
		return aborted
	case busy == nil, busy[q.session], call != nil && call.status == "completed":
		return alive
	}
	return idle
}
