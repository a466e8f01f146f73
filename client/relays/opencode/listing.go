package opencode

import (
	"context"
	"errors"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// kinds are the lists of a folder.
var kinds = []struct {
	engine   engine
	question bool
}{{first, false}, {first, true}, {second, false}, {second, true}}

// list reads what is open in a folder. Its error is one that concerns the whole
// server; what concerns the folder alone stands in the folder.
func (r *Relay) list(ctx context.Context, f *folder) error {
	r.mu.Lock()
	began, without := r.state.next(), r.state.noSecond
	r.mu.Unlock()
	var trouble error
	fell, reading := false, f.lists.Begin()
	for _, k := range kinds {
		if k.engine == second && without {
			continue
		}
		found, reply, err := r.readList(ctx, k.engine, k.question, f.path, reading)
		r.mu.Lock()
		r.state.hear(reply)
		switch {
		case err == nil:
			r.state.relist(f, k.engine, k.question, found, began)
			r.state.noteBroken(f, k.engine, k.question, false)
		case errors.Is(err, errBroken):
			r.state.noteBroken(f, k.engine, k.question, true)
		case k.engine == second && missing(err):
			without, r.state.noSecond = true, true
		default:
			trouble, fell = err, true
		}
		r.mu.Unlock()
		if fell {
			break
		}
	}
	if trouble == nil {
		reading.Keep(nil)
		trouble = r.findGhosts(ctx, f)
	}
	return r.listed(f, began, trouble)
}

// listed takes down how the listing of a folder went.
func (r *Relay) listed(f *folder, began uint64, trouble error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.at = r.now()
	if trouble == nil {
		f.listed, f.dirty, f.failed = began, false, ""
		return nil
	}
	var failed *client.Failed
	var large *client.TooLarge
	f.failed = "it could not be listed"
	switch {
	case errors.As(trouble, &failed):
		// The server answers; it is this folder that it has trouble with.
		f.failed = failed.Error()
		f.listed = began
		return nil
	case errors.As(trouble, &large):
		f.failed = large.Error()
		f.listed = began
		return nil
	}
	return trouble
}

const twoUnderOneID = "the server lists two different asks under its id"

// relist takes a whole list of one kind in a folder: what it holds is open, and
// what it lacks is not, unless that was learnt later.
func (s *state) relist(f *folder, e engine, question bool, found []*request, began uint64) {
	listed := map[string]bool{}
	for _, q := range found {
		if listed[q.id] && s.records[q.id] != nil && !s.records[q.id].request.same(q) {
			q.refuse(twoUnderOneID)
		}
		listed[q.id] = true
		s.take(q, f.path, began)
	}
	for id, rec := range s.records {
		q := rec.request
		if !listed[id] && rec.folder == f.path && q.engine == e && q.question == question && rec.learnt <= began {
			s.close(id)
		}
	}
}

func (s *state) noteBroken(f *folder, e engine, question, broken bool) {
	if e == first && !question {
		f.broken = broken
	}
}

// findGhosts looks which of a folder's asks have outlived their turns. One call
// tells which sessions have a turn under way; only for the asks of the others
// their tool calls are read again.
func (r *Relay) findGhosts(ctx context.Context, f *folder) error {
	r.mu.Lock()
	suspects := r.state.ofFirst(f)
	r.mu.Unlock()
	if len(suspects) == 0 {
		return nil
	}
	busy, err := r.busy(ctx, f.path)
	if err != nil {
		if missing(err) {
			return nil
		}
		return err
	}
	for _, rec := range suspects {
		if !busy[rec.request.session] {
			r.examine(ctx, rec)
			continue
		}
		r.mu.Lock()
		if rec.ghost == idle {
			rec.ghost = alive
		}
		r.mu.Unlock()
	}
	return nil
}

// ofFirst returns the asks of the first engine in a folder.
func (s *state) ofFirst(f *folder) []*record {
	var all []*record
	for _, rec := range s.records {
		if rec.folder == f.path && rec.request.engine == first && rec.request.unreadable == "" {
			all = append(all, rec)
		}
	}
	return all
}

// busy returns the sessions of a folder that have a turn under way.
func (r *Relay) busy(ctx context.Context, folder string) (map[string]bool, error) {
	reply, err := r.get(ctx, httpx.Path("session", "status"), inFolder(folder))
	if err != nil {
		return nil, err
	}
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return nil, err
	}
	busy := make(map[string]bool, len(o.Members))
	for _, m := range o.Members {
		state, err := httpx.Split(m.Value)
		kind, _ := httpx.String(state.Get("type"))
		if err == nil && kind != "idle" {
			busy[m.Name] = true
		}
	}
	return busy, nil
}

// examine finds out what an ask is whose session has no turn under way, and
// keeps it. An ask that was found to be a ghost for good is not read again.
func (r *Relay) examine(ctx context.Context, rec *record) {
	r.mu.Lock()
	q, was := rec.request, rec.ghost
	r.mu.Unlock()
	if was == aborted || was == deleted {
		return
	}
	call, err := r.readCall(ctx, first, q.session, q.message, q.call)
	now := idle
	switch {
	case err == nil && call.status == "error":
		now = aborted
	case err != nil && missing(err):
		if s := r.fetchSession(ctx, q.session); s != nil && s.deleted {
			now = deleted
		}
	case err == nil && call.status == "completed":
		// It was answered while the lists were read; the next one lacks it.
		now = alive
	case err != nil:
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	rec.ghost = now
	if err == nil && rec.call == nil {
		rec.call = call
	}
}

// trouble says in the program's words what could not be listed.
func (s *state) trouble() string {
	broken, failed := "", ""
	for _, f := range s.folders {
		if f.broken && (broken == "" || f.path < broken) {
			broken = f.path
		}
		if f.failed != "" && (failed == "" || f.path < failed) {
			failed = f.path
		}
	}
	switch {
	case failed != "":
		return "the asks in " + text.New(failed).Quoted(80) + " could not be listed: " + s.folders[failed].failed
	case broken != "":
		return "permissions that were asked for before askbox began may be missing: opencode cannot list those in " +
			text.New(broken).Fit(80) + " at present"
	}
	return ""
}
