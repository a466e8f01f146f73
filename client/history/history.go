// Package history keeps what was answered here, as JSON lines that a second
// askbox on the same machine may write at the same time.
package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"askbox/client/state"
	"askbox/client/text"
)

// Bounds of the file.
const (
	keepFor   = 30 * 24 * time.Hour
	compactAt = 4 << 20 // bytes at which the file is cleared of what is old
	keepBytes = 2 << 20 // at most, after that; what was answered here stays longest
	readMost  = 8 << 20 // bytes, the newest; a file beyond that is none that askbox left
	mostLine  = 1 << 20 // bytes of a line; one beyond that is none that askbox wrote
	ahead     = time.Hour
	lockFor   = 5 * time.Second
)

// Store is the file history.jsonl. It is safe for concurrent use, and beside
// other processes that use the same file.
type Store struct {
	path string
	mu   sync.Mutex // one writer of this process at a time: a file lock is the process's
	lock *flock.Flock

	readMu   sync.Mutex
	progress progress // of Fresh
}

// At returns the store in a folder. Nothing is read or written yet.
func At(folder string) *Store {
	return &Store{path: filepath.Join(folder, "history.jsonl"),
		lock: flock.New(filepath.Join(folder, "history.lock"), flock.SetPermissions(0o600))}
}

// Open opens the store in a folder, which is made when it is not there. Lines
// that cannot be read are kept in the file and skipped. What is older than 30
// days is dropped.
func Open(folder string) (*Store, error) {
	s := At(folder)
	if err := state.Folder(folder); err != nil {
		return nil, fmt.Errorf("the folder for the history cannot be made: %w", err)
	}
	file, err := state.Open(s.path, os.O_RDWR|os.O_CREATE)
	if err == nil {
		err = errors.Join(file.Close(), state.Check(s.lock.Path()))
	}
	if err != nil {
		return nil, fmt.Errorf("the history cannot be opened: %w", err)
	}
	s.compactIf(func(info fs.FileInfo) bool { return info.Size() > compactAt || s.aged() })
	return s, nil
}

// Append adds entries, durably.
func (s *Store) Append(entries ...Entry) error {
	var data []byte
	for _, e := range entries {
		line, err := encode(e)
		if err != nil {
			return err
		}
		data = append(data, line...)
	}
	if err := s.locked(func() error { return s.append(s.path, data) }); err != nil {
		return fmt.Errorf("the history was not written: %w", err)
	}
	s.compactIf(func(info fs.FileInfo) bool { return info.Size() > compactAt })
	return nil
}

// append writes lines to the end of a file, which is opened anew each time, because
// another askbox may have put another one in its place.
func (s *Store) append(path string, lines []byte) error {
	file, err := state.Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	defer file.Close()
	if torn, err := isTorn(file); err != nil {
		return err
	} else if torn {
		lines = append([]byte{'\n'}, lines...)
	}
	if _, err := file.Write(lines); err != nil {
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

// Reading is what the history holds since a moment.
type Reading struct {
	Entries []Entry // newest first
	// Since is the moment before which answers are not in the file any more, because
	// there were too many; zero where that is not after the one that was asked for.
	Since time.Time
	// LeftOut is how many lines were not read, because they are too long to be entries.
	LeftOut int
}

// Read returns what this and every other askbox kept since a moment. Where there is no
// file, nothing was kept.
func (s *Store) Read(t time.Time) (Reading, error) {
	var all progress
	return s.take(&all, t)
}

// Since returns the entries of [Store.Read].
func (s *Store) Since(t time.Time) ([]Entry, error) {
	r, err := s.Read(t)
	return r.Entries, err
}

// Fresh returns what [Store.Read] does, without what it returned before: an inbox reads the
// file each minute, and holds what it wants to of it.
func (s *Store) Fresh(t time.Time) (Reading, error) {
	s.readMu.Lock()
	defer s.readMu.Unlock()
	return s.take(&s.progress, t)
}

// progress is how far a file was read.
type progress struct {
	file    fs.FileInfo
	upto    int64      // where what is new begins
	made    Precedents // in all of it
	cut     time.Time  // nothing from before is in it
	leftOut int
}

// take reads the part of the file that is new. Where another askbox has put another file
// in its place, all of that is.
func (s *Store) take(p *progress, since time.Time) (Reading, error) {
	file, err := state.Open(s.path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return Reading{}, nil
	}
	if err != nil {
		return Reading{}, fmt.Errorf("the history cannot be read: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && (p.file == nil || !os.SameFile(p.file, info) || info.Size() < p.upto) {
		*p = progress{upto: max(info.Size()-readMost, 0), made: Precedents{}}
	}
	var r Reading
	if err == nil {
		p.file = info
		r.Entries, err = p.read(file, since)
	}
	if err != nil {
		return Reading{}, fmt.Errorf("the history cannot be read: %w", err)
	}
	if r.LeftOut = p.leftOut; p.cut.After(since) {
		r.Since = p.cut
	}
	slices.Reverse(r.Entries)
	slices.SortStableFunc(r.Entries, func(a, b Entry) int { return b.At.Compare(a.At) })
	return r, nil
}

// read takes up what is new in a file, and returns the entries of it since a moment, oldest
// first.
func (p *progress) read(file *os.File, since time.Time) (entries []Entry, err error) {
	made, latest := maps.Clone(p.made), time.Now().Add(ahead)
	read, tooLong, err := linesFrom(file, p.upto, func(line []byte) {
		e, err := decode(line)
		if err != nil {
			if cut := cutAt(line); cut.After(p.cut) {
				p.cut = cut
			}
			return
		}
		made.add(&e)
		if e.At.After(latest) {
			// Nobody can say when that was; what is ahead of all others would lead them.
			e.Note = joinWords(e.Note, "the history has "+text.New(e.At.Format(time.DateTime)).String()+" for it, which is not over yet")
			e.At = time.Time{}
		}
		if e.At.IsZero() || !e.At.Before(since) {
			entries = append(entries, e)
		}
	})
	p.upto, p.leftOut, p.made = p.upto+read, p.leftOut+tooLong, made
	return entries, err
}

func joinWords(first, second string) string {
	if first == "" {
		return second
	}
	return first + "; " + second
}

// locked runs while no other askbox writes.
func (s *Store) locked(run func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := state.Check(s.lock.Path()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockFor)
	defer cancel()
	got, err := s.lock.TryLockContext(ctx, 10*time.Millisecond)
	if errors.Is(err, context.DeadlineExceeded) || err == nil && !got {
		return errors.New("another askbox holds it")
	}
	if err != nil {
		return fmt.Errorf("it cannot be locked: %w", err)
	}
	err = run()
	return errors.Join(err, s.lock.Unlock())
}
