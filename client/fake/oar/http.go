package oar

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// cookie is where the relay repeats its token for its own page.
const cookie = "copilot_auth"

type refusal struct {
	Error             string         `json:"error"`
	ExpectedSessionID *string        `json:"expectedSessionId,omitzero"`
	Fields            []fieldFault   `json:"fields,omitzero"`
	Ask               jsontext.Value `json:"ask,omitzero"`
}

func (r refusal) with(status int) *fake.Refusal {
	return &fake.Refusal{Status: status, Body: r, Code: r.Error}
}

func refuse(status int, message string) *fake.Refusal { return refusal{Error: message}.with(status) }

func notFound() *fake.Refusal { return refuse(404, "Not found") }

// page is what the parser and the router before the relay's own code answer.
func page(status int) *fake.Refusal {
	return fake.HTML(status, "<!DOCTYPE html>\n<html lang=\"en\"><title>Error</title><pre>"+http.StatusText(status)+"</pre></html>\n")
}

// guard lets only the relay's token through, and nothing that a client must
// never send.
func (s *Server) guard(c *fake.Call) *fake.Refusal {
	header := c.Reply.Header()
	if given, err := c.Cookie(cookie); err != nil || given.Value != s.options.Token {
		header.Add("Set-Cookie", cookie+"="+s.options.Token+"; Path=/; HttpOnly; SameSite=Lax")
	}
	header.Set("Content-Type", "application/json; charset=utf-8")
	for name := range c.Header {
		if strings.HasPrefix(strings.ToLower(name), "x-oar-remote-") {
			return s.blame(c, "the header "+name)
		}
	}
	var members map[string]jsontext.Value
	_ = json.Unmarshal(c.Body, &members, jsontext.AllowDuplicateNames(true))
	switch {
	case c.Header.Get("Cookie") != "":
		return s.blame(c, "a cookie")
	case c.URL.Query().Has("token"):
		return s.blame(c, "the token in the query")
	case members["origin"] != nil:
		return s.blame(c, "an origin in the body")
	case c.URL.Path == s.options.Prefix+"/": // the page is for people
	case c.URL.Path == s.options.Prefix+"/socket.io/": // the packet that connects has the token
	case c.Header.Get("Authorization") != "Bearer "+s.options.Token:
		return refuse(401, "Unauthorized")
	}
	return nil
}

// routes lays out the paths of the wire.
func (s *Server) routes() map[string]fake.Handler {
	on := map[string]fake.Handler{
		"GET /api/conversations":                 s.getConversations,
		"GET /api/conversation/{session}":        s.getConversation,
		"GET /api/relay-questions":               s.list("questions", isA[Card], "pending", "answered", "timed_out", "cancelled"),
		"GET /api/relay-question/{ask}":          s.one("question", isA[Card]),
		"POST /api/relay-question/{ask}/answer":  s.posted(s.answerCard, "answer", "structuredAnswer", "sdk_session_id"),
		"POST /api/relay-question/{ask}/timeout": s.posted(s.timeOutCard, "sdk_session_id"),
		"GET /api/relay-boards":                  s.list("boards", isA[Board], "pending", "acted", "dismissed"),
		"GET /api/relay-board/{ask}":             s.one("board", isA[Board]),
		"POST /api/relay-board/{ask}/action":     s.posted(s.actOnBoard, "actionId", "clientId"),
		"GET /{$}":                               s.getPage,
		"/":                                      func(*fake.Call) (any, *fake.Refusal) { return nil, page(404) },
	}
	if !s.options.NoIdentity {
		on["GET /api/relay/identity"] = func(*fake.Call) (any, *fake.Refusal) { return s.identity(), nil }
	}
	return on
}

// free are the paths for which other relays are asked as well.
func (s *Server) free() map[string]fake.Handler {
	free := s.eventPaths()
	maps.Copy(free, map[string]fake.Handler{
		"GET /api/remote-relays":      s.getRemoteRelays,
		"GET /api/asks":               s.ifAsks(s.getAsks),
		"POST /api/ask/{ask}/answer":  s.ifAsks(s.posted(s.answerAsk, "answer", "option")),
		"POST /api/ask/{ask}/dismiss": s.ifAsks(s.posted(s.dismissAsk)),
	})
	return free
}

// ifAsks makes paths unknown while the relay has no asks.
func (s *Server) ifAsks(h fake.Handler) fake.Handler {
	return func(c *fake.Call) (any, *fake.Refusal) {
		s.mu.Lock()
		off := s.noAsks
		s.mu.Unlock()
		if off {
			return nil, page(404)
		}
		return h(c)
	}
}

