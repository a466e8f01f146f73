package client

import "askbox/client/text"

// FieldType is what an answer to a question may be.
type FieldType int

// The types. All but FieldChoice are fields of a form.
const (
	FieldChoice FieldType = iota // options, own text, or both
	FieldText
	FieldNumber
	FieldInteger
	FieldBool // options with the ids "true" and "false"
)

// QuestionAsk is one question of an ask.
type QuestionAsk struct {
	ID     string // raw, as it is sent back
	Header text.Text
	Text   text.Text
	Type   FieldType
	// Options are what can be chosen, in the agent's order.
	Options []Option
	Multi   bool
	// OwnText says that an answer may be typed instead of chosen or, where
	// TextWithChoices is set, beside what is chosen.
	OwnText, TextWithChoices bool
	// Joined is what stands between what is chosen and typed where the relay takes all
	// of it as one line; empty where it takes each by itself. See [Validate].
	Joined string
	// Optional says that it may be left without an answer.
	Optional bool
	// Recommended is the index of the option that the agent recommends, plus
	// one; 0 is none. RecommendedText is its recommendation as a line of its own.
	Recommended     int
	RecommendedText text.Text
	// Detail is shown folded.
	Detail text.Text
	// Default is what a form proposes; shown, and never sent unless left standing
	// by the person who answers.
	Default text.Text
	// MaxText is the most characters that own text may have; 0 is no limit known.
	MaxText int
}

// Option is one answer that is offered.
type Option struct {
	ID          string // raw, as it is sent back; a relay without ids has the label here
	Label       text.Text
	Description text.Text
	// Confirm is set where choosing it is asked about once more; Effect says what
	// it does, in the program's words.
	Effect, Confirm string
}
