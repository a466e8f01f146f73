package opencode

import (
	"fmt"
	"strings"
	"time"

	"askbox/client/fake"
)

// Permit asks for a permission and returns its id. Where an earlier "always" covers it,
// nothing is asked, and the ask that is returned is closed.
func (s *Server) Permit(session string, p Permission) string {
	if p.Call.Tool == "" {
		p.Call.Tool = p.Permission
	}
	return s.open("per", session, p.Call, p.At, func(a *ask) {
		a.Permission = &p
		a.broken = p.Unlistable
		a.meta = nil
		if p.Metadata != nil {
			a.meta = fake.Marshal(p.Metadata)
		}
	})
}

// AskAll asks several questions in one request.
func (s *Server) AskAll(session string, questions ...Question) string {
	return s.AskAt(session, time.Time{}, questions...)
}

// AskAt is AskAll at a time, which may lie in the past.
func (s *Server) AskAt(session string, at time.Time, questions ...Question) string {
	if questions == nil {
		questions = []Question{}
	}
	for i := range questions {
		if questions[i].Options == nil {
			questions[i].Options = []Option{}
		}
	}
	input := struct {
		Questions []Question `json:"questions"`
	}{questions}
	return s.open("que", session, Call{Tool: "question", Input: input}, at, func(a *ask) { a.Questions = questions })
}

// open opens an ask, which fill completes.
func (s *Server) open(prefix, sessionID string, call Call, at time.Time, fill func(*ask)) string {
	if at.IsZero() {
		at = s.Now()
	}
	s.mu.Lock()
	defer s.unlock()
	n := s.byID[sessionID]
	if n == nil || n.deleted {
		panic("the fake relay has no session " + sessionID)
	}
	s.boot(n.Folder)
	if !n.busy {
		n.busy = true
		s.tellStatus(n)
	}
	a := &ask{session: n, message: s.call(n, call, at)}
	a.ID, a.At = s.ids.next(prefix, at), at
	a.Session, a.Folder, a.Engine = n.ID, n.Folder, n.Engine
	a.CallID, a.MessageID = a.message.part.callID, a.message.id
	fill(a)
	s.asks = append(s.asks, a)
	s.byAsk[a.ID] = a
	if s.allowed(a) {
		a.Auto, a.Reply = true, "always"
		s.run(a)
		s.finishAsk(a, Replied)
		return a.ID
	}
	s.tellAsked(a)
	return a.ID
}

// call returns the message that holds a tool call, and makes it where it is new;
// s.mu is held.
func (s *Server) call(n *session, call Call, at time.Time) *message {
	for _, m := range n.messages {
		if call.ID != "" && m.part.callID == call.ID {
			return m
		}
	}
	if call.ID == "" {
		call.ID = fmt.Sprintf("call_%d", len(s.asks)+1)
	}
	p := &part{callID: call.ID, tool: call.Tool, status: "running", input: []byte(`{}`), start: at.Add(-60 * time.Millisecond)}
	if call.Input != nil {
		p.input = fake.Marshal(call.Input)
	}
	if call.Early {
		p.status = "pending"
	}
	m := &message{id: s.ids.next("msg", at), at: at.Add(-120 * time.Millisecond), part: p, partID: s.ids.next("prt", at)}
	n.messages = append(n.messages, m)
	s.tellPart(n, m)
	return m
}

// Begin turns the tool call of an ask from pending to running.
func (s *Server) Begin(id string) {
	s.mu.Lock()
	defer s.unlock()
	if a := s.byAsk[id]; a != nil && a.message.part.status == "pending" {
		a.message.part.status = "running"
		s.tellPart(a.session, a.message)
	}
}

// Bash asks to run a shell command. Its patterns are the commands of the line in
// the first engine and the line as it is in the second; "always" would allow the
// first word of each with anything behind it, or exactly the line.
func (s *Server) Bash(session, command string) string {
	return s.BashAt(session, command, "", time.Time{})
}

