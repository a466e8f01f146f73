package opencode

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// known is a request that the server told of, and what else was read of it.
type known struct {
	request *request
	folder  string
	told    uint64 // the moment at which it was last told of
	// call is its tool call, nil before it was read; read and at say when that was.
	call *toolCall
	read uint64
	at   time.Time
	// ghost says why nothing waits for it any more.
	ghost ghost
	// ask is what was made of it last, and from what.
	ask   *client.Ask
	basis basis
}

// ghost is how a request outlived what it is for.
type ghost int

const (
	alive   ghost = iota
	idle          // its session has no turn under way
	aborted       // its tool call was ended
	deleted       // its session is not there any more
)

// next returns the next moment. Two things can happen in one tick of a clock. It is
// called with the lock held.
func (r *Relay) next() uint64 {
	r.moment++
	return r.moment
}

// remember keeps a request that was told of. It is called with the lock held.
func (r *Relay) remember(q *request, folder string) *known {
	k := r.known[q.id]
	switch {
	case k == nil:
		k = &known{request: q.kept(), folder: folder}
		r.known[q.id] = k
		r.folder(folder).asks++
	case !k.request.same(q):
		k.request, k.call, k.ghost = q.kept(), nil, alive
	}
	k.told = r.next()
	return k
}

// drop forgets a request, which is not open any more. It is called with the lock held.
func (r *Relay) drop(id string) {
	if k := r.known[id]; k != nil {
		delete(r.known, id)
		r.folder(k.folder).asks--
	}
}

// group is the requests of a list that a session has.
type group struct {
	list    list
	session string
}

// groups counts the requests of every session. It is called with the lock held.
func (r *Relay) groups() map[group]int {
	all := map[group]int{}
	for _, k := range r.known {
		all[group{k.request.list, k.request.session}]++
	}
	return all
}

// recheck is how old the reading of a tool call may be.
const recheck = 2 * time.Minute

// lacks reports whether more is to be read of a request than is known: its tool call
// for the first time, or once more where it had not begun, may have become a ghost of
// which nobody told, or has no turn under way.
func (r *Relay) lacks(k *known, busy map[string]bool) bool {
	q := k.request
	switch {
	case q.unreadable != "" || q.message == "":
		return false
	case k.call == nil || k.call.status == "pending":
		return true
	}
	return q.engine == first && k.ghost < aborted && (r.now().Sub(k.at) > recheck || !busy[q.session] && k.call.lives())
}

// complete reads, for each of some requests, what is not known of it yet. What cannot
// be read now is tried again at the next poll.
func (r *Relay) complete(ctx context.Context, all []*known, busy map[string]bool) {
	var group errgroup.Group
	group.SetLimit(atOnce)
	group.Go(func() error { return httpx.Contain(func() error { r.learnBrand(ctx, all); return nil }) })
	for _, k := range all {
		r.mu.Lock()
		q, was, again := k.request, k.ghost, k.call != nil
		lacks := r.lacks(k, busy)
		r.mu.Unlock()
		if q.unreadable != "" {
			continue
		}
		group.Go(func() error {
			return httpx.Contain(func() error {
				if lacks && again {
					r.fetchSession(ctx, q.session)
				} else {
					r.learn(ctx, q.session)
				}
				if lacks {
					_ = r.reread(ctx, k)
				}
				r.mu.Lock()
				defer r.mu.Unlock()
				if k.ghost = judge(q, k.call, r.sessions[q.session], busy); busy == nil && k.ghost == alive {
					k.ghost = was
				}
				return nil
			})
		})
	}
	_ = group.Wait()
}

// learnBrand asks whose server it is, once there is something to be told in its words.
func (r *Relay) learnBrand(ctx context.Context, all []*known) {
	r.mu.Lock()
	branded := r.branded
	r.mu.Unlock()
	if branded || len(all) == 0 {
		return
	}
	b, err := r.readBrand(ctx, all[0].folder)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.brand, r.branded = b, true
	}
}

// reread reads the tool call of a request as it is now.
func (r *Relay) reread(ctx context.Context, k *known) error {
	r.mu.Lock()
	q, began, at := k.request, r.next(), r.now()
	r.mu.Unlock()
	call, err := r.settledCall(ctx, q.place)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if k.request != q || began < k.read || call == nil {
		return nil
	}
	k.read, k.at = began, at
	if !k.call.same(call) {
		k.call = call
	}
	return nil
}
