package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"askbox/client/config"
	"askbox/client/text"
	"askbox/tui"
)

func (a *app) relaysAddCommand() *cobra.Command {
	var r config.NewRelay
	var tokenCommand string
	command := &cobra.Command{
		Use:   "add NAME",
		Short: "Write a relay into the configuration, and try it",
		Long: `Write a relay at the end of the configuration, which is made where there is none, and
try it. Everything else in the file stays as it is. A token is never given on the command
line, where others see it: name the place that it comes from, or store it in the system's
keyring with askbox login.`,
		Example: `  askbox relays add laptop --type opencode --url http://127.0.0.1:4096
  askbox relays add work --type opencomputer --url https://oc.example/api --token-env WORK_TOKEN
  askbox relays add prod --type werft --url https://werft.example --keyring`,
		Args: oneRelay,
		RunE: a.begin(func(ctx context.Context, args []string) error {
			r.Name = args[0]
			var err error
			if r.TokenCommand, err = tui.SplitCommand(tokenCommand); err != nil {
				return &usageError{"--token-command " + err.Error()}
			}
			return a.addRelay(ctx, r)
		}),
	}
	flags := command.Flags()
	flags.StringVar(&r.Type, "type", "", "the `kind` of relay: opencomputer, oar, werft or opencode")
	flags.StringVar(&r.URL, "url", "", "its `address`")
	flags.StringVar(&r.TokenEnv, "token-env", "", "the `variable` that holds the token")
	flags.StringVar(&r.TokenFile, "token-file", "", "the `file` that holds the token")
	flags.StringVar(&tokenCommand, "token-command", "", "the `command` that prints the token")
	flags.BoolVar(&r.Keyring, "keyring", false, "the token is in the system's keyring")
	flags.StringVar(&r.Me, "me", "", "your `id` there, where the relay cannot tell")
	flags.StringVar(&r.Transport, "transport", "", "opencomputer only: http or jsonrpc")
	flags.StringVar(&r.User, "user", "", "opencode only: whose password it is")
	flags.StringArrayVar(&r.Directories, "directory", nil, "opencode only: look only there and below; repeatable")
	flags.BoolVar(&r.Insecure, "insecure", false, "allow plain http beyond this machine and private addresses")
	return command
}

func (a *app) relaysRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "remove NAME",
		Short:             "Take a relay out of the configuration",
		Args:              oneRelay,
		ValidArgsFunction: a.completeRelay,
		RunE: a.begin(func(_ context.Context, args []string) error {
			path := config.Path(a.config)
			if err := config.Remove(path, args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(a.Out, "%s is not in %s any more.\n", text.New(args[0]), text.New(path))
			return err
		}),
	}
}

func (a *app) relaysTestCommand() *cobra.Command {
	var o relaysOptions
	command := &cobra.Command{
		Use:               "test NAME",
		Short:             "Say of one relay what askbox relays says of all",
		Args:              oneRelay,
		ValidArgsFunction: a.completeRelay,
		RunE: a.begin(func(ctx context.Context, args []string) error {
			o.relays = args
			return a.relays(ctx, o)
		}),
	}
	o.timeLimit.add(command)
	command.Flags().BoolVar(&o.json, "json", false, "write JSON")
	return command
}

func (a *app) loginCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "login RELAY",
		Short: "Store a relay's token in the system's keyring, and try it",
		Long: `Store a relay's token in the system's keyring, for a relay with keyring = true, and try
it. On a terminal it is typed without being shown; else it is read from standard input.`,
		Args:              oneRelay,
		ValidArgsFunction: a.completeRelay,
		RunE:              a.begin(func(ctx context.Context, args []string) error { return a.login(ctx, args[0]) }),
	}
}

// addRelay writes a relay and says how it answers.
func (a *app) addRelay(ctx context.Context, r config.NewRelay) error {
	path := config.Path(a.config)
	if err := config.Add(path, r); err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s is in %s.\n", text.New(r.Name), text.New(path))
	if r.Keyring {
		return a.login(ctx, r.Name)
	}
	return a.relays(ctx, relaysOptions{relayNames: relayNames{[]string{r.Name}}})
}

// login stores a token and says how the relay answers to it.
func (a *app) login(ctx context.Context, name string) error {
	cfg, err := a.load()
	if err != nil {
		return err
	}
	picked, err := pick(cfg, []string{name})
	if err != nil {
		return err
	}
	token, err := a.token(name)
	if err != nil {
		return err
	}
	if err := picked[0].Store(ctx, token); err != nil {
		return &usageError{err.Error()}
	}
	fmt.Fprintf(a.Out, "The token of %s is in the keyring.\n", name)
	return a.relays(ctx, relaysOptions{relayNames: relayNames{[]string{name}}})
}

// token reads a token from the terminal without showing it, or from the standard input.
func (a *app) token(name string) (string, error) {
	if in, ok := a.In.(*os.File); ok && a.InTerminal {
		fmt.Fprintf(a.Err, "The token of %s (it is not shown): ", name)
		token, err := term.ReadPassword(in.Fd())
		fmt.Fprintln(a.Err)
		if err != nil || len(token) == 0 {
			return "", &usageError{"no token was typed, so none was stored"}
		}
		return string(token), nil
	}
	data, err := io.ReadAll(io.LimitReader(a.In, 1<<16))
	if err != nil || len(data) == 0 {
		return "", &usageError{"there is no token on standard input, so none was stored"}
	}
	return string(data), nil
}
