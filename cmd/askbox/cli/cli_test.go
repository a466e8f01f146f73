package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"askbox/client/fake/opencomputer"
)

// asMain makes this test binary the program, for tests that need a process.
const asMain = "ASKBOX_CLI_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asMain) != "" {
		os.Exit(Main(os.Args[1:], System()))
	}
	os.Exit(m.Run())
}

// result is what a command left behind.
type result struct {
	out, err string
	status   int
}

// run runs a command with its output in a pipe and nothing to read but consent.
func run(t *testing.T, args ...string) result {
	t.Helper()
	var out, problems bytes.Buffer
	a := newApp(Streams{In: strings.NewReader(strings.Repeat("y\nyes\n", 100)), Out: &out, Err: &problems, Width: 80})
	a.patience = 300 * time.Millisecond
	status := a.run(args)
	return result{out.String(), problems.String(), status}
}

func (r result) want(t *testing.T, status int, parts ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("status %d, want %d\n%s%s", r.status, status, r.out, r.err)
	}
	for _, part := range parts {
		if !strings.Contains(r.out+r.err, part) {
			t.Errorf("no %q in\n%s%s", part, r.out, r.err)
		}
	}
	if strings.Contains(r.out+r.err, "\x1b") {
		t.Errorf("an escape in %q", r.out+r.err)
	}
}

// home redirects everything that askbox reads and writes into a temporary folder.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("ASKBOX_CONFIG", "")
	return dir
}

