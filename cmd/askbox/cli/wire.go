package cli

import (
	"fmt"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/inbox"
	"askbox/client/relays/oar"
	"askbox/client/relays/opencode"
	"askbox/client/relays/opencomputer"
	"askbox/client/relays/werft"
)

// adapter makes the relay that a configuration describes. Here is the one place
// that knows the kinds of relay: one more is one more case.
func adapter(r *config.Relay, token config.Token) (client.Relay, error) {
	switch r.Type {
	case config.OpenComputer:
		return opencomputer.New(opencomputer.Options{
			Name: r.Name, BaseURL: r.URL.String(), Token: token.Reveal(), Me: r.Me,
			Transport: r.Transport, Insecure: r.Insecure, Version: version(),
		})
	case config.OAR:
		return oar.New(oar.Options{
			Name: r.Name, BaseURL: r.URL.String(), Token: token.Reveal(), Insecure: r.Insecure, Version: version(),
		})
	case config.Werft:
		return werft.New(werft.Options{
			Name: r.Name, BaseURL: r.URL.String(), Token: token.Reveal(), Me: r.Me, Insecure: r.Insecure, Version: version(),
		})
	case config.OpenCode:
		return opencode.New(opencode.Options{
			Name: r.Name, BaseURL: r.URL.String(), User: r.User, Password: token.Reveal(), Directories: r.Directories,
			Insecure: r.Insecure, Version: version(),
		})
	}
	return nil, fmt.Errorf("this version of askbox has no relays of the type %s yet", r.Type)
}

// source makes the source of a configured relay. Its token is read when the
// relay is asked for the first time.
func source(r *config.Relay) inbox.Source {
	return inbox.Source{Name: r.Name, Kind: r.Type, Insecure: r.Insecure, Relay: &lazy{config: r}}
}
