package tui

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/ask"
	"askbox/tui/list"
)

// bundle holds the asks that are marked, to be read as one document and answered with one key.
type bundle struct {
	refs    []client.Ref
	last    client.Ref    // what the last key marked
	members []*inbox.Item // the marked asks, as item was made of them
	item    *inbox.Item   // all of them as one ask; nil: fewer than two are marked
}

// batch are the answers that one key gave, until it is told what became of them.
type batch struct {
	refs   []client.Ref
	answer client.Answer
}

// unmarkable says why an ask cannot be answered together with others; empty: it can.
func (m model) unmarkable(it *inbox.Item) string {
	holds := func(p client.Part) bool {
		return p.Kind != client.PartSays && (!p.Text.Empty() || len(p.Args) > 0 || !p.Path.Empty())
	}
	switch {
	case it == nil || !list.Open(it):
		return "Only open asks can be marked."
	case it.Ask.Kind != client.Approval || it.Ask.Approval == nil:
		return "Only approvals can be marked: anything else wants an answer of its own."
	case !it.Ask.Offer(client.ActAllow).OK || !it.Ask.Offer(client.ActDeny).OK:
		return "This cannot be marked: it cannot be both allowed and denied here."
	case !slices.ContainsFunc(it.Ask.Approval.Parts, holds):
		return "This cannot be marked: there is nothing to show of it."
	case m.ask.Changed(it):
		return "This cannot be marked: it changed since you saw it. Read it alone first."
	case len(it.Ask.Approval.Modes) > 0 || it.Ask.Confirm(client.Answer{Decision: client.Allow})+it.Ask.Confirm(client.Answer{Decision: client.Deny}) != "":
		return "This cannot be marked: it is asked about on its own."
	}
	return ""
}

// alike reports whether two approvals ask for the same tool on one relay.
func alike(a, b *client.Ask) bool {
	return a.Relay == b.Relay && a.Paired == b.Paired && a.Leads() == b.Leads() && a.Approval.Tool.Equal(b.Approval.Tool)
}

// mark marks the ask under the cursor, at the second press all that are listed and alike,
// or takes its mark away.
func (m model) mark() model {
	_, it := m.list.Selected()
	if why := m.unmarkable(it); why != "" {
		return m.say(why)
	}
	ref, refs := it.Ask.Ref, m.bundle.refs
	switch marked := slices.Contains(refs, ref); {
	case marked && m.bundle.last == ref:
		for _, other := range m.list.Listed() {
			if m.unmarkable(other) == "" && alike(it.Ask, other.Ask) && !slices.Contains(refs, other.Ask.Ref) {
				refs = append(refs[:len(refs):len(refs)], other.Ask.Ref)
			}
		}
		m.bundle.last = client.Ref{}
	case marked:
		refs = without(refs, ref)
	case len(m.bundle.members) > 0 && !alike(m.bundle.members[0].Ask, it.Ask):
		return m.say("Only asks for one tool on one relay are answered together; esc takes the marks away.")
	default:
		refs, m.bundle.last = append(refs[:len(refs):len(refs)], ref), ref
	}
	m.bundle.refs = refs
	switch n := len(refs); {
	case n == 0:
		return m.say("Nothing is marked any more.")
	case n == 1:
		return m.say("1 marked. * again marks all alike, esc takes the mark away.")
	default:
		return m.say(itoa(n) + " marked. Read all of them to the end, then one key answers all; esc takes the marks away.")
	}
}

// gather makes one ask of the marked ones that are still open. Where it is made of others
// than before it is another ask, and where the content of one changes its content does.
func (m model) gather() model {
	if _, it := m.list.Selected(); it == nil || it.Ask.Ref != m.bundle.last {
		m.bundle.last = client.Ref{}
	}
	if len(m.bundle.refs) == 0 {
		m.bundle = bundle{}
		return m
	}
	var members []*inbox.Item
	var refs []client.Ref
	for _, ref := range m.bundle.refs {
		if it := m.snapshot.Find(ref); it != nil && m.unmarkable(it) == "" && (len(members) == 0 || alike(members[0].Ask, it.Ask)) {
			members, refs = append(members, it), append(refs, ref)
		}
	}
	if gone := len(m.bundle.refs) - len(refs); gone > 0 {
		m = m.trouble(client.Count(gone, "marked ask") + " cannot be answered with the others any more and lost the mark.")
	}
	switch {
	case slices.Equal(members, m.bundle.members):
	case len(members) < 2:
		m.bundle.item = nil
	default:
		m.bundle.item = together(members)
	}
	m.bundle.refs, m.bundle.members = refs, members
	return m
}

