package opencode

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

const (
	atOnce = 4 // calls to the server at the same time
	// firstLook is how long a reading may go on through folders where another one
	// follows; that one reads the rest. A server that has just begun anew boots
	// every folder that it is asked for, and must not look dead for as long.
	firstLook = 2 * time.Second
	// patience is after how many folders in a row that could not be reached the
	// server counts as not reachable.
	patience = 4
)

// Open reads what is open in the folders that are due: one in which nothing waits is
// listed only now and then.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	begun := r.now()
	partial, err := r.findFolders(ctx)
	if err != nil {
		return client.Batch{}, r.stranger.Name(ctx, err)
	}
	o := &opening{Relay: r, covered: map[part]bool{}}
	left, err := o.run(ctx, begun)
	batch := client.Batch{Now: r.scan.clock, Complete: true, Partial: partial}
	if err != nil {
		return client.Batch{Now: batch.Now}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget()
	among := r.groups()
	for _, k := range o.found {
		batch.Asks = append(batch.Asks, r.build(k, among))
	}
	slices.SortFunc(batch.Asks, func(a, b *client.Ask) int { return strings.Compare(a.ID, b.ID) })
	unread := 0
	for _, f := range r.folders {
		if f.at.IsZero() {
			batch.Complete = false
			unread++
		}
	}
	switch trouble := r.trouble(); {
	case left > 0 && unread > 0:
		batch.Partial = fmt.Sprintf("%d of %d folders are still to be read", unread, len(r.folders))
	case trouble != "":
		batch.Partial = trouble
	}
	if left > 0 || r.trouble() != "" {
		batch.Covers = o.covers
	}
	if left > 0 || o.dirty {
		r.wantMore()
	}
	return batch, nil
}

// wantMore has whoever follows the events ask for another listing.
func (r *Relay) wantMore() {
	select {
	case r.more <- struct{}{}:
	default:
	}
}

// trouble says in the program's words what could not be listed. It is called with the
// lock held.
func (r *Relay) trouble() string {
	broken, failed := "", ""
	for _, f := range r.folders {
		if f.broken && (broken == "" || f.path < broken) {
			broken = f.path
		}
		if f.failed != "" && (failed == "" || f.path < failed) {
			failed = f.path
		}
	}
	switch {
	case failed != "":
		return "the asks in " + text.New(failed).Quoted(80) + " could not be listed: " + r.folders[failed].failed
	case broken != "":
		return "permissions that were asked for before askbox began may be missing: " + r.brand.String() +
			" cannot list those in " + text.New(broken).Fit(80) + " at present"
	}
	return ""
}

// part is one list of one folder.
type part struct {
	folder string
	list   list
}

// opening is one reading of the folders that are due.
type opening struct {
	*Relay

	mu      sync.Mutex
	found   []*known
	covered map[part]bool
	dirty   bool // something happened in a folder while it was read
	good    int
	inRow   int // folders that could not be reached
	last    error
}

// covers reports whether an ask stands in a list that was read.
func (o *opening) covers(ask *client.Ask) bool {
	p, ok := ask.Private.(private)
	return ok && o.covered[part{p.folder, p.list}]
}

// run lists the folders that are due, a few at a time. It returns how many are left
// for the next poll, and an error where the server could not be read.
func (o *opening) run(ctx context.Context, begun time.Time) (left int, err error) {
	o.Relay.mu.Lock()
	due := o.due()
	o.Relay.mu.Unlock()
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, f := range due {
		// One that nobody continues goes on to its end.
		if i > 0 && o.followed.Load() && o.now().Sub(begun) > firstLook {
			left = len(due) - i
			break
		}
		group.Go(func() error {
			return httpx.Contain(func() error { return o.took(f, o.list(inner, f)) })
		})
	}
	if err := group.Wait(); err != nil {
		return left, err
	}
	if o.good == 0 {
		return left, o.last
	}
	return left, nil
}

// list reads what is open in a folder, as far as it can be read.
func (o *opening) list(ctx context.Context, f *folder) error {
	o.Relay.mu.Lock()
	f.dirty, f.changed = false, false
	began, at := o.next(), o.now()
	o.Relay.mu.Unlock()
	found, read, trouble := o.readAll(ctx, f.path)
	if trouble != nil && !ofFolder(trouble) {
		return trouble
	}
	all := o.reconcile(f, found, read, began)
	busy, err := o.turns(ctx, f, all)
	if err != nil {
		return err
	}
	o.complete(ctx, all, busy)
	o.Relay.mu.Lock()
	if f.failed = ""; began > o.since {
		f.at = at // what happened before the events began is in this listing, or in none
	}
	if trouble == nil {
		f.broken = len(read) < len(lists)
	}
	dirty := f.dirty
	o.Relay.mu.Unlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.found, o.dirty = append(o.found, all...), o.dirty || dirty
	for l := range read {
		o.covered[part{f.path, l}] = true
	}
	return trouble
}

// readAll reads the lists of a folder, and says which of them could be read.
func (r *Relay) readAll(ctx context.Context, folder string) (found []*request, read map[list]bool, err error) {
	read = map[list]bool{}
	for _, l := range lists {
		if l.engine == second && r.noSecond.Load() {
			read[l] = true
			continue
		}
		some, err := r.read(ctx, l, folder)
		switch {
		case err == nil:
			found, read[l] = append(found, some...), true
		case errors.Is(err, errBroken):
		case l.engine == second && missing(err):
			r.noSecond.Store(true)
			read[l] = true
		default:
			return found, read, err
		}
	}
	return found, read, nil
}

// ofFolder reports whether an error is the trouble of one folder: the server answers.
func ofFolder(err error) bool {
	var failed *client.Failed
	var large *client.TooLarge
	return errors.As(err, &failed) || errors.As(err, &large)
}

// reconcile takes down what the lists of a folder hold and returns it, together with
// what was told of before in those that could not be read.
func (r *Relay) reconcile(f *folder, found []*request, read map[list]bool, began uint64) (all []*known) {
	r.mu.Lock()
	defer r.mu.Unlock()
	listed := make(map[string]bool, len(found))
	for _, q := range found {
		listed[q.id] = true
		all = append(all, r.remember(q, f.path))
	}
	for id, k := range r.known {
		switch {
		case k.folder != f.path || listed[id]:
		case !read[k.request.list]:
			all = append(all, k)
		case k.told < began:
			r.drop(id)
		}
	}
	return all
}

// turns returns the sessions of a folder that have a turn under way, where it is asked
// for by a request that may be a ghost. Nil: that is not known.
func (r *Relay) turns(ctx context.Context, f *folder, all []*known) (map[string]bool, error) {
	if !slices.ContainsFunc(all, func(k *known) bool { return k.request.engine == first && k.request.unreadable == "" }) {
		return nil, nil
	}
	busy, err := r.busy(ctx, f.path)
	if err != nil && missing(err) {
		return nil, nil
	}
	return busy, err
}

// took takes down how the listing of a folder went. One folder that hangs must not
// cost the others; a server that is gone must not be asked 200 times. It returns the
// error of the whole server.
func (o *opening) took(f *folder, err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil {
		o.good, o.inRow = o.good+1, 0
		return nil
	}
	var lost *client.Unreachable
	why := "it does not answer in time"
	switch {
	case ofFolder(err):
		why, o.good, o.inRow = err.Error(), o.good+1, 0
	case errors.As(err, &lost):
		o.last = err
		if o.inRow++; o.inRow >= patience {
			return err
		}
	default:
		return err
	}
	o.Relay.mu.Lock()
	defer o.Relay.mu.Unlock()
	f.failed, f.tried = why, o.now()
	return nil
}
