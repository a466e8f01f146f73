package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const twoRelays = `# mine
poll = "5s" # slowly

# the first
[[relay]]
name = "one" # a name
type = "oar"
url  = "http://127.0.0.1:1"
# where it lies
token_file = "~/one"

# the second
[[relay]]
name = "two"
type = "opencode"
url  = "http://127.0.0.1:2"
directories = [
  "/srv/a", # here
  "/srv/b",
]
# the end`

// TestRelaysAreAddedAndRemoved keeps every line that is not the relay's.
func TestRelaysAreAddedAndRemoved(t *testing.T) {
	path := write(t, twoRelays, 0o600)
	if err := Add(path, NewRelay{Name: "three", Type: OpenCode, URL: "http://127.0.0.1:3"}); err != nil {
		t.Fatal(err)
	}
	content := func() string {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if want := twoRelays + "\n\n[[relay]]\nname = \"three\"\ntype = \"opencode\"\nurl = \"http://127.0.0.1:3\"\n"; content() != want {
		t.Error(cmp.Diff(want, content()))
	}
	for _, name := range []string{"two", "three"} {
		if err := Remove(path, name); err != nil {
			t.Fatal(err)
		}
	}
	before, _, _ := strings.Cut(twoRelays, "[[relay]]\nname = \"two\"")
	if want := before + "# the end\n\n"; content() != want {
		t.Error(cmp.Diff(want, content()))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestRelaysThatAreNotRight change nothing.
func TestRelaysThatAreNotRight(t *testing.T) {
	path := write(t, twoRelays, 0o600)
	var wrong *Error
	for _, r := range []NewRelay{
		{Name: "one", Type: OAR, URL: "http://127.0.0.1:3", TokenEnv: "T"}, {Name: "x", Type: "slack", URL: "http://127.0.0.1:3"},
		{Name: "x/y", Type: OpenCode, URL: "http://127.0.0.1:3"}, {Name: "x", Type: OAR, URL: "http://127.0.0.1:3"},
		{Name: "x", Type: OpenCode, URL: "nowhere"}, {Name: "x\n[[relay]]", Type: OpenCode, URL: "http://127.0.0.1:3"},
	} {
		if err := Add(path, r); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if err := Remove(path, "none"); err == nil || !strings.Contains(err.Error(), "no relay “none”") && !strings.Contains(err.Error(), `no relay "none"`) {
		t.Error(err)
	}
	if data, _ := os.ReadFile(path); string(data) != twoRelays {
		t.Errorf("%s", data)
	}
	broken := write(t, "poll = 3\n", 0o600)
	if err := Add(broken, NewRelay{Name: "x", Type: OpenCode, URL: "http://127.0.0.1:3"}); !errors.As(err, &wrong) {
		t.Error(err)
	}
	inline := write(t, "relay = [{name = \"x\", type = \"opencode\", url = \"http://127.0.0.1:3\"}]\n", 0o600)
	if err := Remove(inline, "x"); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Error(err)
	}
}

// TestAddMakesTheFile where there is none, with the examples of Init.
func TestAddMakesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "config.toml")
	t.Setenv("ADD_TOKEN", canary)
	if err := Add(path, NewRelay{Name: "work", Type: OpenComputer, URL: "https://h/api", TokenEnv: "ADD_TOKEN", Me: "usr_1"}); err != nil {
		t.Fatal(err)
	}
	cfg, err := Load(path)
	if err != nil || len(cfg.Relays) != 1 || cfg.Relays[0].Me != "usr_1" || cfg.Relays[0].CheckToken() != nil {
		t.Errorf("%+v, %v", cfg, err)
	}
}

// TestAFileOfAnEditorIsChanged, which may begin with a byte order mark.
func TestAFileOfAnEditorIsChanged(t *testing.T) {
	path := write(t, "\xef\xbb\xbf"+twoRelays, 0o600)
	if err := Add(path, NewRelay{Name: "three", Type: OpenCode, URL: "http://127.0.0.1:3"}); err != nil {
		t.Fatal(err)
	}
	if err := Remove(path, "one"); err != nil {
		t.Fatal(err)
	}
	if cfg, err := Load(path); err != nil || len(cfg.Relays) != 2 {
		t.Errorf("%+v, %v", cfg, err)
	}
}

// TestQuoteIsTOML writes any text so that it is read as it was.
func TestQuoteIsTOML(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	rapid.Check(t, func(rt *rapid.T) {
		me := rapid.StringN(1, 40, -1).Draw(rt, "me")
		_ = os.Remove(path)
		if err := Add(path, NewRelay{Name: "x", Type: OpenCode, URL: "http://127.0.0.1:3", Me: me}); err != nil {
			rt.Fatal(err)
		}
		if cfg, err := Load(path); err != nil || cfg.Relays[0].Me != me {
			rt.Fatalf("%q: %v", me, err)
		}
	})
}
