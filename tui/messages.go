package tui

import (
	"askbox/client"
	"askbox/client/inbox"
)

// Every message that the program sends to itself.

// snapshotMsg is the newest state of the inbox, or that there will be no more.
type snapshotMsg struct {
	snapshot *inbox.Snapshot
	err      error
}

// tickMsg is that a second began.
type tickMsg struct{}

// stoodMsg is that rows on the screen may count as read by now.
type stoodMsg struct{}

// drawnMsg is that a frame may count as drawn by the time.
type drawnMsg struct{}

// settledMsg is that the pause with this number is over. alone says that no key is
// on its way to the program either.
type settledMsg struct {
	seq   int
	alone bool
}

// doneMsg is what the inbox said to a request.
type doneMsg struct {
	request request
	answer  client.Answer // what was taken back
	ok      bool          // whether it was in time
	err     error
}

// closedMsg is that the inbox is closed.
type closedMsg struct{ loose []inbox.Loose }

// continuedMsg is that the process runs on after a stop signal.
type continuedMsg struct{}

// editMsg is that a file is ready for the editor.
type editMsg struct {
	edit edit
	err  error
}

// editedMsg is what the editor left in the file.
type editedMsg struct {
	edit    edit
	written string
	err     error
}

// sayMsg is a line for the status, from a command that has nothing else to tell.
type sayMsg struct {
	text    string
	trouble bool
}
