package tui

import (
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
	{"?", "a question"},
	{"Key", "a secret"},
	{"??", "an ask of a kind that is not known here, or that could not be read"},
	{"now", "the agent says that it is urgent"},
	{"⧗9m", "how long until the ask expires; over: it has expired by the relay's clock"},
	{"held 3s", "your answer is sent in 3 seconds; u takes it back"},
	{"sending", "on its way; the relay has not confirmed it yet"},
	{"checking", "the reply was lost; the relay is asked what it knows"},
	{"done", "the relay has confirmed your answer"},
	{"changed", "its content changed since you saw it; the first key that approves it only says so"},
	{"differs", "the relay says that something else was answered than what was shown"},
	{"refused", "the relay did not take your answer; the ask is still open"},
	{"too late", "somebody or something closed the ask first"},
	{"not known", "it could not be found out whether your answer arrived"},
	{"answered", "or dismissed, withdrawn, expired…: it was closed elsewhere; it goes when the cursor leaves it"},
	{"unclear", "the relay gives it a state that is not known here"},
	{"2 new ↑", "so many asks came in above the cursor"},
	{"6+", "so many asks, and perhaps more: the list of a relay may not be whole"},
	{"│", "what stands right of this line was written by an agent"},
	{"⟨ESC⟩", "a character that cannot be shown, under its name; ⟨500 spaces⟩ is a long blank"},
	{"…", "the line is cut here; open the ask to read it whole"},
}

// resize gives the screen its size. It is laid out when it is shown.
func (h help) resize(width, height int) help {
	h.width, h.height, h.lines = width, height, nil
	return h
}

// laid is the screen with its lines.
func (h help) laid() help {
	if h.lines != nil {
		return h
	}
	h.title("askbox: nothing is approved that you did not read and mean.")
	h.add("", "Decision keys act on the ask that is shown in full. Enter never approves.")
	for _, s := range h.keys.Sections() {
		h.title(s.Title)
		for _, b := range s.Keys {
			h.add(b.Help().Key, b.Help().Desc)
		}
	}
	h.title("Marks")
	for _, m := range marks {
		h.add(m[0], m[1])
	}
	h.top = max(min(h.top, len(h.lines)-h.height), 0)
	return h
}

func (h *help) title(s string) {
	if len(h.lines) > 0 {
		h.lines = append(h.lines, theme.NewLine(h.theme, h.width).String())
	}
	h.lines = append(h.lines, theme.NewLine(h.theme, h.width).Space(1).Add(theme.Heading, s).String())
}

// add adds a key or mark with what it does, on as many lines as that takes.
func (h *help) add(mark, says string) {
	column := 12
	if mark == "" {
		column = 0
	}
	for i, part := range theme.Wrap(says, h.width-3-column) {
		l := theme.NewLine(h.theme, h.width).Space(2)
		if column > 0 && i == 0 {
			l.Room(theme.Key, mark, column)
		} else {
			l.Space(column)
		}
		h.lines = append(h.lines, l.Add(theme.Plain, part).String())
	}
}

func (h help) scroll(lines int) help {
	h = h.laid()
	h.top = max(min(h.top+lines, len(h.lines)-h.height), 0)
	return h
}

func (h help) view() []string {
	h = h.laid()
	lines := make([]string, 0, h.height)
	for i := h.top; len(lines) < h.height; i++ {
		if i < len(h.lines) {
			lines = append(lines, h.lines[i])
		} else {
			lines = append(lines, theme.NewLine(h.theme, h.width).String())
		}
	}
	return lines
}
