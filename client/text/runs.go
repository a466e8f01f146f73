package text

import (
	"strings"
	"unicode/utf8"
)

// same takes a run of one code point that is a mark wherever it stands.
func (s *scanner) same(r rune, size int) {
	start, n := s.i, 0
	for s.i < len(s.raw) && strings.HasPrefix(s.raw[s.i:], s.raw[start:start+size]) {
		if c, _ := decode(s.raw, s.i); c != r {
			break
		}
		s.i += size
		n++
	}
	s.note(item{r, n, start})
	s.pushSame(item{r, n, start}, size)
}

// pushSame pushes a mark for each, or one for all of them.
func (s *scanner) pushSame(it item, size int) {
	if it.count > maxSame {
		s.push(markUnit(sameMark(it.r, it.count, s.cutHere()), it.pos))
		return
	}
	one := s.single(it.r)
	for i := range it.count {
		one.pos = it.pos + i*size
		s.push(one)
	}
}

// single returns the mark of one code point, without its place.
func (s *scanner) single(r rune) unit {
	if u, ok := s.marks[r]; ok {
		return u
	}
	u := markUnit(bracketed(label(r)), 0)
	if s.marks == nil {
		s.marks = map[rune]unit{}
	}
	if len(s.marks) < 1024 {
		s.marks[r] = u
	}
	return u
}

// collect gathers the run at i whose kinds are as wanted, and goes past it. Of more
// than limit items the rest is only counted, in sums, together with the first ones.
func (s *scanner) collect(want func(kind) bool, limit int) {
	s.items, s.sums = s.items[:0], nil
	for s.i < len(s.raw) {
		r, size := decode(s.raw, s.i)
		if !want(s.kindAt(r)) {
			return
		}
		switch n := len(s.items); {
		case s.sums != nil:
			s.addSum(item{r, 1, s.i})
		case n > 0 && s.items[n-1].r == r:
			s.items[n-1].count++
		case n == limit:
			s.sumOf = map[rune]int{}
			for _, it := range append(s.items, item{r, 1, s.i}) {
				s.addSum(it)
			}
		default:
			s.items = append(s.items, item{r, 1, s.i})
		}
		s.i += size
	}
}

// addSum counts an item with the equal ones before it.
func (s *scanner) addSum(it item) {
	at, ok := s.sumOf[it.r]
	if !ok {
		at = len(s.sums)
		s.sumOf[it.r] = at
		s.sums = append(s.sums, item{it.r, 0, it.pos})
	}
	s.sums[at].count += it.count
}

// hidden takes a run of what draws nothing or a blank: spaces, tabs, controls,
// invisible characters.
func (s *scanner) hidden() {
	start := s.i
	s.collect(isHidden, maxItems)
	s.noteAll()
	if s.sums != nil {
		s.push(markUnit(mixedMark(s.sums, s.raw[start:s.i], s.cutHere()), start))
		return
	}
	for i, it := range s.items {
		last := i == len(s.items)-1
		switch {
		case it.r == ' ' && it.count <= maxSpaces && !(last && s.lineEndsHere()):
			s.push(unit{plainRun, s.raw[it.pos : it.pos+it.count], it.pos, it.count})
		case it.r == ' ' || it.r == '\t' && it.count > maxTabs:
			u := markUnit(sameMark(it.r, it.count, last && s.cutHere()), it.pos)
			if it.count <= maxSpaces && it.r == ' ' {
				u.form = quietMark
			}
			s.push(u)
		case it.r == '\r' && it.count == 1 && last && s.mode != Exact && s.lineEndsHere():
			u := s.single(it.r)
			u.form, u.pos = quietMark, it.pos
			s.push(u)
		case it.r == '\t' && !s.oneLine:
			for i := range it.count {
				s.push(unit{tabStop, "", it.pos + i, tabCells})
			}
		default:
			s.pushSame(it, runeBytes(it.r))
		}
	}
}

func isHidden(k kind) bool { return k == space || k == tab || k == dark }

func runeBytes(r rune) int {
	if r >= badByte {
		return 1
	}
	return utf8.RuneLen(r)
}

// lineEndsHere reports whether nothing comes after i on the logical line.
func (s *scanner) lineEndsHere() bool {
	if s.i >= len(s.raw) {
		return !s.more
	}
	return s.raw[s.i] == '\n' && !s.oneLine
}

// foldLines folds the blank lines that begin at i into one mark, and reports whether
// there were enough of them. What it read is not read again for the next line.
func (s *scanner) foldLines() bool {
	if s.i < s.folded {
		return false
	}
	lines, end := 0, s.i
	for i := s.i; i < len(s.raw); {
		r, size := decode(s.raw, i)
		k := s.kindAt(r)
		if k != lineFeed && !isHidden(k) {
			break
		}
		i += size
		if k == lineFeed {
			lines++
			end = i
		}
	}
	s.folded = end
	if lines <= maxBlankLines {
		return false
	}
	start := s.i
	s.i = end
	s.noteLines(s.raw[start:end], lines)
	s.queue = append(s.queue[:0],
		markUnit(blankLinesMark(lines, s.raw[start:end], s.cutHere()), start),
		unit{lineEnd, "", end - 1, 0})
	s.lineStart = true
	return true
}
