//go:build unix

package e2e

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"askbox/client/fake"
)

// linked returns a world whose ask has a link, with the given programs in an otherwise
// bare PATH.
func linked(t *testing.T, programs map[string]string) *world {
	w := newWorld(t, "", "work")
	session := w.relays["work"].AddSession(fake.Session{Title: "Build", URL: "https://work.example/s/1"})
	w.relays["work"].Bash(session, "make", "")
	for name, body := range programs {
		w.script("bin/"+name, body)
	}
	for _, name := range []string{"sh", "cat", "sleep"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(w.home, "bin"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(w.home, "bin", name)); err != nil {
			t.Fatal(err)
		}
	}
	w.env = append(w.env, "PATH="+filepath.Join(w.home, "bin"))
	return w
}

// TestBrowser asks that of the environment first, and gives no program the terminal:
// without a browser that does without, the link is shown and can be copied (G17).
func TestBrowser(t *testing.T) {
	t.Parallel()
	const grabs = "(printf '\\033[2Jgrabbed' > /dev/tty) 2>/dev/null || exit 3\n"
	t.Run("of the environment", func(t *testing.T) {
		w := linked(t, map[string]string{"script": "echo \"$@\" > opened\n", "xdg-open": "echo wrong > opened\n"})
		w.env = append(w.env, "BROWSER=script --new")
		s := w.open("120x40").see("make").press("o").see("Opening https://work.example/s/1")
		if err := s.Wait(limit, func(string) bool {
			content, _ := os.ReadFile(filepath.Join(w.home, "opened"))
			return string(content) == "--new https://work.example/s/1\n"
		}); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("one that wants the terminal", func(t *testing.T) {
		w := linked(t, map[string]string{"www-browser": grabs, "xdg-open": grabs, "lynx": grabs})
		w.env, w.writes = append(w.env, "BROWSER=lynx"), []string{"OSC 52"}
		s := w.open("120x40").see("make").press("o").see("No browser opened it. y copies the link: https://work.example/s/1").never("grabbed")
		s.press("y").see("lipboard")
		if out := string(s.Terminal.Output()); !strings.Contains(out, "52;c;"+base64.StdEncoding.EncodeToString([]byte("https://work.example/s/1"))) {
			t.Error("the link was not copied")
		}
		s.press("y")
		if err := s.Wait(limit, func(string) bool {
			return strings.Contains(string(s.Terminal.Output()), "52;c;"+base64.StdEncoding.EncodeToString([]byte("make")))
		}); err != nil {
			t.Error("the ask was not copied: ", err)
		}
	})
	t.Run("none", func(t *testing.T) {
		w := linked(t, nil)
		w.open("80x24").see("make").press("enter").see("the session waits").press("o").see("No browser opened it.", "https://work.example/s/1")
	})
}

// TestClipboard takes the ways that are there, and says no more than is known (G09).
func TestClipboard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		programs map[string]string
		env      []string
		says     string
	}{
		"the terminal alone": {nil, nil, "whether it took it is not known"},
		"tmux":               {map[string]string{"tmux": "[ \"$1 $2 $3\" = 'load-buffer -w -' ] && cat > got\n"}, []string{"TMUX=/tmp/none,1,0"}, "Copied to tmux's buffer."},
		"an old tmux":        {map[string]string{"tmux": "[ \"$1 $2\" = 'load-buffer -' ] && cat > got\n"}, []string{"TMUX=/tmp/none,1,0"}, "Copied to tmux's buffer."},
		"wayland":            {map[string]string{"wl-copy": "cat > got\n"}, []string{"WAYLAND_DISPLAY=wayland-0"}, "Copied to the clipboard."},
		"x":                  {map[string]string{"xclip": "exit 1\n", "xsel": "cat > got\n"}, []string{"DISPLAY=:9"}, "Copied to the clipboard."},
		"a tool that fails":  {map[string]string{"wl-copy": "exit 1\n"}, []string{"WAYLAND_DISPLAY=wayland-0"}, "whether it took it is not known"},
	} {
		w := linked(t, c.programs)
		w.env, w.writes = append(w.env, c.env...), []string{"OSC 52"}
		s := w.open("120x40").see("make").press("y").see(c.says)
		content, err := os.ReadFile(filepath.Join(w.home, "got"))
		if taken := strings.HasPrefix(c.says, "Copied"); taken != (err == nil) || taken && string(content) != "make" {
			t.Errorf("%s: %q, %v", name, content, err)
		}
		if out := string(s.Terminal.Output()); !strings.Contains(out, "52;c;"+base64.StdEncoding.EncodeToString([]byte("make"))) {
			t.Errorf("%s: the terminal was not asked", name)
		}
	}
}

// TestRealTmux has the text in a buffer of tmux, with its defaults and with the clipboard
// switched on (G09).
func TestRealTmux(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("there is no tmux here")
	}
	for _, set := range []string{"external", "on"} {
		w := newWorld(t, "", "work")
		w.relays["work"].Bash(w.session("work", "Build"), "make", "")
		inner := w.command()
		socket := filepath.Join(w.home, "t")
		run := func(args ...string) string {
			c := exec.Command(tmux, append([]string{"-S", socket, "-f", "/dev/null"}, args...)...)
			c.Env, c.Dir = append(inner.Env, "TMUX="), w.home
			out, _ := c.CombinedOutput()
			return string(out)
		}
		t.Cleanup(func() { run("kill-server") })
		run("new-session", "-d", "-x", "120", "-y", "40", inner.Path)
		run("set", "-g", "set-clipboard", set)
		wait := func(args []string, want string) {
			t.Helper()
			end := make(chan struct{})
			go func() { <-w.patience().Done(); close(end) }()
			for got := ""; ; {
				if got = run(args...); strings.Contains(got, want) {
					return
				}
				select {
				case <-end:
					t.Fatalf("%s: %q is missing in %q", set, want, got)
				default:
				}
			}
		}
		wait([]string{"capture-pane", "-p"}, "make")
		run("send-keys", "y")
		wait([]string{"capture-pane", "-p"}, "Copied to tmux's buffer.")
		wait([]string{"list-buffers"}, `"make"`)
	}
}
