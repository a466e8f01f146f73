package opencode

import (
	"slices"

	"askbox/client/fake"
)

// Finish ends the turn of a session, as when the agent has nothing more to do.
func (s *Server) Finish(session string) {
	s.mu.Lock()
	defer s.unlock()
	if n := s.byID[session]; n != nil {
		s.endTurn(n)
	}
}

// Abort aborts the turn of a session and of those below it. In the first engine
// its asks become ghosts; in the second they are gone. No event says so.
func (s *Server) Abort(session string) {
	s.mu.Lock()
	defer s.unlock()
	if n := s.byID[session]; n != nil {
		s.abort(n)
	}
}

func (s *Server) abort(n *session) {
	for _, a := range s.pendingOf(n) {
		if a.State == Ghost {
			continue
		}
		if a.Engine == 2 {
			s.end(a, "error", interruptedWords)
			s.finishAsk(a, Lost)
			continue
		}
		a.message.part.interrupted = true
		s.end(a, "error", abortedWords)
		a.State = Ghost
		s.closed(a)
	}
	if n.busy && n.Engine == 1 {
		s.tell(n.Folder, 1, "session.error", fake.Marshal(struct {
			SessionID string       `json:"sessionID"`
			Error     abortedError `json:"error"`
		}{n.ID, abortedError{Name: "MessageAbortedError", Data: messageData{"Aborted"}}}))
	}
	s.endTurn(n)
	for _, child := range s.children(n.ID) {
		s.abort(child)
	}
}

type abortedError struct {
	Name string      `json:"name"`
	Data messageData `json:"data"`
}

type messageData struct {
	Message string `json:"message"`
}

// children returns the sessions that work for a session, oldest first; s.mu is held.
func (s *Server) children(id string) []*session {
	var out []*session
	for _, n := range s.sessions {
		if n.Parent == id && !n.deleted {
			out = append(out, n)
		}
	}
	return out
}

// Delete deletes a session. Its asks stay listed, and its turn runs on.
func (s *Server) Delete(session string) {
	s.mu.Lock()
	defer s.unlock()
	if n := s.byID[session]; n != nil && !n.deleted {
		s.remove(n)
	}
}

func (s *Server) remove(n *session) {
	n.deleted = true
	s.tellSession("session.deleted", n)
}

// Dispose ends the instance of a folder, with its asks and its rules.
func (s *Server) Dispose(folder string) {
	s.mu.Lock()
	defer s.unlock()
	s.dispose(clean(folder))
}

func (s *Server) dispose(folder string) {
	if s.folders[folder] == nil {
		return
	}
	for _, a := range slices.Clone(s.asks) {
		if !a.pending() || a.Folder != folder {
			continue
		}
		if a.State == Open {
			a.message.part.interrupted = a.Engine == 1
			s.end(a, "error", abortedWords)
		}
		s.finishAsk(a, Lost)
	}
	for _, n := range s.sessions {
		if n.Folder == folder {
			s.endTurn(n)
		}
	}
	delete(s.folders, folder)
	s.tell(folder, 1, "server.instance.disposed", fake.Marshal(struct {
		Directory string `json:"directory"`
	}{folder}))
	for c := range s.streams {
		if c.folder == folder {
			c.over = true
			c.push(nil)
		}
	}
}

// disposeAll ends every instance; s.mu is held.
func (s *Server) disposeAll() {
	for folder := range s.folders {
		s.dispose(folder)
	}
	s.tell("global", 2, "global.disposed", []byte(`{}`))
}
