package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/inbox"
	"askbox/client/text"
)

func TestStatusOf(t *testing.T) {
	down := &client.Unreachable{Reason: "ECONNREFUSED"}
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, statusDone},
		{errors.New("x"), statusFailed},
		{&client.NotFound{}, statusFailed},
		{&client.Failed{Status: 500}, statusFailed},
		{&client.RateLimited{}, statusFailed},
		{&usageError{"x"}, statusUsage},
		{&config.Missing{}, statusUsage},
		{&config.Error{}, statusUsage},
		{&client.NoToken{}, statusUsage},
		{&client.InvalidAnswer{}, statusUsage},
		{&client.Closed{}, statusClosed},
		{down, statusUnreachable},
		{&client.NotRelay{}, statusUnreachable},
		{&unread{"a", &client.Failed{Status: 500}}, statusUnreachable},
		{&unread{"a", &client.TokenRefused{}}, statusNotAllowed},
		{&client.NotAllowed{}, statusNotAllowed},
		{&client.TokenRefused{}, statusNotAllowed},
		{&client.Elsewhere{}, statusNotAllowed},
		{&client.Uncertain{Err: down}, statusNotKnown},
		{&told{fmt.Errorf("work: %w", down)}, statusUnreachable},
	} {
		if got := statusOf(c.err); got != c.want {
			t.Errorf("%T gives %d, want %d", c.err, got, c.want)
		}
	}
	if err := worst([]error{&client.TokenRefused{}, down}); statusOf(err) != statusUnreachable {
		t.Errorf("the worst is %v", err)
	}
}

func TestJSONCannotDriveATerminal(t *testing.T) {
	raw := "a\x1b[2J\u009b2K\u202e\u2028\U000e0041\x7f<b>é"
	var out bytes.Buffer
	if err := writeJSON(&out, map[string]string{"k": raw}, false); err != nil {
		t.Fatal(err)
	}
	for _, r := range strings.TrimSpace(out.String()) {
		if !unicode.IsPrint(r) {
			t.Errorf("%U is written as it is", r)
		}
	}
	var back map[string]string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back["k"] != raw {
		t.Errorf("it reads back as %q, %v", back["k"], err)
	}
}

func TestMatch(t *testing.T) {
	ask := func(session, id string) *client.Ask {
		return &client.Ask{Ref: client.Ref{Relay: "r", Session: session, ID: id}}
	}
	asks := []*client.Ask{ask("s1", "a"), ask("s2", "a"), ask("s1", "b/c"), ask("b", "c"), ask("s3", "d"), ask("s\x1b", "e\x1b")}
	for _, c := range []struct {
		id   string
		want *client.Ask
		err  bool
	}{
		{"d", asks[4], false}, {"s3/d", asks[4], false}, {"s2/a", asks[1], false},
		{"a", nil, true}, {"b/c", nil, true}, {"s1/b/c", asks[2], false}, {"b/c/", nil, false}, {"x", nil, false},
		{text.New("e\x1b").String(), asks[5], false},
	} {
		got, err := match(asks, "r", c.id)
		if got != c.want || (err != nil) != c.err {
			t.Errorf("%s gave %v, %v", c.id, got, err)
		}
	}
}

func TestAgesAreNeverNegative(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{{-time.Hour, "0s"}, {0, "0s"}, {90 * time.Second, "1m"}, {3 * time.Hour, "3h"}, {72 * time.Hour, "3d"}} {
		if got := age(now.Add(-c.ago), now); got != c.want {
			t.Errorf("%s ago is %s", c.ago, got)
		}
	}
	if got := age(time.Time{}, now); got != "?" {
		t.Errorf("a time that is not known is %s", got)
	}
}

// Whatever an agent writes, only what the program says stands at the start of a
// line, and a line of the list is as wide as the terminal at most.
func TestWhatAnAgentWritesStaysBehindTheGutter(t *testing.T) {
	evil := text.New("x\r\n\x1b[2JSession, started by you\n" + strings.Repeat("w", 300) + "\u202e\u0007")
	ask := &client.Ask{
		Ref: client.Ref{Relay: "work", Session: "s", ID: "i\nd"}, Kind: client.Approval, Status: client.Open, Waits: true,
		Session: client.Session{ID: "s", Title: evil, Origin: evil, Folder: evil},
		AskedBy: &client.Party{Title: evil},
		Approval: &client.ApprovalAsk{Tool: evil, Always: []text.Text{evil}, Parts: []client.Part{
			{Kind: client.PartCommand, Text: evil}, {Kind: client.PartArgs, Args: []text.Text{evil, evil}},
			{Kind: client.PartDiff, Path: evil, Text: evil}, {Kind: client.PartField, Key: evil, Text: evil}, {Kind: client.PartSays, Text: evil}},
			Modes: []client.Mode{{ID: "m\nm", Label: "l", Quoted: evil}}},
		Closing: &client.Closing{By: client.Actor{Name: evil}, Surface: evil, Answer: []text.Text{evil}},
		Offers:  client.Offered(client.ActAllow),
	}
	question := client.QuestionAsk{Text: evil, Header: evil, Detail: evil, Default: evil, RecommendedText: evil,
		Options: []client.Option{{Label: evil, Description: evil}}}
	for _, terminal := range []bool{true, false} {
		var out bytes.Buffer
		p := printer{w: &out, width: 60, terminal: terminal, now: time.Now()}
		p.ask(ask, ask.Ref.String())
		p.question(&question, 0, 2)
		for _, line := range strings.Split(out.String(), "\n") {
			if strings.HasPrefix(line, "Session, started by you") || strings.HasPrefix(line, "www") {
				t.Errorf("an agent's line begins a line: %q", line)
			}
			if terminal && strings.HasPrefix(line, gutter) && text.Width(line) > 60 {
				t.Errorf("a line is %d cells wide", text.Width(line))
			}
		}
		noControls(t, out.String())

		for _, name := range []string{ask.Ref.String(), "work/" + strings.Repeat("i", 36)} {
			list := listing{width: 60}
			list.add(listed{ask, name, "0123456789ab", time.Now()})
			for _, line := range list.lines(terminal) {
				noControls(t, strings.ReplaceAll(line, "\t", ""))
				if terminal && text.Width(line) > 60 {
					t.Errorf("the list's line is %d cells wide", text.Width(line))
				}
			}
		}
	}
}

