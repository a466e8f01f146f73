package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"askbox/client/text"
)

// topic is a page of help that belongs to no single command.
type topic struct {
	name, short string
	page        func() string
}

var topics = []topic{
	{"environment", "the variables that askbox reads", func() string { return environmentPage }},
	{"json", "what the commands write with --json", jsonPage},
	{"status", "the exit statuses", func() string { return statusPage }},
}

const statusPage = `The exit status of every command:

  0  done
  1  failed
  2  used wrongly, also: a configuration or a token that cannot be used
  3  the ask is closed: someone was first, it expired, or it was taken back
  4  a relay was not reachable, so that what was written is not whole
  5  not allowed
  6  not known whether the answer arrived

The inbox also has 128 and the number of the signal that ended it.
`

const environmentPage = `The variables that askbox reads:

  ASKBOX_CONFIG     the configuration, where --config names none
  XDG_CONFIG_HOME   askbox/config.toml in it is the configuration; ~/.config without it
  XDG_STATE_HOME    askbox in it holds history, drafts and log; ~/.local/state without it
  VISUAL, EDITOR    the editor for an answer (ctrl+e), split as a shell splits
  BROWSER           the browser for a session's link (o)
  NO_COLOR          set to anything: no colours
  TERM, COLORTERM   how many colours the terminal has
  LC_ALL, LC_CTYPE, LANG   the first that is set tells whether the terminal takes UTF-8
  TMUX              copies go through tmux where it is set
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY   the proxy on the way to a relay
  SSL_CERT_FILE, SSL_CERT_DIR         the certificate authorities to trust

A relay's token_env names a variable of its own.
`

// helpCommand replaces cobra's, which knows no topics and takes any word.
func (a *app) helpCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "help [COMMAND or TOPIC]",
		Short: "Show the help of a command, or a page about a topic",
		Long:  "Show the help of a command, or a page about a topic:\n\n" + topicLines(),
	}
	command.RunE = a.begin(func(_ context.Context, args []string) error {
		root := command.Root()
		if len(args) == 1 {
			for _, t := range topics {
				if t.name == args[0] {
					_, err := io.WriteString(a.Out, t.page())
					return err
				}
			}
		}
		found, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return &usageError{fmt.Sprintf("there is no command or topic %s%s\naskbox help lists them",
				text.New(strings.Join(args, " ")).Quoted(60), didYouMean(found, args[len(args)-1]))}
		}
		found.InitDefaultHelpFlag()
		return found.Help()
	})
	return command
}

// topicLines lists the topics.
func topicLines() string {
	var b strings.Builder
	for _, t := range topics {
		fmt.Fprintf(&b, "  askbox help %s  %s\n", text.Pad(t.name, 11), t.short)
	}
	return b.String()
}
