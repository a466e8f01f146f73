//go:build unix

package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"askbox/cmd/askbox/e2e/terminal"
)

var pictures = flag.String("pictures", "", "the folder that TestPictures writes the pictures of the README to, such as ../../../.github")

// TestPictures draws the demo, as it stands in the README:
//
//	go test ./cmd/askbox/e2e -run TestPictures -pictures ../../../.github
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("it writes files; see -pictures")
	}
	const width, height = 120, 30
	for theme, colours := range map[string]terminal.Colours{"dark": terminal.Dark, "light": terminal.Light} {
		w := newWorld(t, "")
		// What the story of another test may not do, asking the terminal for its colours, is
		// what gives this one its theme.
		term, err := terminal.Start(w.command("demo"), terminal.Options{Width: width, Height: height, Colours: &colours})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(term.Kill)
		s := &story{TB: t, Terminal: term, world: w}
		s.see("Not reachable", "read to the end")
		var frames []string
		take := func() {
			if err := s.Quiet(700*time.Millisecond, limit); err != nil {
				t.Log(err) // the demo's agents keep asking
			}
			frames = append(frames, s.Picture(colours))
		}
		take()
		write(t, theme+".svg", terminal.SVG(colours, width, height, frames, 0))
		if theme == "light" {
			continue
		}
		for _, key := range []string{"j", "j", "a", "tab", "j", "?", "esc", "h"} {
			s.decide(key)
			take()
		}
		write(t, "demo.svg", terminal.SVG(colours, width, height, frames, 1.6))
	}
}

// write puts a picture into the folder.
func write(t *testing.T, name, svg string) {
	t.Helper()
	if strings.Contains(svg, "\x1b") {
		t.Error("a control is in the picture")
	}
	if err := os.MkdirAll(*pictures, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, name), []byte(svg), 0o644); err != nil {
		t.Fatal(err)
	}
}
