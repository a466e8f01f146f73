// Package wire holds what the JSON of several kinds of relay has in common, on
// its way to the domain: sessions and the people who start them, items that
// cannot be read, whose token it is, and what stands at an address that is no
// relay of the kind that was configured.
//
// The names of keys differ between the kinds, so whoever reads says them. What
// only one kind of relay sends stays in the adapter of that kind.
package wire
