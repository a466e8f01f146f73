package opencode

import (
	"fmt"
	"time"
)

// Size is how much a server holds.
type Size struct{ Folders, Sessions, Waiting int }

// Fill adds folders, sessions that share them evenly, and asks that wait in the
// first sessions of the first folders, and returns the ids of the asks. Each
// session changed a second before the one that was added after it.
func (s *Server) Fill(size Size) []string {
	start := s.Now().Add(-time.Duration(size.Sessions+1) * time.Second)
	sessions := make([]string, size.Sessions)
	for i := range sessions {
		sessions[i] = s.AddSession(Session{Title: fmt.Sprintf("Session %d of many", i+1),
			Folder: fmt.Sprintf("/srv/many/%03d", i%size.Folders), Updated: start.Add(time.Duration(i) * time.Second)})
	}
	s.forget()
	var asks []string
	for i := range size.Waiting {
		asks = append(asks, s.Bash(sessions[i%len(sessions)], fmt.Sprintf("make part-%d", i+1)))
	}
	return asks
}
