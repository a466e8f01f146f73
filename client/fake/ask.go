package fake

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Actor is a person or an agent.
type Actor struct {
	Type string `json:"type"` // user or agent
	ID   string `json:"id"`
	Name string `json:"name,omitzero"`
}

// Key is a token, and whom it stands for. Two keys may belong to one person.
type Key struct {
	Actor
	Token string
	// Scopes are what it may do; nil is everything.
	Scopes []string
	// Operator lets it answer in sessions that it started itself, where other keys
	// must not. Admin lets it answer in sessions that others started.
	Operator, Admin bool
}

// May reports whether a key has a scope.
func (k Key) May(scope string) bool { return k.Scopes == nil || slices.Contains(k.Scopes, scope) }

// Session is a session. To add one, only the title is needed: what is not set is
// filled in, by the store or by the face.
type Session struct {
	ID, Title string
	// CreatedBy is who started it; the first key's actor where it is not set.
	CreatedBy Actor
	// Key is the token that started it; empty: none that the relay knows.
	Key string
	// Parent is the id of the session that started it or that it works for.
	Parent string
	// Folder is where it works, on relays that have folders.
	Folder               string
	URL                  string
	CreatedAt, UpdatedAt time.Time
	// State is whether it may run, on relays that can pause one, and Attention what
	// keeps it from being paused. Checkpoint counts its pauses, Revision its changes.
	State, Attention     string
	Checkpoint, Revision int64
	// Engine is 1 or 2, on relays that have two.
	Engine int
	// Wire is what one kind of relay alone knows of it.
	Wire any

	number int
	asks   []*Ask // oldest first
}

// Open returns the open asks of the session, oldest first.
func (n *Session) Open() []*Ask {
	var out []*Ask
	for _, a := range n.asks {
		if a.Open() {
			out = append(out, a)
		}
	}
	return out
}

// Waits reports whether an ask is open in the session.
func (n *Session) Waits() bool { return slices.ContainsFunc(n.asks, (*Ask).Open) }

// Ref names an ask: two sessions may use the same id.
type Ref struct{ Session, Ask string }

// Ask is what an agent wants of a person, in words that fit every kind of relay.
// To open one, exactly one of Command, Edit, Plan, Tool, Questions, Secret and
// Form is set, or Wire.
type Ask struct {
	ID, Session string

	Command   string
	Edit      *Edit
	Plan      string
	Tool      string // any other tool, with Input
	Input     any    // encoded as JSON
	Questions []Question
	Secret    string // its name
	Form      string // a JSON Schema, for relays that have forms; Says is what it is for

	// Says is the agent's own description.
	Says string
	// Rule is what "always" would allow; empty where it is not offered.
	Rule string
	// Urgent, GoesOn (the session does not wait) and Detail are for relays that have them.
	Urgent, GoesOn bool
	Detail         string

	// OpenedAt may lie in the past. ExpiresAt is zero where the ask waits for ever.
	OpenedAt, ExpiresAt time.Time
	// Wire is the ask in the face's own form, where that says more than the rest.
	Wire any

	// Status is how the relay calls what became of it.
	Status string
	// End is how it ended; its How is empty while it is open.
	End End

	number int
	raw    jsontext.Value
}

// Ref returns the ask's name.
func (a *Ask) Ref() Ref { return Ref{a.Session, a.ID} }

// Raw is what is sent in place of the ask while it is open; nil: nothing is.
func (a *Ask) Raw() jsontext.Value {
	if a.Open() {
		return a.raw
	}
	return nil
}

// Open reports whether the ask is open.
func (a *Ask) Open() bool { return a.End.How == "" }

// Approval reports whether the ask is the wish to run a tool.
func (a *Ask) Approval() bool {
	return a.Command != "" || a.Edit != nil || a.Plan != "" || a.Tool != ""
}

// ToolCall returns the tool of an approval and its input, as agents of Claude
// Code's family name them.
func (a *Ask) ToolCall() (tool string, input jsontext.Value) {
	type bash struct {
		Command     string `json:"command"`
		Description string `json:"description,omitzero"`
	}
	type edit struct {
		FilePath  string `json:"file_path"`
		OldString string `json:"old_string"`
		NewString string `json:"new_string"`
	}
	type write struct {
		FilePath string `json:"file_path"`
		Content  string `json:"content"`
	}
	type plan struct {
		Plan string `json:"plan"`
	}
	switch {
	case a.Command != "":
		return "Bash", Marshal(bash{a.Command, a.Says})
	case a.Edit != nil && a.Edit.Before == "":
		return "Write", Marshal(write{a.Edit.Path, a.Edit.After})
	case a.Edit != nil:
		return "Edit", Marshal(edit{a.Edit.Path, a.Edit.Before, a.Edit.After})
	case a.Plan != "":
		return "ExitPlanMode", Marshal(plan{a.Plan})
	}
	return a.Tool, Marshal(a.Input)
}

// Edit is a change of a file.
type Edit struct{ Path, Before, After string }

// Question is one question.
type Question struct {
	ID           string // made up where it is empty
	Header, Text string
	Options      []Option
	// Several lets more than one option be chosen.
	Several bool
	// Recommended is the number of the option that the agent recommends; 0 is none.
	Recommended int
}

// Option is one answer that is offered.
type Option struct{ Label, Description string }

// Labels makes options without descriptions.
func Labels(labels ...string) []Option {
	out := make([]Option, len(labels))
	for i, l := range labels {
		out[i].Label = l
	}
	return out
}

// Labels returns the labels of the question's options.
func (q *Question) Labels() []string {
	out := make([]string, len(q.Options))
	for i, o := range q.Options {
		out[i] = o.Label
	}
	return out
}

// Offers reports whether a label is one of the question's options.
func (q *Question) Offers(label string) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return o.Label == label })
}
