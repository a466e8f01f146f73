package werft

import (
	"bytes"
	"cmp"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// wireRequest is a request as it is sent.
type wireRequest struct {
	ID        string         `json:"request_id"`
	SessionID string         `json:"session_id"`
	Kind      string         `json:"kind"`
	Tool      string         `json:"tool"`
	Input     jsontext.Value `json:"input"`
	Remember  jsontext.Value `json:"proposed_remember"`
	Questions []wireQuestion `json:"questions"`
	CreatedAt httpx.Time     `json:"created_at"`
	ExpiresAt httpx.Time     `json:"expires_at"`
	Rest      jsontext.Value `json:",embed"`
}

type wireQuestion struct {
	ID      string `json:"question_id"`
	Header  string `json:"header"`
	Prompt  string `json:"prompt"`
	Options []struct {
		ID          string         `json:"option_id"`
		Label       string         `json:"label"`
		Description string         `json:"description"`
		Rest        jsontext.Value `json:",embed"`
	} `json:"options"`
	MultiSelect bool           `json:"multi_select"`
	Rest        jsontext.Value `json:",embed"`
}

// span is how long a request waits where it does not say until when.
const span = 30 * time.Minute

// The words for what cannot be done with a request.
const (
	noDismissal = "a request cannot be dismissed on this relay: deny it instead"
	noSkipping  = "a question cannot be dismissed on this relay: answer it, or let its time run out"
	noMessage   = "this relay hands no message on with an allow; it takes a reason with a denial"
	noRule      = "the request proposes no rule that could be remembered"
)

// readRequest makes an ask of a request. It always returns one: what cannot be
// read is returned as an unreadable ask, so that it is counted and seen.
func (r *Relay) readRequest(raw jsontext.Value, s session) *client.Ask {
	raw = bytes.Clone(raw)
	var w wireRequest
	if s.trouble != "" {
		return r.unreadable(raw, s, s.trouble)
	}
	if why := relays.Decode(raw, &w, &w.ID); why != "" {
		return r.unreadable(raw, s, why)
	}
	if w.SessionID != "" && w.SessionID != s.ID {
		return r.unreadable(raw, s, "it stands in one session and names another")
	}
	ask := &client.Ask{
		Ref:      client.Ref{Relay: r.name, Session: s.ID, ID: w.ID},
		KindName: text.New(w.Kind), Status: client.Open, StatusName: text.New("open"), Waits: true,
		Session: s.Session, Opened: w.CreatedAt.Time, Expires: w.ExpiresAt.Time, Raw: raw,
	}
	if ask.Expires.IsZero() && !ask.Opened.IsZero() {
		ask.Expires = ask.Opened.Add(span)
	}
	if _, known := r.http.Clock(); known {
		ask.ExpiredWords = expiredWords
	}
	switch w.Kind {
	case "permission":
		ask.Kind, ask.Approval = client.Approval, w.approval()
	case "question":
		ask.Kind, ask.Questions = client.Question, w.questions()
	default:
		ask.Fields = toolinput.Fields(raw)
	}
	ask.Extra = w.extra(ask)
	offer(ask, s)
	return ask
}

// extra is what the relay sent beside what is read of a request of this kind.
func (w *wireRequest) extra(ask *client.Ask) []client.Part {
	var all relays.Extra
	switch ask.Kind {
	case client.Approval:
		all.Rest("", w.Rest)
		if len(w.Questions) > 0 {
			all.Unread("", ask.Raw, "questions")
		}
		if len(ask.Approval.Always) == 0 && relays.Holds(w.Remember) {
			all.Add("proposed_remember", w.Remember)
		}
	case client.Question:
		all.Rest("", w.Rest)
		if w.Tool != "" || relays.Holds(w.Input) || relays.Holds(w.Remember) {
			all.Unread("", ask.Raw, "tool", "input", "proposed_remember")
		}
		for i, q := range w.Questions {
			all.RestOf("questions", i, q.Rest)
			for n, o := range q.Options {
				all.RestOfOption("questions", i, n, o.Rest)
			}
		}
	}
	return all
}

func (w *wireRequest) approval() *client.ApprovalAsk {
	a := &client.ApprovalAsk{Tool: text.New(w.Tool), Parts: toolinput.Parts(w.Tool, w.Input)}
	a.Always = relays.Rules(w.Remember)
	if len(a.Always) > 0 {
		a.AlwaysScope = "in this session, and never beyond what the server's own list allows"
	}
	return a
}

func (w *wireRequest) questions() []client.QuestionAsk {
	var all []client.QuestionAsk
	for _, q := range w.Questions {
		one := client.QuestionAsk{ID: q.ID, Header: text.New(q.Header), Text: text.New(q.Prompt), Multi: q.MultiSelect, OwnText: true}
		for _, o := range q.Options {
			one.Options = append(one.Options, client.Option{ID: o.ID, Label: text.New(o.Label), Description: text.New(o.Description)})
		}
		all = append(all, one)
	}
	return all
}

// offer says what can be done with a request.
func offer(ask *client.Ask, s session) {
	defer func() { ask.Offers = ask.Offers.Shared() }()
	switch {
	case s.refuses != "":
		ask.Offers = client.Refused(s.refuses)
	case s.refused != "":
		ask.Offers = client.Refused(s.refused)
		for i := range ask.Offers {
			ask.Offers[i].NotAllowed = true
		}
	case ask.Kind == client.Approval:
		ask.Offers = client.Offered(client.ActAllow, client.ActDeny, client.ActDenyReason)
		ask.Offers[client.ActAllowMessage].Why = noMessage
		ask.Offers[client.ActAlways].Why = noRule
		if len(ask.Approval.Always) > 0 {
			ask.Offers[client.ActAlways] = client.Offer{OK: true}
		}
		if !toolinput.Shows(ask.Approval.Tool.Raw(), ask.Approval.Parts) {
			why := client.Offer{Why: "the relay shows nothing of what would be done, so it can only be denied"}
			ask.Offers[client.ActAllow], ask.Offers[client.ActAlways] = why, why
		}
		ask.Offers[client.ActDeny].Effect = "the agent is told and goes on"
		ask.Offers[client.ActDismiss].Why, ask.Offers[client.ActDismissMessage].Why = noDismissal, noDismissal
	case ask.Kind == client.Question:
		ask.Offers = client.Offered(client.ActAnswer)
		if why := relays.Unanswerable(ask.Questions); why != "" {
			ask.Offers[client.ActAnswer] = client.Offer{Why: why}
		}
		ask.Offers[client.ActDismiss].Why, ask.Offers[client.ActDismissMessage].Why = noSkipping, noSkipping
	default:
		ask.Offers = client.Refused("this version of askbox does not know requests of this kind")
	}
}

// expired returns an ask as it is once its time is over.
func expired(ask *client.Ask) *client.Ask {
	c := relays.Over(ask, client.Expired, client.Closing{At: ask.Expires, Note: expiredWords})
	c.Offers = client.Refused("it is over: " + expiredWords)
	return c
}

const expiredWords = "expired, counted as a denial"

// late is how long after its end a request that is still listed counts as open.
const late = time.Minute

// listed returns a request as it stands in a list of open ones. Where its time has been
// over for a while it is open all the same: the relay has the last word, and one of the
// clocks is wrong.
func (r *Relay) listed(ask *client.Ask) *client.Ask {
	now, known := r.http.Clock()
	if !known || ask.ExpiredWords == "" || ask.Expires.IsZero() || now.Sub(ask.Expires) < late {
		return ask
	}
	open := *ask
	open.ExpiredWords = ""
	open.Session.Trouble = cmp.Or(open.Session.Trouble, "the relay lists this as open past its end, so its clocks disagree")
	return &open
}

// itemKeys are the names of what a request sends.
var itemKeys = relays.ItemKeys{ID: "request_id", Opened: "created_at", Kind: "kind"}

// unreadable makes an ask of a request that could not be read.
func (r *Relay) unreadable(raw jsontext.Value, s session, why string) *client.Ask {
	ask := itemKeys.Unreadable(client.Ref{Relay: r.name, Session: s.ID}, raw, why)
	ask.Session, ask.Waits = s.Session, true
	return ask
}
