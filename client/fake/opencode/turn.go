package opencode

import (
	"strings"

	"askbox/client/fake"
)

// What the tools of the first engine say when they did not run, and those of the
// second, which never say the reason of a rejection.
const (
	rejectedWords    = "The user rejected permission to use this specific tool call."
	dismissedWords   = "The user dismissed this question"
	abortedWords     = "Tool execution aborted"
	interruptedWords = "Tool execution interrupted"
)

// opened tells of an ask, with which its session is at work.
func (s *Server) opened(st *fake.State, a *fake.Ask) {
	n := st.Session(a.Session)
	if !workOf(n).busy {
		workOf(n).busy = true
		s.tellStatus(st, n, "busy")
	}
	s.tell(st, n, kind(n.Engine, a)+".asked", wireAsk(n.Engine, a))
}

// tellStatus tells whether a turn runs. The second engine does not.
func (s *Server) tellStatus(st *fake.State, n *fake.Session, status string) {
	if n.Engine == 1 {
		s.tell(st, n, "session.status", object{"sessionID": n.ID, "status": object{"type": status}})
	}
}

// endTurn ends the turn of a session, for a reason where it did not end by itself.
func (s *Server) endTurn(st *fake.State, n *fake.Session, why string) {
	if !workOf(n).busy {
		return
	}
	workOf(n).busy = false
	if n.Engine == 1 && why != "" {
		s.tell(st, n, "session.error", object{"sessionID": n.ID, "error": object{"name": why, "data": object{"message": "Aborted"}}})
	}
	s.tellStatus(st, n, "idle")
	if n.Engine == 1 {
		s.tell(st, n, "session.idle", object{"sessionID": n.ID})
	}
}

// finish ends a tool call. One that was aborted stays as it is.
func (c *call) finish(st *fake.State, status, words string) {
	if c.status == "running" {
		c.status, c.output, c.end = status, words, st.Now
	}
}

// closed does what follows from the end of an ask.
func (s *Server) closed(st *fake.State, a *fake.Ask) {
	n, c := st.Session(a.Session), callOf(a)
	switch {
	case a.End.How == lost:
	case a.End.How == fake.Interrupted:
		s.interrupted(st, n, a)
	case len(a.Questions) > 0:
		s.answered(st, n, a)
	case a.End.Decision == "allow" || a.End.Decision == "always":
		// A ghost's edit changes the file, although its call stays aborted. A ghost's
		// command does not run.
		c.ran = !c.ghost || c.permission == "edit"
		c.finish(st, "completed", "done: "+c.permission)
		s.tellReplied(st, n, a)
	default:
		s.denied(st, n, a)
	}
	c.ghost = a.End.How == fake.Interrupted && n.Engine == 1
}

// interrupted ends the turn of an ask, without an event that says so.
func (s *Server) interrupted(st *fake.State, n *fake.Session, a *fake.Ask) {
	words := abortedWords
	if n.Engine == 2 {
		words = interruptedWords
	}
	callOf(a).finish(st, "error", words)
	if len(n.Open()) == 0 {
		s.endTurn(st, n, "MessageAbortedError")
	}
}

// tellReplied tells how an ask was answered: not by whom, nor with which message.
func (s *Server) tellReplied(st *fake.State, n *fake.Session, a *fake.Ask) {
	properties, verb := object{"sessionID": n.ID, "requestID": a.ID}, ".replied"
	switch {
	case len(a.Questions) == 0:
		properties["reply"] = map[string]string{"allow": "once", "always": "always"}[a.End.Decision]
		if properties["reply"] == "" {
			properties["reply"] = "reject"
		}
	case a.End.How == fake.Answered:
		properties["answers"] = a.End.Choices
	default:
		verb = ".rejected"
	}
	s.tell(st, n, kind(n.Engine, a)+verb, properties)
}

// answered tells the model the answers to its questions; a rejection ends the turn.
func (s *Server) answered(st *fake.State, n *fake.Session, a *fake.Ask) {
	c := callOf(a)
	if a.End.How != fake.Answered {
		c.finish(st, "error", dismissedWords)
		s.tellReplied(st, n, a)
		if !c.ghost {
			s.endTurn(st, n, "")
		}
		return
	}
	if len(a.End.Choices) == 0 && a.End.Words != "" {
		a.End.Choices = [][]string{{a.End.Words}}
	}
	var pairs []string
	for i, q := range a.Questions {
		answer := "Unanswered"
		if i < len(a.End.Choices) && len(a.End.Choices[i]) > 0 {
			answer = strings.Join(a.End.Choices[i], ", ")
		}
		pairs = append(pairs, `"`+q.Text+`"="`+answer+`"`)
	}
	c.ran = true
	c.finish(st, "completed", "User has answered your questions: "+strings.Join(pairs, ", ")+". You can now continue with the user's answers in mind.")
	s.tellReplied(st, n, a)
}

// denied rejects a permission and all others of its session. The turn ends, unless
// there was a message and no other ask.
func (s *Server) denied(st *fake.State, n *fake.Session, a *fake.Ask) {
	c := callOf(a)
	words := rejectedWords
	if a.End.Words != "" {
		words = strings.TrimSuffix(words, ".") + " with the following feedback: " + a.End.Words
	}
	if n.Engine == 2 {
		words = interruptedWords
	}
	c.finish(st, "error", words)
	s.tellReplied(st, n, a)
	if c.along {
		return
	}
	goesOn := a.End.Words != ""
	for _, other := range pending(st, n) {
		if other != a && len(other.Questions) == 0 {
			goesOn = false
			callOf(other).along = true
			s.end(st, other, fake.End{How: fake.Answered, Answer: fake.Deny("")})
		}
	}
	if !goesOn && !c.ghost {
		s.endTurn(st, n, "")
	}
}

// end ends an ask, also one that is a ghost.
func (s *Server) end(st *fake.State, a *fake.Ask, e fake.End) {
	if callOf(a).ghost {
		a.End = fake.End{}
	}
	st.End(a, e)
}

// pending returns what is listed of a session, ghosts included, oldest first.
func pending(st *fake.State, n *fake.Session) (out []*fake.Ask) {
	for _, a := range st.Asks {
		if a.Session == n.ID && (a.Open() || callOf(a).ghost) {
			out = append(out, a)
		}
	}
	return out
}
