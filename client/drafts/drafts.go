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
	"maps"
	"os"
	"path/filepath"
	"reflect"
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

// Texts returns what was typed, a text for each field.
func (d Draft) Texts() (texts []string) {
	for _, q := range d.Answer.Questions {
		texts = append(texts, q.Text)
	}
	texts = append(texts, d.Answer.Message)
	for _, field := range slices.Sorted(maps.Keys(d.Others)) {
		texts = append(texts, d.Others[field])
	}
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// Bounds of what is kept.
const (
	keepFor   = 30 * 24 * time.Hour // that nobody comes back to
	mostBytes = 64 << 20            // read at the start, of all drafts; the newest first
)

// Store is the folder drafts/ with what it holds, which is read once and then kept in
// memory: nobody waits for a disk to have a draft or to keep one. It is safe for
// concurrent use.
type Store struct {
	folder string

	mu      sync.Mutex
	idle    *sync.Cond
	drafts  map[client.Ref]Draft
	waiting []client.Ref // to be written or removed, the one that has waited longest first
	running bool
	looking bool                 // a file is read again
	unkept  map[client.Ref]error // why a draft stands in memory alone
	changed chan struct{}
	err     error // of what could not be removed; the first since the last Flush
	odd     error // what stands in the place of a draft
}

// Unkept is a draft that could not be written, and is lost when the program ends.
type Unkept struct {
	Ref   client.Ref
	Draft Draft
	Err   error
}

// file is a draft as it stands on disk. The ref is in it because the name of the
// file is only a digest of it.
type file struct {
	Relay, Session, ID string
	Draft              Draft
}

func (f file) ref() client.Ref {
	return client.Ref{Relay: f.Relay, Session: f.Session, ID: f.ID}
}

// Open opens the store in a folder, which is made with mode 0700 when it is not
// there. Drafts older than 30 days are dropped. With an error the store keeps its drafts
// in memory, and tries the folder again for each of them.
func Open(folder string) (*Store, error) {
	s := &Store{folder: folder, drafts: map[client.Ref]Draft{}, unkept: map[client.Ref]error{}, changed: make(chan struct{}, 1)}
	s.idle = sync.NewCond(&s.mu)
	if err := s.make(); err != nil {
		return s, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return s, fmt.Errorf("the drafts cannot be listed: %w", err)
	}
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
		name := filepath.Join(folder, info.Name())
		if f, err := read(name); err == nil && s.path(f.ref()) == name {
			s.drafts[f.ref()] = f.Draft
		}
	}
	return s, nil
}

// Odd returns an error that names what stands in the place of a draft and is none; nil
// where nothing does.
func (s *Store) Odd() error { return s.odd }

func (s *Store) make() error {
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return fmt.Errorf("the folder for drafts cannot be made: %w", err)
	}
	if err := os.Chmod(s.folder, 0o700); err != nil {
		return fmt.Errorf("the folder for drafts cannot be kept to its owner: %w", err)
	}
	return nil
}

// errNone means that a file holds no draft.
var errNone = errors.New("there is no draft in it")

// read reads a file, which is never waited for: see [state.Open].
func read(name string) (f file, err error) {
	in, err := state.Open(name, os.O_RDONLY)
	if err != nil {
		return f, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, mostBytes))
	if err == nil && (json.Unmarshal(data, &f) != nil || f.Draft.empty()) {
		err = errNone
	}
	return f, err
}

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
	s.write(ref)
}

// Remove drops the draft of an ask.
func (s *Store) Remove(ref client.Ref) { s.Save(ref, Draft{}) }

// write leaves a draft for the writer, with those that it failed with. Only the newest
// of an ask is written, so that typing is never behind by more than one write.
func (s *Store) write(refs ...client.Ref) {
	for other := range s.unkept {
		refs = append(refs, other)
	}
	for _, ref := range refs {
		if !slices.Contains(s.waiting, ref) {
			s.waiting = append(s.waiting, ref)
		}
	}
	if !s.running && len(s.waiting) > 0 {
		s.running = true
		go s.writeAll()
	}
}

// Has reports whether there is a draft of an ask.
func (s *Store) Has(ref client.Ref) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.drafts[ref]
	return ok
}

// Load returns the draft of an ask, if there is one. What another askbox has written
// since is read in the background; Changed tells of it.
func (s *Store) Load(ref client.Ref) (Draft, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.looking {
		s.looking = true
		go s.look(ref)
	}
	d, ok := s.drafts[ref]
	return d, ok
}

// look reads a draft again.
func (s *Store) look(ref client.Ref) {
	f, err := read(s.path(ref))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looking = false
	if err != nil || f.ref() != ref || s.running || s.unkept[ref] != nil || reflect.DeepEqual(s.drafts[ref], f.Draft) {
		return
	}
	s.drafts[ref] = f.Draft
	s.tell()
}

// Unkept returns the drafts that could not be written, in the order of their refs.
func (s *Store) Unkept() []Unkept {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Unkept
	for ref, err := range s.unkept {
		all = append(all, Unkept{ref, s.drafts[ref], err})
	}
	slices.SortFunc(all, func(a, b Unkept) int { return strings.Compare(a.Ref.String(), b.Ref.String()) })
	return all
}

// Changed returns a channel that has an element when a draft could not be written, when
// it is after all, and when another askbox has written one.
func (s *Store) Changed() <-chan struct{} { return s.changed }

func (s *Store) tell() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// Flush tries once more what could not be written, waits until all is, and returns the
// first error since the last Flush.
func (s *Store) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.running {
		s.idle.Wait()
	}
	s.write()
	for s.running {
		s.idle.Wait()
	}
	err := s.err
	s.err = nil
	for _, failed := range s.unkept {
		err = failed
	}
	return err
}

// writeAll writes what waits and ends when nothing does.
func (s *Store) writeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) > 0 {
		ref := s.waiting[0]
		d, there := s.drafts[ref]
		s.waiting = s.waiting[1:]
		s.mu.Unlock()
		err := s.keep(ref, d)
		s.mu.Lock()
		failed := s.unkept[ref] != nil
		switch {
		case err != nil && there:
			s.unkept[ref] = err
		case err != nil && s.err == nil:
			s.err = err
			fallthrough
		default:
			delete(s.unkept, ref)
		}
		if failed != (s.unkept[ref] != nil) {
			s.tell()
		}
	}
	s.running = false
	s.idle.Broadcast()
}

// keep writes a draft, or removes an empty one. A folder that somebody removed is made
// again.
func (s *Store) keep(ref client.Ref, d Draft) error {
	path := s.path(ref)
	if err := state.Check(path); err != nil {
		return fmt.Errorf("a draft cannot be kept: %w", err)
	}
	if d.empty() {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("a draft cannot be removed: %w", err)
		}
		return nil
	}
	if _, err := os.Stat(s.folder); err != nil {
		if err := s.make(); err != nil {
			return err
		}
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
