package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"askbox/client/history"
)

func (a *app) historyCommand() *cobra.Command {
	var since time.Duration
	var asJSON bool
	command := &cobra.Command{
		Use:   "history",
		Short: "List what was answered on this machine",
		Long: `List what was answered on this machine, newest first: when, which ask, how it ended,
with what, and what was asked. It asks no relay. In a pipe the fields are separated by tabs.

With --json: a list of {"ref", "relay", "session", "id", "sessionTitle", "kind", "waited",
"what", "how", "by", "byMe", "at", "with", "note", "here", "shown", "told"}. The last two are
there where the relay says that something else was answered than what was shown.`,
		Args: noArguments,
		RunE: a.begin(func(context.Context, []string) error {
			if since <= 0 {
				return &usageError{"--since has to be longer than nothing, such as 24h"}
			}
			return a.history(since, asJSON)
		}),
	}
	command.Flags().DurationVar(&since, "since", 24*time.Hour, "how far back, a `duration` such as 24h")
	command.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return command
}

type entryJSON struct {
	Ref          string     `json:"ref"`
	Relay        string     `json:"relay"`
	Session      string     `json:"session"`
	ID           string     `json:"id"`
	SessionTitle string     `json:"sessionTitle"`
	Kind         string     `json:"kind"`
	Waited       bool       `json:"waited"`
	What         string     `json:"what"`
	How          string     `json:"how"`
	By           string     `json:"by,omitempty"`
	ByMe         bool       `json:"byMe"`
	At           *time.Time `json:"at,omitempty"`
	With         []string   `json:"with,omitempty"`
	Note         string     `json:"note,omitempty"`
	Shown        string     `json:"shown,omitempty"`
	Told         string     `json:"told,omitempty"`
	Here         bool       `json:"here"`
}

func (a *app) history(since time.Duration, asJSON bool) error {
	dir, err := stateDir()
	if err != nil {
		return err
	}
	store, err := history.Open(dir)
	if err != nil {
		return err
	}
	entries, err := store.Since(a.now().Add(-since))
	if err != nil {
		return err
	}
	if asJSON {
		out := make([]entryJSON, len(entries))
		for i, e := range entries {
			out[i] = entryJSON{
				Ref: e.Ref.Relay + "/" + e.Ref.ID, Relay: e.Ref.Relay, Session: e.Ref.Session, ID: e.Ref.ID,
				SessionTitle: e.Session.Raw(), Kind: e.Kind.Name(), Waited: e.Waited, What: e.What.Raw(),
				How: e.How.String(), By: e.By.Raw(), ByMe: e.ByMe, At: known(e.At), With: raws(e.With), Note: e.Note,
				Shown: e.Shown.Raw(), Told: e.Told.Raw(), Here: e.Here,
			}
		}
		return writeJSON(a.Out, out, true)
	}
	for _, e := range entries {
		fmt.Fprintln(a.Out, a.entryLine(e))
		if a.OutTerminal && !e.Told.Empty() {
			fmt.Fprintln(a.Out, a.toldLine(e))
		}
	}
	if len(entries) == 0 && a.OutTerminal {
		fmt.Fprintln(a.Out, "Nothing was answered on this machine in that time. The inbox (h) shows what the relays know.")
	}
	return nil
}
