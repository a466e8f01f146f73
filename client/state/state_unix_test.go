//go:build unix

package state

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What stands in the place of a file is left as it is, and never waited for.
func TestOnlyPlainFilesOfTheUser(t *testing.T) {
	for want, put := range map[string]func(path, other string) error{
		"a symbolic link": func(path, other string) error { return os.Symlink(other, path) },
		"a named pipe":    func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":        func(path, _ string) error { return os.Mkdir(path, 0o700) },
		"another name":    func(path, other string) error { return os.Link(other, path) },
	} {
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE, os.O_WRONLY | os.O_CREATE | os.O_APPEND} {
			folder := t.TempDir()
			other, path := filepath.Join(folder, "other"), filepath.Join(folder, "history.jsonl")
			if err := os.WriteFile(other, []byte("mine"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := put(path, other); err != nil {
				t.Fatal(err)
			}
			file, err := Open(path, flag)
			if err == nil {
				file.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "history.jsonl is") || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v", want, err)
			}
			if info, err := os.Stat(other); err != nil || info.Mode().Perm() != 0o644 {
				t.Errorf("%s: the other file is now %v, %v", want, info, err)
			}
		}
	}
}

func TestAFileIsKeptToItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if file, err := Open(path, os.O_RDONLY); err == nil {
		file.Close()
		t.Error("opened what is not there")
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if info, _ := file.Stat(); info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v", info.Mode())
	}
}

func TestAFolderOfOthersIsNamed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	if err := Folder(folder); err != nil || Shared(folder) != "" {
		t.Fatalf("%v, %q", err, Shared(folder))
	}
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Folder(folder); err != nil || !strings.Contains(Shared(folder), "chmod 700") {
		t.Errorf("%v, %q", err, Shared(folder))
	}
}
