package opencode

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// folder is one instance of the server.
type folder struct {
	path string
	// at is when its listing began that is not yet too old to tell what waits; zero
	// where there is none, or none since the events are followed.
	at time.Time
	// dirty says that something happened which only a listing can tell.
	dirty   bool
	updated int64 // when a session of it changed last, by the server's clock in milliseconds
	changed bool  // it has since the last listing
	// proven says that the server itself calls the folder by this path. Of any
	// other one no event will tell.
	proven bool
	// broken says that the server cannot list its permissions; failed says in
	// the program's words why it could not be listed, and tried when.
	broken bool
	failed string
	tried  time.Time
	asks   int // how many requests of it are known
}

// folder returns a folder, which is known from now on. It is called with the lock held.
func (r *Relay) folder(path string) *folder {
	f := r.folders[path]
	if f == nil {
		f = &folder{path: path}
		r.folders[path] = f
	}
	return f
}

// looksAt reports whether a folder is one of those that are looked at.
func (r *Relay) looksAt(folder string) bool {
	windows := len(folder) > 2 && folder[1] == ':' && (folder[2] == '\\' || folder[2] == '/')
	if !strings.HasPrefix(folder, "/") && !windows {
		return false
	}
	return len(r.directories) == 0 || slices.ContainsFunc(r.directories, func(dir string) bool {
		return folder == dir || strings.HasPrefix(folder, strings.TrimSuffix(dir, "/")+"/")
	})
}

// How often folders are listed.
const (
	// coldPoll is how often a folder in which nothing waits is listed while
	// nobody tells of events, livePoll while the stream does.
	coldPoll = time.Minute
	livePoll = 10 * time.Minute
	// coldAtOnce is how many of those one poll lists.
	coldAtOnce = 8
)

// due returns the folders to be listed now: those of whose asks nothing is known,
// those where something is known to wait or to have happened, those of which no event
// would tell, and a few of the rest. A reading may end before it has come through all
// of them, so that those come first where something waits, or changed last. It is
// called with the lock held.
func (r *Relay) due() []*folder {
	now, pause := r.now(), coldPoll
	if r.live {
		pause = livePoll
	}
	var must, cold []*folder
	for _, f := range r.folders {
		switch age := now.Sub(f.at); {
		case f.failed != "" && now.Sub(f.tried) < coldPoll && !now.Before(f.tried):
			// It has just cost time in vain.
		case f.at.IsZero(), f.asks > 0, f.dirty, f.broken, !f.proven, !r.live && f.changed:
			must = append(must, f)
		case age >= pause, age < 0:
			cold = append(cold, f)
		}
	}
	slices.SortFunc(must, func(a, b *folder) int {
		return cmp.Or(order(!a.at.IsZero(), !b.at.IsZero()), order(a.asks == 0, b.asks == 0), order(!a.dirty, !b.dirty),
			a.at.Compare(b.at), cmp.Compare(b.updated, a.updated), cmp.Compare(a.path, b.path))
	})
	slices.SortFunc(cold, func(a, b *folder) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.path, b.path)) })
	return append(must, cold[:min(len(cold), coldAtOnce)]...)
}

// order sorts false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Bounds of reading the sessions, which is how folders are found.
const (
	scanPage  = 500 // sessions of one page when all are read
	lookPage  = 50  // and when only the newest are
	scanPages = 200
	scanAgain = 10 * time.Minute // how often all are read again
	scanBytes = 16 << 20         // of one page
)

// scan is how far the sessions were read.
type scan struct {
	whole  time.Time // when all of them were read last
	newest int64     // the newest change that was read, in milliseconds
	clock  time.Time // the server's, then
}

// findFolders reads the sessions, newest change first: all of them at first and
// now and then, and otherwise down to those that were read before. It returns
// why that may not be all, in the program's words.
func (r *Relay) findFolders(ctx context.Context) (partial string, err error) {
	r.mu.Lock()
	before, now := r.scan, r.now()
	r.mu.Unlock()
	all := before.whole.IsZero() || now.Sub(before.whole) > scanAgain || now.Before(before.whole)
	next, partial, err := r.readSessions(ctx, before, all)
	var other *client.NotRelay
	switch {
	case len(r.directories) > 0 && errors.As(err, &other):
		// The configured folders are known without it.
		return "", nil
	case err != nil:
		return partial, err
	}
	if all {
		next.whole = now
	}
	r.mu.Lock()
	r.scan = next
	r.mu.Unlock()
	return partial, nil
}

func (r *Relay) readSessions(ctx context.Context, before scan, all bool) (next scan, partial string, err error) {
	next = before
	cursor, stuck, seen := "", false, map[string]bool{}
	for range scanPages {
		query := url.Values{"limit": {strconv.Itoa(lookPage)}, "archived": {"true"}}
		if all {
			query.Set("limit", strconv.Itoa(scanPage))
		}
		if cursor != "" {
			query.Set("cursor", inclusive(cursor, stuck))
		}
		reply, err := r.http.Do(ctx, httpx.Request{Path: httpx.Path("experimental", "session"), Query: query, Limit: scanBytes})
		switch err = r.meaning(reply, err); {
		case err != nil && cursor == "":
			return next, "", err
		case err != nil:
			return next, "not every session could be read, so folders may be missing", nil
		}
		raws, err := httpx.List(reply.Body)
		if err != nil {
			return next, "", err
		}
		next.clock = reply.Now
		oldest := int64(0)
		for _, raw := range raws {
			if s := readSession(raw); s != nil {
				r.meet(s, before)
				next.newest, oldest = max(next.newest, s.updated), s.updated
			}
		}
		last := cursor
		cursor = strings.TrimSpace(reply.Header.Get("x-next-cursor"))
		switch {
		case cursor == "", !all && oldest != 0 && oldest < before.newest:
			return next, "", nil
		case cursor == last && !stuck:
			stuck = true
			continue
		case seen[cursor]:
			return next, "the server sends the same sessions again and again, so folders may be missing", nil
		}
		seen[cursor], stuck = true, false
	}
	return next, "the server has more sessions than are read, so folders may be missing", nil
}

// inclusive returns a cursor that also takes in what changed in the same
// millisecond as the last session of the page before, which the server's own
// leaves out. Where a whole page is of one millisecond that would go on for ever.
func inclusive(cursor string, stuck bool) string {
	if ms, err := strconv.ParseInt(cursor, 10, 64); err == nil && !stuck {
		return strconv.FormatInt(ms+1, 10)
	}
	return cursor
}

// meet takes down a session of a list: its folder, and its title where an ask of
// it is open.
func (r *Relay) meet(s *session, before scan) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.looksAt(s.folder) {
		f := r.folder(s.folder)
		f.proven, f.updated = true, max(f.updated, s.updated)
		f.changed = f.changed || s.updated >= before.newest
	}
	if r.sessions[s.id] != nil {
		r.sessions[s.id] = s
	}
}
