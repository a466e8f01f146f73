package opencode

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// session is what is known of a session.
type session struct {
	id, parent, folder string
	title              text.Text
	updated            int64 // when it changed last, in milliseconds; 0 where that is not told
	deleted            bool
}

// like reports whether another reading of a session shows the same of it.
func (s *session) like(other *session) bool {
	a, b := *s, *other
	a.updated, b.updated = 0, 0
	return a == b
}

// readSession reads a session as it stands in a list or an event. A title
// decides nothing, so an odd one is shown as it comes out; the ids are sent
// back, so they have to be exact.
func readSession(raw jsontext.Value) *session {
	o, err := httpx.Split(raw)
	if err != nil {
		return nil
	}
	var s session
	if json.Unmarshal(o.Get("id"), &s.id) != nil || !httpx.Segment(s.id) {
		return nil
	}
	if json.Unmarshal(o.Get("directory"), &s.folder) != nil {
		s.folder = ""
	}
	if parent := o.Get("parentID"); parent != nil && json.Unmarshal(parent, &s.parent) != nil {
		s.parent = ""
	}
	title, _ := httpx.String(o.Get("title"))
	s.title = text.New(title)
	var at httpx.Millis
	times, _ := httpx.Split(o.Get("time"))
	if v := times.Get("updated"); v != nil && at.UnmarshalJSON(v) == nil && !at.IsZero() {
		s.updated = at.UnixMilli()
	}
	return &s
}

// deepest is how many parents of a session are followed.
const deepest = 32

// learn makes sure that a session and its parents are known. What cannot be read
// now is looked for at the next poll.
func (r *Relay) learn(ctx context.Context, id string) {
	for range deepest {
		r.mu.Lock()
		s := r.sessions[id]
		r.mu.Unlock()
		if s == nil {
			s = r.fetchSession(ctx, id)
		}
		if s == nil || s.deleted || s.parent == "" || s.parent == id {
			return
		}
		id = s.parent
	}
}

// fetchSession reads a session, and keeps it. One that is not there is kept as
// deleted; nil says that it could not be read.
func (r *Relay) fetchSession(ctx context.Context, id string) *session {
	if !httpx.Segment(id) {
		return nil
	}
	reply, err := r.get(ctx, httpx.Path("session", id), nil)
	s := &session{id: id, deleted: true}
	switch {
	case err == nil:
		if s = readSession(reply.Body); s == nil || s.id != id {
			return nil
		}
	case !gone(reply, err):
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions[id] = s
	return s
}

// sessionOf makes the session of an ask: the root, for whose sake a subagent asks, and
// the subagent where there is one. It is called with the lock held.
func (r *Relay) sessionOf(k *known) (out client.Session, party client.Party) {
	id := k.request.session
	out = client.Session{ID: id, Folder: text.New(k.folder)}
	own := r.sessions[id]
	if own == nil {
		return out, party
	}
	root := own
	for range deepest {
		up := r.sessions[root.parent]
		if root.parent == "" || up == nil || up.deleted {
			break
		}
		root = up
	}
	out.ID, out.Title, out.Starter = root.id, root.title, client.StarterMe
	out.Attach = r.attach(root.id, k.folder)
	if own.parent != "" {
		out.Starter = client.StarterAgent
	}
	if own != root {
		party = client.Party{Session: own.id, Title: own.title}
	}
	return out, party
}

// attach writes the command with which a shell goes to a session. Of an id or a folder
// with more in it than can be seen there is none.
func (r *Relay) attach(session, folder string) string {
	if text.Quote(text.New(session)).Raw() != session || strings.HasPrefix(session, "-") ||
		strings.ContainsFunc(folder, func(c rune) bool { return c == utf8.RuneError || !unicode.IsPrint(c) }) {
		return ""
	}
	words := []string{r.brand.command(), "attach", r.http.Base(), "--session", session, "--dir", folder}
	if r.user != r.brand.command() && r.http.Authorized() {
		words = append(words, "--username", r.user)
	}
	for i, word := range words {
		words[i] = text.Quote(text.New(word)).Raw()
	}
	return strings.Join(words, " ")
}

// forget drops the sessions that no ask belongs to, so that a server with thousands
// of them costs no memory here. It is called with the lock held.
func (r *Relay) forget() {
	used := map[string]*session{}
	for _, k := range r.known {
		for id := k.request.session; used[id] == nil && r.sessions[id] != nil; id = r.sessions[id].parent {
			used[id] = r.sessions[id]
		}
	}
	r.sessions = used
}