// together makes one ask of several.
func together(members []*inbox.Item) *inbox.Item {
	first := members[0].Ask
	a := &client.Ask{Kind: client.Approval, Status: client.Open, Waits: true, Opened: first.Opened, Paired: first.Paired,
		Offers: client.Refused("several asks are allowed or denied together, nothing else"), Approval: &client.ApprovalAsk{Tool: first.Approval.Tool},
		Session: client.Session{Title: text.New(client.Count(len(members), "marked ask")), Starter: first.Session.Starter}}
	which, content := sha256.New(), sha256.New()
	all := make([]*client.Ask, len(members))
	var raws [][]byte
	for i, it := range members {
		fmt.Fprintf(which, "%q %q %q\n", it.Ask.Relay, it.Ask.Ref.Session, it.Ask.ID)
		fmt.Fprintf(content, "%q\n", it.Digest)
		all[i] = it.Ask
		a.Approval.Parts = append(a.Approval.Parts, it.Ask.Approval.Parts...)
		a.Waits = a.Waits && it.Ask.Waits
		a.Urgent = a.Urgent || it.Ask.Urgent
		if it.Ask.Session.Starter != a.Session.Starter {
			a.Session.Starter = client.StarterUnknown
		}
		if it.Ask.Opened.Before(a.Opened) {
			a.Opened = it.Ask.Opened
		}
		if end := it.Ask.Expires; !end.IsZero() && (a.Expires.IsZero() || end.Before(a.Expires)) {
			a.Expires, a.ExpiredWords = end, it.Ask.ExpiredWords
		}
		raws = append(raws, it.Ask.Raw)
	}
	for _, act := range []client.Action{client.ActAllow, client.ActDeny} {
		a.Offers[act] = client.Offer{OK: true, Effect: first.Offer(act).Effect}
		if slices.ContainsFunc(members, func(it *inbox.Item) bool { return it.Ask.Offer(act).Effect != first.Offer(act).Effect }) {
			a.Offers[act].Effect = "what it does beside differs"
		}
	}
	a.Raw = append(append([]byte("["), bytes.Join(raws, []byte(","))...), ']')
	a.Ref = client.Ref{Relay: first.Relay, Session: "marked asks", ID: hex.EncodeToString(which.Sum(nil))}
	return &inbox.Item{Ask: a, Digest: hex.EncodeToString(content.Sum(nil)), Together: all}
}

// selected is the ask that keys decide on, with its group: the marked ones as one, or the
// one under the cursor.
func (m model) selected() (*inbox.Group, *inbox.Item) {
	group, it := m.list.Selected()
	if m.bundle.item == nil {
		return group, it
	}
	for _, g := range m.snapshot.Groups {
		if slices.ContainsFunc(g.Items, func(it *inbox.Item) bool { return it.Ask.Ref == m.bundle.refs[0] }) {
			group = g
		}
	}
	return group, m.bundle.item
}

// sendAll hands over an answer to each of the marked asks, bound to what was shown of it.
func (m model) sendAll(w ask.Wish) (model, tea.Cmd) {
	members := m.bundle.members
	m.batch, m.bundle = batch{answer: w.Answer}, bundle{}
	m.ask = m.ask.Knows(members)
	var cmds []tea.Cmd
	for _, it := range members {
		one := w
		one.Ref, one.Digest = it.Ask.Ref, it.Digest
		m.batch.refs = append(m.batch.refs, it.Ask.Ref)
		var cmd tea.Cmd
		m, cmd = m.hold(one, it.Ask.Line(30))
		cmds = append(cmds, cmd)
	}
	return m.say(w.Answer.Action().String() + " · " + client.Count(len(members), "ask") + m.keymap.Spell(" · {undo} takes all of them back")), tea.Batch(cmds...)
}

// undoAll takes back all answers of a batch that are still held.
func (m model) undoAll() (model, tea.Cmd) {
	var cmds []tea.Cmd
	what := client.Count(len(m.batch.refs), "ask")
	for _, ref := range m.batch.refs {
		if it := m.snapshot.Find(ref); it == nil || it.Flight == nil || it.Flight.State == inbox.Held {
			var cmd tea.Cmd
			m, cmd = m.request(request{kind: requestUndo, Wish: ask.Wish{Ref: ref}, what: what})
			cmds = append(cmds, cmd)
		}
	}
	return m, tea.Batch(cmds...)
}

// report says what became of the answers that one key gave, once none is under way any
// more: how many counted, and by name each that ended otherwise.
func (m model) report() model {
	if len(m.batch.refs) == 0 || len(m.queue) > 0 {
		return m
	}
	counted := 0
	var others []string
	for _, ref := range m.batch.refs {
		it := m.snapshot.Find(ref)
		if it == nil || it.Flight == nil {
			continue // taken back
		}
		name := it.Ask.Line(30) + ": "
		switch it.Flight.State {
		case inbox.Held, inbox.Sending, inbox.Checking:
			return m
		case inbox.Done:
			counted++
		case inbox.TooLate:
			others = append(others, name+"too late, "+it.Ask.EndedBy())
		case inbox.NotKnown:
			others = append(others, name+"not known whether it arrived")
		default:
			others = append(others, name+"not taken, still open")
		}
	}
	done := client.Count(counted, "ask") + " " + m.batch.answer.Done() + "."
	m.batch = batch{}
	switch {
	case len(others) > 0:
		return m.trouble(done + " But " + strings.Join(others, "; "))
	case counted > 0:
		return m.say(done)
	}
	return m
}
