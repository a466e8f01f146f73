// Package history keeps what was answered here, as JSON lines that a second
// askbox on the same machine may write at the same time.
package history

import (
	"time"

	"askbox/client"
	"askbox/client/text"
)

// Entry is one ask that was closed.
type Entry struct {
	Ref     client.Ref
	Kind    client.Kind
	Waited  bool // whether the session waited
	What    text.Text
	Session text.Text // title
	How     client.Status
	By      text.Text // name; empty when not known
	ByMe    bool
	At      time.Time
	With    []text.Text // what was answered, as in client.Closing.Answer
	Note    string      // the program's words
	// Here says that it was answered with this program, on this machine.
	Here bool
}

// Store is the file history.jsonl.
type Store struct{}

// Open opens the store in a folder, which is made when it is not there. Lines
// that cannot be read are kept in the file and skipped.
func Open(folder string) (*Store, error) { return nil, nil }

// Append adds an entry, durably.
func (s *Store) Append(e Entry) error { return nil }

// Since returns the entries of this and every other askbox since a moment, newest first.
func (s *Store) Since(t time.Time) ([]Entry, error) { return nil, nil }
