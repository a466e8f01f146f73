package opencode

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"askbox/client"
	"askbox/client/relays/toolinput"
)

// trimmed cuts the indentation that all lines of a diff have in common, as
// opencode does.
func trimmed(diff string) string {
	lines := strings.Split(diff, "\n")
	isContent := func(l string) bool {
		return l != "" && strings.ContainsRune("+- ", rune(l[0])) && !strings.HasPrefix(l, "---") && !strings.HasPrefix(l, "+++")
	}
	least := -1
	for _, l := range lines {
		if isContent(l) && strings.TrimSpace(l[1:]) != "" {
			if n := len(l[1:]) - len(strings.TrimLeft(l[1:], " \t")); least < 0 || n < least {
				least = n
			}
		}
	}
	for i, l := range lines {
		if isContent(l) && least > 0 {
			lines[i] = l[:1] + l[1:][min(least, len(l)-1):]
		}
	}
	return strings.Join(lines, "\n")
}

// whole makes the diff of a file as opencode does, before anything is cut.
func whole(from, to string) string {
	return "Index: /a/f\n===\n--- /a/f\n+++ /a/f\n" + toolinput.Diff(from, to)
}

// edited makes the approval of an edit or a write.
func edited(t interface{ Fatal(...any) }, tool, input, diff string) *client.ApprovalAsk {
	d, _ := json.Marshal(diff)
	q := readRequest(list{first, false}, []byte(`{"id":"per_1","sessionID":"ses_1","permission":"edit","patterns":["f"],"metadata":{"filepath":"/a/f","diff":`+
		string(d)+`},"tool":{"messageID":"msg_1","callID":"c1"}}`))
	if q.unreadable != "" {
		t.Fatal(q.unreadable)
	}
	var call *toolCall
	if input != "" {
		call = &toolCall{status: "running", tool: tool, input: []byte(input)}
	}
	return approval(basis{request: q, call: call, folder: "/a"})
}

