package oar

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// wireCard is a question or approval card as it is sent.
type wireCard struct {
	ID               string         `json:"id"`
	ConversationID   string         `json:"conversationId"`
	SDKSessionID     *string        `json:"sdkSessionId"`
	Mode             string         `json:"mode"`
	Prompt           string         `json:"prompt"`
	Choices          []string       `json:"choices"`
	Request          jsontext.Value `json:"request"`
	RequestSchema    jsontext.Value `json:"requestSchema"`
	Context          jsontext.Value `json:"context"`
	AllowFreeform    *bool          `json:"allowFreeform"`
	Status           string         `json:"status"`
	Answer           jsontext.Value `json:"answer"`
	StructuredAnswer jsontext.Value `json:"structuredAnswer"`
	CreatedAt        httpx.Time     `json:"createdAt"`
	AnsweredAt       httpx.Time     `json:"answeredAt"`
	ExpiresAt        httpx.Time     `json:"expiresAt"`
	// RelayID is set where a card of another relay shows up.
	RelayID string         `json:"relayId"`
	Rest    jsontext.Value `json:",embed"`

	about cardContext
	form  *form
}

// cardContext is what the relay says about where a card comes from.
type cardContext struct {
	source, rationale, header, mode string
	multi                           bool
	extra                           relays.Extra // what is not known here
}

// The sources that are known. A source that is not in here decides nothing.
const remotePrompt = "remote_relay"

var (
	approvalSources = []string{remotePrompt, "onPermissionRequest", "ClaudeCloudPermission"}
	questionSources = []string{"AskUserQuestion"}
	approving       = []string{"Allow", "Approve"}
)

const denying = "Deny"

var cardStatuses = map[string]client.Status{
	"pending": client.Open, "answered": client.Answered, "timed_out": client.Expired, "cancelled": client.Withdrawn,
}

// decodeCard reads a card strictly. With an error comes an empty one.
func decodeCard(raw jsontext.Value) (*wireCard, error) {
	var w wireCard
	if err := httpx.Decode(raw, &w); err != nil {
		return &wireCard{}, err
	}
	w.about = readContext(w.Context)
	w.form = readForm(w.RequestSchema)
	return &w, nil
}

// contextKeys are the keys of a context that are read.
var contextKeys = []string{"source", "rationale", "header", "relayMode", "multiSelect", "allowMultiSelect"}

func readContext(raw jsontext.Value) (c cardContext) {
	o, err := httpx.Split(raw)
	if err != nil {
		if relays.Holds(raw) {
			c.extra.Add("context", raw)
		}
		return c
	}
	var rest []httpx.Member
	for _, m := range o.Members {
		s, isText := httpx.String(m.Value)
		switch {
		case m.Value.Kind() == 'n' && slices.Contains(contextKeys, m.Name):
		case m.Name == "source" && isText:
			c.source = s
		case m.Name == "rationale" && isText:
			c.rationale = s
		case m.Name == "header" && isText:
			c.header = s
		case m.Name == "relayMode" && isText:
			c.mode = s
		case (m.Name == "multiSelect" || m.Name == "allowMultiSelect") && (m.Value.Kind() == 't' || m.Value.Kind() == 'f'):
			c.multi = c.multi || m.Value.Kind() == 't'
		default:
			rest = append(rest, m)
		}
	}
	c.extra.Members("context", rest, internalContext...)
	return c
}

// pair returns the labels that allow and deny, where the choices are these two
// and nothing else, letter for letter and in any order.
func (w *wireCard) pair() (allow, deny string, ok bool) {
	if len(w.Choices) != 2 {
		return "", "", false
	}
	for i, c := range w.Choices {
		if slices.Contains(approving, c) && w.Choices[1-i] == denying {
			return c, denying, true
		}
	}
	return "", "", false
}

// isApproval reports whether a card is one of the relay's own approvals that can
// be decided by a key. What an agent asks through a known tool for questions is a
// question, whatever its words and choices look like.
func (w *wireCard) isApproval() bool {
	_, _, ok := w.pair()
	return ok && w.form == nil && !slices.Contains(questionSources, w.about.source)
}

// oddApproval reports whether a card decides an approval and its choices are not
// the two that are known. It is answered by choosing, and never by a quick key.
func (w *wireCard) oddApproval() bool {
	return w.form == nil && !w.isApproval() && slices.Contains(approvalSources, w.about.source)
}

// freeform reports whether own text may be sent.
func (w *wireCard) freeform() bool {
	if w.AllowFreeform == nil {
		return len(w.Choices) == 0
	}
	return *w.AllowFreeform
}

// mode is the mode that the card is asked in, and the one that the worker says it
// works in where that is another.
func (w *wireCard) mode() text.Text {
	switch worker := w.about.mode; {
	case w.Mode == "":
		return text.New(worker)
	case worker == "" || worker == w.Mode:
		return text.New(w.Mode)
	default:
		return text.New(w.Mode + " / " + worker)
	}
}

