package opencode

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/relays/httpx"
)

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
}

// findFolders reads the sessions, newest change first: all of them at first and
// now and then, and otherwise down to those that were read before. It returns
// why that may not be all, in the program's words.
func (r *Relay) findFolders(ctx context.Context) (partial string, err error) {
	r.mu.Lock()
	before, now := r.state.scan, r.now()
	r.mu.Unlock()
	all := before.whole.IsZero() || now.Sub(before.whole) > scanAgain || now.Before(before.whole)
	next, partial, err := r.readSessions(ctx, before, all)
	var other *client.NotRelay
	if len(r.directories) > 0 && errors.As(err, &other) {
		// The configured folders are known without it.
		return "", nil
	}
	if err != nil {
		return partial, err
	}
	if all {
		next.whole = now
	}
	r.mu.Lock()
	r.state.scan = next
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
		if err = r.meaning(reply, err); err != nil {
			if cursor == "" {
				return next, "", err
			}
			return next, "not every session could be read, so folders may be missing", nil
		}
		raws, err := httpx.List(reply.Body)
		if err != nil {
			return next, "", err
		}
		oldest := int64(0)
		r.mu.Lock()
		r.state.hear(reply)
		for _, raw := range raws {
			if s, updated := r.meet(raw, before); s != nil {
				next.newest, oldest = max(next.newest, updated), updated
			}
		}
		r.mu.Unlock()
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
// it is open. It is called with the lock held.
func (r *Relay) meet(raw []byte, before scan) (*session, int64) {
	s := readSession(raw)
	if s == nil {
		return nil, 0
	}
	updated := updatedAt(raw)
	if r.looksAt(s.folder) {
		f := r.state.folder(s.folder)
		f.proven, f.updated = true, max(f.updated, updated)
		if updated >= before.newest {
			f.active = r.now()
		}
	}
	if r.state.sessions[s.id] != nil {
		r.state.sessions[s.id] = s
	}
	return s, updated
}

// updatedAt returns when a session changed last, in milliseconds; 0 where it
// does not say.
func updatedAt(raw []byte) int64 {
	o, err := httpx.Split(raw)
	if err != nil {
		return 0
	}
	times, err := httpx.Split(o.Get("time"))
	if err != nil {
		return 0
	}
	var at httpx.Millis
	if v := times.Get("updated"); v == nil || at.UnmarshalJSON(v) != nil || at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// looksAt reports whether a folder is one of those that are looked at.
func (r *Relay) looksAt(folder string) bool {
	if !strings.HasPrefix(folder, "/") && !windows(folder) {
		return false
	}
	if len(r.directories) == 0 {
		return true
	}
	for _, dir := range r.directories {
		if folder == dir || strings.HasPrefix(folder, strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
	}
	return false
}

// windows reports whether a path is an absolute one of a server on Windows.
func windows(path string) bool {
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}
