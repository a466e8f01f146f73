// Package drafts keeps answers that were begun and not sent, one file for each ask.
package drafts

import "askbox/client"

// Draft is an answer that was begun. Digest tells what was shown when it was
// written: a draft for another content is shown to be one.
type Draft struct {
	Digest string
	Answer client.Answer
	// Field says which text Message is a draft of: "deny", "allow", "dismiss", or
	// empty for a question's answers.
	Field string
	// Others holds the texts of the other fields, by the same names, where more
	// than one was begun.
	Others map[string]string
}

// Store is the folder drafts/.
type Store struct{}

// Open opens the store in a folder, which is made with mode 0700 when it is not there.
func Open(folder string) (*Store, error) { return nil, nil }

// Save keeps a draft; an empty one removes it. It writes in the background, in
// order, so that a key never waits for a disk. Flush waits.
func (s *Store) Save(ref client.Ref, d Draft) {}

// Load returns the draft of an ask, if there is one.
func (s *Store) Load(ref client.Ref) (Draft, bool) { return Draft{}, false }

// Remove drops the draft of an ask.
func (s *Store) Remove(ref client.Ref) {}

// Flush waits until all is written and returns the first error since the last Flush.
func (s *Store) Flush() error { return nil }
