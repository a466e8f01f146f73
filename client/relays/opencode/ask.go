package opencode

import (
	"strconv"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// private is what an answer needs to find its ask on the server, and what it says of it.
type private struct {
	place
	folder string
	// gets is what the tool got when the ask was made ([toolCall.gets]).
	gets   string
	ghost  ghost
	others int
	brand  brand
}

// basis is all that an ask is made from. While it is the same, so is the ask.
type basis struct {
	request *request
	call    *toolCall
	folder  string
	ghost   ghost
	others  int
	brand   brand
	session client.Session
	party   client.Party
}

// build makes the ask of a request, or returns the one that was made before, among what
// [Relay.groups] counts. It is called with the lock held.
func (r *Relay) build(k *known, among map[group]int) *client.Ask {
	s, party := r.sessionOf(k)
	b := basis{k.request, k.call, k.folder, k.ghost, 0, r.brand, s, party}
	if q := k.request; !q.question && q.unreadable == "" {
		b.others = max(among[group{q.list, q.session}]-1, 0) // which a denial closes too
	}
	if k.ask == nil || k.basis != b {
		k.ask, k.basis = r.newAsk(b), b
	}
	return k.ask
}

func (r *Relay) newAsk(b basis) *client.Ask {
	q := b.request
	ask := &client.Ask{
		Ref:      client.Ref{Relay: r.name, Session: q.session, ID: q.id},
		KindName: text.New("permission"), Status: client.Open, StatusName: text.New("open"),
		Waits: b.ghost == alive, Session: b.session, Opened: opened(q, b.call, r.now()), Raw: q.raw,
		Private: private{q.place, b.folder, b.call.gets(), b.ghost, b.others, b.brand},
	}
	if b.party != (client.Party{}) {
		ask.AskedBy = &b.party
	}
	if q.question {
		ask.KindName = text.New("question")
	}
	if q.unreadable != "" {
		relays.Refuse(ask, q.unreadable)
		return ask
	}
	ask.Session.Trouble, ask.Extra = b.ghost.trouble(), q.extra
	if q.question {
		ask.Kind, ask.Questions = client.Question, questions(q)
		offerQuestion(ask, b)
	} else {
		ask.Kind, ask.Approval = client.Approval, approval(b)
		offerApproval(ask, b)
	}
	return ask
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

// trouble says what is the matter with a ghost, as a sentence of its session.
func (g ghost) trouble() string {
	switch g {
	case idle:
		return "its turn is over, so nothing waits for this any more"
	case aborted:
		return "its turn was aborted, so nothing waits for this any more"
	case deleted:
		return "it was deleted, so nobody sees what comes of this"
	}
	return ""
}

// why is trouble as a sentence of the ask.
func (g ghost) why() string {
	if g == deleted {
		return "its session was deleted, so nobody sees what comes of this"
	}
	return g.trouble()
}

// shows reports whether there is anything to read of what would be done.
func shows(a *client.ApprovalAsk) bool { return toolinput.Shows(a.Tool.Raw(), a.Parts) }

// farApart is how much the time in an id may differ from that of its tool call
// before it counts as none.
const farApart = time.Hour

// opened says when an ask was opened: the id tells, where it is one that the
// server makes, or else the tool call does.
func opened(q *request, call *toolCall, now time.Time) time.Time {
	at := idTime(q.id, now)
	if call == nil || call.start.IsZero() {
		return at
	}
	if at.IsZero() || at.Sub(call.start).Abs() > farApart {
		return call.start
	}
	return at
}

// span is after how many milliseconds the times in ids begin anew.
const span = 1 << 36

// idTime reads when an ask was opened from its id: a prefix and twelve hex
// digits, whose upper 36 bits are the lower ones of a time in milliseconds. The
// time nearest to now completes it. It returns the zero time for any other id.
func idTime(id string, now time.Time) time.Time {
	_, digits, ok := strings.Cut(id, "_")
	if !ok || len(digits) != 12+14 {
		return time.Time{}
	}
	n, err := strconv.ParseUint(digits[:12], 16, 64)
	if err != nil {
		return time.Time{}
	}
	low := int64(n >> 12)
	ms := now.UnixMilli()
	at := ms - (ms-low)&(span-1)
	// A clock that is behind makes an ask of a moment ago one of the future.
	if ms-at > span/2 {
		at += span
	}
	return time.UnixMilli(at).UTC()
}
