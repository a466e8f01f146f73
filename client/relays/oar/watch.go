package oar

import (
	"context"
	"crypto/rand"
	"net/url"
	"slices"
	"strings"
	"time"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// The relay's events come by Socket.IO 4, here over its transport of polling: a request
// that the relay answers when there is something to tell. That is a few packets of text,
// for which no library is needed, and it goes the way of all other requests, with their
// bounds, errors and token. A socket would be no faster.

// The types of packet that are used; a message of Socket.IO stands in one of Engine.IO.
const (
	open         = '0'
	ended        = '1'
	ping         = '2'
	pong         = "3"
	connect      = "40"
	disconnect   = "41"
	event        = "42"
	refuse       = "44"
	between      = "\x1e"          // two packets in one body
	longestBeat  = 2 * time.Minute // however rarely the relay says that it pings
	shortestBeat = 10 * time.Second
	readGap      = 50 * time.Millisecond
)

// hello returns the packet that connects. It is a function so that no way of printing a
// relay shows the token.
func hello(token string) func() (httpx.Text, error) {
	who := map[string]string{"token": token, "clientId": "askbox-" + rand.Text()}
	return func() (httpx.Text, error) {
		body, err := json.Marshal(who)
		return connect + httpx.Text(body), err
	}
}

// stream is a connection for events.
type stream struct {
	relay *Relay
	query url.Values
	beat  time.Duration // within which the relay gives a sign of life
	on    func(client.Event)
}

// Watch follows the relay's events until they or the context end.
func (r *Relay) Watch(ctx context.Context, on func(client.Event)) error {
	s := &stream{relay: r, query: url.Values{"EIO": {"4"}, "transport": {"polling"}}, beat: callTimeout, on: on}
	reply, packets, err := s.read(ctx)
	if noSuchPath(reply, err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.open(packets[0]); err != nil {
		return err
	}
	greeting, err := r.hello()
	if err != nil {
		return err
	}
	if err := s.send(ctx, greeting); err != nil {
		return err
	}
	defer r.setLive(false)
	for {
		_, packets, err := s.read(ctx)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(packets, isPacket) {
			return &client.NotRelay{What: "a reply without an event where events are followed"}
		}
		for _, packet := range packets {
			if over, err := s.take(ctx, packet); over || err != nil {
				return err
			}
		}
		select { // a relay that replies at once each time is not asked without a pause
		case <-time.After(readGap):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// read waits for packets.
func (s *stream) read(ctx context.Context) (*httpx.Reply, []string, error) {
	reply, err := s.relay.http.Do(ctx, httpx.Request{Path: "/socket.io/", Query: s.query, Bare: true, Waits: true, Timeout: s.beat})
	if err != nil {
		return reply, nil, err
	}
	return reply, strings.Split(string(reply.Body), between), nil
}

func (s *stream) send(ctx context.Context, packet httpx.Text) error {
	_, err := s.relay.http.Do(ctx, httpx.Request{Path: "/socket.io/", Query: s.query, Bare: true, Body: packet})
	return err
}

// open takes the first packet, which names the connection and says how often it pings.
func (s *stream) open(packet string) error {
	var terms struct {
		ID       string  `json:"sid"`
		Interval float64 `json:"pingInterval"`
		Timeout  float64 `json:"pingTimeout"`
	}
	if packet == "" || packet[0] != open || json.Unmarshal([]byte(packet[1:]), &terms) != nil || terms.ID == "" {
		return &client.NotRelay{What: "no beginning of a stream of events"}
	}
	s.query.Set("sid", terms.ID)
	s.beat = min(max(time.Duration(terms.Interval+terms.Timeout)*time.Millisecond, shortestBeat), longestBeat)
	return nil
}

// isPacket reports whether a packet is one of the protocol.
func isPacket(packet string) bool { return packet != "" && packet[0] >= open && packet[0] <= '6' }

// take takes a packet, and reports whether the relay ended the stream with it.
func (s *stream) take(ctx context.Context, packet string) (over bool, err error) {
	switch {
	case packet == "":
	case packet[0] == ping:
		return false, s.send(ctx, pong)
	case packet[0] == ended, packet == disconnect:
		return true, nil
	case strings.HasPrefix(packet, refuse):
		o, _ := httpx.Split([]byte(packet[len(refuse):]))
		return true, &client.Failed{Why: "it does not let its events be followed: " + quote(relays.Word(o, "message"))}
	case strings.HasPrefix(packet, connect):
		s.relay.setLive(true)
		s.on(client.Event{})
	case strings.HasPrefix(packet, event):
		items, err := httpx.List([]byte(packet[len(event):]))
		if err != nil || len(items) == 0 {
			return false, nil
		}
		name, _ := httpx.String(items[0])
		var payload httpx.Object
		if len(items) > 1 {
			payload, _ = httpx.Split(items[1])
		}
		s.tell(ctx, name, payload)
	}
	return false, nil
}

// tell passes on an event. All that nobody here has to do with are dropped unread.
func (s *stream) tell(ctx context.Context, name string, payload httpx.Object) {
	r := s.relay
	switch name {
	case "relay_question", "relay_question_updated":
		s.item(ctx, fromCard, payload.Get("question"))
		return
	case "relay_board", "relay_board_updated":
		s.item(ctx, fromBoard, payload.Get("board"))
		return
	case "relay_question_changed", "conversation_compacted", "conversation_deleted":
	case "conversation_title_updated":
		r.mu.Lock()
		r.sessions.fresh = time.Time{}
		r.mu.Unlock()
	case "remote_relays_updated":
		r.mu.Lock()
		r.paired.at = time.Time{}
		r.mu.Unlock()
	default:
		return
	}
	s.list()
}

// list asks for a listing of everything.
func (s *stream) list() {
	s.relay.relist()
	s.on(client.Event{List: true})
}

// item tells of a card or a board. One whose session is not known is listed.
func (s *stream) item(ctx context.Context, from origin, raw jsontext.Value) {
	r := s.relay
	if raw == nil {
		s.list()
		return
	}
	ask := r.read(from, raw.Clone())
	self, _ := r.who(ctx)
	if ask.Paired == self {
		ask.Paired = ""
	}
	_, err := r.learn(ctx, map[string]bool{ask.Session.ID: true}, nil)
	ask.Session = r.session(ask.Session.ID, ask.Session.Title)
	switch {
	case ask.Unreadable != "" || ask.Paired != "" || err != nil:
		s.list()
	case ask.Status.Closed():
		if ask.Status == client.Expired { // or it was skipped, which the relay's clock tells
			if now, err := r.Get(ctx, ask); err == nil && now.Status.Closed() {
				ask = now
			}
		}
		s.on(client.Event{Closed: ask})
	case ask.Session.Starter == client.StarterUnknown:
		s.list()
	default:
		s.on(client.Event{Opened: ask})
	}
}

// setLive takes down whether events come.
func (r *Relay) setLive(live bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.live, r.whole = live, time.Time{}
}

// relist lets everything be listed the next time.
func (r *Relay) relist() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.whole = time.Time{}
}
