package demo

import (
	"fmt"

	"askbox/client/fake/opencode"
)

// lab is an opencode server.
func lab(w *World) error {
	const name = "lab"
	server, err := opencode.Start(opencode.Options{Password: "demo-token-of-" + name, Root: "/srv/lab",
		Network: w.network(), Keep: logged})
	if err != nil {
		return fmt.Errorf("the demo's relay %s cannot listen: %w", name, err)
	}
	w.add(Relay{Name: name, Kind: "opencode", URL: server.URL(), Token: server.Token(), User: server.User()}, server.Close)
	w.director.engage(&stage{Store: server.Store, name: name}, labJobs(), 3, 1)
	return nil
}
