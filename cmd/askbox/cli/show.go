package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func (a *app) showCommand() *cobra.Command {
	var asJSON bool
	var limit timeLimit
	command := &cobra.Command{
		Use:   "show RELAY/ASK",
		Short: "Show one ask in full",
		Long: `Show one ask in full, named as askbox list shows it: RELAY/ASK, or
RELAY/SESSION/ASK where two sessions of a relay use the same name for an ask. An ask
that closed in the last day is shown with how it closed, where the relay tells.

What stands right of a line │ is what the relay sent, with a mark for everything that
cannot be shown; all else is said by askbox. The line to answer it with holds the first
digits of the digest of all that is shown.`,
		Args:              oneAsk,
		ValidArgsFunction: a.completeAsk,
		RunE: a.begin(func(ctx context.Context, args []string) error {
			ctx, cancel, err := limit.start(ctx)
			if err != nil {
				return err
			}
			defer cancel()
			return a.show(ctx, args[0], asJSON)
		}),
	}
	limit.add(command)
	command.Flags().BoolVar(&asJSON, "json", false, "write JSON: one of the asks of list --json")
	return command
}

type showJSON struct {
	Version int `json:"version"`
	askJSON
}

func (a *app) show(ctx context.Context, ref string, asJSON bool) error {
	found, err := a.find(ctx, ref)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(a.Out, showJSON{jsonVersion, toJSON(found.ask)}, true)
	}
	p := a.printer(a.clock(found.batch))
	p.ask(found.ask, namesOf(found.batch.Asks).shown(found.ask))
	return p.err
}
