package opencode

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/httpx"
)

// hanging is a server that never answers what is asked about a folder, or
// about any with an empty one.
type hanging struct {
	*server
	folder string
}

func (h hanging) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	folder := q.URL.Query().Get("directory")
	if folder == "" || h.folder != "" && folder != h.folder {
		h.serve(w, q)
		return
	}
	h.change(func() { h.calls["hung"]++ })
	<-q.Context().Done()
}

func hang(t *testing.T, s *server, folder string) *Relay {
	s.change(func() { s.handler = hanging{s, folder} })
	r := s.relay(Options{})
	var err error
	if r.http, err = httpx.New(httpx.Options{BaseURL: s.URL, Timeout: 300 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOpenOneFolderHangs(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	s.session("ses_2", "/srv/slow", "Stuck", "")
	r := hang(t, s, "/srv/slow")
	asks, batch := open(t, r)
	if len(asks) != 1 || batch.Complete || !strings.Contains(batch.Partial, "/srv/slow") || !strings.Contains(batch.Partial, "in time") {
		t.Errorf("%d asks, complete %v, partial %q", len(asks), batch.Complete, batch.Partial)
	}
	open(t, r)
	if n := s.count("hung"); n != 1 {
		t.Errorf("a folder that hangs was asked for %d times", n)
	}
	s.change(func() {
		s.waiting(editID, "ses_2", "/srv/slow", "true")
		s.handler = http.HandlerFunc(s.serve)
	})
	at := time.Now().Add(2 * coldPoll)
	r.now = func() time.Time { return at }
	if asks, batch = open(t, r); len(asks) != 2 || !batch.Complete || batch.Partial != "" {
		t.Errorf("later: %d asks, complete %v, partial %q", len(asks), batch.Complete, batch.Partial)
	}
}

func TestOpenServerHangs(t *testing.T) {
	s := newServer(t)
	for _, folder := range strings.Fields("a b c d e f g h i j k l m n o p") {
		s.session("ses_"+folder, "/srv/"+folder, "Work", "")
	}
	var lost *client.Unreachable
	if _, err := hang(t, s, "").Open(t.Context()); !errors.As(err, &lost) {
		t.Errorf("the error is %v", err)
	}
	if n := s.count("hung"); n > 2*atOnce {
		t.Errorf("a server that hangs was asked %d times", n)
	}
}
