package opencode

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// session is a session as it is held.
type session struct {
	Session
	created  time.Time
	slug     string
	busy     bool // a turn runs
	deleted  bool
	messages []*message // oldest first
}

// message is what the agent said in one step: one tool call.
type message struct {
	id      string
	at      time.Time
	part    *part
	partID  string
	stopped time.Time // zero while the step runs
}

// part is a tool call.
type part struct {
	callID, tool string
	input        jsontext.Value
	status       string // pending, running, completed, error
	output       string // or the error
	answers      [][]string
	interrupted  bool
	start, end   time.Time
}

// ask is a permission or a question as it is held.
type ask struct {
	Ask
	session *session
	message *message
	broken  string         // the member that is undefined
	meta    jsontext.Value // the permission's metadata
	sent    []Sent
}

// pending reports whether it is listed.
func (a *ask) pending() bool { return a.State <= Ghost }

func (a *ask) public() Ask {
	out := a.Ask
	if a.Permission != nil {
		p := *a.Permission
		out.Permission = &p
	}
	out.Answers = slices.Clone(a.Answers)
	return out
}

// AddSession adds a session and returns its id.
func (s *Server) AddSession(n Session) string {
	now := s.Now()
	s.mu.Lock()
	defer s.unlock()
	if n.Folder == "" {
		n.Folder = s.options.Root
	}
	n.Folder = clean(n.Folder)
	if n.Updated.IsZero() {
		n.Updated = now
	}
	if n.ID == "" {
		n.ID = s.ids.next("ses", n.Updated)
	}
	if n.Engine == 0 {
		n.Engine = 1
	}
	if n.Agent == "" {
		n.Agent = "build"
		if n.Parent != "" {
			n.Agent = "general"
		}
	}
	if n.Title == "" {
		n.Title = "New session - " + n.Updated.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	held := &session{Session: n, created: n.Updated, slug: slugs[len(s.sessions)%len(slugs)]}
	s.sessions = append(s.sessions, held)
	s.byID[n.ID] = held
	s.boot(n.Folder)
	s.tellSession("session.created", held)
	return n.ID
}

var slugs = []string{"calm-river", "tidy-otter", "quiet-garden", "bright-harbor", "brave-falcon", "gentle-moon", "lucky-cabin"}

// clean makes one path of all that lead to a folder.
func clean(folder string) string { return path.Clean(folder) }

// SetTitle renames a session.
func (s *Server) SetTitle(id, title string) {
	s.mu.Lock()
	defer s.unlock()
	if n := s.byID[id]; n != nil {
		n.Title = title
		s.touch(n)
		s.tellSession("session.updated", n)
	}
}

// touch moves a session to the top of the listings; s.mu is held.
func (s *Server) touch(n *session) { n.Updated = s.Now() }

// boot starts the instance of a folder where there is none; s.mu is held.
func (s *Server) boot(folder string) *instance {
	if i := s.folders[folder]; i != nil {
		return i
	}
	i := &instance{}
	s.folders[folder] = i
	if _, known := s.projects[folder]; !known {
		s.projects[folder] = s.Now().UnixMilli()
	}
	for n := range plugins {
		s.tell(folder, 1, "plugin.added", fake.Marshal(struct {
			ID string `json:"id"`
		}{fmt.Sprintf("internal:%d", n)}))
	}
	return i
}

// plugins is how many events the real server sends when a folder boots.
const plugins = 45

// Booted returns the folders whose instances live, sorted: what a client has
// looked at costs the server memory.
func (s *Server) Booted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for folder := range s.folders {
		out = append(out, folder)
	}
	slices.Sort(out)
	return out
}

// Ask returns an ask as it now is.
func (s *Server) Ask(id string) (Ask, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.byAsk[id]; a != nil {
		return a.public(), true
	}
	return Ask{}, false
}

// Asks returns every ask, oldest first.
func (s *Server) Asks() []Ask {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Ask, 0, len(s.asks))
	for _, a := range s.asks {
		out = append(out, a.public())
	}
	return out
}

// OpenAsks returns how many asks are open; ghosts are not.
func (s *Server) OpenAsks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, a := range s.asks {
		if a.State == Open {
			count++
		}
	}
	return count
}

// Sent returns the answers that arrived for an ask over the wire, in order,
// refused ones too.
func (s *Server) Sent(id string) []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.byAsk[id]; a != nil {
		return slices.Clone(a.sent)
	}
	return nil
}

// Saved returns what "always" stored in the second engine, as ACTION RESOURCE.
func (s *Server) Saved() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, r := range s.saved {
		out = append(out, r.Action+" "+r.Resource)
	}
	return out
}

// listed returns the pending asks of a folder and an engine, oldest first; s.mu
// is held.
func (s *Server) listed(folder string, engine int, questions bool) []*ask {
	var out []*ask
	for _, a := range s.asks {
		if a.pending() && a.Folder == folder && a.Engine == engine && (a.Permission == nil) == questions {
			out = append(out, a)
		}
	}
	return out
}

// pendingOf returns what is pending in a session; s.mu is held.
func (s *Server) pendingOf(n *session) []*ask {
	var out []*ask
	for _, a := range s.asks {
		if a.pending() && a.session == n {
			out = append(out, a)
		}
	}
	return out
}

// covers reports whether a pattern of "always" covers what is asked for.
func covers(pattern, value string) bool {
	if strings.HasSuffix(pattern, " *") && pattern[:len(pattern)-2] == value {
		return true
	}
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == value
	}
	if !strings.HasPrefix(value, first) {
		return false
	}
	if rest == "" {
		return true
	}
	for i := len(first); i <= len(value); i++ {
		if covers(rest, value[i:]) {
			return true
		}
	}
	return false
}

// allowed reports whether an earlier "always" covers a permission; s.mu is held.
func (s *Server) allowed(a *ask) bool {
	if a.Permission == nil || len(a.Permission.Patterns) == 0 {
		return false
	}
	for _, wanted := range a.Permission.Patterns {
		if !slices.ContainsFunc(s.rulesFor(a), func(r rule) bool {
			return r.permission == a.Permission.Permission && covers(r.pattern, wanted)
		}) {
			return false
		}
	}
	return true
}

// rulesFor returns the rules that hold for an ask; s.mu is held.
func (s *Server) rulesFor(a *ask) []rule {
	if a.Engine == 1 {
		return s.boot(a.Folder).rules
	}
	var out []rule
	for _, r := range s.saved {
		if r.ProjectID == projectOf(a.Folder) {
			out = append(out, rule{r.Action, r.Resource})
		}
	}
	return out
}
