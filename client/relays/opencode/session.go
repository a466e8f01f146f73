package opencode

import (
	"context"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

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
	return &s
}

// learn makes sure that a session and its parents are known. What cannot be read
// now is looked for at the next poll.
func (r *Relay) learn(ctx context.Context, id string) {
	for range deepest {
		if !httpx.Segment(id) {
			return
		}
		r.mu.Lock()
		s := r.state.sessions[id]
		r.mu.Unlock()
		if s == nil {
			if s = r.fetchSession(ctx, id); s == nil {
				return
			}
		}
		if s.deleted || s.parent == "" || s.parent == id {
			return
		}
		id = s.parent
	}
}

// fetchSession reads a session, and keeps it. One that is not there is kept as
// deleted; nil says that it could not be read.
func (r *Relay) fetchSession(ctx context.Context, id string) *session {
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
	r.state.sessions[id] = s
	return s
}

// gone reports whether the server says of what was asked for by its id that it
// is not there. A 404 of something that stands before the server says nothing.
func gone(reply *httpx.Reply, err error) bool {
	if reply == nil || err == nil || reply.Status != 404 {
		return false
	}
	switch reply.Problem().Code {
	case "NotFoundError", "SessionNotFoundError", "PermissionNotFoundError", "QuestionNotFoundError", "MessageNotFoundError":
		return true
	}
	return false
}

// sessionOf makes the session of an ask: the root, for whose sake a subagent
// asks, and the subagent where there is one.
func (s *state) sessionOf(rec *record) (client.Session, *client.Party) {
	id := rec.request.session
	own, root := s.sessions[id], s.root(id)
	out := client.Session{ID: id, Folder: text.New(rec.folder)}
	if own == nil || root == nil {
		return out, nil
	}
	out.ID, out.Title, out.Starter = root.id, root.title, client.StarterMe
	if own.parent != "" {
		out.Starter = client.StarterAgent
	}
	if own == root {
		return out, nil
	}
	return out, &client.Party{Session: own.id, Title: own.title}
}

// forget drops the sessions that no ask belongs to, so that a server with
// thousands of them costs no memory here.
func (s *state) forget() {
	used := map[string]*session{}
	for _, rec := range s.records {
		for id := rec.request.session; id != "" && used[id] == nil; {
			at := s.sessions[id]
			if at == nil {
				break
			}
			used[id] = at
			id = at.parent
		}
	}
	s.sessions = used
}
