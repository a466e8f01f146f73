package oar

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
)

// Answer sends an answer or a dismissal, once.
func (r *Relay) Answer(ctx context.Context, ask *client.Ask, answer client.Answer) (*client.Ask, error) {
	if err := client.Validate(ask, answer); err != nil {
		return nil, err
	}
	p := privateOf(ask)
	if err := relays.Usable("the ask has no usable id", p.id); err != nil {
		return nil, err
	}
	switch p.from {
	case fromBoard:
		return r.answerBoard(ctx, ask, answer)
	case fromAsk:
		return r.answerAsk(ctx, ask, answer)
	}
	if answer.Dismiss {
		return r.dismissCard(ctx, ask)
	}
	return r.answerCard(ctx, ask, answer)
}

// cardBody is the answer to a card. The session id is the one that the card
// names, so that the relay sees for whom the answer is meant.
type cardBody struct {
	Answer       *string                   `json:"answer,omitempty"`
	Structured   map[string]jsontext.Value `json:"structuredAnswer,omitempty"`
	SDKSessionID *string                   `json:"sdk_session_id,omitempty"`
}

func (r *Relay) answerCard(ctx context.Context, ask *client.Ask, answer client.Answer) (*client.Ask, error) {
	w, err := decodeCard(ask.Raw)
	if err != nil {
		return nil, &client.InvalidAnswer{Reason: "the relay's item could not be read, so it cannot be answered here"}
	}
	body, err := w.body(answer)
	if err != nil {
		return nil, err
	}
	reply, err := r.http.Do(ctx, httpx.Request{Path: "/api/relay-question" + httpx.Path(w.ID, "answer"), Body: body, Counts: true})
	if err != nil {
		return nil, r.refusedCard(ctx, ask, reply, err)
	}
	now, err := r.confirmed(ask, reply, "question", r.readCard)
	if err != nil {
		return nil, err
	}
	got, err := decodeCard(now.Raw)
	switch {
	case err != nil, now.Unreadable != "":
		return nil, relays.Unsure("the card in its reply could not be read")
	case now.Status == client.Open || now.Status == client.StatusUnknown:
		return nil, relays.Unsure("its reply does not say that the card is answered")
	case now.Status != client.Answered || !body.holds(got):
		return nil, &client.Closed{Ask: now}
	}
	now.Closing.Given = &answer // from its text alone "A, B" may be two choices
	return now, nil
}

// body writes an answer the way OAR's own page does.
func (w *wireCard) body(answer client.Answer) (cardBody, error) {
	body := cardBody{SDKSessionID: w.SDKSessionID}
	if w.form != nil {
		object, err := w.form.answer(answer.Questions)
		body.Structured = object
		return body, err
	}
	said, err := w.said(answer)
	if strings.TrimSpace(said) == "" && err == nil {
		err = &client.InvalidAnswer{Reason: "an empty answer is not sent"}
	}
	body.Answer = &said
	return body, err
}

// said is the text of an answer: a label byte for byte, or what was typed. The
// relay takes any text, and reads one as an approval that is none to its writer.
func (w *wireCard) said(answer client.Answer) (string, error) {
	if w.isApproval() {
		allow, deny, _ := w.pair()
		switch {
		case answer.Decision == client.Allow && answer.Message == "":
			return allow, nil
		case answer.Decision == client.Deny && answer.Message == "":
			return deny, nil
		case answer.Decision == client.Deny && w.freeform() && !approves(answer.Message):
			return answer.Message, nil
		}
		return "", &client.InvalidAnswer{Field: "message", Reason: "this relay would read these words as an approval; say it in other words"}
	}
	if len(answer.Questions) != 1 {
		return "", &client.InvalidAnswer{Field: "answers", Reason: "the card is one question, and takes one answer"}
	}
	given := answer.Questions[0]
	if given.HasText && !slices.Contains(questionSources, w.about.source) && w.readsAsChoice(given.Text) {
		return "", &client.InvalidAnswer{Field: "answers[0].text",
			Reason: "this relay may read these words as one of the choices; choose it instead, or say it in other words"}
	}
	q := w.question()
	return q.Line(given), nil
}

// approves reports whether the relay might read a text as an approval.
func approves(said string) bool {
	return slices.ContainsFunc(approving, func(word string) bool { return readsAs(said, word) })
}

func (w *wireCard) readsAsChoice(said string) bool {
	return approves(said) || slices.ContainsFunc(w.Choices, func(c string) bool { return readsAs(said, c) })
}

// readsAs compares two texts the way a lenient reader would, compatibility forms
// such as full-width and mathematical letters included.
func readsAs(said, word string) bool {
	return client.ReadsAs(said, word) || client.ReadsAs(norm.NFKC.String(said), norm.NFKC.String(word))
}

