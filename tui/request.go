package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/tui/ask"
)

// mailbox is what the screen needs of the inbox. No method waits for a relay.
type mailbox interface {
	source
	Hold(client.Ref, string, client.Answer) error
	Release(client.Ref)
	Undo(client.Ref) (client.Answer, bool)
	Forget(client.Ref)
	Seen()
	Refresh(relay string)
	Pause(ref client.Ref, resume bool) error
	closer
}

// requestKind is what the inbox is asked to do.
type requestKind int

const (
	requestHold    requestKind = iota
	requestRelease             // nothing was typed on, so that it may be sent
	requestUndo
	requestTakeBack // an undo because of what was typed on
	requestForget
	requestRefresh
	requestPause
	requestSeen // what the last run left to be said
)

// request is one thing that the inbox is asked to do: what a key of the ask's pane wished
// for, as it came from there.
type request struct {
	kind requestKind
	ask.Wish
	what string // safe: what was asked, for the status line
}

// request puts a request into the queue. Requests run one after the other, because
// commands keep no order: a key that takes an answer back must never overtake
// the key that sent it.
func (m model) request(r request) (model, tea.Cmd) {
	m.queue = append(m.queue[:len(m.queue):len(m.queue)], r)
	if len(m.queue) > 1 {
		return m, nil
	}
	return m, run(m.box, r)
}

// run hands a request to the inbox.
func run(b mailbox, r request) tea.Cmd {
	return func() tea.Msg {
		done := doneMsg{request: r}
		switch r.kind {
		case requestHold:
			done.err = b.Hold(r.Ref, r.Digest, r.Answer)
		case requestRelease:
			b.Release(r.Ref)
		case requestUndo, requestTakeBack:
			done.answer, done.ok = b.Undo(r.Ref)
		case requestForget:
			b.Forget(r.Ref)
		case requestSeen:
			b.Seen()
		case requestRefresh:
			b.Refresh(r.Ref.Relay)
		case requestPause:
			done.err = b.Pause(r.Ref, r.Resume)
		}
		return done
	}
}

// done takes what the inbox said and starts the next request.
func (m model) done(msg doneMsg) (model, tea.Cmd) {
	m.queue = m.queue[1:]
	var next tea.Cmd
	if len(m.queue) > 0 {
		next = run(m.box, m.queue[0])
	}
	r := msg.request
	switch {
	case r.kind == requestHold && msg.err != nil:
		m.sent = without(m.sent, r.Ref)
		m.unsettled.held = slices.DeleteFunc(slices.Clone(m.unsettled.held), func(h held) bool { return h.ref == r.Ref })
		m.ask = m.ask.Refused(r.Ref, msg.err)
		m.batch.refs = without(m.batch.refs, r.Ref)
		if r.what != "" {
			r.what = "for " + r.what
		}
		m = m.trouble(strings.TrimSpace("Nothing was sent "+r.what) + ": " + msg.err.Error())
	case r.kind == requestTakeBack:
		m.sent = without(m.sent, r.Ref)
	case r.kind == requestUndo && msg.ok:
		m.sent = without(m.sent, r.Ref)
		m = m.say("Taken back, nothing was sent: " + msg.answer.Action().String() + " · " + r.what)
	case r.kind == requestUndo:
		m.sent = without(m.sent, r.Ref)
		m = m.trouble("Too late to take back: the answer has been sent.")
	case r.kind == requestPause && msg.err != nil:
		m = m.trouble(msg.err.Error())
	}
	return m, next
}

// lastHeld returns the newest answer given here that may still be held.
func (m model) lastHeld() (ref client.Ref, ok bool) {
	for i := len(m.sent) - 1; i >= 0; i-- {
		it := m.snapshot.Find(m.sent[i])
		if it == nil || it.Flight == nil || it.Flight.State == inbox.Held {
			return m.sent[i], true
		}
	}
	return client.Ref{}, false
}

// undo takes back the newest answer that is still held.
func (m model) undo() (model, tea.Cmd) {
	ref, ok := m.lastHeld()
	if !ok {
		return m.say("There is no answer to take back."), nil
	}
	return m.undoOf(ask.Wish{Ref: ref})
}

func without(refs []client.Ref, ref client.Ref) []client.Ref {
	left := make([]client.Ref, 0, len(refs))
	for _, r := range refs {
		if r != ref {
			left = append(left, r)
		}
	}
	return left
}

// arrived drops the drafts of answers that relays have confirmed, whether their
// asks are on the screen or not. It returns the answers that are not over.
func arrived(d *drafts.Store, s *inbox.Snapshot, sent []client.Ref) []client.Ref {
	left := sent
	for _, ref := range sent {
		if it := s.Find(ref); it != nil && it.Flight != nil && it.Flight.State == inbox.Done {
			left = without(left, ref)
			if d != nil {
				d.Remove(ref)
			}
		}
	}
	return left
}
