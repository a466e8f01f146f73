package theme_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"

	"askbox/client/text"
	"askbox/tui/theme"
)

// settings are the environments in which libraries count cells differently.
var settings = [][]string{
	{"RUNEWIDTH_EASTASIAN=1"}, {"RUNEWIDTH_EASTASIAN=true"}, {"RUNEWIDTH_EASTASIAN=0", "LANG=ja_JP.UTF-8"},
	{"LANG=ja_JP.UTF-8"}, {"LC_ALL=zh_CN.GB18030"}, {"LC_CTYPE=ko_KR.UTF-8", "LANG=en_US.UTF-8"},
	{"LANG=zh_TW.UTF-8@cjk_narrow"}, {"LC_ALL=C"}, {"RUNEWIDTH_EASTASIAN=", "LANG=en_US.UTF-8"},
}

// TestNothingIsCutInAnyEnvironment runs the two tests below in each environment,
// which is read once when a program starts.
func TestNothingIsCutInAnyEnvironment(t *testing.T) {
	for _, set := range settings {
		t.Run(strings.Join(set, " "), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^(TestLibrariesCountAlike|TestNothingIsCut)$", "-rapid.nofailfile", "-rapid.checks=2000")
			for _, e := range os.Environ() {
				if name, _, _ := strings.Cut(e, "="); name != "RUNEWIDTH_EASTASIAN" && name != "LANG" && !strings.HasPrefix(name, "LC_") {
					cmd.Env = append(cmd.Env, e)
				}
			}
			cmd.Env = append(cmd.Env, set...)
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestLibrariesCountAlike holds the rule together: what lays out, what cuts and what
// paints take the same cells for what terminals differ about.
func TestLibrariesCountAlike(t *testing.T) {
	want := 1
	if text.WideAmbiguous() {
		want = 2
	}
	for _, s := range []string{"│", "─", "·", "…", "×", "“", "↑", "α", "я", "①"} {
		for name, got := range map[string]int{
			"text": text.Width(s), "ansi": ansi.StringWidth(s), "wcwidth": ansi.StringWidthWc(s),
			"lipgloss": lipgloss.Width(s), "runewidth": runewidth.StringWidth(s),
		} {
			if got != want {
				t.Errorf("%s counts %s as %d, and %d is the rule", name, s, got, want)
			}
		}
	}
	paint := theme.PlainTheme()
	g := paint.Glyphs
	for _, s := range []string{g.Cursor, g.Rule, g.Divider, g.Gutter, g.Continued} {
		if text.Width(s) != 1 {
			t.Errorf("%s of the frame takes %d cells", s, text.Width(s))
		}
	}
}

// samples holds what is counted differently, or drawn in an order or a place of its own.
var samples = []string{"a", "Z", "7", " ", ",", "│", "─", "·", "…", "×", "“", "’", "é", "я", "α", "①", "漢", "字", "ａ", "ｱ", "가",
	"e\u0301", "\u1112\u1161\u11ab", "⚠\ufe0f", "⚠", "👍\U0001f3fd", "👩\u200d💻", "👨\u200d👩\u200d👧\u200d👦", "❤\ufe0f\u200d🔥",
	"1\ufe0f\u20e3", "🇺🇸", "😀", "\t", "\n", "\r", "\x1b[31m", "\u200b", "\u202e", "א", "ב", "م", "می\u200cخواهم", "क्षि", "⧗", "✓", "\xff", "⟨", "\u3000"}

// TestNothingIsCut lays random content out at random sizes, behind the program's own
// gutter, and passes each row through what the renderer does to a line: not a cell is
// lost, and no terminal takes more cells for a row than it has.
func TestNothingIsCut(t *testing.T) {
	paint := theme.Dark()
	rapid.Check(t, func(t *rapid.T) {
		raw := strings.Join(rapid.SliceOfN(rapid.SampledFrom(samples), 0, 120).Draw(t, "raw"), "")
		width := rapid.IntRange(12, 130).Draw(t, "width")
		mode := rapid.SampledFrom([]text.Mode{text.Exact, text.Words}).Draw(t, "mode")
		rows := text.New(raw).Rows(width-theme.GutterWidth, mode)
		whole := logical(text.New(raw).Rows(1_000_000, mode))
		for i, row := range rows {
			line := theme.Quoted(paint, row, 0, width, theme.Plain)
			if cut := ansi.Truncate(line, width, ""); cut != line {
				t.Fatalf("the renderer cuts %q to %q", line, cut)
			}
			if text.Width(line) != width || ansi.StringWidthWc(line) > width {
				t.Fatalf("a row of %d cells is %d, of %d code points at most: %q", width, text.Width(line), ansi.StringWidthWc(line), line)
			}
			shown := strings.TrimRight(ansi.Strip(line), " ")
			_, shown, _ = strings.Cut(shown, " ")
			if want := strings.TrimRight(row.String(), " "); shown != want {
				t.Fatalf("row %d shows %q of %q", i, shown, want)
			}
		}
		if got := logical(rows); got != whole {
			t.Fatalf("at %d the rows hold\n%q of\n%q", width, got, whole)
		}
		name := text.New(raw).Fit(width)
		if line := theme.NewLine(paint, width).Add(theme.Plain, name).String(); ansi.Truncate(line, width, "") != line || text.Width(line) != width {
			t.Fatalf("%q on one line is %q of %d cells", name, line, text.Width(line))
		}
	})
}

// logical joins rows that go on, and leaves out the cells that fill up a tab.
func logical(rows []text.Row) string {
	var b strings.Builder
	for i, r := range rows {
		if i > 0 && !r.Continued {
			b.WriteByte('\n')
		}
		for _, p := range r.Pieces {
			if strings.HasPrefix(p.S, "⇥") {
				p.S = strings.ReplaceAll(p.S, " ", "")
			}
			b.WriteString(p.S)
		}
	}
	return b.String()
}
