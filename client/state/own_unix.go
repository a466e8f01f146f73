//go:build unix

package state

import (
	"io/fs"
	"os"
	"syscall"
)

// unfollowed keeps the opening of a file from following a link and from waiting for the
// other end of a pipe.
const unfollowed = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// alone reports whether a file is the user's, and known under this name only.
func alone(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid() && s.Nlink == 1
}

func sharedWith(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }
