package opencomputer

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

func refuse(status int, code, field, message string) *fake.Refusal {
	return fake.Refuse(status, fake.Problem{Code: code, Field: field, Message: message})
}

func notFound(what string) *fake.Refusal {
	return refuse(404, "not_found", "", "there is no such "+what)
}

func invalid(field, message string) *fake.Refusal {
	return refuse(400, "invalid_answer", field, message)
}

// routes lays out the paths of the wire.
func (s *Server) routes(o Options) map[string]fake.Handler {
	on := map[string]fake.Handler{
		"GET /sessions":                               getSessions,
		"GET /sessions/{session}/asks":                getAsks,
		"GET /sessions/{session}/asks/{ask}":          func(c *fake.Call) (any, *fake.Refusal) { return oneAsk(c, c.Ref()) },
		"POST /sessions/{session}/asks/{ask}/answer":  func(c *fake.Call) (any, *fake.Refusal) { return answer(c, c.Ref(), c.Body) },
		"POST /sessions/{session}/asks/{ask}/dismiss": postDismiss,
		"/": func(*fake.Call) (any, *fake.Refusal) { return nil, notFound("path") },
	}
	if !o.NoMe {
		on["GET /me"] = fake.Me
	}
	return on
}

func (s *Server) free(o Options) map[string]fake.Handler {
	on := map[string]fake.Handler{"POST /rpc": s.postRPC}
	if !o.NoEvents {
		on["GET /events"] = s.getEvents
	}
	return on
}

// query is what a listing was asked for, however it came.
type query struct {
	Status       string `json:"status"`
	Limit        *int   `json:"limit"`
	Cursor       string `json:"cursor"`
	UpdatedSince string `json:"updatedSince"`
}

func queryOf(c *fake.Call) query {
	values := c.URL.Query()
	limit, ok := c.Limit(20)
	if !ok {
		limit = 0
	}
	return query{values.Get("status"), &limit, values.Get("cursor"), values.Get("updatedSince")}
}

func getSessions(c *fake.Call) (any, *fake.Refusal) { return listSessions(c.State, queryOf(c)) }

func getAsks(c *fake.Call) (any, *fake.Refusal) {
	return listAsks(c.State, c.PathValue("session"), queryOf(c))
}

func listSessions(st *fake.State, q query) (any, *fake.Refusal) {
	since := time.Time{}
	if q.UpdatedSince != "" {
		var err error
		if since, err = time.Parse(time.RFC3339, q.UpdatedSince); err != nil {
			return nil, refuse(400, "invalid_request", "updatedSince", "updatedSince is a time as in RFC 3339")
		}
	}
	statuses := strings.Split(q.Status, ",")
	var entries []fake.Entry
	for _, n := range st.Sessions {
		fits := q.Status == "" || slices.Contains(statuses, "all") || slices.Contains(statuses, status(n))
		if fits && !n.UpdatedAt.Before(since) {
			entries = append(entries, n.Entry(func() jsontext.Value { return wireSession(n) }))
		}
	}
	items, next, wrong := page(st, "sessions", q, entries)
	return struct {
		Sessions   []jsontext.Value `json:"sessions"`
		NextCursor *string          `json:"nextCursor"`
	}{items, next}, wrong
}

var askStatuses = []string{"all", "open", fake.Answered, fake.Dismissed, fake.Declined, fake.Interrupted}

func listAsks(st *fake.State, session string, q query) (any, *fake.Refusal) {
	if st.Session(session) == nil {
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
	var entries []fake.Entry
	for _, a := range st.Asks {
		if a.Session == session && (slices.Contains(statuses, "all") || slices.Contains(statuses, a.Status)) {
			entries = append(entries, a.Entry(func() jsontext.Value { return wireAsk(a) }))
		}
	}
	items, next, wrong := page(st, "asks of "+session, q, entries)
	return struct {
		Asks       []jsontext.Value `json:"asks"`
		NextCursor *string          `json:"nextCursor"`
	}{items, next}, wrong
}

func page(st *fake.State, listing string, q query, entries []fake.Entry) ([]jsontext.Value, *string, *fake.Refusal) {
	limit := 20
	if q.Limit != nil {
		limit = *q.Limit
	}
	if limit < 1 || limit > 100 {
		return nil, nil, refuse(400, "invalid_request", "limit", "limit is 1 to 100")
	}
	items, next, ok := st.Page(listing+" "+q.Status, entries, q.Cursor, limit)
	if !ok {
		return nil, nil, refuse(400, "invalid_cursor", "cursor", "the cursor is not one of this listing; start again from its first page")
	}
	return items, next, nil
}

func oneAsk(c *fake.Call, ref fake.Ref) (any, *fake.Refusal) {
	if a := c.State.Ask(ref); a != nil {
		return wireAsk(a), nil
	}
	return nil, notFound("ask")
}

// getEvents sends the events as they come, and comments while there are none.
func (s *Server) getEvents(c *fake.Call) (any, *fake.Refusal) {
	s.events.Serve(c.Reply, c.Request, s.Ended(), 15*time.Second, ": following\n\n", func() string { return ": still here\n\n" })
	return nil, fake.Served
}
