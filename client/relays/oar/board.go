package oar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// wireBoard is a plan board as it is sent.
type wireBoard struct {
	ID                string       `json:"id"`
	ConversationID    string       `json:"conversationId"`
	BoardType         string       `json:"boardType"`
	Title             string       `json:"title"`
	Body              string       `json:"body"`
	Actions           []wireAction `json:"actions"`
	RecommendedAction *string      `json:"recommendedAction"`
	Status            string       `json:"status"`
	CreatedAt         httpx.Time   `json:"createdAt"`
	UpdatedAt         httpx.Time   `json:"updatedAt"`
	RelayID           string       `json:"relayId"`

	Mode           string         `json:"mode"`
	SelectedAction jsontext.Value `json:"selectedAction"`
	ActedAt        httpx.Time     `json:"actedAt"`
	Context        jsontext.Value `json:"context"`
	Rest           jsontext.Value `json:",embed"`
}

type wireAction struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Mode   string `json:"mode"`
	Prompt string `json:"prompt"`

	Rest jsontext.Value `json:",embed"`
}

var boardStatuses = map[string]client.Status{
	"pending": client.Open, "acted": client.Answered, "dismissed": client.Dismissed,
}

// exitOnly is the action that dismisses a board, whatever its prompt and mode.
const exitOnly = "exit_only"

// messages are what the relay sends to the agent, in the person's name, for an action
// that has no prompt of its own, and the mode of the turn where the action has none.
var messages = map[string]struct{ says, mode string }{
	"autopilot":       {"that asks it to implement the approved plan now", "autopilot"},
	"autopilot_fleet": {"that asks it to implement the approved plan now, with autopilot_fleet where that helps", "autopilot"},
	"interactive":     {"that says you approved the plan and want to go through its implementation together", "agent"},
}

// turn is what an action starts.
type turn struct {
	message    string // what the agent gets; empty where nothing is known to be sent
	mode       string // of the turn, as a piece of a sentence
	unattended bool   // nobody attends to it; a name that only nearly says so is taken for it too
}

func (w *wireBoard) turn(a wireAction) (t turn) {
	if a.ID == exitOnly {
		return t
	}
	own := messages[a.ID]
	mode := cmp.Or(a.Mode, own.mode, w.Mode)
	switch {
	case strings.TrimSpace(a.Prompt) != "":
		t.message = " It gets the words below the label, in your name."
	case own.says != "":
		t.message = " It gets a message in your name " + own.says + ", and the plan."
	}
	if mode != "" {
		t.mode = " in the mode " + quote(mode)
	}
	t.unattended = strings.Contains(strings.ToLower(a.ID+" "+mode), "autopilot")
	return t
}

// effect says what an action does, from its id, prompt and mode. Its label is the
// relay's, or an agent's, and may say anything.
func (w *wireBoard) effect(a wireAction) string {
	t := w.turn(a)
	name := "the action " + quote(a.ID) + t.mode
	switch {
	case a.ID == exitOnly:
		return name + ": closes the board without carrying the plan out, as dismissing does"
	case t.unattended && t.message != "":
		return strings.TrimSuffix(name+": starts a turn that nobody attends to, the agent does not ask."+t.message, ".")
	case t.unattended:
		return name + ": by its name it starts a turn that nobody attends to"
	case t.message != "":
		return strings.TrimSuffix(name+": starts the agent."+t.message, ".")
	}
	return name + ": closes the board; no message is known to be sent with it"
}

// confirm is what is asked once more before an action that starts the agent.
func (w *wireBoard) confirm(a wireAction) string {
	t := w.turn(a)
	switch {
	case t.unattended:
		return "This starts a turn that nobody attends to" + t.mode + ": the agent works on and does not ask." + t.message
	case t.message != "":
		return "This starts the agent" + t.mode + "." + t.message
	}
	return ""
}

