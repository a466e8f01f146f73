package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/text"
)

type listOptions struct {
	narrowing
	timeLimit
	json, count, waits bool
	kinds              []string
	limit              int
}

func (a *app) listCommand() *cobra.Command {
	var o listOptions
	command := &cobra.Command{
		Use:   "list",
		Short: "List the open asks, a line each",
		Long: `List the open asks, a line each, in the order of the configuration and the newest
first: age, kind, whether the session waits, now where it is urgent, the name to
answer it by, the digest of its content that askbox answer --digest takes, what is asked,
and the session. In a pipe the fields are separated by tabs, the age is the time when it
opened, and the digest comes last. A terminal leaves out what would be the same for all,
and shows what is asked a line below where the names are long.

With --json: {"version", "asks", "relays"}; askbox help json describes it.

A relay that fails is named on standard error and makes the exit status 4.`,
		Args: noArguments,
		RunE: a.begin(func(ctx context.Context, _ []string) error { return a.list(ctx, o) }),
	}
	a.addNarrowing(command, &o.narrowing)
	o.timeLimit.add(command)
	command.Flags().BoolVar(&o.json, "json", false, "write JSON")
	command.Flags().BoolVar(&o.count, "count", false, "write only how many asks there are")
	command.Flags().BoolVar(&o.waits, "waits", false, "list only asks that a session waits for")
	command.Flags().StringArrayVar(&o.kinds, "kind", nil, "list only asks of this `kind`: approval, question or secret; repeatable")
	command.Flags().IntVar(&o.limit, "limit", 0, "list at most this many asks of each relay, the newest")
	_ = command.RegisterFlagCompletionFunc("kind",
		cobra.FixedCompletions([]string{"approval", "question", "secret"}, cobra.ShellCompDirectiveNoFileComp))
	return command
}

// check finds mistakes in the options.
func (o *listOptions) check() error {
	for _, kind := range o.kinds {
		if !slices.Contains([]string{"approval", "question", "secret"}, kind) {
			return &usageError{fmt.Sprintf("--kind is approval, question or secret, and not %s", text.New(kind).Quoted(40))}
		}
	}
	if o.limit < 0 {
		return &usageError{"--limit has to be more than nothing, such as 20"}
	}
	if o.count && o.json {
		return &usageError{"--count and --json cannot stand together: give one of them"}
	}
	return nil
}

// passing returns the open asks of a relay that the options let pass, newest first.
func (o *listOptions) passing(asks []*client.Ask) []*client.Ask {
	out := slices.DeleteFunc(passing(asks, o.filter.value), func(ask *client.Ask) bool {
		return o.waits && !ask.Waits || len(o.kinds) > 0 && !slices.Contains(o.kinds, ask.Kind.Name())
	})
	if o.limit > 0 && len(out) > o.limit {
		out = out[:o.limit]
	}
	return out
}

type listJSON struct {
	Version int           `json:"version"`
	Asks    []askJSON     `json:"asks"`
	Relays  []readingJSON `json:"relays" help:"every relay that was asked"`
}

// readingJSON is how the reading of one relay went.
type readingJSON struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Reachable bool   `json:"reachable"`
	Reason    string `json:"reason,omitempty" help:"a sentence: why it could not be read"`
	Partial   string `json:"partial,omitempty" help:"a sentence: why what it listed may not be whole"`
}

