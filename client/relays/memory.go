package relays

import (
	"slices"
	"sync"

	"askbox/client"
	"askbox/client/relays/httpx"
)

// Memory holds what the pages of a relay's listings were read as at the last whole
// reading, by what was asked for, with the sum of each. A page that comes again byte for
// byte is not read again, so that the poll of a relay on which nothing happened costs next to
// nothing. A page that was read on another basis B (for another person, with another
// state of its session) is another page. It is safe for concurrent use.
type Memory[B comparable, T any] struct {
	mu    sync.Mutex
	pages map[string]remembered[B, T]
	asks  []*client.Ask // of all pages, as they were told last
}

type remembered[B comparable, T any] struct {
	basis B
	sum   httpx.Sum
	as    T
}

// Reading is one reading of the pages of a relay. It is safe for concurrent use.
type Reading[B comparable, T any] struct {
	of     *Memory[B, T]
	before map[string]remembered[B, T]
	asks   []*client.Ask

	mu    sync.Mutex
	now   map[string]remembered[B, T]
	fresh bool // a page is not one of before
}

// Begin begins a reading. What it reads is held once [Reading.Keep] is called.
func (m *Memory[B, T]) Begin() *Reading[B, T] {
	m.mu.Lock()
	defer m.mu.Unlock()
	return &Reading[B, T]{of: m, before: m.pages, asks: m.asks, now: map[string]remembered[B, T]{}}
}

// Before returns the sum of the page at the reading before, for [httpx.Request.Before].
// It is 0 where that was read on another basis, or not at all, and then basis is not
// called: it may have to wait.
func (r *Reading[B, T]) Before(page string, basis func() B) httpx.Sum {
	if old, ok := r.before[page]; ok && old.basis == basis() {
		return old.sum
	}
	return 0
}

// ReadBefore returns what a page was read as at the reading before, whatever it was, for
// the items in it that come again as they were. It is the zero value where there was none.
func (r *Reading[B, T]) ReadBefore(page string) T { return r.before[page].as }

// Known returns what a page was read as at the reading before, where that was on the
// same basis. Taken as the same one it counts as read now.
func (r *Reading[B, T]) Known(page string, basis B) (as T, ok bool) {
	old, ok := r.before[page]
	return old.as, ok && old.basis == basis
}

// Take takes a page that came, by the sum of its body. same says that the body is the
// one of which Before returned the sum; read reads any other.
func (r *Reading[B, T]) Take(page string, basis B, sum httpx.Sum, same bool, read func() (T, error)) (T, error) {
	p := r.before[page]
	if !same {
		as, err := read()
		if err != nil {
			return as, err
		}
		p = remembered[B, T]{basis, sum, as}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now[page], r.fresh = p, r.fresh || !same
	return p.as, nil
}

// Same reports whether the reading gave the very pages of the reading before.
func (r *Reading[B, T]) Same() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.fresh && len(r.now) == len(r.before) && r.before != nil
}

// AsBefore returns the asks of the reading before where this one gave its very pages, and
// what gather makes of the pages elsewhere.
func (r *Reading[B, T]) AsBefore(gather func() []*client.Ask) []*client.Ask {
	if r.Same() {
		return r.asks
	}
	return gather()
}

// Keep holds what was read in place of what was held, and the asks that were made of
// it. It returns them in the very slice in which they were told before, where they
// are the same ones: nobody has to look through it then.
func (r *Reading[B, T]) Keep(asks []*client.Ask) []*client.Ask {
	if slices.Equal(asks, r.asks) {
		asks = r.asks
	}
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.of.pages, r.of.asks = r.now, asks
	return asks
}
