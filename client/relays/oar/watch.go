package oar

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// hello returns what says to the relay's events who follows them. It is a function so
// that no way of printing a relay shows the token.
func hello(token string) func() any {
	who := map[string]string{"token": token, "clientId": "askbox-" + rand.Text()}
	return func() any { return who }
}

// Watch follows the relay's events until they or the context end.
func (r *Relay) Watch(ctx context.Context, on func(client.Event)) error {
	defer r.setLive(false)
	w := &watch{relay: r, on: on}
	err := r.http.SocketIO(ctx, httpx.Socket{Path: "/socket.io/", Hello: r.hello(), Open: func() {
		r.setLive(true)
		on(client.Event{})
	}}, func(event string, payload jsontext.Value) { w.tell(ctx, event, payload) })
	if errors.Is(err, httpx.ErrNoStream) {
		return nil
	}
	return err
}

// setLive takes down whether events come.
func (r *Relay) setLive(live bool) {
	r.locked(func() { r.live, r.whole = live, time.Time{} })
}

// relist lets everything be listed the next time.
func (r *Relay) relist() {
	r.locked(func() { r.whole = time.Time{} })
}

// watch is the following of a relay's events.
type watch struct {
	relay *Relay
	on    func(client.Event)
}

// tell passes on an event. All that askbox has nothing to do with are dropped unread.
func (w *watch) tell(ctx context.Context, event string, payload jsontext.Value) {
	r := w.relay
	switch event {
	case "relay_question", "relay_question_updated":
		w.item(ctx, fromCard, payload)
		return
	case "relay_board", "relay_board_updated":
		w.item(ctx, fromBoard, payload)
		return
	case "relay_question_changed", "conversation_compacted", "conversation_deleted":
	case "conversation_title_updated":
		r.locked(func() { r.sessions.rename(payload) })
	case "remote_relays_updated":
		r.locked(func() { r.paired.at = time.Time{} })
	default:
		return
	}
	w.list()
}

// list asks for a listing of everything.
func (w *watch) list() {
	w.relay.relist()
	w.on(client.Event{List: true})
}

// item tells of a card or a board. What the event does not tell whole is listed.
func (w *watch) item(ctx context.Context, from origin, payload jsontext.Value) {
	r := w.relay
	o, err := httpx.Split(payload)
	raw := o.Get(kinds[from].item)
	if err != nil || raw == nil {
		w.list()
		return
	}
	ask := r.read(from, raw.Clone())
	if self, _ := r.who(ctx); !away(ask, self) {
		ask.Paired = ""
	}
	_, err = r.learn(ctx, map[string]bool{ask.Session.ID: true}, nil)
	ask.Session = r.session(ask.Session.ID, ask.Session.Title)
	switch {
	case ask.Unreadable != "" || ask.Paired != "" || err != nil:
		w.list()
	case ask.Status.Closed():
		if ask.Status == client.Expired { // or it was skipped, which the relay's clock tells
			if now, err := r.Get(ctx, ask); err == nil && now.Status.Closed() {
				ask = now
			}
		}
		w.on(client.Event{Closed: ask})
	case ask.Session.Starter == client.StarterUnknown:
		w.list()
	default:
		w.on(client.Event{Opened: ask})
	}
}
