// Package e2e plays stories on the real askbox: the binary runs in a terminal
// with an emulator behind it, on relays that run in the test. A story is what a
// person does and what then stands on the screen; what a relay got is read from
// the relay, and never from askbox.
//
// Nothing in here waits for a fixed time, except where a person does: between
// reading an ask and deciding about it ([story.decide]).
//
// The environment variable ASKBOX_E2E_RACE builds the binary with the race
// detector.
package e2e
