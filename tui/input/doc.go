// Package input stands between the terminal and Bubble Tea. It hands on whole
// keys, whole characters and whole pastes, and nothing else.
//
// Bubble Tea v1 takes a short read for the end of an event and reads 256 bytes at
// a time. A sequence that the network cut in two, a reply of the terminal that
// comes late, or a character on the border of its buffer then turns into typed
// text or into the escape key. A paste that lost its end marker takes every later
// key with it, ctrl+c too. In a program in which a key approves something, that
// must not happen; so a [Reader] puts sequences together again, drops what no
// keyboard sent, and ends what would never end. What is left of a sequence that
// was torn is never a key: the rest is the key that was meant, or nothing.
//
// Terminals have many forms for a key; each comes out in one. The keys of the
// keypad are the ordinary ones, and enter with shift, alt or ctrl is alt+enter.
//
//	keys := input.New(os.Stdin, input.Options{})
//	defer keys.Close()
//	program := tea.NewProgram(model, tea.WithInput(keys))
//
// A program that gives the terminal away for a while uses [Reader.Suspend] and
// [Reader.Exec], so that keys typed meanwhile go to the other program.
package input

// What Read returns, alone, for what the terminal says. Both are noncharacters, and nothing
// else becomes them: typed or pasted, they are lost.
const (
	// Replied is its reply to a status request (CSI 5 n), where that came among the keys:
	// what was pressed before it was pressed before the terminal had drawn what stood in
	// front of the request.
	Replied = '\ufdd0'
	// Coloured is its background colour, which [Stats] has.
	Coloured = '\ufdd1'
)

// said reports whether a rune is one of those.
func said(r rune) bool { return r == Replied || r == Coloured }
