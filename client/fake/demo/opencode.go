package demo

import (
	"fmt"
	"math/rand/v2"
	"time"

	"askbox/client/fake/opencode"
)

// lab is an opencode server.
func lab(w *World) error {
	const name = "lab"
	server, err := opencode.Start(opencode.Options{Password: "demo-token-of-" + name, Root: "/srv/lab",
		Network: w.network(), Keep: logged})
	if err != nil {
		return fmt.Errorf("the demo's relay %s cannot listen: %w", name, err)
	}
	w.add(Relay{Name: name, Kind: "opencode", URL: server.URL(), Token: server.Token(), User: server.User()}, server.Close)
	w.director.engage(&labStage{server}, labJobs(), 3, 1)
	return nil
}

// labStage plays stories on an opencode server.
type labStage struct{ server *opencode.Server }

func (s *labStage) Name() string { return "lab" }

// Up reports whether anybody can reach the server.
func (s *labStage) Up() bool { return s.server.Listening() }

func (s *labStage) Begin(n Session, at time.Time) string {
	return s.server.AddSession(opencode.Session{Title: n.Title, Folder: n.Folder, Parent: n.Parent, Updated: at})
}

func (s *labStage) Open(session string, a Ask, at time.Time) string {
	switch {
	case a.Command != "":
		return s.server.BashAt(session, a.Command, a.Says, at)
	case a.Edit != nil:
		return s.server.EditAt(session, a.Edit.Path, a.Edit.Before, a.Edit.After, at)
	case len(a.Questions) == 0:
		return s.server.Permit(session, opencode.Permission{Permission: a.Tool, Patterns: []string{a.Rule}, Always: []string{a.Rule},
			Metadata: a.Input, Call: opencode.Call{Input: a.Input}, At: at})
	}
	var asked []opencode.Question
	for _, q := range a.Questions {
		one := opencode.Question{Question: q.Text, Header: q.Header, Multiple: q.Several}
		for _, o := range q.Options {
			one.Options = append(one.Options, opencode.Option{Label: o.Label, Description: o.Description})
		}
		asked = append(asked, one)
	}
	return s.server.AskAt(session, at, asked...)
}

// Elsewhere closes an ask as somebody would who sits at the same server, or
// aborts its turn, which leaves a ghost.
func (s *labStage) Elsewhere(session, id string, a Ask, chance *rand.Rand) {
	switch roll := chance.IntN(6); {
	case roll == 0:
		s.server.Abort(session)
	case len(a.Questions) > 0:
		s.server.Answer(id, []string{a.Questions[0].Options[0].Label})
	case roll < 4:
		s.server.Reply(id, "once", "")
	default:
		s.server.Reply(id, "reject", "Not on this machine.")
	}
}

func (s *labStage) OnClose(told func(session, id string, o Outcome)) {
	s.server.OnClose(func(a opencode.Ask) { told(a.Session, a.ID, labOutcome(a)) })
}

// labOutcome reads how an ask ended.
func labOutcome(a opencode.Ask) Outcome {
	switch {
	case a.State == opencode.Replied && a.Reply != "reject":
		return Outcome{Allowed: true}
	case a.State != opencode.Answered:
		return Outcome{Denied: true, Words: a.Message}
	case len(a.Answers) == 0 || len(a.Answers[0]) == 0:
		return Outcome{}
	}
	first := a.Answers[0][0]
	for _, o := range a.Questions[0].Options {
		if o.Label == first {
			return Outcome{Choice: first}
		}
	}
	return Outcome{Words: first}
}
