package tui

import (
	"askbox/client"
	"askbox/client/inbox"
)

// Every message that the program sends to itself.

// snapshotMsg brings the newest state of the inbox; an error means that no other follows.
type snapshotMsg struct {
	snapshot *inbox.Snapshot
	err      error
}

// tickMsg comes as a second begins.
type tickMsg struct{}

// stoodMsg comes when rows on the screen may count as read.
type stoodMsg struct{}

// drawnMsg comes when a frame counts as drawn because of the time that passed.
type drawnMsg struct{}

// settledMsg comes when the pause with this number is over. alone means that no key is
// on its way to the program either.
type settledMsg struct {
	seq   int
	alone bool
}

// draftsMsg comes when a text could not be kept, or is after all, or when another askbox
// has kept one.
type draftsMsg struct{}

// doneMsg brings what the inbox said to a request.
type doneMsg struct {
	request request
	answer  client.Answer // what was taken back
	ok      bool          // whether it was in time
	err     error
}

// closedMsg comes when the inbox is closed.
type closedMsg struct{ loose []inbox.Loose }

// freedMsg comes when the terminal takes something again.
type freedMsg struct{}

// continuedMsg comes when the process runs on after a stop signal.
type continuedMsg struct{}

// editMsg comes when a file is ready for the editor.
type editMsg struct {
	edit edit
	err  error
}

// editedMsg brings what the editor left in the file. trouble says that and why it is
// not taken, in safe words; with keep the file has something that somebody wrote.
type editedMsg struct {
	edit    edit
	written string
	trouble string
	keep    bool
}

// unopenedMsg comes when no browser opened a link.
type unopenedMsg struct{ link string }

// sayMsg brings a line for the status, from a command that has nothing else to tell.
type sayMsg struct {
	text    string
	trouble bool
}
