package oar

import (
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
	ActedAt        jsontext.Value `json:"actedAt"`
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

// The actions whose meaning is known, by their ids.
const (
	exitOnly  = "exit_only"
	autopilot = "autopilot"
)

// unattended reports whether an action starts a turn that nobody looks after. A
// name that only nearly says so is taken for it too.
func (a wireAction) unattended() bool {
	return strings.Contains(strings.ToLower(a.ID), autopilot) || strings.Contains(strings.ToLower(a.Mode), autopilot)
}

// leaves reports whether an action does nothing but close the board.
func (a wireAction) leaves() bool {
	return a.ID == exitOnly && !a.unattended() && a.Prompt == ""
}

// effect says what an action does, from its id and mode. Its label is the
// relay's, or an agent's, and may say anything.
func (a wireAction) effect() string {
	name := "the action " + quote(a.ID)
	if a.Mode != "" {
		name += " in the mode " + quote(a.Mode)
	}
	switch {
	case a.unattended():
		return name + ": starts a turn that nobody attends to, the agent does not ask"
	case a.leaves():
		return name + ": closes the board without carrying the plan out, as dismissing does"
	case a.Prompt != "":
		return name + ": sends the agent the words below the label"
	}
	return name
}

func (a wireAction) confirm() string {
	if !a.unattended() {
		return ""
	}
	return "This starts a turn that nobody attends to: the agent works on and does not ask."
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
		Status:     boardStatuses[w.Status],
		StatusName: text.New(w.Status),
		Session:    client.Session{ID: w.ConversationID},
		Opened:     w.CreatedAt.Time,
		Questions:  []client.QuestionAsk{w.question()},
		Raw:        raw,
		Private:    private{from: fromBoard, id: w.ID},
	}
	if ask.Status.Closed() {
		// The relay does not say which action it was, and leaving a board is one too.
		ask.Closing = &client.Closing{At: w.UpdatedAt.Time, Untold: true}
	}
	ask.Mode, ask.Extra = text.New(w.Mode), w.extra(ask)
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
			Effect: a.effect(), Confirm: a.confirm()})
		if a.ID == recommended && a.ID != "" && q.Recommended == 0 {
			q.Recommended = i + 1
		}
	}
	if recommended != "" && q.Recommended == 0 {
		q.RecommendedText = text.New(recommended)
	}
	return q
}

func (w *wireBoard) offer(ask *client.Ask) {
	if relays.Settled(ask) {
		return
	}
	ask.Offers = client.Offered(client.ActAnswer)
	if why := w.unanswerable(); why != "" {
		ask.Offers[client.ActAnswer] = client.Offer{Why: why}
	}
	ask.Offers[client.ActDismiss].Why = "this board cannot be dismissed: choose one of its actions"
	ask.Offers[client.ActDismissMessage].Why = noMessage
	if _, ok := w.exit(); ok {
		ask.Offers[client.ActDismiss] = client.Offer{OK: true, Effect: "closes the board, and the plan is not carried out"}
	}
}

// exit returns the action that dismisses the board. Where two share its id nobody
// can say what it would do.
func (w *wireBoard) exit() (wireAction, bool) {
	var found []wireAction
	for _, a := range w.Actions {
		if a.ID == exitOnly {
			found = append(found, a)
		}
	}
	if len(found) != 1 || !found[0].leaves() {
		return wireAction{}, false
	}
	return found[0], true
}

func (w *wireBoard) unanswerable() string {
	if len(w.Actions) == 0 {
		return "the board offers no action: open the session (o) and go on there"
	}
	seen := map[string]bool{}
	for _, a := range w.Actions {
		if seen[a.ID] {
			return "two of its actions have the same id, so no answer could tell them apart"
		}
		seen[a.ID] = true
	}
	return ""
}
