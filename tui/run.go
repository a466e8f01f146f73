package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/frames"
	"askbox/tui/input"
	"askbox/tui/keymap"
	"askbox/tui/theme"
)

// Options set the screen up.
type Options struct {
	// Inbox is started and closed by Run: it polls once the first frame is written, and
	// only Run knows whether held answers are to be sent when the user quits.
	Inbox *inbox.Inbox
	// Drafts keeps half-written answers; Run flushes it at the end. nil: nothing is kept.
	Drafts *drafts.Store
	// Filter is what the inbox opens with.
	Filter client.Filter
	// Relays are the names that the caller narrowed the inbox to; the header says
	// so. Empty: every one.
	Relays []string
	// Theme is auto, dark, light or plain; Notify is off, now or all.
	Theme, Notify string
	// Mouse lets the wheel scroll; it takes the terminal's text selection away.
	Mouse bool
	// Keys are the keys in force; nil: the usual ones.
	Keys *keymap.Map
	// Trouble is said until the first key, because it must not go by unseen. It is
	// a whole sentence, safe to print. Empty: there is none.
	Trouble string
	// Demo says so in the header.
	Demo bool
	// In and Out are the terminal; nil is standard input and output.
	In, Out *os.File
	// Err takes what there is to say once the terminal is given back; nil is standard error.
	Err io.Writer
	// Log takes what went wrong; nil: nothing is logged.
	Log *slog.Logger
}

// Run shows the inbox until the user quits or the context ends. The terminal is
// given back whole whatever happens. The error is safe to print; it is nil where
// the user quit, also when an answer's outcome is not known: that is printed to
// Err.
func Run(ctx context.Context, o Options) error {
	o = o.defaults()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	paint := theme.Choose(o.Theme, os.Environ(), func() bool { return darkBackground(o.In, o.Out, os.Environ()) })
	keys := input.New(o.In, input.Options{Mouse: o.Mouse})
	defer func() { _ = keys.Close() }()
	signals := make(chan os.Signal, 1)
	stopSignals := watchContinue(signals)
	defer stopSignals()

	s := o.setup(inner, paint, keys, signals)
	m := newModel(s, o.Filter)
	if width, height, err := term.GetSize(o.Out.Fd()); err == nil {
		m = m.resize(width, height)
	}
	if o.Trouble != "" {
		m = m.trouble(o.Trouble)
	}
	crash := &crash{}
	program := tea.NewProgram(contained{model: m, crash: crash}, o.programOptions(inner, keys, s.out)...)
	crash.stop = program.Quit
	final, err := program.Run()
	cancel()
	return o.leave(final, err, crash)
}

func (o Options) defaults() Options {
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Err == nil {
		o.Err = os.Stderr
	}
	if o.Keys == nil {
		o.Keys = keymap.New()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func (o Options) setup(ctx context.Context, t *theme.Theme, keys *input.Reader, signals <-chan os.Signal) setup {
	screen := frames.New[seen]()
	output := screen.Output(o.Out)
	return setup{
		ctx: ctx, keymap: o.Keys, box: o.Inbox, start: o.Inbox.Start, drafts: o.Drafts, theme: t, clock: clockOf(time.Now()),
		out: output, tty: o.Out, frames: screen, again: output.Again,
		keys: keys, lost: func() int { return keys.Stats().Lost }, signals: signals,
		readings: func() int { return keys.Stats().Readings },
		notify:   o.Notify, relays: o.Relays, demo: o.Demo,
	}
}

// clockOf returns a clock that reads the wall and the time since start, which
// stands still while the machine sleeps.
func clockOf(start time.Time) func() moment {
	return func() moment {
		now := time.Now()
		return moment{wall: now.Round(0), mono: now.Sub(start)}
	}
}

func (o Options) programOptions(ctx context.Context, keys *input.Reader, out io.Writer) []tea.ProgramOption {
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(keys), tea.WithOutput(out),
		tea.WithAltScreen(), tea.WithReportFocus(),
		// The caller's context ends with the signals. Bubble Tea's own handler hands
		// its message to a loop that may have ended by then, and waits for ever.
		tea.WithoutSignalHandler(),
	}
	if o.Mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	return options
}

// leave closes the inbox, saves the drafts, and says what is not known.
func (o Options) leave(final tea.Model, err error, crash *crash) error {
	end, _ := final.(contained)
	loose := end.model.loose
	if !end.model.closed {
		loose = closeIn(o.Inbox, closeTime)
	}
	for _, l := range loose {
		// Where the terminal is gone, only the log is left to say it.
		o.Log.Warn("an answer is not known to have arrived", "why", l.Why, "ask", l.Ref.String())
		_, _ = fmt.Fprintf(o.Err, "askbox: %s: %s · %s\n", l.Why, l.Ref.String(), l.What)
	}
	if o.Drafts != nil {
		// What was sent as the program closed is in no frame that was drawn.
		arrived(o.Drafts, o.Inbox.Latest(), end.model.sent)
		if failed := o.Drafts.Flush(); failed != nil {
			_, _ = fmt.Fprintln(o.Err, "askbox: a draft could not be kept: "+text.Sentence(failed.Error()))
		}
	}
	if text := crash.text(); text != "" {
		o.Log.Error("the screen crashed", "crash", text)
		_, _ = fmt.Fprint(o.Err, text)
		return errors.New("askbox crashed; nothing was sent that was not confirmed on the screen")
	}
	switch {
	case err == nil, errors.Is(err, tea.ErrInterrupted), errors.Is(err, context.Canceled):
		return nil
	case errors.Is(err, input.ErrGone):
		return errors.New("the terminal is gone")
	}
	return errors.New(text.Sentence(err.Error()))
}

// closeIn closes the inbox and holds nobody up much longer than the limit, also
// where the inbox has crashed and cannot be closed in order.
func closeIn(c closer, limit time.Duration) []inbox.Loose {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	loose := make(chan []inbox.Loose, 1)
	go func() {
		defer func() { _ = recover() }()
		defer close(loose)
		loose <- c.Close(ctx, false)
	}()
	select {
	case l := <-loose:
		return l
	case <-time.After(2 * limit):
		return nil
	}
}
