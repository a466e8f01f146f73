package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
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
	// Theme is auto, dark, light, plain or ascii; Notify is off, urgent, now or all.
	Theme, Notify string
	// Mouse lets a click select and the wheel scroll; it takes the terminal's text selection away.
	Mouse bool
	// Keys are the keys in force; nil: the usual ones.
	Keys *keymap.Map
	// Colors are the roles that are drawn in another way.
	Colors theme.Inks
	// Trouble is said until the first key, because it must not go by unseen. It is
	// a whole sentence, safe to print. Empty: there is none.
	Trouble string
	// Title gives the window a title with the number of open asks, and its old one back.
	Title bool
	// Demo says so in the header.
	Demo bool
	// Lent is told when another program gets the terminal, and with it the keys that send
	// signals, and when it is back; nil: nobody is.
	Lent func(bool)
	// Unlock returns what asks the person on the terminal for what tokens need that could
	// not be had without, and nil where there is none; nil: there never is. It is called
	// where the person wants every relay asked.
	Unlock func() func()
	// In and Out are the terminal; nil is standard input and output.
	In, Out *os.File
	// Err takes what there is to say once the terminal is given back; nil is standard error.
	Err io.Writer
	// Log takes what went wrong; nil: nothing is logged.
	Log *slog.Logger
}

// Run shows the inbox until the user quits or the context ends. The terminal is
// given back whole whatever happens, and what has to be known is printed to Err. The
// error is safe to print. It is the cause of the context where that ended, *Unfinished
// where an answer did not go out or its outcome is not known, and nil where the user quit.
func Run(ctx context.Context, o Options) error {
	o = o.defaults()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	told := true
	painted := func(background func() bool) *theme.Theme {
		return theme.Choose(o.Theme, os.Environ(), background).With(o.Colors)
	}
	paint := painted(func() (dark bool) {
		dark, told = darkBackground(o.In, o.Out, os.Environ())
		return dark
	})
	text.OnlyASCII(paint.ASCII())
	keys := input.New(o.In, input.Options{Mouse: o.Mouse})
	defer func() { _ = keys.Close() }()
	signals := make(chan os.Signal, 1)
	stopSignals := watchContinue(signals)
	defer stopSignals()

	s := o.setup(inner, paint, keys, signals)
	if !told {
		s.repaint = func(dark bool) *theme.Theme { return painted(func() bool { return dark }) }
	}
	m := newModel(s, o.Filter)
	if width, height, err := term.GetSize(o.Out.Fd()); err == nil {
		m = m.resize(width, height)
	}
	if o.Trouble != "" {
		m = m.trouble(o.Trouble)
	}
	drawing, stop := context.WithCancel(context.Background())
	defer stop()
	crash := &crash{}
	program := tea.NewProgram(contained{model: m, crash: crash}, o.programOptions(drawing, keys, s.out)...)
	crash.stop = program.Quit
	dropped := o.endWith(ctx, s, stop)
	final, err := program.Run()
	cancel()
	end, _ := final.(contained)
	return o.leave(ctx, end.model, dropped, err, crash)
}

