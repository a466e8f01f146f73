// Package state opens the files that askbox keeps between two runs. They are plain files
// of the user's own: a symbolic link, a named pipe or a folder in their place is left
// alone, and nothing is ever waited for.
package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Open opens a file with the flags of [os.OpenFile], and keeps it to its owner.
func Open(path string, flag int) (*os.File, error) {
	if err := Check(path); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, flag|unfollowed, 0o600)
	if err != nil {
		return nil, err
	}
	// What was looked at may have been replaced since.
	info, err := file.Stat()
	if err == nil {
		err = plain(path, info)
	}
	if err == nil && info.Mode().Perm() != 0o600 && flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		err = file.Chmod(0o600)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Check returns an error where something stands at a path that is not a plain file of the
// user's own. That nothing stands there is none.
func Check(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return plain(path, info)
}

func plain(path string, info fs.FileInfo) error {
	what := ""
	switch mode := info.Mode(); {
	case mode.IsRegular() && alone(info):
		return nil
	case mode.IsRegular():
		what = "a file that is somebody else's, or has another name as well"
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	default:
		what = "no plain file"
	}
	return fmt.Errorf("%s is %s, and is left alone; move it away", filepath.Base(path), what)
}

// Folder makes a folder that only its owner can read where there is none.
func Folder(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", filepath.Base(path))
	}
	return err
}

// Shared says what to do where others may write in a folder; empty where they may not.
func Shared(path string) string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() || !sharedWith(info) {
		return ""
	}
	return "Others may write in the folder where askbox keeps what you answer; keep it to yourself with chmod 700"
}
