package opencomputer

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// query is what a listing was asked for, however it came.
type query struct {
	Status       string `json:"status"`
	Limit        *int   `json:"limit"`
	Cursor       string `json:"cursor"`
	UpdatedSince string `json:"updatedSince"`
}

var askStatuses = []string{"all", "open", "answered", "dismissed", "declined", "interrupted"}

// place is where a cursor points: behind the item with this time and number, in
// one listing and for one status.
type place struct {
	Listing string `json:"l"`
	Status  string `json:"s"`
	Time    int64  `json:"t"`
	Number  int    `json:"n"`
	// Empty says that an empty page comes first, Restart that it goes round.
	Empty   bool `json:"e,omitzero"`
	Restart bool `json:"r,omitzero"`
}

func (p place) cursor() *string {
	c := base64.RawURLEncoding.EncodeToString(fake.Marshal(p))
	return &c
}

// entry is one item of a listing.
type entry struct {
	at     time.Time
	number int
	wire   func() jsontext.Value
}

func (s *Server) listSessions(q query) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	since := time.Time{}
	if q.UpdatedSince != "" {
		var err error
		if since, err = time.Parse(time.RFC3339, q.UpdatedSince); err != nil {
			return nil, refuse(400, "invalid_request", "updatedSince", "updatedSince is a time as in RFC 3339")
		}
	}
	statuses := strings.Split(q.Status, ",")
	var entries []entry
	for _, n := range slices.Backward(s.sessions) {
		fits := q.Status == "" || slices.Contains(statuses, "all") || slices.Contains(statuses, n.status())
		if fits && !n.UpdatedAt.Before(since) {
			entries = append(entries, entry{n.CreatedAt, n.number, n.wire})
		}
	}
	shown, next, wrong := s.cut("sessions", q, entries)
	if wrong != nil {
		return nil, wrong
	}
	page := sessionsPage{Sessions: []jsontext.Value{}, NextCursor: next}
	for _, e := range shown {
		page.Sessions = append(page.Sessions, e.wire())
	}
	return page, nil
}

func (s *Server) listAsks(sessionID string, q query) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.find(sessionID)
	if n == nil {
		return nil, notFound("session")
	}
	if q.Status == "" {
		q.Status = "open"
	}
	statuses := strings.Split(q.Status, ",")
	for _, status := range statuses {
		if !slices.Contains(askStatuses, status) {
			return nil, refuse(400, "invalid_request", "status", "status is one of "+strings.Join(askStatuses, ", ")+", or several with commas")
		}
	}
	var entries []entry
	for _, a := range n.listed(statuses) {
		entries = append(entries, entry{a.OpenedAt, a.number, a.wire})
	}
	shown, next, wrong := s.cut("asks of "+sessionID, q, entries)
	if wrong != nil {
		return nil, wrong
	}
	page := asksPage{Asks: []jsontext.Value{}, NextCursor: next}
	for _, e := range shown {
		page.Asks = append(page.Asks, e.wire())
	}
	return page, nil
}

// cut returns one page of a listing; s.mu is held. A cursor points behind an
// item and not at a position, so nothing is doubled or skipped when items come
// and go between two pages.
func (s *Server) cut(listing string, q query, entries []entry) ([]entry, *string, *problem) {
	limit := 20
	if q.Limit != nil {
		limit = *q.Limit
	}
	if limit < 1 || limit > 100 {
		return nil, nil, refuse(400, "invalid_request", "limit", "limit is 1 to 100")
	}
	if s.paging.Most > 0 {
		limit = min(limit, s.paging.Most)
	}
	slices.SortStableFunc(entries, newestFirst)
	from := place{Listing: listing, Status: q.Status}
	start := 0
	if q.Cursor != "" {
		var wrong *problem
		if from, wrong = s.resolve(listing, q); wrong != nil {
			return nil, nil, wrong
		}
		if from.Empty {
			from.Empty = false
			return nil, from.cursor(), nil
		}
		if !from.Restart {
			start = behind(entries, from)
			start = max(0, start-s.paging.Overlap)
		}
	}
	// With an overlap as large as the page, the listing would never move on.
	end := min(len(entries), start+max(limit, s.paging.Overlap+1))
	return entries[start:end], s.next(from, entries, end), nil
}

// next returns the cursor for what comes after the entries before end.
func (s *Server) next(from place, entries []entry, end int) *string {
	from.Restart = false
	if end < len(entries) {
		last := entries[end-1]
		from.Time, from.Number, from.Empty = last.at.UnixNano(), last.number, s.paging.EmptyPages
		return from.cursor()
	}
	if s.paging.Cycle && end > 0 {
		from.Restart = true
		return from.cursor()
	}
	return nil
}

// resolve reads a cursor; s.mu is held.
func (s *Server) resolve(listing string, q query) (place, *problem) {
	expired := refuse(400, "invalid_cursor", "cursor", "the cursor is not one of this listing; start again from its first page")
	if s.paging.Expire > 0 {
		s.paging.Expire--
		return place{}, expired
	}
	var p place
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || json.Unmarshal(raw, &p) != nil || p.Listing != listing || p.Status != q.Status {
		return place{}, expired
	}
	return p, nil
}

func newestFirst(x, y entry) int {
	if c := y.at.Compare(x.at); c != 0 {
		return c
	}
	return y.number - x.number
}

// behind returns the index of the first entry that comes after a place.
func behind(entries []entry, p place) int {
	at := entry{at: time.Unix(0, p.Time), number: p.Number}
	for i, e := range entries {
		if newestFirst(at, e) < 0 {
			return i
		}
	}
	return len(entries)
}

// limitOf reads a limit from a query string.
func limitOf(s string) (*int, *problem) {
	if s == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return nil, refuse(400, "invalid_request", "limit", "limit is 1 to 100")
	}
	return &n, nil
}
