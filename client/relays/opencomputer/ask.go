package opencomputer

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// wireAsk is an ask as it is sent.
type wireAsk struct {
	ID        string         `json:"id"`
	SessionID string         `json:"sessionId"`
	Kind      string         `json:"kind"`
	Status    string         `json:"status"`
	OpenedAt  httpx.Time     `json:"openedAt"`
	ClosedAt  httpx.Time     `json:"closedAt"`
	ClosedBy  jsontext.Value `json:"closedBy"`
	Answer    jsontext.Value `json:"answer"`
	Approval  *wireApproval  `json:"approval"`
	Question  *wireQuestion  `json:"question"`
	Secret    *wireSecret    `json:"secret"`
	Rest      jsontext.Value `json:",embed"`
}

type wireApproval struct {
	ToolName     string         `json:"toolName"`
	Input        jsontext.Value `json:"input"`
	AlwaysAllows jsontext.Value `json:"alwaysAllows"`
	Rest         jsontext.Value `json:",embed"`
}

type wireQuestion struct {
	Questions []struct {
		QuestionID string `json:"questionId"`
		Header     string `json:"header"`
		Question   string `json:"question"`
		Options    []struct {
			Label       string         `json:"label"`
			Description string         `json:"description"`
			Rest        jsontext.Value `json:",embed"`
		} `json:"options"`
		MultiSelect bool           `json:"multiSelect"`
		Rest        jsontext.Value `json:",embed"`
	} `json:"questions"`
	Rest jsontext.Value `json:",embed"`
}

type wireSecret struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Rest        jsontext.Value `json:",embed"`
}

var statuses = map[string]client.Status{
	"open": client.Open, "answered": client.Answered, "dismissed": client.Dismissed,
	"declined": client.Declined, "interrupted": client.Interrupted,
}

// readAsk makes an ask of an item. It always returns one: what cannot be read is
// returned as an unreadable ask, so that it is counted and seen.
func (r *Relay) readAsk(raw jsontext.Value, session client.Session, who relays.Who, trouble string) *client.Ask {
	raw = bytes.Clone(raw)
	if trouble != "" {
		return r.unreadable(raw, session, trouble)
	}
	var w wireAsk
	if why := relays.Decode(raw, &w, &w.ID); why != "" {
		return r.unreadable(raw, session, why)
	}
	if w.SessionID != "" && session.ID != "" && w.SessionID != session.ID {
		return r.unreadable(raw, session, "it stands in one session and names another")
	}
	if session.ID == "" {
		session.ID = w.SessionID
	}
	ask := &client.Ask{
		Ref:        client.Ref{Relay: r.name, Session: session.ID, ID: w.ID},
		KindName:   text.New(w.Kind),
		Status:     statuses[w.Status],
		StatusName: text.New(w.Status),
		Session:    session,
		Opened:     w.OpenedAt.Time,
		Raw:        raw,
	}
	ask.Waits = true
	fill(ask, &w)
	if ask.Status.Closed() {
		ask.Closing = closing(&w, ask, who)
	}
	offer(ask)
	return ask
}

// fill sets what an ask of a kind holds.
func fill(ask *client.Ask, w *wireAsk) {
	switch {
	case w.Kind == "approval" && w.Approval != nil:
		ask.Kind, ask.Approval = client.Approval, approval(w.Approval)
	case w.Kind == "approval":
		ask.Kind, ask.Approval = client.Approval, &client.ApprovalAsk{}
	case w.Kind == "question":
		ask.Kind, ask.Questions = client.Question, questions(w.Question)
	case w.Kind == "secret":
		ask.Kind, ask.Secret = client.Secret, &client.SecretAsk{Where: secretWhere}
		if w.Secret != nil {
			ask.Secret.Name, ask.Secret.Description = text.New(w.Secret.Name), text.New(w.Secret.Description)
		}
	default:
		ask.Fields = toolinput.Fields(ask.Raw)
		return
	}
	ask.Extra = w.extra(ask)
}

// extra is what the relay sent beside what is read of an ask of this kind.
func (w *wireAsk) extra(ask *client.Ask) []client.Part {
	var all relays.Extra
	all.Rest("", w.Rest)
	if others := w.unread(ask); len(others) > 0 {
		all.Unread("", ask.Raw, others...)
	}
	switch {
	case ask.Kind == client.Approval && w.Approval != nil:
		all.Rest("approval", w.Approval.Rest)
		if always := w.Approval.AlwaysAllows; len(ask.Approval.Always) == 0 && relays.Holds(always) {
			all.Add("approval.alwaysAllows", always)
		}
	case ask.Kind == client.Question && w.Question != nil:
		all.Rest("question", w.Question.Rest)
		for i, q := range w.Question.Questions {
			all.RestOf("question.questions", i, q.Rest)
			for n, o := range q.Options {
				all.RestOfOption("question.questions", i, n, o.Rest)
			}
		}
	case ask.Kind == client.Secret && w.Secret != nil:
		all.Rest("secret", w.Secret.Rest)
	}
	return all
}

