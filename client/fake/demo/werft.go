package demo

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-json-experiment/json"

	"askbox/client/fake"
	"askbox/client/fake/werft"
)

// releases is a Werft relay.
func releases(w *World) error {
	const name = "releases"
	key := werft.Key{Token: "demo-token-of-" + name, Actor: actorOf(ada)}
	server, err := werft.Start(werft.Options{Keys: []werft.Key{key}, Network: w.network(), Keep: logged})
	if err != nil {
		return fmt.Errorf("the demo's relay %s cannot listen: %w", name, err)
	}
	w.add(Relay{Name: name, Kind: "werft", URL: server.URL(), Token: server.Token()}, server.Close)
	w.director.engage(&werftStage{server}, releaseJobs(), 3, 1)
	return nil
}

func actorOf(a fake.Actor) werft.Actor { return werft.Actor{Type: a.Type, ID: a.ID, Name: a.Name} }

// werftStage plays stories on a Werft relay.
type werftStage struct{ server *werft.Server }

func (s *werftStage) Name() string { return "releases" }

// Up reports whether anybody can reach the relay.
func (s *werftStage) Up() bool { return s.server.Listening() }

func (s *werftStage) Begin(n Session, at time.Time) string {
	by := actorOf(map[By]fake.Actor{Me: ada, Colleague: grace, Agent: robot}[n.By])
	return s.server.AddSession(werft.Session{Title: n.Title, CreatedBy: by, CreatedAt: at.UTC()})
}

func (s *werftStage) Open(session string, a Ask, at time.Time) string {
	r := werft.Request{Kind: "question", CreatedAt: at.UTC().Truncate(time.Second)}
	for i, q := range a.Questions {
		asked := werft.Question{ID: fmt.Sprintf("q_%d", i+1), Header: q.Header, Prompt: q.Text, MultiSelect: q.Several,
			Options: werft.Labels(labels(q)...)}
		for j, o := range q.Options {
			asked.Options[j].Description = o.Description
		}
		r.Questions = append(r.Questions, asked)
	}
	if len(a.Questions) == 0 {
		r.Kind, r.ProposedRemember = "permission", a.Rule
		r.Tool, r.Input = a.ToolCall()
	}
	return s.server.Open(session, r).Request
}

// Elsewhere closes an ask as Grace would in Slack or in the web, or as its turn does.
func (s *werftStage) Elsewhere(session, id string, a Ask, chance *rand.Rand) {
	ref := werft.Ref{Session: session, Request: id}
	surface := []string{"slack", "web"}[chance.IntN(2)]
	switch roll := chance.IntN(6); {
	case roll == 0:
		s.server.MoveOn(ref)
	case len(a.Questions) > 0:
		s.server.AnswerAs(actorOf(grace), surface, ref, `{"answers":[{"question_id":"q_1","selected_option_ids":["o_1"]}]}`)
	case roll < 4:
		s.server.AnswerAs(actorOf(grace), surface, ref, `{"action":"allow"}`)
	default:
		s.server.AnswerAs(actorOf(grace), surface, ref, `{"action":"deny","reason":"Not before the freeze is over."}`)
	}
}

func (s *werftStage) OnClose(told func(session, id string, o Outcome)) {
	s.server.OnClose(func(e werft.End) { told(e.Session, e.Request, s.outcome(e)) })
}

// outcome reads how a request ended.
func (s *werftStage) outcome(e werft.End) Outcome {
	var given struct {
		Action  string `json:"action"`
		Reason  string `json:"reason"`
		Answers []struct {
			Selected []string `json:"selected_option_ids"`
			Text     string   `json:"free_text"`
		} `json:"answers"`
	}
	_ = json.Unmarshal([]byte(e.Answer), &given)
	o := Outcome{Words: given.Reason}
	switch {
	case e.How != "answered" || given.Action == "deny":
		o.Denied = true
	case given.Action == "allow":
		o.Allowed = true
	case len(given.Answers) > 0:
		o.Words = given.Answers[0].Text
		if selected := given.Answers[0].Selected; len(selected) > 0 {
			o.Choice = s.label(e.Ref, selected[0])
		}
	}
	return o
}

// label returns the label of an option of a request's first question.
func (s *werftStage) label(ref werft.Ref, option string) string {
	r, _ := s.server.Request(ref)
	for _, q := range r.Questions[:min(1, len(r.Questions))] {
		for _, o := range q.Options {
			if o.ID == option {
				return o.Label
			}
		}
	}
	return ""
}
