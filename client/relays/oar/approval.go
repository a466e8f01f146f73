package oar

import (
	"slices"
	"strings"
	"unicode/utf16"

	"askbox/client"
	"askbox/client/relays/toolinput"
	"askbox/client/text"
)

// asked is what the worker says the agent wants to run or do, where it does.
func (w *wireCard) asked() []client.Part { return toolinput.Parts("", w.Request) }

// approval shows what would run first, where the worker sends it, and then the
// relay's words in one piece, as they are: to take a command out of them would be
// to guess where it ends.
func (w *wireCard) approval() *client.ApprovalAsk {
	a := &client.ApprovalAsk{Excerpt: w.excerpt(), ApprovingWords: approving}
	var says []client.Part
	for _, p := range w.asked() {
		switch {
		case p.Kind == client.PartSays:
			says = append(says, p)
			continue
		case p.Kind == client.PartField && p.Key.Empty():
			p.Key = text.New("request")
		}
		a.Parts = append(a.Parts, p)
	}
	if len(a.Parts) == 0 || a.Parts[0].Kind == client.PartField {
		a.Brief = w.brief()
	}
	field := func(key, value string) {
		if value != "" {
			a.Parts = append(a.Parts, client.Part{Kind: client.PartField, Key: text.New(key), Text: text.New(value)})
		}
	}
	field("", w.Prompt)
	field("header", w.about.header)
	// Most of the time this is the worker's own sentence, and not the agent's.
	field("rationale", w.about.rationale)
	a.Parts = append(a.Parts, says...)
	return a
}

// brief is the part of a prompt that says what would be done, for rows: what
// stands below the relay's own first line ("Copilot wants to run:"), up to the
// first empty line. Where there is no such line it is empty.
func (w *wireCard) brief() text.Text {
	lead, rest, more := strings.Cut(w.Prompt, "\n")
	if !more || !slices.Contains(approvalSources, w.about.source) || !strings.HasSuffix(strings.TrimSpace(lead), ":") {
		return text.Text{}
	}
	rest, _, _ = strings.Cut(strings.Trim(rest, "\n"), "\n\n")
	return text.New(rest)
}

// excerptLimit is how much of a prompt for another relay the relay shows, in
// UTF-16 units as its own code counts.
const excerptLimit = 200

// excerpt says that the relay may have cut what would be sent. It quotes the
// prompt between typographic quotation marks; agents may use those too, so the
// outermost ones count.
func (w *wireCard) excerpt() string {
	if w.about.source != remotePrompt {
		return ""
	}
	_, quoted, found := strings.Cut(w.Prompt, "“")
	if !found {
		return ""
	}
	if i := strings.LastIndex(quoted, "”"); i >= 0 {
		quoted = quoted[:i]
	}
	if len(utf16.Encode([]rune(quoted))) < excerptLimit && !strings.HasSuffix(quoted, "…") && !strings.HasSuffix(quoted, "...") {
		return ""
	}
	return "the relay shows only the beginning of the prompt; the rest is not known here. Open the session (o) to read it."
}
