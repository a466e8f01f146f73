package diff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"askbox/client/text"
)

// What a comparison shows at the most.
const (
	mostCompared = 128 << 10 // bytes that are compared line by line
	mostDiffers  = 200       // lines of each kind
	context      = 2         // lines around what differs
)

// Between compares two texts line by line, without numbers; more is how many lines are
// left out.
func Between(from, to string) (lines []Line, more int) {
	from, to = around(from, to)
	if from == to {
		return nil, 0
	}
	edits := []udiff.Edit{{Start: 0, End: len(from), New: to}}
	if len(from)+len(to) <= mostCompared {
		edits = udiff.Lines(from, to)
	}
	d, err := udiff.ToUnifiedDiff("", "", from, edits, context)
	if err != nil {
		return nil, 0
	}
	kinds := map[udiff.OpKind]Kind{udiff.Equal: Same, udiff.Delete: Deleted, udiff.Insert: Added}
	count := map[udiff.OpKind]int{}
	for i, h := range d.Hunks {
		if i > 0 {
			lines = append(lines, Line{Kind: Skip})
		}
		for _, l := range h.Lines {
			if count[l.Kind]++; count[l.Kind] > mostDiffers {
				more++
				continue
			}
			lines = append(lines, Line{Kind: kinds[l.Kind], Text: []text.Segment{{Raw: strings.TrimSuffix(l.Content, "\n")}}})
		}
	}
	return lines, more
}

// around cuts away the lines at the beginning and the end that two texts share, but
// for those that are shown around what differs.
func around(a, b string) (string, string) {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for range context + 1 {
		n = strings.LastIndexByte(a[:max(n, 0)], '\n')
	}
	a, b = a[n+1:], b[n+1:]
	n = 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	end := len(a) - n
	for range context + 1 {
		i := strings.IndexByte(a[end:], '\n')
		if i < 0 {
			return a, b
		}
		end += i + 1
	}
	return a[:end], b[:len(b)-len(a)+end]
}
