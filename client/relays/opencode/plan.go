package opencode

import (
	"cmp"
	"slices"
	"time"
)

// How often folders are listed.
const (
	// coldPoll is how often a folder in which nothing waits is listed while
	// nobody tells of events, livePoll while the stream does.
	coldPoll = time.Minute
	livePoll = 10 * time.Minute
	// coldAtOnce is how many of those one poll lists.
	coldAtOnce = 8
)

// due returns the folders to be listed now: those never listed since the stream
// began, those where something is known to wait or to have happened, those of
// which no event would tell, and a few of the rest. A reading may end before it
// has come through all of them, so what was read longest ago comes first. It is
// called with the lock held.
func (s *state) due(now time.Time) []*folder {
	var must, cold []*folder
	pause := coldPoll
	if s.streaming {
		pause = livePoll
	}
	for _, f := range s.folders {
		switch {
		case f.failed != "" && now.Sub(f.at) < coldPoll && !now.Before(f.at):
			// It has just cost time in vain.
		case f.asks > 0, f.dirty, f.broken, !f.proven, f.unread(s), !s.streaming && !f.active.Before(now):
			must = append(must, f)
		case now.Sub(f.at) >= pause, now.Before(f.at):
			cold = append(cold, f)
		}
	}
	slices.SortFunc(must, func(a, b *folder) int {
		switch news := boolFirst(a.unread(s), b.unread(s)); {
		case news != 0:
			return news
		case a.unread(s):
			return cmp.Or(boolFirst(a.asks > 0, b.asks > 0), cmp.Compare(b.updated, a.updated), cmp.Compare(a.path, b.path))
		}
		return cmp.Or(boolFirst(a.dirty, b.dirty), a.at.Compare(b.at), cmp.Compare(a.path, b.path))
	})
	slices.SortFunc(cold, func(a, b *folder) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.path, b.path)) })
	return append(must, cold[:min(len(cold), coldAtOnce)]...)
}

// unread reports whether a folder's asks are not known: it was never listed, or
// not since the stream began, before which nobody told of events.
func (f *folder) unread(s *state) bool {
	return f.listed == 0 || s.streaming && f.listed <= s.since
}

func boolFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
