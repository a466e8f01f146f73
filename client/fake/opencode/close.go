package opencode

import "slices"

// What the tools of the first engine say when they did not run.
const (
	rejectedWords  = "The user rejected permission to use this specific tool call."
	feedbackWords  = "The user rejected permission to use this specific tool call with the following feedback: "
	dismissedWords = "The user dismissed this question"
	abortedWords   = "Tool execution aborted"
)

// What the tools of the second engine say: the reason of a rejection is in none
// of it, and so never gets to the model.
const (
	interruptedWords = "Tool execution interrupted"
	unableWords      = "Unable to execute command"
)

// Reply answers a permission as somebody else would who uses the same server. It
// reports false where it is not pending. reply is once, always or reject.
func (s *Server) Reply(id, reply, message string) bool {
	s.mu.Lock()
	defer s.unlock()
	a := s.byAsk[id]
	if a == nil || !a.pending() || a.Permission == nil {
		return false
	}
	s.reply(a, reply, message)
	return true
}

// Answer answers questions as somebody else would. It reports false where they
// are not pending.
func (s *Server) Answer(id string, answers ...[]string) bool {
	s.mu.Lock()
	defer s.unlock()
	a := s.byAsk[id]
	if a == nil || !a.pending() || a.Permission != nil {
		return false
	}
	s.answer(a, answers)
	return true
}

// Reject rejects questions as somebody else would. It reports false where they
// are not pending.
func (s *Server) Reject(id string) bool {
	s.mu.Lock()
	defer s.unlock()
	a := s.byAsk[id]
	if a == nil || !a.pending() || a.Permission != nil {
		return false
	}
	s.reject(a)
	return true
}

// finishAsk puts an ask into its last state; s.mu is held.
func (s *Server) finishAsk(a *ask, state State) {
	a.State = state
	s.touch(a.session)
	s.closed(a)
}

// run does what the tool call of a permission is to do. A ghost's edit changes the
// file, although its call stays aborted; a ghost's command does not run; s.mu is held.
func (s *Server) run(a *ask) {
	if a.State == Ghost {
		a.Ran = a.Permission != nil && a.Permission.Permission == "edit"
		return
	}
	a.Ran = true
	a.Told = "done: " + a.Permission.Permission
	s.end(a, "completed", a.Told)
}

// end ends the tool call of an ask; s.mu is held. One that is over already stays
// as it is.
func (s *Server) end(a *ask, status, words string) {
	p := a.message.part
	if p.status == "completed" || p.status == "error" {
		return
	}
	p.status, p.output, p.end = status, words, s.Now()
	a.message.stopped = p.end
	s.tellPart(a.session, a.message)
}

// endTurn ends the turn of a session; s.mu is held.
func (s *Server) endTurn(n *session) {
	if n.busy {
		n.busy = false
		s.touch(n)
		s.tellStatus(n)
	}
}

// reply answers a permission, with all that follows; s.mu is held.
func (s *Server) reply(a *ask, reply, message string) {
	a.Reply = reply
	if reply == "reject" {
		a.Message = message
		s.deny(a)
		return
	}
	if reply == "always" {
		s.remember(a)
	}
	s.run(a)
	s.finishAsk(a, Replied)
	s.tellReplied(a)
	if reply == "always" {
		s.cascade(a)
	}
}

// remember keeps what "always" allows; s.mu is held.
func (s *Server) remember(a *ask) {
	for _, pattern := range a.Permission.Always {
		if a.Engine == 1 {
			i := s.boot(a.Folder)
			i.rules = append(i.rules, rule{a.Permission.Permission, pattern})
			continue
		}
		s.saved = append(s.saved, savedRule{s.ids.next("psv", s.Now()), projectOf(a.Folder), a.Permission.Permission, pattern})
	}
}

// cascade closes the asks that an "always" covers now: those of the same session
// in the first engine, those of the whole project in the second; s.mu is held.
func (s *Server) cascade(by *ask) {
	for _, a := range slices.Clone(s.asks) {
		same := a.session == by.session || by.Engine == 2 && a.Folder == by.Folder
		if a == by || !a.pending() || a.Engine != by.Engine || !same || !s.allowed(a) {
			continue
		}
		a.Reply, a.Auto = "always", true
		s.run(a)
		s.finishAsk(a, Replied)
		s.tellReplied(a)
	}
}

// deny rejects a permission and all others of its session. The turn ends, unless
// there was a message and no other ask; s.mu is held.
func (s *Server) deny(a *ask) {
	ghost := a.State == Ghost
	var others []*ask
	for _, other := range s.pendingOf(a.session) {
		if other != a && other.Permission != nil {
			others = append(others, other)
		}
	}
	goesOn := a.Message != "" && len(others) == 0
	s.refuse(a, goesOn)
	s.finishAsk(a, Replied)
	s.tellReplied(a)
	for _, other := range others {
		other.Reply, other.Auto, other.TurnEnded = "reject", true, true
		s.refuse(other, false)
		s.finishAsk(other, Replied)
		// The second engine announces the others only where a message was given.
		if other.Engine == 1 || a.Message != "" {
			s.tellReplied(other)
		}
	}
	if !goesOn && !ghost {
		a.TurnEnded = true
		s.endTurn(a.session)
		s.afterSubagent(a.session)
	}
}

// refuse ends the tool call of a permission that was denied; s.mu is held.
func (s *Server) refuse(a *ask, goesOn bool) {
	words := rejectedWords
	if a.Message != "" {
		words = feedbackWords + a.Message
	}
	if a.Engine == 2 {
		words = interruptedWords
		if a.Message != "" {
			words = unableWords
		}
	}
	if goesOn {
		a.Told = words
	}
	s.end(a, "error", words)
}

// afterSubagent has the turn of a subagent's parent go on, which is told of the
// end; s.mu is held. In the fake, that is only to be seen by its being busy.
func (s *Server) afterSubagent(n *session) {
	if parent := s.byID[n.Parent]; parent != nil && !parent.deleted && !parent.busy {
		parent.busy = true
		s.tellStatus(parent)
	}
}

// answer answers questions; s.mu is held.
func (s *Server) answer(a *ask, answers [][]string) {
	a.Answers = answers
	if a.State != Ghost {
		a.Told = told(a.Questions, answers)
		a.message.part.answers = answers
		s.end(a, "completed", a.Told)
	}
	s.finishAsk(a, Answered)
	s.tellReplied(a)
}

// reject rejects questions and ends the turn; s.mu is held.
func (s *Server) reject(a *ask) {
	ghost := a.State == Ghost
	words := dismissedWords
	if a.Engine == 2 {
		words = interruptedWords
	}
	s.end(a, "error", words)
	a.TurnEnded = !ghost
	s.finishAsk(a, Rejected)
	s.tellReplied(a)
	if !ghost {
		s.endTurn(a.session)
		s.afterSubagent(a.session)
	}
}
