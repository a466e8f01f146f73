package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/inbox"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/relays/oar"
	"askbox/client/relays/opencode"
	"askbox/client/relays/opencomputer"
	"askbox/client/relays/werft"
)

// adapters make the relays of each kind. Here is the one place that knows the kinds:
// one more is one more line.
var adapters = map[string]func(relays.Options) (client.Relay, error){
	config.OpenComputer: making(opencomputer.New),
	config.OAR:          making(oar.New),
	config.Werft:        making(werft.New),
	config.OpenCode:     making(opencode.New),
}

// making returns what makes an adapter as one that makes a relay.
func making[R client.Relay](make func(relays.Options) (R, error)) func(relays.Options) (client.Relay, error) {
	return func(o relays.Options) (client.Relay, error) { return make(o) }
}

// line is what all that is made for a relay shares: the pause that the relay asked for, and
// how connections are made, nil being the system's way.
type line struct {
	hold httpx.Hold
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// adapter makes the relay that a configuration describes.
func adapter(r *config.Relay, token config.Token, l *line) (client.Relay, error) {
	make := adapters[r.Type]
	if make == nil {
		return nil, fmt.Errorf("this version of askbox has no relays of the type %s yet", r.Type)
	}
	return make(relays.Options{Name: r.Name, BaseURL: r.URL.String(), Token: token.Reveal(), User: r.User, Me: r.Me,
		Transport: r.Transport, Directories: r.Directories, State: r.State, Version: build().version,
		Insecure: r.Insecure, Dial: l.dial, Hold: &l.hold})
}

// once returns a relay for a command that asks it and ends. A token_command has the
// terminal for that, where there is one.
func once(r *config.Relay) *lazy {
	return &lazy{config: r, onTerminal: term.IsTerminal(os.Stdin.Fd())}
}

// atOnce is how long a token_command gets, without the terminal, before anything is drawn.
const atOnce = 400 * time.Millisecond

// prepare makes the sources of the relays for an inbox. Tokens are read while it runs and
// nothing waits for them; what goes wrong costs its relay alone. Only a token_command that
// has failed at once without the terminal gets it before anything is drawn: once the
// screen has it, a passphrase would be typed into the screen as keys.
func (a *app) prepare(ctx context.Context, relays []*config.Relay) ([]inbox.Source, error) {
	sources, may, all := make([]inbox.Source, len(relays)), []*lazy{}, &share{}
	for i, r := range relays {
		l := &lazy{config: r, patience: tokenPatience, share: all}
		sources[i] = inbox.Source{Name: r.Name, Kind: r.Type, Insecure: r.Insecure, Relay: l}
		if r.MayPrompt() && r.CheckToken() == nil && a.InTerminal {
			may = append(may, l)
		}
	}
	var ended sync.WaitGroup
	short, cancel := context.WithTimeout(ctx, atOnce)
	defer cancel()
	failed := make([]bool, len(may))
	for i, l := range may {
		ended.Go(func() {
			_, err := l.get(short, true)
			none, is := errors.AsType[*client.NoToken](err)
			failed[i] = is && !none.Waiting
		})
	}
	ended.Wait()
	for i, l := range may {
		if failed[i] {
			a.prompt(ctx, l)
		}
	}
	return sources, ctx.Err()
}

// prompt gives the terminal to the command that has the token of a relay.
func (a *app) prompt(ctx context.Context, l *lazy) {
	if ctx.Err() == nil {
		a.note("The token of %s (%s):", l.config.Name, l.config.TokenFrom())
		l.prompt(ctx)
	}
}

// unlock returns what gives the terminal to the commands that failed to give a token
// without it, and nil where there are none.
func (a *app) unlock(ctx context.Context, sources []inbox.Source) func() {
	var locked []*lazy
	for _, s := range sources {
		if l, ok := s.Relay.(*lazy); ok && l.locked() {
			locked = append(locked, l)
		}
	}
	if len(locked) == 0 {
		return nil
	}
	return func() {
		for _, l := range locked {
			a.prompt(ctx, l)
		}
	}
}

// letGo ends what still runs to read the tokens of sources.
func letGo(sources []inbox.Source) {
	for _, s := range sources {
		if l, ok := s.Relay.(*lazy); ok {
			l.close()
		}
	}
}
