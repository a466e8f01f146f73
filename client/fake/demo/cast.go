package demo

import (
	"fmt"

	"askbox/client/fake"
	"askbox/client/fake/oar"
	"askbox/client/fake/opencode"
	"askbox/client/fake/opencomputer"
	"askbox/client/fake/werft"
)

// The people of the story.
var (
	ada   = fake.Actor{Type: "user", ID: "usr_1", Name: "Ada"}
	grace = fake.Actor{Type: "user", ID: "usr_2", Name: "Grace"}
	robot = fake.Actor{Type: "agent", ID: "agt_1", Name: "planner"}
)

// part is one relay of the world: how it is configured, and who works on it.
type part struct {
	Relay
	jobs func() []Job
	// agents is how many agents share the jobs, and first how many of them ask right
	// from the start.
	agents, first int
	// through is the relay through which it is reached, where it is not configured itself.
	through string
	// goes says that it comes and goes, away that nobody can reach it.
	goes, away bool
}

// cast are the relays of the world, in the order in which they are shown.
var cast = []part{
	{Relay: Relay{Name: "work", Kind: "opencomputer"}, jobs: workJobs, agents: 8, first: 4},
	{Relay: Relay{Name: "home", Kind: "opencomputer", Transport: "jsonrpc"}, jobs: homeJobs, agents: 5, first: 3},
	{Relay: Relay{Name: "laptop", Kind: "opencomputer"}, jobs: laptopJobs, agents: 2, first: 1, goes: true},
	{Relay: Relay{Name: "studio", Kind: "oar"}, jobs: studioJobs, agents: 3, first: 1},
	{Relay: Relay{Name: "build-box", Kind: "oar"}, jobs: buildBoxJobs, agents: 1, first: 1, through: "studio"},
	{Relay: Relay{Name: "releases", Kind: "werft"}, jobs: releaseJobs, agents: 3, first: 1},
	{Relay: Relay{Name: "lab", Kind: "opencode"}, jobs: labJobs, agents: 3, first: 1},
	{Relay: Relay{Name: "attic", Kind: "opencomputer"}, away: true},
}

// start starts the relay of a part.
func (w *World) start(p part) error {
	store, err := w.serve(&p)
	if err != nil {
		return fmt.Errorf("the demo's relay %s cannot listen: %w", p.Name, err)
	}
	w.closers = append(w.closers, store.Close)
	if p.through == "" {
		p.URL, p.Token = store.URL(), store.Token()
		w.Relays = append(w.Relays, p.Relay)
	}
	if p.jobs != nil {
		w.director.engage(&stage{store, p.Name}, p.jobs(), p.agents, p.first)
	}
	if p.goes {
		w.director.comeAndGo(store.Server)
	}
	if p.away {
		return store.Down()
	}
	return nil
}

// serve starts the face of a part's kind.
func (w *World) serve(p *part) (*fake.Store, error) {
	var network fake.Network
	if w.options.network != nil {
		network = w.options.network()
	}
	token := "demo-token-of-" + p.Name
	keys := []fake.Key{{Actor: ada, Token: token, Admin: true}}
	switch p.Kind {
	case "oar":
		s, err := oar.Start(oar.Options{Name: p.Name, Token: token, Network: network, Keep: logged})
		if err != nil {
			return nil, err
		}
		if through := w.oar[p.through]; through != nil {
			through.Pair(s)
		}
		w.oar[p.Name] = s
		return s.Store, nil
	case "werft":
		s, err := werft.Start(werft.Options{Keys: keys, Network: network, Keep: logged})
		if err != nil {
			return nil, err
		}
		return s.Store, nil
	case "opencode":
		s, err := opencode.Start(opencode.Options{Password: token, Root: "/srv/lab", Network: network, Keep: logged})
		if err != nil {
			return nil, err
		}
		p.User = s.User()
		return s.Store, nil
	}
	s, err := opencomputer.Start(opencomputer.Options{Keys: keys, NoEvents: p.Transport != "", Network: network, Keep: logged})
	if err != nil {
		return nil, err
	}
	return s.Store, nil
}
