package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"askbox/client/config"
	"askbox/client/fake/demo"
	"askbox/client/inbox"
	"askbox/tui"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Try the inbox on relays and agents that askbox brings along",
		Long: `Open the inbox on relays that askbox runs itself, on this machine and for as long as
the inbox is open, with agents that keep asking and go on when they are answered. No
configuration is needed and none is touched; nothing of it is kept.`,
		Args: noArguments,
		RunE: a.begin(func(ctx context.Context, _ []string) error { return a.demo(ctx) }),
	}
}

func (a *app) demo(ctx context.Context) (err error) {
	in, out, err := a.terminal()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "askbox-demo-")
	if err != nil {
		return fmt.Errorf("the demo needs a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	world, err := demo.Start(ctx, demo.Options{})
	if err != nil {
		return fmt.Errorf("the demo could not be started: %w", err)
	}
	defer world.Close()
	cfg, err := demoConfig(dir, world.Relays)
	if err != nil {
		return err
	}
	sources, err := a.prepare(ctx, cfg.Relays)
	if err != nil {
		return err
	}
	return a.draw(ctx, dir, inbox.Options{Sources: sources, Poll: cfg.Poll, Undo: cfg.Undo}, tui.Options{
		Filter: cfg.Filter, Theme: cfg.Theme, Mouse: cfg.Mouse, Notify: "off", Demo: true, In: in, Out: out,
	})
}

// demoRelay is one relay of the demo as it stands in a configuration.
type demoRelay struct {
	Name      string `toml:"name"`
	Type      string `toml:"type"`
	URL       string `toml:"url"`
	Token     string `toml:"token,omitempty"`
	User      string `toml:"user,omitempty"`
	Transport string `toml:"transport,omitempty"`
}

// demoConfig writes the demo's relays into a configuration and reads it back, so
// that the demo goes the way that a person's own relays go.
func demoConfig(dir string, relays []demo.Relay) (*config.Config, error) {
	var file struct {
		Relay []demoRelay `toml:"relay"`
	}
	for _, r := range relays {
		file.Relay = append(file.Relay, demoRelay{r.Name, r.Kind, r.URL, r.Token, r.User, r.Transport})
	}
	data, err := toml.Marshal(file)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return nil, fmt.Errorf("the demo's configuration cannot be written: %w", err)
	}
	return config.Load(path)
}
