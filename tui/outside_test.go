package tui

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func environ(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// The browser of the environment comes first, and a browser of the desktop only where
// there is one (G17).
func TestBrowsers(t *testing.T) {
	const link = "https://h/1"
	for _, c := range []struct {
		vars map[string]string
		goos string
		want [][]string
	}{
		{nil, "linux", [][]string{{"xdg-open", link}}}, {nil, "darwin", [][]string{{"open", link}}},
		{map[string]string{"DISPLAY": ":0"}, "linux", [][]string{{"xdg-open", link}, {"x-www-browser", link}}},
		{map[string]string{"BROWSER": `"/a b/fire" -new %s:lynx`}, "freebsd", [][]string{{"/a b/fire", "-new", link}, {"lynx", link}, {"xdg-open", link}}},
		{map[string]string{"BROWSER": `"unclosed`}, "linux", [][]string{{"xdg-open", link}}},
	} {
		if d := cmp.Diff(c.want, browsers(link, environ(c.vars), c.goos)); d != "" {
			t.Error(c.vars, d)
		}
	}
}

// tmux has its own buffer, a desktop its tools (G09).
func TestClipboards(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		goos string
		want []string // the first word of each, | between groups
	}{
		{nil, "linux", []string{"|"}}, {nil, "darwin", []string{"|", "pbcopy"}},
		{map[string]string{"TMUX": "/tmp/x", "DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, "linux", []string{"|", "tmux", "tmux", "|", "wl-copy", "xclip", "xsel"}},
	} {
		var got []string
		for _, group := range clipboards(environ(c.vars), c.goos) {
			got = append(got, "|")
			for _, one := range group {
				got = append(got, one.words[0])
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Error(c.vars, d)
		}
	}
}
