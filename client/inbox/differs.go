package inbox

import (
	"fmt"

	"askbox/client"
)

// Differ is the note in the history on an answer to something else than was shown.
const Differ = "the relay says that something else was answered than what was shown"

// changed is why an answer to an ask with other content is refused.
func (f *flight) changed(it *Item) *Changed {
	return &Changed{Item: it, Shown: f.shown, Sent: f.sent}
}

// changedUnder takes down that a reading which began after an answer was given
// shows its ask with another content. It is called with the lock held.
func (b *Inbox) changedUnder(f *flight, it *Item) {
	switch {
	case f == nil || f.over() || it.Digest == f.digest:
	case f.sent && f.shown.SameContent(it.Ask):
	case f.sent:
		// Open with another content, so that is what the answer was taken for, if it was.
		f.other = it.Ask
	default:
		close(f.stop)
		b.outcome(f, Refused, f.changed(it), it.Ask)
	}
}

// outrun takes down what a reading shows that a newer one has overruled: the content
// may have been another one after the answer was given, and have changed back.
func (b *Inbox) outrun(ref client.Ref, a *client.Ask, began uint64) {
	if f := b.flights[ref]; f != nil && began > f.began {
		b.changedUnder(f, &Item{Ask: a, Digest: a.Digest()})
	}
}

// compare takes down where a closed ask has another content than was shown when
// its answer was given.
func (f *flight) compare(now *client.Ask) {
	if f.sent && !f.shown.SameContent(now) {
		f.other = now
	}
}

// asShown returns a closed ask that an answer from here closed, or may have, with
// the content that was on the screen. Where the relay tells of another one, that
// stands beside it, and is said once.
func (b *Inbox) asShown(f *flight, now *client.Ask) *client.Ask {
	f.compare(now)
	c := *now
	asks(&c, f.shown)
	if f.other == nil {
		return &c
	}
	if f.differs == nil {
		b.notice(f.ref, fmt.Sprintf("%s: %s; both stand in its row and under h", f.ref, Differ))
	}
	f.differs, c.Raw = f.other, f.shown.Raw
	return &c
}
