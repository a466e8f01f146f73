package demo

import (
	"fmt"

	"askbox/client/fake/oar"
)

// studio is an OAR relay, and the one through which the build box is reached:
// that one is not configured itself, so its asks alone come through.
func studio(w *World) error {
	here, err := startOAR(w, "studio")
	if err != nil {
		return err
	}
	box, err := startOAR(w, "build-box")
	if err != nil {
		return err
	}
	here.Pair(box)
	w.Relays = append(w.Relays, Relay{Name: "studio", Kind: "oar", URL: here.URL(), Token: here.Token()})
	w.director.engage(&stage{Store: here.Store, name: "studio"}, studioJobs(), 3, 1)
	w.director.engage(&stage{Store: box.Store, name: "build-box"}, buildBoxJobs(), 1, 1)
	return nil
}

func startOAR(w *World, name string) (*oar.Server, error) {
	server, err := oar.Start(oar.Options{Name: name, Token: "demo-token-of-" + name, Network: w.network(), Keep: logged})
	if err != nil {
		return nil, fmt.Errorf("the demo's relay %s cannot listen: %w", name, err)
	}
	w.closers = append(w.closers, server.Close)
	return server, nil
}
