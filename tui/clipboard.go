package tui

import (
	"context"
	"io"
	"os"
	"runtime"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// mostCopied is what terminals take into their clipboard, in bytes of text.
const mostCopied = 74_000

// clipboard is a program that takes a text into a clipboard.
type clipboard struct {
	words []string
	where string // it has the text then
}

// clipboards lists the programs to try, where the environment has what they need: those
// of tmux first, then one of the desktop's. Of those of a group the first that works is
// enough.
func clipboards(getenv func(string) string, goos string) (groups [][]clipboard) {
	if getenv("TMUX") != "" {
		// Before tmux 3.2 there is no -w, which hands it on to the terminal.
		groups = append(groups, []clipboard{
			{[]string{"tmux", "load-buffer", "-w", "-"}, "tmux's buffer"}, {[]string{"tmux", "load-buffer", "-"}, "tmux's buffer"}})
	}
	var desktop []clipboard
	add := func(words ...string) { desktop = append(desktop, clipboard{words, "the clipboard"}) }
	switch goos {
	case "darwin":
		add("pbcopy")
	case "windows":
		add("clip")
	}
	if getenv("WAYLAND_DISPLAY") != "" {
		add("wl-copy")
	}
	if getenv("DISPLAY") != "" {
		add("xclip", "-selection", "clipboard", "-in")
		add("xsel", "--clipboard", "--input")
	}
	return append(groups, desktop)
}

// copyText copies a text in every way that there is, and says where it is known to be,
// with a note in front of that and one behind it. The terminal takes it encoded, so that nothing in it can act
// there, and does not tell whether it did.
func copyText(ctx context.Context, out io.Writer, s, before, behind string) tea.Cmd {
	says := func(where string) tea.Msg {
		return sayMsg{text: strings.TrimSpace(before + " " + where + " " + behind)}
	}
	return func() tea.Msg {
		var known []string
		for _, group := range clipboards(os.Getenv, runtime.GOOS) {
			for _, c := range group {
				if runOutside(ctx, c.words, strings.NewReader(s)) == nil {
					known = append(known, c.where)
					break
				}
			}
		}
		seq := ansi.SetSystemClipboard(s)
		if os.Getenv("STY") != "" && os.Getenv("TMUX") == "" {
			const longest = 768 // that GNU screen hands on
			seq = ansi.ScreenPassthrough(seq, longest)
		}
		sent := len(s) <= mostCopied
		if sent {
			_, err := io.WriteString(out, seq)
			sent = err == nil
		}
		switch {
		case len(known) > 0:
			return says("Copied to " + strings.Join(known, " and ") + ".")
		case sent:
			return says("Sent to the terminal, for its clipboard; whether it took it is not known.")
		case len(s) > mostCopied:
			return sayMsg{"This is too long for the terminal's clipboard.", true}
		}
		return sayMsg{"The terminal did not take the text.", true}
	}
}
