package tui

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client/text"
)

// safe makes a string from anywhere safe to print on one line.
func safe(s string) string { return text.New(s).String() }

// crash keeps the first panic of the program. Bubble Tea would print it as it
// is; a panic can quote what an agent wrote, so it is kept until the terminal is
// given back, and printed safely.
type crash struct {
	mu    sync.Mutex
	value string
	stack string
	stop  func() // ends the program
}

// catch is deferred where a panic must not go further.
func (c *crash) catch() {
	r := recover()
	if r == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.value == "" {
		c.value, c.stack = fmt.Sprint(r)+" ", string(debug.Stack())
		if elsewhere, ok := r.(interface{ Trace() string }); ok {
			c.stack = elsewhere.Trace()
		}
		// The program may be in the middle of a message, so this must not wait for it.
		go c.stop()
	}
}

// text returns the crash for a person, or nothing.
func (c *crash) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.value == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("askbox crashed: " + text.New(c.value).Fit(400) + "\n")
	for _, line := range strings.Split(strings.TrimSpace(c.stack), "\n") {
		b.WriteString("  " + safe(strings.ReplaceAll(line, "\t", "  ")) + "\n")
	}
	return b.String()
}

// contained is the model with every panic caught: the program then ends as if
// the user had quit, which gives the terminal back whole.
type contained struct {
	model model
	crash *crash
}

func (c contained) Init() tea.Cmd { return c.crash.guard(c.model.Init()) }

func (c contained) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next, cmd = c, nil
	defer c.crash.catch()
	updated, command := c.model.Update(msg)
	return contained{updated.(model), c.crash}, c.crash.guard(command)
}

func (c contained) View() (frame string) {
	defer c.crash.catch()
	return c.model.View()
}

// guard catches the panics of a command, and of those that a batch holds.
func (c *crash) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer c.catch()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			guarded := make(tea.BatchMsg, len(batch))
			for i := range batch {
				guarded[i] = c.guard(batch[i])
			}
			return guarded
		}
		return msg
	}
}
