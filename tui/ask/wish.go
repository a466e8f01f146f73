package ask

import "askbox/client"

// Kind says what a key in the pane asks for.
type Kind int

// The kinds of wish.
const (
	Nothing Kind = iota
	Send         // Answer for Ref, whose content had Digest
	Undo         // take back the answer held for Ref
	Forget       // drop the outcome of an answer to Ref that failed
	Back         // the pane has nothing to go back from: leave it
	Say          // Text goes to the status line
	Edit         // Text goes to the editor; [Model.Edited] brings it back
	Pause        // pause or, with Resume, resume the session of Ref
	Open         // open the link Text in a browser
	Attach       // copy and show Text, which a shell runs to go to the session
	Copy         // copy Text to the clipboard, and say Note of it
)

// Wish is what a key in the pane asks the root to do: a plain value, so that the
// pane does nothing by itself.
type Wish struct {
	Kind   Kind
	Ref    client.Ref
	Digest string // of what was on the screen
	Answer client.Answer
	Text   string
	Note   string // what there is to say of Text; may be empty
	Resume bool
}

// Gate says whether keys that decide count now and, if not, why in words for
// the status line.
type Gate struct {
	Open bool
	Why  string
}
