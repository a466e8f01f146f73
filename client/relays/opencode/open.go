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

// Open reads what is open in every folder, as far as that is not known already:
// a folder in which nothing waits is listed only now and then.
func (r *Relay) Open(ctx context.Context) (batch client.Batch, err error) {
	r.opening.Lock()
	defer r.opening.Unlock()
	defer func() { r.lose(err != nil) }()
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
	batch = client.Batch{Now: r.state.clock, Complete: r.state.whole(), Partial: partial}
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
	if r.state.lost && r.state.watched {
		due, left = hot(due)
	}
	r.mu.Unlock()
	begun := r.now()
	o := &outcomes{}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, f := range due {
		if i > 0 && r.late(begun) {
			left += r.unread(due[i:])
			break
		}
		group.Go(func() error { return httpx.Contain(func() error { return o.take(f, r.list(inner, f)) }) })
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

// lose notes whether the server could be read.
func (r *Relay) lose(lost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.lost = lost
}

// hot takes out of the folders to be listed those where something waits, and
// counts the others. A server that was started again boots every folder that it
// is asked for; that it is back has to show before all that is done.
func hot(due []*folder) (some []*folder, others int) {
	for _, f := range due {
		if f.asks > 0 {
			some = append(some, f)
		}
	}
	return some, len(due) - len(some)
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
// continues, because nobody has ever followed the stream, goes on to its end.
func (r *Relay) late(begun time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.watched && r.now().Sub(begun) > firstLook
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
