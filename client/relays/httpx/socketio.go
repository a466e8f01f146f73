package httpx

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/text"
)

// Socket is how the events of a Socket.IO 4 server are followed: over its transport of
// polling, which is a request that the server answers when there is something to tell.
// That is a few packets of text, for which no library is needed, and it goes the way of
// all other requests, with their bounds, errors and token. A socket would be no faster.
type Socket struct {
	// Path is where it stands, as in [Request].
	Path string
	// Hello is what the packet that connects carries, marshalled as JSON.
	Hello any
	// Open is called once the server has let the client in.
	Open func()

	client *Client
	query  url.Values
	beat   time.Duration // within which the server gives a sign of life
}

// The packets that are used. Those of Socket.IO stand in a message of Engine.IO, 4.
const (
	packetOpen       = "0"
	packetClose      = "1"
	packetPing       = "2"
	packetPong       = "3"
	packetConnect    = "40"
	packetDisconnect = "41"
	packetEvent      = "42"
	packetRefuse     = "44"

	betweenPackets = "\x1e"
	longestBeat    = 2 * time.Minute // however rarely the server says that it pings
	shortestBeat   = 10 * time.Second
	// readGap is between two requests for events: what is told all the time (the words of
	// an agent as they come) is then told in one piece.
	readGap = 200 * time.Millisecond
)

// SocketIO follows the events of a server and calls on for each, with its name and its
// first argument, in order, on this goroutine. It returns when they end: nil where the
// server ended them, [ErrNoStream] where there are none, or an error of package client. It
// never connects anew.
func (c *Client) SocketIO(ctx context.Context, s Socket, on func(event string, payload jsontext.Value)) error {
	s.client, s.beat, s.query = c, c.timeout, url.Values{"EIO": {"4"}, "transport": {"polling"}}
	hello, err := json.Marshal(s.Hello)
	if err != nil {
		return err
	}
	first, err := s.read(ctx)
	if err == nil {
		err = s.begin(first[0])
	}
	if err == nil {
		err = s.send(ctx, packetConnect+string(hello))
	}
	for err == nil {
		var packets []string
		if packets, err = s.read(ctx); err != nil {
			break
		}
		if !slices.ContainsFunc(packets, isPacket) {
			return &client.NotRelay{What: "a reply without an event where events are followed"}
		}
		for _, packet := range packets {
			if over, err := s.take(ctx, packet, on); over || err != nil {
				return err
			}
		}
		select {
		case <-time.After(readGap):
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return err
}

// isPacket reports whether a piece of a reply can be a packet: one begins with its type.
func isPacket(piece string) bool { return piece != "" && piece[0] >= '0' && piece[0] <= '6' }

// read waits for packets. That there is nothing at the address is only told of the first.
func (s *Socket) read(ctx context.Context) ([]string, error) {
	reply, err := s.client.Do(ctx, Request{Path: s.Path, Query: s.query, Bare: true, Waits: true, Timeout: s.beat})
	if err == nil {
		return strings.Split(string(reply.Body), betweenPackets), nil
	}
	if reply != nil && !s.query.Has("sid") {
		switch missing := reply.Status; {
		case reply.HTML(), missing == http.StatusNotFound, missing == http.StatusMethodNotAllowed, missing == http.StatusNotImplemented:
			return nil, ErrNoStream
		}
	}
	return nil, err
}

func (s *Socket) send(ctx context.Context, packet string) error {
	_, err := s.client.Do(ctx, Request{Path: s.Path, Query: s.query, Bare: true, Body: Text(packet)})
	return err
}

// begin takes the first packet, which names the connection and says how often it pings.
func (s *Socket) begin(packet string) error {
	var terms struct {
		ID       string  `json:"sid"`
		Interval float64 `json:"pingInterval"`
		Timeout  float64 `json:"pingTimeout"`
	}
	body, ok := strings.CutPrefix(packet, packetOpen)
	if !ok || json.Unmarshal([]byte(body), &terms) != nil || terms.ID == "" {
		return &client.NotRelay{What: "no beginning of a stream of events"}
	}
	s.query.Set("sid", terms.ID)
	s.beat = min(max(time.Duration(terms.Interval+terms.Timeout)*time.Millisecond, shortestBeat), longestBeat)
	return nil
}

// take takes a packet, and reports whether the server ended the stream with it.
func (s *Socket) take(ctx context.Context, packet string, on func(string, jsontext.Value)) (over bool, err error) {
	switch {
	case packet == packetPing:
		return false, s.send(ctx, packetPong)
	case packet == packetClose, packet == packetDisconnect:
		return true, nil
	case strings.HasPrefix(packet, packetRefuse):
		o, _ := Split([]byte(packet[len(packetRefuse):]))
		said, _ := String(o.Get("message"))
		return true, &client.Failed{Why: "it does not let its events be followed", Message: text.New(s.client.redact.cut(said))}
	case strings.HasPrefix(packet, packetConnect):
		s.Open()
	case strings.HasPrefix(packet, packetEvent):
		items, err := List([]byte(packet[len(packetEvent):]))
		if err != nil || len(items) == 0 {
			return false, nil
		}
		if name, ok := String(items[0]); ok {
			on(name, append(items, nil)[1])
		}
	}
	return false, nil
}
