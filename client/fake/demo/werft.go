package demo

import (
	"fmt"

	"askbox/client/fake"
	"askbox/client/fake/werft"
)

// releases is a Werft relay.
func releases(w *World) error {
	const name = "releases"
	key := fake.Key{Token: "demo-token-of-" + name, Actor: ada}
	server, err := werft.Start(werft.Options{Keys: []fake.Key{key}, Network: w.network(), Keep: logged})
	if err != nil {
		return fmt.Errorf("the demo's relay %s cannot listen: %w", name, err)
	}
	w.add(Relay{Name: name, Kind: "werft", URL: server.URL(), Token: server.Token()}, server.Close)
	w.director.engage(&stage{Store: server.Store, name: name}, releaseJobs(), 3, 1)
	return nil
}
