package client

import (
	"fmt"
	"slices"
	"strings"

	"askbox/client/text"
)

// SameContent reports whether another telling of this ask, by the relay that it was
// answered on, asks for the same, as far as it tells: relays do not repeat all of
// a closed ask, and what is left out is no difference. Status, offers, ages and the
// program's own words do not count.
func (a *Ask) SameContent(told *Ask) bool {
	_, _, same := a.compare(told)
	return same
}

// Difference returns the first piece in which another telling of this ask is not
// what this one says; both are empty where [Ask.SameContent] holds.
func (a *Ask) Difference(told *Ask) (here, there text.Text) {
	here, there, _ = a.compare(told)
	return here, there
}

func (a *Ask) compare(told *Ask) (here, there text.Text, same bool) {
	if told.Unreadable != "" {
		return here, there, true
	}
	ours, theirs := a.pieces(), told.pieces()
	for i, there := range theirs {
		here := ours[i]
		if len(there) == 0 || slices.EqualFunc(here, there, func(x, y piece) bool { return x.id == y.id }) {
			continue
		}
		for k := range max(len(here), len(there)) {
			x, y := pieceAt(here, k), pieceAt(there, k)
			if x.id != y.id {
				return x.shown, y.shown, false
			}
		}
	}
	return here, there, true
}

// Sameness is equal for approvals in which the same would be done: by the same tool with the
// same content, on relays of one kind, whatever the agent says of it. It is empty where there
// is nothing to compare, or not all of it is known.
func (a *Ask) Sameness(relayKind string) string {
	p := a.Approval
	if p == nil || a.Unreadable != "" || p.Excerpt != "" {
		return ""
	}
	parts := slices.DeleteFunc(slices.Clone(p.Parts), func(p Part) bool { return p.Kind == PartSays })
	if len(parts) == 0 {
		return ""
	}
	d := newDigester()
	d.strings("askbox same 1", relayKind)
	d.texts(p.Tool)
	d.parts(parts)
	d.parts(a.Extra)
	return d.done()[:32]
}

// piece is one piece of what is asked: id is equal for equal pieces only.
type piece struct {
	id    string
	shown text.Text
}

func pieceAt(all []piece, i int) piece {
	if i < len(all) {
		return all[i]
	}
	return piece{}
}

// newPiece makes a piece of some texts.
func newPiece(texts ...text.Text) piece {
	var raw, some []string
	for _, t := range texts {
		raw = append(raw, t.Raw())
		if !t.Empty() {
			some = append(some, t.Raw())
		}
	}
	return piece{id: fmt.Sprintf("%q", raw), shown: text.New(strings.Join(some, "\n"))}
}

// pieces returns what is asked, in groups that a relay tells whole or not at all.
func (a *Ask) pieces() [7][]piece {
	var tool, input, rules, modes, questions, secret []piece
	if p := a.Approval; p != nil {
		if !p.Tool.Empty() {
			tool = []piece{newPiece(p.Tool)}
		}
		input = partPieces(p.Parts)
		for _, rule := range p.Always {
			rules = append(rules, newPiece(rule))
		}
		for _, m := range p.Modes {
			modes = append(modes, newPiece(text.New(m.ID), m.Quoted))
		}
	}
	for i := range a.Questions {
		q := &a.Questions[i]
		questions = append(questions, newPiece(text.New(q.ID), q.Header, q.Text, q.Detail))
		for _, o := range q.Options {
			questions = append(questions, newPiece(text.New(o.ID), o.Label, o.Description))
		}
	}
	if s := a.Secret; s != nil {
		secret = []piece{newPiece(s.Name, s.Description)}
	}
	return [...][]piece{tool, input, rules, modes, questions, secret, partPieces(slices.Concat(a.Fields, a.Extra))}
}

func partPieces(parts []Part) (all []piece) {
	for _, p := range parts {
		all = append(all, newPiece(append([]text.Text{p.Key, p.Path, p.Text}, p.Args...)...))
	}
	return all
}
