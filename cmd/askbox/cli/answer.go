package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"askbox/client"
)

type answerOptions struct {
	allow, always, deny bool
	mode                string
	message             message
	in                  func() (string, error) // reads what is -; nil once it was read
	told                string                 // the message as it was read
	hasMessage          bool
	choose, text        []string
	sending
}

func (a *app) answerCommand() *cobra.Command {
	var o answerOptions
	command := &cobra.Command{
		Use:   "answer RELAY/ASK",
		Short: "Answer one ask",
		Long: `Answer one ask, named as askbox list shows it. The ask is read anew, the answer is
checked against it and sent once. Nothing is read from standard input, unless it is a
terminal, or a message or text is -.

An approval takes one of --allow, --always and --deny, with --message where the relay
takes one. --mode allows a plan and says how it is carried out. A question takes --choose
and --text, once for each of its questions: the part before the first = names the question
by its number, its name or its heading, and may be left out where there is only one.
--choose takes a label exactly as it is written, or the number of the option. Where a text
itself begins like 1=..., write 1=1=...

What allows something wants --digest with what askbox show or list gave for the ask that
was read, 8 digits of it or more. The ask is read once more right before the answer goes,
and where its content is another one nothing is sent and the exit status is 1. Without
--digest, a terminal shows the ask in full and asks for a word to be typed; anywhere else
the exit status is 2. All other answers take --digest as well and do not need it.

What the inbox asks about twice wants --confirm: a mode in which nothing is asked any
more, an excerpt of what would be done, a choice that does more than its label says.`,
		Example: `  askbox answer work/ak_0123456789ab --allow --digest 1a2b3c4d5e6f
  askbox answer work/ak_0123456789ab --deny --message "use the staging database"
  askbox answer work/ak_0123456789ac --choose Postgres
  askbox answer work/ak_0123456789ad --choose 1=Postgres --text "2=only on weekdays"`,
		Args:              answerArguments,
		ValidArgsFunction: a.completeAsk,
		RunE: func(command *cobra.Command, args []string) error {
			a.started = true
			var err error
			if o.told, o.hasMessage, err = o.message.read(a, command); err != nil {
				return err
			}
			if o.message.words != "-" {
				o.in = func() (string, error) {
					return unless(command.Context(), func() (string, error) { return typedWords(a.In) })
				}
			}
			return a.answer(command.Context(), args[0], o.sending, o.build)
		},
	}
	flags := command.Flags()
	flags.BoolVar(&o.allow, "allow", false, "allow what an approval asks for")
	flags.BoolVar(&o.always, "always", false, "allow it, and from now on everything that its rule names")
	flags.BoolVar(&o.deny, "deny", false, "deny it")
	flags.StringVar(&o.mode, "mode", "", "carry a plan out in this `mode`")
	o.message.add(command, "what to tell the agent with the decision")
	flags.StringArrayVar(&o.choose, "choose", nil, "choose an option, `[Q=]LABEL`; repeatable")
	flags.StringArrayVar(&o.text, "text", nil, "answer in your own words, `[Q=]TEXT`; repeatable; - reads it from the standard input")
	o.sending.add(command)
	_ = command.RegisterFlagCompletionFunc("mode", a.completeOf(modesOf))
	_ = command.RegisterFlagCompletionFunc("choose", a.completeOf(choicesOf))
	return command
}

// answerArguments checks that an answer is given and that it does not contradict itself.
func answerArguments(command *cobra.Command, args []string) error {
	if err := oneAsk(command, args); err != nil {
		return err
	}
	given := false
	for _, decision := range []string{"allow", "always", "deny"} {
		given = given || command.Flags().Changed(decision)
		for _, other := range []string{"choose", "text"} {
			if err := atMostOne(command, decision, other); err != nil {
				return err
			}
		}
	}
	for _, name := range []string{"mode", "choose", "text"} {
		given = given || command.Flags().Changed(name)
	}
	if !given {
		return fmt.Errorf("the answer is missing: --allow, --always, --deny or --mode for an approval, --choose or --text for a question")
	}
	if err := oneMessage(command); err != nil {
		return err
	}
	return atMostOne(command, "allow", "always", "deny")
}