// configured writes the usual configuration file.
func configured(t *testing.T, body string) {
	t.Helper()
	path := filepath.Join(home(t), "config", "askbox", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
}

// read returns the digest of an ask as askbox show gives it.
func read(t *testing.T, name string) string {
	t.Helper()
	return parse[askJSON](t, run(t, "show", "--json", name).out).ShortDigest
}

// answered answers an ask that was read.
func answered(t *testing.T, name string, args ...string) result {
	t.Helper()
	return run(t, append([]string{"answer", name, "--digest", read(t, name)}, args...)...)
}

// relayConfig returns the configuration of one relay.
func relayConfig(name string, relay *opencomputer.Server) string {
	return fmt.Sprintf("[[relay]]\nname = %q\ntype = \"opencomputer\"\nurl = %q\ntoken = %q\n", name, relay.URL(), relay.Token())
}

// work starts a fake relay and configures it as "work".
func work(t *testing.T) *opencomputer.Server {
	t.Helper()
	relay := startRelay(t)
	configured(t, relayConfig("work", relay))
	return relay
}

func startRelay(t *testing.T) *opencomputer.Server {
	t.Helper()
	relay, err := opencomputer.Start(opencomputer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	return relay
}

func parse[T any](t *testing.T, document string) T {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(document), &value); err != nil {
		t.Fatalf("%v in\n%s", err, document)
	}
	return value
}

func TestWithoutConfigurationEveryCommandSaysHowToGetOne(t *testing.T) {
	home(t)
	for _, args := range [][]string{{"list"}, {"show", "a/b"}, {"answer", "a/b", "--allow"}, {"dismiss", "a/b"}, {"watch"}, {"relays"}, {"config", "check"}} {
		r := run(t, args...)
		r.want(t, statusUsage, "there is no configuration at", "askbox init", "askbox demo")
		if lines := strings.Count(r.err, "\n"); lines != 3 {
			t.Errorf("%v: %d lines, want 3:\n%s", args, lines, r.err)
		}
	}
}

func TestAConfigurationWithoutRelays(t *testing.T) {
	configured(t, "poll = \"5s\"\n")
	run(t, "list").want(t, statusUsage, "names no relay yet", "[[relay]]", "askbox demo")
}

func TestConfigInitCheckAndPath(t *testing.T) {
	dir := home(t)
	path := filepath.Join(dir, "config", "askbox", "config.toml")
	run(t, "config", "path").want(t, statusDone, path)
	run(t, "config", "init").want(t, statusDone, path+" is written", "askbox config check")
	run(t, "config", "init").want(t, statusFailed, "stays as it is")
	run(t, "config").want(t, statusUsage, "init, check or path")
	other := filepath.Join(dir, "other.toml")
	run(t, "config", "path", "--config", other).want(t, statusDone, other)
}

func TestConfigCheckTellsEachRelay(t *testing.T) {
	t.Setenv("ASKBOX_CLI_TEST_TOKEN", "abc")
	configured(t, `
[[relay]]
name = "work"
type = "opencomputer"
url = "https://oc.example/api"
token_env = "ASKBOX_CLI_TEST_TOKEN"
[[relay]]
name = "home"
type = "opencomputer"
url = "https://h.example"
token_file = "/nonexistent/token"
[[relay]]
name = "far"
type = "opencomputer"
url = "http://far.example"
insecure = true
token_command = ["/bin/false"]
`)
	r := run(t, "config", "check")
	r.want(t, statusUsage, "work: OK, opencomputer at https://oc.example/api, token_env ASKBOX_CLI_TEST_TOKEN",
		"line 7: home: the token of home (token_file /nonexistent/token) cannot be used",
		"far: OK", "not protected on the way")
	if strings.Contains(r.out, "home: OK") {
		t.Error("a relay whose token cannot be read is said to be fine")
	}
}

func TestWrongUseIsTwo(t *testing.T) {
	configured(t, "[[relay]]\nname = \"work\"\ntype = \"opencomputer\"\nurl = \"http://127.0.0.1:1\"\ntoken = \"t\"\n")
	for _, c := range []struct{ args, want string }{
		{"nonsense", `askbox has no command "nonsense"`},
		{"lst", "did you mean askbox list?"},
		{"relay", "did you mean askbox relays?"},
		{"config chek", "did you mean askbox config check?"},
		{"help lst", `there is no command or topic "lst"; did you mean askbox list?`},
		{"help list more", "there is no command or topic"},
		{"list --nonsense", "unknown flag"},
		{"list extra", `askbox list takes no arguments, and got "extra"`},
		{"list --filter some", "all, mine or agents"},
		{"list --relay other", "there is no relay \"other\" in the configuration; there are: work"},
		{"show", "the name of the ask is missing: askbox show RELAY/ASK"},
		{"show work/x y", `takes one ask, and got "y" as well`},
		{"show work", "names no ask"},
		{"show work/", "names no ask"},
		{"show /x", "names no ask"},
		{"show other/x", "there is no relay"},
		{"answer work/x", "the answer is missing: --allow"},
		{"answer work/x --allow --deny", "--allow and --deny cannot stand together"},
		{"answer work/x --allow --choose a", "--allow and --choose cannot stand together"},
		{"history --since -1h", "such as 24h or 7d"},
		{"history --since soon", "is no time"},
	} {
		run(t, strings.Fields(c.args)...).want(t, statusUsage, c.want)
	}
	run(t, "\x1b[2J\u202e").want(t, statusUsage)
}

func TestTheScreenWantsATerminal(t *testing.T) {
	configured(t, "[[relay]]\nname = \"work\"\ntype = \"opencomputer\"\nurl = \"http://127.0.0.1:1\"\ntoken = \"t\"\n")
	run(t).want(t, statusUsage, "needs a terminal", "askbox list")
}

func TestNoFlagTakesAToken(t *testing.T) {
	root := newApp(Streams{}).root()
	for _, command := range append(root.Commands(), root) {
		for _, name := range []string{"token", "password", "key", "secret"} {
			if command.Flags().Lookup(name) != nil || command.PersistentFlags().Lookup(name) != nil {
				t.Errorf("%s takes --%s, and the process list shows it to everybody", command.Name(), name)
			}
		}
	}
}

func TestVersionAndCompletion(t *testing.T) {
	home(t)
	run(t, "version").want(t, statusDone, "askbox ")
	run(t, "completion", "bash").want(t, statusDone, "askbox")
}
