package demo

import (
	"fmt"
	"math/rand/v2"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// The people of the story.
var (
	ada   = fake.Actor{Type: "user", ID: "usr_1", Name: "Ada"}
	grace = fake.Actor{Type: "user", ID: "usr_2", Name: "Grace"}
	robot = fake.Actor{Type: "agent", ID: "agt_1", Name: "planner"}
)

// work is the relay of the team, home the one at home.
func work(w *World) error {
	stage, err := startOpenComputer(w, Relay{Name: "work"}, opencomputer.Options{})
	if err == nil {
		w.director.engage(stage, workJobs(), 8, 4)
	}
	return err
}

func home(w *World) error {
	stage, err := startOpenComputer(w, Relay{Name: "home", Transport: "jsonrpc"}, opencomputer.Options{NoEvents: true})
	if err == nil {
		w.director.engage(stage, homeJobs(), 5, 3)
	}
	return err
}

// laptop is a relay that comes and goes.
func laptop(w *World) error {
	stage, err := startOpenComputer(w, Relay{Name: "laptop"}, opencomputer.Options{})
	if err == nil {
		w.director.engage(stage, laptopJobs(), 2, 1)
		w.director.comeAndGo(stage.Server)
	}
	return err
}

// attic is a relay that nobody can reach.
func attic(w *World) error {
	stage, err := startOpenComputer(w, Relay{Name: "attic"}, opencomputer.Options{})
	if err == nil {
		err = stage.Down()
	}
	return err
}

func startOpenComputer(w *World, r Relay, o opencomputer.Options) (*stage, error) {
	o.Keys = []fake.Key{{Actor: ada, Token: "demo-token-of-" + r.Name}}
	o.Network, o.Keep = w.network(), logged
	server, err := opencomputer.Start(o)
	if err != nil {
		return nil, fmt.Errorf("the demo's relay %s cannot listen: %w", r.Name, err)
	}
	r.Kind, r.URL, r.Token = "opencomputer", server.URL(), server.Token()
	w.add(r, server.Close)
	return &stage{Store: server.Store, name: r.Name}, nil
}

// The rhythm of a relay that comes and goes.
var (
	staying = span{40 * time.Second, 70 * time.Second}
	leaving = span{15 * time.Second, 25 * time.Second}
)

// comeAndGo takes a server down and up again, for ever.
func (d *director) comeAndGo(server *fake.Server) {
	var leave, come func(time.Time)
	leave = func(now time.Time) {
		_ = server.Down()
		d.later(now, leaving, come)
	}
	come = func(now time.Time) {
		if err := server.Up(); err != nil {
			// Its port is taken: it stays away, which is what it is there to show.
			return
		}
		d.later(now, staying, leave)
	}
	d.later(time.Now(), staying, leave)
}

// stage plays stories on a relay of any kind.
type stage struct {
	*fake.Store
	name string
}

func (s *stage) Name() string { return s.name }

// Up reports whether anybody can reach the relay.
func (s *stage) Up() bool { return s.Listening() }

func (s *stage) Begin(n Session, at time.Time) string {
	by := map[By]fake.Actor{Me: ada, Colleague: grace, Agent: robot}[n.By]
	return s.AddSession(fake.Session{Title: n.Title, CreatedBy: by, Parent: n.Parent, Folder: n.Folder, CreatedAt: at.UTC()})
}

func (s *stage) Open(session string, a Ask, at time.Time) string {
	a.OpenedAt = at.UTC().Truncate(time.Millisecond)
	return s.Store.Open(session, a).Ask
}

// Elsewhere closes an ask as Grace would on the relay's own page, or as the end
// of its turn does.
func (s *stage) Elsewhere(session, id string, a Ask, chance *rand.Rand) {
	ref := fake.Ref{Session: session, Ask: id}
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

func (s *stage) OnClose(told func(session, id string, o Outcome)) {
	s.Store.OnClose(func(a fake.Ask) { told(a.Session, a.ID, outcomeOf(a)) })
}

// outcomeOf reads how an ask ended.
func outcomeOf(a fake.Ask) Outcome {
	o := Outcome{Words: a.End.Words, Choice: a.End.First()}
	switch {
	case a.End.How != fake.Answered || a.End.Decision == "deny":
		o.Denied = true
	case a.End.Decision != "":
		o.Allowed = true
	}
	return o
}
