package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/text"
	"askbox/tui/keymap"
	"askbox/tui/theme"
)

// narrowing is what --filter and --relay ask for.
type narrowing struct {
	filter filterFlag
	relayNames
}

// relayNames is what --relay asks for; empty means every relay.
type relayNames struct{ relays []string }

func (n *relayNames) add(a *app, command *cobra.Command, use string) {
	command.Flags().StringArrayVar(&n.relays, "relay", nil, use+", by its `name`; repeatable")
	_ = command.RegisterFlagCompletionFunc("relay", func(command *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return a.completeRelay(command, nil, word)
	})
}

// timeLimit is what --timeout asks for: the most time that a reading takes, 0 for as long as
// the relays' own deadlines.
type timeLimit struct{ timeout time.Duration }

func (l *timeLimit) add(command *cobra.Command) {
	command.Flags().DurationVar(&l.timeout, "timeout", 0, "give a relay that does not answer up after this `time`, such as 3s")
}

// start returns a context that ends with the time.
func (l *timeLimit) start(ctx context.Context) (context.Context, context.CancelFunc, error) {
	switch {
	case l.timeout < 0:
		return nil, nil, &usageError{"--timeout has to be longer than nothing, such as 3s"}
	case l.timeout == 0:
		ctx, cancel := context.WithCancel(ctx)
		return ctx, cancel, nil
	}
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	return ctx, cancel, nil
}

// filterFlag is the value of --filter. Set tells whether it was given.
type filterFlag struct {
	value client.Filter
	set   bool
}

// String returns the word that the flag takes, or nothing where it was not given.
func (f *filterFlag) String() string {
	if !f.set {
		return ""
	}
	return strings.ToLower(f.value.String())
}

// Set takes all, mine or agents.
func (f *filterFlag) Set(word string) error {
	for _, filter := range []client.Filter{client.All, client.Mine, client.Agents} {
		if strings.EqualFold(word, filter.String()) {
			f.value, f.set = filter, true
			return nil
		}
	}
	return errors.New("it has to be all, mine or agents")
}

// Type returns what the help calls the value.
func (f *filterFlag) Type() string { return "all|mine|agents" }

func (a *app) addNarrowing(command *cobra.Command, n *narrowing) {
	command.Flags().Var(&n.filter, "filter", "show all, only mine, or only those of agents")
	n.relayNames.add(a, command, "show only this relay")
	_ = command.RegisterFlagCompletionFunc("filter",
		cobra.FixedCompletions([]string{"all", "mine", "agents"}, cobra.ShellCompDirectiveNoFileComp))
}

// load reads the configuration. A configuration without relays is as good as
// none: there is nobody to ask.
func (a *app) load() (*config.Config, error) {
	path := config.Path(a.config)
	cfg, err := config.Load(path)
	if is[*config.Missing](err) {
		return nil, &usageError{fmt.Sprintf(`%s.
Make one with "askbox init", which asks for your relays, or with "askbox relays add".
"askbox demo" needs none: it shows the inbox on relays of its own.`, err)}
	}
	if err == nil {
		_, _, err = looksOf(cfg)
	}
	if err != nil {
		return nil, err
	}
	for _, note := range cfg.Notes {
		a.note("%s", note)
	}
	if len(cfg.Relays) == 0 {
		return nil, &usageError{fmt.Sprintf(`the configuration at %s names no relay yet.
Add one with "askbox init" or "askbox relays add", or below a line that says [[relay]].
"askbox demo" needs none: it shows the inbox on relays of its own.`, text.New(path))}
	}
	state := config.StateDir()
	for _, relay := range cfg.Relays {
		relay.State = state
	}
	return cfg, nil
}

