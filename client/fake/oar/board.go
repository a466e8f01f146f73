package oar

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

var boardStatuses = []string{pending, acted, dismissed}

// board is a plan board as the relay holds it.
type board struct {
	Board
	raw []byte // sent as it is while the board is pending
}

func (b *board) wire() jsontext.Value {
	if b.raw != nil && b.Status == pending {
		return b.raw
	}
	return b.Board.wire()
}

func (b *board) end() End {
	return End{Kind: "board", ID: b.ID, Conversation: b.ConversationID, Status: b.Status, Answer: b.Acted}
}

// PlanActions are the actions of an ordinary plan board.
func PlanActions() []Action {
	return []Action{
		{ID: "exit_only", Label: "Stop here"},
		{ID: "interactive", Label: "Implement step by step", Mode: "agent"},
		{ID: "autopilot", Label: "Implement in autopilot", Mode: "autopilot"},
	}
}

// OpenBoard opens a plan board and returns its id. What is not set is filled in.
func (s *Server) OpenBoard(conversation string, b Board) string {
	return s.openBoard(conversation, b, nil)
}

func (s *Server) openBoard(conversation string, b Board, raw []byte) string {
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.ID == "" {
		b.ID = s.newID()
	}
	if b.Status == "" {
		b.Status = pending
	}
	if b.CreatedAt.IsZero() {
		b.CreatedAt = now
	}
	if b.UpdatedAt.IsZero() {
		b.UpdatedAt = b.CreatedAt
	}
	b.ConversationID = conversation
	s.boards = append(s.boards, &board{b, raw})
	s.touch(conversation, b.CreatedAt)
	s.changed.Broadcast()
	return b.ID
}

// RawBoard opens a board that is sent exactly as given while it is pending.
func (s *Server) RawBoard(conversation, id, raw string) {
	s.openBoard(conversation, Board{ID: id}, fake.MustBeJSON(raw))
}

// Plan opens a board with the ordinary actions.
func (s *Server) Plan(conversation, title, body string) string {
	return s.OpenBoard(conversation, Board{BoardType: "plan_ready", Title: title, Body: body, Actions: PlanActions()})
}

// board returns a board; s.mu is held.
func (s *Server) board(id string) *board {
	for _, b := range s.boards {
		if b.ID == id {
			return b
		}
	}
	return nil
}

// Board returns a board as it now is.
func (s *Server) Board(id string) (Board, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.board(id); b != nil {
		return b.Board, true
	}
	return Board{}, false
}

// DismissBoard dismisses a board outside the wire, as the relay's own page would.
func (s *Server) DismissBoard(id string) bool { return s.endBoard(id, dismissed, "") }

// ActOnBoard takes a board's action outside the wire.
func (s *Server) ActOnBoard(id, action string) bool { return s.endBoard(id, acted, action) }

func (s *Server) endBoard(id, status, action string) bool {
	now := s.Now()
	s.mu.Lock()
	b := s.board(id)
	first := b != nil && b.Status == pending
	var e End
	if first {
		b.Status, b.Acted, b.UpdatedAt = status, action, now
		s.touch(b.ConversationID, now)
		e = b.end()
	}
	s.mu.Unlock()
	if first {
		s.tell(e)
	}
	return first
}

func (s *Server) getBoards(r *http.Request) (any, *problem) {
	status := r.URL.Query().Get("status")
	if !slices.Contains(boardStatuses, status) {
		return nil, refuse(http.StatusBadRequest, "status is one of "+strings.Join(boardStatuses, ", "))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := list{name: "boards"}
	for _, b := range s.boards {
		if b.Status == status {
			listed := *b
			out.items = append(out.items, listed.wire)
		}
	}
	return out, nil
}

// boardReply is the board after an action.
type boardReply struct {
	OK    bool           `json:"ok"`
	Board jsontext.Value `json:"board"`
}

func (s *Server) actOnBoard(id string, given request) (any, *problem) {
	b, ok := s.Board(id)
	switch {
	case !ok:
		return nil, notFound()
	case b.Status != pending:
		return nil, alreadyOver("Board", b.Status)
	case given.ActionID == nil:
		return nil, refuse(http.StatusBadRequest, "Action required")
	case !slices.ContainsFunc(b.Actions, func(a Action) bool { return a.ID == *given.ActionID }):
		return nil, refuse(http.StatusBadRequest, "Unknown action")
	}
	first := s.endBoard(id, acted, *given.ActionID)
	b, _ = s.Board(id)
	if !first {
		return nil, alreadyOver("Board", b.Status)
	}
	return boardReply{true, b.wire()}, nil
}

// touch moves a conversation to the front of the list; s.mu is held.
func (s *Server) touch(conversation string, at time.Time) {
	if c := s.conversation(conversation); c != nil && at.After(c.UpdatedAt) {
		c.UpdatedAt = at
	}
}
