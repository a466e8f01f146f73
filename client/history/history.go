// Package history keeps what was answered here, as JSON lines that a second
// askbox on the same machine may write at the same time.
package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Bounds of the file.
const (
	keepFor   = 30 * 24 * time.Hour
	compactAt = 4 << 20 // bytes at which the file is cleared of what is old
	keepBytes = 2 << 20 // at most, after that; the newest lines stay
	readMost  = 8 << 20 // bytes, the newest; a file beyond that is none that askbox left
	lockFor   = 5 * time.Second
)

// Store is the file history.jsonl. It is safe for concurrent use, and beside
// other processes that use the same file.
type Store struct {
	path string

	mu   sync.Mutex // one writer of this process at a time: a file lock is the process's
	lock *flock.Flock

	readMu  sync.Mutex
	read    os.FileInfo // the file as it was read last
	entries []Entry     // oldest first
}

// Open opens the store in a folder, which is made when it is not there. Lines
// that cannot be read are kept in the file and skipped. What is older than 30
// days is dropped.
func Open(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for the history cannot be made: %w", err)
	}
	s := &Store{path: filepath.Join(folder, "history.jsonl"),
		lock: flock.New(filepath.Join(folder, "history.lock"), flock.SetPermissions(0o600))}
	file, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the history cannot be opened: %w", err)
	}
	defer file.Close()
	// What was answered is nobody else's to read, whoever made the file.
	if err := file.Chmod(0o600); err != nil {
		return nil, fmt.Errorf("the history cannot be kept to its owner: %w", err)
	}
	s.compactIf(func(info os.FileInfo) bool { return info.Size() > compactAt || s.aged() })
	return s, nil
}

// Append adds an entry, durably.
func (s *Store) Append(e Entry) error {
	data, err := encode(e)
	if err != nil {
		return err
	}
	if err := s.locked(func() error { return s.append(data) }); err != nil {
		return fmt.Errorf("the history was not written: %w", err)
	}
	s.compactIf(func(info os.FileInfo) bool { return info.Size() > compactAt })
	return nil
}

// append writes one line to the end. The file is opened anew each time, because
// another askbox may have put another file in its place.
func (s *Store) append(line []byte) error {
	file, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if torn, err := isTorn(file); err != nil {
		return err
	} else if torn {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := file.Write(line); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return file.Close()
}

// isTorn reports whether the last line has no end, because a writer was killed.
func isTorn(file *os.File) (bool, error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return false, err
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], size-1)
	return last[0] != '\n', err
}

// Since returns the entries of this and every other askbox since a moment,
// newest first. The file is read only when it has changed.
func (s *Store) Since(t time.Time) ([]Entry, error) {
	all, err := s.all()
	if err != nil {
		return nil, fmt.Errorf("the history cannot be read: %w", err)
	}
	var out []Entry
	for _, e := range slices.Backward(all) {
		if !e.At.Before(t) {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return b.At.Compare(a.At) })
	return out, nil
}

func (s *Store) all() ([]Entry, error) {
	s.readMu.Lock()
	defer s.readMu.Unlock()
	file, err := os.Open(s.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if s.read != nil && os.SameFile(s.read, info) && s.read.Size() == info.Size() && s.read.ModTime().Equal(info.ModTime()) {
		return s.entries, nil
	}
	var entries []Entry
	err = newest(file, info.Size(), func(line []byte) {
		if e, err := decode(line); err == nil {
			entries = append(entries, e)
		}
	})
	if err != nil {
		return nil, err
	}
	s.read, s.entries = info, entries
	return entries, nil
}

// locked runs while no other askbox writes.
func (s *Store) locked(run func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), lockFor)
	defer cancel()
	got, err := s.lock.TryLockContext(ctx, 10*time.Millisecond)
	if err != nil || !got {
		return fmt.Errorf("another askbox holds it: %w", err)
	}
	err = run()
	return errors.Join(err, s.lock.Unlock())
}
