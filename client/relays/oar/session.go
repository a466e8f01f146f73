package oar

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// The bounds of looking for the conversations of asks.
const (
	conversationsPath = "/api/conversations"
	pageSize          = "100"
	maxPages          = 20
	maxSingles        = 40               // read one by one, of those that stand on no page
	singlesAside      = 2                // at the same time
	titlesHold        = 30 * time.Second // after that the newest page is read again
	unknownHold       = time.Minute      // after that an unknown conversation is looked for again
	maxSessions       = 5000             // kept
)

// session is a conversation, or when it was looked for and not found.
type session struct {
	client.Session
	found bool
	at    time.Time
}

// sessions are the conversations that asks belong to, because no listing of cards
// and boards holds their titles. They are guarded by the lock of the relay.
type sessions struct {
	known map[string]session
	fresh time.Time // when the newest page was read
	// failed is when reading them last failed. Titles are then left alone for a
	// while, so that a relay that hangs over them does not hold up every poll.
	failed time.Time
	broken bool // the list of them was read, and broke off
}

// readConversation takes of a conversation what is shown, and nothing else: it
// holds what people have typed and not sent.
func (r *Relay) readConversation(raw jsontext.Value) (client.Session, bool) {
	o, err := httpx.Split(raw)
	id := relays.Word(o, "id")
	if err != nil || id == "" {
		return client.Session{}, false
	}
	s := client.Session{ID: id, Title: text.New(relays.Word(o, "title")), Link: link(r.http.Base(), id)}
	if from := o.Get("origin"); from != nil {
		s.Starter, s.StartedBy.Type = client.StarterAgent, client.ActorAgent
		from, _ := httpx.Split(from)
		s.Origin = text.New(relays.Word(from, "conversationTitle"))
		if from.Get("local").Kind() != 't' {
			s.OriginRelay = text.New(relays.Word(from, "relayName"))
		}
		return s, true
	}
	if _, doubled := o.Doubled(); doubled {
		return s, true // who started it cannot be told
	}
	s.Starter, s.StartedBy = client.StarterMe, client.Actor{Type: client.ActorUser, Me: true}
	return s, true
}

// link is where a relay shows a conversation.
func link(base, id string) string {
	if base == "" || id == "" {
		return ""
	}
	return base + "/?conv=" + url.QueryEscape(id)
}

// session returns what is known of a conversation. Of one that is not, the asks in
// it may tell the title.
func (r *Relay) session(id string, title text.Text) client.Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sessions.known[id]; s.found {
		return s.Session
	}
	if title.Empty() {
		title = text.New(id)
	}
	return client.Session{ID: id, Title: title, Link: link(r.http.Base(), id)}
}

