package werft

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/text"
)

// A paused session has nothing open, so that no list of what waits has it. It is listed
// as an ask of its own, to resume it from: those that were paused from here, which are
// noted, and of those that were paused elsewhere the person's own.

const (
	// pausedWord is under which a session is noted that was paused from here.
	pausedWord = "paused"
	// pauseTakes is how long after p a session is looked at that is not paused: as long as
	// a request can keep its pause waiting, and some time more.
	pauseTakes = span + 10*time.Minute
	// elsewhereEvery is how often the sessions are listed that were paused elsewhere, and
	// elsewhereWait for how long the poll waits for that.
	elsewhereEvery = time.Minute
	elsewhereWait  = 2 * time.Second
)

// elsewhere is what the last list of paused sessions gave.
type elsewhere struct {
	at  time.Time
	all []session
}

// paused returns the sessions that were paused from here and are not among those that
// wait for input.
func (o *reading) paused(waiting []session) (rest []session) {
	o.waiting = make(map[string]bool, len(waiting))
	for _, s := range waiting {
		o.waiting[s.ID] = true
	}
	for _, note := range o.notes {
		if note.What == pausedWord && !o.waiting[note.Session] {
			s := session{noted: note.At}
			s.ID, s.Title = note.Session, text.New(note.Title)
			rest = append(rest, s)
		}
	}
	return rest
}

// pausedHere reads a session that was paused from here, until it runs or is over.
func (o *reading) pausedHere(ctx context.Context, s session) ([]*client.Ask, error) {
	now, err := o.relay.read(ctx, s.ID)
	_, gone := errors.AsType[*client.NotFound](err)
	switch {
	case gone || err == nil && (now.over || now.state == "active" && !now.blocked && time.Since(s.noted) > pauseTakes):
		o.relay.notes.Remove(s.ID, pausedWord)
		return nil, nil
	case err != nil || now.state != pausedState:
		return nil, err
	}
	return []*client.Ask{o.relay.pausedAsk(now, s.noted)}, nil
}

// pausedElsewhere lists the person's own sessions that are paused, now and then. A relay
// need not know how to: then it refuses, or lists all of them.
func (o *reading) pausedElsewhere(ctx context.Context, who relays.Who) (asks []*client.Ask, err error) {
	r := o.relay
	r.mu.Lock()
	last := r.elsewhere
	r.mu.Unlock()
	switch {
	case last.at.IsZero() && !o.anew:
		last.at = time.Now().Add(5*time.Second - elsewhereEvery) // what waits comes first
	case o.anew || len(o.touched) > 0 || time.Since(last.at) >= elsewhereEvery:
		last.at = time.Now()
		inner, cancel := context.WithTimeout(ctx, elsewhereWait)
		defer cancel()
		reply, err := r.list(inner, "admission_state", pausedState, "", pageSize, 0)
		if err != nil && relays.OfTheRelay(err) {
			return nil, err
		}
		failed, refused := errors.AsType[*client.Failed](err)
		if refused && failed.Status/100 == 4 {
			last.all = nil
		} else if err == nil {
			if page, err := readPage(reply.Body, who); err == nil {
				last.all = slices.DeleteFunc(page.sessions, func(s session) bool {
					return s.ID == "" || s.state != pausedState || s.Starter != client.StarterMe
				})
			}
		}
	}
	r.mu.Lock()
	r.elsewhere = last
	r.mu.Unlock()
	for _, s := range last.all {
		noted := slices.ContainsFunc(o.notes, func(n relays.Note) bool { return n.What == pausedWord && n.Session == s.ID })
		if !o.waiting[s.ID] && !noted {
			asks = append(asks, r.pausedAsk(s, time.Time{}))
		}
	}
	return asks, nil
}

// pausedAsk makes an ask of a paused session. It has the session's id.
func (r *Relay) pausedAsk(s session, since time.Time) *client.Ask {
	ask := &client.Ask{Ref: client.Ref{Relay: r.name, Session: s.ID, ID: s.ID}, Kind: client.Paused,
		Status: client.Open, StatusName: text.New(pausedState), Session: s.Session, Raw: jsontext.Value(s.raw)}
	if now, known := r.http.Clock(); known && !since.IsZero() {
		ask.Opened = now.Add(-time.Since(since)).Truncate(time.Second)
	} else {
		ask.Opened = since
	}
	ask.Offers = client.Refused("nothing is asked: the session is paused until it is resumed")
	return ask
}

// getPaused reads a paused session again. One that is not paused any more is over as an ask.
func (r *Relay) getPaused(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	s, err := r.read(ctx, ask.Ref.Session)
	switch {
	case err != nil:
		return nil, err
	case s.state == pausedState:
		now := r.pausedAsk(s, time.Time{})
		now.Opened = ask.Opened
		return now, nil
	}
	over := relays.Over(ask, client.Gone, client.Closing{Note: cmp.Or(s.refuses, resumed)})
	over.Session = s.Session
	return over, nil
}