// readBoard makes an ask of a board: a question whose options are its actions.
func (r *Relay) readBoard(raw jsontext.Value) *client.Ask {
	var w wireBoard
	if why := relays.Decode(raw, &w, &w.ID); why != "" {
		return r.unreadable(raw, fromBoard, why)
	}
	ask := &client.Ask{
		Ref:        client.Ref{Relay: r.name, Session: w.RelayID, ID: w.ID},
		Paired:     w.RelayID,
		Kind:       client.Question,
		KindName:   text.New(w.BoardType),
		Mode:       text.New(w.Mode),
		Status:     boardStatuses[w.Status],
		StatusName: text.New(w.Status),
		Session:    client.Session{ID: w.ConversationID},
		Opened:     w.CreatedAt.Time,
		Questions:  []client.QuestionAsk{w.question()},
		Raw:        raw,
		Private:    private{from: fromBoard, id: w.ID},
	}
	if ask.Status.Closed() {
		ask.Closing = w.closing(ask)
	}
	ask.Extra = w.extra(ask)
	w.offer(ask)
	return ask
}

func (w *wireBoard) question() client.QuestionAsk {
	q := client.QuestionAsk{ID: w.ID, Text: text.New(strings.TrimSpace(w.Title + "\n\n" + w.Body))}
	recommended := ""
	if w.RecommendedAction != nil {
		recommended = *w.RecommendedAction
	}
	for i, a := range w.Actions {
		q.Options = append(q.Options, client.Option{ID: a.ID, Label: text.New(a.Label), Description: text.New(a.Prompt),
			Effect: w.effect(a), Confirm: w.confirm(a)})
		if a.ID == recommended && a.ID != "" && q.Recommended == 0 {
			q.Recommended = i + 1
		}
	}
	if recommended != "" && q.Recommended == 0 {
		q.RecommendedText = text.New(recommended)
	}
	return q
}

// closing tells how a board came to its end. The relay does not say by whom; what
// dismisses a board can be chosen as well.
func (w *wireBoard) closing(ask *client.Ask) *client.Closing {
	c := &client.Closing{At: w.ActedAt.Time}
	if c.At.IsZero() {
		c.At = w.UpdatedAt.Time
	}
	action, told := httpx.String(w.SelectedAction)
	if c.Untold = !told; told {
		c.Given = &client.Answer{Questions: []client.QuestionAnswer{{ID: w.ID, Choices: []string{action}}}}
		c.Answer = ask.AnswerLines(*c.Given)
		c.Given.Dismiss = ask.Status == client.Dismissed
	}
	return c
}

func (w *wireBoard) offer(ask *client.Ask) {
	if relays.Settled(ask) {
		return
	}
	defer func() { ask.Offers = ask.Offers.Shared() }()
	ask.Offers = client.Offered(client.ActAnswer)
	if why := w.unanswerable(); why != "" {
		ask.Offers[client.ActAnswer] = client.Offer{Why: why}
	}
	ask.Offers[client.ActDismiss].Why = "this board cannot be dismissed: choose one of its actions"
	ask.Offers[client.ActDismissMessage].Why = noMessage
	exits := 0
	for _, a := range w.Actions {
		if a.ID == exitOnly {
			exits++
		}
	}
	if exits == 1 { // where two share the id nobody can say what it would do
		ask.Offers[client.ActDismiss] = client.Offer{OK: true, Effect: "closes the board, and the plan is not carried out"}
	}
}

func (w *wireBoard) unanswerable() string {
	if len(w.Actions) == 0 {
		return "the board offers no action: open the session (o) and go on there"
	}
	for i, a := range w.Actions {
		if slices.ContainsFunc(w.Actions[:i], func(b wireAction) bool { return a.ID == b.ID }) {
			return "two of its actions have the same id, so no answer could tell them apart"
		}
	}
	return ""
}

// internalBoard are the relay's own words and ids in the context of a board.
var internalBoard = append([]string{"source"}, append(internalContext, internalCard...)...)

// extra is what the relay sent beside what is read of a board.
func (w *wireBoard) extra(ask *client.Ask) []client.Part {
	var all relays.Extra
	all.Rest("", w.Rest, internalCard...)
	if ask.Status == client.Open {
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
