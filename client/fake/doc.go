// Package fake runs relays to test and to try askbox against: strict servers
// over real HTTP on loopback, written from the wire pages and not from the
// adapters, with faults on request.
//
// A relay is made of three layers. [Server] is its HTTP half, which knows nothing
// of asks: a listener that can go down and come back on the same port, the log of
// what arrived, the clock, and the faults.
//
// [Store] is what a relay holds, whatever its kind: sessions, and the asks in them,
// in words that fit every wire. It opens asks, ends each once, expires them by the
// relay's clock, keeps what arrived for each, tells hooks and those who wait, cuts
// listings into pages and streams events. All that it holds is behind one lock:
// who is inside of [Store.Do] has a [State], and so is alone with it.
//
// A face, in a package below this one, puts one wire on top and says in a [Wire]
// what is different there: what ids look like, which paths there are and what is
// refused on them, how an ask is laid out, how an answer is read, and which words
// stand for the ways in which an ask ends. It has functions of its own only for
// what no other kind of relay has.
//
//	relay, err := opencomputer.Start(opencomputer.Options{})
//	if err != nil {
//		t.Fatal(err)
//	}
//	defer relay.Close()
//
//	session := relay.AddSession(fake.Session{Title: "Fix the flaky build"})
//	ask := relay.Bash(session, "rm -rf build", "clean build")
//
// A fault is asked for with [Server.Break]: what goes wrong, at which requests, and
// how often. Where several fit, the first one counts.
//
//	// The next answer counts, but its reply gets lost on the way back.
//	relay.Break(fake.LoseReply().When(fake.To("POST", "/answer")).Next(1))
//
//	// … run what is tested against relay.URL() with relay.Token() …
//
//	sent, err := relay.WaitAnswer(ctx, ask)
//	closed, err := relay.WaitClosed(ctx, ask)
//
//	relay.Down() // connections are refused, the port is kept
//	relay.Up()
//
// Nothing in here sleeps except where a fault says so, and all time is read with
// package time, so on the network of [NewPipe] a relay works in fake time too.
package fake
