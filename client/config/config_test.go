package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
)

// write puts a configuration into a temporary folder with the mode.
func write(t *testing.T, body string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(body), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEmptyFileHasDefaults(t *testing.T) {
	cfg, err := Load(write(t, "", 0o644))
	if err != nil {
		t.Fatal(err)
	}
	got := []any{cfg.Poll, cfg.Undo, cfg.Filter, cfg.Notify, cfg.Theme, cfg.Mouse, cfg.Title, len(cfg.Relays)}
	want := []any{2 * time.Second, 3 * time.Second, client.All, "now", "auto", false, true, 0}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEverySettingIsRead(t *testing.T) {
	cfg, err := Load(write(t, `
poll = "500ms"
undo = "0s"
filter = "agents"
notify = "off"
theme = "plain"
mouse = true
title = false
[[relay]]
name = "work"
type = "opencomputer"
url = "https://oc.example/api/"
me = "usr_1"
transport = "jsonrpc"
token = "abc"
[[relay]]
name = "laptop"
type = "opencode"
url = "http://127.0.0.1:4096"
directories = ["/srv/app/"]
`, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	work, laptop := cfg.Relays[0], cfg.Relays[1]
	got := []any{cfg.Poll, cfg.Undo, cfg.Filter, cfg.Notify, cfg.Theme, cfg.Mouse, cfg.Title,
		work.URL.String(), work.Me, work.Transport, work.HasToken(), work.Line,
		laptop.User, laptop.Directories, laptop.HasToken(), laptop.Insecure}
	want := []any{500 * time.Millisecond, time.Duration(0), client.Agents, "off", "plain", true, false,
		"https://oc.example/api", "usr_1", "jsonrpc", true, 9,
		"opencode", []string{"/srv/app"}, false, false}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestKeysAreRead in each form that TOML has, with their lines (K25).
func TestKeysAreRead(t *testing.T) {
	const relay = "[[relay]]\nname = \"a\"\ntype = \"opencomputer\"\nurl = \"https://h\"\ntoken_env = \"T\"\n"
	for body, want := range map[string][]Key{
		"[keys]\nallow = \"ctrl+y\"\nup = [\"k\", \"up\"]": {{"allow", []string{"ctrl+y"}, 2}, {"up", []string{"k", "up"}, 3}},
		relay + "[keys]\nallow = \"z\"\n":                  {{"allow", []string{"z"}, 7}},
		"keys = { allow = \"z\" }\n" + relay:               {{"allow", []string{"z"}, 1}},
		"\nkeys.allow = \"z\"\n":                           {{"allow", []string{"z"}, 2}},
	} {
		cfg, err := Load(write(t, body, 0o600))
		if err != nil {
			t.Errorf("%q: %v", body, err)
			continue
		}
		if d := cmp.Diff(want, cfg.Keys); d != "" {
			t.Errorf("%q: %s", body, d)
		}
	}
	if _, err := Load(write(t, "[keys]\nallow = 3", 0o600)); err == nil || !strings.Contains(err.Error(), ":2: keys.allow: ") {
		t.Error(err)
	}
}

func TestProblemsNameLineAndKey(t *testing.T) {
	relay := func(lines string) string { return "[[relay]]\n" + lines }
	const rest = "\ntype = \"opencomputer\"\nurl = \"https://h\"\ntoken_env = \"T\""
	for _, c := range []struct{ name, body, want string }{
		{"unknown key", "poll = \"2s\"\npol = 1", ":2: pol: askbox does not know this key; did you mean poll?"},
		{"key of a relay above", "url = \"https://h\"", ":1: url: askbox does not know this key; it belongs below a [[relay]] line"},
		{"setting below a relay", relay("poll = \"2s\""), ":2: relay.poll: askbox does not know this key; it belongs above the first"},
		{"wrong type", "poll = 2", ":1: poll: it has to be a duration in quotes"},
		{"wrong type in a relay", relay("name = \"a\"\ndirectories = \"/srv\""), ":3: relay.directories: it has to be a list of absolute paths"},
		{"wrong type of mouse", "mouse = \"yes\"", ":1: mouse: it has to be true or false"},
		{"not TOML", "poll = \"2s\"\n= 3", ":2: this is not TOML"},
		{"key twice", "poll = \"2s\"\npoll = \"3s\"", ":2: "},
		{"not a duration", "\n\npoll = \"2 s\"", ":3: poll: it has to be a duration"},
		{"poll too short", "poll = \"10ms\"", ":1: poll: it has to be from 500ms to 10m"},
		{"undo negative", "undo = \"-1s\"", ":1: undo: it has to be from 0s to 10m"},
		{"filter", "filter = \"Mine\"", ":1: filter: it has to be \"all\", \"mine\" or \"agents\""},
		{"no name", relay(rest), ":1: relay.name: it is missing"},
		{"slash", relay("name = \"a/b\"" + rest), ":2: relay.name: it may not hold a slash"},
		{"control in name", relay("name = \"a\\u001bb\"" + rest), ":2: relay.name: it has to be made of visible"},
		{"hidden in name", relay("name = \"a\\u200bb\"" + rest), ":2: relay.name: it has to be made of visible"},
		{"spaces around name", relay("name = \" a\"" + rest), ":2: relay.name: it has to be made of visible"},
		{"long name", relay("name = \"" + strings.Repeat("a", 33) + "\"" + rest), ":2: relay.name: it may have at most 32"},
		{"same name", relay("name = \"a\""+rest) + "\n" + relay("name = \"a\""+rest), ":7: relay.name: the relay in line 2 has this name too"},
		{"type", relay("name = \"a\"\ntype = \"slack\"\nurl = \"https://h\"\ntoken_env = \"T\""), ":3: relay.type: it has to be \"opencomputer\""},
		{"no url", relay("name = \"a\"\ntype = \"werft\"\ntoken_env = \"T\""), ":1: relay.url: it is missing"},
		{"scheme", relay("name = \"a\"\ntype = \"werft\"\nurl = \"ftp://h\"\ntoken_env = \"T\""), ":4: relay.url: it has to be a link"},
		{"port out of range", relay("name = \"a\"\ntype = \"werft\"\nurl = \"https://h:99999\"\ntoken_env = \"T\""), ":4: relay.url: it has to be a link"},
		{"other letters", "Poll = \"2s\"", ":1: Poll: askbox does not know this key; did you mean poll?"},
		{"other letters in a relay", relay("name = \"a\"\ntoken_ENV = \"T\"" + rest), ":3: relay.token_ENV: askbox does not know this key; did you mean token_env?"},
		{"other letters of a relay", "\n[[Relay]]\nname = \"a\"" + rest, ":2: Relay: askbox does not know this key; did you mean relay?"},
		{"other letters in a list", "relay = [{name = \"a\", Token = \"x\"}]", ":1: relay.Token: askbox does not know this key; did you mean token?"},
		{"single brackets", "\n[relay]\nname = \"a\"" + rest, ":2: relay: begin each relay with a line that says [[relay]]"},
		{"dotted relay", "\nrelay.name = \"a\"", ":2: relay: begin each relay with a line that says [[relay]]"},
		{"no host", relay("name = \"a\"\ntype = \"werft\"\nurl = \"https://\"\ntoken_env = \"T\""), ":4: relay.url: it has to be a link"},
		{"control in url", relay("name = \"a\"\ntype = \"werft\"\nurl = \"https://h/%1b[2J\"\ntoken_env = \"T\""), ":4: relay.url: it has to be a link"},
		{"fragment", relay("name = \"a\"\ntype = \"werft\"\nurl = \"https://h/#x\"\ntoken_env = \"T\""), ":4: relay.url: it may not hold anything from"},
		{"plain http", relay("name = \"a\"\ntype = \"werft\"\nurl = \"http://h.example\"\ntoken_env = \"T\""), ":4: relay.url: plain http lets everybody"},
		{"plain http to a public address", relay("name = \"a\"\ntype = \"werft\"\nurl = \"http://8.8.8.8\"\ntoken_env = \"T\""), ":4: relay.url: plain http lets everybody"},
		{"insecure https", relay("name = \"a\"\ninsecure = true" + rest), ":3: relay.insecure: it is for http only"},
		{"no token", relay("name = \"a\"\ntype = \"oar\"\nurl = \"https://h\""), ":1: relay: it has no token"},
		{"no password away from home", relay("name = \"a\"\ntype = \"opencode\"\nurl = \"http://10.0.0.1\""), ":1: relay: it has no password"},
		{"two tokens", relay("name = \"a\"\ntoken_file = \"x\"" + rest), ":3: relay.token_file: the token comes from token_env too"},
		{"empty command", relay("name = \"a\"\ntype = \"oar\"\nurl = \"https://h\"\ntoken_command = []"), ":5: relay.token_command: it has to be a list"},
		{"transport elsewhere", relay("name = \"a\"\ntype = \"oar\"\nurl = \"https://h\"\ntoken_env = \"T\"\ntransport = \"http\""), ":6: relay.transport: only a relay of the type opencomputer"},
		{"user elsewhere", relay("name = \"a\"\nuser = \"x\"" + rest), ":3: relay.user: only a relay of the type opencode"},
		{"colon in user", relay("name = \"a\"\ntype = \"opencode\"\nurl = \"http://127.0.0.1\"\nuser = \"a:b\""), ":5: relay.user: it has to be made"},
		{"relative directory", relay("name = \"a\"\ntype = \"opencode\"\nurl = \"http://127.0.0.1\"\ndirectories = [\"app\"]"), ":5: relay.directories: it has to be"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, c.body, 0o600)
			_, err := Load(path)
			var problems *Error
			if !errors.As(err, &problems) {
				t.Fatalf("got %v, want an *Error", err)
			}
			if !strings.Contains(err.Error(), path+c.want) {
				t.Errorf("got\n%v\nwant %q", err, c.want)
			}
		})
	}
}

func TestAllProblemsAreToldAtOnce(t *testing.T) {
	_, err := Load(write(t, "poll = \"1h\"\ntheme = \"pink\"\n[[relay]]\nname = \"a\"", 0o600))
	var problems *Error
	if !errors.As(err, &problems) || len(problems.Problems) != 5 {
		t.Fatalf("got %v, want the poll, the theme, the type, the url and the token", err)
	}
}

func TestMissingFileAndUnreadableOnes(t *testing.T) {
	dir := t.TempDir()
	var missing *Missing
	if _, err := Load(filepath.Join(dir, "none.toml")); !errors.As(err, &missing) {
		t.Errorf("got %v, want *Missing", err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder gave %v", err)
	}
	if _, err := Load(write(t, strings.Repeat("#\n", maxFile), 0o600)); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("a large file gave %v", err)
	}
}

func TestPathPrefersFlagThenVariableThenFolder(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "/cfg")
	t.Setenv("XDG_STATE_HOME", "/state")
	t.Setenv("ASKBOX_CONFIG", "")
	if got := Path(""); got != "/cfg/askbox/config.toml" {
		t.Error(got)
	}
	if got := StateDir(); got != "/state/askbox" {
		t.Error(got)
	}
	t.Setenv("XDG_CONFIG_HOME", "/other")
	if got := Path(""); got != "/other/askbox/config.toml" {
		t.Errorf("a changed environment is not seen: %s", got)
	}
	t.Setenv("ASKBOX_CONFIG", "/env.toml")
	if got := Path(""); got != "/env.toml" {
		t.Error(got)
	}
	if got := Path("/flag.toml"); got != "/flag.toml" {
		t.Error(got)
	}
}

func TestInitWritesAFileThatLoads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "config.toml")
	if err := Init(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	if _, err := Load(path); err != nil {
		t.Error(err)
	}
	if err := Init(path); err == nil || !strings.Contains(err.Error(), "stays as it is") {
		t.Errorf("a second init gave %v", err)
	}
}

// Every example in the written file becomes a valid relay when its # is taken away.
func TestExamplesAreValid(t *testing.T) {
	t.Setenv("OPENCODE_SERVER_PASSWORD", "pw")
	lines := strings.Split(string(example), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "# ") {
			lines[i] = line[1:]
		}
	}
	cfg, err := Load(write(t, strings.Join(lines, "\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Relays) != 4 {
		t.Errorf("%d relays", len(cfg.Relays))
	}
	// Nobody means to narrow a relay by taking the # away from its whole example.
	if dirs := cfg.Relays[0].Directories; len(dirs) > 0 {
		t.Errorf("the first example looks at %q only", dirs)
	}
	// And what has a second # is valid too.
	for i, line := range lines {
		if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "# ") {
			lines[i] = line[1:]
		}
	}
	if cfg, err = Load(write(t, strings.Join(lines, "\n"), 0o600)); err != nil || len(cfg.Relays[0].Directories) == 0 {
		t.Errorf("with everything: %v, %v", cfg, err)
	}
}

func TestURLsThatAreFine(t *testing.T) {
	for _, c := range []struct {
		kind, url, extra, want string
		insecure               bool
	}{
		{"werft", "https://h:8443/p/", "", "https://h:8443/p", false},
		{"werft", "http://localhost:1", "", "http://localhost:1", false},
		{"werft", "http://a.localhost", "", "http://a.localhost", false},
		{"werft", "http://[::1]:1", "", "http://[::1]:1", false},
		{"werft", "http://192.168.1.20", "insecure = true", "http://192.168.1.20", false},
		{"werft", "http://build-box", "insecure = true", "http://build-box", true},
		{"oar", "https://h/base/index.html?token=QTOK&conv=1#x", "", "https://h/base", false},
		{"oar", "https://h/?conv=1", "", "https://h", false},
	} {
		t.Run(c.want, func(t *testing.T) {
			cfg, err := Load(write(t, "[[relay]]\nname = \"a\"\ntype = \""+c.kind+"\"\nurl = \""+c.url+"\"\ntoken = \"t\"\n"+c.extra, 0o600))
			if err != nil {
				t.Fatal(err)
			}
			if got := cfg.Relays[0].URL.String(); got != c.want || cfg.Relays[0].Insecure != c.insecure {
				t.Errorf("got %s insecure=%v", got, cfg.Relays[0].Insecure)
			}
			if strings.Contains(strings.Join(cfg.Notes, ""), "QTOK") {
				t.Error("the note repeats the token")
			}
			if strings.Contains(c.url, "token=") && len(cfg.Notes) == 0 {
				t.Error("nothing is said about the token in the link")
			}
		})
	}
}

// TestFilesOfEditors: a byte order mark is no part of the file, and another encoding is
// named (G15).
func TestFilesOfEditors(t *testing.T) {
	const body = "poll = \"5s\"\n"
	cfg, err := Load(write(t, "\xef\xbb\xbf"+body, 0o644))
	if err != nil || cfg.Poll != 5*time.Second {
		t.Errorf("with a byte order mark: %v", err)
	}
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		path := write(t, mark+"p\x00o\x00", 0o644)
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "save it as UTF-8") || !strings.Contains(err.Error(), path) {
			t.Errorf("UTF-16: %v", err)
		}
	}
}

