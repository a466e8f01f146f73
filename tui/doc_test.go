package tui

import (
	"os"
	"regexp"
	"testing"
)

// The map for newcomers leads to files that are there.
func TestMapNamesFiles(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`[a-z]+(/[a-z]+)*\.go\b`).FindAllString(string(page), -1)
	if len(names) < 20 {
		t.Fatalf("only %d files are named", len(names))
	}
	for _, name := range names {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("the map names %s: %v", name, err)
		}
	}
}
