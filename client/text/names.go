package text

import (
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"io"
	"strings"
)

// names are the names of Unicode's characters. The tables of x/text take 1 MB of the
// program, and these a seventh of that: for every 256 code points that have a name the
// number of the block and the length of its names, after the count of blocks, as
// varints; then the names of each block, a line for each code point, deflated. TestNames
// writes the file anew.
//
//go:embed names.bin
var names string

// nameOf returns the name of a character; empty where it has none of its own.
func nameOf(r rune) string {
	index := strings.NewReader(names)
	number := func() int {
		n, err := binary.ReadUvarint(index)
		if err != nil {
			panic("the names of characters are damaged")
		}
		return int(n)
	}
	at, size := 0, 0
	for blocks := number(); blocks > 0; blocks-- {
		block, length := number(), number()
		if block < int(r>>8) {
			at += length
		} else if block == int(r>>8) {
			size = length
		}
	}
	if size == 0 {
		return ""
	}
	at += len(names) - index.Len()
	lines, err := io.ReadAll(flate.NewReader(strings.NewReader(names[at : at+size])))
	if err != nil {
		panic(err)
	}
	return strings.Split(string(lines), "\n")[r&0xff]
}
