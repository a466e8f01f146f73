//go:build unix

package drafts

import (
	"syscall"
	"testing"
)

// TestWhatIsNoFile is no draft, and is not waited for.
func TestWhatIsNoFile(t *testing.T) {
	s := open(t, t.TempDir())
	if err := syscall.Mkfifo(s.path(ref), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := open(t, s.folder).Load(ref); ok {
		t.Error("a pipe is a draft")
	}
}
