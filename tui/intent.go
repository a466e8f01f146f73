package tui

import "askbox/client"

// intentKind says what a pane wants done.
type intentKind int

const (
	intentNone   intentKind = iota
	intentSend              // Answer for Ref, whose content had Digest
	intentUndo              // take back the answer held for Ref
	intentForget            // drop the outcome of an answer to Ref that failed
	intentBack              // the pane has nothing to go back from: leave it
	intentSay               // Text goes to the status line
	intentEdit              // Text goes to the editor; askPane.edited brings it back
	intentPause             // pause or, with Resume, resume the session of Ref
	intentOpen              // open the link Text in a browser
	intentCopy              // copy Text, raw, to the clipboard
)

// intent is what a key in a pane asks the root to do: a plain value, so that a
// pane does nothing by itself.
type intent struct {
	kind   intentKind
	ref    client.Ref
	digest string // of what was on the screen
	answer client.Answer
	text   string
	resume bool
}
