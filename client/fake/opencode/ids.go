package opencode

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// ids makes ids in the way of the server: a prefix, 12 hex digits of a time with
// a counter, and 14 characters. Those of sessions fall, so that the newest is
// the first by name; all others rise.
type ids struct {
	last  int64 // the millisecond of the newest
	count int64 // ids within it
	made  uint64
}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func (g *ids) next(prefix string, at time.Time) string {
	ms := at.UnixMilli()
	if ms != g.last {
		g.last, g.count = ms, 0
	}
	g.count++
	value := uint64(ms*4096 + g.count)
	if prefix == "ses" {
		value = ^value
	}
	g.made++
	tail := make([]byte, 14)
	// Multiplying by an odd number spreads the running number, and gives the same
	// ids in every run.
	x := g.made * 0x9e3779b97f4a7c15
	for i := range tail {
		x ^= x >> 29
		x *= 0xbf58476d1ce4e5b9
		tail[i] = letters[x%uint64(len(letters))]
	}
	return fmt.Sprintf("%s_%012x%s", prefix, value&(1<<48-1), tail)
}

// projectOf returns the id of the project of a folder.
func projectOf(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return hex.EncodeToString(sum[:20])
}
