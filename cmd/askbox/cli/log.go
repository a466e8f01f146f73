package cli

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"askbox/client/state"
)

// logLimit is the most bytes of the log; one file of the same size before it is kept.
const logLimit = 1 << 20

// openLog opens askbox.log in a folder. The text handler quotes what does not
// print, so that a log can be read on a terminal. close is never nil.
func openLog(dir string) (log *slog.Logger, close func() error, err error) {
	file := &rotating{path: filepath.Join(dir, "askbox.log")}
	if err := file.open(); err != nil {
		return slog.New(slog.DiscardHandler), func() error { return nil }, err
	}
	return slog.New(slog.NewTextHandler(file, nil)), file.Close, nil
}

// rotating is a file that is put aside when it is full.
type rotating struct {
	path string
	mu   sync.Mutex
	file *os.File
	size int64
}

func (r *rotating) open() error {
	file, err := state.Open(r.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	r.file, r.size = file, info.Size()
	return nil
}

// Write appends one line, whole, and puts the file aside first where it would
// become too large.
func (r *rotating) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return 0, fs.ErrClosed
	}
	if r.size > 0 && r.size+int64(len(line)) > logLimit {
		if err := r.rotate(); err != nil {
			return 0, err
		}
	}
	n, err := r.file.Write(line)
	r.size += int64(n)
	return n, err
}

func (r *rotating) rotate() error {
	err := r.file.Close()
	r.file = nil
	if err := errors.Join(err, os.Rename(r.path, r.path+".1")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return r.open()
}

// Close closes the file.
func (r *rotating) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}
