package cli

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"askbox/client/fake"
)

// A word counts where its keys come one at a time, and a paste in no way that it comes.
func TestOnlyWhatIsTypedKeyByKeyCounts(t *testing.T) {
	keys := func(s string) (out []string) {
		for _, r := range s {
			out = append(out, string(r))
		}
		return out
	}
	for name, c := range map[string]struct {
		chunks []string
		gap    time.Duration
		want   string
		pasted bool
	}{
		"typed":               {keys("allow\r"), 60 * time.Millisecond, "allow", false},
		"mended":              {keys("alk\x7flow\r"), 60 * time.Millisecond, "allow", false},
		"enter alone":         {keys("\r"), time.Second, "", false},
		"left with ctrl+c":    {keys("allow\x03"), time.Second, "", false},
		"left with esc":       {keys("allow\x1b"), time.Second, "", false},
		"another alphabet":    {keys("аllow\r"), time.Second, "", false},
		"pasted in one":       {[]string{"allow\r"}, time.Second, "", true},
		"pasted in brackets":  {[]string{"\x1b[200~allow\x1b[201~", "\r"}, time.Second, "", true},
		"pasted key by key":   {keys("allow\r"), time.Millisecond, "", true},
		"there before it all": {[]string{"a", "l", "l", "o", "w", "\r"}, 0, "", true},
		"pasted at the end":   {[]string{"a", "llow", "\r"}, time.Second, "", true},
	} {
		at := time.Unix(0, 0)
		typing := typing{last: at}
		for _, s := range c.chunks {
			at = at.Add(c.gap)
			if !typing.over {
				typing.take(chunk{bytes: s, at: at})
			}
		}
		if typing.pasted != c.pasted || !c.pasted && (string(typing.line) != c.want || !typing.over) {
			t.Errorf("%s: %q, pasted %t, over %t", name, typing.line, typing.pasted, typing.over)
		}
	}
}

// typedOn runs a command on a terminal, types keys once it asks, and returns what it wrote.
func typedOn(t *testing.T, keys []string, args ...string) (written string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0], args...)
	command.Env = append(os.Environ(), asMain+"=1", "TERM=xterm-256color")
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	var out strings.Builder
	buffer := make([]byte, 4096)
	for next := "leaves it: "; ; {
		n, err := terminal.Read(buffer)
		out.Write(buffer[:n])
		if err != nil {
			break
		}
		// A key is pressed once the one before it is on the screen.
		if len(keys) > 0 && strings.HasSuffix(out.String(), next) {
			time.Sleep(2 * fastest)
			_, _ = terminal.WriteString(keys[0])
			next, keys = keys[0], keys[1:]
		}
	}
	if _ = command.Wait(); ctx.Err() != nil {
		t.Fatalf("it did not end\n%q", out.String())
	}
	return out.String(), command.ProcessState.ExitCode()
}

// On a terminal the ask is shown in full and a typed word allows it, nothing else (H20).
func TestATerminalShowsTheAskAndAsks(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	word := strings.Split("allow\r", "")
	for _, c := range []struct {
		name   string
		args   []string
		keys   []string
		status int
		sent   int
		says   []string
	}{
		{"allowed", []string{"--allow"}, word, statusDone, 1, []string{"│ make all", "This is sent: allow", "Type allow to allow it"}},
		{"enter alone", []string{"--allow"}, []string{"\r"}, statusFailed, 0, []string{"nothing was sent"}},
		{"another word", []string{"--allow"}, strings.Split("yes\r", ""), statusFailed, 0, []string{"nothing was sent"}},
		{"pasted", []string{"--allow"}, []string{"allow\r"}, statusFailed, 0, []string{"pasted"}},
		{"ctrl+c", []string{"--allow"}, []string{"\x03"}, statusFailed, 0, []string{"nothing was sent"}},
		{"always takes its own word", []string{"--always"}, word, statusFailed, 0, []string{"From now on", "│ Bash(make all)", "Type always to allow it always"}},
		{"with a message", []string{"--allow", "--message", "go on"}, word, statusDone, 1, []string{"This is sent: allow, with this message:\r\n│ go on"}},
	} {
		ref := relay.Bash(session, "make all", "")
		written, status := typedOn(t, c.keys, append([]string{"answer", "work/" + ref.Ask}, c.args...)...)
		if status != c.status {
			t.Errorf("%s: status %d, want %d\n%s", c.name, status, c.status, written)
		}
		for _, says := range c.says {
			if !strings.Contains(written, says) {
				t.Errorf("%s: no %q in\n%s", c.name, says, written)
			}
		}
		sentTo(t, relay, ref, c.sent)
	}
	plan := relay.Plan(session, "1. do")
	written, status := typedOn(t, word, "answer", "work/"+plan.Ask, "--mode", "acceptEdits")
	if status != statusDone || !strings.Contains(written, `This is sent: allow, in the mode "acceptEdits"`) {
		t.Errorf("the mode is not named, status %d\n%s", status, written)
	}
}

// What changes while the person reads is not what they allow.
func TestAnAskThatChangesWhileItIsReadIsNotAllowed(t *testing.T) {
	relay := work(t)
	ref := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	relay.Break(fake.Rewrite(func(body []byte) []byte {
		return []byte(strings.ReplaceAll(string(body), `"ls"`, `"rm -rf ~"`))
	}).When(fake.To("GET", "/"+ref.Ask)))
	written, status := typedOn(t, strings.Split("allow\r", ""), "answer", "work/"+ref.Ask, "--allow")
	if status != statusFailed || !strings.Contains(written, "is not what was read") {
		t.Errorf("status %d\n%s", status, written)
	}
	sentTo(t, relay, ref, 0)
}
