package opencode

import (
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// stream is one client that follows the events, of all folders or of one.
type stream struct {
	folder string // empty: of all
	queue  [][]byte
	more   chan struct{} // holds one; the queue has grown
	over   bool          // its instance was disposed
}

// eventWire is an event as it is sent to those who follow one folder, and the
// payload of what the others get.
type eventWire struct {
	ID         string         `json:"id"`
	Type       string         `json:"type"`
	Properties jsontext.Value `json:"properties"`
}

type globalWire struct {
	Directory string    `json:"directory,omitzero"`
	Project   string    `json:"project,omitzero"`
	Payload   eventWire `json:"payload"`
}

// tell sends an event to everyone who follows; s.mu is held. Those of the second
// engine do not name their project.
func (s *Server) tell(folder string, engine int, kind string, properties jsontext.Value) {
	defer s.changed.Broadcast()
	if len(s.streams) == 0 {
		return
	}
	e := eventWire{s.ids.next("evt", s.Now()), kind, properties}
	global := globalWire{Directory: folder, Payload: e}
	if engine == 1 && folder != "" {
		global.Project = projectOf(folder)
	}
	all, one := frame(global), frame(e)
	for c := range s.streams {
		switch c.folder {
		case "":
			c.push(all)
		case folder:
			c.push(one)
		}
	}
}

func frame(v any) []byte {
	return append(append([]byte("data: "), fake.Marshal(v)...), "\n\n"...)
}

func (c *stream) push(b []byte) {
	c.queue = append(c.queue, b)
	select {
	case c.more <- struct{}{}:
	default:
	}
}

// tellAsked tells that an ask opened; s.mu is held.
func (s *Server) tellAsked(a *ask) {
	s.tell(a.Folder, a.Engine, a.kind()+".asked", a.wire())
}

// kind is how the events of an ask begin.
func (a *ask) kind() string {
	kind := "permission"
	if a.Permission == nil {
		kind = "question"
	}
	if a.Engine == 2 {
		kind += ".v2"
	}
	return kind
}

// tellReplied tells how an ask closed; s.mu is held.
func (s *Server) tellReplied(a *ask) {
	head := struct {
		SessionID string     `json:"sessionID"`
		RequestID string     `json:"requestID"`
		Reply     string     `json:"reply,omitzero"`
		Answers   [][]string `json:"answers,omitzero"`
	}{SessionID: a.Session, RequestID: a.ID, Reply: a.Reply, Answers: a.Answers}
	verb := ".replied"
	if a.State == Rejected {
		verb, head.Answers = ".rejected", nil
	}
	s.tell(a.Folder, a.Engine, a.kind()+verb, fake.Marshal(head))
}

// tellSession tells of a session, and once more in the form that is for other
// copies of the server; s.mu is held.
func (s *Server) tellSession(kind string, n *session) {
	properties := fake.Marshal(struct {
		SessionID string      `json:"sessionID"`
		Info      sessionWire `json:"info"`
	}{n.ID, n.wire()})
	s.tell(n.Folder, n.Engine, kind, properties)
	s.tell(n.Folder, n.Engine, "sync", properties)
}

// tellStatus tells whether a turn runs; s.mu is held. The second engine does not.
func (s *Server) tellStatus(n *session) {
	if n.Engine != 1 {
		return
	}
	kind := "idle"
	if n.busy {
		kind = "busy"
	}
	s.tell(n.Folder, 1, "session.status", fake.Marshal(struct {
		SessionID string     `json:"sessionID"`
		Status    statusWire `json:"status"`
	}{n.ID, statusWire{kind}}))
	if !n.busy {
		s.tell(n.Folder, 1, "session.idle", fake.Marshal(sessionRef{n.ID}))
	}
}

type statusWire struct {
	Type string `json:"type"`
}

type sessionRef struct {
	SessionID string `json:"sessionID"`
}

// tellPart tells that a tool call has changed; s.mu is held.
func (s *Server) tellPart(n *session, m *message) {
	if n.Engine != 1 {
		return
	}
	s.tell(n.Folder, 1, "message.part.updated", fake.Marshal(struct {
		SessionID string   `json:"sessionID"`
		Part      partWire `json:"part"`
		Time      int64    `json:"time"`
	}{n.ID, m.partWire(n), s.Now().UnixMilli()}))
}

// Streams returns how many clients follow the events.
func (s *Server) Streams() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.streams)
}

func (s *Server) serveGlobalEvents(w http.ResponseWriter, r *http.Request) {
	s.follow(w, r, "", func(e eventWire) any { return globalWire{Payload: e} })
}

func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	folder, ok := s.folder(w, r)
	if ok {
		s.follow(w, r, folder, func(e eventWire) any { return e })
	}
}

// follow sends events until the client goes, the server ends, or the folder that
// it follows is disposed.
func (s *Server) follow(w http.ResponseWriter, r *http.Request, folder string, plain func(eventWire) any) {
	c := &stream{folder: folder, more: make(chan struct{}, 1)}
	s.mu.Lock()
	c.push(frame(plain(eventWire{s.ids.next("evt", s.Now()), "server.connected", []byte(`{}`)})))
	s.streams[c] = true
	s.changed.Broadcast()
	s.mu.Unlock()
	defer s.leave(c)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	beat := time.NewTicker(s.options.Heartbeat)
	defer beat.Stop()
	for {
		over, ok := s.drain(c, w)
		if over || !ok {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.Ended():
			return
		case <-c.more:
		case <-beat.C:
			s.mu.Lock()
			c.push(frame(plain(eventWire{s.ids.next("evt", s.Now()), "server.heartbeat", []byte(`{}`)})))
			s.mu.Unlock()
		}
	}
}

// drain sends what is queued.
func (s *Server) drain(c *stream, w http.ResponseWriter) (over, ok bool) {
	s.mu.Lock()
	queue := c.queue
	c.queue, over = nil, c.over
	s.mu.Unlock()
	for _, b := range queue {
		if _, err := w.Write(b); err != nil {
			return over, false
		}
	}
	return over, http.NewResponseController(w).Flush() == nil
}

func (s *Server) leave(c *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.streams, c)
	s.changed.Broadcast()
}
