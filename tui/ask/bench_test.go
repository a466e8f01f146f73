package ask

import (
	"fmt"
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/keymap"
	"askbox/tui/theme"
)

func longCommand(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "echo step %d && make target-%d\n", i, i)
	}
	return b.String() + "rm -rf ~"
}

// BenchmarkAskView draws the pane once the layout is there.
func BenchmarkAskView(b *testing.B) {
	for _, lines := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			p := New(theme.Dark(), keymap.New(), nil).Resize(74, 38)
			p = p.Show(&inbox.Group{Name: "work"}, itemOf(sampleApproval(longCommand(lines))), askNow)
			for b.Loop() {
				_ = p.View()
			}
		})
	}
}

// BenchmarkAskShow takes a snapshot in which this ask has not changed.
func BenchmarkAskShow(b *testing.B) {
	for _, lines := range []int{1, 10_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			g, it := &inbox.Group{Name: "work"}, itemOf(sampleApproval(longCommand(lines)))
			p := New(theme.Dark(), keymap.New(), nil).Resize(74, 38).Show(g, it, askNow)
			for b.Loop() {
				p = p.Show(g, it, askNow)
			}
		})
	}
}

// BenchmarkAskFirst is the first frame of an ask: layout and drawing.
func BenchmarkAskFirst(b *testing.B) {
	diff := sampleApproval("")
	diff.Approval.Parts = []client.Part{{Kind: client.PartDiff, Path: text.New("app.go"), Text: text.New("@@ -1 +1 @@\n" + strings.Repeat("+\tif err := run(\"x\", 12); err != nil { return err }\n", 1000))}}
	for _, c := range []struct {
		name string
		ask  *client.Ask
	}{
		{"short", sampleApproval("rm -rf build")},
		{"10,000 lines", sampleApproval(longCommand(10_000))},
		{"2 MB in one line", sampleApproval(strings.Repeat("echo hello world && ", 100_000) + "rm -rf ~")},
		{"2 MB of A", sampleApproval(strings.Repeat("A", 2_000_000) + "; rm -rf ~")},
		{"1,000 lines of diff", diff},
	} {
		b.Run(c.name, func(b *testing.B) {
			g, it := &inbox.Group{Name: "work"}, itemOf(c.ask)
			for b.Loop() {
				p := New(theme.Dark(), keymap.New(), nil).Resize(74, 38).Show(g, it, askNow)
				_ = p.View()
			}
		})
	}
}

// BenchmarkAskScroll goes to the end of a long ask and back.
func BenchmarkAskScroll(b *testing.B) {
	p := New(theme.Dark(), keymap.New(), nil).Resize(74, 38)
	p = p.Show(&inbox.Group{Name: "work"}, itemOf(sampleApproval(longCommand(10_000))), askNow)
	for b.Loop() {
		p, _ = press(p, "pgdn", "pgdn", "pgup")
		_ = p.View()
	}
}

// BenchmarkAskTyping types one character into a long text.
func BenchmarkAskTyping(b *testing.B) {
	p, _ := press(samplePane(sampleApproval("ls"), 74, 38), "D")
	p = write(p, strings.Repeat("some words of a reason ", 100))
	for b.Loop() {
		q, _ := press(p, "x")
		_ = q.View()
	}
}

// BenchmarkAskQuestion is a page, a choice and a snapshot on questions whose texts
// are long.
func BenchmarkAskQuestion(b *testing.B) {
	for _, mb := range []int{1, 5} {
		q := databases()
		q.Text = text.New(strings.Repeat("Which of these do we want to keep?\n", mb<<20/35))
		options := client.QuestionAsk{ID: "o", Text: text.New("Which?")}
		for i := range mb << 20 / 2048 {
			options.Options = append(options.Options, client.Option{ID: fmt.Sprint(i), Label: text.New(strings.Repeat("word ", 409))})
		}
		for name, ask := range map[string]*client.Ask{"one text": sampleQuestion(q), "options": sampleQuestion(options)} {
			p, _ := press(samplePane(ask, 74, 38), "home")
			for _, key := range []string{"pgdn", "1"} {
				b.Run(fmt.Sprintf("%s of %d MB, %s", name, mb, key), func(b *testing.B) {
					for b.Loop() {
						p, _ = press(p, key)
						p = p.Show(p.group, p.item, askNow)
						_ = p.View()
					}
				})
			}
		}
	}
}

// BenchmarkAskChange shows an ask of 1 MB whose content has changed.
func BenchmarkAskChange(b *testing.B) {
	long := strings.Repeat("echo one line of a thousand\n", 18_000)
	p := samplePane(sampleApproval(long+"ls\n"+long), 74, 38)
	it := itemOf(sampleApproval(long + "rm -rf ~\n" + long))
	for b.Loop() {
		_ = p.Show(p.group, it, askNow).View()
	}
}
