package oar

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// maxBeats is after how many pings without a pong a connection is over.
const maxBeats = 3

// connection is a client that follows the events, over the transport of polling: the
// packets that wait for it, in the words of Engine.IO 4 and Socket.IO 4.
type connection struct {
	packets   []string
	connected bool
	unheard   int // pings without a pong
}

// engineFault is a refusal of Engine.IO.
func engineFault(code int, message string) *fake.Refusal {
	return &fake.Refusal{Status: 400, Body: object{"code": code, "message": message}, Code: message}
}

// eventPaths are the paths of Socket.IO.
func (s *Server) eventPaths() map[string]fake.Handler {
	return map[string]fake.Handler{"GET /socket.io/": s.ifEvents(s.getPackets), "POST /socket.io/": s.ifEvents(s.postPackets)}
}

// ifEvents makes the paths unknown while the relay has no events, and checks what every
// call has to say of itself.
func (s *Server) ifEvents(h func(*fake.Call, string) (any, *fake.Refusal)) fake.Handler {
	return func(c *fake.Call) (any, *fake.Refusal) {
		query := c.URL.Query()
		s.mu.Lock()
		off := s.options.NoEvents
		_, known := s.connections[query.Get("sid")]
		s.mu.Unlock()
		switch {
		case off:
			return nil, page(404)
		case query.Get("EIO") != "4":
			return nil, engineFault(5, "Unsupported protocol version")
		case query.Get("transport") != "polling":
			return nil, engineFault(0, "Transport unknown") // the other one is not played
		case query.Get("sid") == "" && c.Method == http.MethodGet:
			return nil, s.openConnection(c)
		case !known:
			return nil, engineFault(1, "Session ID unknown")
		}
		return h(c, query.Get("sid"))
	}
}

func (s *Server) openConnection(c *fake.Call) *fake.Refusal {
	s.mu.Lock()
	s.opened++
	id := uuid("events", s.opened)
	s.connections[id] = &connection{}
	s.mu.Unlock()
	return packets(c, "0"+string(fake.Marshal(object{"sid": id, "upgrades": []string{"websocket"},
		"pingInterval": s.options.Ping.Milliseconds(), "pingTimeout": s.options.Ping.Milliseconds(), "maxPayload": 1000000})))
}

// packets writes packets as a reply.
func packets(c *fake.Call, all ...string) *fake.Refusal {
	c.Reply.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	_, _ = io.WriteString(c.Reply, strings.Join(all, "\x1e"))
	return fake.Served
}

// getPackets waits until there is something to tell, or it is time for a ping.
func (s *Server) getPackets(c *fake.Call, id string) (any, *fake.Refusal) {
	timer := time.NewTimer(s.options.Ping)
	defer timer.Stop()
	for {
		wake := s.told.Wait()
		s.mu.Lock()
		var waiting []string
		at, there := s.connections[id]
		if there {
			waiting, at.packets = at.packets, nil
		}
		s.mu.Unlock()
		switch {
		case !there:
			return nil, packets(c, "1")
		case len(waiting) > 0:
			return nil, packets(c, waiting...)
		}
		select {
		case <-wake:
		case <-timer.C:
			s.change(id, func(at *connection) { at.packets, at.unheard = append(at.packets, "2"), at.unheard+1 })
		case <-c.Context().Done():
			return nil, page(503)
		case <-s.Ended():
			return nil, page(503)
		}
	}
}

// change changes a connection that is there still, and wakes who waits for it. One that
// has not answered pings for long is over.
func (s *Server) change(id string, f func(*connection)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.connections[id]; at != nil {
		if f(at); at.unheard > maxBeats {
			delete(s.connections, id)
		}
	}
	s.told.Broadcast()
}

// postPackets takes what the client sends: the packet that connects, with the token, and
// pongs. A client only listens.
func (s *Server) postPackets(c *fake.Call, id string) (any, *fake.Refusal) {
	if kind := c.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") {
		return nil, s.blame(c, "packets of the type "+kind)
	}
	for packet := range strings.SplitSeq(string(c.Body), "\x1e") {
		switch {
		case packet == "3":
			s.change(id, func(at *connection) { at.unheard = 0 })
		case strings.HasPrefix(packet, "40"):
			var who map[string]string
			if json.Unmarshal([]byte(packet[2:]), &who) != nil || who["clientId"] == "" {
				return nil, s.blame(c, "a packet that says nothing of the client")
			}
			s.change(id, func(at *connection) {
				if at.connected = who["token"] == s.options.Token; at.connected {
					at.packets = append(at.packets, `40{"sid":"`+id+`"}`)
				} else {
					at.packets = append(at.packets, `44{"message":"Unauthorized"}`)
				}
			})
		default:
			return nil, s.blame(c, "the packet "+packet)
		}
	}
	return nil, packets(c, "ok")
}

// Tell sends an event to everybody who follows.
func (s *Server) Tell(name string, payload any) {
	frame := "42" + string(fake.Marshal([]any{name, payload}))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.connections {
		if at.connected {
			at.packets = append(at.packets, frame)
		}
	}
	s.told.Broadcast()
}

// Followers returns how many follow the events.
func (s *Server) Followers() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.connections {
		if at.connected {
			n++
		}
	}
	return n
}

// DropFollowers ends the connections of all who follow.
func (s *Server) DropFollowers() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.connections)
	s.told.Broadcast()
}

// tell tells of a card or a board that opened or closed; of asks nothing is told.
func (s *Server) tell(st *fake.State, a *fake.Ask) {
	key, name := "question", "relay_question"
	switch a.Wire.(type) {
	case *Ask:
		return
	case *Board:
		key, name = "board", "relay_board"
	}
	changed := name + "_changed"
	switch {
	case a.End.How == fake.Expired:
		s.Tell(changed, object{})
		return
	case !slices.Contains([]string{"pending", ""}, a.Status):
		name += "_updated"
	}
	s.Tell(name, object{key: jsontext.Value(s.wire(st, a))})
	if key == "board" {
		s.Tell(changed, object{"conversationId": a.Session, "boardId": a.ID})
	}
}
