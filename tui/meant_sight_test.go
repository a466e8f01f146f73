package tui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// calmTime is how long after the last key nothing but a key moves the cursor.
const calmTime = 700 * time.Millisecond

// view is what one screen shows, read off its characters alone.
type view struct {
	cursor string   // the ask under the cursor of the list; empty: no list
	front  string   // the ask in the pane; empty: no pane
	pieces []string // what of asks stands in the pane, rows that go on joined
	pane   bool     // there is a pane
	field  bool     // a text field is open
	more   bool     // there is more to read
	many   bool     // the pane shows several asks
	text   string
}

var (
	idOf      = regexp.MustCompile(`A\d\d`)
	lowID     = regexp.MustCompile(`ask-a\d\d`)
	wordOf    = regexp.MustCompile(`A\d\d[a-z]\d\d\dv\d\d\d`)
	versionOf = regexp.MustCompile(`v\d\d\d`)
	headRow   = regexp.MustCompile(`^ ?(Approval|Question|Secret)( ·|$)`) // a long message may cover the rule
	ruleRow   = regexp.MustCompile(`^ ?─ |^ ?─{20,} ?$`)
	quoted    = regexp.MustCompile(`^\s*(?:.*? )?([│┆]) (.*)$`)
)

// viewOf takes a screen apart: at the left the list, at the right or alone the pane.
func viewOf(rows []string) view {
	v := view{text: strings.Join(rows, "\n")}
	if len(rows) < leastHeight {
		return v
	}
	width := len([]rune(rows[0]))
	list, pane := rows[1:len(rows)-2], rows[1:len(rows)-2]
	if width >= twoPanes {
		at := min(width*42/100, 80)
		var left, right []string
		for _, r := range list {
			cells := []rune(r)
			if len(cells) < at+2 || cells[at] != '│' {
				return v
			}
			left, right = append(left, string(cells[:at])), append(right, string(cells[at+2:]))
		}
		list, pane = left, right
	}
	isPane := slices.ContainsFunc(pane, ruleRow.MatchString) || slices.ContainsFunc(pane, headRow.MatchString)
	if !isPane || width >= twoPanes {
		v.cursor = cursorIn(list)
	}
	if isPane {
		v.pane = true
		v.readPane(pane)
	}
	return v
}

func cursorIn(rows []string) string {
	for i, r := range rows {
		if strings.HasPrefix(r, "▌") {
			return idOf.FindString(strings.Join(rows[i:min(i+2, len(rows))], " "))
		}
	}
	return ""
}

// readPane takes what stands behind the gutters of the pane.
func (v *view) readPane(rows []string) {
	v.field = strings.Contains(v.text, "keeps it")
	v.many = strings.Contains(v.text, " marked asks")
	pinned := false // the row above is not where it stands
	for _, r := range rows {
		above := pinned
		pinned = strings.HasPrefix(strings.TrimSpace(r), "↑")
		if ruleRow.MatchString(r) {
			v.more = strings.Contains(r, "more row") || strings.Contains(r, "not read")
		}
		m := quoted.FindStringSubmatch(r)
		if m == nil {
			continue
		}
		piece := m[2]
		if m[1] == "┆" && len(v.pieces) > 0 && !pinned && !above {
			v.pieces[len(v.pieces)-1] += piece
			continue
		}
		v.pieces = append(v.pieces, piece)
	}
	for _, p := range v.pieces {
		if v.front == "" {
			if v.front = idOf.FindString(p); v.front == "" {
				v.front = strings.ToUpper(strings.TrimPrefix(lowID.FindString(p), "ask-"))
			}
		}
	}
}

// shows reports whether a piece of one of the lines stands in the pane.
func (v *view) shows(lines []string) bool {
	for _, l := range lines {
		for _, p := range v.pieces {
			if w := wordOf.FindString(p); w != "" && strings.HasPrefix(l, w) {
				return true
			}
		}
	}
	return false
}

// sight is what a person has had on the screen up to now.
type sight struct {
	lines map[string]*covered // by line
	words map[string]string   // the line that begins with a word
	last  view
	wrong string
}

// covered is how much of a line was on the screen.
type covered struct {
	line string // without its blanks, because rows may end at one
	left []bool // by byte
	full int    // the moment from which all of it was; 0: not yet
	// first is when a piece of it came on the screen first.
	first time.Time
}

func newSight() *sight { return &sight{lines: map[string]*covered{}, words: map[string]string{}} }

// know tells of a line that may be shown.
func (s *sight) know(line string) {
	if s.lines[line] != nil {
		return
	}
	bare := strings.ReplaceAll(line, " ", "")
	c := &covered{line: bare, left: make([]bool, len(bare))}
	for i := range bare {
		c.left[i] = true
	}
	s.lines[line] = c
	s.words[wordOf.FindString(line)] = line
}

// take adds a screen.
func (s *sight) take(v view, seq int, calm bool) {
	if calm && s.wrong == "" && v.cursor != "" && s.last.cursor != "" && v.cursor != s.last.cursor {
		s.wrong = fmt.Sprintf("the cursor went from %s to %s without a key:\n%s\n---\n%s", s.last.cursor, v.cursor, s.last.text, v.text)
	}
	for _, p := range v.pieces {
		s.piece(strings.ReplaceAll(p, " ", ""), seq)
	}
	if v.pane && v.front == "" {
		v.front = s.last.front // Where little room is left nothing says it again.
	}
	s.last = v
}

// shortest is how long a piece is that can stand in one line only.
const shortest = 25

func (s *sight) piece(p string, seq int) {
	if len(p) > 0 && (p[0] == '+' || p[0] == '-') {
		p = p[1:]
	}
	if w := wordOf.FindString(p); w != "" {
		if c := s.lines[s.words[w]]; c != nil {
			c.cover(p, seq)
			return
		}
	}
	if len(p) == 0 || len(p) >= shortest {
		return
	}
	// The end of a line that stands alone at the top of a page.
	for _, c := range s.lines {
		if c.full == 0 && strings.HasSuffix(c.line, p) {
			c.cover(p, seq)
		}
	}
}

func (c *covered) cover(p string, seq int) {
	at := strings.Index(c.line, p)
	if len(p) < shortest {
		at = strings.LastIndex(c.line, p)
	}
	if at < 0 {
		return
	}
	if c.first.IsZero() {
		c.first = time.Now()
	}
	if c.full > 0 {
		return
	}
	for i := range p {
		c.left[at+i] = false
	}
	if !slices.Contains(c.left, true) {
		c.full = seq
	}
}

// changed returns when what is newest in a content was on the screen first; zero where
// nothing else was seen of the ask well before that.
func (s *sight) changed(c *content) (at time.Time) {
	newest := ""
	for _, l := range c.command {
		k, version := s.lines[l], versionOf.FindString(l)
		if k == nil || k.first.IsZero() || version < newest {
			continue
		}
		if version > newest || k.first.Before(at) {
			newest, at = version, k.first
		}
	}
	for l, k := range s.lines {
		if l[:len(c.id)] == c.id && l[len(c.id)] == 'l' && !slices.Contains(c.command, l) && !k.first.IsZero() && at.Sub(k.first) > noticed {
			return at
		}
	}
	return time.Time{}
}

// noticed is how long something has to have been on the screen for its change to be
// owed a word: longer than any line takes.
const noticed = 3 * time.Second

// unseen returns the first of the lines that was not on the screen in full before a moment.
func (s *sight) unseen(lines []string, before int) string {
	for _, l := range lines {
		if c := s.lines[l]; c == nil || c.full == 0 || c.full > before {
			return l
		}
	}
	return ""
}
