//go:build unix

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
	"askbox/cmd/askbox/e2e/terminal"
)

// limit is how long a story waits for anything. It is only used up by a failure.
const limit = 15 * time.Second

// world is what a story plays in: relays, and a home of its own.
type world struct {
	testing.TB
	home   string
	names  []string
	relays map[string]*opencomputer.Server
	theme  string
	poll   string   // how often relays are asked; stories wait for news, so it is short
	extra  string   // lines at the top of the configuration
	more   string   // lines at its end
	env    []string // beside the usual
	cut    bool     // nobody reads the terminal, so that sequences are cut anywhere
	writes []string // controls that reach the terminal beside the usual
}

// newWorld makes a world with one relay for each name. Answers go out at once,
// unless settings say otherwise: they are lines at the top of the configuration.
func newWorld(t testing.TB, settings string, names ...string) *world {
	t.Helper()
	w := &world{TB: t, home: t.TempDir(), theme: "dark", poll: "500ms", relays: map[string]*opencomputer.Server{}, extra: settings}
	if !strings.Contains(settings, "undo") {
		w.extra += "\nundo = \"0s\""
	}
	for _, name := range names {
		w.add(name, opencomputer.Options{})
	}
	return w
}

// add adds a relay.
func (w *world) add(name string, o opencomputer.Options) *opencomputer.Server {
	w.Helper()
	relay, err := opencomputer.Start(o)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(relay.Close)
	w.names = append(w.names, name)
	w.relays[name] = relay
	return relay
}

// patience is a context that ends when a story has waited long enough.
func (w *world) patience() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	w.Cleanup(cancel)
	return ctx
}

// session adds a session to a relay and returns its id.
func (w *world) session(relay, title string) string {
	return w.relays[relay].AddSession(fake.Session{Title: title})
}

// config writes the configuration and returns its file.
func (w *world) config() string {
	w.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "poll = %q\nnotify = \"off\"\ntheme = %q\n%s\n", w.poll, w.theme, w.extra)
	for _, name := range w.names {
		relay := w.relays[name]
		fmt.Fprintf(&b, "\n[[relay]]\nname = %q\ntype = \"opencomputer\"\nurl = %q\ntoken = %q\n", name, relay.URL(), relay.Token())
	}
	b.WriteString(w.more)
	file := filepath.Join(w.home, "config.toml")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		w.Fatal(err)
	}
	return file
}

// command is askbox with arguments, in the world's home.
func (w *world) command(args ...string) *exec.Cmd {
	w.Helper()
	cmd := exec.Command(askbox(w), args...)
	cmd.Dir = w.home
	cmd.Env = append([]string{
		"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		"ASKBOX_CONFIG=" + w.config(), "XDG_CONFIG_HOME=" + w.home, "XDG_STATE_HOME=" + filepath.Join(w.home, "state"),
		"GORACE=halt_on_error=1 exitcode=66", "TZ=UTC",
	}, w.env...)
	return cmd
}

// story is askbox on a terminal, and a person in front of it.
type story struct {
	testing.TB
	*terminal.Terminal
	world *world
}

// open starts the inbox in a window of the given size, such as 120x40.
func (w *world) open(size string, args ...string) *story {
	w.Helper()
	return w.start(size, w.command(args...))
}

func (w *world) start(size string, cmd *exec.Cmd) *story {
	w.Helper()
	var o terminal.Options
	if _, err := fmt.Sscanf(size, "%dx%d", &o.Width, &o.Height); err != nil {
		w.Fatal(err)
	}
	return w.show(cmd, o)
}

// show starts askbox on a terminal of the given kind.
func (w *world) show(cmd *exec.Cmd, o terminal.Options) *story {
	w.Helper()
	term, err := terminal.Start(cmd, o)
	if err != nil {
		w.Fatal(err)
	}
	s := &story{TB: w.TB, Terminal: term, world: w}
	w.Cleanup(s.end)
	return s
}

