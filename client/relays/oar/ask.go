package oar

import (
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// wireAsk is an ask, after which the session goes on. OAR's documentation names
// what it holds; how it is sent is assumed.
type wireAsk struct {
	ID                string       `json:"id"`
	RelayID           string       `json:"relayId"`
	ConversationID    string       `json:"conversationId"`
	ConversationTitle string       `json:"conversationTitle"`
	AskedBy           *wireAskedBy `json:"askedBy"`
	Question          string       `json:"question"`
	Options           []string     `json:"options"`
	Recommended       *string      `json:"recommended"`
	Detail            string       `json:"detail"`
	Urgency           string       `json:"urgency"`
	Status            string       `json:"status"`
	CreatedAt         httpx.Time   `json:"createdAt"`
	ClosedAt          httpx.Time   `json:"closedAt"`

	Answer     jsontext.Value `json:"answer"`
	Option     jsontext.Value `json:"option"`
	AnsweredOn jsontext.Value `json:"answeredOn"`
	Rest       jsontext.Value `json:",embed"`
}

type wireAskedBy struct {
	ConversationID string         `json:"conversationId"`
	Title          string         `json:"title"`
	Rest           jsontext.Value `json:",embed"`
}

var askStatuses = map[string]client.Status{
	"pending": client.Open, "answered": client.Answered, "dismissed": client.Dismissed,
	"withdrawn": client.Withdrawn, "ended": client.Ended,
}

// readAsk makes an ask of an ask.
func (r *Relay) readAsk(raw jsontext.Value) *client.Ask {
	if o, err := httpx.Split(raw); err == nil && o.Get("question") == nil && o.Get("prompt") != nil {
		// A card that came this way is one of a paired relay.
		return r.readCard(raw)
	}
	var w wireAsk
	if why := relays.Decode(raw, &w, &w.ID); why != "" {
		return r.unreadable(raw, fromAsk, why)
	}
	ask := &client.Ask{
		Ref:        client.Ref{Relay: r.name, Session: w.RelayID, ID: w.ID},
		Paired:     w.RelayID,
		Kind:       client.Question,
		Status:     askStatuses[w.Status],
		StatusName: text.New(w.Status),
		Urgent:     w.Urgency == "now",
		Session:    client.Session{ID: w.ConversationID, Title: text.New(w.ConversationTitle)},
		Opened:     w.CreatedAt.Time,
		Questions:  []client.QuestionAsk{w.ask()},
		Raw:        raw,
		Private:    private{from: fromAsk, id: w.ID},
	}
	if by := w.AskedBy; by != nil && by.ConversationID != w.ConversationID {
		ask.AskedBy = &client.Party{Session: by.ConversationID, Title: text.New(by.Title)}
	}
	if ask.Status.Closed() {
		ask.Closing = w.closing(ask)
	}
	ask.Extra = w.extra(ask)
	offerAsk(ask)
	return ask
}

func (w *wireAsk) ask() client.QuestionAsk {
	q := client.QuestionAsk{ID: w.ID, Text: text.New(w.Question), Detail: text.New(w.Detail), OwnText: true}
	for i, o := range w.Options {
		q.Options = append(q.Options, client.Option{ID: o, Label: text.New(o)})
		if w.Recommended != nil && o == *w.Recommended && q.Recommended == 0 {
			q.Recommended = i + 1
		}
	}
	if w.Recommended != nil && q.Recommended == 0 {
		q.RecommendedText = text.New(*w.Recommended)
	}
	return q
}

// offerAsk says what can be done with an ask. One of a paired relay is answered
// through this one.
func offerAsk(ask *client.Ask) {
	if relays.Settled(ask) {
		return
	}
	defer func() { ask.Offers = ask.Offers.Shared() }()
	ask.Offers = client.Offered(client.ActAnswer, client.ActDismiss)
	ask.Offers[client.ActDismiss].Effect = "it is closed without an answer, and the session goes on"
	ask.Offers[client.ActDismissMessage].Why = noMessage
}

var askNotes = map[client.Status]string{
	client.Withdrawn: "its agent took it back",
	client.Ended:     "its session was archived or deleted, or the pairing was removed",
}

func (w *wireAsk) closing(ask *client.Ask) *client.Closing {
	on, _ := httpx.String(w.AnsweredOn)
	c := &client.Closing{At: w.ClosedAt.Time, Surface: text.New(on), Note: askNotes[ask.Status]}
	switch ask.Status {
	case client.Dismissed:
		c.Given = &client.Answer{Dismiss: true}
	case client.Answered:
		one := client.QuestionAnswer{ID: w.ID}
		if option, ok := httpx.String(w.Option); ok {
			one.Choices = []string{option}
			c.Answer = append(c.Answer, text.New(option))
		}
		if own, ok := httpx.String(w.Answer); ok && len(one.Choices) == 0 {
			one.Text, one.HasText = own, true
			c.Answer = append(c.Answer, text.New(own))
		}
		if !one.Empty() {
			c.Given = &client.Answer{Questions: []client.QuestionAnswer{one}}
		}
	}
	return c
}

// extra is what the relay sent beside what is read of an ask.
func (w *wireAsk) extra(ask *client.Ask) []client.Part {
	var all relays.Extra
	all.Rest("", w.Rest)
	if w.AskedBy != nil {
		all.Rest("askedBy", w.AskedBy.Rest)
	}
	if ask.Status == client.Open {
		all.Unread("", ask.Raw, "answer", "option", "closedAt", "answeredOn")
	}
	if w.Urgency != "" && w.Urgency != "normal" && !ask.Urgent {
		all.Unread("", ask.Raw, "urgency")
	}
	return all
}
