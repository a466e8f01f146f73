// Package relays holds what the adapters of all kinds of relay share, on the way
// from JSON to the domain and back. An adapter (client/relays/NAME) is its URLs and
// what stands at them; the names of keys differ between the kinds, so the adapter
// says them. It imports no other adapter, and only cmd/askbox/cli imports adapters.
//
//	client/relays/httpx       the one way to send: token, deadline, caps, errors, streams;
//	                          JSON taken apart leniently (Split, List) and an item read
//	                          strictly (Decode)
//	client/relays             this package
//	client/relays/toolinput   what a tool would get, as parts that a person reads
//	client/relays/relaystest  what every adapter has to pass: no member of an item can
//	                          hide, and an ask that is read again is the same one
//	client/relays/NAME        one kind: opencomputer, werft, oar, opencode
//
// What an adapter is told of its relay is [Options], which makes its client too.
//
// A poll. [Identity] says whose token it is, asked beside the first listing. [Pages]
// reads a listing page by page, with the guard of its cursor and its bounds. A page
// that came byte for byte as before is not read again: [Memory] holds its sum and what
// it was read as, and that is all that is remembered of a listing; of a page that changed
// the items that did not can be taken over ([Reading.ReadBefore]). Any other page is taken
// apart by [Page]; each item is decoded once, by [Decode], into the adapter's types
// with the raw bytes beside, so that a bad item costs that item only and becomes an
// ask that is seen and never answered ([ItemKeys.Unreadable]). What the types do not
// name is left over in the same pass and shown ([Extra]). [SessionKeys] reads the
// session, [Rules] what "always" would allow, and [Distinct] leaves one ask for each
// reference. The batch says which part of the relay it covers where that is not all
// of it ([client.Batch.Covers]); what is open, shut or not known is the inbox's business.
// Events come by [httpx.Client.Stream] or [httpx.Client.SocketIO]. Where they tell of some
// asks alone the batch says so ([client.Batch.Untold]).
// Only opencode keeps the requests that it was told of: one of its lists can break while
// events go on, what a denial closes depends on what else its session asks, and what a
// tool gets is a call of its own for each.
//
// An answer. The adapter checks that the ids can stand in an address ([Usable]),
// writes the body as its relay documents it, and sends it once ([httpx.Request.Counts]).
// A reply that holds this answer gives the ask with its end ([Over]), another
// one the error that it means, and one that tells nothing is [Unsure]. The inbox asks
// again then, and compares: the adapter keeps no answer in mind. Where the relay does
// not tell what closed an ask it says so ([client.Closing.Untold]).
//
// What no list of a relay tells and the next start has to know of a session stands in
// its [Notes]: that it was paused from here, or that this token may answer nothing in it.
//
// [Stranger] says what stands at an address that is no relay of the configured kind.
package relays
