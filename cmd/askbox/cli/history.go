package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/inbox"
	"askbox/client/text"
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

// remember keeps an answer that the relay confirmed in the history.
func (a *app) remember(ask *client.Ask, answer client.Answer, closed *client.Ask) error {
	dir, err := stateDir()
	if err != nil {
		return err
	}
	store, err := history.Open(dir)
	if err != nil {
		return err
	}
	if store == nil {
		return errors.New("there is no history")
	}
	return store.Append(a.entry(ask, answer, closed))
}

// entry makes the history's entry of an answer: in the relay's words where it
// told how the ask closed, and otherwise in those of the answer. Its time is by
// this machine's clock, as all times in the history are.
func (a *app) entry(ask *client.Ask, answer client.Answer, closed *client.Ask) history.Entry {
	e := history.Entry{
		Ref: ask.Ref, Kind: ask.Kind, Waited: ask.Waits, What: bounded(ask.What()), Session: bounded(ask.Session.Title),
		How: client.Answered, ByMe: true, At: a.now(), Here: true,
	}
	if answer.Dismiss {
		e.How = client.Dismissed
	}
	if closed != nil && closed.Status.Closed() {
		e.How = closed.Status
	}
	if closed != nil && closed.Closing != nil {
		e.By, e.With, e.Note = bounded(closed.Closing.By.Name), closed.Closing.Answer, closed.Closing.Note
	}
	if closed != nil && !ask.SameContent(closed) {
		here, there := ask.Difference(closed)
		e.Shown, e.Told = bounded(here), bounded(there)
		e.Note = strings.TrimPrefix(e.Note+"; "+inbox.Differ, "; ")
	}
	if len(e.With) == 0 {
		e.With = ask.AnswerLines(answer)
	}
	with := make([]text.Text, len(e.With))
	for i, line := range e.With {
		with[i] = bounded(line)
	}
	e.With = with
	return e
}

// bounded cuts what the history keeps of a text, since a command can be megabytes.
func bounded(t text.Text) text.Text {
	const most = 2000 // bytes
	if len(t.Raw()) <= most {
		return t
	}
	return text.New(strings.ToValidUTF8(strings.Clone(t.Raw()[:most]), "") + "…")
}
