// Package tui is the inbox on the terminal: a Bubble Tea program whose root
// model owns the layout and hands keys to the panes.
package tui

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
)

// Options set the screen up.
type Options struct {
	// Inbox is started by the caller. Run closes it, because only Run knows
	// whether held answers are to be sent when the user quits.
	Inbox *inbox.Inbox
	// Drafts keeps half-written answers; Run flushes it at the end. nil: nothing is kept.
	Drafts *drafts.Store
	// Filter is what the inbox opens with.
	Filter client.Filter
	// Relays narrows the screen to these names; empty shows every one.
	Relays []string
	// Theme is auto, dark, light or plain; Notify is off, now or all.
	Theme, Notify string
	// Mouse lets the wheel scroll; it takes the terminal's text selection away.
	Mouse bool
	// Demo says so in the header.
	Demo bool
	// In and Out are the terminal; nil is standard input and output.
	In, Out *os.File
	// Err takes what there is to say once the terminal is given back; nil is standard error.
	Err *os.File
	// Log takes what went wrong; nil: nothing is logged.
	Log *slog.Logger
}

// Run shows the inbox until the user quits or the context ends. The terminal is
// given back whole whatever happens. The error is safe to print.
func Run(ctx context.Context, o Options) error { return errors.New("the screen is not built yet") }
