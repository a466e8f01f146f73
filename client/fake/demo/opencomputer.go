package demo

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-json-experiment/json"

	"askbox/client/fake/opencomputer"
)

// The people of the story.
var (
	ada   = actor{Type: "user", ID: "usr_1", Name: "Ada"}
	grace = actor{Type: "user", ID: "usr_2", Name: "Grace"}
	robot = actor{Type: "agent", ID: "agt_1", Name: "planner"}
)

// actor is a person or an agent, as one kind of relay calls it.
type actor = opencomputer.Actor

// work is the relay of the team, home the one at home.
func work(w *World) error {
	stage, err := startStage(w, Relay{Name: "work"}, opencomputer.Options{})
	if err == nil {
		w.director.engage(stage, workJobs(), 8, 4)
	}
	return err
}

func home(w *World) error {
	stage, err := startStage(w, Relay{Name: "home", Transport: "jsonrpc"}, opencomputer.Options{NoEvents: true})
	if err == nil {
		w.director.engage(stage, homeJobs(), 5, 3)
	}
	return err
}

// laptop is a relay that comes and goes.
func laptop(w *World) error {
	stage, err := startStage(w, Relay{Name: "laptop"}, opencomputer.Options{})
	if err == nil {
		w.director.engage(stage, laptopJobs(), 2, 1)
		w.director.comeAndGo(stage.server)
	}
	return err
}

// attic is a relay that nobody can reach.
func attic(w *World) error {
	stage, err := startStage(w, Relay{Name: "attic"}, opencomputer.Options{})
	if err == nil {
		err = stage.server.Down()
	}
	return err
}

// The rhythm of a relay that comes and goes.
var (
	staying = span{40 * time.Second, 70 * time.Second}
	leaving = span{15 * time.Second, 25 * time.Second}
)

