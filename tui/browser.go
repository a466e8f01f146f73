package tui

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client/text"
)

// openIntent has a browser open a link.
func (m model) openIntent(link string) (model, tea.Cmd) {
	if !safeLink(link) {
		return m.trouble("There is no link that can be opened."), nil
	}
	return m.say("Opening " + text.New(link).String()), openLink(m.ctx, link)
}

// safeLink reports whether a link goes to a web page and holds nothing that a
// browser or a shell could take for anything else.
func safeLink(link string) bool {
	u, err := url.Parse(link)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil {
		return false
	}
	return !strings.ContainsFunc(link, func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r)
	})
}

// browsers lists the commands that may open a link: those of $BROWSER, then the
// system's own. A browser that needs a terminal is none, because the screen has it.
func browsers(link string, getenv func(string) string, goos string) (commands [][]string) {
	for _, one := range filepath.SplitList(getenv("BROWSER")) {
		words, err := SplitCommand(one)
		if err != nil || len(words) == 0 {
			continue
		}
		named := false
		for i := range words {
			named = named || strings.Contains(words[i], "%s")
			words[i] = strings.ReplaceAll(words[i], "%s", link)
		}
		if !named {
			words = append(words, link)
		}
		commands = append(commands, words)
	}
	switch goos {
	case "darwin":
		return append(commands, []string{"open", link})
	case "windows":
		return append(commands, []string{"rundll32", "url.dll,FileProtocolHandler", link})
	}
	commands = append(commands, []string{"xdg-open", link})
	if getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != "" {
		commands = append(commands, []string{"x-www-browser", link})
	}
	return commands
}

// openLink opens a checked link in the first browser that takes it.
func openLink(ctx context.Context, link string) tea.Cmd {
	return func() tea.Msg {
		for _, words := range browsers(link, os.Getenv, runtime.GOOS) {
			if runOutside(ctx, words, nil) == nil {
				return nil
			}
		}
		return unopenedMsg{link}
	}
}

// unopened shows a link that no browser opened, and has the next key copy it.
func (m model) unopened(link string) model {
	m.offer = link
	return m.trouble("No browser opened it. " + m.keymap.Copy.Help().Key + " copies the link: " + text.New(link).String())
}