// TestWhatIsWrittenIsShown: byte for byte, whatever the server cuts out of its diff (H11).
func TestWhatIsWrittenIsShown(t *testing.T) {
	makefile := "all:\n\techo one\n\techo five\n"
	for name, tt := range map[string]struct {
		tool, input, diff string
		lines             []string // that have to be shown
		diffs             int
		says              string
		excerpt           bool
	}{
		"a write that is indented": {"write", `{"filePath":"/a/f","content":"    if admin:\n        delete_all()\n"}`,
			trimmed(whole("", "    if admin:\n        delete_all()\n")), []string{"+    if admin:", "+        delete_all()"}, 1, "", false},
		"an edit that changes nothing": {"edit", `{"filePath":"/a/f","oldString":" -\n","newString":" -\n"}`,
			trimmed(toolinput.Diff(" -\n", " -\n")), []string{"  -"}, 1, "the same", false},
		"a write that is not": {"write", `{"filePath":"/a/f","content":"a\n  b\n"}`,
			trimmed(whole("", "a\n  b\n")), []string{"+a", "+  b"}, 1, "", false},
		"a write over a file": {"write", `{"filePath":"/a/f","content":"\tone\n\ttwo\n"}`,
			trimmed(whole("\tone\n\tthree\n", "\tone\n\ttwo\n")), []string{"+\tone", "+\ttwo", "-three"}, 2, "may lack indentation", false},
		"an edit with tabs": {"edit", `{"filePath":"/a/f","oldString":"\techo five","newString":"\techo five\n\trm -rf build"}`,
			trimmed(toolinput.Diff("\techo five\n", "\techo five\n\trm -rf build\n")), []string{"+\trm -rf build", " \techo five"}, 1, "", false},
		"an edit in a whole file": {"edit", `{"filePath":"/a/f","oldString":"\techo five","newString":"\techo five\n\trm -rf build"}`,
			trimmed(whole(makefile, makefile+"\trm -rf build\n")), []string{"+\trm -rf build", " all:"}, 1, "", false},
		"an edit that lands elsewhere": {"edit", `{"filePath":"/a/f","oldString":"a","newString":"b"}`,
			whole("x\n", "b\n"), []string{"-a", "+b", "-x"}, 2, "may lack indentation", false},
		"everywhere": {"edit", `{"filePath":"/a/f","oldString":"a","newString":"b","replaceAll":true}`,
			whole("a\nx\na\n", "b\nx\nb\n"), []string{"-a", "+b", " x"}, 2, "wherever the old text stands", false},
		"several edits": {"multiedit", `{"filePath":"/a/f","edits":[{"oldString":" a","newString":" b"},{"oldString":" p","newString":" q"}]}`,
			trimmed(whole(" a\n", " b\n")), []string{"+ b", "+ q"}, 3, "edit 2 of 2", false},
		"a patch": {"apply_patch", `{"patchText":"*** Begin Patch\n*** Update File: f\n@@\n-\told\n+\tnew\n*** End Patch"}`,
			trimmed(whole("\told\n", "\tnew\n")), []string{"+\tnew", "-\told"}, 1, "", false},
		"a patch that does more": {"apply_patch", `{"patchText":"*** Begin Patch\n*** Update File: f\n@@\n-old\n+new\n*** Delete File: g\n*** End Patch"}`,
			whole("old\n", "other\n"), []string{"+new", "*** Delete File: g", "+other"}, 2, "file deleted", false},
		"no line break at the end": {"write", `{"filePath":"/a/f","content":"x"}`,
			whole("", "x\n"), []string{"+x", `\ No newline at end of file`}, 1, "", false},
		"another tool":         {"mcp_write", `{"body":"x"}`, whole("", "x\n"), []string{"+x"}, 1, "may lack indentation", false},
		"nothing but the diff": {"", "", trimmed(whole("", "  x\n")), []string{"+x"}, 1, "may lack indentation", true},
	} {
		t.Run(name, func(t *testing.T) {
			a := edited(t, tt.tool, tt.input, tt.diff)
			var all, notes strings.Builder
			diffs := 0
			for _, p := range a.Parts {
				if p.Kind == client.PartDiff {
					diffs++
					all.WriteString(p.Text.Raw() + "\n")
					fmt.Fprintln(&notes, p.Note)
				}
			}
			lines := strings.Split(all.String(), "\n")
			for _, want := range tt.lines {
				if !slices.Contains(lines, want) {
					t.Errorf("%q is not shown in\n%s", want, all.String())
				}
			}
			if diffs != tt.diffs || !strings.Contains(notes.String(), tt.says) || (a.Excerpt != "") != tt.excerpt {
				t.Errorf("%d diffs, of which is said %q, excerpt %q\n%s", diffs, notes.String(), a.Excerpt, all.String())
			}
		})
	}
}

// Whatever is written, each line of it stands in a diff with exactly its bytes.
func TestEveryWrittenLineIsShown(t *testing.T) {
	line := rapid.StringMatching(`[ \t]{0,3}[ab+@-]{0,2}\r?`)
	texts := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(line, 1, 5).Draw(t, "lines"), "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
	})
	rapid.Check(t, func(t *rapid.T) {
		from, to := texts.Draw(t, "from"), texts.Draw(t, "to")
		tool, input := "write", map[string]string{"filePath": "/a/f", "content": to}
		if rapid.Bool().Draw(t, "edit") {
			tool, input = "edit", map[string]string{"filePath": "/a/f", "oldString": from, "newString": to}
		}
		raw, _ := json.Marshal(input)
		a := edited(t, tool, string(raw), trimmed(whole(from, to)))
		var shown []string
		for _, p := range a.Parts {
			if p.Kind == client.PartDiff {
				for l := range strings.Lines(p.Text.Raw()) {
					if l[0] == '+' || l[0] == ' ' {
						shown = append(shown, strings.TrimSuffix(l[1:], "\n"))
					}
				}
			}
		}
		for l := range strings.Lines(to) {
			if !slices.Contains(shown, strings.TrimSuffix(l, "\n")) {
				t.Fatalf("%s of %q over %q: %q is not shown in %q", tool, to, from, l, shown)
			}
		}
	})
}