// learn makes sure that the conversations are known, as far as the relay tells.
// It returns why some may not be, in the program's words. Only an error of the
// whole relay is returned: a missing title never costs an ask.
//
// newest is the newest page where it has been read already, and nil where not.
func (r *Relay) learn(ctx context.Context, ids map[string]bool, newest *listed) (trouble string, err error) {
	delete(ids, "")
	due, rest := r.due(ids)
	if len(ids) > 0 && !rest {
		if err = r.readPages(ctx, ids, due, newest); err == nil {
			err = r.readSingles(ctx, due)
		}
		if relays.OfTheRelay(err) {
			return "", err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.sessions.failed = time.Now()
	}
	return r.sessions.trouble(ids), nil
}

// due returns which conversations have to be looked for, and whether none has to be
// read for now.
func (r *Relay) due(ids map[string]bool) (due map[string]bool, rest bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.sessions
	if len(s.known) > maxSessions {
		maps.DeleteFunc(s.known, func(id string, _ session) bool { return !ids[id] })
	}
	due = map[string]bool{}
	for id := range ids {
		if one, ok := s.known[id]; !ok || !one.found && time.Since(one.at) > unknownHold {
			due[id] = true
		}
	}
	return due, time.Since(s.failed) < titlesHold || len(due) == 0 && time.Since(s.fresh) < titlesHold
}

// trouble says why titles may be missing; empty when all is well.
func (s *sessions) trouble(ids map[string]bool) string {
	if time.Since(s.failed) < titlesHold {
		return "the titles of some sessions could not be read"
	}
	for id := range ids {
		if s.broken && !s.known[id].found {
			return "the relay's list of sessions breaks off; some titles may be missing"
		}
	}
	return ""
}

// keep takes down a conversation, or with the zero value that there is none.
func (r *Relay) keep(id string, s client.Session) {
	r.locked(func() { r.sessions.known[id] = session{Session: s, found: s.ID != "", at: time.Now()} })
}

// rename takes the new title of a conversation out of an event.
func (s *sessions) rename(event jsontext.Value) {
	o, err := httpx.Split(event)
	id := relays.Word(o, "conversationId")
	if one, ok := s.known[id]; ok && err == nil {
		one.Title = text.New(relays.Word(o, "title"))
		s.known[id] = one
	}
}

// errNoNext means that a page says that more follow, and not where.
var errNoNext = errors.New("no next page")

// readPages reads the newest page and, while a conversation is due, those after it.
// It takes what it finds out of due.
func (r *Relay) readPages(ctx context.Context, ids, due map[string]bool, newest *listed) error {
	looked := len(due) > 0
	end, err := relays.Pages{Most: maxPages, Page: func(cursor string) (string, int, error) {
		got := newest
		if cursor != "" || newest == nil {
			l := r.list(ctx, conversationsPath, pageAt(cursor), "conversations")
			got = &l
		}
		if errors.Is(got.err, errAbsent) {
			return "", 0, nil
		}
		for _, raw := range got.items {
			if s, ok := r.readConversation(raw); ok && ids[s.ID] {
				r.keep(s.ID, s)
				delete(due, s.ID)
			}
		}
		if len(due) == 0 || got.err != nil {
			return "", 0, got.err
		}
		next, err := nextPage(got.whole)
		return next, 0, err
	}}.Read()
	broken := err == errNoNext || end == relays.Repeated
	if err != nil && !broken {
		return err
	}
	r.locked(func() {
		if r.sessions.fresh = time.Now(); looked {
			r.sessions.broken = broken
		}
	})
	return nil
}

func newestPage() url.Values { return url.Values{"limit": {pageSize}} }

// nextPage returns the cursor of the page behind another one: its query, and nothing
// where no page follows.
func nextPage(page httpx.Object) (string, error) {
	info, _ := httpx.Split(page.Get("pageInfo"))
	if info.Get("hasMore").Kind() != 't' {
		return "", nil
	}
	o, err := httpx.Split(info.Get("nextCursor"))
	query := newestPage()
	for _, key := range []string{"beforeConversationId", "beforeUpdatedAt"} {
		raw := o.Get(key)
		if err != nil || raw.Kind() != '"' && raw.Kind() != '0' {
			return "", errNoNext
		}
		query.Set(key, plainValue(raw))
	}
	return query.Encode(), nil
}

// pageAt is the query of the page at a cursor.
func pageAt(cursor string) url.Values {
	if query, err := url.ParseQuery(cursor); err == nil && cursor != "" {
		return query
	}
	return newestPage()
}

// readSingles reads conversations that stand on no page.
func (r *Relay) readSingles(ctx context.Context, due map[string]bool) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(singlesAside)
	n := 0
	for id := range due {
		if n++; n > maxSingles {
			break
		}
		if !httpx.Segment(id) {
			r.keep(id, client.Session{})
			continue
		}
		group.Go(func() error { return httpx.Contain(func() error { return r.readSingle(inner, id) }) })
	}
	return group.Wait()
}

func (r *Relay) readSingle(ctx context.Context, id string) error {
	reply, err := r.http.Do(ctx, httpx.Request{Path: "/api/conversation" + httpx.Path(id), Query: url.Values{"limit": {"1"}}})
	if err != nil && !noSuchPath(reply, err) {
		return err
	}
	var found client.Session
	if err == nil {
		raw := jsontext.Value(reply.Body)
		if o, err := httpx.Split(raw); err == nil && o.Get("conversation") != nil {
			raw = o.Get("conversation")
		}
		if s, ok := r.readConversation(raw); ok && s.ID == id {
			found = s
		}
	}
	r.keep(id, found)
	return nil
}
