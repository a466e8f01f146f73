//go:build unix

package e2e

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"time"

	"askbox/client/fake"
	"askbox/cmd/askbox/e2e/terminal"
)

// own are the controls that askbox itself writes: colours, moves and erasing of
// the renderer, and the modes that it switches on and off again.
var own = []string{
	"CSI m", "CSI A", "CSI B", "CSI C", "CSI D", "CSI G", "CSI H", "CSI J", "CSI K", "CSI n",
	"CSI ?25l", "CSI ?25h", "CSI ?1049h", "CSI ?1049l", "CSI ?2004h", "CSI ?2004l", "CSI ?1004h", "CSI ?1004l",
	"CSI ?1000l", "CSI ?1002l", "CSI ?1003l", "CSI ?1006l", "OSC 2", "CSI t",
	`C0 '\r'`, `C0 '\n'`,
}

// ownTitle is what askbox calls the window.
var ownTitle = regexp.MustCompile(`^((\(\d+(, \d+ now)?\) )?askbox)?$`)

// onlyOwnControls looks through everything that was written to the terminal. With
// the theme auto askbox may ask for the terminal's colours, but only before it
// draws: later an answer would come as keys.
func onlyOwnControls(s *story) {
	s.Helper()
	output, asked := s.Terminal.Output(), 0
	if drawn := bytes.Index(output, []byte("\x1b[?1049h")); s.world.theme == "auto" && drawn >= 0 {
		for kind, n := range terminal.Sequences(output[:drawn]) {
			if kind != "OSC 11" && kind != "CSI c" && !slices.Contains(own, kind) {
				s.Errorf("%d times %s was written to the terminal before the screen", n, kind)
			}
			asked += n
		}
		output = output[drawn:]
	}
	for kind, n := range terminal.Sequences(output) {
		if !slices.Contains(own, kind) && !slices.Contains(s.world.writes, kind) {
			s.Errorf("%d times %s was written to the terminal", n, kind)
		}
	}
	if n := s.Replies(); n > 0 && asked == 0 {
		s.Errorf("the terminal sent %d bytes, because what was written asked it to", n)
	}
	if title := s.Title(); !ownTitle.MatchString(title) {
		s.Errorf("the window's title was changed to %q", title)
	}
}

// answered waits until an ask is closed, and checks the one answer that arrived.
func (s *story) answered(relay string, ref fake.Ref, body string) *story {
	s.Helper()
	server := s.world.relays[relay]
	if _, err := server.WaitClosed(s.world.patience(), ref); err != nil {
		s.Fatalf("the ask is still open; on the screen:\n%s", s.Screen())
	}
	var got []string
	for _, sent := range server.Answers(ref) {
		got = append(got, sent.Body)
	}
	if len(got) != 1 || got[0] != body {
		s.Fatalf("%s got %q, want one %q", relay, got, body)
	}
	return s
}

// nothingSent checks that no relay got an answer to anything, once askbox has had
// the time to do what it was told.
func (s *story) nothingSent() *story {
	s.Helper()
	s.settle()
	for name, relay := range s.world.relays {
		for _, r := range relay.Requests() {
			if r.Method == "POST" && (strings.HasSuffix(r.Path, "/answer") || strings.HasSuffix(r.Path, "/dismiss")) {
				s.Errorf("%s got %s %s", name, r.Path, r.Body)
			}
		}
	}
	return s
}

// settle waits until the screen stands still.
func (s *story) settle() *story {
	s.Helper()
	if err := s.Quiet(150*time.Millisecond, limit); err != nil {
		s.Fatal(err)
	}
	return s
}
