package inbox

import (
	"reflect"
	"slices"
	"time"

	"askbox/client"
	"askbox/client/history"
)

// Bounds of what is held of the last day.
const (
	answeredFor = 24 * time.Hour
	// heldMost is how many asks are held that were answered here, and how many others;
	// a quarter more before the oldest are dropped.
	heldMost = 2000
)

// origin is where it is known from that an ask closed. What a later one says of it
// comes before what an earlier one says.
type origin int

const (
	fromAttempt origin = iota // an answer was given here that is not known to have counted
	fromHistory               // the file, which other askboxes on this machine write too
	fromHere                  // it closed while this program looked on
	fromListing               // the relay's listing of closed asks
	origins
)

// day is what closed in the last day, each ask once, kept sorted as it comes. All
// times in it are by this machine's clock.
type day struct {
	known   map[client.Ref]*closedAs
	all     []*history.Entry // of known, newest first
	mine    int              // of all: what this person closed
	since   time.Time        // what closed before is not held; zero: all of the day is
	changed bool             // since the last snapshot
	whole   time.Time        // all since then is held, however much; zero: the last day, within bounds
}

// closedAs is what is known of how one ask closed.
type closedAs struct {
	from [origins]*history.Entry
	is   *history.Entry // what they come to; nil when they are older than a day
}

// learn takes down what is said of an ask. What is older than what is held is not taken.
func (d *day) learn(e *history.Entry, from origin) {
	k := d.known[e.Ref]
	if k == nil {
		if !e.Ours() && !e.At.IsZero() && e.At.Before(d.since) {
			return
		}
		if d.known == nil {
			d.known = map[client.Ref]*closedAs{}
		}
		k = &closedAs{}
		d.known[e.Ref] = k
	}
	if old := k.from[from]; old != nil && sameEntry(old, e) {
		return
	}
	if here := k.from[fromHere]; from == fromHistory && here != nil && sameEntry(here, e) {
		e = here // it was written from here, and is held once
	}
	k.from[from] = e
	d.sort(e.Ref, k)
	if d.whole.IsZero() && len(d.all) > heldMost+heldMost/4 {
		d.trim()
	}
}

// oldest is the moment since when asks are held.
func (d *day) oldest() time.Time {
	if !d.whole.IsZero() {
		return d.whole
	}
	return time.Now().Add(-answeredFor)
}

// sort gives an ask its place in the list.
func (d *day) sort(ref client.Ref, k *closedAs) {
	now := k.merged(d.oldest())
	if now == nil {
		delete(d.known, ref)
	}
	if k.is == now || k.is != nil && now != nil && sameEntry(k.is, now) {
		return
	}
	d.changed = true
	if k.is != nil {
		i, _ := slices.BinarySearchFunc(d.all, k.is, laterFirst)
		d.all = slices.Delete(d.all, i, i+1)
		d.count(k.is, -1)
	}
	if k.is = now; now != nil {
		i, _ := slices.BinarySearchFunc(d.all, now, laterFirst)
		d.all = slices.Insert(d.all, i, now)
		d.count(now, 1)
	}
}

func (d *day) count(e *history.Entry, n int) {
	if e.Mine() {
		d.mine += n
	}
}

// after takes down what an agent did since an ask of it was answered here.
func (d *day) after(ref client.Ref, after client.After) {
	if k := d.known[ref]; k != nil && k.from[fromHere] != nil {
		e := *k.from[fromHere]
		e.After = after
		d.learn(&e, fromHere)
	}
}

// reopened drops what was said of the end of an ask that is open after all.
func (d *day) reopened(ref client.Ref) {
	if k := d.known[ref]; k != nil {
		k.from[fromHere], k.from[fromListing] = nil, nil
		d.sort(ref, k)
	}
}

// lose notes that nothing from before a moment is held.
func (d *day) lose(before time.Time) {
	if before.After(d.since) {
		d.since, d.changed = before, true
	}
}

// trim drops the oldest of what is too much to be held.
func (d *day) trim() {
	var count [2]int
	d.all = slices.DeleteFunc(d.all, func(e *history.Entry) bool {
		n := &count[0]
		if e.Ours() {
			n = &count[1]
		}
		if *n++; *n <= heldMost {
			return false
		}
		delete(d.known, e.Ref)
		d.count(e, -1)
		d.lose(e.At.Add(time.Nanosecond))
		return true
	})
}

// expire drops what is older than a day.
func (d *day) expire() {
	oldest := d.oldest()
	for i := len(d.all) - 1; i >= 0; i-- {
		e := d.all[i]
		if e.At.IsZero() {
			continue
		}
		if !e.At.Before(oldest) {
			break
		}
		d.all, d.changed = slices.Delete(d.all, i, i+1), true
		delete(d.known, e.Ref)
		d.count(e, -1)
	}
	if !d.since.IsZero() && d.since.Before(oldest) {
		d.since, d.changed = time.Time{}, true
	}
}

// merged puts together what is known of an ask: the relay's own word on how it
// closed comes before what was seen here, and that it was answered here is kept with
// it. It is nil where all of it is older than what counts.
func (k *closedAs) merged(oldest time.Time) (is *history.Entry) {
	for _, e := range k.from {
		switch {
		case e == nil, !e.At.IsZero() && e.At.Before(oldest):
		case is == nil:
			is = e
		default:
			is = joined(is, e)
		}
	}
	if is != nil && is.Here && is.Tried != nil {
		answered := *is // what was tried before counts no more
		answered.Tried = nil
		is = &answered
	}
	return is
}

// joined returns an entry with what an earlier one knew beyond it.
func joined(known, e *history.Entry) *history.Entry {
	is := *e
	if known.Ours() && !e.Ours() {
		is = asAnswered(is, *known)
	}
	if is.Tried == nil {
		is.Tried = known.Tried
	}
	is.Here = is.Here || known.Here
	is.ByMe = is.ByMe || known.ByMe && is.How == known.How
	if is.At.IsZero() {
		is.At = known.At
	}
	if len(is.With) == 0 && is.How == known.How {
		is.With, is.Answer = known.With, known.Answer
	}
	if is.Surface.Empty() {
		is.Surface = known.Surface
	}
	is.After = max(is.After, known.After)
	return &is
}

// asAnswered returns what a relay says of an ask that was answered here, with what
// was on the screen then, and what the relay has instead where that differs.
func asAnswered(is, here history.Entry) history.Entry {
	what := is.What
	is.Kind, is.What, is.Session = here.Kind, here.What, here.Session
	switch {
	case !here.Shown.Empty() || !here.Told.Empty():
		is.Shown, is.Told, is.Note = here.Shown, here.Told, here.Note
	case !what.Empty() && !what.Equal(here.What) && is.How == here.How:
		is.Shown, is.Told, is.Note = here.What, what, Differ
	}
	return is
}

func laterFirst(x, y *history.Entry) int {
	if c := y.At.Compare(x.At); c != 0 {
		return c
	}
	return compareRefs(x.Ref, y.Ref)
}

func sameEntry(x, y *history.Entry) bool {
	if x == y || !x.At.Equal(y.At) {
		return x == y
	}
	z := *x // of which only the form of the time may differ
	z.At = y.At
	return reflect.DeepEqual(&z, y)
}
