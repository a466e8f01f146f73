package opencode

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"askbox/client/fake"
)

// usual is how many sessions a listing has at most where no limit is asked for.
const usual = 100

// query is what narrows a listing of sessions.
type query struct {
	folder string // empty: all
	roots  bool
	search string
	before int64 // changed before, in ms; 0: whenever
	limit  int
	all    bool // the archived ones too
}

func queryOf(r *http.Request) query {
	values := r.URL.Query()
	q := query{roots: values.Get("roots") == "true", search: strings.ToLower(values.Get("search")),
		all: values.Get("archived") == "true", limit: usual}
	if n, err := strconv.Atoi(values.Get("limit")); err == nil && n > 0 {
		q.limit = n
	}
	if n, err := strconv.ParseInt(values.Get("cursor"), 10, 64); err == nil {
		q.before = n
	}
	return q
}

// find returns the sessions that fit, the one that changed last first, and the
// cursor to go on with; s.mu is held. What changed in the same millisecond as
// the last one of a page is on no page, as on the real server.
func (s *Server) find(q query) (found []*session, next string) {
	for _, n := range s.sessions {
		switch {
		case n.deleted, n.Archived && !q.all,
			q.folder != "" && n.Folder != q.folder,
			q.roots && n.Parent != "",
			q.before != 0 && n.Updated.UnixMilli() >= q.before,
			q.search != "" && !strings.Contains(strings.ToLower(n.Title), q.search):
			continue
		}
		found = append(found, n)
	}
	slices.SortFunc(found, func(a, b *session) int {
		if c := b.Updated.Truncate(1e6).Compare(a.Updated.Truncate(1e6)); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	if len(found) > q.limit {
		found = found[:q.limit]
		next = strconv.FormatInt(found[q.limit-1].Updated.UnixMilli(), 10)
	}
	return found, next
}

func (s *Server) getSessions(w http.ResponseWriter, r *http.Request) {
	folder, ok := s.folder(w, r)
	if !ok {
		return
	}
	q := queryOf(r)
	q.folder, q.before, q.all = folder, 0, true
	s.mu.Lock()
	s.boot(folder)
	found, _ := s.find(q)
	out := wires(found)
	s.mu.Unlock()
	fake.SendJSON(w, 200, out)
}

func wires(of []*session) []sessionWire {
	out := []sessionWire{}
	for _, n := range of {
		out = append(out, n.wire())
	}
	return out
}

// getAllSessions is the listing over all projects.
func (s *Server) getAllSessions(w http.ResponseWriter, r *http.Request) {
	q := queryOf(r)
	if r.URL.Query().Get("directory") != "" {
		folder, ok := s.folder(w, r)
		if !ok {
			return
		}
		q.folder = folder
	}
	s.mu.Lock()
	found, next := s.find(q)
	out := wires(found)
	s.mu.Unlock()
	for i := range out {
		out[i].Project = &projectRef{out[i].ProjectID, out[i].Directory}
	}
	if next != "" {
		w.Header().Set("x-next-cursor", next)
	}
	fake.SendJSON(w, 200, out)
}

// session looks up the session of a request, of the first engine's routes; s.mu
// is held.
func (s *Server) session(r *http.Request) (*session, *problem) {
	id := r.PathValue("session")
	if !strings.HasPrefix(id, "ses") {
		return nil, unknownError()
	}
	n := s.byID[id]
	if n == nil || n.deleted {
		return nil, noSession(1, id)
	}
	return n, nil
}

// with answers a request about one session.
func (s *Server) with(w http.ResponseWriter, r *http.Request, do func(*session) (any, *problem)) {
	s.mu.Lock()
	n, wrong := s.session(r)
	var out any
	if wrong == nil {
		out, wrong = do(n)
	}
	s.unlock()
	if wrong != nil {
		fail(w, wrong)
		return
	}
	fake.SendJSON(w, 200, out)
}

func (s *Server) getSession(w http.ResponseWriter, r *http.Request) {
	s.with(w, r, func(n *session) (any, *problem) { return n.wire(), nil })
}

func (s *Server) getChildren(w http.ResponseWriter, r *http.Request) {
	s.with(w, r, func(n *session) (any, *problem) { return wires(s.children(n.ID)), nil })
}

func (s *Server) deleteSession(w http.ResponseWriter, r *http.Request) {
	s.with(w, r, func(n *session) (any, *problem) {
		s.remove(n)
		return true, nil
	})
}

func (s *Server) postAbort(w http.ResponseWriter, r *http.Request) {
	s.with(w, r, func(n *session) (any, *problem) {
		if n.Engine == 1 {
			s.abort(n)
		}
		return true, nil
	})
}

// getMessages lists the messages of a session, oldest first. A session of the
// second engine has none here.
func (s *Server) getMessages(w http.ResponseWriter, r *http.Request) {
	s.with(w, r, func(n *session) (any, *problem) {
		out := []messageWire{}
		for _, m := range n.messages {
			if n.Engine == 1 {
				out = append(out, m.wire(n))
			}
		}
		if limit, err := strconv.Atoi(r.URL.Query().Get("limit")); err == nil && limit > 0 && len(out) > limit {
			out = out[len(out)-limit:]
		}
		return out, nil
	})
}

// getMessage is one message. Whether the session is known makes no difference to
// what a missing one is told.
func (s *Server) getMessage(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("message")
	if wrong := prefixed(1, r.PathValue("session"), "ses", "sessionID"); wrong != nil {
		fail(w, wrong)
		return
	}
	if wrong := prefixed(1, id, "msg", "messageID"); wrong != nil {
		fail(w, wrong)
		return
	}
	s.mu.Lock()
	var found *messageWire
	if n := s.byID[r.PathValue("session")]; n != nil && !n.deleted && n.Engine == 1 {
		for _, m := range n.messages {
			if m.id == id {
				wire := m.wire(n)
				found = &wire
			}
		}
	}
	s.mu.Unlock()
	if found == nil {
		fail(w, noMessage(id))
		return
	}
	fake.SendJSON(w, 200, found)
}

// getStatus says which sessions of a folder are at work. Idle ones are left out,
// and those of the second engine are elsewhere.
func (s *Server) getStatus(w http.ResponseWriter, r *http.Request) {
	folder, ok := s.folder(w, r)
	if !ok {
		return
	}
	out := map[string]statusWire{}
	s.mu.Lock()
	s.boot(folder)
	for _, n := range s.sessions {
		if n.busy && n.Engine == 1 && n.Folder == folder {
			out[n.ID] = statusWire{"busy"}
		}
	}
	s.mu.Unlock()
	fake.SendJSON(w, 200, out)
}

// getProjects lists the projects. In the fake, every folder is one.
func (s *Server) getProjects(w http.ResponseWriter, _ *http.Request) {
	type project struct {
		ID       string    `json:"id"`
		Worktree string    `json:"worktree"`
		VCS      string    `json:"vcs"`
		Time     timesWire `json:"time"`
	}
	s.mu.Lock()
	out := []project{}
	for folder, first := range s.projects {
		out = append(out, project{projectOf(folder), folder, "git", timesWire{Created: first, Updated: first}})
	}
	s.mu.Unlock()
	slices.SortFunc(out, func(a, b project) int { return strings.Compare(a.Worktree, b.Worktree) })
	fake.SendJSON(w, 200, out)
}
