// Package drafts keeps answers that were begun and not sent, one file for each ask.
package drafts

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/google/renameio/v2/maybe"

	"askbox/client"
)

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

// empty reports whether nothing was begun that anybody would miss. A decision
// alone is not: it is a key away.
func (d Draft) empty() bool {
	for _, q := range d.Answer.Questions {
		if len(q.Choices) > 0 || q.Text != "" {
			return false
		}
	}
	for _, o := range d.Others {
		if o != "" {
			return false
		}
	}
	return d.Answer.Message == "" && d.Answer.Mode == ""
}

// keepFor is how long a draft is kept that nobody comes back to.
const keepFor = 30 * 24 * time.Hour

// Store is the folder drafts/. It is safe for concurrent use.
type Store struct {
	folder string

	mu      sync.Mutex
	idle    *sync.Cond
	waiting map[client.Ref]*Draft // to be written; nil: to be removed
	order   []client.Ref          // of waiting, the one that has waited longest first
	writing *job                  // what the writer is at
	running bool
	err     error // the first since the last Flush
}

type job struct {
	ref   client.Ref
	draft *Draft
}

// file is a draft as it stands on disk. The ref is in it because the name of the
// file is only a digest of it.
type file struct {
	Relay, Session, ID string
	Draft              Draft
}

// Open opens the store in a folder, which is made with mode 0700 when it is not
// there. Drafts older than 30 days are dropped.
func Open(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for drafts cannot be made: %w", err)
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for drafts cannot be kept to its owner: %w", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("the drafts cannot be listed: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasSuffix(e.Name(), ".json") && time.Since(info.ModTime()) > keepFor {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
	s := &Store{folder: folder, waiting: map[client.Ref]*Draft{}}
	s.idle = sync.NewCond(&s.mu)
	return s, nil
}

// Save keeps a draft; an empty one removes it. It writes in the background, in
// order, so that a key never waits for a disk. Flush waits. The draft is not to
// be changed afterwards.
func (s *Store) Save(ref client.Ref, d Draft) {
	if d.empty() {
		s.put(ref, nil)
		return
	}
	s.put(ref, &d)
}

// Remove drops the draft of an ask.
func (s *Store) Remove(ref client.Ref) { s.put(ref, nil) }

// put leaves a draft for the writer. Only the newest of an ask is written, so
// that typing is never behind by more than one write.
func (s *Store) put(ref client.Ref, d *Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.waiting[ref]; !there {
		s.order = append(s.order, ref)
	}
	s.waiting[ref] = d
	if !s.running {
		s.running = true
		go s.write()
	}
}

// Load returns the draft of an ask, if there is one, also while it is still on
// its way to the disk. A file that cannot be read is no draft.
func (s *Store) Load(ref client.Ref) (Draft, bool) {
	s.mu.Lock()
	d, there := s.waiting[ref]
	if !there && s.writing != nil && s.writing.ref == ref {
		d, there = s.writing.draft, true
	}
	s.mu.Unlock()
	if there {
		if d == nil {
			return Draft{}, false
		}
		return *d, true
	}
	data, err := os.ReadFile(s.path(ref))
	if err != nil {
		return Draft{}, false
	}
	var f file
	if json.Unmarshal(data, &f) != nil || (client.Ref{Relay: f.Relay, Session: f.Session, ID: f.ID}) != ref || f.Draft.empty() {
		return Draft{}, false
	}
	return f.Draft, true
}

// Flush waits until all is written and returns the first error since the last Flush.
func (s *Store) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.running {
		s.idle.Wait()
	}
	err := s.err
	s.err = nil
	return err
}

// write writes what waits and ends when nothing does.
func (s *Store) write() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.order) > 0 {
		j := &job{ref: s.order[0], draft: s.waiting[s.order[0]]}
		delete(s.waiting, j.ref)
		s.order, s.writing = s.order[1:], j
		s.mu.Unlock()
		err := s.keep(j)
		s.mu.Lock()
		s.writing = nil
		if s.err == nil {
			s.err = err
		}
	}
	s.running = false
	s.idle.Broadcast()
}

func (s *Store) keep(j *job) error {
	if j.draft == nil {
		if err := os.Remove(s.path(j.ref)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("a draft cannot be removed: %w", err)
		}
		return nil
	}
	data, err := json.Marshal(file{Relay: j.ref.Relay, Session: j.ref.Session, ID: j.ref.ID, Draft: *j.draft})
	if err == nil {
		err = maybe.WriteFile(s.path(j.ref), data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("a draft cannot be written: %w", err)
	}
	return nil
}

// path is where the draft of an ask is. Ids are the relay's: none of their
// characters gets into a name.
func (s *Store) path(ref client.Ref) string {
	var name []byte
	for _, part := range []string{ref.Relay, ref.Session, ref.ID} {
		name = binary.AppendUvarint(name, uint64(len(part)))
		name = append(name, part...)
	}
	sum := sha256.Sum256(name)
	return filepath.Join(s.folder, hex.EncodeToString(sum[:16])+".json")
}
