package config

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"askbox/client"
)

// canary is what must show up nowhere.
const canary = "CANARY-7f3a"

// load reads a relay of the type opencomputer with the lines that say where its token is.
func load(t *testing.T, lines string, mode os.FileMode) (*Relay, error) {
	t.Helper()
	cfg, err := Load(write(t, "[[relay]]\nname = \"a\"\ntype = \"opencomputer\"\nurl = \"https://h\"\n"+lines, mode))
	if err != nil {
		return nil, err
	}
	return cfg.Relays[0], nil
}

func TestTokenFileForms(t *testing.T) {
	for _, c := range []struct{ name, body, want, wrong string }{
		{"plain", canary, canary, ""},
		{"line feed", canary + "\n", canary, ""},
		{"carriage return", canary + "\r\n", canary, ""},
		{"empty", "", "", "it is empty"},
		{"only a line", "\n", "", "it is empty"},
		{"a space", canary + " b", "", "it holds a space"},
		{"two lines", canary + "\nb\n", "", "it has more than one line"},
		{"blank line after", canary + "\n\n", "", "it has more than one line"},
		{"a control", canary + "\x1b", "", "it holds a control character"},
		{"other letters", canary + "é", "", "it holds a character that no token has"},
		{"not text", canary + "\xff", "", "it is not text"},
		{"a megabyte", strings.Repeat(canary, 100_000), "", "it is longer than 8192 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, c.body, 0o600)
			relay, err := load(t, "token_file = \""+path+"\"", 0o644)
			if err != nil {
				t.Fatal(err)
			}
			token, err := relay.Token(context.Background(), false)
			if token.Reveal() != c.want {
				t.Error("the token is not what the file holds")
			}
			if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("got %v, want %q", err, c.wrong)
			}
			if err != nil && strings.Contains(err.Error(), canary) {
				t.Error("the error repeats the token")
			}
			var typed *client.NoToken
			if c.wrong != "" && (!errors.As(err, &typed) || relay.CheckToken() == nil) {
				t.Error("want a *client.NoToken from Token and from CheckToken")
			}
		})
	}
}

