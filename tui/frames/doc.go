// Package frames knows which frame the terminal has drawn.
//
// Bubble Tea draws at the ticks of a clock of its own and drops the frames in
// between, and the line to the terminal takes its time: what View returned says
// nothing about what a person sees. So [Screen.Stamp] gives every different frame
// a number, inside an escape sequence that Bubble Tea keeps and that takes no
// cell; [Output] takes the number out of the bytes on their way to the terminal,
// and asks the terminal for its status (CSI 5 n) behind them, in the same write. A
// terminal works off what it gets in order, so its reply says that the frame in
// front of the request is drawn. Replies carry no number either, but they come in
// order: the oldest request is the one that is answered.
//
// Behind a terminal multiplexer it is the multiplexer that replies, for itself.
package frames

import "time"

const (
	// startTime is how long the terminal may take to reply to the first request
	// before it is taken for one that never does.
	startTime = 2 * time.Second
	// drawTime is how long after it was written a frame counts as drawn by a
	// terminal that never replies. Nobody works for long on a line that takes more
	// than half a second in one direction (a satellite takes 300 ms); the other half
	// is for a terminal that is busy.
	drawTime = time.Second
	// lostTime is how long nothing is written and no reply comes before a request
	// may be one that is never answered, because another program read the reply.
	lostTime = 3 * time.Second
	// quietTime is how long the terminal is kept for replies that are on their way
	// before it is given back.
	quietTime = time.Second
	// longestQuiet is the same for a terminal whose replies take longer.
	longestQuiet = 5 * time.Second
	// againTime is the least time between two requests for the same frame.
	againTime = time.Second
	// mostAsked bounds the requests without a reply. A minute, forgetTime, after the
	// last reply they are given up, so that a terminal that comes back is asked again.
	mostAsked  = 128
	forgetTime = time.Minute
)
