package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/text"
)

// pauseCommand is the command that pauses the session of an ask, or that resumes it.
func (a *app) pauseCommand(resume bool) *cobra.Command {
	command := &cobra.Command{
		Use:   "pause RELAY/ASK",
		Short: "Pause the session of an ask, where the relay can",
		Long: `Pause the session of an ask, named as askbox list shows it, and wait for what comes of
it. A session that is paused stays in the list, as an ask of its own, until it runs again.`,
		Args:              oneAsk,
		ValidArgsFunction: a.completeAsk,
	}
	if resume {
		command.Use, command.Short = "resume RELAY/ASK", "Resume a session that is paused"
		command.Long = `Resume a session that is paused. It stands in askbox list as an ask of its own.`
	}
	command.RunE = a.begin(func(ctx context.Context, args []string) error { return a.pause(ctx, args[0], resume) })
	return command
}

func (a *app) pause(ctx context.Context, ref string, resume bool) error {
	found, err := a.find(ctx, ref)
	if err != nil {
		return err
	}
	shown := namesOf(found.batch.Asks).shown(found.ask)
	s, verb := found.ask.Session, "paused"
	can := s.CanPause
	if resume {
		verb, can = "resumed", s.CanResume
	}
	switch {
	case found.ask.Status.Closed():
		return &client.Closed{Ask: found.ask, Why: closedWords(shown, found.ask)}
	case !can:
		return &client.NotAllowed{Why: fmt.Sprintf("the session of %s cannot be %s now", shown, verb)}
	case !resume && s.PauseEffect != "":
		a.note("%s: %s", shown, s.PauseEffect)
	}
	came, err := found.relay.Pause(ctx, found.ask, resume)
	if err != nil {
		return fmt.Errorf("%s: %w", shown, err)
	}
	_, err = fmt.Fprintf(a.Out, "%s: %s\n", shown, text.Sentence(came))
	return err
}
