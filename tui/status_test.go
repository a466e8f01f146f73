package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"askbox/client/text"
)

// Every refusal that is written in the code is on the screen whole in the smallest window,
// and covers no row of the ask.
func TestRefusalsAreWhole(t *testing.T) {
	var all []string
	sentence := regexp.MustCompile(`"((?:Nothing|Taken back)[^"]{30,})"`)
	for _, folder := range []string{".", "ask"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range sentence.FindAllSubmatch(source, -1) {
				all = append(all, string(m[1]))
			}
		}
	}
	if len(all) < 20 {
		t.Fatalf("only %d refusals were found", len(all))
	}
	story(t, func(t *testing.T) {
		w := newWorld(t, 40, 10, group("work", 1, lines(50)))
		w.key("enter")
		for _, says := range all {
			before := strings.Split(ansi.Strip(w.m.draw()), "\n")
			m := w.m.trouble(says)
			after := strings.Split(ansi.Strip(m.draw()), "\n")
			words := strings.Fields(strings.Join(after, " "))
			if len(after) != 10 || !strings.Contains(strings.Join(words, " "), strings.Join(strings.Fields(says), " ")) {
				t.Errorf("%q is cut:\n%s", says, strings.Join(after, "\n"))
			}
			rows := m.ask.OnScreen()
			for i, line := range before[:3+rows.Last-rows.First] {
				if after[i] != line {
					t.Errorf("%q covers the row %q", says, line)
				}
			}
			for _, line := range after {
				if text.Width(line) != 40 {
					t.Errorf("%q is not as wide as the window", line)
				}
			}
		}
	})
}

// J25: the space bar goes on by a page where there is nothing to choose, one page for each
// reading, and J and K by a row, from the list as from the ask.
func TestSpacePages(t *testing.T) {
	for _, size := range [][2]int{{120, 30}, {80, 24}} {
		story(t, func(t *testing.T) {
			w := newWorld(t, size[0], size[1], group("work", 1, lines(176)))
			if !w.m.wide() {
				w.key("enter")
			}
			w.pass(time.Second)
			first := w.m.ask.OnScreen()
			w.key(" ")
			if page := w.m.ask.OnScreen(); page.First <= first.First || page.First > first.Last {
				t.Errorf("a page goes from %d to %d", first.First, page.First)
			}
			at := w.m.ask.OnScreen().First
			w.key("J")
			w.key("J")
			w.key("K")
			if got := w.m.ask.OnScreen().First; got != at+1 {
				t.Errorf("J J K goes from %d to %d", at, got)
			}
			w.shows("space, J")
			w.sentNothing()
		})
	}
}
