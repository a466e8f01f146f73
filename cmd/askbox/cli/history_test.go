package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// TestHistoryAsksTheRelaysToo, and puts what they tell together with what was answered here.
func TestHistoryAsksTheRelaysToo(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	here, theirs := relay.Bash(session, "ls", ""), relay.Bash(session, "rm -rf build", "")
	question := relay.Choice(session, "Which?", "A", "B")
	answered(t, "work/"+here.Ask, "--deny", "--message", "not now").want(t, statusDone)
	run(t, "answer", "work/"+question.Ask, "--choose", "B").want(t, statusDone)
	relay.AnswerAs(opencomputer.Grace.Actor, theirs, fake.Deny(""))

	run(t, "history", "--local").want(t, statusDone, "denied\twork/"+here.Ask+"\tdenied, not now\tls\tx\tme\t\t\n")
	if r := run(t, "history", "--local"); strings.Contains(r.out, theirs.Ask) {
		t.Errorf("it asked the relay: %s", r.out)
	}
	run(t, "history").want(t, statusDone, "denied\twork/"+theirs.Ask, "\t\"Grace\"\t")
	all := parse[historyJSON](t, run(t, "history", "--json").out)
	if len(all.Answered) != 3 || len(all.Relays) != 1 || !all.Relays[0].Reachable {
		t.Fatalf("%+v", all)
	}
	for _, e := range all.Answered {
		switch e.ID {
		case here.Ask:
			if e.Decision != "deny" || e.Message != "not now" || !e.ByMe || !e.Here || e.Ref != "work/"+session+"/"+here.Ask {
				t.Errorf("mine: %+v", e)
			}
		case question.Ask:
			if e.Decision != "" || len(e.Choices) != 1 || e.Choices[0] != "B" {
				t.Errorf("the question: %+v", e)
			}
		default:
			if e.Decision != "deny" || e.ByMe || e.Here || e.By != "Grace" {
				t.Errorf("hers: %+v", e)
			}
		}
	}
	run(t, "history", "--relay", "nowhere").want(t, statusUsage)
	relay.Close()
	run(t, "history").want(t, statusUnreachable, "work/"+here.Ask)
}

// TestAnAttemptIsInTheHistory with what counted instead (I01).
func TestAnAttemptIsInTheHistory(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	relay.Break(fake.JSON(409, `{"error":{"code":"ask_closed","message":"closed","ask":{"id":"`+ref.Ask+`","sessionId":"`+ref.Session+
		`","kind":"approval","status":"answered","openedAt":"2026-01-02T03:04:05Z","closedAt":"2026-01-02T03:05:05Z","answer":{"decision":"deny"},
		"closedBy":{"type":"user","id":"usr_2","name":"Grace"},"approval":{"toolName":"Bash","input":{"command":"ls"}}}}}`).
		When(fake.To("POST", "/answer")).Next(1))
	answered(t, "work/"+ref.Ask, "--allow").want(t, statusClosed, `denied by "Grace"`)
	e := parse[historyJSON](t, run(t, "history", "--local", "--json", "--since", "10000d").out).Answered
	if len(e) != 1 || e[0].Tried == nil || e[0].Tried.End != "too_late" || e[0].Decision != "deny" || e[0].By != "Grace" || e[0].Tried.Decision != "allow" || e[0].ByMe || e[0].Here {
		t.Errorf("got %+v", e)
	}
}

// TestHistoryWritesNothing where there is nothing, or nothing can be written (K15).
func TestHistoryWritesNothing(t *testing.T) {
	folder := filepath.Join(home(t), "state")
	if r := run(t, "history"); r.status != statusDone || r.out != "" {
		t.Errorf("%+v", r)
	}
	if _, err := os.Lstat(folder); err == nil {
		t.Error("it made a folder")
	}
	work(t)
	run(t, "history").want(t, statusDone)
	run(t, "show", "work/nothing")
	if _, err := os.Lstat(folder); err == nil {
		t.Error("a reading made a folder")
	}
}

// TestSince takes what people write for a time, and refuses the rest (K18).
func TestSince(t *testing.T) {
	now := time.Date(2026, 12, 1, 10, 0, 0, 0, time.Local)
	for word, want := range map[string]time.Time{
		"24h": now.Add(-24 * time.Hour), "1d": now.Add(-24 * time.Hour), "7d": now.Add(-168 * time.Hour), "1d12h": now.Add(-36 * time.Hour),
		"Yesterday": time.Date(2026, 11, 30, 0, 0, 0, 0, time.Local), "today": time.Date(2026, 12, 1, 0, 0, 0, 0, time.Local),
		"2026-11-30": time.Date(2026, 11, 30, 0, 0, 0, 0, time.Local), "2026-11-30T12:00:00Z": time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
	} {
		if got, err := sinceWhen(word, now); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", word, got, err)
		}
	}
	for _, word := range []string{"", "-1h", "0s", "0d", "-1d", "d", "1d-3h", "1dd", "soon", "1e9d", "99999999d", "24"} {
		if got, err := sinceWhen(word, now); statusOf(err) != statusUsage || !strings.Contains(err.Error(), "7d") {
			t.Errorf("%s: %v, %v", word, got, err)
		}
	}
}
