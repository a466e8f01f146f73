package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"askbox/client/config"
	"askbox/client/text"
)

func (a *app) configCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "config",
		Short: "Write, check or find the configuration",
		Args:  noArguments,
		RunE: a.begin(func(context.Context, []string) error {
			return &usageError{"say what to do with the configuration: askbox config init, check or path"}
		}),
	}
	command.AddCommand(
		&cobra.Command{
			Use:   "init",
			Short: "Write a commented configuration that only you can read; never overwrites one",
			Args:  noArguments,
			RunE:  a.begin(func(context.Context, []string) error { return a.configInit() }),
		},
		&cobra.Command{
			Use:   "check",
			Short: "Check every setting and token of the configuration, without asking a relay",
			Args:  noArguments,
			RunE:  a.begin(func(context.Context, []string) error { return a.configCheck() }),
		},
		&cobra.Command{
			Use:   "path",
			Short: "Say which file is the configuration",
			Args:  noArguments,
			RunE: a.begin(func(context.Context, []string) error {
				_, err := fmt.Fprintln(a.Out, text.New(config.Path(a.config)))
				return err
			}),
		},
	)
	return command
}

func (a *app) configInit() error {
	path := config.Path(a.config)
	if err := config.Init(path); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.Out, "%s is written.\nName your relays in it, then run: askbox config check\n", text.New(path))
	return err
}

// configCheck says of every relay whether its settings can be used. Commands and
// the keyring are not run for it, since they may ask for a passphrase.
func (a *app) configCheck() error {
	cfg, err := a.load()
	if err != nil {
		return err
	}
	var failed []error
	for _, relay := range cfg.Relays {
		err := relay.CheckToken()
		if err == nil && relay.HasToken() {
			// An adapter has its own conditions; it takes any token for the check.
			_, err = adapter(relay, config.NewToken("check"), &line{})
		} else if err == nil {
			_, err = adapter(relay, config.Token{}, &line{})
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("line %d: %s: %w", relay.Line, relay.Name, err))
			continue
		}
		fmt.Fprintf(a.Out, "%s: OK, %s at %s, %s%s\n", relay.Name, relay.Type, text.New(relay.URL.String()), relay.TokenFrom(), insecureWords(relay))
	}
	if len(failed) > 0 {
		return &usageError{errors.Join(failed...).Error()}
	}
	return nil
}

func insecureWords(relay *config.Relay) string {
	if relay.Insecure {
		return ", not protected on the way (insecure = true)"
	}
	return ""
}
