package opencomputer_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/faketest"
	"askbox/client/fake/opencomputer"
)

// pages reads a listing to its end, or to the given number of pages, and returns
// the ids of each page.
func pages(c *faketest.Client, path, items string, most int) [][]string {
	c.T.Helper()
	var pages [][]string
	cursor := ""
	for len(pages) < most {
		status, body := c.Call("GET", path+"&cursor="+url.QueryEscape(cursor), "")
		if status != 200 {
			c.T.Fatalf("%s: %d %v", path, status, body)
		}
		page := []string{}
		for _, item := range faketest.At(body, items).([]any) {
			page = append(page, faketest.At(item, "id").(string))
		}
		pages = append(pages, page)
		next, more := faketest.At(body, "nextCursor").(string)
		if !more {
			break
		}
		cursor = next
	}
	return pages
}

// ten opens ten asks in a session, the first one first.
func ten(relay *opencomputer.Server) (session string, newestFirst []string) {
	session = relay.AddSession(fake.Session{Title: "x"})
	for i := range 10 {
		newestFirst = append(newestFirst, relay.Bash(session, fmt.Sprint("echo ", i), "").Ask)
	}
	slices.Reverse(newestFirst)
	return session, newestFirst
}

func TestPaging(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session, ids := ten(relay)
	list := "/sessions/" + session + "/asks?limit=4"
	if got := pages(c, list, "asks", 9); !slices.EqualFunc(got, [][]string{ids[:4], ids[4:8], ids[8:]}, slices.Equal) {
		t.Errorf("the pages are %v", got)
	}
	relay.SetPaging(3)
	if got := pages(c, list, "asks", 9); !slices.EqualFunc(got, [][]string{ids[:3], ids[3:6], ids[6:9], ids[9:]}, slices.Equal) {
		t.Errorf("small pages are %v", got)
	}
}

func TestACursorIsStableWhileAsksComeAndGo(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session, ids := ten(relay)
	_, first := c.Call("GET", "/sessions/"+session+"/asks?limit=4", "")
	relay.Bash(session, "echo new", "")
	relay.DismissAs(opencomputer.Grace.Actor, fake.Ref{Session: session, Ask: ids[1]}, "")
	_, second := c.Call("GET", "/sessions/"+session+"/asks?limit=4&cursor="+faketest.At(first, "nextCursor").(string), "")
	if got := faketest.At(second, "asks", 0, "id"); got != ids[4] {
		t.Errorf("the second page begins with %v, want %s", got, ids[4])
	}
}

func TestWrongQueries(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	session, _ := ten(relay)
	asks := "/sessions/" + session + "/asks"
	_, page := c.Call("GET", asks+"?limit=2", "")
	cursor := faketest.At(page, "nextCursor").(string)
	for _, tc := range []struct{ path, code, field string }{
		{asks + "?limit=0", "invalid_request", "limit"},
		{asks + "?limit=101", "invalid_request", "limit"},
		{asks + "?limit=ten", "invalid_request", "limit"},
		{asks + "?status=paused", "invalid_request", "status"},
		{asks + "?cursor=nonsense", "invalid_cursor", "cursor"},
		{asks + "?status=answered&cursor=" + cursor, "invalid_cursor", "cursor"},
		{"/sessions?status=waiting&cursor=" + cursor, "invalid_cursor", "cursor"},
		{"/sessions?updatedSince=yesterday", "invalid_request", "updatedSince"},
	} {
		if status, body := c.Call("GET", tc.path, ""); status != 400 || faketest.At(body, "error", "code") != tc.code || faketest.At(body, "error", "field") != tc.field {
			t.Errorf("%s: got %d %v", tc.path, status, body)
		}
	}
}

func TestClosedAsks(t *testing.T) {
	relay, c := start(t, opencomputer.Options{})
	grace := opencomputer.Grace.Actor
	old := relay.AddSession(fake.Session{Title: "old", CreatedAt: time.Now().Add(-48 * time.Hour)})
	session := relay.AddSession(fake.Session{Title: "new"})
	var refs []fake.Ref
	for i := range 4 {
		refs = append(refs, relay.Bash(session, fmt.Sprint("echo ", i), ""))
	}
	relay.AnswerAs(grace, refs[0], fake.Allow)
	relay.DismissAs(grace, refs[1], "not now")
	relay.Decline(grace, refs[2], "use the other branch")
	relay.Interrupt(refs[3])
	if relay.AnswerAs(grace, refs[3], fake.Allow) {
		t.Error("a second close counted")
	}

	for status, want := range map[string]int{"": 0, "all": 4, "answered,dismissed": 2, "declined": 1, "interrupted": 1} {
		_, body := c.Call("GET", "/sessions/"+session+"/asks?status="+status, "")
		if got := len(faketest.At(body, "asks").([]any)); got != want {
			t.Errorf("status %q lists %d asks, want %d", status, got, want)
		}
	}
	_, declined := c.Call("GET", path(refs[2], ""), "")
	if faketest.At(declined, "answer", "message") != "use the other branch" || faketest.At(declined, "answer", "messageSeq") == nil || faketest.At(declined, "closedBy", "name") != "Grace" {
		t.Errorf("the declined ask is %v", declined)
	}
	_, interrupted := c.Call("GET", path(refs[3], ""), "")
	if faketest.At(interrupted, "closedBy") != nil || faketest.At(interrupted, "closedAt") == nil {
		t.Errorf("the interrupted ask is %v", interrupted)
	}
	since := url.QueryEscape(time.Now().Add(-24 * time.Hour).UTC().Format(time.RFC3339))
	recent := pages(c, "/sessions?limit=100&updatedSince="+since, "sessions", 9)
	if len(recent[0]) != 1 || recent[0][0] != session || recent[0][0] == old {
		t.Errorf("sessions of the last day: %v", recent)
	}
}