func (a *app) dismissCommand() *cobra.Command {
	var why message
	var how sending
	command := &cobra.Command{
		Use:   "dismiss RELAY/ASK",
		Short: "Close one ask without an answer",
		Long: `Close one ask without an answer, named as askbox list shows it. What the agent makes
of that depends on the relay, and askbox show says it; mostly it is read as a denial.`,
		ValidArgsFunction: a.completeAsk,
		Args: func(command *cobra.Command, args []string) error {
			if err := oneMessage(command); err != nil {
				return err
			}
			return oneAsk(command, args)
		},
		RunE: func(command *cobra.Command, args []string) error {
			a.started = true
			words, _, err := why.read(a, command)
			if err != nil {
				return err
			}
			return a.answer(command.Context(), args[0], how, func(*client.Ask) (client.Answer, error) {
				return client.Answer{Dismiss: true, Message: words}, nil
			})
		},
	}
	why.add(command, "what to tell the agent, at most 2,000 characters")
	how.add(command)
	return command
}

// answer answers an ask and says what came of it, in JSON if that is wanted.
func (a *app) answer(ctx context.Context, ref string, how sending, build func(*client.Ask) (client.Answer, error)) error {
	if !how.json {
		_, err := a.answerTo(ctx, ref, how, build)
		return err
	}
	out := a.Out
	a.Out = &outWriter{w: a.Err} // what is said to people
	ask, err := a.answerTo(ctx, ref, how, build)
	if failed := writeJSON(out, outcomeToJSON(ask, err), true); failed != nil {
		return errors.Join(failed, err)
	}
	return err
}

// answerTo reads an ask, makes the answer to it, checks it, has the inbox send it to what
// was read, and tells what came of it. It returns the ask as it was known last, nil where
// it was not found.
func (a *app) answerTo(ctx context.Context, ref string, how sending, build func(*client.Ask) (client.Answer, error)) (*client.Ask, error) {
	if err := how.check(); err != nil {
		return nil, err
	}
	found, err := a.find(ctx, ref)
	if err != nil {
		return found.ask, err
	}
	shown := namesOf(found.batch.Asks).shown(found.ask)
	if err := how.still(found.ask, shown); err != nil {
		return found.ask, err
	}
	answer, err := build(found.ask)
	if err != nil {
		return found.ask, err
	}
	if err := client.ValidateAt(found.ask, answer, a.clock(found.batch)); err != nil {
		return found.ask, fmt.Errorf("%s: nothing was sent: %w", shown, err)
	}
	if err := a.meant(ctx, &found, shown, answer, how); err != nil {
		return found.ask, err
	}
	it, err := a.send(ctx, found, answer, how)
	if err != nil {
		return found.ask, err
	}
	return it.Ask, a.came(found, shown, it)
}

// outcomeJSON is what came of an answer or a dismissal.
type outcomeJSON struct {
	Version int      `json:"version"`
	Outcome string   `json:"outcome" help:"done, failed, wrong, closed, unreachable, not_allowed, not_known: the exit statuses 0 to 6"`
	Reason  string   `json:"reason,omitempty" help:"a sentence: why it is not done"`
	Said    string   `json:"said,omitempty" help:"what the relay says to that"`
	Ask     *askJSON `json:"ask,omitempty" help:"as it was known last"`
}

func outcomeToJSON(ask *client.Ask, err error) outcomeJSON {
	out := outcomeJSON{Version: jsonVersion, Outcome: outcomes[statusOf(err)]}
	if err != nil {
		words, said := client.Apart(err)
		out.Reason, out.Said = strings.TrimSpace(words), said.Raw()
	}
	if ask != nil {
		known := toJSON(ask)
		out.Ask = &known
	}
	return out
}