func TestTokenFilePathsAreExpanded(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.WriteFile(filepath.Join(home, "tok"), []byte(canary), 0o600); err != nil {
		t.Fatal(err)
	}
	relay, err := load(t, "token_file = \"~/tok\"", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if token, err := relay.Token(context.Background(), false); err != nil || token.Reveal() != canary {
		t.Error(err)
	}
	relative, err := load(t, "token_file = \"tok\"", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(relative.source.name) {
		t.Errorf("a relative path does not begin at the configuration: %s", relative.source.name)
	}
}

func TestInlineTokenNeedsAPrivateFile(t *testing.T) {
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604} {
		_, err := load(t, "token = \""+canary+"\"", mode)
		if err == nil || !strings.Contains(err.Error(), "run chmod 600") || strings.Contains(err.Error(), canary) {
			t.Errorf("mode %o gave %v", mode, err)
		}
	}
	relay, err := load(t, "token = \""+canary+"\"", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if token, err := relay.Token(context.Background(), false); err != nil || token.Reveal() != canary {
		t.Error(err)
	}
}

func TestEnvironmentTokenIsTakenOut(t *testing.T) {
	t.Setenv("ASKBOX_TEST_TOKEN", canary)
	body := ""
	for _, name := range []string{"a", "b"} {
		body += "[[relay]]\nname = \"" + name + "\"\ntype = \"werft\"\nurl = \"https://h\"\ntoken_env = \"ASKBOX_TEST_TOKEN\"\n"
	}
	cfg, err := Load(write(t, body, 0o644))
	if err != nil {
		t.Fatal(err)
	}
	if _, there := os.LookupEnv("ASKBOX_TEST_TOKEN"); there {
		t.Error("child processes would inherit the token")
	}
	for _, relay := range cfg.Relays {
		if token, err := relay.Token(context.Background(), false); err != nil || token.Reveal() != canary {
			t.Errorf("%s: %v", relay.Name, err)
		}
	}
}

func TestEnvironmentTokenThatIsNotSet(t *testing.T) {
	relay, err := load(t, "token_env = \"ASKBOX_TEST_NONE\"", 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := relay.Token(context.Background(), false); err == nil || !strings.Contains(err.Error(), "token_env ASKBOX_TEST_NONE") || !strings.Contains(err.Error(), "is not set") {
		t.Error(err)
	}
}

// script writes a program for a token_command.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "command")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTokenCommand(t *testing.T) {
	t.Setenv("GPG_TTY", "/dev/pts/1")
	for _, c := range []struct{ name, argv, want, wrong string }{
		{"first line", `"` + script(t, "echo "+canary+"\necho 'user: ada'") + `"`, canary, ""},
		{"no shell", `"/bin/echo", "$HOME;ls"`, "$HOME;ls", ""},
		{"fails, with a token in what it says", `"` + script(t, "echo "+canary+"; echo "+canary+" >&2; exit 3") + `"`, "", "failed with status 3; run it by hand"},
		{"a child keeps its output open", `"` + script(t, "echo "+canary+"\nsleep 60 &") + `"`, canary, ""},
		{"ended by a signal", `"` + script(t, "kill -9 $$") + `"`, "", "ended by a signal"},
		{"wants the terminal", `"` + script(t, "read x </dev/tty && echo $x") + `"`, "", "failed with status"},
		{"is told of a terminal", `"` + script(t, "echo x$GPG_TTY") + `"`, "x", ""},
		{"says nothing", `"` + script(t, "exit 0") + `"`, "", "it is empty"},
		{"no such program", `"/nonexistent/askbox-test"`, "", "no such program"},
		{"floods", `"` + script(t, "head -c 1000000 /dev/zero | tr '\\0' x") + `"`, "", "longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			relay, err := load(t, "token_command = ["+c.argv+"]", 0o644)
			if err != nil {
				t.Fatal(err)
			}
			token, err := relay.Token(context.Background(), false)
			if token.Reveal() != c.want {
				t.Errorf("got %q", token.Reveal())
			}
			if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("got %v, want %q", err, c.wrong)
			}
			if err != nil && strings.Contains(err.Error(), canary) {
				t.Errorf("the error repeats the token: %v", err)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
		})
	}
}

func TestTokenCommandEndsWithItsContext(t *testing.T) {
	relay, err := load(t, `token_command = ["`+script(t, "sleep 60 & wait")+`"]`, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := relay.Token(ctx, false); err == nil || !strings.Contains(err.Error(), "did not end within") {
		t.Error(err)
	}
	interrupted, interrupt := context.WithCancel(context.Background())
	interrupt()
	if _, err := relay.Token(interrupted, false); err == nil || !strings.HasSuffix(err.Error(), "the command was interrupted") {
		t.Error(err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestKeyring(t *testing.T) {
	keyring.MockInit()
	relay, err := load(t, "keyring = true", 0o644)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := relay.Token(context.Background(), false); err == nil || !strings.Contains(err.Error(), "askbox login a") {
		t.Error(err)
	}
	if err := keyring.Set("askbox", "a", canary); err != nil {
		t.Fatal(err)
	}
	if token, err := relay.Token(context.Background(), false); err != nil || token.Reveal() != canary {
		t.Error(err)
	}
	keyring.MockInitWithError(errors.New("no \x1b bus"))
	if _, err := relay.Token(context.Background(), false); err == nil || !strings.Contains(err.Error(), "the keyring could not be asked") {
		t.Error(err)
	}
}

func TestPasswordMayHoldSpaces(t *testing.T) {
	cfg, err := Load(write(t, "[[relay]]\nname = \"a\"\ntype = \"opencode\"\nurl = \"http://10.1.1.1\"\ntoken = \"köln am rhein\"", 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if token, err := cfg.Relays[0].Token(context.Background(), false); err != nil || token.Reveal() != "köln am rhein" {
		t.Error(err)
	}
}

func TestTokenShowsNowhere(t *testing.T) {
	relay, err := load(t, "token = \""+canary+"\"", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	token := NewToken(canary)
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb, token)
		fmt.Fprintf(&out, verb, struct{ hidden Token }{token})
		fmt.Fprintf(&out, verb, *relay)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "token", token, "relay", relay, "value", *relay)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "token", token, "relay", relay, "value", *relay)
	if err := json.NewEncoder(&out).Encode(map[string]any{"t": token, "r": relay}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), canary) || strings.Contains(out.String(), fmt.Sprintf("%x", canary)) {
		t.Error("the token shows in what was printed")
	}
}

// Whatever is wrong with a link or a file, the secrets in it are not repeated.
func TestProblemsRepeatNoSecret(t *testing.T) {
	for _, body := range []string{
		"url = \"http://user:" + canary + "@127.0.0.1:1/\"\ntoken_env = \"T\"",
		"url = \"http://user:" + canary + "@127.0.0.1:1/?token=" + canary + "\"\ntoken_env = \"T\"",
		"url = \"https://h/?token=" + canary + "\"\ntoken_env = \"T\"",
		"url = \"https://h:" + canary + "/\"\ntoken_env = \"T\"",
		"url = \"https://h/%zz" + canary + "\"\ntoken_env = \"T\"",
		"url = \"https://h\"\ntoken = \"" + canary + " b\"",
		"url = \"https://h\"\ntoken = [\"" + canary + "\"]",
		"url = \"https://h\"\ntoken = \"" + canary,
		"url = \"https://h\"\ntoken = " + canary,
		"url = \"https://h\"\ntoken = \"" + canary + "\" x",
		"url = \"https://h\"\ntokken = \"" + canary + "\"",
	} {
		for _, kind := range []string{"werft", "oar", "opencode", "opencomputer"} {
			_, err := Load(write(t, "[[relay]]\nname = \"a\"\ntype = \""+kind+"\"\n"+body, 0o644))
			if err == nil {
				t.Errorf("no problem with %s", body)
			} else if strings.Contains(err.Error(), canary) {
				t.Errorf("%v", err)
			}
		}
	}
}

// TestTheEnvironmentIsTakenOnce for all readings of one process.
func TestTheEnvironmentIsTakenOnce(t *testing.T) {
	t.Setenv("ASKBOX_TAKEN_ONCE", canary)
	for range 2 {
		relay, err := load(t, "token_env = \"ASKBOX_TAKEN_ONCE\"", 0o644)
		if err != nil {
			t.Fatal(err)
		}
		if err := relay.CheckToken(); err != nil {
			t.Error(err)
		}
		if value := os.Getenv("ASKBOX_TAKEN_ONCE"); value != "" {
			t.Error("it is still there")
		}
	}
}
