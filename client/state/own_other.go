//go:build !unix

package state

import "io/fs"

const unfollowed = 0

func alone(fs.FileInfo) bool { return true }

func sharedWith(fs.FileInfo) bool { return false }
