package opencode

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"askbox/client"
)

const makeRunning = `{"status":"running","input":{"command":"make","timeout":5},"time":{"start":1796074747828}}`

// TestGetReadsTheToolCall: what a tool gets may change under the ids of its ask,
// while neither the list nor an event tells of it.
func TestGetReadsTheToolCall(t *testing.T) {
	for name, change := range map[string]string{
		"the command": strings.Replace(makeRunning, `"make"`, `"make install"`, 1),
		"beside it":   strings.Replace(makeRunning, `"timeout":5`, `"timeout":5,"workdir":"/etc"`, 1),
		"all of it":   strings.Replace(makeRunning, `"command":"make","timeout":5`, ``, 1),
		"a number":    strings.Replace(makeRunning, `:5`, `:5000`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.waiting(bashID, "ses_1", "/srv/a", "make")
			s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", makeRunning)
			r := s.relay(Options{})
			asks, _ := open(t, r)
			shown := asks[bashID]
			again, err := r.Get(t.Context(), shown)
			if err != nil || again.Digest() != shown.Digest() {
				t.Fatalf("unchanged, it is another ask: %v", err)
			}
			s.change(func() {
				s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", strings.Replace(makeRunning, `"command":"make","timeout":5`, `"timeout":5,"command":"make"`, 1))
			})
			if again, err = r.Get(t.Context(), shown); err != nil || again.Approval.What() != shown.Approval.What() {
				t.Errorf("with its keys in another order: %v", err)
			}
			s.change(func() { s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", change) })
			now, err := r.Get(t.Context(), shown)
			if err != nil || now.Digest() == shown.Digest() {
				t.Errorf("the change is not seen: %v", err)
			}
			asks, _ = open(t, r)
			if asks[bashID].Digest() != now.Digest() {
				t.Error("the next listing forgets it")
			}
		})
	}
}

// TestAnswerComparesTheToolCall: what changed since it was shown is not allowed,
// however little time is between.
func TestAnswerComparesTheToolCall(t *testing.T) {
	for _, d := range []client.Decision{client.Allow, client.Always, client.Deny} {
		s := newServer(t)
		s.waiting(bashID, "ses_1", "/srv/a", "make")
		s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", makeRunning)
		r := s.relay(Options{})
		asks, _ := open(t, r)
		s.change(func() {
			s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", strings.Replace(makeRunning, `"make"`, `"rm -rf ~"`, 1))
		})
		_, err := r.Answer(t.Context(), asks[bashID], client.Answer{Decision: d})
		sent := s.count("POST /permission/" + bashID + "/reply")
		if d == client.Deny {
			if sent != 1 {
				t.Errorf("a denial was sent %d times: %v", sent, err)
			}
			continue
		}
		if sent != 0 || !errors.As(err, new(*client.Elsewhere)) || !strings.Contains(err.Error(), "not what was shown") {
			t.Errorf("%v was sent %d times: %v", d, sent, err)
		}
	}
}

// TestAnswerComparesTheToolCallOfTheSecondEngine: its list does not tell what a tool gets.
func TestAnswerComparesTheToolCallOfTheSecondEngine(t *testing.T) {
	const at, part = "api/session/ses_1/msg_1", `{"data":{"content":[{"type":"tool","id":"c1","name":"edit","state":%s}]}}`
	for name, c := range map[string]struct {
		state string
		sent  int
		words string
	}{
		"the same":     {`{"status":"running","input":{"path":"/srv/a/x","content":"one"}}`, 1, ""},
		"another":      {`{"status":"running","input":{"path":"/srv/a/x","content":"two"}}`, 0, "not what was shown"},
		"not there":    {``, 0, "not what was shown"},
		"not the call": {`{"status":"running","input":{}},"id":"c2"`, 0, "not what was shown"},
		"over":         {`{"status":"completed","input":{"path":"/srv/a/x","content":"one"}}`, 0, "it ran"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			s.session("ses_1", "/srv/a", "Work", "")
			s.lists["api/permission /srv/a"] = []string{secondItem}
			s.messages[at] = fmt.Sprintf(part, `{"status":"running","input":{"path":"/srv/a/x","content":"one"}}`)
			r := s.relay(Options{})
			asks, _ := open(t, r)
			s.change(func() {
				if s.messages[at] = fmt.Sprintf(part, c.state); c.state == "" {
					delete(s.messages, at)
				}
			})
			_, err := r.Answer(t.Context(), asks["per_1"], client.Answer{Decision: client.Allow})
			if n := len(s.sent); n != c.sent || (err == nil) != (c.words == "") || err != nil && !strings.Contains(err.Error(), c.words) {
				t.Errorf("sent %d times: %v", n, err)
			}
		})
	}
}

// A turn that ended leaves its tool call as it was when its server was killed.
func TestAnswerOfATurnThatIsNotUnderWay(t *testing.T) {
	for _, tool := range []string{"bash", "edit", "webfetch", "github_create_issue"} {
		s := newServer(t)
		s.waiting(bashID, "ses_1", "/srv/a", "make")
		s.call("ses_1", "msg_ses_1", "call_ses_1", tool, makeRunning)
		r := s.relay(Options{})
		asks, _ := open(t, r)
		s.change(func() { s.busy = map[string][]string{} })
		if _, err := r.Answer(t.Context(), asks[bashID], client.Answer{Decision: client.Allow}); err == nil || len(s.sent) > 0 {
			t.Errorf("%s: %v, sent %v", tool, err, s.sent)
		}
	}
}

// TestGetOfADoubledID: of two contents under one id none is given as the ask.
func TestGetOfADoubledID(t *testing.T) {
	s := newServer(t)
	s.waiting(bashID, "ses_1", "/srv/a", "make")
	r := s.relay(Options{})
	asks, _ := open(t, r)
	s.change(func() {
		s.lists["permission /srv/a"] = []string{bash(bashID, "ses_1", "rm"), bash(bashID, "ses_1", "make")}
	})
	if now, err := r.Get(t.Context(), asks[bashID]); err != nil || now.Unreadable == "" {
		t.Errorf("it is %+v, %v", now, err)
	}
}