// unread names the members that are known and have no meaning in an ask of this kind
// and status, where one of them is there.
func (w *wireAsk) unread(ask *client.Ask) (names []string) {
	if w.Approval != nil && w.Kind != "approval" {
		names = append(names, "approval")
	}
	if w.Question != nil && w.Kind != "question" {
		names = append(names, "question")
	}
	if w.Secret != nil && w.Kind != "secret" {
		names = append(names, "secret")
	}
	if ask.Status == client.Open && (relays.Holds(w.Answer) || relays.Holds(w.ClosedBy) || w.ClosedAt.Given) {
		names = append(names, "answer", "closedBy", "closedAt")
	}
	return names
}

// planTool is the name of the tool whose approval is that of a plan.
const planTool = "ExitPlanMode"

func approval(w *wireApproval) *client.ApprovalAsk {
	a := &client.ApprovalAsk{Tool: text.New(w.ToolName), Parts: toolinput.Parts(w.ToolName, w.Input)}
	a.Always = relays.Rules(w.AlwaysAllows)
	if len(a.Always) > 0 {
		a.AlwaysScope = "what else the session does under these rules runs without asking; the relay does not say for how long"
	}
	if w.ToolName == planTool {
		a.Modes = planModes()
	}
	return a
}

// planModes are the ways in which a plan can be carried out.
func planModes() []client.Mode {
	return []client.Mode{
		{ID: "default", Label: "ask as usual", Effect: "the agent goes on and asks as it does by default"},
		{ID: "acceptEdits", Label: "accept edits", Effect: "the agent changes files without asking"},
		{ID: "auto", Label: "auto", Effect: "the agent decides by itself what it asks about"},
		{ID: "bypassPermissions", Label: "bypass permissions", Effect: "the agent does everything without asking",
			Confirm: "The agent will ask for nothing any more, whatever it does."},
	}
}

func questions(w *wireQuestion) []client.QuestionAsk {
	if w == nil {
		return nil
	}
	var all []client.QuestionAsk
	for _, q := range w.Questions {
		ask := client.QuestionAsk{ID: q.QuestionID, Header: text.New(q.Header), Text: text.New(q.Question),
			Multi: q.MultiSelect, OwnText: true, TextWithChoices: q.MultiSelect}
		for _, o := range q.Options {
			ask.Options = append(ask.Options, client.Option{ID: o.Label, Label: text.New(o.Label), Description: text.New(o.Description)})
		}
		all = append(all, ask)
	}
	return all
}

// itemKeys are the names of what an ask sends.
var itemKeys = relays.ItemKeys{ID: "id", Opened: "openedAt", Kind: "kind"}

// unreadable makes an ask of an item that could not be read.
func (r *Relay) unreadable(raw jsontext.Value, session client.Session, why string) *client.Ask {
	ask := itemKeys.Unreadable(client.Ref{Relay: r.name, Session: session.ID}, raw, why)
	ask.Session, ask.Waits = session, true
	return ask
}

// offer says what can be done with an ask.
func offer(ask *client.Ask) {
	if relays.Settled(ask) {
		return
	}
	defer func() { ask.Offers = ask.Offers.Shared() }()
	dismissal := "the agent reads that as a denial"
	switch ask.Kind {
	case client.Approval:
		ask.Offers = client.Offered(client.ActAllow, client.ActAllowMessage, client.ActDeny, client.ActDenyReason)
		if len(ask.Approval.Always) > 0 {
			ask.Offers[client.ActAlways].OK = true
		}
		if !toolinput.Shows(ask.Approval.Tool.Raw(), ask.Approval.Parts) {
			why := client.Offer{Why: "the relay shows nothing of what would be done, so it cannot be allowed here"}
			ask.Offers[client.ActAllow], ask.Offers[client.ActAllowMessage], ask.Offers[client.ActAlways] = why, why, why
		}
	case client.Question:
		ask.Offers = client.Offered(client.ActAnswer)
		if why := relays.Unanswerable(ask.Questions); why != "" {
			ask.Offers[client.ActAnswer] = client.Offer{Why: why}
		}
	case client.Secret:
		ask.Offers = client.Offered()
		ask.Offers[client.ActAnswer].Why = secretElsewhere
	default:
		ask.Offers = client.Refused("this version of askbox does not know asks of this kind")
		return
	}
	for _, act := range []client.Action{client.ActDismiss, client.ActDismissMessage} {
		ask.Offers[act] = client.Offer{OK: true, Effect: dismissal}
	}
}
