package client

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"sync"

	"askbox/client/text"
)

// Digest identifies the content of an ask that a decision depends on: equal
// digests mean that the same thing is asked. Sessions, ages, urgency and what a refusal
// does besides are not part of it, and neither is the name that a relay has here. It reads the whole ask; callers keep the result.
func (a *Ask) Digest() string {
	d := newDigester()
	d.strings("askbox ask 1", a.Ref.Session, a.ID, a.Paired)
	d.numbers(int(a.Kind), int(a.Status))
	d.texts(a.KindName, a.StatusName, a.Mode)
	d.strings(a.Unreadable)
	d.flags(a.Waits)
	for act, o := range a.AllOffers() {
		if refusing(Action(act)) {
			// It may depend on what else is open: `the other permission is denied too`.
			o.Effect = ""
		}
		d.flags(o.OK, o.NotAllowed)
		d.strings(o.Why, o.Effect, o.Confirm)
	}
	d.approval(a.Approval)
	d.numbers(len(a.Questions))
	for i := range a.Questions {
		d.question(&a.Questions[i])
	}
	d.flags(a.Secret != nil)
	if a.Secret != nil {
		d.texts(a.Secret.Name, a.Secret.Description)
		d.strings(a.Secret.Where)
	}
	d.parts(a.Fields)
	d.parts(a.Extra)
	return d.done()
}

// refusing reports whether an action lets nothing happen that was asked for.
func refusing(act Action) bool {
	return act == ActDeny || act == ActDenyReason || act == ActDismiss || act == ActDismissMessage
}

// digester feeds a hash so that no two different contents feed it the same
// bytes: every string has its length before it and every list its count.
type digester struct {
	h   hash.Hash
	buf []byte // gathers the many small pieces; empty between two asks
}

// gathered is about how many bytes are gathered before they are hashed.
const gathered = 4 << 10

var digesters = sync.Pool{New: func() any { return &digester{h: sha256.New(), buf: make([]byte, 0, 2*gathered)} }}

func newDigester() *digester {
	d := digesters.Get().(*digester)
	d.h.Reset()
	return d
}

// done returns the digest of all that was fed, and gives the digester back.
func (d *digester) done() string {
	d.flush()
	var sum [sha256.Size]byte
	digest := hex.EncodeToString(d.h.Sum(sum[:0]))
	digesters.Put(d)
	return digest
}

func (d *digester) flush() {
	d.h.Write(d.buf)
	d.buf = d.buf[:0]
}

func (d *digester) numbers(ns ...int) {
	for _, n := range ns {
		d.buf = binary.AppendVarint(d.buf, int64(n))
	}
}

func (d *digester) flags(fs ...bool) {
	for _, f := range fs {
		if f {
			d.numbers(1)
		} else {
			d.numbers(0)
		}
	}
}

func (d *digester) strings(ss ...string) {
	for _, s := range ss {
		d.numbers(len(s))
		for ; len(s) > gathered; s = s[gathered:] {
			d.buf = append(d.buf, s[:gathered]...)
			d.flush()
		}
		if d.buf = append(d.buf, s...); len(d.buf) > gathered {
			d.flush()
		}
	}
}

func (d *digester) texts(ts ...text.Text) {
	for _, t := range ts {
		d.strings(t.Raw())
	}
}

func (d *digester) approval(a *ApprovalAsk) {
	d.flags(a != nil)
	if a == nil {
		return
	}
	d.texts(a.Tool, a.Brief)
	d.parts(a.Parts)
	d.strings(a.Excerpt)
	d.numbers(len(a.Always))
	d.texts(a.Always...)
	d.strings(a.AlwaysScope)
	d.numbers(len(a.Modes))
	for _, m := range a.Modes {
		d.strings(m.ID, m.Label, m.Effect, m.Confirm)
		d.texts(m.Quoted)
	}
	d.numbers(len(a.ApprovingWords))
	d.strings(a.ApprovingWords...)
}

func (d *digester) parts(ps []Part) {
	d.numbers(len(ps))
	for _, p := range ps {
		d.numbers(int(p.Kind), len(p.Args))
		d.texts(p.Key, p.Path, p.Text)
		d.texts(p.Args...)
		d.strings(p.Note)
		d.flags(p.Piece)
	}
}

func (d *digester) question(q *QuestionAsk) {
	d.strings(q.ID, q.Joined)
	d.texts(q.Header, q.Text, q.RecommendedText, q.Detail, q.Default)
	d.numbers(int(q.Type), q.Recommended, q.MaxText, len(q.Options))
	d.flags(q.Multi, q.OwnText, q.TextWithChoices, q.Optional)
	for _, o := range q.Options {
		d.strings(o.ID, o.Effect, o.Confirm)
		d.texts(o.Label, o.Description)
	}
}
