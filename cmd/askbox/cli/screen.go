package cli

import (
	"context"
	"os"

	"askbox/client/config"
	"askbox/client/inbox"
	"askbox/tui"
)

// screenOptions are what the inbox on the terminal was asked for.
type screenOptions struct{ narrowing }

// terminal returns the files of the terminal, or says why there is none. It is
// asked before anything else, so that nothing is read from a pipe and no escape
// reaches a terminal that does not know them.
func (a *app) terminal() (in, out *os.File, err error) {
	in, inIsFile := a.In.(*os.File)
	out, outIsFile := a.Out.(*outWriter).w.(*os.File)
	kind := os.Getenv("TERM")
	switch {
	case !a.InTerminal || !inIsFile:
		return nil, nil, &usageError{"the inbox needs a terminal to read keys from; in scripts use askbox list, show and answer"}
	case !a.OutTerminal || !outIsFile:
		return nil, nil, &usageError{"the inbox needs a terminal to draw on; in scripts use askbox list, show and answer"}
	case kind == "":
		return nil, nil, &usageError{"the inbox needs to know the terminal, and TERM is not set; set it, or use askbox list, show and answer"}
	case kind == "dumb":
		return nil, nil, &usageError{"the inbox cannot draw on a terminal with TERM=dumb; use askbox list, show and answer"}
	}
	return in, out, nil
}

// screen shows the inbox of the configured relays.
func (a *app) screen(ctx context.Context, o screenOptions) error {
	in, out, err := a.terminal()
	if err != nil {
		return err
	}
	cfg, err := a.load()
	if err != nil {
		return err
	}
	relays, err := pick(cfg, o.relays)
	if err != nil {
		return err
	}
	keys, colors, err := looksOf(cfg)
	if err != nil {
		return err
	}
	sources, err := a.prepare(ctx, relays)
	if err != nil {
		return err
	}
	options := tui.Options{
		Filter: cfg.Filter, Relays: o.relays, Theme: cfg.Theme, Mouse: cfg.Mouse, Title: cfg.Title && os.Getenv("TERM") != "linux", Notify: cfg.Notify,
		Keys: keys, Colors: colors, In: in, Out: out,
	}
	if o.filter.set {
		options.Filter = o.filter.value
	}
	return a.draw(ctx, config.StateDir(), inbox.Options{Sources: sources, Poll: cfg.Poll, Undo: cfg.Undo}, options)
}

// draw shows an inbox that keeps its state in a folder.
func (a *app) draw(ctx context.Context, dir string, o inbox.Options, screen tui.Options) error {
	a.drawing.Store(true)
	defer a.drawing.Store(false)
	defer spareMemory()()
	kept := openState(dir)
	defer kept.close()
	log := kept.log
	o.History, screen.Drafts, screen.Trouble = kept.history, kept.drafts, kept.trouble
	o.Log, screen.Log = log, log
	log.Info("started", "version", build().version, "relays", len(o.Sources))
	defer letGo(o.Sources)
	screen.Inbox, screen.Lent, screen.Unlock = inbox.New(o), a.lent.Store, func() func() { return a.unlock(ctx, o.Sources) }
	err := tui.Run(ctx, screen)
	log.Info("ended", "error", err)
	return err
}
