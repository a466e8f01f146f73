package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"askbox/client/config"
	"askbox/client/fake/opencode"
)

// setUp plays askbox init with a person who types lines.
func setUp(t *testing.T, lines ...string) result {
	t.Helper()
	var out, problems bytes.Buffer
	a := newApp(Streams{In: strings.NewReader(strings.Join(lines, "\n") + "\n"), Out: &out, Err: &problems, InTerminal: true, OutTerminal: true, Width: 80})
	return result{status: a.run([]string{"init"}), out: out.String(), err: problems.String()}
}

// TestInitFindsWhatRunsHere adds a server that was found, then another relay, and keeps
// what is in the file.
func TestInitFindsWhatRunsHere(t *testing.T) {
	keyring.MockInit()
	here, err := opencode.Start(opencode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(here.Close)
	usual := usualAddresses[0].url
	t.Cleanup(func() { usualAddresses[0].url = usual })
	usualAddresses[0].url = here.URL()
	other := startRelay(t)
	configured(t, "# mine\npoll = \"5s\"\n")
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte(here.Token()), 0o600); err != nil {
		t.Fatal(err)
	}

	r := setUp(t, "", password, "opencomputer", "work", other.URL(), "$INIT_TOKEN", "nonsense", "x", "http://127.0.0.1:1", "-", "")
	r.want(t, statusDone, "An opencode server answers at "+here.URL(), "laptop · reachable in", "work is in ",
		"the variable is not set", `it has to be "opencomputer"`, "askbox opens the inbox")
	data, err := os.ReadFile(config.Path(""))
	if err != nil || !strings.HasPrefix(string(data), "# mine\npoll = \"5s\"\n") {
		t.Errorf("%s, %v", data, err)
	}
	t.Setenv("INIT_TOKEN", other.Token())
	run(t, "relays").want(t, statusDone, "laptop · reachable", "work · reachable")
	if again := setUp(t, ""); strings.Contains(again.out, "answers at") {
		t.Errorf("what is configured is offered again:\n%s", again.out)
	}
	run(t, "relays", "remove", "laptop").want(t, statusDone, "laptop is not in")
	run(t, "relays", "test", "laptop").want(t, statusUsage, "there is no relay \"laptop\"")
	run(t, "relays", "test").want(t, statusUsage, "name one relay: askbox relays test NAME")
}

// TestLoginStoresTheToken in the keyring, from the standard input, for a relay that takes
// it from there.
func TestLoginStoresTheToken(t *testing.T) {
	keyring.MockInit()
	relay := startRelay(t)
	configured(t, "")
	run(t, "relays", "add", "work", "--type", "opencomputer", "--url", relay.URL(), "--token-env", "LOGIN_TOKEN").want(t, statusUsage, "the variable is not set")
	runWith(t, "x", "login", "work").want(t, statusUsage, "comes from elsewhere (token_env LOGIN_TOKEN)", "keyring = true")
	run(t, "relays", "remove", "work").want(t, statusDone)
	r := runWith(t, relay.Token()+"\n", "relays", "add", "work", "--type", "opencomputer", "--url", relay.URL(), "--keyring")
	r.want(t, statusDone, "The token of work is in the keyring.", "work · reachable", "Ada")
	runWith(t, "", "login", "work").want(t, statusUsage, "no token on standard input")
	runWith(t, "two\nlines", "login", "work").want(t, statusUsage, "more than one line")
	run(t, "list").want(t, statusDone)
	data, err := os.ReadFile(filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "askbox", "config.toml"))
	if err != nil || strings.Contains(string(data), relay.Token()) || strings.Contains(r.out+r.err, relay.Token()) {
		t.Errorf("%s %v", data, err)
	}
}
