// Package demo is the world of `askbox demo`: relays on loopback, and agents
// that work on them, ask, react to answers and go on.
//
// Which relays there are, of which kind, and who works on them stands in the
// slice cast. What the agents want is told once, in the words of the store, for
// relays of every kind; each story_*.go has the jobs of one relay.
//
// All time is read with package time and all chance comes from Options.Seed, in
// one goroutine, so a world in fake time does the same in every run.
package demo

import (
	"context"
	"sync"
	"time"

	"askbox/client/fake"
	"askbox/client/fake/oar"
)

// Options set a world up. The zero value is the demo as people see it.
type Options struct {
	// Seed decides what happens when; equal seeds and equal answers give equal worlds.
	Seed uint64
	// Pace is how many times faster than usual the agents are; 0 is 1.
	Pace float64

	// network gives every server its network; nil is loopback. Tests set it.
	network func() fake.Network
}

// Relay is one relay as it stands in a configuration.
type Relay struct {
	Name  string
	Kind  string // the configuration's word: opencomputer, …
	URL   string
	Token string
	// The rest is empty where the kind of relay has no such setting.
	User      string
	Transport string
}

// World is the running demo.
type World struct {
	// Relays are in the order in which they are shown.
	Relays []Relay

	options  Options
	director *director
	oar      map[string]*oar.Server // by name, to be paired
	closers  []func()
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

// logged is how many requests the servers of a demo remember.
const logged = 100

// Start starts the relays and the agents, with a few asks that are open from the
// beginning. It runs until Close, or until the context ends. The error is a
// listener's.
func Start(ctx context.Context, o Options) (*World, error) {
	if o.Pace <= 0 {
		o.Pace = 1
	}
	w := &World{options: o, director: newDirector(o), oar: map[string]*oar.Server{}}
	for _, p := range cast {
		if err := w.start(p); err != nil {
			w.Close()
			return nil, err
		}
	}
	w.director.begin(time.Now())
	ctx, w.cancel = context.WithCancel(ctx)
	w.running.Go(func() { w.director.run(ctx) })
	return w, nil
}

// Close ends the agents and the relays, and waits for both.
func (w *World) Close() {
	if w.cancel != nil {
		w.cancel()
	}
	w.running.Wait()
	for _, closer := range w.closers {
		closer()
	}
}
