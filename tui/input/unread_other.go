//go:build !unix

package input

import "os"

// unread is not known here.
func unread(*os.File) bool { return false }
