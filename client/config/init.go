package config

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"askbox/client/text"
)

//go:embed example.toml
var example []byte

// errThere is [fs.ErrExist] in plain words.
var errThere error = &there{}

type there struct{}

func (*there) Error() string        { return "is there already and stays as it is" }
func (*there) Is(target error) bool { return target == fs.ErrExist }

// Init writes a commented configuration that only its owner can read, and the
// folders to it. It never overwrites one: the error is [fs.ErrExist] then.
func Init(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return errors.New("the folder of " + text.New(path).String() + " cannot be made: " + reason(err))
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s %w", text.New(path), errThere)
	}
	if err != nil {
		return errors.New(text.New(path).String() + " cannot be written: " + reason(err))
	}
	_, err = file.Write(example)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.New(text.New(path).String() + " cannot be written: " + reason(err))
	}
	return nil
}
