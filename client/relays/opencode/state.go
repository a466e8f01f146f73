package opencode

import (
	"time"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// state is what is known of the server. It is guarded by the relay's lock.
type state struct {
	// tick counts what happens, so that a list which was asked for before an event
	// does not overrule it.
	tick    uint64
	folders map[string]*folder
	// records are the asks that are open as far as is known, by their ids, which
	// are the server's own and occur once.
	records  map[string]*record
	sessions map[string]*session
	// shut holds the moment at which an ask was learnt to be over.
	shut map[string]uint64
	// causes holds what was last answered in a session, to say of the asks that
	// close with it why they do.
	causes map[string]cause

	// watched says that somebody follows the stream, or has once: whoever does
	// asks again and again, also while the stream is cut.
	watched bool
	// lost says that the last reading of the server failed.
	lost      bool
	streaming bool // the stream lives, since this moment
	since     uint64
	// noSecond says that the server turned out to have no second engine.
	noSecond bool
	scan     scan
	clock    time.Time // the server's, when it last replied
}

// folder is one instance of the server.
type folder struct {
	path string
	// listed is the moment at which the last good listing began, at is when.
	listed uint64
	at     time.Time
	// dirty says that something happened which only a listing can tell.
	dirty bool
	// active is when it was seen that one of its sessions had changed.
	active  time.Time
	updated int64 // the same by the server's clock, in milliseconds
	// proven says that the server itself calls the folder by this path. Of any
	// other one no event will tell.
	proven bool
	// broken says that the server cannot list its permissions; failed says in
	// the program's words why it could not be listed.
	broken bool
	failed string
	asks   int // how many records it has
	// lists are its lists as they were read last.
	lists relays.Memory[struct{}, []*request]
}

// record is an ask that is open as far as is known.
type record struct {
	request *request
	folder  string
	learnt  uint64 // the moment at which it was last told of
	call    *toolCall
	// checked and at say when the call was read last.
	checked uint64
	at      time.Time
	// ghost says why nothing waits for it any more; empty where something does.
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

// session is what is known of a session.
type session struct {
	id, parent, folder string
	title              text.Text
	deleted            bool
}

// cause is an answer that closes other asks along with its own.
type cause struct {
	id    string // the ask that was answered
	reply string
	at    time.Time
}

func newState() state {
	return state{folders: map[string]*folder{}, records: map[string]*record{}, sessions: map[string]*session{},
		shut: map[string]uint64{}, causes: map[string]cause{}}
}

// next returns the next moment.
func (s *state) next() uint64 {
	s.tick++
	return s.tick
}

// hear takes down the server's clock.
func (s *state) hear(reply *httpx.Reply) {
	if reply != nil && !reply.Now.IsZero() {
		s.clock = reply.Now
	}
}

// folder returns a folder, which is known from now on.
func (s *state) folder(path string) *folder {
	f := s.folders[path]
	if f == nil {
		f = &folder{path: path}
		s.folders[path] = f
	}
	return f
}

// mostShut bounds what is remembered of asks that are over.
const mostShut = 2000

// close takes an ask out, and returns what it was; nil where it was not open.
func (s *state) close(id string) *record {
	if len(s.shut) >= mostShut {
		for old := range s.shut {
			if s.tick-s.shut[old] > mostShut/2 {
				delete(s.shut, old)
			}
		}
	}
	s.shut[id] = s.next()
	rec := s.records[id]
	if rec != nil {
		delete(s.records, id)
		s.folder(rec.folder).asks--
	}
	return rec
}

// take keeps a request that was told of at a moment, unless something that is
// known to be later says otherwise. It returns its record, or nil.
func (s *state) take(q *request, in string, at uint64) *record {
	if over, ok := s.shut[q.id]; ok && at <= over {
		return nil
	}
	rec := s.records[q.id]
	switch {
	case rec == nil:
		rec = &record{request: q, folder: in}
		s.records[q.id] = rec
		s.folder(in).asks++
	case at < rec.learnt:
		return rec
	case !rec.request.same(q):
		rec.request, rec.call = q, nil
	}
	rec.learnt = at
	return rec
}

// group is the permissions that a denial of one of them closes together.
type group struct {
	engine  engine
	session string
}

// groups counts the permissions of every session.
func (s *state) groups() map[group]int {
	all := map[group]int{}
	for _, rec := range s.records {
		if q := rec.request; !q.question {
			all[group{q.engine, q.session}]++
		}
	}
	return all
}

// others counts the other permissions of a session that a denial closes too.
func (s *state) others(rec *record, all map[group]int) int {
	if rec.request.question || rec.request.unreadable != "" {
		return 0
	}
	return all[group{rec.request.engine, rec.request.session}] - 1
}

// deepest is how many parents of a session are followed.
const deepest = 32

// root follows a session's parents to the one that a person knows.
func (s *state) root(id string) *session {
	at := s.sessions[id]
	for range deepest {
		if at == nil || at.parent == "" {
			break
		}
		up := s.sessions[at.parent]
		if up == nil || up.deleted {
			break
		}
		at = up
	}
	return at
}
