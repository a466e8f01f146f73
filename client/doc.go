// Package client is the domain of askbox: what an ask is, what may be answered
// to it, and what a relay does, whatever kind of relay it is.
//
// An ask on its way to the screen: an adapter (client/relays/NAME) turns the
// JSON of its relay into a [Batch] of asks. The inbox (client/inbox) folds the
// batch into its state with a pure function and publishes an immutable, numbered
// snapshot into a slot where the newest replaces an unread one. A command of the
// Bubble Tea program hands it to the root model (tui), which drops an older
// number, passes it to the panes by value, and waits for the next.
//
// A key on its way to a relay: it counts once the terminal has confirmed the frame
// that it is to act on. The root model gives it to the pane in focus. The pane of the
// ask returns a plain value, an [Answer] for this [Ref] with the digest of what was
// shown ([Ask.Digest]). A command hands it to the inbox, which holds it while it can be
// taken back, reads the ask once more before an approval, sends it, learns the outcome
// (asking the relay where the reply was lost, and sending the same again only while it has
// the ask open), writes history, and publishes a snapshot. The panes show what the snapshot says, and never more than that.
//
// Every string that a relay sent is a [text.Text], which is safe to print. Plain
// strings in this package are the program's own words, or ids that are only ever
// echoed to the relay they came from.
package client
