package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client/inbox"
	"askbox/tui/frames"
)

// A panic in any place ends the program once, and its text is safe (D09, A16).
func TestCrashesAreContained(t *testing.T) {
	hostile := "agent says \x1b[2J\x1b[Hall good\u009b1A"
	stopped := make(chan bool, 10)
	fresh := func() *crash { return &crash{stop: func() { stopped <- true }} }
	boom := func() tea.Msg { panic(hostile) }
	for name, run := range map[string]func(c *crash){
		"command": func(c *crash) { c.guard(boom)() },
		"batch": func(c *crash) {
			for _, cmd := range c.guard(tea.Batch(boom, func() tea.Msg { return nil }))().(tea.BatchMsg) {
				cmd()
			}
		},
		"update": func(c *crash) { contained{model: model{}, crash: c}.Update(nil) },
		"inbox": func(c *crash) {
			m := model{setup: setup{clock: func() moment { return moment{} }, frames: frames.New[seen]()}, snapshot: &inbox.Snapshot{}}
			contained{model: m, crash: c}.Update(snapshotMsg{err: &inbox.Crash{Value: "agent says", Stack: "the poller"}})
			if !strings.Contains(c.stack, "the poller") {
				t.Errorf("the stack is of another place: %q", c.stack)
			}
		},
		"view": func(c *crash) {
			_ = contained{model: model{setup: setup{frames: frames.New[seen]()}, width: 80, height: 24, snapshot: &inbox.Snapshot{}}, crash: c}.View()
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := fresh()
			run(c)
			<-stopped
			said := c.text()
			if !strings.Contains(said, "askbox crashed") || strings.ContainsAny(said, "\x1b\u009b\r\t") {
				t.Fatalf("the crash says %q", said)
			}
		})
	}
	if said := fresh().text(); said != "" {
		t.Fatalf("without a crash it says %q", said)
	}
}

// What is not a panic goes through the guard unchanged.
func TestGuardLetsThrough(t *testing.T) {
	c := &crash{}
	if c.guard(nil) != nil {
		t.Error("no command became one")
	}
	if got := c.guard(func() tea.Msg { return tickMsg{} })(); got != (tickMsg{}) {
		t.Errorf("the message became %v", got)
	}
}