// request holds every member that a call may send.
type request struct {
	Answer           *string        `json:"answer"`
	StructuredAnswer jsontext.Value `json:"structuredAnswer"`
	SDKSessionID     *string        `json:"sdk_session_id"`
	ActionID         *string        `json:"actionId"`
	ClientID         *string        `json:"clientId"`
	Option           *string        `json:"option"`
}

// posted reads the body of a call to an item, which may be missing, and to which
// only the named members belong. What is no JSON object gets a page.
func (s *Server) posted(h func(*fake.Call, request) (any, *fake.Refusal), members ...string) fake.Handler {
	return func(c *fake.Call) (any, *fake.Refusal) {
		var given request
		if len(c.Body) == 0 {
			return h(c, given)
		}
		if kind := c.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
			return nil, s.blame(c, "a body of the type "+kind)
		}
		var all map[string]jsontext.Value
		if json.Unmarshal(c.Body, &all) != nil || all == nil {
			return nil, page(400)
		}
		for name := range all {
			if !slices.Contains(members, name) {
				return nil, s.blame(c, "the member "+name)
			}
		}
		if err := json.Unmarshal(c.Body, &given); err != nil {
			return nil, s.blame(c, "a member of the wrong type: "+err.Error())
		}
		return h(c, given)
	}
}

func isA[T any](a *fake.Ask) bool {
	_, ok := a.Wire.(*T)
	return ok
}

// list lists the items of one kind and status, oldest first and without pages.
func (s *Server) list(name string, is func(*fake.Ask) bool, statuses ...string) fake.Handler {
	return func(c *fake.Call) (any, *fake.Refusal) {
		query := c.URL.Query()
		if !slices.Contains(statuses, query.Get("status")) {
			return nil, refuse(400, "status is one of "+strings.Join(statuses, ", "))
		}
		items := []jsontext.Value{}
		for _, a := range c.Asks {
			if conversation := query.Get("conversationId"); is(a) && a.Status == query.Get("status") && (conversation == "" || conversation == a.Session) {
				items = append(items, s.wire(c.State, a))
			}
		}
		return object{name: items}, nil
	}
}

// one is one item of a kind.
func (s *Server) one(name string, is func(*fake.Ask) bool) fake.Handler {
	return func(c *fake.Call) (any, *fake.Refusal) {
		if a := c.State.Ask(c.Ref()); a != nil && is(a) {
			return object{name: s.wire(c.State, a)}, nil
		}
		return nil, notFound()
	}
}

// getConversations lists the sessions, newest change first. The cursor is there
// on the last page as well; only hasMore says whether there is more.
func (s *Server) getConversations(c *fake.Call) (any, *fake.Refusal) {
	query := c.URL.Query()
	limit, ok := c.Limit(0)
	if !ok || limit == 0 {
		return nil, refuse(400, "limit is 1 to 100")
	}
	sorted := slices.Clone(c.Sessions)
	slices.SortFunc(sorted, newestFirst)
	if id := query.Get("beforeConversationId"); id != "" {
		before, err := time.Parse(time.RFC3339, query.Get("beforeUpdatedAt"))
		if err != nil {
			return nil, refuse(400, "beforeUpdatedAt is a time and goes with beforeConversationId")
		}
		last := &fake.Session{ID: id, UpdatedAt: before}
		sorted = slices.DeleteFunc(sorted, func(n *fake.Session) bool { return newestFirst(last, n) >= 0 })
	}
	if c.Most > 0 {
		limit = min(limit, c.Most)
	}
	conversations, next := []object{}, any(nil)
	for _, n := range sorted[:min(limit, len(sorted))] {
		conversations = append(conversations, s.wireSession(n))
		next = object{"beforeConversationId": n.ID, "beforeUpdatedAt": stamp(n.UpdatedAt)}
	}
	return object{"conversations": conversations, "pageInfo": object{"hasMore": len(sorted) > limit, "nextCursor": next}}, nil
}

// newestFirst orders sessions by when they changed, as exactly as a cursor can
// say it, and then by id.
func newestFirst(x, y *fake.Session) int {
	return cmp.Or(y.UpdatedAt.Truncate(time.Millisecond).Compare(x.UpdatedAt.Truncate(time.Millisecond)), cmp.Compare(y.ID, x.ID))
}

// getConversation is one session. Its messages are left out: nobody who reads
// this relay wants them.
func (s *Server) getConversation(c *fake.Call) (any, *fake.Refusal) {
	if n := c.Session(); n != nil {
		return object{"conversation": s.wireSession(n), "messages": []any{}}, nil
	}
	return nil, notFound()
}

// getPage is the page behind a session's link, for people.
func (s *Server) getPage(c *fake.Call) (any, *fake.Refusal) {
	title := s.options.Name
	if n := c.State.Session(c.URL.Query().Get("conv")); n != nil {
		title = n.Title
	}
	return nil, fake.HTML(200, fake.Page(title))
}
