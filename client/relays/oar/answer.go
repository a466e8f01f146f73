package oar

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
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
	verb, body, err := [...]func(*client.Ask, client.Answer) (string, any, error){cardCall, boardCall, askCall}[p.from](ask, answer)
	if err != nil {
		return nil, err
	}
	reply, err := r.http.Do(ctx, httpx.Request{Path: kinds[p.from].path + httpx.Path(p.id, verb), Body: body, Counts: true})
	if err != nil {
		return nil, r.refused(ctx, ask, reply, err)
	}
	return r.taken(ask, answer, body, reply)
}

// cardBody is the answer to a card. The session id is the one that the card
// names, so that the relay sees for whom the answer is meant.
type cardBody struct {
	Answer       *string                   `json:"answer,omitempty"`
	Structured   map[string]jsontext.Value `json:"structuredAnswer,omitempty"`
	SDKSessionID *string                   `json:"sdk_session_id,omitempty"`
}

// cardCall returns what is called to answer a card, and with what.
func cardCall(ask *client.Ask, answer client.Answer) (verb string, body any, err error) {
	if answer.Dismiss {
		return "timeout", struct{}{}, nil
	}
	w, err := decodeCard(ask.Raw)
	if err != nil {
		return "", nil, &client.InvalidAnswer{Reason: "the relay's item could not be read, so it cannot be answered here"}
	}
	b := cardBody{SDKSessionID: w.SDKSessionID}
	if w.form != nil {
		b.Structured, err = w.form.answer(answer.Questions)
		return "answer", b, err
	}
	said, err := w.said(answer)
	if strings.TrimSpace(said) == "" && err == nil {
		err = &client.InvalidAnswer{Reason: "an empty answer is not sent"}
	}
	b.Answer = &said
	return "answer", b, err
}

// boardCall carries out one action of a board.
func boardCall(_ *client.Ask, answer client.Answer) (string, any, error) {
	action := exitOnly
	if !answer.Dismiss {
		action = answer.Questions[0].Choices[0]
	}
	return "action", map[string]string{"actionId": action}, nil
}

// askCall answers an ask with one of its options, or with words.
func askCall(_ *client.Ask, answer client.Answer) (string, any, error) {
	if answer.Dismiss {
		return "dismiss", struct{}{}, nil
	}
	given := answer.Questions[0]
	if given.HasText {
		return "answer", map[string]string{"answer": given.Text}, nil
	}
	return "answer", map[string]string{"option": given.Choices[0]}, nil
}

// said is the text of an answer to a card: a label byte for byte, or what was typed. The
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

// taken reads the reply to an answer. That of a card has to hold it; of the others the
// relay's documentation does not promise that.
func (r *Relay) taken(ask *client.Ask, answer client.Answer, body any, reply *httpx.Reply) (*client.Ask, error) {
	from := privateOf(ask).from
	o, err := httpx.Split(reply.Body)
	if err != nil || o.Get("ok").Kind() == 'f' {
		return nil, relays.Unsure("its reply does not say that it took the answer")
	}
	closing := client.Closing{Decision: answer.Decision, Given: &answer, At: reply.Now}
	how := client.Answered
	if answer.Dismiss {
		how = client.Dismissed
	}
	item := o.Get(kinds[from].item)
	if item == nil && from != fromCard {
		return relays.Over(ask, how, closing), nil
	}
	now, err := r.sameAs(ask, item)
	if err != nil || now.Unreadable != "" || !now.Status.Closed() {
		return nil, relays.Unsure("its reply does not say that the " + kinds[from].item + " is closed")
	}
	if from == fromCard && answer.Dismiss && now.Status == client.Expired {
		now = dismissed(now)
	}
	if !holds(now, answer, body) {
		return nil, &client.Closed{Ask: now}
	}
	closing.At, closing.Answer = cmp.Or(now.Closing.At, closing.At), now.Closing.Answer
	closing.Note, closing.Surface = now.Closing.Note, now.Closing.Surface
	if queued := o.Get("queuedMessageId"); queued != nil {
		closing.Note = "a message to the agent was queued"
	}
	// From the text of a card alone "A, B" may be two choices, and leaving a board is an
	// action like any other.
	return relays.Over(now, how, closing), nil
}

