package oar

import (
	"context"
	"errors"
	"net/url"
	"time"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// The bounds of looking for the conversations of asks.
const (
	pageSize     = "100"
	maxPages     = 20
	maxSingles   = 40               // read one by one, of those that stand on no page
	singlesAside = 2                // at the same time
	titlesHold   = 30 * time.Second // after that the newest page is read again
	unknownHold  = time.Minute      // after that an unknown conversation is looked for again
	maxSessions  = 5000             // kept
)

// knownSession is what is known of a conversation, or that it is not known.
type knownSession struct {
	session client.Session
	found   bool
	at      time.Time
}

// sessionCache keeps the conversations that asks belong to, because no listing of
// asks holds their titles. It is guarded by the lock of the relay.
type sessionCache struct {
	known map[string]knownSession
	fresh time.Time // when the newest page was read
	// failed is when reading them last failed. Titles are then left alone for a
	// while, so that a relay that hangs over them does not hold up every poll.
	failed time.Time
	// trouble says why titles may be missing; empty when all is well.
	trouble string
}

// readConversation takes of a conversation what is shown, and nothing else: it
// holds what people have typed and not sent.
func (r *Relay) readConversation(raw jsontext.Value) (client.Session, bool) {
	o, err := httpx.Split(raw)
	var s client.Session
	if err != nil || json.Unmarshal(o.Get("id"), &s.ID) != nil || s.ID == "" {
		return s, false
	}
	s.Title = text.New(relays.Word(o, "title"))
	s.Link = r.link(s.ID)
	if from := o.Get("origin"); from != nil {
		s.Starter, s.StartedBy.Type = client.StarterAgent, client.ActorAgent
		if from, err := httpx.Split(from); err == nil {
			s.Origin = text.New(relays.Word(from, "conversationTitle"))
			if from.Get("local").Kind() != 't' {
				s.OriginRelay = text.New(relays.Word(from, "relayName"))
			}
		}
		return s, true
	}
	if _, doubled := o.Doubled(); doubled {
		return s, true // who started it cannot be told
	}
	s.Starter, s.StartedBy = client.StarterMe, client.Actor{Type: client.ActorUser, Me: true}
	return s, true
}

func (r *Relay) link(id string) string { return r.http.Base() + "/?conv=" + url.QueryEscape(id) }

// session returns what is known of a conversation, and its bare id where nothing is.
func (r *Relay) session(id string) client.Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k := r.sessions.known[id]; k.found {
		return k.session
	}
	s := client.Session{ID: id, Title: text.New(id)}
	if id != "" {
		s.Link = r.link(id)
	}
	return s
}

// learn makes sure that the conversations are known, as far as the relay tells.
// It returns why some may not be, in the program's words. Only an error of the
// whole relay is returned: a missing title never costs an ask.
//
// newest is the newest page where it has been read already, and nil where not.
func (r *Relay) learn(ctx context.Context, ids map[string]bool, newest *listed) (trouble string, err error) {
	delete(ids, "")
	missing := r.unknown(ids)
	r.mu.Lock()
	fresh := time.Since(r.sessions.fresh) < titlesHold
	failed := time.Since(r.sessions.failed) < titlesHold
	trouble = r.sessions.trouble
	r.mu.Unlock()
	if len(ids) == 0 || failed || len(missing) == 0 && fresh {
		return trouble, nil
	}
	trouble, err = r.readPages(ctx, ids, missing, newest)
	if err == nil && len(missing) > 0 {
		err = r.readSingles(ctx, missing)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && !relays.OfTheRelay(err) {
		trouble, err = "the titles of some sessions could not be read", nil
		r.sessions.failed = time.Now()
	}
	r.sessions.trouble = trouble
	return trouble, err
}

// unknown returns those that have to be looked for.
func (r *Relay) unknown(ids map[string]bool) map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.sessions.known) > maxSessions {
		for id := range r.sessions.known {
			if !ids[id] {
				delete(r.sessions.known, id)
			}
		}
	}
	missing := map[string]bool{}
	for id := range ids {
		if k, ok := r.sessions.known[id]; !ok || !k.found && time.Since(k.at) > unknownHold {
			missing[id] = true
		}
	}
	return missing
}

func (r *Relay) keep(id string, k knownSession) {
	k.at = time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions.known[id] = k
}

// errNoNext means that a page says that more follow, and not where.
var errNoNext = errors.New("no next page")

// readPages reads the newest page and, while a conversation is missing, those
// after it. It takes what it finds out of missing.
func (r *Relay) readPages(ctx context.Context, ids, missing map[string]bool, newest *listed) (trouble string, err error) {
	end, err := relays.Pages{Most: maxPages, Page: func(cursor string) (string, int, error) {
		got := newest
		if cursor != "" || newest == nil {
			page := r.list(ctx, conversationsPath, pageAt(cursor), "conversations")
			got = &page
		}
		if got.absent || got.err != nil {
			return "", 0, got.err
		}
		if cursor == "" {
			r.mu.Lock()
			r.sessions.fresh = time.Now()
			r.mu.Unlock()
		}
		for _, raw := range got.items {
			if s, ok := r.readConversation(raw); ok && ids[s.ID] {
				r.keep(s.ID, knownSession{session: s, found: true})
				delete(missing, s.ID)
			}
		}
		next, err := nextPage(got.whole)
		if len(missing) == 0 && err == nil {
			next = ""
		}
		return next, 0, err
	}}.Read()
	if err != nil && err != errNoNext {
		return "", err
	}
	if (err == errNoNext || end == relays.Repeated) && !r.allFound(ids) {
		return "the relay's list of sessions breaks off; some titles may be missing", nil
	}
	return "", nil
}

const conversationsPath = "/api/conversations"

func newestPage() url.Values { return url.Values{"limit": {pageSize}} }

// allFound reports whether every conversation is known by name.
func (r *Relay) allFound(ids map[string]bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range ids {
		if !r.sessions.known[id].found {
			return false
		}
	}
	return true
}

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
func (r *Relay) readSingles(ctx context.Context, missing map[string]bool) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(singlesAside)
	n := 0
	for id := range missing {
		if n++; n > maxSingles {
			break
		}
		if !httpx.Segment(id) {
			r.keep(id, knownSession{})
			continue
		}
		group.Go(func() error { return httpx.Contain(func() error { return r.readSingle(inner, id) }) })
	}
	return group.Wait()
}

func (r *Relay) readSingle(ctx context.Context, id string) error {
	reply, o, err := r.get(ctx, "/api/conversation"+httpx.Path(id), url.Values{"limit": {"1"}})
	var not *client.NotFound
	if errors.As(err, &not) || noSuchPath(reply, err) {
		r.keep(id, knownSession{})
		return nil
	}
	if err != nil {
		return err
	}
	raw := jsontext.Value(reply.Body)
	if inner := o.Get("conversation"); inner != nil {
		raw = inner
	}
	s, ok := r.readConversation(raw)
	if !ok || s.ID != id {
		r.keep(id, knownSession{})
		return nil
	}
	r.keep(id, knownSession{session: s, found: true})
	return nil
}
