package client

// Validate says whether an answer fits its ask: nil, *InvalidAnswer with the
// field at fault in the words of the wire, *Elsewhere, or *Closed.
func Validate(ask *Ask, answer Answer) error { return nil }

// Digest identifies the content of an ask that a decision depends on: equal
// digests mean that the same thing is asked. A session's title, ages and urgency
// are not part of it.
func (a *Ask) Digest() string { return "" }
