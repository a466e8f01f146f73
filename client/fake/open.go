package fake

import "github.com/go-json-experiment/json/jsontext"

// Open opens an ask in a session. What is not set is filled in.
func (s *Store) Open(session string, a Ask) Ref { return s.open(session, a, nil) }

// Raw opens an ask that is sent exactly as given while it is open, whether it is
// right or not: with doubled keys, unknown kinds, odd times, or null. It has to be
// one JSON value, or the whole page would not be JSON; for that there is [Rewrite].
// What a holds says how answers to it are checked.
func (s *Store) Raw(session string, a Ask, raw string) Ref {
	return s.open(session, a, MustBeJSON(raw))
}

func (s *Store) open(session string, a Ask, raw jsontext.Value) (ref Ref) {
	s.Do(func(st *State) { ref = st.open(session, a, raw).Ref() })
	return ref
}

// Approve asks for a tool. The rule is what "always" would allow; empty where it
// is not offered.
func (s *Store) Approve(session, tool string, input any, rule string) Ref {
	return s.Open(session, Ask{Tool: tool, Input: input, Rule: rule})
}

// Bash asks to run a command; "always" would allow exactly that command.
func (s *Store) Bash(session, command, description string) Ref {
	return s.Open(session, Ask{Command: command, Says: description, Rule: "Bash(" + command + ")"})
}

// Edit asks to change a file. "always" is not offered.
func (s *Store) Edit(session, path, before, after string) Ref {
	return s.Open(session, Ask{Edit: &Edit{path, before, after}})
}

// Plan asks to carry out a plan.
func (s *Store) Plan(session, plan string) Ref { return s.Open(session, Ask{Plan: plan}) }

// Choice asks one question, of whose options one may be chosen.
func (s *Store) Choice(session, question string, labels ...string) Ref {
	return s.Questions(session, Question{Header: "Question", Text: question, Options: Labels(labels...)})
}

// Questions asks one or several questions at once.
func (s *Store) Questions(session string, questions ...Question) Ref {
	return s.Open(session, Ask{Questions: questions})
}

// AskSecret asks for a secret.
func (s *Store) AskSecret(session, name, description string) Ref {
	return s.Open(session, Ask{Secret: name, Says: description})
}