func (a *app) list(ctx context.Context, o listOptions) error {
	cfg, err := a.load()
	if err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	relays, err := pick(cfg, o.relays)
	if err != nil {
		return err
	}
	ctx, cancel, err := o.timeLimit.start(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	count, approvals := 0, false
	readings, failed := a.readOpen(ctx, relays, func(some []*reading) {
		if o.json {
			return
		}
		shown := a.listing(some, &o)
		count, approvals = count+len(shown.rows), approvals || shown.approvals()
		if o.count {
			return
		}
		for _, line := range shown.lines(a.OutTerminal) {
			fmt.Fprintln(a.Out, line)
		}
	})
	a.noteUnknown(readings, o.filter.value)
	switch {
	case o.json:
		if err := writeJSON(a.Out, listToJSON(readings, &o), true); err != nil {
			return err
		}
	case o.count:
		fmt.Fprintln(a.Out, count)
	case a.OutTerminal && count == 0:
		fmt.Fprintln(a.Out, nothingOpen(readings, failed, &o))
	case a.OutTerminal && approvals:
		a.printer(a.now()).say("\naskbox show NAME shows one in full. What was read is allowed with: askbox answer NAME --allow --digest DIGEST")
	}
	return failed
}

// listing is the lines of some relays. Without --filter everything is listed: the
// configuration's filter is what the inbox opens with, and there a key shows the rest.
func (a *app) listing(readings []*reading, o *listOptions) *listing {
	shown := &listing{width: a.Width}
	for _, r := range readings {
		n := namesOf(r.batch.Asks)
		for _, ask := range o.passing(r.batch.Asks) {
			name := ask.Ref.Full()
			if a.OutTerminal {
				name = n.shown(ask)
			}
			shown.add(listed{ask, name, shortDigest(ask), a.clock(r.batch)})
		}
	}
	return shown
}

// noteUnknown says which relays leave open whose a session is, so that a filter does not
// list all that may belong there.
func (a *app) noteUnknown(readings []*reading, filter client.Filter) {
	whose := map[client.Filter]string{client.Mine: "yours", client.Agents: "an agent's"}[filter]
	for _, r := range readings {
		for _, ask := range passing(r.batch.Asks, client.All) {
			if why := filter.Unclaimed(ask); why != "" {
				a.note("%s: some asks may be %s and are not listed, because %s", r.config.Name, whose, why)
				break
			}
		}
	}
}

// nothingOpen says to a person why nothing is listed; a script sees no line.
func nothingOpen(readings []*reading, failed error, o *listOptions) string {
	for _, r := range readings {
		if r.err == nil && r.batch.Partial != "" {
			return "Nothing open could be read, but the list of " + r.config.Name + " may not be whole."
		}
	}
	says := "Nothing is open"
	if o.filter.value != client.All {
		says += " under " + o.filter.value.String()
	}
	if o.waits || len(o.kinds) > 0 {
		says = "Nothing like that is open"
	}
	if failed != nil {
		says += " on the relays that answered"
	}
	return says + "."
}

func listToJSON(readings []*reading, o *listOptions) listJSON {
	out := listJSON{Version: jsonVersion, Asks: []askJSON{}}
	for _, r := range readings {
		out.Relays = append(out.Relays, readingToJSON(r))
		for _, ask := range o.passing(r.batch.Asks) {
			out.Asks = append(out.Asks, toJSON(ask))
		}
	}
	return out
}

func readingToJSON(r *reading) readingJSON {
	out := readingJSON{Name: r.config.Name, Type: r.config.Type, Reachable: r.err == nil, Partial: r.batch.Partial}
	if r.err != nil {
		out.Reason = r.err.Error()
	}
	return out
}

// passing returns the open asks that pass the filter, newest first; those whose age is
// not known come last, and equal ones in a stable order.
func passing(asks []*client.Ask, filter client.Filter) []*client.Ask {
	var out []*client.Ask
	for _, ask := range asks {
		if filter.Passes(ask) && !ask.Status.Closed() {
			out = append(out, ask)
		}
	}
	slices.SortStableFunc(out, func(x, y *client.Ask) int {
		if c := y.Opened.Compare(x.Opened); c != 0 {
			return c
		}
		return cmp.Or(strings.Compare(x.Ref.Session, y.Ref.Session), strings.Compare(x.ID, y.ID))
	})
	return out
}

// clock returns the time by the relay's clock, or by this machine's where the
// relay does not tell.
func (a *app) clock(batch client.Batch) time.Time {
	if batch.Now.IsZero() {
		return a.now()
	}
	return batch.Now
}