// end is what holds after every story: the program did not crash, nothing but
// its own controls reached the terminal, and it made the terminal send nothing.
func (s *story) end() {
	s.Kill()
	if !s.world.cut {
		onlyOwnControls(s)
	}
	if s.Failed() {
		s.Logf("the last screen of %s:\n%s", s.Name(), s.Screen())
	}
}

// see waits until all the texts stand on the screen.
func (s *story) see(texts ...string) *story {
	s.Helper()
	if err := s.Wait(limit, func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	}); err != nil {
		s.Fatalf("%q: %v", texts, err)
	}
	return s
}

// gone waits until a text does not stand on the screen any more.
func (s *story) gone(text string) *story {
	s.Helper()
	if err := s.Wait(limit, func(screen string) bool { return !strings.Contains(screen, text) }); err != nil {
		s.Fatalf("%q is still there: %v", text, err)
	}
	return s
}

// never fails where a text stands on the screen now.
func (s *story) never(texts ...string) *story {
	s.Helper()
	screen := s.Screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			s.Fatalf("%q stands on the screen:\n%s", text, screen)
		}
	}
	return s
}

// names are the keys that are not written as themselves.
var names = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "space": " ", "up": "\x1b[A", "down": "\x1b[B", "left": "\x1b[D",
	"backspace": "\x7f", "delete": "\x1b[3~", "pgup": "\x1b[5~", "pgdn": "\x1b[6~", "end": "\x1b[F", "home": "\x1b[H",
	"ctrl+c": "\x03", "ctrl+d": "\x04", "ctrl+e": "\x05", "ctrl+z": "\x1a", "ctrl+u": "\x15", "ctrl+j": "\n",
	"shift+tab": "\x1b[Z",
}

// pace is the time between two keys of a person. A program that runs slowly must
// still see an escape and the key behind it as two.
var pace = slack(35 * time.Millisecond)

// press presses keys one after the other, as a person does.
func (s *story) press(keys ...string) *story {
	s.Helper()
	for _, key := range keys {
		s.rest(pace)
		before, bytes := s.Written(), key
		if named, ok := names[key]; ok {
			bytes = named
		}
		if err := s.Send(bytes); err != nil {
			s.Fatalf("pressing %q: %v", key, err)
		}
		// A program that is stopped, or that gave the terminal to an editor, reads
		// nothing, and some stories type on all the same.
		_ = s.Taken(slack(soon))
		if key == "esc" {
			// The escape was read but may still wait for what makes a sequence of it.
			_, _ = s.Arrived(before, slack(100*time.Millisecond))
		}
	}
	return s
}

// write types a text, key by key.
func (s *story) write(text string) *story {
	s.Helper()
	for _, r := range text {
		s.press(string(r))
	}
	return s
}

// send types bytes in one write, which no person does.
func (s *story) send(bytes string) *story {
	s.Helper()
	if err := s.Send(bytes); err != nil {
		s.Fatal(err)
	}
	return s
}

// reading is how long a person reads an ask before deciding, longer than askbox
// wants it to be; noticing is the same for one that has changed; and alone is how
// long no key follows one that decides or opens a field.
const (
	reading  = 600 * time.Millisecond
	noticing = 1700 * time.Millisecond
	alone    = 450 * time.Millisecond
)

// decide reads what is on the screen, which takes a moment in which nothing
// changes, presses a key, once, and then takes the hand off the keyboard.
func (s *story) decide(key string) *story {
	s.Helper()
	s.read().press(key)
	s.rest(slack(alone))
	return s
}

// read reads what is on the screen.
func (s *story) read() *story {
	s.Helper()
	if err := s.Quiet(reading, limit); err != nil {
		s.Fatal(err)
	}
	return s
}

// rest is the time that a person needs. It ends early where the program does.
func (s *story) rest(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.Ended():
	}
}

// quits waits for the end and checks the exit status and the terminal.
func (s *story) quits(status int) {
	s.Helper()
	got, err := s.Exit(limit)
	if err != nil {
		s.Fatal(err)
	}
	if got != status {
		s.Errorf("exit status %d, want %d; on the screen:\n%s", got, status, s.Screen())
	}
	if err := s.GivenBack(); err != nil {
		s.Error("the terminal is not as it was: ", err)
	}
}
