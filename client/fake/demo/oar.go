package demo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"askbox/client/fake/oar"
)

// studio is an OAR relay, and the one through which the build box is reached:
// that one is not configured itself, so its asks alone come through.
func studio(w *World) error {
	here, err := startOAR(w, "studio")
	if err != nil {
		return err
	}
	box, err := startOAR(w, "build-box")
	if err != nil {
		return err
	}
	here.server.Pair(box.server)
	w.Relays = append(w.Relays, Relay{Name: "studio", Kind: "oar", URL: here.server.URL(), Token: here.server.Token()})
	w.director.engage(here, studioJobs(), 3, 1)
	w.director.engage(box, buildBoxJobs(), 1, 1)
	return nil
}

// oarStage plays stories on an OAR relay.
type oarStage struct{ server *oar.Server }

func startOAR(w *World, name string) (*oarStage, error) {
	server, err := oar.Start(oar.Options{Name: name, Token: "demo-token-of-" + name, Network: w.network(), Keep: logged})
	if err != nil {
		return nil, fmt.Errorf("the demo's relay %s cannot listen: %w", name, err)
	}
	w.closers = append(w.closers, server.Close)
	return &oarStage{server}, nil
}

func (s *oarStage) Name() string { return s.server.Name() }

// Up reports whether anybody can reach the relay.
func (s *oarStage) Up() bool { return s.server.Listening() }

func (s *oarStage) Begin(n Session, at time.Time) string {
	begun := oar.Conversation{Title: n.Title, CreatedAt: at.UTC()}
	if n.By == Agent {
		begun.Origin = &oar.Origin{Kind: "agent", RelayName: s.server.Name(), ConversationID: n.Parent,
			ConversationTitle: "Plan of the week", Provider: "claude-code", Model: "opus", Local: true}
	}
	return s.server.AddConversation(begun)
}

func (s *oarStage) Open(session string, a Ask, at time.Time) string {
	at = at.UTC()
	switch {
	case a.GoesOn:
		return s.server.OpenAsk(session, inboxAsk(a, at))
	case a.Plan != "":
		return s.server.OpenBoard(session, oar.Board{BoardType: "plan_ready", Title: "Plan ready", Body: a.Plan,
			Actions: oar.PlanActions(), CreatedAt: at})
	}
	c := card(a)
	c.CreatedAt = at
	return s.server.OpenCard(session, c)
}

// inboxAsk is an ask with which the session goes on.
func inboxAsk(a Ask, at time.Time) oar.Ask {
	q := a.Questions[0]
	out := oar.Ask{Question: q.Text, Options: labels(q), CreatedAt: at}
	if q.Recommended > 0 {
		out.Recommended = &out.Options[q.Recommended-1]
	}
	if a.Detail != "" {
		out.Detail = &a.Detail
	}
	if a.Urgent {
		out.Urgency = "now"
	}
	return out
}

// card is what a session waits on.
func card(a Ask) oar.Card {
	switch {
	case a.Form != "":
		return oar.Card{Prompt: a.Says, RequestSchema: []byte(a.Form), Context: oar.Context{Source: "elicitation"}}
	case len(a.Questions) > 0:
		q := a.Questions[0]
		return oar.Card{Prompt: prompt(q), Choices: labels(q), AllowFreeform: true,
			Context: oar.Context{Source: oar.AskUserQuestion, Header: q.Header, MultiSelect: q.Several}}
	case a.Edit != nil:
		return oar.Card{Prompt: "Claude Cloud asks for permission to use Write.\n\n" + a.Edit.Path + "\n\n" + a.Edit.After,
			Choices: []string{"Allow", "Deny"}, Context: oar.Context{Source: oar.ClaudeCloudPermission, Rationale: a.Says}}
	}
	return oar.Card{Prompt: "Copilot wants to run:\n" + a.Command + "\n\nApprove this action?", AllowFreeform: true,
		Choices: []string{"Approve", "Deny"}, Context: oar.Context{Source: oar.OnPermissionRequest, Rationale: a.Says}}
}

// prompt has the descriptions of the options in it, because choices have none.
func prompt(q Question) string {
	var out strings.Builder
	out.WriteString(q.Text)
	for i, o := range q.Options {
		if o.Description == "" {
			continue
		}
		if i == 0 {
			out.WriteString("\n")
		}
		out.WriteString("\n- " + o.Label + ": " + o.Description)
	}
	return out.String()
}

func labels(q Question) []string {
	out := make([]string, len(q.Options))
	for i, o := range q.Options {
		out[i] = o.Label
	}
	return out
}

// Elsewhere closes an ask as a person at the relay's own page would, or its agent.
func (s *oarStage) Elsewhere(_, id string, a Ask, chance *rand.Rand) {
	again := chance.IntN(4) == 0
	switch {
	case a.GoesOn && again:
		s.server.Withdraw(id)
	case a.GoesOn:
		s.server.AnswerAsk(id, a.Questions[0].Options[0].Label, "phone")
	case a.Plan != "" && again:
		s.server.DismissBoard(id)
	case a.Plan != "":
		s.server.ActOnBoard(id, "interactive")
	case again, a.Form != "":
		s.server.Cancel(id)
	default:
		if c, ok := s.server.Card(id); ok {
			s.server.AnswerCard(id, c.Choices[0])
		}
	}
}

func (s *oarStage) OnClose(told func(session, id string, o Outcome)) {
	s.server.OnClose(func(e oar.End) { told(e.Conversation, e.ID, s.outcome(e)) })
}

// outcome reads how a card, a board or an ask ended.
func (s *oarStage) outcome(e oar.End) Outcome {
	if e.Kind == "board" {
		allowed := e.Answer == "interactive" || e.Answer == "autopilot"
		return Outcome{Allowed: allowed, Denied: !allowed}
	}
	if e.Status != "answered" {
		return Outcome{Denied: true}
	}
	c, ok := s.server.Card(e.ID)
	switch {
	case ok && c.IsApproval() && e.Approved:
		return Outcome{Allowed: true}
	case ok && c.IsApproval() && e.Answer == "Deny":
		return Outcome{Denied: true}
	case ok && c.IsApproval():
		return Outcome{Denied: true, Words: e.Answer}
	case ok && !slices.Contains(c.Choices, e.Answer):
		return Outcome{Words: e.Answer}
	}
	return Outcome{Choice: e.Answer}
}
