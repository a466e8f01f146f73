package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func (a *app) showCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "show RELAY/ASK",
		Short: "Show one ask in full",
		Long: `Show one ask in full, named as askbox list shows it: RELAY/ASK, or
RELAY/SESSION/ASK where two sessions of a relay use the same name for an ask. An ask
that closed in the last day is shown with how it closed, where the relay tells.

What stands right of a line │ is what the relay sent, with a mark for everything that
cannot be shown; all else is said by askbox. The line to answer it with holds the first
digits of the digest of all that is shown.`,
		Args: cobra.ExactArgs(1),
		RunE: a.begin(func(ctx context.Context, args []string) error { return a.show(ctx, args[0], asJSON) }),
	}
	command.Flags().BoolVar(&asJSON, "json", false, "write JSON, as one element of what list --json writes")
	return command
}

func (a *app) show(ctx context.Context, ref string, asJSON bool) error {
	found, err := a.find(ctx, ref)
	if err != nil {
		return err
	}
	n := namesOf(found.batch.Asks)
	if asJSON {
		return writeJSON(a.Out, toJSON(found.ask, n), true)
	}
	p := a.printer(a.clock(found.batch))
	p.ask(found.ask, n.shown(found.ask))
	return p.err
}