// dismissCard ends a card without an answer. Somebody may have answered first,
// and the relay replies to that as if all were well.
func (r *Relay) dismissCard(ctx context.Context, ask *client.Ask) (*client.Ask, error) {
	id := privateOf(ask).id
	reply, err := r.http.Do(ctx, httpx.Request{Path: "/api/relay-question" + httpx.Path(id, "timeout"), Body: struct{}{}, Counts: true})
	if err != nil {
		return nil, r.refusedCard(ctx, ask, reply, err)
	}
	now, err := r.confirmed(ask, reply, "question", r.readCard)
	switch {
	case err != nil:
		return nil, err
	case now.Status == client.Expired:
		return dismissed(now), nil
	case now.Status.Closed():
		return nil, &client.Closed{Ask: now}
	}
	return nil, relays.Unsure("its reply does not say that the card is closed")
}

// answerBoard carries out one action of a board.
func (r *Relay) answerBoard(ctx context.Context, ask *client.Ask, answer client.Answer) (*client.Ask, error) {
	action, how := exitOnly, client.Dismissed
	if !answer.Dismiss {
		action, how = answer.Questions[0].Choices[0], client.Answered
	}
	reply, err := r.http.Do(ctx, httpx.Request{Path: "/api/relay-board" + httpx.Path(privateOf(ask).id, "action"),
		Body: map[string]string{"actionId": action}, Counts: true})
	if err != nil {
		return nil, r.refusedOther(ask, reply, err, "board", r.readBoard)
	}
	return r.taken(ask, answer, reply, "board", how, r.readBoard)
}

// askBody answers an ask.
type askBody struct {
	Answer *string `json:"answer,omitempty"`
	Option *string `json:"option,omitempty"`
}

func (r *Relay) answerAsk(ctx context.Context, ask *client.Ask, answer client.Answer) (*client.Ask, error) {
	var body askBody
	verb, how := "dismiss", client.Dismissed
	if !answer.Dismiss {
		verb, how = "answer", client.Answered
		if given := answer.Questions[0]; given.HasText {
			body.Answer = &given.Text
		} else {
			body.Option = &given.Choices[0]
		}
	}
	reply, err := r.http.Do(ctx, httpx.Request{Path: "/api/ask" + httpx.Path(privateOf(ask).id, verb), Body: body, Counts: true})
	if err != nil {
		return nil, r.refusedOther(ask, reply, err, "ask", r.readAsk)
	}
	return r.taken(ask, answer, reply, "ask", how, r.readAsk)
}

// taken reads the reply to an answer where the relay's documentation does not
// promise that it repeats what was answered.
func (r *Relay) taken(ask *client.Ask, answer client.Answer, reply *httpx.Reply, key string, how client.Status,
	read func(jsontext.Value) *client.Ask) (*client.Ask, error) {
	o, err := httpx.Split(reply.Body)
	if err != nil || o.Get("ok").Kind() == 'f' {
		return nil, relays.Unsure("its reply does not say that it took the answer")
	}
	c := *ask
	c.Status, c.Offers = how, client.Refused("it is "+how.String())
	c.Closing = &client.Closing{Decision: answer.Decision, Given: &answer, At: reply.Now}
	if o.Get(key) == nil {
		return &c, nil
	}
	now, err := r.sameAs(ask, o.Get(key), read)
	switch {
	case err != nil, now.Unreadable != "", !now.Status.Closed():
		return nil, relays.Unsure("its reply does not say that the answer counted")
	case privateOf(ask).from == fromBoard:
		// Leaving a board is an action like any other.
		c.Closing.At = cmp.Or(now.Closing.At, c.Closing.At)
		now.Status, now.Offers, now.Closing = c.Status, c.Offers, c.Closing
		return now, nil
	case now.Status != how || now.Closing.Given != nil && !sameGiven(*now.Closing.Given, answer):
		return nil, &client.Closed{Ask: now}
	}
	return now, nil
}

// sameGiven compares answers to one question.
func sameGiven(a, b client.Answer) bool {
	if a.Dismiss || b.Dismiss {
		return a.Dismiss == b.Dismiss
	}
	return slices.EqualFunc(a.Questions, b.Questions, func(x, y client.QuestionAnswer) bool {
		return x.HasText == y.HasText && x.Text == y.Text && slices.Equal(x.Choices, y.Choices)
	})
}

// confirmed reads the ask that a reply has to hold.
func (r *Relay) confirmed(ask *client.Ask, reply *httpx.Reply, key string, read func(jsontext.Value) *client.Ask) (*client.Ask, error) {
	o, err := httpx.Split(reply.Body)
	if err != nil {
		return nil, relays.Unsure("its reply could not be read")
	}
	now, err := r.sameAs(ask, o.Get(key), read)
	if err != nil {
		return nil, relays.Unsure("its reply does not hold the card")
	}
	return now, nil
}