// TestPathsAtHome: a tilde that no shell expanded is the home folder, and without
// variables everything lies where the README says, on every unix (G16, K06).
func TestPathsAtHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "ASKBOX_CONFIG"} {
		t.Setenv(name, "")
	}
	for got, want := range map[string]string{
		Path("~/cfg.toml"): home + "/cfg.toml",
		Path("a~/x"):       "a~/x",
		Path(""):           home + "/.config/askbox/config.toml",
		StateDir():         home + "/.local/state/askbox",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	t.Setenv("XDG_STATE_HOME", "relative")
	if got := StateDir(); got != home+"/.local/state/askbox" {
		t.Errorf("a relative variable gives %s", got)
	}
	t.Setenv("ASKBOX_CONFIG", "~/other.toml")
	if got := Path(""); got != home+"/other.toml" {
		t.Errorf("the variable gives %s", got)
	}
}

// TestAddressesAsServersPrintThem mean this machine, or the error says what to write (G24).
func TestAddressesAsServersPrintThem(t *testing.T) {
	for url, want := range map[string]string{
		"http://0.0.0.0:4096":   "http://127.0.0.1:4096",
		"http://0.0.0.0":        "http://127.0.0.1",
		"http://[::]:4096/x":    "http://[::1]:4096/x",
		"http://[::]":           "http://[::1]",
		"http://[::1]:4096":     "http://[::1]:4096",
		"http://::1:4096":       "",
		"http://::":             "",
		"http://fd00::1:4096/x": "",
	} {
		cfg, err := Load(write(t, "[[relay]]\nname = \"a\"\ntype = \"opencode\"\nurl = \""+url+"\"", 0o644))
		switch {
		case want == "" && (err == nil || !strings.Contains(err.Error(), "brackets, as in http://[::1]:4096")):
			t.Errorf("%s: %v", url, err)
		case want != "" && err != nil:
			t.Errorf("%s: %v", url, err)
		case want != "" && cfg.Relays[0].URL.String() != want:
			t.Errorf("%s is %s", url, cfg.Relays[0].URL)
		}
	}
}
