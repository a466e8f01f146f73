package oar

import (
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// The relay's own ids, which nobody has to read: of a card or a board, of its
// context, and of a board's context.
var (
	internalCard    = []string{"queueId", "messageId", "sdkSessionId", "ownerWorkerId", "continuationId", "continuationQuestionId"}
	internalContext = []string{"queueMessageId", "conversationId"}
	internalBoard   = append([]string{"source"}, append(internalContext, internalCard...)...)
)

// extra is what the relay sent beside what is read of a card.
func (w *wireCard) extra(ask *client.Ask) []client.Part {
	var all relays.Extra
	all.Rest("", w.Rest, internalCard...)
	if ask.Kind != client.Approval && relays.Holds(w.Request) {
		all.Add("request", w.Request)
	}
	if ask.Status == client.Open && (relays.Holds(w.Answer) || relays.Holds(w.StructuredAnswer) || w.AnsweredAt.Given) {
		all.Unread("", ask.Raw, "answer", "structuredAnswer", "answeredAt")
	}
	all = append(all, w.about.extra...)
	switch {
	case w.form != nil:
		for _, f := range w.form.fields {
			all = append(all, f.extra...)
		}
	case !bareSchema(w.RequestSchema):
		all.Add("requestSchema", w.RequestSchema)
	}
	return all
}

// bareSchema reports whether a schema says nothing beyond that it wants an object.
func bareSchema(raw jsontext.Value) bool {
	o, err := httpx.Split(raw)
	if err != nil {
		return !relays.Holds(raw)
	}
	for _, m := range o.Members {
		if m.Name != "type" && m.Name != "$schema" && m.Name != "additionalProperties" && relays.Holds(m.Value) {
			return false
		}
	}
	return true
}

// extra is what the relay sent beside what is read of a board.
func (w *wireBoard) extra(ask *client.Ask) []client.Part {
	var all relays.Extra
	all.Rest("", w.Rest, internalCard...)
	if ask.Status == client.Open && (relays.Holds(w.SelectedAction) || relays.Holds(w.ActedAt)) {
		all.Unread("", ask.Raw, "selectedAction", "actedAt")
	}
	if o, err := httpx.Split(w.Context); err == nil {
		all.Members("context", o.Members, internalBoard...)
	} else if relays.Holds(w.Context) {
		all.Add("context", w.Context)
	}
	for i, a := range w.Actions {
		all.RestOf("actions", i, a.Rest)
	}
	return all
}

// extra is what the relay sent beside what is read of an ask.
func (w *wireAsk) extra(ask *client.Ask) []client.Part {
	var all relays.Extra
	all.Rest("", w.Rest)
	if w.AskedBy != nil {
		all.Rest("askedBy", w.AskedBy.Rest)
	}
	if ask.Status == client.Open && (relays.Holds(w.Answer) || relays.Holds(w.Option) || w.ClosedAt.Given) {
		all.Unread("", ask.Raw, "answer", "option", "closedAt")
	}
	return all
}
