package oar

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// AddConversation adds a session and returns its id. What is not set is filled in.
func (s *Server) AddConversation(c Conversation) string {
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.ID == "" {
		c.ID = "c" + s.newID()
	}
	if c.Provider == "" {
		c.Provider = "claude-code"
	}
	if c.CreatedAt.IsZero() {
		c.CreatedAt = now
	}
	if c.UpdatedAt.IsZero() {
		c.UpdatedAt = c.CreatedAt
	}
	s.conversations = append(s.conversations, &c)
	return c.ID
}

// SetTitle renames a session.
func (s *Server) SetTitle(id, title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.conversation(id); c != nil {
		c.Title = title
	}
}

// Archive archives a session, which ends its asks and leaves its cards.
func (s *Server) Archive(id string) {
	s.mu.Lock()
	if c := s.conversation(id); c != nil {
		c.Archived = true
	}
	s.mu.Unlock()
	s.endAsksOf(id)
}

// RemoveConversation makes the relay forget a session, which ends its asks and
// leaves its cards.
func (s *Server) RemoveConversation(id string) {
	s.mu.Lock()
	s.conversations = slices.DeleteFunc(s.conversations, func(c *Conversation) bool { return c.ID == id })
	s.mu.Unlock()
	s.endAsksOf(id)
}

// conversation returns a session; s.mu is held.
func (s *Server) conversation(id string) *Conversation {
	for _, c := range s.conversations {
		if c.ID == id {
			return c
		}
	}
	return nil
}

type conversationsPage struct {
	Conversations []jsontext.Value `json:"conversations"`
	PageInfo      pageInfo         `json:"pageInfo"`
}

type pageInfo struct {
	HasMore    bool   `json:"hasMore"`
	NextCursor *place `json:"nextCursor"`
}

// place is where a page ends.
type place struct {
	BeforeConversationID string `json:"beforeConversationId"`
	BeforeUpdatedAt      *stamp `json:"beforeUpdatedAt"`
}

// getConversations lists the sessions, newest first. The cursor is there on the
// last page as well; only hasMore says whether there is more.
func (s *Server) getConversations(r *http.Request) (any, *problem) {
	query := r.URL.Query()
	limit, err := strconv.Atoi(query.Get("limit"))
	if err != nil || limit < 1 || limit > 100 {
		return nil, refuse(http.StatusBadRequest, "limit is 1 to 100")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sorted := slices.Clone(s.conversations)
	slices.SortStableFunc(sorted, newestFirst)
	if id := query.Get("beforeConversationId"); id != "" {
		before, err := time.Parse(time.RFC3339, query.Get("beforeUpdatedAt"))
		if err != nil {
			return nil, refuse(http.StatusBadRequest, "beforeUpdatedAt is a time and goes with beforeConversationId")
		}
		sorted = behind(sorted, &Conversation{ID: id, UpdatedAt: before})
	}
	if s.mostOnPage > 0 {
		limit = min(limit, s.mostOnPage)
	}
	out := conversationsPage{Conversations: []jsontext.Value{}}
	for _, c := range sorted[:min(limit, len(sorted))] {
		out.Conversations = append(out.Conversations, c.wire())
		out.PageInfo.NextCursor = &place{c.ID, at(c.UpdatedAt)}
	}
	out.PageInfo.HasMore = len(sorted) > limit
	if out.PageInfo.HasMore && s.lostCursor {
		out.PageInfo.NextCursor = nil
	}
	return out, nil
}

// newestFirst orders sessions by when they changed, as exactly as a cursor can
// say it, and then by id.
func newestFirst(x, y *Conversation) int {
	if c := y.UpdatedAt.Truncate(time.Millisecond).Compare(x.UpdatedAt.Truncate(time.Millisecond)); c != 0 {
		return c
	}
	if x.ID == y.ID {
		return 0
	}
	if x.ID > y.ID {
		return -1
	}
	return 1
}

// behind returns the sessions that come after a place.
func behind(sorted []*Conversation, p *Conversation) []*Conversation {
	for i, c := range sorted {
		if newestFirst(p, c) < 0 {
			return sorted[i:]
		}
	}
	return nil
}

// conversationReply is one session. The messages are left out: nobody who reads
// this relay wants them.
type conversationReply struct {
	Conversation jsontext.Value   `json:"conversation"`
	Messages     []jsontext.Value `json:"messages"`
}

func (s *Server) getConversation(r *http.Request) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.conversation(r.PathValue("id")); c != nil {
		return conversationReply{c.wire(), []jsontext.Value{}}, nil
	}
	return nil, notFound()
}
