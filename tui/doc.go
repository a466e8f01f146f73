// Package tui is the inbox on the terminal: a Bubble Tea program whose root model owns
// the layout, and whose panes, a folder each, are values that know nothing of one another.
//
// # From a poll to the screen
//
// The inbox (client/inbox) folds what a relay told into a numbered snapshot. A command,
// await (commands.go), waits for one that is newer than what is shown, and returns it as
// a message (messages.go). Update (update.go) gives it to take (model.go), which drops an
// older number and hands the rest to the panes. The list (list/take.go) keeps its cursor
// on its ask, whatever arrives above it; what is new may ring (tell.go). Then sync
// (model.go) gives the ask under the cursor to its pane (ask/model.go), which writes it down
// as a document (ask/content.go) and has it laid out once for a content and a width
// (page/layout.go). View (view.go) puts the header (header.go),
// the panes and the bottom (status.go, footer.go) together, all of them drawn with theme. The frame gets
// a number (frames/screen.go), and the same one where it says the same, so that nothing is
// written; a new one is written with a question to the terminal behind it
// (frames/output.go). The terminal's reply comes back in order with the keys
// (input/reader.go), and tells that this frame is drawn (shown.go). Only from then on do
// its rows count as read (ask/shown.go), and the time runs after which a key may decide
// (gate.go). Once a second tick (commands.go) has all of it drawn anew, for the ages.
//
// # From a key to a relay
//
// The reader (input/reader.go) turns bytes into whole keys, and knows a paste and keys
// that no person pressed. The root (keys.go) has the gate (gate.go) say whether a key may
// decide at this moment. A key that goes on after one that waits to stand alone takes it
// back (alone.go). What is left is routed (keys.go): to the question whether to quit
// (quit.go), to the search (search.go), to the help and the history (overlay.go), to the list
// (list/list.go), and else to the pane of the ask; several keys in one reading only move
// (incoming.go). The pane (ask/keys.go) returns itself, changed, and one plain value, what
// is to be done (ask/wish.go). The root does it (act.go), and lets an answer go only for
// the content that the terminal shows. It stands in a queue (request.go), because commands
// keep no order, and the inbox holds it. A pause later (alone.go) it is released, unless
// somebody typed on. The inbox waits while it can be taken back, reads the ask once more
// before an approval, sends it once, and says in the next snapshot what became of it. The
// panes show that (list/row.go, ask/outcome.go), and quitting asks first while an answer
// is unsent (quit.go, run.go).
//
// # What is used of bubbles
//
// Only its key bindings. Its viewport and help return lines of any width, where every line
// here is exactly as wide as its pane and a row counts as read only once it was drawn. Its
// text input and text area replace tabs, drop control characters and cut long texts
// without a word, where what is sent has to be what was typed (textfield).
package tui
