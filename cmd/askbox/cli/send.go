package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/text"
)

// leastDigits and shortDigits are how many digits of a digest name what was read,
// and how many are shown.
const (
	leastDigits = 8
	shortDigits = 12
)

func shortDigest(ask *client.Ask) string { return ask.Digest()[:shortDigits] }

// sending is what an answer is sent under.
type sending struct {
	digest  string // the beginning of the digest of what was read
	confirm bool   // what is asked about twice is meant
	json    bool
}

func (s *sending) add(command *cobra.Command) {
	command.Flags().StringVar(&s.digest, "digest", "", "the first digits of the `digest` of what was read; nothing is sent to anything else")
	command.Flags().BoolVar(&s.confirm, "confirm", false, "send also what the inbox asks about twice")
	command.Flags().BoolVar(&s.json, "json", false, "write what came of it as JSON")
}

// check refuses what cannot be the beginning of a digest, and makes it one.
func (s *sending) check() error {
	if s.digest == "" {
		return nil
	}
	s.digest = strings.ToLower(s.digest)
	switch {
	case strings.Trim(s.digest, "0123456789abcdef") != "":
		return &usageError{fmt.Sprintf("--digest %s is no digest; write %d or more of the digits 0 to 9 and a to f that askbox show gives", quoted(s.digest), leastDigits)}
	case len(s.digest) < leastDigits:
		return &usageError{fmt.Sprintf("--digest %s is too short to tell what was read; write at least %d of its digits", quoted(s.digest), leastDigits)}
	}
	return nil
}

// still reports as an error where an ask is over, or is not what was read.
func (s *sending) still(ask *client.Ask, shown string) error {
	switch {
	case ask.Status.Closed():
		return &client.Closed{Ask: ask, Why: closedWords(shown, ask)}
	case !strings.HasPrefix(ask.Digest(), s.digest):
		return notRead(shown)
	}
	return nil
}

func notRead(shown string) error {
	return fmt.Errorf("%s is not what was read, so nothing was sent. Look at it again:\n  askbox show %s", shown, argument(shown))
}

// argument returns the name of an ask as a shell takes it.
func argument(shown string) string { return text.Quote(text.New(shown)).Raw() }

// meant sees to it that an answer is meant: what allows something is sent to what was
// read alone, by the digest or by the person in front.
func (a *app) meant(ctx context.Context, found *target, shown string, answer client.Answer, how sending) error {
	if words := found.ask.Confirm(answer); words != "" && !how.confirm {
		return &usageError{fmt.Sprintf("%s: nothing was sent, because this is asked about twice: %s\nAdd --confirm if it is meant.", shown, words)}
	}
	p := a.printer(a.clock(found.batch))
	if answer.Approves() {
		if why := found.ask.TooLarge(a.Width); why != "" {
			return &client.InvalidAnswer{Reason: shown + " was not allowed. " + why}
		}
		if how.digest == "" {
			if err := a.askFirst(ctx, p, found, shown, answer); err != nil {
				return err
			}
		}
	}
	p.announce(found.ask, answer)
	return p.err
}

// askFirst shows an ask to a person, in full, and asks for the word that allows it.
// It returns an error where there is nobody, or where they leave it.
func (a *app) askFirst(ctx context.Context, p *printer, found *target, shown string, answer client.Answer) error {
	in, ok := a.person()
	if !ok {
		return &usageError{fmt.Sprintf(`nothing was sent: what allows something says what was read. Read it, then name its digest:
  askbox show %s
  askbox answer %s %s --digest DIGEST`, argument(shown), argument(shown), flagsOf(answer))}
	}
	p.ask(found.ask, shown)
	p.say("\nThis is sent: %s", sends(answer))
	if answer.Message != "" {
		p.quote(text.New(answer.Message), text.Words)
	}
	p.announce(found.ask, answer)
	if p.err != nil {
		return p.err
	}
	word := answer.Decision.String()
	to := "allow it"
	if answer.Decision == client.Always {
		to = "allow it always"
	}
	return a.typed(ctx, in, word, fmt.Sprintf("\nType %s to %s, anything else leaves it: ", word, to))
}

// sends says in one phrase what an answer is that allows something.
func sends(answer client.Answer) string {
	words := answer.Decision.String()
	if answer.Mode != "" {
		words += ", in the mode " + text.New(answer.Mode).Quoted(60)
	}
	if answer.Message != "" {
		words += ", with this message:"
	}
	return words
}

func flagsOf(answer client.Answer) string {
	words := "--" + answer.Decision.String()
	if answer.Mode != "" {
		words += " --mode " + argument(text.New(answer.Mode).String())
	}
	if answer.Message != "" {
		words += " --message " + strconv.Quote("...")
	}
	return words
}