// BashAt is Bash with the agent's own description, which stands in the tool call
// only, and at a time, which may lie in the past.
func (s *Server) BashAt(session, command, description string, at time.Time) string {
	patterns, always := []string{command}, []string{command}
	input := struct {
		Command     string `json:"command"`
		Description string `json:"description,omitzero"`
	}{command, description}
	p := Permission{Permission: "bash", At: at, Call: Call{Input: input}}
	if s.engineOf(session) == 1 {
		patterns, always = split(command)
		input.Description = ""
		p.Metadata = input
	}
	p.Patterns, p.Always = patterns, always
	return s.Permit(session, p)
}

func (s *Server) engineOf(session string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.byID[session]; n != nil {
		return n.Engine
	}
	return 0
}

// split takes a shell line apart the way the server does, for simple lines.
func split(command string) (patterns, always []string) {
	for _, one := range strings.FieldsFunc(strings.ReplaceAll(command, "&&", ";"), func(r rune) bool { return strings.ContainsRune(";|\n", r) }) {
		words := strings.Fields(one)
		if len(words) == 0 {
			continue
		}
		patterns = append(patterns, strings.Join(words, " "))
		always = append(always, words[0]+" *")
	}
	return patterns, always
}

// Edit asks to change a file, named relative to the session's folder: the first
// engine sends the change as a diff, the second one only the name.
func (s *Server) Edit(session, file, before, after string) string {
	return s.EditAt(session, file, before, after, time.Time{})
}

// EditAt is Edit at a time, which may lie in the past.
func (s *Server) EditAt(session, file, before, after string, at time.Time) string {
	full := s.folderOf(session) + "/" + file
	p := Permission{Permission: "edit", Patterns: []string{file}, Always: []string{"*"}, At: at}
	if s.engineOf(session) == 1 {
		p.Metadata = struct {
			FilePath string `json:"filepath"`
			Diff     string `json:"diff"`
		}{full, Diff(full, before, after)}
		p.Call = Call{Tool: "edit", Input: struct {
			FilePath  string `json:"filePath"`
			OldString string `json:"oldString"`
			NewString string `json:"newString"`
		}{full, before, after}}
	} else {
		p.Call = Call{Tool: "edit", Input: struct {
			Path      string `json:"path"`
			OldString string `json:"oldString"`
			NewString string `json:"newString"`
		}{full, before, after}}
	}
	return s.Permit(session, p)
}

func (s *Server) folderOf(session string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.byID[session]; n != nil {
		return n.Folder
	}
	return s.options.Root
}

// Diff is the change of a whole file as the server shows it: a unified diff with
// a head of its own. Every line of before goes and every line of after comes.
func Diff(file, before, after string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Index: %s\n%s\n--- %s\n+++ %s\n", file, strings.Repeat("=", 67), file, file)
	old, fresh := lines(before), lines(after)
	fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(old), span(fresh))
	for _, line := range old {
		out.WriteString("-" + line + "\n")
	}
	for _, line := range fresh {
		out.WriteString("+" + line + "\n")
	}
	return out.String()
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func span(of []string) string {
	if len(of) == 0 {
		return "0,0"
	}
	return fmt.Sprintf("1,%d", len(of))
}

// WebFetch asks to fetch a page. Without a timeout, in seconds, the listing of
// its folder breaks while it is open.
func (s *Server) WebFetch(session, url string, timeout int) string {
	meta := struct {
		URL     string `json:"url"`
		Format  string `json:"format"`
		Timeout int    `json:"timeout,omitzero"`
	}{url, "text", timeout}
	p := Permission{Permission: "webfetch", Patterns: []string{url}, Always: []string{"*"}, Metadata: meta, Call: Call{Input: meta}}
	if timeout == 0 && s.engineOf(session) == 1 {
		p.Unlistable = "timeout"
	}
	return s.Permit(session, p)
}

// Choice asks one question, of whose options one may be chosen.
func (s *Server) Choice(session, question string, labels ...string) string {
	return s.AskAll(session, Question{Question: question, Header: "Question", Options: Labels(labels...)})
}

// Labels makes options without descriptions.
func Labels(labels ...string) []Option {
	out := make([]Option, len(labels))
	for i, label := range labels {
		out[i].Label = label
	}
	return out
}
