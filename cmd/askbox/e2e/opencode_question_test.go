//go:build unix

package e2e

import (
	"strings"

	bed "askbox/cmd/askbox/e2e/opencodebed"
)

var (
	askDatabase = bed.Question{Question: "Which database should the service use?", Header: "Database",
		Options: []bed.Option{{Label: "PostgreSQL", Description: "One more server"}, {Label: "SQLite", Description: "A file"}}}
	askPlatforms = bed.Question{Question: "Which platforms?", Header: "Platforms", Multiple: true,
		Options: []bed.Option{{Label: "linux/amd64", Description: "The servers"}, {Label: "linux/arm64", Description: ""}, {Label: "darwin/arm64", Description: "The laptops"}}}
	askName = bed.Question{Question: "What should the command be called?", Header: "Name", Options: []bed.Option{}}
)

// opencodeQuestions are the stories of questions.
var opencodeQuestions = map[string]func(*realServer){
	"one choice": opencodeOneChoice, "several choices": opencodeSeveralChoices, "own words": opencodeOwnWords,
	"several questions": opencodeSeveralQuestions, "a question left out": opencodeLeftOut,
}

// opencodeDismissal is what Kilo does in another way.
var opencodeDismissal = map[string]func(*realServer){"dismiss": opencodeDismiss}

// sends sends the answer that is being made, over its summary where there is one.
func (s *story) sends() *story {
	s.Helper()
	const summary, sent = "enter sends them", "All 0"
	s.decide("enter")
	if err := s.Wait(limit, func(screen string) bool { return strings.Contains(screen, summary) || strings.Contains(screen, sent) }); err != nil {
		s.Fatal(err)
	}
	if strings.Contains(s.Screen(), summary) {
		s.decide("enter")
	}
	return s
}

func opencodeOneChoice(r *realServer) {
	turn := r.asks(bed.Task{Title: "Storage", Steps: bed.Steps(bed.Ask(askDatabase))})
	s := r.open().see("Which database should the service use?", "Question · the session waits", "PostgreSQL", "One more server", "Storage")
	s.decide("2").see("2 (x)").sends()
	if told := r.told(turn, 1); !strings.Contains(told, `"Which database should the service use?"="SQLite".`) {
		r.Errorf("the model was told %q", told)
	}
	s.see("All 0")
}

func opencodeSeveralChoices(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Ask(askPlatforms))})
	s := r.open().see("Which platforms?").decide("3").press("1").see("1 [x]", "2 [ ]", "3 [x]").sends()
	if told := r.told(turn, 1); !strings.Contains(told, `"Which platforms?"="linux/amd64, darwin/arm64".`) {
		r.Errorf("the model was told %q", told)
	}
	s.see("All 0")
}

func opencodeOwnWords(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Ask(askName))})
	s := r.open().see("What should the command be called?").decide("t").write("ask, and \"box\"").sends()
	if told := r.told(turn, 1); !strings.Contains(told, `"What should the command be called?"="ask, and "box"".`) {
		r.Errorf("the model was told %q", told)
	}
	s.see("All 0")
}

// opencodeSeveralQuestions points out what is left unanswered, and keeps the
// answers at their questions.
func opencodeSeveralQuestions(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Ask(askDatabase, askPlatforms, askName))})
	s := r.open().see("Which database", "Which platforms?", "be called?").decide("1").see("1 (x)")
	s.decide("enter").press("2").see("2 [x]").decide("enter").see("enter shows your answers").write("box").see("box").sends()
	if told := r.told(turn, 1); !strings.Contains(told, `"Which database should the service use?"="PostgreSQL", "Which platforms?"="linux/arm64", "What should the command be called?"="box".`) {
		r.Errorf("the model was told %q", told)
	}
	s.see("All 0")
}

// opencodeLeftOut says which question has no answer before it is sent.
func opencodeLeftOut(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Ask(askDatabase, askPlatforms))})
	s := r.open().see("Which database", "Which platforms?").decide("1").see("1 (x)")
	s.decide("enter").decide("enter").see("Your answers:", "2. left out").decide("enter")
	if told := r.told(turn, 1); !strings.Contains(told, `"Which database should the service use?"="PostgreSQL", "Which platforms?"="Unanswered".`) {
		r.Errorf("the model was told %q", told)
	}
	s.see("All 0")
}

// opencodeDismiss is the server's reject: the turn ends.
func opencodeDismiss(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Ask(askDatabase))})
	s := r.open().see("Which database should the service use?").decide("x")
	if n := r.over(turn); n != 0 {
		r.Errorf("the model was told %d results", n)
	}
	s.see("dismissed", "All 0")
}

func opencodeSecondQuestion(r *realServer) {
	turn := r.asks(bed.Task{Second: true, Steps: bed.Steps(bed.Ask(askDatabase))})
	s := r.open().see("Which database should the service use?").decide("1").see("1 (x)").sends()
	if told := r.told(turn, 1); !strings.Contains(told, `"Which database should the service use?"="PostgreSQL".`) {
		r.Errorf("the model was told %q", told)
	}
	s.see("All 0")
}
