package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/creack/pty"
)

// inTerminal runs this program in a pseudo-terminal that never answers a query,
// and returns everything that it wrote and its exit status.
func inTerminal(t *testing.T, env []string, args ...string) (written string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0], args...)
	command.Env = append(append(os.Environ(), asMain+"=1"), env...)
	terminal, err := pty.StartWithSize(command, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	var out bytes.Buffer
	// Linux ends the reading of a terminal whose other side is closed with an error.
	_, _ = io.Copy(&out, terminal)
	if err := command.Wait(); ctx.Err() != nil {
		t.Fatalf("it did not end: %v\n%q", err, out.String())
	}
	return out.String(), command.ProcessState.ExitCode()
}

// A terminal that never answers stalls a program that asks it for its colours for
// five seconds, and a query in the output of a command is an escape.
func TestCommandsAskTheTerminalNothing(t *testing.T) {
	home(t)
	for _, args := range [][]string{{"version"}, {"list"}, {"config", "path"}, {"history"}, {"--help"}} {
		began := time.Now()
		written, _ := inTerminal(t, []string{"TERM=xterm-256color", "COLORTERM="}, args...)
		if bytes.ContainsRune([]byte(written), 0x1b) || written == "" && args[0] != "history" {
			t.Errorf("%v wrote %q", args, written)
		}
		if took := time.Since(began); took > 4*time.Second {
			t.Errorf("%v took %s", args, took)
		}
	}
}

func TestTheScreenRefusesATerminalThatCannotDraw(t *testing.T) {
	configured(t, "[[relay]]\nname = \"work\"\ntype = \"opencomputer\"\nurl = \"http://127.0.0.1:1\"\ntoken = \"t\"\n")
	for _, env := range []string{"TERM=dumb", "TERM="} {
		for _, args := range [][]string{nil, {"demo"}} {
			written, status := inTerminal(t, []string{env}, args...)
			if status != statusUsage || bytes.ContainsRune([]byte(written), 0x1b) || written == "" {
				t.Errorf("%s %v: status %d, wrote %q", env, args, status, written)
			}
		}
	}
}

// askbox in a pipe, as in `yes | askbox`, decides nothing and ends at once.
func TestThePipeDecidesNothing(t *testing.T) {
	configured(t, "[[relay]]\nname = \"work\"\ntype = \"opencomputer\"\nurl = \"http://127.0.0.1:1\"\ntoken = \"t\"\n")
	for _, args := range [][]string{nil, {"demo"}} {
		command := exec.Command(os.Args[0], args...)
		command.Env = append(os.Environ(), asMain+"=1", "TERM=xterm-256color")
		command.Stdin = bytes.NewReader(bytes.Repeat([]byte("y\na\n\r"), 1000))
		out, err := command.CombinedOutput()
		if err == nil || command.ProcessState.ExitCode() != statusUsage || bytes.ContainsRune(out, 0x1b) || len(out) == 0 {
			t.Errorf("%v: %v, wrote %q", args, err, out)
		}
	}
}