// looksOf returns the keys and the colours that the configuration sets, and the usual ones
// otherwise.
func looksOf(cfg *config.Config) (*keymap.Map, theme.Inks, error) {
	var keys []keymap.Setting
	for _, k := range cfg.Keys {
		keys = append(keys, keymap.Setting{Action: k.Action, Keys: k.Keys})
	}
	var colors []theme.Setting
	for _, c := range cfg.Colors {
		colors = append(colors, theme.Setting{Role: c.Action, Value: strings.Join(c.Keys, " ")})
	}
	bindings, wrongKeys := keymap.With(keys)
	inks, wrongColors := theme.Custom(colors)
	var problems []config.Problem
	for _, f := range wrongKeys {
		problems = append(problems, cfg.Wrong("keys", f.Action, f.Text))
	}
	for _, f := range wrongColors {
		problems = append(problems, cfg.Wrong("colors", f.Role, f.Text))
	}
	if len(problems) > 0 {
		return nil, nil, &config.Error{Problems: problems}
	}
	return bindings, inks, nil
}

// pick returns the configured relays with the names, or all of them without names.
func pick(cfg *config.Config, names []string) ([]*config.Relay, error) {
	for _, name := range names {
		if !slices.ContainsFunc(cfg.Relays, func(r *config.Relay) bool { return r.Name == name }) {
			return nil, unknownRelay(cfg, name)
		}
	}
	var picked []*config.Relay
	for _, relay := range cfg.Relays {
		if len(names) == 0 || slices.Contains(names, relay.Name) {
			picked = append(picked, relay)
		}
	}
	return picked, nil
}

func unknownRelay(cfg *config.Config, name string) error {
	var known []string
	for _, relay := range cfg.Relays {
		known = append(known, relay.Name)
	}
	return &usageError{fmt.Sprintf("there is no relay %q in the configuration; there are: %s",
		text.New(name).String(), strings.Join(known, ", "))}
}

// reading is what one relay told.
type reading struct {
	config *config.Relay
	relay  *lazy
	batch  client.Batch
	about  client.About
	err    error
	took   time.Duration
}

// together is how long readings are waited for before those that came are handed on.
const together = time.Second

// ask asks the relays at the same time, each in its own way, and returns what they told in
// the order of the configuration. Meanwhile it hands the readings on: those that came within
// a moment together and in that order, a later one when it comes, so that a relay that hangs
// keeps nothing of the others away.
func ask(relays []*config.Relay, how func(r *reading), on func(readings []*reading)) []*reading {
	readings := make([]*reading, len(relays))
	came := make(chan *reading, len(relays))
	for i, relay := range relays {
		r := &reading{config: relay, relay: once(relay)}
		readings[i] = r
		go func() {
			began := time.Now()
			how(r)
			r.took = time.Since(began)
			came <- r
		}()
	}
	moment := time.NewTimer(together)
	defer moment.Stop()
	first, left := map[*reading]bool{}, len(relays)
	for waits := true; waits && left > 0; {
		select {
		case r := <-came:
			first[r] = true
			left--
		case <-moment.C:
			waits = false
		}
	}
	on(slices.DeleteFunc(slices.Clone(readings), func(r *reading) bool { return !first[r] }))
	for ; left > 0; left-- {
		on([]*reading{<-came})
	}
	return readings
}

// readOpen asks the relays for their open asks, hands the readings on as [ask] does, and
// writes what went wrong to standard error. The error is the one that decides the exit status.
func (a *app) readOpen(ctx context.Context, relays []*config.Relay, on func(readings []*reading)) ([]*reading, error) {
	var failed []error
	readings := ask(relays, func(r *reading) { r.batch, r.err = r.relay.Open(ctx) }, func(some []*reading) {
		on(some)
		for _, r := range some {
			if r.err != nil {
				problem := &unread{r.config.Name, r.err}
				a.complain(problem)
				failed = append(failed, &told{problem})
			}
			if r.err == nil && r.batch.Partial != "" {
				a.note("%s: the list may not be whole: %s", r.config.Name, r.batch.Partial)
			}
		}
	})
	return readings, worst(failed)
}

// stateDir returns the folder for history, drafts and the log, and makes it.
func stateDir() (string, error) {
	dir := config.StateDir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the folder for askbox's state cannot be made: %w", err)
	}
	return dir, nil
}
