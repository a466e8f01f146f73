package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/text"
)

func (a *app) relaysCommand() *cobra.Command {
	var o relaysOptions
	command := &cobra.Command{
		Use:   "relays",
		Short: "Say of each relay whether it is reachable, whose token it is, and what that may do",
		Long: `Ask each relay what it is: whether it is reachable and how fast, its kind and
version, whose token it is and what that may do, where the relay tells.

With --json: {"version", "relays"}; askbox help json describes it.

The exit status is 4 where a relay is not reachable, 5 where it refuses the token.`,
		Args: noArguments,
		RunE: a.begin(func(ctx context.Context, _ []string) error { return a.relays(ctx, o) }),
	}
	o.relayNames.add(a, command, "ask only this relay")
	o.timeLimit.add(command)
	command.Flags().BoolVar(&o.json, "json", false, "write JSON")
	command.AddCommand(a.relaysAddCommand(), a.relaysRemoveCommand(), a.relaysTestCommand(), a.rulesCommand())
	return command
}

type relaysOptions struct {
	relayNames
	timeLimit
	json bool
}

type relaysJSON struct {
	Version int         `json:"version"`
	Relays  []relayJSON `json:"relays"`
}

type relayJSON struct {
	Name         string `json:"name"`
	Type         string `json:"type" help:"opencomputer, oar, werft, opencode"`
	URL          string `json:"url"`
	Reachable    bool   `json:"reachable"`
	Reason       string `json:"reason,omitempty" help:"a sentence: why it is not"`
	Milliseconds int64  `json:"milliseconds" help:"until it answered"`
	Kind         string `json:"kind,omitempty" help:"what the server calls itself"`
	Version      string `json:"version,omitempty" help:"of the server"`
	Who          string `json:"who,omitempty" help:"whose token it is, by name"`
	WhoID        string `json:"whoId,omitempty"`
	Me           string `json:"me,omitempty" help:"who you are, as the configuration says"`
	Auth         string `json:"auth,omitempty" help:"a sentence: how it signs in"`
	TokenFrom    string `json:"tokenFrom" help:"a sentence: where the token comes from"`
	ClockOff     int64  `json:"clockOff" help:"seconds that its clock is ahead of this machine's; less than nothing where it is behind"`
	May          string `json:"may,omitempty" help:"a sentence: what the token may do"`
	Insecure     bool   `json:"insecure" help:"plain http is allowed beyond this machine"`
}

func (a *app) relays(ctx context.Context, o relaysOptions) error {
	cfg, err := a.load()
	if err != nil {
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
	var failed []error
	readings := ask(relays, func(r *reading) { r.about, r.err = r.relay.About(ctx) }, func(some []*reading) {
		for _, r := range some {
			if r.err != nil {
				failed = append(failed, &told{&unread{r.config.Name, r.err}})
			}
			if !o.json {
				fmt.Fprint(a.Out, relayLines(r, relayToJSON(r)))
			}
		}
	})
	if o.json {
		out := relaysJSON{Version: jsonVersion}
		for _, r := range readings {
			out.Relays = append(out.Relays, relayToJSON(r))
		}
		if err := writeJSON(a.Out, out, true); err != nil {
			return err
		}
	}
	return worst(failed)
}

func relayToJSON(r *reading) relayJSON {
	out := relayJSON{
		Name: r.config.Name, Type: r.config.Type, URL: r.config.URL.String(), Reachable: r.err == nil,
		Milliseconds: r.took.Milliseconds(), Kind: r.about.Kind, Version: r.about.Version.Raw(), Who: r.about.Who.Raw(),
		WhoID: r.about.WhoID, Me: r.config.Me,
		Auth: r.about.Auth, TokenFrom: r.config.TokenFrom(), May: strings.Join(r.about.May, "; "), Insecure: r.config.Insecure,
	}
	if r.err != nil {
		out.Reason = r.err.Error()
	}
	if clockIsOff(r.about.Skew) {
		out.ClockOff = int64(r.about.Skew / time.Second)
	}
	return out
}

// clockIsOff reports whether clocks differ by more than a slow reply explains.
func clockIsOff(skew time.Duration) bool { return skew.Abs() > time.Minute }

// skewed says by how much a relay's clock is off and what that changes; empty where it is not.
func skewed(skew time.Duration) string {
	if !clockIsOff(skew) {
		return ""
	}
	way := "ahead of"
	if skew < 0 {
		way = "behind"
	}
	return client.Remaining(skew.Abs().Round(time.Minute)) + " " + way + " this machine's: ages and ends of its asks go by the relay's clock; set the clock that is wrong"
}

// untold stands for what a relay does not say about itself.
const untold = "the relay does not tell"

// inQuotes returns what a relay says of itself in quotes, or nothing.
func inQuotes(t text.Text, width int) string {
	if t.Empty() {
		return ""
	}
	return t.Quoted(width)
}

// relayLines says of one relay what is known of it, a line each.
func relayLines(r *reading, out relayJSON) string {
	var b strings.Builder
	state := "reachable in " + r.took.Round(time.Millisecond).String()
	if r.err != nil {
		what, why := client.Trouble(r.err)
		state = strings.TrimSuffix(what+" · "+why, " · ")
	}
	fmt.Fprintf(&b, "%s · %s\n", out.Name, state)
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %s  %s\n", text.Pad(label, 11), value)
		}
	}
	kind := out.Type
	if out.Kind != "" && out.Kind != out.Type {
		kind += ", " + out.Kind
	}
	line("kind", strings.TrimSpace(kind+" "+inQuotes(r.about.Version, 40)))
	line("address", text.New(out.URL).String())
	if r.config.Insecure {
		line("connection", "not protected on the way (insecure = true)")
	}
	line("token from", strings.TrimPrefix(out.TokenFrom, "token from "))
	line("signs in by", out.Auth)
	who, may := inQuotes(r.about.Who, 60), r.about.May
	if r.err == nil {
		// What is not known is said, so that it does not look like nothing.
		who = cmp.Or(who, untold)
		if len(may) == 0 {
			may = []string{untold}
		}
	}
	line("clock", skewed(r.about.Skew))
	line("whose token", who)
	if me := r.config.Me; me != "" && me != r.about.WhoID {
		line("you are", text.New(me).Quoted(60)+", as the configuration says")
	}
	for i, may := range may {
		label := ""
		if i == 0 {
			label = "it may"
		}
		line(label, may)
	}
	return b.String()
}
