package text

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/runenames"
)

var writeNames = flag.Bool("write-names", false, "write names.bin anew")

// own is the name of a character that is not shared with a whole range.
func own(r rune) string {
	if name := runenames.Name(r); !strings.HasPrefix(name, "<") {
		return name
	}
	return ""
}

// TestNames compares every name with those of x/text.
func TestNames(t *testing.T) {
	if *writeNames {
		if err := os.WriteFile("names.bin", packNames(t), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("names.bin is written; run the test once more")
	}
	if !bytes.Equal(packNames(t), []byte(names)) {
		t.Error("names.bin is not of this version of x/text; run this test with -write-names")
	}
	for _, r := range []rune{-1, 0, 'a', 0x200b, 0x399, 0x4e00, 0xac00, 0xd800, 0xe000, 0x1f600, 0xe0041, 0xe01ef, unicode.MaxRune, unicode.MaxRune + 1} {
		if got := nameOf(r); got != own(r) {
			t.Errorf("%U is %q, want %q", r, got, own(r))
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r += 61 {
		if got := nameOf(r); got != own(r) {
			t.Fatalf("%U is %q, want %q", r, got, own(r))
		}
	}
}

// packNames writes the names in the form of names.bin.
func packNames(t *testing.T) []byte {
	var index, packed []byte
	blocks := uint64(0)
	for block := rune(0); block <= unicode.MaxRune>>8; block++ {
		var lines, out bytes.Buffer
		for r := block << 8; r>>8 == block; r++ {
			lines.WriteString(own(r) + "\n")
		}
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		w, err := flate.NewWriter(&out, flate.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = lines.WriteTo(w)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		blocks++
		index = binary.AppendUvarint(binary.AppendUvarint(index, uint64(block)), uint64(out.Len()))
		packed = append(packed, out.Bytes()...)
	}
	return append(append(binary.AppendUvarint(nil, blocks), index...), packed...)
}
