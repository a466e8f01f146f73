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
	"askbox/client/httpx"
)

const (
	atOnce = 4 // calls to the server at the same time
	// firstLook is how long a reading may go on through folders while somebody
	// follows the stream; the rest is read at the next poll, which follows at once.
	firstLook = 2 * time.Second
	// patience is after how many folders in a row that could not be reached the
	// server counts as not reachable.
	patience = 4
)

// Open reads what is open in every folder, as far as that is not known already:
// a folder in which nothing waits is listed only now and then.
func (r *Relay) Open(ctx context.Context) (client.Batch, error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	start := r.now()
	partial, err := r.findFolders(ctx)
	if err != nil {
		return client.Batch{}, err
	}
	left, err := r.listDue(ctx, start)
	if err != nil {
		return client.Batch{Now: r.clock()}, err
	}
	r.complete(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.forget()
	batch := client.Batch{Now: r.state.clock, Complete: r.state.whole(), Partial: partial}
	all := r.state.groups()
	for _, rec := range r.state.records {
		batch.Asks = append(batch.Asks, r.build(rec, all))
	}
	slices.SortFunc(batch.Asks, func(a, b *client.Ask) int { return strings.Compare(a.ID, b.ID) })
	switch trouble := r.state.trouble(); {
	case left > 0:
		batch.Partial = fmt.Sprintf("%d of %d folders are still to be read", left, len(r.state.folders))
		r.wantMore()
	case trouble != "":
		batch.Partial = trouble
	}
	return batch, nil
}

func (r *Relay) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.clock
}

// wantMore has whoever follows the stream ask for another listing.
func (r *Relay) wantMore() {
	select {
	case r.more <- struct{}{}:
	default:
	}
}

// listDue lists the folders that are due, a few at a time. It returns how many
// are left for the next poll, and an error where the server could not be read.
func (r *Relay) listDue(ctx context.Context, start time.Time) (left int, err error) {
	r.mu.Lock()
	due := r.state.due(start)
	r.mu.Unlock()
	begun := r.now()
	o := &outcomes{}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, f := range due {
		if i > 0 && r.late(begun) {
			left = r.unread(due[i:])
			break
		}
		group.Go(func() error { return o.take(f, r.list(inner, f)) })
	}
	if err := group.Wait(); err != nil {
		return left, err
	}
	if err := o.verdict(); err != nil {
		return left, err
	}
	r.setAside(o.silent)
	return left, nil
}

// setAside notes the folders that did not answer although the server does. They
// are tried again later.
func (r *Relay) setAside(silent []*folder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range silent {
		f.failed = "it does not answer in time"
	}
}

// whole reports whether something is known of every folder.
func (s *state) whole() bool {
	for _, f := range s.folders {
		if f.listed == 0 {
			return false
		}
	}
	return true
}

// late reports whether a reading has gone on for long enough. One that nobody
// continues, because nobody follows the stream, goes on to its end.
func (r *Relay) late(begun time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.following && r.now().Sub(begun) > firstLook
}

func (r *Relay) unread(folders []*folder) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range folders {
		if f.unread(&r.state) {
			n++
		}
	}
	return n
}

// outcomes gathers how the listings of folders went. One folder that hangs must
// not cost the others; a server that is gone must not be asked 200 times.
type outcomes struct {
	mu     sync.Mutex
	good   int
	inRow  int
	silent []*folder
	last   error
}

func (o *outcomes) take(f *folder, err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var lost *client.Unreachable
	switch {
	case err == nil:
		o.good++
		o.inRow = 0
		return nil
	case !errors.As(err, &lost):
		return err
	}
	o.last, o.silent = err, append(o.silent, f)
	if o.inRow++; o.inRow >= patience {
		return err
	}
	return nil
}

// verdict is the error of a reading in which nothing could be read.
func (o *outcomes) verdict() error {
	if o.good == 0 {
		return o.last
	}
	return nil
}

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
			r.fill(ctx, rec)
			return nil
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
	q, known, at, when := rec.request, rec.call, r.state.next(), r.now()
	wanted := r.state.lacksCall(rec, when)
	r.mu.Unlock()
	if !wanted {
		return
	}
	call, err := r.settledCall(ctx, q)
	if err != nil && !missing(err) {
		return
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
	if rec.request != q {
		return
	}
	rec.checked, rec.at = at, when
	if rec.call == nil || !rec.call.settled() {
		rec.call = call
	}
	if how != alive {
		rec.ghost = how
	}
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
