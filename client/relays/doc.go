// Package relays holds what the adapters of all kinds of relay share, on the way
// from JSON to the domain and back. An adapter (client/relays/NAME) is its URLs and
// what stands at them; the names of keys differ between the kinds, so the adapter
// says them.
//
// What is here, a file each:
//
//   - identity.go: whose token it is, and so whose sessions are Mine;
//   - session.go: sessions, people and links;
//   - unreadable.go: items that cannot be read, which are counted and shown;
//   - extra.go: members that a relay sent beside those that its adapter knows;
//   - stranger.go: what stands at an address that is no relay of its kind.
//
// The one way to send anything is client/relays/httpx; what a tool would get is
// laid out by client/relays/toolinput; client/relays/relaystest holds the tests that
// every adapter has to pass.
package relays
