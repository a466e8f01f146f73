package demo

import (
	"math/rand/v2"
	"time"

	"askbox/client/fake"
)

// Stage is a relay that stories are played on, whatever its kind. The director
// calls its methods from one goroutine.
type Stage interface {
	// Name tells the stages apart.
	Name() string
	// Begin begins a session at a time and returns its id.
	Begin(s Session, at time.Time) (id string)
	// Open opens an ask and returns its id. The time may lie in the past.
	Open(session string, a Ask, at time.Time) (id string)
	// Elsewhere closes an ask in the way somebody else would, elsewhere.
	Elsewhere(session, id string, a Ask, chance *rand.Rand)
	// OnClose tells of every ask that closes, from any goroutine.
	OnClose(told func(session, id string, o Outcome))
	// Up reports whether the relay can be reached; agents of one that cannot be
	// keep quiet.
	Up() bool
}

// By is who started a session.
type By int

// The starters: the person whose token the demo uses, a colleague, or an agent.
const (
	Me By = iota
	Colleague
	Agent
)

// Session is what a session is begun with.
type Session struct {
	Title  string
	By     By
	Parent string // the id of the session that started it; empty for none
	Folder string
}

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

// Outcome is how an ask ended.
type Outcome struct {
	// Allowed and Denied are for approvals. A dismissal or an interrupt denies.
	Allowed, Denied bool
	// Choice is the first label that was chosen.
	Choice string
	// Words is what was typed: a reason, a message or an answer.
	Words string
}

// Scene is one ask of a story, with what follows from its answer at once. With
// nothing to follow, the story goes on with its next scene in its own time.
type Scene struct {
	Ask
	OnAllow, OnDeny *Scene
	OnChoice        map[string]*Scene
}

// after returns the scene that follows from an outcome; nil for none.
func (s *Scene) after(o Outcome) *Scene {
	next := s.OnChoice[o.Choice]
	switch {
	case o.Allowed:
		next = s.OnAllow
	case o.Denied:
		next = s.OnDeny
	}
	if next == nil || o.Words == "" || next.Command == "" {
		return next
	}
	// Agents that were given a reason show that they have read it.
	quoted := *next
	quoted.Says = next.Says + " (you wrote: " + o.Words + ")"
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
