//go:build unix

package e2e

import (
	bed "askbox/cmd/askbox/e2e/opencodebed"
)

// kiloStories are what a server of Kilo does otherwise than one of opencode.
var kiloStories = map[string]func(*realServer){
	"dismiss": kiloDismiss, "ghost of a command at the key": kiloGhostAtTheKey, "its own words": kiloWords,
}

// kiloDismiss completes the tool call, and may end the turn.
func kiloDismiss(r *realServer) {
	r.asks(bed.Task{Steps: bed.Steps(bed.Ask(askDatabase))})
	s := r.open().see("Which database should the service use?", "the turn may end or go on").decide("x")
	s.see("dismissed", "All 0")
}

// kiloGhostAtTheKey aborts the turn while the command is being read.
func kiloGhostAtTheKey(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Bash("echo ghost > ghost.txt"))})
	s := r.open().see("echo ghost > ghost.txt")
	if err := s.Quiet(reading, limit); err != nil {
		r.Fatal(err)
	}
	if err := turn.Abort(r.ctx); err != nil {
		r.Fatal(err)
	}
	s.press("a").see("aborted").never("done: allow")
	r.over(turn)
	if _, there := r.file("ghost.txt"); there {
		r.Error("the ghost ran")
	}
}

// kiloWords calls the server what it is.
func kiloWords(r *realServer) {
	r.asks(bed.Task{Steps: bed.Steps(bed.Bash("echo words"))})
	s := r.open().see("echo words")
	s.decide("m").see("Kilo drops a message").press("esc")
	s.decide("A").see("until the Kilo").never("until the opencode")
}
