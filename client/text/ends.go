package text

import "unicode/utf8"

// Ends returns the text on one line of at most width cells. Where it does not fit, it is
// cut in the middle: its beginning keeps head cells, and its end the rest. With a head of
// 0 it is cut from the left, as paths are. Its cost grows with width, not with the text.
func (t Text) Ends(mode Mode, width, head int) string {
	units, whole := t.units(mode, width)
	if whole {
		return joinUnits(units)
	}
	gap := ellipsis(width)
	if room := width - Width(gap); room > 0 {
		begin := cutUnits(units, min(max(head, 0), room))
		return begin + gap + t.end(mode, room-Width(begin))
	}
	return t.FitAs(mode, width)
}

// From is Ends for a text whose first bytes are told already: what comes behind them is
// in sight.
func (t Text) From(mode Mode, width, head, from int) string {
	from = min(max(from, 0), len(t.raw))
	for from > 0 && from < len(t.raw) && !utf8.RuneStart(t.raw[from]) {
		from--
	}
	units, whole := t.units(mode, width)
	gap := ellipsis(width)
	room := width - Width(gap) - head
	if rest := New(t.raw[from:]); !whole && room > 0 && !rest.Fits(mode, room) {
		begin := cutUnits(units, head)
		return begin + gap + rest.FitAs(mode, width-Width(begin)-Width(gap))
	}
	return t.Ends(mode, width, head)
}

// Fits reports whether the text on one line takes at most width cells.
func (t Text) Fits(mode Mode, width int) bool {
	_, whole := t.units(mode, width)
	return whole
}

// units returns what the text begins with, a little more than fits into width cells, and
// whether that is all of it and fits.
func (t Text) units(mode Mode, width int) (units []unit, whole bool) {
	raw, more := head(t.raw, 16*width+4096)
	s := newScanner(raw, true, mode)
	s.more = more
	cells := 0
	for cells <= width {
		u, ok := s.next()
		if !ok {
			break
		}
		units = append(units, u)
		cells += u.cells
	}
	return units, cells <= width && !more
}

// end returns the last of the text that fits into width cells.
func (t Text) end(mode Mode, width int) string {
	start := max(len(t.raw)-16*width-4096, 0)
	for start > 0 && start < len(t.raw) && !utf8.RuneStart(t.raw[start]) {
		start++
	}
	s := newScanner(t.raw[start:], true, mode)
	var units []unit
	for {
		u, ok := s.next()
		if !ok {
			break
		}
		if len(units) > 0 || start == 0 || u.form == plainRun {
			units = append(units, u) // a run that begins further left would be miscounted
		}
	}
	from := len(units)
	for from > 0 && units[from-1].cells <= width {
		from--
		width -= units[from].cells
	}
	tail := joinUnits(units[from:])
	if from > 0 && units[from-1].form == plainRun {
		s := units[from-1].text
		tail = s[len(s)-width:] + tail
	}
	return tail
}

// Mark returns the program's words as a mark, which no text can imitate.
func Mark(says string) string { return bracketed(says) }

// Chop breaks a safe string without styles into lines of at most width cells; with words
// set at a blank where there is one in the second half of a line, which then ends with it.
func Chop(safe string, width int, words bool) []string {
	width = max(width, 1)
	var lines []string
	for {
		at, cells, blank := 0, 0, 0
		for at < len(safe) {
			size, n := first(safe[at:])
			if cells+n > width && at > 0 {
				break
			}
			at, cells = at+size, cells+n
			if words && safe[at-1] == ' ' && cells > width/2 {
				blank = at
			}
		}
		if at == len(safe) {
			return append(lines, safe)
		}
		if blank > 0 {
			at = blank
		}
		lines = append(lines, safe[:at])
		safe = safe[at:]
	}
}
