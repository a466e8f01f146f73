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

// Replied is what Read returns, alone, for each reply of the terminal to a status
// request (CSI 5 n), where it came among the keys: what was pressed before it was
// pressed before the terminal had drawn what stood in front of the request. It is
// a noncharacter, and nothing else becomes it: typed or pasted, it is lost.
const Replied = '\ufdd0'

// reply is Replied in bytes.
var reply = []byte(string(Replied))
