package cli

import (
	"fmt"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/inbox"
	"askbox/client/relays"
	"askbox/client/relays/oar"
	"askbox/client/relays/opencode"
	"askbox/client/relays/opencomputer"
	"askbox/client/relays/werft"
)

// adapters make the relays of each kind. Here is the one place that knows the kinds:
// one more is one more line.
var adapters = map[string]func(relays.Options) (client.Relay, error){
	config.OpenComputer: made(opencomputer.New),
	config.OAR:          made(oar.New),
	config.Werft:        made(werft.New),
	config.OpenCode:     made(opencode.New),
}

// made returns what makes an adapter as one that makes a relay.
func made[R client.Relay](make func(relays.Options) (R, error)) func(relays.Options) (client.Relay, error) {
	return func(o relays.Options) (client.Relay, error) { return make(o) }
}

// adapter makes the relay that a configuration describes.
func adapter(r *config.Relay, token config.Token) (client.Relay, error) {
	make := adapters[r.Type]
	if make == nil {
		return nil, fmt.Errorf("this version of askbox has no relays of the type %s yet", r.Type)
	}
	return make(relays.Options{Name: r.Name, BaseURL: r.URL.String(), Token: token.Reveal(), User: r.User, Me: r.Me,
		Transport: r.Transport, Directories: r.Directories, State: r.State, Version: build().version, Insecure: r.Insecure})
}

// source makes the source of a configured relay. Its token is read when the
// relay is asked for the first time.
func source(r *config.Relay) inbox.Source {
	return inbox.Source{Name: r.Name, Kind: r.Type, Insecure: r.Insecure, Relay: &lazy{config: r}}
}