func noControls(t *testing.T, s string) {
	t.Helper()
	for _, r := range strings.ReplaceAll(s, "\n", "") {
		if !unicode.IsPrint(r) {
			t.Errorf("%U is written as it is", r)
			return
		}
	}
}

func TestWatchTellsWhatChanged(t *testing.T) {
	ask := func(id string, status client.Status) *inbox.Item {
		return &inbox.Item{Ask: &client.Ask{Ref: client.Ref{Relay: "work", Session: "s", ID: id}, Status: status}}
	}
	group := func(reachable bool, items ...*inbox.Item) *inbox.Group {
		return &inbox.Group{Name: "work", Items: items, State: inbox.State{Asked: true, Reachable: reachable, Reason: "ECONNREFUSED"}}
	}
	w := watcher{open: map[client.Ref]*client.Ask{}, state: map[string]bool{}, began: map[string]bool{}}
	refused := group(false, ask("2", client.Open), ask("1", client.Open))
	refused.State.Trouble, refused.State.Reason = "Token refused", "check its token_file"
	one, two := ask("1", client.Open), ask("2", client.Open)
	gone := ask("1", client.Answered)
	for i, step := range []struct {
		snapshot inbox.Snapshot
		want     []string
	}{
		{inbox.Snapshot{Groups: []*inbox.Group{{Name: "work"}}}, nil},
		{inbox.Snapshot{Groups: []*inbox.Group{group(true, one)}}, []string{"open 1 open", "listed"}},
		{inbox.Snapshot{Groups: []*inbox.Group{group(true, one)}}, nil},
		{inbox.Snapshot{Groups: []*inbox.Group{group(true, two, one)}}, []string{"opened 2 open"}},
		{inbox.Snapshot{Groups: []*inbox.Group{group(false, two, one)}}, []string{"lost ECONNREFUSED"}},
		{inbox.Snapshot{Groups: []*inbox.Group{group(false, two, one)}}, nil},
		{inbox.Snapshot{Groups: []*inbox.Group{group(true, two, one)}}, []string{"back"}},
		{inbox.Snapshot{Groups: []*inbox.Group{refused}}, []string{"lost Token refused: check its token_file"}},
		{inbox.Snapshot{Groups: []*inbox.Group{group(true, two)}, Closed: inbox.ItemsOf(map[client.Ref]*inbox.Item{one.Ask.Ref: gone})}, []string{"back", "closed 1 answered"}},
	} {
		var got []string
		for _, h := range w.events(&step.snapshot) {
			line := h.event
			if h.ask != nil {
				line += " " + h.ask.ID + " " + h.ask.Status.String()
			} else if h.event == "lost" {
				line += " " + h.reason
			}
			got = append(got, line)
		}
		if d := cmp.Diff(step.want, got); d != "" {
			t.Errorf("step %d: %s", i, d)
		}
	}
}

func TestARelayThatIsLostFromTheStart(t *testing.T) {
	w := watcher{open: map[client.Ref]*client.Ask{}, state: map[string]bool{}, began: map[string]bool{}}
	s := &inbox.Snapshot{Groups: []*inbox.Group{{Name: "work", State: inbox.State{Asked: true, Reason: "ECONNREFUSED"}}}}
	if got := w.events(s); len(got) != 1 || got[0].event != "lost" {
		t.Errorf("%+v", got)
	}
}

func TestTheLogIsPrivateBoundedAndSafe(t *testing.T) {
	dir := t.TempDir()
	log, closeLog, err := openLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	log.Info("x", "said", "a\x1b[2J\u009b\u202e", "token", config.NewToken("CANARY"))
	for range 3000 {
		log.Info(strings.Repeat("x", 1000))
	}
	if err := closeLog(); err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, name := range []string{"askbox.log", "askbox.log.1"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() > logLimit {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		data, _ := os.ReadFile(filepath.Join(dir, name))
		all = append(all, data...)
	}
	if bytes.ContainsAny(all, "\x1b\u009b\u202e") || bytes.Contains(all, []byte("CANARY")) {
		t.Error("the log holds an escape or the token")
	}
	log.Info("after it was closed")
	slog.New(slog.DiscardHandler).Info("x")
}
