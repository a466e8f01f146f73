package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/text"
)

type rulesOptions struct {
	relay, revoke string
	json          bool
}

func (a *app) rulesCommand() *cobra.Command {
	var o rulesOptions
	command := &cobra.Command{
		Use:   "rules RELAY",
		Short: "List what was always allowed and is stored on a relay, or take one of it back",
		Long: `List the rules that "allow always" stored on a relay, a line each: the id, the
permission, the pattern, and the folder of the project that it is for. With --revoke ID
that rule is taken back: what it allowed is asked for again.

Only opencode servers store rules that can be listed: those of its second engine. What is
allowed always in the first one is gone when the server restarts.

With --json: {"version", "rules"}; askbox help json describes it.`,
		Args: oneRelay,
		RunE: a.begin(func(ctx context.Context, args []string) error {
			o.relay = args[0]
			return a.rules(ctx, o)
		}),
	}
	command.Flags().StringVar(&o.revoke, "revoke", "", "take the rule of this `id` back")
	command.Flags().BoolVar(&o.json, "json", false, "write JSON")
	return command
}

type rulesJSON struct {
	Version int        `json:"version"`
	Rules   []ruleJSON `json:"rules"`
}

type ruleJSON struct {
	ID         string `json:"id" help:"for --revoke"`
	Permission string `json:"permission"`
	Pattern    string `json:"pattern"`
	Project    string `json:"project" help:"the folder of the project that it holds in"`
}

func (a *app) rules(ctx context.Context, o rulesOptions) error {
	cfg, err := a.load()
	if err != nil {
		return err
	}
	picked, err := pick(cfg, []string{o.relay})
	if err != nil {
		return err
	}
	relay := &lazy{config: picked[0]}
	rules, err := relay.Rules(ctx)
	if err != nil {
		return &unread{o.relay, err}
	}
	if o.revoke != "" {
		rest := slices.DeleteFunc(slices.Clone(rules), func(rule client.Rule) bool { return rule.ID == o.revoke })
		if len(rest) == len(rules) {
			return &usageError{fmt.Sprintf("%s stores no rule %s; askbox relays rules %s lists them",
				o.relay, text.New(o.revoke).Quoted(60), argument(o.relay))}
		}
		if err := relay.Revoke(ctx, o.revoke); err != nil {
			return &unread{o.relay, err}
		}
		if !o.json {
			fmt.Fprintln(a.Out, "The rule is taken back.")
			return nil
		}
		rules = rest
	}
	if o.json {
		return writeJSON(a.Out, rulesToJSON(rules), true)
	}
	if len(rules) == 0 && a.OutTerminal {
		fmt.Fprintln(a.Out, "Nothing that was always allowed is stored there.")
	}
	for _, rule := range rules {
		fmt.Fprintf(a.Out, "%s\t%s\t%s\t%s\n", text.New(rule.ID), rule.Permission, rule.Pattern, rule.Project)
	}
	return nil
}

func rulesToJSON(rules []client.Rule) rulesJSON {
	out := rulesJSON{Version: jsonVersion, Rules: []ruleJSON{}}
	for _, rule := range rules {
		out.Rules = append(out.Rules, ruleJSON{rule.ID, rule.Permission.Raw(), rule.Pattern.Raw(), rule.Project.Raw()})
	}
	return out
}
