package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
)

type answerOptions struct {
	allow, always, deny bool
	mode                string
	message             string
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
terminal.

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
		Args: answerArguments,
		RunE: func(command *cobra.Command, args []string) error {
			a.started = true
			o.hasMessage = command.Flags().Changed("message")
			return a.answer(command.Context(), args[0], o.sending, o.build)
		},
	}
	flags := command.Flags()
	flags.BoolVar(&o.allow, "allow", false, "allow what an approval asks for")
	flags.BoolVar(&o.always, "always", false, "allow it, and from now on everything that its rule names")
	flags.BoolVar(&o.deny, "deny", false, "deny it")
	flags.StringVar(&o.mode, "mode", "", "carry a plan out in this `mode`")
	flags.StringVarP(&o.message, "message", "m", "", "what to tell the agent with the decision")
	flags.StringArrayVar(&o.choose, "choose", nil, "choose an option, `[Q=]LABEL`; repeatable")
	flags.StringArrayVar(&o.text, "text", nil, "answer in your own words, `[Q=]TEXT`; repeatable")
	o.sending.add(command)
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
	return atMostOne(command, "allow", "always", "deny")
}

func (a *app) dismissCommand() *cobra.Command {
	var message string
	var how sending
	command := &cobra.Command{
		Use:   "dismiss RELAY/ASK",
		Short: "Close one ask without an answer",
		Long: `Close one ask without an answer, named as askbox list shows it. What the agent makes
of that depends on the relay, and askbox show says it; mostly it is read as a denial.`,
		Args: oneAsk,
		RunE: a.begin(func(ctx context.Context, args []string) error {
			return a.answer(ctx, args[0], how, func(*client.Ask) (client.Answer, error) {
				return client.Answer{Dismiss: true, Message: message}, nil
			})
		}),
	}
	command.Flags().StringVarP(&message, "message", "m", "", "what to tell the agent, at most 2,000 characters")
	how.add(command)
	return command
}

// answer reads an ask, makes the answer to it, checks it, looks whether the ask is
// still what was read, and sends it once.
func (a *app) answer(ctx context.Context, ref string, how sending, build func(*client.Ask) (client.Answer, error)) error {
	if err := how.check(); err != nil {
		return err
	}
	found, err := a.find(ctx, ref)
	if err != nil {
		return err
	}
	shown := namesOf(found.batch.Asks).shown(found.ask)
	if err := how.still(found.ask, shown); err != nil {
		return err
	}
	answer, err := build(found.ask)
	if err != nil {
		return err
	}
	if err := client.ValidateAt(found.ask, answer, a.clock(found.batch)); err != nil {
		return fmt.Errorf("%s: nothing was sent: %w", shown, err)
	}
	if err := a.meant(ctx, &found, shown, answer, how); err != nil {
		return err
	}
	closed, err := found.relay.Answer(ctx, found.ask, answer)
	if is[*client.Uncertain](err) {
		closed, err = a.settle(ctx, found, shown, answer, err)
	}
	if err != nil {
		return a.refused(shown, err)
	}
	return a.confirm(found, shown, answer, closed)
}

// refused adds to an error whose ask it is about. An ask that was closed by
// someone else is told with how.
func (a *app) refused(shown string, err error) error {
	var closed *client.Closed
	if errors.As(err, &closed) && closed.Ask != nil && closed.Why == "" {
		return &client.Closed{Ask: closed.Ask, Why: closedWords(shown, closed.Ask)}
	}
	return fmt.Errorf("%s: %w", shown, err)
}

func closedWords(shown string, ask *client.Ask) string {
	words := fmt.Sprintf("%s was already closed and took nothing: %s", shown, ask.Status)
	if c := ask.Closing; c != nil {
		words += closedBy(ask)
		for _, line := range c.Answer {
			words += ", " + line.Quoted(80)
		}
	}
	return words
}

// settleWaits are the pauses before each reading of an ask whose answer may have
// arrived. Long enough for a relay to come back from a restart, short enough for
// a person to wait.
var settleWaits = []time.Duration{0, time.Second, 3 * time.Second, 5 * time.Second}

// settle learns by reading the ask again whether an answer arrived whose reply
// was lost. Nothing is sent again. It goes on after ctrl+c, because the answer
// may have counted and the person has to be told.
func (a *app) settle(ctx context.Context, found target, shown string, answer client.Answer, lost error) (*client.Ask, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	open := false
	a.note("The reply was lost. Reading %s again to learn whether the answer arrived.", shown)
	for _, wait := range settleWaits {
		if a.rest(ctx, wait) != nil {
			break
		}
		now, err := found.relay.Get(ctx, found.ask)
		switch {
		case err != nil:
			continue
		case !now.Status.Closed():
			// A relay may take longer for an answer than for a look at its ask.
			open = now.Status == client.Open
			continue
		}
		switch inbox.Outcome(now, answer) {
		case inbox.Done:
			return now, nil
		case inbox.TooLate:
			return nil, &client.Closed{Ask: now}
		}
		return nil, fmt.Errorf("%w; askbox show %s tells what is known: %w", inbox.Unsettled(now, answer), argument(shown), lost)
	}
	if open {
		return nil, fmt.Errorf("%w. It was still open when it was read again; look with askbox show %s before you answer it again", lost, argument(shown))
	}
	return nil, fmt.Errorf("%w; look with askbox show %s before you answer it again", lost, argument(shown))
}

// confirm says what the relay confirmed, and keeps it in the history.
func (a *app) confirm(found target, shown string, answer client.Answer, closed *client.Ask) error {
	if err := a.remember(found.ask, answer, closed); err != nil {
		a.note("The answer was sent, but the history could not be written: %s", text.Sentence(err.Error()))
	}
	if closed != nil && !found.ask.SameContent(closed) {
		return a.differs(found.ask, closed, shown, answer)
	}
	p := a.printer(a.now())
	p.say("%s: %s, and %s confirmed it.", shown, answer.Done(), found.relay.config.Name)
	if ask := found.ask; ask.Approval != nil {
		p.quote(ask.What(), text.Exact)
	}
	if closed != nil && closed.Closing != nil {
		if note := closed.Closing.Note; note != "" && note != found.ask.Offer(answer.Action()).Effect {
			p.say("%s", note)
		}
	}
	return p.err
}

// differs says that the relay took an answer for something else than what was read.
func (a *app) differs(read, taken *client.Ask, shown string, answer client.Answer) error {
	p := a.printer(a.now())
	p.w = a.Err
	p.say("askbox: TAKE CARE: %s was %s, but %s.", shown, answer.Done(), inbox.Differ)
	here, there := read.Difference(taken)
	p.say("What was read:")
	p.quote(here, text.Exact)
	p.say("What the relay says was answered:")
	p.quote(there, text.Exact)
	return &told{errors.New(inbox.Differ)}
}
