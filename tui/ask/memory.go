package ask

import (
	"errors"
	"maps"
	"time"

	"askbox/client"
	"askbox/client/inbox"
)

// memory is what a person knows of each ask, so that a change of its content is
// noticed however long it was not on the screen. A value is never changed in
// place: the pane is handed around by value.
type memory map[client.Ref]known

// known is one ask as it was last known.
type known struct {
	ask    *client.Ask // as a drawn frame first showed it, or as its change was acknowledged
	digest string
	shown  string // the content in the last drawn frame
	// owed says that the content changed since, and no key has acknowledged that.
	owed bool
	// refused is when an answer was refused because of a change.
	refused time.Time
}

// mostKnown bounds the memory. What is beyond it is forgotten, the asks that
// nobody has to acknowledge first.
const mostKnown = 2000

// with is the memory with another entry.
func (k memory) with(ref client.Ref, e known) memory {
	next := maps.Clone(k)
	if next == nil {
		next = memory{}
	}
	for r, old := range next {
		if len(next) < mostKnown {
			break
		}
		if !old.owed {
			delete(next, r)
		}
	}
	next[ref] = e
	return next
}

// changed reports whether the content of an ask is not the one that is known, or
// was not in between.
func (k memory) changed(it *inbox.Item) bool {
	e, ok := k[it.Ask.Ref]
	return ok && !it.Ask.Status.Closed() && (e.owed || e.digest != it.Digest)
}

// shows notes that an ask is about to be shown.
func (k memory) shows(it *inbox.Item) memory {
	e, ok := k[it.Ask.Ref]
	if !ok || it.Ask.Status.Closed() {
		return k
	}
	refused := e.refused
	if changed := (*inbox.Changed)(nil); it.Flight != nil && errors.As(it.Flight.Err, &changed) {
		// The content may be again what it was: it changed all the same.
		refused = it.Flight.At
	}
	owed := e.owed || e.digest != it.Digest || !e.refused.Equal(refused)
	if owed == e.owed && e.refused.Equal(refused) {
		return k
	}
	e.owed, e.refused = owed, refused
	return k.with(it.Ask.Ref, e)
}

// drawn notes that the terminal has drawn the ask.
func (k memory) drawn(it *inbox.Item) memory {
	e, ok := k[it.Ask.Ref]
	switch {
	case it.Ask.Status.Closed() || ok && e.shown == it.Digest:
		return k
	case !ok:
		e = known{ask: it.Ask, digest: it.Digest}
	}
	e.shown = it.Digest
	return k.with(it.Ask.Ref, e)
}

// Knows notes asks that were read as parts of one document and answered with it, so
// that a change of one is told against what was read.
func (m Model) Knows(items []*inbox.Item) Model {
	for _, it := range items {
		if _, ok := m.known[it.Ask.Ref]; !ok {
			m.known = m.known.with(it.Ask.Ref, known{ask: it.Ask, digest: it.Digest})
		}
	}
	return m
}

// Changed reports whether the content of an ask is not what the person knows of
// it, for the mark in the list.
func (m Model) Changed(it *inbox.Item) bool { return m.known.changed(it) }

// owed reports whether a change of the ask shown waits to be acknowledged.
func (m Model) owed() bool { return m.item != nil && m.known.changed(m.item) }

// acknowledge takes a key that would approve or answer as the word that a change
// was seen: it does nothing else then. why is empty where nothing had changed.
func (m Model) acknowledge(g Gate) (_ Model, why string) {
	ref := m.item.Ask.Ref
	switch {
	case !m.owed() && !m.stale:
		return m, ""
	case !g.Open:
		return m, g.Why
	case m.known[ref].shown != m.item.Digest:
		return m, "Nothing was sent: the ask has only just come on the screen. Press the key again."
	}
	why = "Nothing was sent: this ask changed since you saw it. Read it again."
	if m.stale {
		why = "Nothing was sent: this ask changed after you typed that. Read it again."
	}
	e := m.known[ref]
	e.ask, e.digest, e.owed = m.item.Ask, m.item.Digest, false
	m.known = m.known.with(ref, e)
	m.stale = false
	m.changes++
	return m, why
}
