package history

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"

	"askbox/client/state"
)

// leftPath is the file of what the next start says first: answers that were not sent, or
// not confirmed, when askbox ended.
func (s *Store) leftPath() string { return filepath.Join(filepath.Dir(s.path), "left.jsonl") }

// Leave keeps attempts for the next start to say, and in the history.
func (s *Store) Leave(attempts ...Entry) error {
	var data []byte
	for _, e := range attempts {
		line, err := encode(e)
		if err != nil {
			return err
		}
		data = append(data, line...)
	}
	err := s.locked(func() error { return s.append(s.leftPath(), data) })
	return errors.Join(err, s.Append(attempts...))
}

// Left returns the attempts that were left to be said, oldest first.
func (s *Store) Left() (left []Entry, err error) {
	_, err = s.readLeft(func(_ []byte, e Entry) { left = append(left, e) })
	return left, err
}

// Seen drops attempts that were said.
func (s *Store) Seen(attempts []Entry) error {
	said := make([][]byte, 0, len(attempts))
	for _, e := range attempts {
		line, err := encode(e)
		if err != nil {
			return err
		}
		said = append(said, bytes.TrimSuffix(line, []byte{'\n'}))
	}
	return s.locked(func() error {
		var rest []byte
		found, err := s.readLeft(func(line []byte, _ Entry) {
			for _, l := range said {
				if bytes.Equal(l, line) {
					return
				}
			}
			rest = append(append(rest, line...), '\n')
		})
		switch {
		case err != nil || !found:
			return err
		case len(rest) == 0:
			return os.Remove(s.leftPath())
		}
		return maybe.WriteFile(s.leftPath(), rest, 0o600)
	})
}

// readLeft calls f with each attempt in the file, and reports whether there is one.
func (s *Store) readLeft(f func(line []byte, e Entry)) (found bool, err error) {
	file, err := state.Open(s.leftPath(), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil {
		_, _, err = linesFrom(file, max(info.Size()-readMost, 0), func(line []byte) {
			if e, err := decode(line); err == nil && e.Tried != nil {
				f(line, e)
			}
		})
	}
	return true, err
}
