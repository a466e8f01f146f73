package tui

import (
	"askbox/client"
	"askbox/tui/keymap"
	"askbox/tui/theme"
)

// help is the screen that explains every key and every mark.
type help struct {
	theme         *theme.Theme
	keys          *keymap.Map
	width, height int
	top           int
	lines         []string
}

func newHelp(t *theme.Theme, k *keymap.Map) help { return help{theme: t, keys: k} }

// marks explains what the program draws beside an ask.
var marks = [][2]string{
	{"Run", "an approval: a command that an agent wants to run"},
	{"Edit", "an approval: a change of a file"},
	{"Plan", "an approval: a plan to carry out"},
	{"Tool", "an approval of anything else"},
	{"Ask", "a question"},
	{"Key", "a secret"},
	{"Off", "no ask: a session that is paused; p resumes it"},
	{"??", "an ask of a kind that is not known here, or that could not be read"},
	{"2m", "how old the ask is: <1m, 2m, 3h, 4d"},
	{"waits", "the session stands still until it is answered"},
	{"goes on", "the session goes on; in a list of one line each it says nothing then"},
	{"now", "the agent says that it is urgent"},
	{"in 9m", "how long until the ask expires; over: it has expired by the relay's clock"},
	{"draft", "an answer to it was begun and not sent"},
	{"marked", "it is answered together with the other marked ones, once all of them are read"},
	{"held 3s", "your answer is sent in 3 seconds; {undo} takes it back"},
	{"sending", "on its way; the relay has not confirmed it yet"},
	{"checking", "the reply was lost; the relay is asked what it knows"},
	{"allowed", "or denied, answered, dismissed: the relay has confirmed your answer, or it was closed elsewhere; the row goes when the cursor leaves it"},
	{"changed", "its content changed since you saw it; the first key that approves it only says so"},
	{"differs", "the relay says that something else was answered than what was shown"},
	{"refused", "the relay did not take your answer; the ask is still open"},
	{"too late", "somebody or something closed the ask first"},
	{"not known", "it could not be found out whether your answer arrived"},
	{"expired", "or withdrawn, interrupted, ended, gone: nobody answered it"},
	{"unclear", "the relay gives it a state that is not known here"},
	{"2 new ↑", "so many asks came in above the cursor, out of sight"},
	{"6+", "so many asks, and perhaps more: the list of a relay may not be whole"},
	{"2 of 5", "so many of the relay's asks are listed; the others are filtered out"},
	{"3 wait", "so many asks for which a session waits; 1 now: so many urgent ones; next out: the next one that expires"},
	{"h 4", "so many asks you answered or dismissed in the last day"},
	{"│", "what stands right of this line was written by an agent; ┆ goes on with the line above"},
	{"⟨ESC⟩", "a character that cannot be shown, under its name; ⟨500 spaces⟩ is a long blank, ⟨8 lines⟩ how long a script is"},
	{"…", "something is left out here; open the ask to read it whole"},
}

// searches explains what / takes beside the words that stand in an ask.
var searches = [][2]string{
	{"relay:work", "asks of relays whose name has these letters"},
	{"kind:edit", "asks of one kind: run, edit, plan, tool, ask, key"},
	{"is:waits", "what calls for you: waits, now, soon (it runs out), draft"},
}

// resize gives the screen its size. It is laid out when it is shown.
func (h help) resize(width, height int) help {
	h.width, h.height, h.lines = width, height, nil
	return h
}

// laid is the screen with its lines, in as many columns as fit.
func (h help) laid() help {
	if h.lines != nil {
		return h
	}
	const least, between = 58, 2 // cells
	columns := max(h.width/least, 1)
	width := (h.width - between*(columns-1)) / columns
	parts := h.parts(width)
	total := 0
	for _, p := range parts {
		total += len(p)
	}
	var all [][]string
	at := -1
	for _, p := range parts {
		if at < 0 || at < columns-1 && len(all[at])+len(p)/2 > total/columns {
			all = append(all, nil)
			at++
		}
		all[at] = append(all[at], p...)
	}
	h.lines = beside(all, width, between, h.width)
	h.top = max(min(h.top, len(h.lines)-h.room()), 0)
	return h
}

// beside puts columns next to each other.
func beside(columns [][]string, width, between, whole int) (lines []string) {
	rows := 0
	for _, c := range columns {
		rows = max(rows, len(c))
	}
	for i := range rows {
		line := ""
		for j, c := range columns {
			if j > 0 {
				line += theme.Blank(between)
			}
			if i < len(c) {
				line += c[i]
			} else {
				line += theme.Blank(width)
			}
		}
		lines = append(lines, theme.Fill(line, whole))
	}
	return lines
}

// parts are the sections of the help, each with the lines that it takes in a width.
func (h help) parts(width int) (parts [][]string) {
	add := func(title string, rows [][2]string) {
		lines := []string{theme.NewLine(h.theme, width).Space(1).Add(theme.Heading, title).String()}
		for _, r := range rows {
			lines = append(lines, h.row(width, r[0], h.keys.Spell(r[1]))...)
		}
		parts = append(parts, append(lines, theme.Blank(width)))
	}
	add("Nothing is approved that you did not read and mean", [][2]string{
		{"", "Decision keys act on the ask that is shown in full. Enter never approves."}})
	for _, s := range h.keys.Sections() {
		var rows [][2]string
		for _, b := range s.Keys {
			rows = append(rows, [2]string{b.Help().Key, b.Help().Desc})
		}
		add(s.Title, rows)
	}
	add(h.keys.Spell("Narrow the list with {search}"), searches)
	add("Marks", marks)
	return parts
}

// row is a key or mark with what it does, on as many lines as that takes.
func (h help) row(width int, mark, says string) (lines []string) {
	column := 12
	if mark == "" {
		column = 0
	}
	for _, part := range theme.Wrap(says, width-3-column) {
		l := theme.NewLine(h.theme, width).Space(2).Room(theme.Key, mark, column).Space(0)
		lines = append(lines, l.Add(theme.Plain, part).String())
		mark = ""
	}
	return lines
}

// room is the lines without the one that says that there is more.
func (h help) room() int { return max(h.height-1, 0) }

func (h help) scroll(lines int) help {
	h = h.laid()
	h.top = max(min(h.top+lines, len(h.lines)-h.room()), 0)
	return h
}

func (h help) view() []string {
	h = h.laid()
	lines := make([]string, 0, h.height)
	for i := h.top; len(lines) < h.room(); i++ {
		if i < len(h.lines) {
			lines = append(lines, h.lines[i])
		} else {
			lines = append(lines, theme.Blank(h.width))
		}
	}
	if h.height > 0 {
		lines = append(lines, h.more())
	}
	return lines
}

// more says how much of the help is out of sight.
func (h help) more() string {
	l := theme.NewLine(h.theme, h.width).Space(1)
	if below := len(h.lines) - h.top - h.room(); below > 0 {
		l.Add(theme.Accent, client.Count(below, "more line")+" below "+h.theme.Glyphs.Dot+" "+h.keys.PageDown.Help().Key)
	} else if h.top > 0 {
		l.Add(theme.Dim, "end of the help")
	}
	return l.String()
}
