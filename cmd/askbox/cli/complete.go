package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/text"
)

// The completions of a shell. Each waits a second at most for the relays, and none of them
// asks for a passphrase: relays whose token could do that are left out.

// completeTime is how long a completion may take.
const completeTime = time.Second

const noFiles = cobra.ShellCompDirectiveNoFileComp

// quietRelays returns the configured relays, or nothing where there is a problem, which is
// for the command itself to tell.
func (a *app) quietRelays() []*config.Relay {
	cfg, err := config.Load(config.Path(a.config))
	if err != nil {
		return nil
	}
	return cfg.Relays
}

// completeRelay completes the name of a relay.
func (a *app) completeRelay(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if len(args) == 0 {
		for _, r := range a.quietRelays() {
			names = append(names, r.Name)
		}
	}
	return names, noFiles
}

// openNow returns what the relays list as open, as far as they answer in time.
func (a *app) openNow(ctx context.Context) []*client.Ask {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	var relays []*config.Relay
	for _, r := range a.quietRelays() {
		if !r.MayPrompt() {
			relays = append(relays, r)
		}
	}
	var open []*client.Ask
	for _, r := range ask(relays, func(r *reading) { r.batch, r.err = r.relay.Open(ctx) }, func([]*reading) {}) {
		open = append(open, passing(r.batch.Asks, client.All)...)
	}
	return open
}

// completeAsk completes the name of an open ask, with what it asks beside it.
func (a *app) completeAsk(command *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	var names []string
	for _, ask := range a.openNow(command.Context()) {
		names = append(names, ask.Ref.Full()+"\t"+kindWord(ask)+" "+gutter+asked(ask, 60))
	}
	return names, noFiles
}

// completeOf completes a flag with something of the ask that the command names.
func (a *app) completeOf(words func(ask *client.Ask) []string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(command *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, noFiles
		}
		for _, ask := range a.openNow(command.Context()) {
			if args[0] == ask.Ref.String() || args[0] == ask.Ref.Full() {
				return words(ask), noFiles
			}
		}
		return nil, noFiles
	}
}

// modesOf and choicesOf are what --mode and --choose take for an ask, with what it is beside
// it. An option is named by its number, because a label can hold anything.
func modesOf(ask *client.Ask) (modes []string) {
	if ask.Approval != nil {
		for _, m := range ask.Approval.Modes {
			modes = append(modes, text.New(m.ID).String()+"\t"+text.New(m.Title()).String())
		}
	}
	return modes
}

func choicesOf(ask *client.Ask) (choices []string) {
	for i := range ask.Questions {
		for j, o := range ask.Questions[i].Options {
			choices = append(choices, fmt.Sprintf("%d=%d", i+1, j+1)+"\t"+gutter+o.Label.Fit(60))
		}
	}
	return choices
}
