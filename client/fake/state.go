package fake

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// State is what a relay holds. Whoever has one is inside of [Store.Do], and so
// alone with it.
type State struct {
	// Now is the relay's time.
	Now time.Time
	// Sessions are in the order in which they were added, Asks the oldest first.
	Sessions []*Session
	Asks     []*Ask
	// Most is the most items on a page of a listing, whatever limit asks for; 0 is
	// that limit.
	Most int

	wire    *Wire
	byID    map[string]*Session
	byRef   map[Ref]*Ask
	sent    map[Ref][]Sent
	number  int
	changed bool
	closed  []Ask // not told to the hooks yet
}

// Changed wakes those who wait for something, once this is over.
func (st *State) Changed() { st.changed = true }

// Number counts everything that gets an id, from 1.
func (st *State) Number() int {
	st.number++
	return st.number
}

// key is the name under which an ask is held.
func (st *State) key(ref Ref) Ref {
	if st.wire.OneID {
		ref.Session = ""
	}
	return ref
}

// Session returns a session; nil where there is none.
func (st *State) Session(id string) *Session { return st.byID[id] }

// Ask returns an ask; nil where there is none.
func (st *State) Ask(ref Ref) *Ask { return st.byRef[st.key(ref)] }

// word is how the relay calls what became of an ask; how is "open" for one that is.
func (st *State) word(a *Ask, how string) string {
	if st.wire.Word == nil {
		return how
	}
	return st.wire.Word(a, how)
}

func (st *State) addSession(n Session) *Session {
	n.number = st.Number()
	if n.CreatedAt.IsZero() {
		n.CreatedAt = st.Now
	}
	if n.UpdatedAt.IsZero() {
		n.UpdatedAt = n.CreatedAt
	}
	if n.CreatedBy == (Actor{}) && len(st.wire.Keys) > 0 {
		n.CreatedBy = st.wire.Keys[0].Actor
	}
	if n.ID == "" {
		n.ID = st.wire.NewID(nil, n.number, n.UpdatedAt)
	}
	held := &n
	if st.wire.Session != nil {
		st.wire.Session(st, held)
	}
	st.Sessions = append(st.Sessions, held)
	st.byID[n.ID] = held
	st.Changed()
	return held
}

// Touch notes that a session has changed.
func (st *State) Touch(n *Session, at time.Time) {
	n.Revision++
	if at.After(n.UpdatedAt) {
		n.UpdatedAt = at
	}
	st.Changed()
}

func (st *State) open(session string, a Ask, raw jsontext.Value) *Ask {
	n := st.Session(session)
	if n == nil && !st.wire.OneID {
		panic("the fake relay has no session " + session)
	}
	a.Session, a.raw, a.number = session, raw, st.Number()
	if a.OpenedAt.IsZero() {
		a.OpenedAt = st.Now
	}
	if a.ID == "" {
		a.ID = st.wire.NewID(&a, a.number, a.OpenedAt)
	}
	held := &a
	if st.wire.Ask != nil {
		st.wire.Ask(st, n, held)
	}
	if a.Status == "" {
		held.Status = st.word(held, "open")
	}
	st.Asks = inserted(st.Asks, held)
	if n != nil {
		n.asks = inserted(n.asks, held)
		st.Touch(n, a.OpenedAt)
	}
	st.byRef[st.key(held.Ref())] = held
	st.Changed()
	if st.wire.Opened != nil && held.Open() {
		st.wire.Opened(st, held)
	}
	return held
}

// inserted puts an ask behind those that are older.
func inserted(list []*Ask, a *Ask) []*Ask {
	i := len(list)
	for i > 0 && list[i-1].OpenedAt.After(a.OpenedAt) {
		i--
	}
	return slices.Insert(list, i, a)
}

// Move moves an ask to another session, under the same id.
func (st *State) Move(a *Ask, to *Session) {
	if from := st.Session(a.Session); from != nil {
		from.asks = slices.DeleteFunc(from.asks, func(o *Ask) bool { return o == a })
	}
	a.Session = to.ID
	to.asks = inserted(to.asks, a)
	st.Touch(to, st.Now)
}

// End ends an ask, unless something else was first, and reports whether this
// is the end that counts.
func (st *State) End(a *Ask, e End) bool {
	if a == nil || !a.Open() {
		return false
	}
	e.At = st.Now
	a.End, a.Status = e, st.word(a, e.How)
	if n := st.Session(a.Session); n != nil {
		st.Touch(n, st.Now)
	}
	st.Changed()
	if st.wire.Closed != nil {
		st.wire.Closed(st, a)
	}
	st.closed = append(st.closed, *a)
	return true
}

func (st *State) remove(gone *Ask) {
	same := func(a *Ask) bool { return a == gone }
	st.Asks = slices.DeleteFunc(st.Asks, same)
	if n := st.Session(gone.Session); n != nil {
		n.asks = slices.DeleteFunc(n.asks, same)
	}
	delete(st.byRef, st.key(gone.Ref()))
	st.Changed()
}

// RemoveSession forgets a session, and leaves its asks.
func (st *State) RemoveSession(n *Session) {
	st.Sessions = slices.DeleteFunc(st.Sessions, func(o *Session) bool { return o == n })
	delete(st.byID, n.ID)
	st.Changed()
}

// settle does what is due by the relay's clock: asks expire, and then whatever
// the face has to do.
func (st *State) settle() {
	for _, a := range st.Asks {
		if !a.ExpiresAt.IsZero() && a.Open() && !st.Now.Before(a.ExpiresAt.Add(st.wire.Lag)) {
			st.End(a, End{How: Expired})
		}
	}
	if st.wire.Due != nil {
		st.wire.Due(st)
	}
}

// Note keeps what arrived for an ask.
func (st *State) Note(ref Ref, sent Sent) {
	ref = st.key(ref)
	st.sent[ref] = append(st.sent[ref], sent)
	st.Changed()
}
