// Package cli holds askbox's commands. Each one parses its flags into plain
// options and then runs with them; what went wrong becomes an exit status in
// one place ([Main]).
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/text"
	"askbox/tui"
	// Comes before every import that would ask the terminal for its colours.
	_ "askbox/tui/quiet"
)

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// InTerminal and OutTerminal say what In and Out are.
	InTerminal, OutTerminal bool
	// Width is the cells of a line of Out where it is a terminal.
	Width int
}

// System returns the streams of this process.
func System() Streams {
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTerminal:  term.IsTerminal(os.Stdin.Fd()),
		OutTerminal: term.IsTerminal(os.Stdout.Fd()),
		Width:       80,
	}
	if width, _, err := term.GetSize(os.Stdout.Fd()); s.OutTerminal && err == nil && width > 0 {
		s.Width = width
	}
	return s
}

// Main runs the command that the arguments name, without the program's own name
// in front, and returns the exit status: 0 done, 1 failed, 2 used wrongly (also a
// configuration or token that cannot be used), 3 the ask is closed, 4 a relay was
// not reachable, 5 not allowed, 6 not known whether an answer arrived, 128 and its
// number where a signal ended the inbox.
func Main(args []string, s Streams) int { return newApp(s).run(args) }

// app is one run of the program.
type app struct {
	Streams
	config string // the value of --config
	now    func() time.Time
	// patience is that for an answer; tests have less.
	patience time.Duration
	// started says that the arguments were fine and the command began.
	started bool
	// drawing says that the screen has the terminal, lent that it gave it to another
	// program for a while.
	drawing, lent atomic.Bool
}

func newApp(s Streams) *app {
	s.Out = &outWriter{w: s.Out}
	return &app{Streams: s, now: time.Now, patience: patience}
}

func (a *app) run(args []string) int {
	ctx, stop := a.signals()
	defer stop()
	out := a.Out.(*outWriter)
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	command, err := root.ExecuteContextC(ctx)
	if out.err != nil {
		// What was not written is missing, whatever else went wrong.
		a.started, err = true, fmt.Errorf("the output could not be written: %w", out.err)
	}
	if err == nil {
		return statusDone
	}
	a.complain(err)
	if !a.started {
		fmt.Fprintf(a.Err, "See %s --help.\n", command.CommandPath())
		return statusUsage
	}
	return statusOf(err)
}

// signalled means that a signal ended a command.
type signalled struct{ signal os.Signal }

func (e *signalled) Error() string { return "ended by a signal: " + e.signal.String() }

// signals returns a context that ends with a signal, as its cause. A second signal ends
// a command at once, so that nothing can make it unstoppable. The screen gives the
// terminal back first, however many come: a terminal that closes sends several. Those
// that keys send belong to the program that has the terminal.
func (a *app) signals() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	came := make(chan os.Signal, 8)
	signal.Notify(came, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		for s := range came {
			if a.lent.Load() && (s == os.Interrupt || s == syscall.SIGQUIT) {
				continue
			}
			if cancel(&signalled{s}); !a.drawing.Load() {
				signal.Stop(came)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(came)
		close(came)
		cancel(nil)
	}
}

// outWriter keeps the first error of writing, so that no command has to look for it.
type outWriter struct {
	w   io.Writer
	err error
}

func (o *outWriter) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// complain writes an error to standard error, each of its lines safe to print.
func (a *app) complain(err error) {
	if is[*told](err) || is[*signalled](err) || is[*tui.Unfinished](err) {
		return
	}
	words, said := client.Apart(err)
	for i, line := range strings.Split(strings.TrimSpace(words), "\n") {
		if line = text.Sentence(line); i == 0 {
			line = "askbox: " + line
		}
		fmt.Fprintln(a.Err, line)
	}
	if !said.Empty() {
		p := a.printer(a.now())
		p.w = a.Err
		p.say("The relay says:")
		p.rows(said, text.Words)
	}
}

// note writes one line about something that is not an error to standard error.
func (a *app) note(format string, args ...any) {
	fmt.Fprintln(a.Err, fmt.Sprintf(format, args...))
}

func (a *app) root() *cobra.Command {
	var o screenOptions
	root := &cobra.Command{
		Use:   "askbox",
		Short: "A terminal inbox for what AI agents ask of you",
		Long: `askbox shows what AI agents ask of you, on every relay that you configured,
and sends your answers. Without a command it opens the inbox.

` + topicLines(),
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: a.begin(func(ctx context.Context, _ []string) error {
			return a.screen(ctx, o)
		}),
	}
	root.PersistentFlags().StringVar(&a.config, "config", "", "read this `file` instead of the usual configuration")
	a.addNarrowing(root, &o.narrowing)
	root.AddCommand(a.demoCommand(), a.listCommand(), a.showCommand(), a.answerCommand(),
		a.dismissCommand(), a.pauseCommand(false), a.pauseCommand(true), a.historyCommand(), a.watchCommand(),
		a.relaysCommand(), a.loginCommand(), a.initCommand(),
		a.configCommand(), a.versionCommand(), a.manCommand())
	root.SetHelpCommand(a.helpCommand())
	root.Version = build().version
	root.SetVersionTemplate(versionLine())
	return root
}

// begin makes cobra's function of one that takes a context and the arguments.
// From here on an error is not a mistake in the arguments any more.
func (a *app) begin(run func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		a.started = true
		return run(command.Context(), args)
	}
}