// comeAndGo takes a server down and up again, for ever.
func (d *director) comeAndGo(server *opencomputer.Server) {
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

// stage plays stories on an OpenComputer relay.
type stage struct {
	name   string
	server *opencomputer.Server
}

func startStage(w *World, r Relay, o opencomputer.Options) (*stage, error) {
	o.Users = []opencomputer.User{{Actor: ada, Token: "demo-token-of-" + r.Name}}
	o.Network, o.Keep = w.network(), logged
	server, err := opencomputer.Start(o)
	if err != nil {
		return nil, fmt.Errorf("the demo's relay %s cannot listen: %w", r.Name, err)
	}
	r.Kind, r.URL, r.Token = "opencomputer", server.URL(), server.Token()
	w.add(r, server.Close)
	return &stage{name: r.Name, server: server}, nil
}

func (s *stage) Name() string { return s.name }

// Up reports whether anybody can reach the relay.
func (s *stage) Up() bool { return s.server.Listening() }

func (s *stage) Begin(n Session, at time.Time) string {
	by := map[By]actor{Me: ada, Colleague: grace, Agent: robot}[n.By]
	begun := opencomputer.Session{Title: n.Title, CreatedBy: by, CreatedAt: at.UTC()}
	if n.Parent != "" {
		begun.ParentID = &n.Parent
	}
	return s.server.AddSession(begun)
}

func (s *stage) Open(session string, a Ask, at time.Time) string {
	wire := opencomputer.Ask{OpenedAt: at.UTC().Truncate(time.Millisecond)}
	switch {
	case a.Secret != "":
		wire.Kind, wire.Secret = "secret", &opencomputer.Secret{Name: a.Secret, Description: a.Says}
	case len(a.Questions) > 0:
		wire.Kind, wire.Question = "question", questions(a.Questions)
	default:
		wire.Kind, wire.Approval = "approval", approval(a)
	}
	return s.server.Open(session, wire).Ask
}

func questions(from []Question) *opencomputer.Question {
	out := &opencomputer.Question{}
	for i, q := range from {
		item := opencomputer.QuestionItem{QuestionID: fmt.Sprintf("q%d", i+1), Header: q.Header,
			Question: q.Text, MultiSelect: q.Several, Options: []opencomputer.Option{}}
		for _, o := range q.Options {
			item.Options = append(item.Options, opencomputer.Option{Label: o.Label, Description: o.About})
		}
		out.Questions = append(out.Questions, item)
	}
	return out
}

func approval(a Ask) *opencomputer.Approval {
	tool, input := a.Tool, a.Input
	switch {
	case a.Command != "":
		tool, input = "Bash", opencomputer.BashInput{Command: a.Command, Description: a.Says}
	case a.Edit != nil && a.Edit.Before == "":
		tool, input = "Write", struct {
			FilePath string `json:"file_path"`
			Content  string `json:"content"`
		}{a.Edit.Path, a.Edit.After}
	case a.Edit != nil:
		tool, input = "Edit", opencomputer.EditInput{FilePath: a.Edit.Path, OldString: a.Edit.Before, NewString: a.Edit.After}
	case a.Plan != "":
		tool, input = "ExitPlanMode", opencomputer.PlanInput{Plan: a.Plan}
	}
	// What goes in is written in this package, so that it cannot be encoded is a
	// mistake in here, and an approval with nothing to show is never allowed.
	encoded, _ := json.Marshal(input)
	out := &opencomputer.Approval{ToolName: tool, Input: encoded}
	if a.Rule != "" {
		out.AlwaysAllows = a.Rule
	}
	return out
}

// Elsewhere closes an ask as Grace would in the web, or as the end of a runner does.
func (s *stage) Elsewhere(session, id string, a Ask, chance *rand.Rand) {
	ref := opencomputer.Ref{Session: session, Ask: id}
	switch roll := chance.IntN(10); {
	case roll == 0:
		s.server.Interrupt(actor{}, ref)
	case roll == 1:
		s.server.Decline(grace, ref, "Leave that for now and write the tests first.")
	case roll == 2:
		s.server.DismissAs(grace, ref, "Not needed any more.")
	case a.Secret != "":
		s.server.GiveSecret(grace, ref)
	case len(a.Questions) > 0:
		s.server.AnswerAs(grace, ref, firstChoices(a.Questions))
	case roll < 7:
		s.server.AnswerAs(grace, ref, `{"decision":"allow"}`)
	default:
		s.server.AnswerAs(grace, ref, `{"decision":"deny","message":"Please ask me first."}`)
	}
}

// answers is the body of an answer to questions, as the wire has it.
type answers struct {
	Answers []answerItem `json:"answers"`
}

type answerItem struct {
	QuestionID string   `json:"questionId"`
	Choices    []string `json:"choices"`
	Text       *string  `json:"text"`
}

func firstChoices(from []Question) string {
	var given answers
	for i, q := range from {
		given.Answers = append(given.Answers, answerItem{QuestionID: fmt.Sprintf("q%d", i+1), Choices: []string{q.Options[0].Label}})
	}
	body, _ := json.Marshal(given)
	return string(body)
}

func (s *stage) OnClose(told func(session, id string, o Outcome)) {
	s.server.OnClose(func(a opencomputer.Ask) { told(a.SessionID, a.ID, outcomeOf(a)) })
}

// outcomeOf reads how an ask ended.
func outcomeOf(a opencomputer.Ask) Outcome {
	var given struct {
		Decision string       `json:"decision"`
		Message  string       `json:"message"`
		Answers  []answerItem `json:"answers"`
	}
	_ = json.Unmarshal(a.Answer, &given)
	o := Outcome{Words: given.Message}
	switch {
	case a.Status != "answered" || given.Decision == "deny":
		o.Denied = true
	case given.Decision != "":
		o.Allowed = true
	case len(given.Answers) > 0:
		if first := given.Answers[0]; len(first.Choices) > 0 {
			o.Choice = first.Choices[0]
		}
		if first := given.Answers[0]; first.Text != nil {
			o.Words = *first.Text
		}
	}
	return o
}
