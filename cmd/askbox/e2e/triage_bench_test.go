//go:build unix

package e2e

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/opencode"
)

// BenchmarkTriage answers twenty mixed asks: keys is how many keys that takes, from the start
// on, of a person who reads each to its end, and marks those that are alike.
func BenchmarkTriage(b *testing.B) {
	for _, size := range []string{"80x24", "120x40"} {
		b.Run(size, func(b *testing.B) {
			keys := 0
			for b.Loop() {
				keys = triage(b, size)
			}
			b.ReportMetric(float64(keys), "keys")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func triage(b *testing.B, size string) (keys int) {
	w := newWorld(b, "", "work")
	relay := w.relays["work"]
	session := func(title string) string { return w.session("work", title) }
	for i := range 6 {
		relay.Bash(session("Find the flaky test"), fmt.Sprintf("go test ./internal/orders/... -run TestRefund%d", i), "")
	}
	for i := range 4 {
		relay.Edit(session("Round as the law says"), fmt.Sprintf("internal/orders/refunds/v2/refund_%d.go", i), "old\n", "new\n")
	}
	for i := range 3 {
		relay.Choice(session("Plan the release"), fmt.Sprintf("Which way %d?", i), "This", "That")
	}
	relay.Bash(session("Release"), "set -e\n"+strings.Repeat("make step\n", 50)+"git push", "")
	for i := range 6 {
		relay.Approve(session("Look around"), fmt.Sprintf("Tool%d", i), map[string]any{"path": fmt.Sprintf("notes/%d.md", i)}, "")
	}
	s := w.open(size).see("All 20")
	press := func(key string) {
		s.decide(key)
		keys++
	}
	marked := map[string]bool{}
	if !strings.HasPrefix(size, "1") {
		press("enter")
	}
	for !strings.Contains(s.Screen(), "All 0") {
		pane := strings.Join(s.Rows()[1:], "\n")
		if i := strings.Index(s.Rows()[2], " │ "); strings.HasPrefix(size, "1") && i >= 0 {
			pane = rightOf(s.Rows(), 50)
		}
		for _, alike := range []string{"go test", "refund_"} {
			if strings.Contains(pane, alike) && !marked[alike] {
				marked[alike] = true
				press("*")
				press("*")
				pane = ""
			}
		}
		if strings.Contains(pane, "Which way") {
			press("1")
			press("enter")
		} else {
			for strings.Contains(s.Screen(), "more row") {
				press("space")
			}
			press("a")
		}
		if strings.Contains(s.Screen(), "All 0") {
			break
		}
		press("enter")
	}
	s.press("ctrl+c")
	return keys
}

// rightOf is what stands right of a column.
func rightOf(rows []string, column int) string {
	var b strings.Builder
	for _, row := range rows {
		if cells := []rune(row); len(cells) > column {
			b.WriteString(string(cells[column:]) + "\n")
		}
	}
	return b.String()
}

// BenchmarkRows shows nineteen asks of opencode that begin alike: own is how many of them
// have a row that no other one has, chars how many characters of what is asked are visible.
func BenchmarkRows(b *testing.B) {
	for _, size := range []string{"80x24", "120x40", "158x40", "200x60"} {
		b.Run(size, func(b *testing.B) {
			own, chars := 0, 0
			for b.Loop() {
				own, chars = rows(b, size)
			}
			b.ReportMetric(float64(own), "own")
			b.ReportMetric(float64(chars), "chars")
			b.ReportMetric(0, "ns/op")
		})
	}
}

var rowBegins = regexp.MustCompile(`^.\s*<?\d+[smhd] `)

func rows(b *testing.B, size string) (own, chars int) {
	code, err := opencode.Start(opencode.Options{Root: "/srv/shop"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(code.Close)
	var asked []string
	open := func(folder, title, command, path string) {
		session := code.AddSession(fake.Session{Title: title, Folder: folder})
		if path != "" {
			code.Edit(session, path, "old\n", "new\n")
			asked = append(asked, path)
			return
		}
		code.Bash(session, command, "")
		asked = append(asked, command)
	}
	for i := range 4 {
		open("/srv/shop", "Fill the shards again", fmt.Sprintf("docker compose -f deploy/staging/docker-compose.yml exec -T postgres psql -U app -c 'select 1 where shard = %d'", i), "")
	}
	for i := range 6 {
		open("/srv/shop", "Find the flaky test", fmt.Sprintf("go test ./internal/orders/... -run TestRefund%d", i), "")
	}
	for i := range 7 {
		open("/srv/shop", "Round as the law says", "", fmt.Sprintf("internal/orders/backend/payments/refunds/v2/handlers/refund_%d.go", i))
	}
	open("/srv/shop", "Release", "git push --force origin main", "")
	open("/srv/web", "Release", "git push --force origin main", "")
	w := newWorld(b, "")
	w.more = fmt.Sprintf("\n[[relay]]\nname = \"code\"\ntype = \"opencode\"\nurl = %q\nuser = %q\ntoken = %q\ndirectories = [\"/srv/shop\", \"/srv/web\"]\n", code.URL(), code.User(), code.Token())
	s := w.open(size).see("All 19").settle()
	width := len([]rune(s.Rows()[0]))
	if width >= 100 {
		width = min(width*42/100, 80)
	}
	seen, count := "", map[string]int{}
	for _, row := range append(s.Rows()[2:], "  1m end") {
		row = string([]rune(row)[:min(width, len([]rune(row)))])
		if rowBegins.MatchString(row) && seen != "" {
			count[seen]++
			seen = ""
		}
		cut := strings.IndexAny(row, "│┆")
		if cut < 0 {
			continue
		}
		said := strings.TrimSpace(row[cut+len("│"):])
		seen += said + "\n"
		for _, piece := range strings.Split(strings.ReplaceAll(said, "  ", "…"), "…") {
			for _, a := range asked {
				if piece = strings.TrimSpace(piece); piece != "" && strings.Contains(a, piece) {
					chars += len(piece)
					break
				}
			}
		}
	}
	for _, n := range count {
		if n == 1 {
			own++
		}
	}
	if f := os.Getenv("SHOW"); f != "" {
		os.WriteFile(f+size, []byte(s.Screen()), 0o644)
	}
	s.press("ctrl+c")
	return own, chars
}
