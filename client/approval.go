package client

import (
	"math"
	"strings"

	"askbox/client/text"
)

// ApprovalAsk is the wish to run a tool, change files or carry out a plan.
type ApprovalAsk struct {
	// Tool is the tool's name, untrusted like all the rest. Empty where the relay
	// names none.
	Tool text.Text
	// Brief is what rows show where it says more than the beginning of What: a piece
	// of it. Empty: What itself.
	Brief text.Text
	// Parts is everything that the tool would get, in the order of importance:
	// what runs first, what the agent says about it last. Nothing that the relay
	// sent as input is left out. Empty: there is nothing to show, and no approval.
	Parts []Part
	// Excerpt says, in the program's words, that the relay itself cut what it
	// shows, so that the whole is not known here. Empty: it is whole.
	Excerpt string
	// Always lists the exact rules that "always" would allow. Empty: not offered.
	Always []text.Text
	// AlwaysScope says in the program's words where and how long they hold.
	AlwaysScope string
	// Modes are the ways in which a plan can be carried out. Empty for all but plans.
	Modes []Mode
	// ApprovingWords are the words that the relay reads as an approval wherever
	// they stand, so that no reason for a denial may read like one ([ReadsAs]).
	ApprovingWords []string
}

// Mode is one way to carry out a plan.
type Mode struct {
	ID      string // raw, as it is sent
	Label   string // the program's words for it
	Quoted  text.Text
	Effect  string // what it does, in the program's words
	Confirm string // set where it is asked about once more
}

// What returns the line that says what would be done.
func (a *ApprovalAsk) What() text.Text {
	for _, p := range a.Parts {
		if p.Kind != PartSays {
			if p.Kind == PartDiff && !p.Path.Empty() {
				return p.Path
			}
			if p.Kind == PartArgs {
				return line(p.Args, maxLine)
			}
			return p.Text
		}
	}
	return a.Tool
}

// Whole returns [ApprovalAsk.What] with nothing of it left out, however long it is.
func (a *ApprovalAsk) Whole() text.Text {
	for _, p := range a.Parts {
		if p.Kind == PartArgs {
			return line(p.Args, math.MaxInt)
		}
		if p.Kind != PartSays {
			break
		}
	}
	return a.What()
}

// maxLine is how many bytes of a list of arguments make a line of it.
const maxLine = 4096

// line writes arguments as a shell would take them, so that where one ends and
// the next begins is seen also in a row. It costs no more for a list without end.
func line(args []text.Text, most int) text.Text {
	var b strings.Builder
	for i, arg := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		if b.Len() > most {
			b.WriteString("…")
			break
		}
		b.WriteString(text.Quote(arg).Raw())
	}
	return text.New(b.String())
}

// PartKind says how a part of an approval is shown.
type PartKind int

// The kinds of part.
const (
	// PartCommand is what a shell gets; shown as it is, never formatted.
	PartCommand PartKind = iota
	// PartArgs is a list of arguments, each shown as a unit.
	PartArgs
	// PartDiff is a change of a file, as a unified diff. Path names the file.
	PartDiff
	// PartPlan is a plan's text.
	PartPlan
	// PartField is any other input, under its own key, as JSON or plain text.
	PartField
	// PartSays is the agent's own description of what it does: shown last, as
	// its words.
	PartSays
)

// Mode says how the text of such a part is read: as a command, as a file or as prose.
// The values of fields that no tool's shape is known for are mostly content.
func (k PartKind) Mode() text.Mode {
	switch k {
	case PartPlan, PartSays:
		return text.Words
	case PartDiff, PartField:
		return text.Source
	}
	return text.Exact
}

// Part is one piece of an approval's input.
type Part struct {
	Kind PartKind
	// Key is the input's key as the agent wrote it. Empty where the program's
	// label for Kind says it all.
	Key  text.Text
	Path text.Text
	Text text.Text
	// Args is set for PartArgs instead of Text.
	Args []text.Text
	// Piece says of a PartDiff that it is the change of a piece of a file, whose place in
	// the file is not known: the numbers in its heads are the piece's own.
	Piece bool
	// Note says, in the program's words, what the part is besides ("new file",
	// "binary", "renamed"); may be empty.
	Note string
}
