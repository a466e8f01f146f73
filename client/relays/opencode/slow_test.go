package opencode

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/relays/httpx"
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
	if r.http, err = httpx.New(httpx.Options{BaseURL: s.URL(), Timeout: 300 * time.Millisecond}); err != nil {
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

// While somebody follows the stream, the first reading of very many folders is
// given out in pieces, and the next piece is asked for at once.
func TestOpenGivesOutWhatItHas(t *testing.T) {
	s := newServer(t)
	for i := range 40 {
		s.session(fmt.Sprintf("ses_%d", i), fmt.Sprintf("/srv/%d", i), "Work", "")
	}
	s.lists["permission /srv/39"] = []string{bash(bashID, "ses_39", "make")}
	at := &clock{at: time.Date(2026, 11, 30, 21, 40, 0, 0, time.UTC)}
	r := s.relay(Options{})
	r.now = func() time.Time { at.move(50 * time.Millisecond); return at.now() }
	f := follow(t, s, r)
	asks, batch := open(t, r)
	if batch.Complete || !strings.Contains(batch.Partial, "still to be read") || asks[bashID] == nil {
		t.Errorf("%d asks, complete %v, partial %q", len(asks), batch.Complete, batch.Partial)
	}
	if e := f.next(); !e.List {
		t.Errorf("told: %+v", e)
	}
	for range 40 {
		if _, batch = open(t, r); batch.Complete {
			return
		}
	}
	t.Error("the reading never becomes whole")
}

// A server that was started again boots every folder that it is asked for. It is
// read in pieces also before its stream is followed again, so that it is not
// called unreachable meanwhile; and every piece comes further than the one before.
func TestOpenGivesOutWhatItHasWhileTheStreamIsCut(t *testing.T) {
	s := newServer(t)
	for i := range 40 {
		s.waiting(fmt.Sprintf("per_%d", i), fmt.Sprintf("ses_%d", i), fmt.Sprintf("/srv/%d", i), "make")
	}
	at := &clock{at: time.Date(2026, 11, 30, 21, 40, 0, 0, time.UTC)}
	r := s.relay(Options{})
	r.now = func() time.Time { at.move(50 * time.Millisecond); return at.now() }
	f := follow(t, s, r)
	f.stop()
	<-f.ended
	all := map[string]bool{}
	for reading := range 40 {
		before := s.count("GET /permission")
		asks, batch := open(t, r)
		for id, ask := range asks {
			if all[id] = true; batch.Covers != nil && !batch.Covers(ask) {
				t.Error("it is listed, and not covered")
			}
		}
		if n := s.count("GET /permission") - before; n > 39 {
			t.Fatalf("reading %d went through %d folders", reading, n)
		}
		if batch.Complete {
			if len(all) != 40 {
				t.Errorf("%d asks", len(all))
			}
			return
		}
	}
	t.Error("the reading never becomes whole")
}

// A server that is back says so before all its folders are booted: those come first in
// which something is known to wait.
func TestOpenOfAServerThatIsBack(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_hot", "/srv/hot", "make")
	for i := range 40 {
		s.session(fmt.Sprintf("ses_%d", i), fmt.Sprintf("/srv/%d", i), "Work", "")
	}
	at := &clock{at: time.Date(2026, 11, 30, 21, 40, 0, 0, time.UTC)}
	r := s.relay(Options{})
	r.now = at.now
	f := follow(t, s, r)
	before, _ := open(t, r)
	s.cut()
	<-f.ended
	s.change(func() { s.replies["/experimental/session"] = canned{502, "text/plain", ""} })
	if _, err := r.Open(t.Context()); err == nil {
		t.Fatal("a server that is gone was read")
	}
	s.change(func() {
		delete(s.replies, "/experimental/session")
		s.lists = map[string][]string{"permission /srv/7": {bash(editID, "ses_7", "ls")}}
	})
	at.move(time.Hour)
	f = follow(t, s, r)
	r.now = func() time.Time { at.move(100 * time.Millisecond); return at.now() }
	asks, batch := open(t, r)
	if !strings.Contains(batch.Partial, "of 41 folders are still to be read") || batch.Complete {
		t.Errorf("partial %q", batch.Partial)
	}
	if asks[bashID] != nil || !batch.Covers(before[bashID]) {
		t.Error("what waited before is not known to be gone")
	}
	if e := f.next(); !e.List {
		t.Errorf("told: %+v", e)
	}
	for range 40 {
		if some, batch := open(t, r); some[editID] != nil && batch.Complete {
			return
		}
	}
	t.Error("the reading never becomes whole")
}

// Where one reading does not come through all folders in which something waits,
// the next one goes on with those that were read longest ago.
func TestOpenReadsFoldersInTurn(t *testing.T) {
	s := newServer(t)
	for i := range 40 {
		s.waiting(fmt.Sprintf("per_%d", i), fmt.Sprintf("ses_%d", i), fmt.Sprintf("/srv/%d", i), "make")
	}
	at := &clock{at: time.Date(2026, 11, 30, 21, 40, 0, 0, time.UTC)}
	r := s.relay(Options{})
	r.now = at.now
	if _, batch := open(t, r); !batch.Complete || len(batch.Asks) != 40 {
		t.Fatalf("%d asks, complete %v", len(batch.Asks), batch.Complete)
	}
	r.followed.Store(true)
	r.now = func() time.Time { at.move(100 * time.Millisecond); return at.now() }
	for i := range 40 {
		s.change(func() {
			s.waiting(fmt.Sprintf("per_late_%d", i), fmt.Sprintf("ses_%d", i), fmt.Sprintf("/srv/%d", i), "make")
		})
	}
	all := map[string]bool{}
	for range 20 {
		asks, _ := open(t, r)
		for id := range asks {
			all[id] = true
		}
		if len(all) == 80 {
			return
		}
	}
	t.Error("some folders are never read again")
}