// holds reports whether a closed ask holds the answer that was sent, in a body.
func holds(now *client.Ask, answer client.Answer, body any) bool {
	given := now.Closing.Given
	if answer.Dismiss {
		return now.Status == client.Dismissed && (given == nil || given.Dismiss)
	}
	switch b, isCard := body.(cardBody); {
	case isCard:
		w, err := decodeCard(now.Raw)
		return err == nil && now.Status == client.Answered && b.in(w)
	case given == nil:
		return now.Status == client.Answered
	}
	return slices.EqualFunc(given.Questions, answer.Questions, func(x, y client.QuestionAnswer) bool {
		return x.HasText == y.HasText && x.Text == y.Text && slices.Equal(x.Choices, y.Choices)
	})
}

// in reports whether a card holds the answer.
func (b cardBody) in(w *wireCard) bool {
	if b.Answer == nil {
		sent, err := json.Marshal(b.Structured)
		return err == nil && sameJSON(sent, w.StructuredAnswer)
	}
	got, ok := httpx.String(w.Answer)
	return ok && got == *b.Answer
}

func sameJSON(a, b jsontext.Value) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	return a.Canonicalize() == nil && b.Canonicalize() == nil && string(a) == string(b)
}

// refused says what the refusal of an answer means.
func (r *Relay) refused(ctx context.Context, ask *client.Ask, reply *httpx.Reply, err error) error {
	if _, lost := errors.AsType[*client.Uncertain](err); reply == nil || lost {
		return err
	}
	p := reply.Problem()
	switch reply.Status {
	case http.StatusBadRequest:
		return invalid(p, err)
	case http.StatusForbidden:
		// The card belongs to another session or owner by now, which the relay names; an
		// answer meant for this one is not sent to it.
		return &client.NotAllowed{Said: text.New(p.Message),
			Why: "the relay did not record the answer; look at the ask again before you answer it"}
	case http.StatusConflict:
		return r.conflict(ctx, ask, reply, err)
	}
	return err
}

// conflict looks for what became of an ask that is not open any more: in the refusal,
// and then at the relay.
func (r *Relay) conflict(ctx context.Context, ask *client.Ask, reply *httpx.Reply, err error) error {
	from := privateOf(ask).from
	o, _ := httpx.Split(reply.Body)
	now, bad := r.sameAs(ask, o.Get(kinds[from].item))
	if bad != nil && from != fromAsk {
		now, bad = r.Get(ctx, ask)
	}
	said := reply.Problem().Message
	switch {
	case bad == nil && now.Status.Closed():
		return &client.Closed{Ask: now}
	case bad != nil && strings.Contains(said, "already"):
		return &client.Closed{Why: "too late", Said: text.New(said)}
	}
	return err // it is still open, and the relay's word says why it took nothing
}

// invalid returns the error for an answer that the relay found fault with: in a field of
// a form, where it names one.
func invalid(p httpx.Problem, err error) error {
	if p.Message == "" {
		return err
	}
	out := &client.InvalidAnswer{Reason: "the relay does not take it", Said: text.New(p.Message)}
	o, _ := httpx.Split(p.Raw)
	faults, _ := httpx.List(o.Get("fields"))
	for i, raw := range faults {
		f, _ := httpx.Split(raw)
		name := cmp.Or(relays.Word(f, "name"), relays.Word(f, "field"), relays.Word(f, "path"), relays.Word(f, "key"))
		if i == 0 {
			// The field is named as the form names it, to be found there again.
			out.Field, out.Said = name, text.New(relays.Word(f, "message"))
			continue
		}
		out.Said = text.New(out.Said.Raw() + "\n" + name + ": " + relays.Word(f, "message"))
	}
	return out
}
