// Package fake runs relays to test and to try askbox against: strict servers
// over real HTTP on loopback, written from the wire pages and not from the
// adapters, with faults on request.
//
// This package is the part that every kind of relay shares: the listener that
// can go down and come back on the same port, the log of what arrived, the
// clock, and the faults. The relays themselves are in the packages below it.
//
//	relay, err := opencomputer.Start(opencomputer.Options{})
//	if err != nil {
//		t.Fatal(err)
//	}
//	defer relay.Close()
//
//	session := relay.AddSession(opencomputer.Session{Title: "Fix the flaky build"})
//	ask := relay.Bash(session, "rm -rf build", "clean build")
//
//	// The next answer counts, but its reply gets lost on the way back.
//	relay.Break(fake.LoseReply().When(fake.To("POST", "/answer")).Next(1))
//
//	// … run what is tested against relay.URL() with relay.Token() …
//
//	request, err := relay.WaitFor(ctx, fake.To("POST", "/answer"))
//	closed, err := relay.WaitClosed(ctx, ask)
//
//	relay.Down() // connections are refused, the port is kept
//	relay.Up()
//
// Nothing in here sleeps except where a fault says so, and all time is read with
// package time, so on the network of [NewPipe] a relay works in fake time too.
package fake
