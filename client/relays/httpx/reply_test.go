package httpx

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"askbox/client"
)

func TestWhatAReplyMeans(t *testing.T) {
	for _, test := range []struct {
		name, kind, body string
		status           int
		want             string // of the error
		counted          bool   // whether an answer may have counted
	}{
		{"good", "application/json; charset=utf-8", `{}`, 200, "", false},
		{"good, another type", "application/problem+json", `{}`, 200, "", false},
		{"html", "text/html", "<!doctype html><title>Sign in</title>", 200, "an HTML page (a login page or a proxy?)", true},
		{"html that holds JSON", "text/html; charset=utf-8", `{"sessions":[]}`, 200, "an HTML page", true},
		{"nothing", "", "", 204, "an empty reply", true},
		{"text", "text/plain", "ok", 200, "no JSON but text/plain", true},
		{"401 empty", "", "", 401, "the relay refused the token; check it in the configuration", false},
		{"401 text", "application/json", `{"error":"Unauthorized"}`, 401, `in the configuration; it says "Unauthorized"`, false},
		{"403 scope", "application/json", `{"error":{"code":"missing_scope","scope":"asks:answer"}}`, 403, "the token lacks the scope asks:answer", false},
		{"403 text", "application/json", `{"error":"session mismatch"}`, 403, `the relay does not allow it; it says "session mismatch"`, false},
		{"404", "application/json", `{"error":"Not found"}`, 404, `does not know this ask; it says "Not found"`, false},
		{"404 html", "text/html", `<html>`, 404, "an HTML page", false},
		{"409", "application/json", `{"error":{"code":"ask_closed","message":"closed"}}`, 409, `the relay failed with status 409; it says "closed"`, false},
		{"415", "text/plain", "Unsupported content-type: x", 415, `status 415; it says "Unsupported content-type: x"`, false},
		{"tag", "application/json", `{"_tag":"PermissionNotFoundError","message":"not found: per_x"}`, 404, "not found: per_x", false},
		{"data", "application/json", `{"name":"BadRequest","data":{"message":"Missing key"}}`, 400, "Missing key", false},
		{"500", "application/json", `{"error":"\u001b[2Jboom"}`, 500, "the relay failed with status 500", true},
		{"502 html", "text/html", "<html>secret page</html>", 502, "the relay failed with status 502", true},
		{"error of another form", "application/json", `{"error":[1]}`, 400, "the relay failed with status 400", false},
		{"broken error", "application/json", `{"error":`, 400, "the relay failed with status 400", false},
	} {
		c := serve(t, reply(test.status, test.kind, test.body))
		r, err := get(c)
		if got := words(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if strings.Contains(words(err), "<html") || strings.Contains(words(err), "doctype") {
			t.Errorf("%s: the page is in the error: %v", test.name, err)
		}
		if r == nil || r.Status != test.status {
			t.Errorf("%s: no reply to look at", test.name)
		}
		if _, err := send(c); is[*client.Uncertain](err) != test.counted {
			t.Errorf("%s: an answer gave %v", test.name, err)
		}
	}
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestProblem(t *testing.T) {
	c := serve(t, reply(409, "application/json", `{"error":{"code":"ask_closed","field":"decision","message":"m","ask":{"id":"ak_1"}}}`))
	r, err := get(c)
	var failed *client.Failed
	if !errors.As(err, &failed) || failed.Code != "ask_closed" {
		t.Fatalf("%v", err)
	}
	p := r.Problem()
	inner, err := Split(p.Raw)
	if p.Code != "ask_closed" || p.Field != "decision" || err != nil || string(inner.Get("ask")) != `{"id":"ak_1"}` {
		t.Errorf("%+v", p)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "-5": 0, "0": 0, "abc": 0, "": 0, "1.5": 0,
		"999999999999999999999": 0,
		"86400":                 2 * longestPause,
		"9223372036854775807":   2 * longestPause,
		now.Add(10 * time.Second).Format(httpDate):   10 * time.Second,
		now.Add(-10 * time.Second).Format(httpDate):  0,
		now.Add(1000 * time.Hour).Format(httpDate):   1000 * time.Hour,
		now.Add(10 * time.Second).Format(time.ANSIC): 10 * time.Second,
	} {
		if got := retryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

const httpDate = http.TimeFormat

func TestRateLimited(t *testing.T) {
	for status, limited := range map[int]bool{429: true, 503: true, 500: false} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			reply(status, "application/json", `{}`)(w, r)
		})
		_, err := get(c)
		var e *client.RateLimited
		if errors.As(err, &e) != limited || limited && (time.Until(e.Until).Round(time.Second) != 7*time.Second || e.Busy != (status == 503)) {
			t.Errorf("%d: %v", status, err)
		}
		if _, err := get(c); is[*client.RateLimited](err) != limited {
			t.Errorf("%d: the pause that it asked for is not kept: %v", status, err)
		}
		c.hold.Lift()
		if _, err := send(c); status == 429 && (is[*client.Uncertain](err) || !strings.Contains(err.Error(), "took nothing")) {
			t.Errorf("%d: an answer gave %v", status, err)
		} else if status == 503 && (!is[*client.Uncertain](err) || is[*client.RateLimited](err)) {
			t.Errorf("%d: an answer gave %v", status, err)
		}
	}
}
