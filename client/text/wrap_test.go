package text_test

import (
	"strings"
	"testing"

	"askbox/client/text"
)

// J13: a command is broken at a blank where one is near, and no blank is lost; J27: what
// ends a sentence stands on no row of its own.
func TestWrapsAtBlanks(t *testing.T) {
	const command = "docker compose -f deploy/staging/docker-compose.yml exec -T postgres psql -U app -c 'select 1'"
	for _, c := range []struct {
		name, raw string
		mode      text.Mode
		width     int
		want      string
	}{
		{"a command", command, text.Exact, 40, "docker compose -f \n↪deploy/staging/docker-compose.yml exec \n↪-T postgres psql -U app -c 'select 1'\n"},
		{"no blank is near", "cd " + strings.Repeat("x", 40), text.Exact, 20, "cd xxxxxxxxxxxxxxxxx\n↪xxxxxxxxxxxxxxxxxxxx\n↪xxx\n"},
		{"several blanks keep together", "aaaaaaaaaaaa   bbbb cccc", text.Exact, 17, "aaaaaaaaaaaa   bb\n↪bb cccc\n"},
		{"a lone stop in code", strings.Repeat("y", 20) + ".", text.Exact, 20, strings.Repeat("y", 19) + "\n↪y.\n"},
		{"a lone stop in prose", "until it returns.", text.Words, 16, "until it \n↪returns.\n"},
		{"a stop behind a glyph", "漢字漢字。", text.Words, 8, "漢字漢\n↪字。\n"},
		{"a file", "	return fmt.Errorf(\"no such file\")", text.Source, 24, "⇥   return \n↪fmt.Errorf(\"no such \n↪file\")\n"},
	} {
		if got := screen(text.New(c.raw).Rows(c.width, c.mode)); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

// J05: what is ordinary where it stands is no alarm.
func TestQuietMarks(t *testing.T) {
	for raw, quiet := range map[string]bool{
		"\ta": true, "a  \nb": true, "a\r\nb": true, "a\rb": false, "\x1b": false, "\u202e": false, "\u200b": false, "\u00a0": false,
		strings.Repeat(" ", 30) + "a": false, strings.Repeat("\t", 20) + "a": false,
	} {
		found := false
		for _, row := range text.New(raw).Rows(40, text.Source) {
			for _, p := range row.Pieces {
				if p.Mark {
					found = true
					if p.Quiet != quiet {
						t.Errorf("%q: %q is quiet: %v", raw, p.S, p.Quiet)
					}
				}
			}
		}
		if !found {
			t.Errorf("%q has no mark", raw)
		}
	}
	if text.New("hi\r\nrm").Rows(40, text.Exact)[0].Pieces[1].Quiet {
		t.Error("a carriage return in a command is quiet")
	}
}
