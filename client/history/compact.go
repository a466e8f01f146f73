package history

import (
	"bufio"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/google/renameio/v2/maybe"

	"askbox/client/state"
)

// aged reports whether the oldest entry is older than what is kept, with a day
// to spare, so that a start does not write the file anew each time. It reads that
// entry alone, because the first frame waits for it.
func (s *Store) aged() bool {
	file, err := state.Open(s.path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer file.Close()
	in := bufio.NewReader(io.LimitReader(file, 64<<10))
	first, err := in.ReadBytes('\n')
	if err == nil && !cutAt(first).IsZero() {
		first, err = in.ReadBytes('\n')
	}
	if err != nil {
		return false
	}
	e, err := decode(first)
	return err == nil && time.Since(e.At) > keepFor+24*time.Hour
}

// compactIf puts a file in place that holds only what is kept, where that is
// wanted once nobody else writes. Where it fails nothing is lost, and the next
// entry tries again, so it is no error of who wrote or opened.
func (s *Store) compactIf(want func(fs.FileInfo) bool) {
	if info, err := os.Lstat(s.path); err == nil && want(info) {
		_ = s.locked(s.compact)
	}
}

// kept is a line that may stay.
type kept struct {
	from, to int32 // in what was read
	at       int64 // seconds; 0 where that is not known
	seen     bool  // it was not answered here, and goes first
}

// compact keeps the bytes of the lines that stay: a newer askbox may have
// written fields that this one does not know.
func (s *Store) compact() error {
	file, err := state.Open(s.path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	var (
		all  []kept
		data []byte
		cut  time.Time
	)
	oldest := time.Now().Add(-keepFor)
	_, _, err = linesFrom(file, max(info.Size()-readMost, 0), func(l []byte) {
		e, err := decode(l)
		switch at := cutAt(l); {
		case err == nil && e.At.Before(oldest), len(l) == 0:
			return
		case !at.IsZero():
			cut = at
			return
		}
		k := kept{from: int32(len(data)), seen: err == nil && !e.Ours()}
		if err == nil {
			k.at = e.At.Unix()
		}
		data = append(append(data, l...), '\n')
		k.to = int32(len(data))
		all = append(all, k)
	})
	if err != nil {
		return err
	}
	size := len(data)
	for _, seen := range []bool{true, false} {
		all = slices.DeleteFunc(all, func(k kept) bool {
			if size <= keepBytes || k.seen != seen {
				return false
			}
			size -= int(k.to - k.from)
			if at := time.Unix(k.at, 0); at.After(cut) && at.Before(time.Now()) {
				cut = at
			}
			return true
		})
	}
	var out []byte
	if cut.After(oldest) {
		if out, err = json.Marshal(cutLine{cut}); err != nil {
			return err
		}
		out = append(out, '\n')
	}
	out = slices.Grow(out, size)
	for _, k := range all {
		out = append(out, data[k.from:k.to]...)
	}
	return maybe.WriteFile(s.path, out, 0o600)
}
