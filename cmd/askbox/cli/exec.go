package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"askbox/client/text"
	"askbox/tui"
)

// execLimit is how long a command of --exec may take for one event.
const execLimit = 30 * time.Second

// execQueue is how many events may wait for the command; more are told to be left out.
const execQueue = 1000

// hook runs a command for each event, one at a time and in their order.
type hook struct {
	a      *app
	words  []string
	events chan happening
	done   chan struct{}
	failed bool // which is said once
	missed bool // so is that
}

// newHook prepares the command of --exec. No shell takes part.
func (a *app) newHook(command string) (*hook, error) {
	words, err := tui.SplitCommand(command)
	switch {
	case err != nil:
		return nil, &usageError{"--exec " + err.Error()}
	case len(words) == 0:
		return nil, &usageError{"--exec names no command"}
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil, &usageError{"--exec cannot be run: " + text.New(err.Error()).String()}
	}
	h := &hook{a: a, words: words, events: make(chan happening, execQueue), done: make(chan struct{})}
	return h, nil
}

// run works through the events until they end or the context does.
func (h *hook) run(ctx context.Context) {
	defer close(h.done)
	for event := range h.events {
		if ctx.Err() != nil {
			return
		}
		if err := h.once(ctx, event); err != nil && !h.failed && ctx.Err() == nil {
			h.failed = true
			h.a.note("--exec failed, which is said once: %s", text.Sentence(err.Error()))
		}
	}
}

// tell hands an event on. A watch does not wait for its command.
func (h *hook) tell(event happening) {
	select {
	case h.events <- event:
	default:
		if !h.missed {
			h.missed = true
			h.a.note("--exec is slower than the events: those that more than %d others wait before are left out", execQueue)
		}
	}
}

// once runs the command for one event, which it finds as JSON on its standard input.
func (h *hook) once(ctx context.Context, event happening) error {
	ctx, cancel := context.WithTimeout(ctx, execLimit)
	defer cancel()
	var in bytes.Buffer
	if err := writeJSON(&in, eventToJSON(event), false); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, h.words[0], h.words[1:]...)
	// What it leaves running must not hold the next event up. The variables with relays'
	// tokens left this process's environment when the configuration was read.
	c.Stdin, c.WaitDelay = &in, time.Second
	err := c.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("it did not end within %v", execLimit)
	}
	return err
}
