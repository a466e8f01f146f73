package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/text"
)

// usualAddresses are where servers listen that run on the person's own machine.
var usualAddresses = []struct{ kind, url string }{
	{config.OpenCode, "http://127.0.0.1:4096"}, // opencode serve
}

// knockTime is how long a server on this machine has to answer.
const knockTime = 2 * time.Second

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Find what runs here, ask for the rest, try it, and write the configuration",
		Long: `Find the servers that run on this machine, ask for other relays, try each, and write
them into the configuration, in which everything stays that is there. Where there is no
terminal, a commented configuration is written and nothing asked.`,
		Args: noArguments,
		RunE: a.begin(func(ctx context.Context, _ []string) error {
			if !a.InTerminal || !a.OutTerminal {
				return a.configInit()
			}
			return a.setUp(ctx)
		}),
	}
}

// setUp asks a person for their relays.
func (a *app) setUp(ctx context.Context) error {
	d := dialog{a, bufio.NewReader(a.In)}
	path := config.Path(a.config)
	cfg, err := config.Load(path)
	if is[*config.Missing](err) {
		cfg, err = &config.Config{}, nil
	}
	if err != nil {
		return err
	}
	found := 0
	for _, at := range usualAddresses {
		if slices.ContainsFunc(cfg.Relays, func(r *config.Relay) bool { return r.URL.String() == at.url }) {
			continue
		}
		if err := a.knock(ctx, at.kind, at.url); err == nil || is[*client.TokenRefused](err) {
			found++
			fmt.Fprintf(a.Out, "An %s server answers at %s.\n", at.kind, at.url)
			if err := d.found(ctx, at.kind, at.url, err != nil); err != nil {
				return err
			}
		}
	}
	if found == 0 {
		fmt.Fprintln(a.Out, "No server that askbox knows and that is not configured answers on this machine.")
	}
	for {
		kind, err := d.ask("Another relay? Its type (opencomputer, oar, werft, opencode), or nothing to end: ")
		if err != nil || kind == "" {
			break
		}
		if err := d.relay(ctx, kind); err != nil {
			a.complain(err)
		}
	}
	_, err = fmt.Fprintf(a.Out, "The configuration is %s; askbox opens the inbox.\n", text.New(path))
	return err
}

// knock asks whether a server of a kind answers at an address, without a token.
func (a *app) knock(ctx context.Context, kind, address string) error {
	ctx, cancel := context.WithTimeout(ctx, knockTime)
	defer cancel()
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	relay, err := adapter(&config.Relay{Name: kind, Type: kind, URL: u}, config.Token{}, &line{})
	if err != nil {
		return err
	}
	_, err = relay.About(ctx)
	return err
}

// dialog asks a person questions, a line each.
type dialog struct {
	a  *app
	in *bufio.Reader
}

// ask returns what was typed, without the blanks around it.
func (d *dialog) ask(question string) (string, error) {
	fmt.Fprint(d.a.Out, question)
	line, err := d.in.ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	return strings.TrimSpace(line), err
}

// found adds a server that was found, if that is wanted.
func (d *dialog) found(ctx context.Context, kind, address string, locked bool) error {
	name, err := d.ask("Its name in askbox, nothing for laptop, - to leave it out: ")
	if err != nil || name == "-" {
		return err
	}
	r := config.NewRelay{Name: cmp.Or(name, "laptop"), Type: kind, URL: address}
	if locked {
		if err := d.secret(&r); err != nil {
			return err
		}
	}
	d.add(ctx, r)
	return nil
}

// relay asks for a relay of a kind and adds it.
func (d *dialog) relay(ctx context.Context, kind string) (err error) {
	r := config.NewRelay{Type: kind}
	if r.Name, err = d.ask("Its name in askbox: "); err != nil {
		return err
	}
	if r.URL, err = d.ask("Its address, such as https://oc.example/api: "); err != nil {
		return err
	}
	if err := d.secret(&r); err != nil {
		return err
	}
	d.add(ctx, r)
	return nil
}

// secret asks where the token comes from.
func (d *dialog) secret(r *config.NewRelay) error {
	where, err := d.ask("Its token: $NAME for a variable, a path for a file, nothing for the system's keyring, - where it has none: ")
	switch {
	case err != nil:
		return err
	case where == "":
		r.Keyring = true
	case strings.HasPrefix(where, "$"):
		r.TokenEnv = where[1:]
	case where != "-":
		r.TokenFile = where
	}
	return nil
}

// add writes a relay and tries it; what goes wrong ends nothing else.
func (d *dialog) add(ctx context.Context, r config.NewRelay) {
	if err := d.a.addRelay(ctx, r); err != nil {
		d.a.complain(err)
	}
}
