package opencode

import (
	"strconv"
	"time"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// private is what an answer needs to find its ask on the server.
type private struct {
	engine        engine
	question      bool
	folder        string
	message, call string
	// gets is what the tool got when the ask was made ([toolCall.gets]).
	gets string
}

// basis is all that an ask is made from. While it is the same, so is the ask.
type basis struct {
	request *request
	call    *toolCall
	folder  string
	ghost   ghost
	others  int
	session client.Session
	party   client.Party
}

// build makes the ask of a record, or returns the one that it made before. It is
// called with the lock held, with what [state.groups] says.
func (r *Relay) build(rec *record, all map[group]int) *client.Ask {
	s, party := r.state.sessionOf(rec)
	b := basis{request: rec.request, call: rec.call, folder: rec.folder, ghost: rec.ghost, others: r.state.others(rec, all), session: s}
	if party != nil {
		b.party = *party
	}
	if rec.ask != nil && rec.basis == b {
		return rec.ask
	}
	rec.ask, rec.basis = r.newAsk(b, party), b
	return rec.ask
}

func (r *Relay) newAsk(b basis, party *client.Party) *client.Ask {
	q := b.request
	ask := &client.Ask{
		Ref:      client.Ref{Relay: r.name, Session: q.session, ID: q.id},
		KindName: text.New("permission"), Status: client.Open, StatusName: text.New("open"),
		Waits: b.ghost == alive, Session: b.session, AskedBy: party, Opened: r.opened(q, b.call), Raw: q.raw,
		Private: private{engine: q.engine, question: q.question, folder: b.folder, message: q.message, call: q.call, gets: b.call.gets()},
	}
	if q.question {
		ask.KindName = text.New("question")
	}
	if q.unreadable != "" {
		relays.Refuse(ask, q.unreadable)
		return ask
	}
	ask.Session.Trouble, ask.Extra = b.ghost.state(), q.extra
	if q.question {
		ask.Kind, ask.Questions = client.Question, questions(q)
		offerQuestion(ask, b)
	} else {
		ask.Kind, ask.Approval = client.Approval, approval(q, b.call, b.folder)
		offerApproval(ask, b)
	}
	return ask
}

// farApart is how much the time in an id may differ from that of its tool call
// before it counts as none.
const farApart = time.Hour

// opened says when an ask was opened: the id tells, where it is one that the
// server makes, or else the tool call does.
func (r *Relay) opened(q *request, call *toolCall) time.Time {
	now := r.now()
	if !r.state.clock.IsZero() {
		now = r.state.clock
	}
	at := idTime(q.id, now)
	if call == nil || call.start.IsZero() {
		return at
	}
	if at.IsZero() || at.Sub(call.start).Abs() > farApart {
		return call.start
	}
	return at
}

// questions makes the questions of a request. They have no ids: their place is
// what an answer goes by.
func questions(q *request) []client.QuestionAsk {
	var all []client.QuestionAsk
	for i, w := range q.questions {
		ask := client.QuestionAsk{ID: strconv.Itoa(i + 1), Header: text.New(w.Header), Text: text.New(w.Question),
			Multi: w.Multiple, OwnText: true, TextWithChoices: w.Multiple, Optional: len(q.questions) > 1}
		for _, o := range w.Options {
			ask.Options = append(ask.Options, client.Option{ID: o.Label, Label: text.New(o.Label), Description: text.New(o.Description)})
		}
		all = append(all, ask)
	}
	return all
}

// trouble says what is the matter with a ghost's session.
func (g ghost) trouble() string {
	switch g {
	case idle:
		return "its turn is over, so nothing waits for this any more"
	case aborted:
		return "its turn was aborted, so nothing waits for this any more"
	case deleted:
		return "its session was deleted, so nobody sees what comes of this"
	}
	return ""
}

// state is trouble where it stands beside the session and speaks of it.
func (g ghost) state() string {
	if g == deleted {
		return "it was deleted, so nobody sees what comes of this"
	}
	return g.trouble()
}

// shows reports whether there is anything to read of what would be done.
func shows(a *client.ApprovalAsk) bool { return toolinput.Shows(a.Tool.Raw(), a.Parts) }