// endWith ends the program with the context, in this order: from the first moment on
// nothing goes out that was not sent, then the terminal is given its time to reply to
// what it was asked, and then it is given back. dropped waits for that where the context
// has ended, and returns the answers whose outcome is not known.
func (o Options) endWith(ctx context.Context, s setup, stop func()) (dropped func() []inbox.Loose) {
	ended := make(chan []inbox.Loose, 1)
	unused := context.AfterFunc(ctx, func() {
		quiet := make(chan struct{})
		go func() {
			defer close(quiet)
			s.frames.Away()
			s.frames.Quiet(context.Background())
			s.free()
			stop()
		}()
		loose := closeIn(o.Inbox, closeTime)
		<-quiet
		ended <- loose
	})
	return func() []inbox.Loose {
		if unused() {
			return nil
		}
		return <-ended
	}
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
	if o.Lent == nil {
		o.Lent = func(bool) {}
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
	if o.Title {
		output.KeepTitle()
	}
	return setup{
		ctx: ctx, keymap: o.Keys, box: o.Inbox, start: o.Inbox.Start, drafts: o.Drafts, theme: t, clock: clockOf(time.Now()),
		out: output, tty: o.Out, frames: screen, again: output.Again,
		keys: keys, lost: func() int { return keys.Stats().Lost }, signals: signals,
		readings: func() int { return keys.Stats().Readings }, lent: o.Lent, unlock: o.Unlock, free: output.Free, unblocked: output.Freed(),
		notify: o.Notify, relays: o.Relays, demo: o.Demo, titled: o.Title,
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

// Unfinished means that an answer was not sent, or its outcome is not known, or that
// words could not be kept, and that all of that was printed.
type Unfinished struct {
	// NotKnown says that an answer may have counted.
	NotKnown bool
}

func (e *Unfinished) Error() string { return "not everything that was answered or typed is done" }

// leave closes the inbox, saves the drafts, and says what is not known.
func (o Options) leave(ctx context.Context, m model, dropped func() []inbox.Loose, err error, crash *crash) error {
	loose := append(dropped(), m.loose...)
	if !m.closed && ctx.Err() == nil {
		loose = closeIn(o.Inbox, closeTime)
	}
	var unfinished *Unfinished
	var left []inbox.Loose
	for _, l := range loose {
		// Where the terminal is gone, only the log is left to say it.
		o.Log.Warn("an answer is not known to have arrived", "why", l.Why, "ask", l.Ref.String())
		_, _ = fmt.Fprintf(o.Err, "askbox: %s: %s · %s\n", l.Why, l.Ref.String(), l.What)
		if l.NotKnown || !m.quit.drops {
			left = append(left, l)
			unfinished = &Unfinished{NotKnown: l.NotKnown || unfinished != nil && unfinished.NotKnown}
		}
	}
	if err := o.Inbox.Leave(left); err != nil {
		o.Log.Error("the next start says nothing of that", "why", err)
	}
	m, says, remove := m.rescue()
	if o.Drafts != nil {
		// What was sent as the program closed is in no frame that was drawn.
		arrived(o.Drafts, o.Inbox.Latest(), m.sent)
		failed, unkept := o.Drafts.Flush(), o.Drafts.Unkept()
		if failed != nil {
			o.Log.Error("not every draft is kept", "error", failed)
			remove = func() {}
		}
		if len(unkept) > 0 {
			o.rescueWords(unkept)
			unfinished = cmp.Or(unfinished, &Unfinished{})
		}
	}
	if remove(); says != "" {
		o.Log.Warn("the editor was open", "then", says)
		_, _ = fmt.Fprintln(o.Err, "askbox: "+says)
	}
	if text := crash.text(); text != "" {
		o.Log.Error("the screen crashed", "crash", text)
		_, _ = fmt.Fprint(o.Err, text)
		return errors.New("askbox crashed; nothing was sent that was not confirmed on the screen")
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, input.ErrGone):
		return errors.New("the terminal is gone")
	case err != nil && !errors.Is(err, tea.ErrInterrupted):
		return errors.New(text.Sentence(err.Error()))
	case unfinished != nil:
		return unfinished
	}
	return nil
}

// rescueWords prints what was typed and could not be kept, and puts it into a file
// elsewhere, for a terminal that is gone.
func (o Options) rescueWords(unkept []drafts.Unkept) {
	snapshot := o.Inbox.Latest()
	var words strings.Builder
	for _, u := range unkept {
		_, _ = fmt.Fprintf(o.Err, "askbox: what you typed for %s could not be kept: %s\n", named(snapshot, u.Ref), text.Sentence(u.Err.Error()))
		for _, t := range u.Draft.Texts() {
			words.WriteString(t + "\n")
			for line := range strings.Lines(t) {
				_, _ = fmt.Fprintln(o.Err, "    "+safe(strings.TrimSuffix(line, "\n")))
			}
		}
	}
	f, err := os.CreateTemp("", "askbox-words-*.txt")
	if err == nil {
		_, err = f.WriteString(words.String())
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return
	}
	o.Log.Warn("what could not be kept stands elsewhere", "file", f.Name())
	_, _ = fmt.Fprintln(o.Err, "askbox: it stands in "+safe(f.Name())+" as well")
}

// named is a ref with what is asked, safe.
func named(s *inbox.Snapshot, ref client.Ref) string {
	if it := s.Find(ref); it != nil {
		return ref.String() + " · " + it.Ask.Line(60)
	}
	return ref.String()
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
