// Package drafts keeps answers that were begun and not sent, one file for each ask.
package drafts

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/renameio/v2/maybe"

	"askbox/client"
	"askbox/client/state"
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

// Bounds of what is kept.
const (
	keepFor   = 30 * 24 * time.Hour // that nobody comes back to
	mostBytes = 64 << 20            // read at the start, of all drafts; the newest first
)

// Store is the folder drafts/. What is in it is held in memory, so that nobody who draws
// waits for a disk. It is safe for concurrent use.
type Store struct {
	folder string

	mu      sync.Mutex
	idle    *sync.Cond
	drafts  map[client.Ref]Draft
	order   []client.Ref // to be written or removed, the one that has waited longest first
	running bool
	err     error      // the first since the last Flush
	failed  client.Ref // whose last write failed with failing
	failing error
	odd     error // what stands in the place of a draft
}

// file is a draft as it stands on disk. The ref is in it because the name of the
// file is only a digest of it.
type file struct {
	Relay, Session, ID string
	Draft              Draft
}

// Open opens the store in a folder, which is made with mode 0700 when it is not
// there, and reads it. Drafts older than 30 days are dropped.
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
	s := &Store{folder: folder, drafts: map[client.Ref]Draft{}}
	s.idle = sync.NewCond(&s.mu)
	var found []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !strings.HasSuffix(e.Name(), ".json"):
		case !info.Mode().IsRegular():
			s.odd = state.Check(filepath.Join(folder, e.Name()))
		case time.Since(info.ModTime()) > keepFor:
			os.Remove(filepath.Join(folder, e.Name()))
		default:
			found = append(found, info)
		}
	}
	slices.SortFunc(found, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	left := int64(mostBytes)
	for _, info := range found {
		if left -= info.Size(); left < 0 {
			break
		}
		s.read(info.Name())
	}
	return s, nil
}

// read takes up the draft in a file. One that is no draft, or is not where it belongs, is
// left alone.
func (s *Store) read(name string) {
	in, err := state.Open(filepath.Join(s.folder, name), os.O_RDONLY)
	if err != nil {
		return
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, mostBytes))
	var f file
	if err != nil || json.Unmarshal(data, &f) != nil || f.Draft.empty() {
		return
	}
	ref := client.Ref{Relay: f.Relay, Session: f.Session, ID: f.ID}
	if filepath.Base(s.path(ref)) == name {
		s.drafts[ref] = f.Draft
	}
}

// Odd returns an error that names what stands in the place of a draft and is none; nil
// where nothing does.
func (s *Store) Odd() error { return s.odd }

// Save keeps a draft; an empty one removes it. It writes in the background, in
// order, so that a key never waits for a disk. Flush waits. The draft is not to
// be changed afterwards.
func (s *Store) Save(ref client.Ref, d Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.empty() {
		delete(s.drafts, ref)
	} else {
		s.drafts[ref] = d
	}
	// Only the newest of an ask is written, so that typing is never behind by more than
	// one write.
	if !slices.Contains(s.order, ref) {
		s.order = append(s.order, ref)
	}
	if !s.running {
		s.running = true
		go s.write()
	}
}

// Remove drops the draft of an ask.
func (s *Store) Remove(ref client.Ref) { s.Save(ref, Draft{}) }

// Load returns the draft of an ask, if there is one. It does not wait for a disk.
func (s *Store) Load(ref client.Ref) (Draft, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, there := s.drafts[ref]
	return d, there
}

// Failing returns the ask whose draft could not be written or removed when that was last
// tried, and why; nil once a later write went well. The draft is still in memory.
func (s *Store) Failing() (client.Ref, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed, s.failing
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
		ref := s.order[0]
		s.order = s.order[1:]
		d, there := s.drafts[ref]
		s.mu.Unlock()
		err := s.keep(ref, d, there)
		s.mu.Lock()
		s.failed, s.failing = ref, err
		if s.err == nil {
			s.err = err
		}
	}
	s.running = false
	s.idle.Broadcast()
}

func (s *Store) keep(ref client.Ref, d Draft, there bool) error {
	path := s.path(ref)
	if err := state.Check(path); err != nil {
		return fmt.Errorf("a draft cannot be kept: %w", err)
	}
	if !there {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("a draft cannot be removed: %w", err)
		}
		return nil
	}
	data, err := json.Marshal(file{Relay: ref.Relay, Session: ref.Session, ID: ref.ID, Draft: d})
	if err == nil {
		err = maybe.WriteFile(path, data, 0o600)
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
