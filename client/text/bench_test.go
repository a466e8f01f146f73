package text_test

import (
	"fmt"
	"strings"
	"testing"

	"askbox/client/text"
)

// commands returns different texts as asks have them, every tenth with something hidden.
func commands(n int) []text.Text {
	all := make([]text.Text, n)
	for i := range all {
		raw := fmt.Sprintf("kubectl apply -f deploy/%d.yaml --namespace build && echo done # step %d", i, i)
		if i%10 == 0 {
			raw += "\u202e\x1b[2K café Привет 漢字 c\u0443rl"
		}
		all[i] = text.New(raw)
	}
	return all
}

func BenchmarkTexts(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		all := commands(n)
		run := func(name string, each func(text.Text)) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					for _, t := range all {
						each(t)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/text")
			})
		}
		run("String", func(t text.Text) { _ = t.String() })
		run("Fit40", func(t text.Text) { _ = t.Fit(40) })
		run("Rows80", func(t text.Text) { _ = t.Rows(80, text.Exact) })
		run("Warnings", func(t text.Text) { _ = t.Warnings(text.Words) })
	}
}

// huge are texts of five megabytes of every kind that could cost more than others.
var huge = []struct{ name, unit string }{
	{"ascii", "echo hello world && "}, {"word", "A"}, {"lines", "echo step\n"}, {"spaces", " "},
	{"blank lines", "\n"}, {"accents", "é "}, {"russian", "привет мир "}, {"twins", "о "},
	{"dotted", "о."}, {"cjk", "漢字かな"}, {"escapes", "\x1b[2K"}, {"mixed blanks", " \u00a0"},
	{"combining", "a\u0301"}, {"bytes", "\xff\xfe"}, {"look-alikes", "c\u0443rl "}, {"tabs", "\tx\n"},
}

func BenchmarkFiveMegabytes(b *testing.B) {
	const size = 5 << 20
	for _, h := range huge {
		t := text.New(strings.Repeat(h.unit, size/len(h.unit)) + "; rm -rf ~")
		run := func(name string, f func()) {
			b.Run(name+"/"+h.name, func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
		run("Fit40", func() { _ = t.Fit(40) })
		run("Rows80", func() { _ = t.Rows(80, text.Exact) })
		run("Words80", func() { _ = t.Rows(80, text.Words) })
		run("First24", func() {
			n := 0
			for range t.Seq(80, text.Exact) {
				if n++; n == 24 {
					break
				}
			}
		})
		run("Warnings", func() { _ = t.Warnings(text.Words) })
	}
}
