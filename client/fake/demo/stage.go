package demo

import (
	"math/rand/v2"
	"time"

	"askbox/client/fake"
)

// The asks of a story are in the words of the store.
type (
	Ask      = fake.Ask
	Edit     = fake.Edit
	Question = fake.Question
)

// options makes options of labels, each with its description behind it.
func options(pairs ...string) []fake.Option {
	var out []fake.Option
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, fake.Option{Label: pairs[i], Description: pairs[i+1]})
	}
	return out
}

// By is who started a session.
type By int

// The starters: the person whose token the demo uses, a colleague, or an agent.
const (
	Me By = iota
	Colleague
	Agent
)

// Scene is one ask of a story, with what follows from its answer at once. With
// nothing to follow, the story goes on with its next scene in its own time.
type Scene struct {
	Ask
	OnAllow, OnDeny *Scene
	OnChoice        map[string]*Scene
}

// after returns the scene that follows from an end; nil for none.
func (s *Scene) after(e fake.End) *Scene {
	next := s.OnChoice[e.First()]
	switch {
	case e.How != fake.Answered || e.Decision == "deny":
		next = s.OnDeny
	case e.Decision != "":
		next = s.OnAllow
	}
	if next == nil || e.Words == "" || next.Command == "" {
		return next
	}
	// Agents that were given a reason show that they have read it.
	quoted := *next
	quoted.Says = next.Says + " (you wrote: " + e.Words + ")"
	return &quoted
}

// Job is the story of one session. Jobs with one title share their session.
type Job struct {
	Title  string
	By     By
	Parent string // the title of the job whose session started this one
	Folder string
	Scenes []Scene
}

// stage is a relay that stories are played on, whatever its kind.
type stage struct {
	*fake.Store
	name string
}

// begin begins the session of a job at a time.
func (s *stage) begin(j *Job, parent string, at time.Time) string {
	by := map[By]fake.Actor{Me: ada, Colleague: grace, Agent: robot}[j.By]
	return s.AddSession(fake.Session{Title: j.Title, CreatedBy: by, Parent: parent, Folder: j.Folder, CreatedAt: at.UTC()})
}

// open opens an ask at a time, which may lie in the past.
func (s *stage) open(session string, a Ask, at time.Time) fake.Ref {
	a.OpenedAt = at.UTC().Truncate(time.Millisecond)
	return s.Open(session, a)
}

// elsewhere closes an ask as Grace would on the relay's own page, or as the end
// of its turn does.
func (s *stage) elsewhere(ref fake.Ref, a Ask, chance *rand.Rand) {
	switch roll := chance.IntN(10); {
	case roll == 0 || a.Form != "":
		s.Interrupt(ref)
	case roll == 1:
		s.End(ref, fake.End{How: fake.Declined, By: grace, Answer: fake.Answer{Words: "Leave that for now and write the tests first."}})
	case roll == 2 || roll > 6 && a.Plan != "":
		s.DismissAs(grace, ref, "Not needed any more.")
	case len(a.Questions) > 0:
		var given fake.Answer
		for _, q := range a.Questions {
			given.Choices = append(given.Choices, []string{q.Options[0].Label})
		}
		s.AnswerAs(grace, ref, given)
	case roll > 6:
		s.AnswerAs(grace, ref, fake.Deny("Please ask me first."))
	default:
		s.AnswerAs(grace, ref, fake.Allow)
	}
}