// readCard makes an ask of a card. What cannot be read becomes an unreadable ask.
func (r *Relay) readCard(raw jsontext.Value) *client.Ask {
	w, err := decodeCard(raw)
	if why := relays.Unfit(raw, err, w.ID); why != "" {
		return r.unreadable(raw, fromCard, why)
	}
	ask := &client.Ask{
		Ref:        client.Ref{Relay: r.name, Session: w.RelayID, ID: w.ID},
		Paired:     w.RelayID,
		KindName:   text.New(w.about.source),
		Status:     cardStatuses[w.Status],
		StatusName: text.New(w.Status),
		Session:    client.Session{ID: w.ConversationID},
		Opened:     w.CreatedAt.Time,
		Expires:    w.ExpiresAt.Time,
		Raw:        raw,
		Private:    private{from: fromCard, id: w.ID},
	}
	ask.Waits = true
	switch {
	case w.isApproval():
		ask.Kind, ask.Approval = client.Approval, w.approval()
	case w.form != nil:
		ask.Kind, ask.Questions = client.Question, w.form.questions(w.Prompt, w.about)
	default:
		ask.Kind, ask.Questions = client.Question, []client.QuestionAsk{w.question()}
	}
	if ask.Status.Closed() {
		ask.Closing = w.closing(ask)
	}
	ask.Mode, ask.Extra = w.mode(), w.extra(ask)
	w.offer(ask)
	return ask
}

func (w *wireCard) question() client.QuestionAsk {
	q := client.QuestionAsk{ID: w.ID, Header: text.New(w.about.header), Text: text.New(w.Prompt), OwnText: w.freeform(), Joined: ", ",
		Detail: text.New(w.about.rationale)}
	q.Multi = w.about.multi && len(w.Choices) >= 2
	q.TextWithChoices = q.Multi && q.OwnText
	for _, c := range w.Choices {
		q.Options = append(q.Options, client.Option{ID: c, Label: text.New(c)})
	}
	return q
}

// The words for what cannot be done with a card.
const (
	noAlways   = "this relay has no rules that last: allow it this once"
	noMessage  = "this relay takes no message with it"
	oddChoices = "the choices are not exactly Allow or Approve, and Deny, so no key decides it: choose one of them as it is written"
)

// offer says what can be done with a card.
func (w *wireCard) offer(ask *client.Ask) {
	if relays.Settled(ask) {
		return
	}
	dismissal := "the agent goes on without an answer"
	if ask.Kind == client.Approval {
		w.offerDecision(ask)
		dismissal = refusal
	} else {
		w.offerAnswer(ask)
		if w.oddApproval() {
			dismissal = refusal
		}
	}
	ask.Offers[client.ActDismiss] = client.Offer{OK: true, Effect: dismissal}
	ask.Offers[client.ActDismissMessage].Why = noMessage
	ask.Offers = ask.Offers.Shared()
}

const refusal = "refuses the approval, and the agent goes on without it"

func (w *wireCard) offerDecision(ask *client.Ask) {
	ask.Offers = client.Offered(client.ActAllow, client.ActDeny)
	o := ask.Offers
	o[client.ActAlways].Why, o[client.ActAllowMessage].Why = noAlways, noMessage
	if w.freeform() {
		o[client.ActDenyReason].OK = true
	} else {
		o[client.ActDenyReason].Why = noMessage
	}
	if strings.TrimSpace(w.Prompt) == "" && !toolinput.Shows("", w.asked()) {
		o[client.ActAllow] = client.Offer{Why: "the relay shows nothing of what would be done, so it cannot be allowed here"}
	}
}

func (w *wireCard) offerAnswer(ask *client.Ask) {
	ask.Offers = client.Offered(client.ActAnswer)
	if w.oddApproval() {
		ask.Offers[client.ActAllow].Why, ask.Offers[client.ActDeny].Why = oddChoices, oddChoices
		ask.Offers[client.ActAnswer].Effect = "decides an approval of the relay"
		ask.Offers[client.ActAnswer].Confirm = "This decides an approval of the relay. Its choices are not exactly the ones that are known, so read them closely."
	}
	if why := w.unanswerable(); why != "" {
		ask.Offers[client.ActAnswer] = client.Offer{Why: why}
	}
}

func (w *wireCard) unanswerable() string {
	switch {
	case w.form != nil:
		return w.form.why
	case len(w.Choices) == 0 && !w.freeform():
		return "the relay offers no choice and takes no text: open the session (o) and answer it there"
	}
	return ""
}

// The relay's own ids, which nobody has to read: of a card or a board, and of its context.
var (
	internalCard    = []string{"queueId", "messageId", "sdkSessionId", "ownerWorkerId", "continuationId", "continuationQuestionId"}
	internalContext = []string{"queueMessageId", "conversationId"}
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
