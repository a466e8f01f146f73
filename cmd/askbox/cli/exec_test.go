//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"askbox/client/fake"
)

// script writes a program of the shell and returns its path, which has a blank in it.
func script(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a script")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+lines), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// watching runs a watch with a command until a file holds as many lines as are wanted, and
// returns them with what was said on standard error.
func watching(t *testing.T, command, file string, lines int) ([]string, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var out, problems bytes.Buffer
	a := newApp(Streams{In: strings.NewReader(""), Out: &out, Err: &problems})
	ended := make(chan error, 1)
	go func() { ended <- a.watch(ctx, watchOptions{exec: command}) }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		data, _ := os.ReadFile(file)
		if got := strings.Count(string(data), "\n"); got >= lines {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			return strings.Split(strings.TrimSpace(string(data)), "\n"), problems.String()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%d lines are missing in %q; %s", lines, data, problems.String())
		}
	}
}

// TestExecGetsEveryEventOnce has a command take the events, in order and without a token.
func TestExecGetsEveryEventOnce(t *testing.T) {
	relay := startRelay(t)
	t.Setenv("WATCH_TOKEN", relay.Token())
	configured(t, fmt.Sprintf("poll = \"500ms\"\n[[relay]]\nname = \"work\"\ntype = \"opencomputer\"\nurl = %q\ntoken_env = \"WATCH_TOKEN\"\n", relay.URL()))
	session := relay.AddSession(fake.Session{Title: "x"})
	relay.Bash(session, "ls 'a b' $(id)", "")
	relay.Bash(session, "make", "")
	file := filepath.Join(t.TempDir(), "out")
	path := script(t, `cat >> "$1"; test -z "$WATCH_TOKEN" || echo "the token is here" >> "$1"`)
	lines, said := watching(t, fmt.Sprintf("'%s' '%s'", path, file), file, 3)
	var events []string
	for _, line := range lines {
		var event eventJSON
		if err := json.Unmarshal([]byte(line), &event); err != nil || event.Version != jsonVersion {
			t.Fatalf("%q: %v", line, err)
		}
		events = append(events, event.Event)
		if event.Event == eventOpen && (event.Ask == nil || event.Ask.Approval == nil) {
			t.Errorf("%q holds no ask", line)
		}
	}
	if got := strings.Join(events, " "); got != "open open listed" || said != "" {
		t.Errorf("%s; %s", got, said)
	}
}

// TestExecThatFails is said once, and ends nothing.
func TestExecThatFails(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	relay.Bash(session, "ls", "")
	file := filepath.Join(t.TempDir(), "out")
	path := script(t, `echo once >> "$1"; exit 3`)
	_, said := watching(t, fmt.Sprintf("'%s' %s", path, file), file, 2)
	if strings.Count(said, "--exec failed") != 1 || !strings.Contains(said, "exit status 3") {
		t.Error(said)
	}
	for command, want := range map[string]string{
		"": "", " ": "names no command", "/nonexistent/x": "cannot be run", "'open": "quote", "ls | cat": "only a shell",
	} {
		if command != "" {
			run(t, "watch", "--exec", command).want(t, statusUsage, "--exec", want)
		}
	}
}

// TestAMessageThatNeverComes is given up with the command.
func TestAMessageThatNeverComes(t *testing.T) {
	relay := work(t)
	ask := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	silent, _ := io.Pipe()
	for _, args := range []string{"--deny --message-file " + pipe, "--deny -m -"} {
		a := newApp(Streams{In: silent, Out: io.Discard, Err: io.Discard})
		root := a.root()
		root.SetArgs(append([]string{"answer", "work/" + ask.Ask}, strings.Fields(args)...))
		if err := root.ExecuteContext(ctx); err == nil || !strings.Contains(err.Error(), "nothing was sent") {
			t.Errorf("%s: %v", args, err)
		}
	}
	if sent := relay.Answers(ask); len(sent) > 0 {
		t.Errorf("%+v", sent)
	}
}
