package history

import (
	"strings"

	"askbox/client"
)

// Precedents are how often which approvals were decided here, by [client.Ask.Sameness].
type Precedents map[string]Precedent

// Precedent counts the decisions about one approval.
type Precedent struct{ Allowed, Always, Denied int }

// Precedents returns what was decided with this and every other askbox on this machine, as far
// back as the history goes and [Store.Fresh] has read it. Nobody changes it.
func (s *Store) Precedents() Precedents {
	s.readMu.Lock()
	defer s.readMu.Unlock()
	return s.progress.made
}

func (p Precedents) add(e *Entry) {
	if e.Same == "" || !e.Here || e.Tried != nil {
		return
	}
	n := p[e.Same]
	switch e.Answer.Decision {
	case client.Allow:
		n.Allowed++
	case client.Always:
		n.Always++
	case client.Deny:
		n.Denied++
	}
	p[e.Same] = n
}

// String says it in words: `You decided exactly this 4 times: allowed 3, denied 1`. It is empty
// where nothing was decided.
func (p Precedent) String() string {
	total := p.Allowed + p.Always + p.Denied
	if total == 0 {
		return ""
	}
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{{p.Allowed, "allowed"}, {p.Always, "always"}, {p.Denied, "denied"}} {
		switch {
		case c.n == 1 && total == 1:
			return "You decided exactly this once: " + c.word
		case c.n > 0:
			parts = append(parts, c.word+" "+client.Number(c.n))
		}
	}
	return "You decided exactly this " + client.Count(total, "time") + ": " + strings.Join(parts, ", ")
}
