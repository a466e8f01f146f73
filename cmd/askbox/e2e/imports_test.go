package e2e

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// pkg is what go list tells about a package of this module.
type pkg struct {
	ImportPath string
	Imports    []string
}

// direction says what a package may import of this module, by its folder, where a
// slash at the end stands for all below; the first rule that fits counts. Tests
// may import more: the fakes, and helpers.
var direction = []struct {
	folder string
	may    []string
}{
	{"client/text/widths", nil},
	{"client/text", []string{"client/text/widths"}},
	{"client", []string{"client/text"}},
	{"client/state", nil},
	{"client/drafts", []string{"client", "client/text", "client/state"}},
	{"client/history", []string{"client", "client/text", "client/state"}},
	{"client/config", []string{"client", "client/text"}},
	{"client/inbox", []string{"client", "client/text", "client/history"}},
	{"client/relays/httpx", []string{"client", "client/text"}},
	{"client/relays/toolinput", []string{"client", "client/text", "client/relays/httpx"}},
	{"client/relays/", []string{"client", "client/text", "client/relays", "client/relays/httpx", "client/relays/toolinput"}},
	{"client/relays", []string{"client", "client/text", "client/state", "client/relays/httpx", "client/relays/toolinput"}},
	{"client/fake/demo", []string{"client/fake", "client/fake/"}},
	{"client/fake/", []string{"client/fake"}},
	{"client/fake", nil},
	{"tui/quiet", nil},
	{"tui/input", nil},
	{"tui/theme", []string{"client/text", "tui/quiet"}},
	{"tui/keymap", nil},
	{"tui/textfield", []string{"client/text", "tui/theme"}},
	{"tui/diff", []string{"client/text", "tui/theme"}},
	{"tui/", []string{"client", "client/text", "client/inbox", "client/history", "client/drafts", "tui/theme", "tui/keymap", "tui/textfield", "tui/diff", "tui/page"}},
	{"tui", []string{"client", "client/text", "client/inbox", "client/history", "client/drafts", "tui/"}},
	{"cmd/askbox/cli", []string{"client", "client/", "tui", "tui/keymap", "tui/quiet", "tui/theme"}},
	{"cmd/askbox/e2e/", []string{"client/fake", "client/fake/"}},
	{"cmd/askbox/e2e", []string{"client/fake", "client/fake/", "cmd/askbox/e2e/"}},
	{"cmd/askbox", []string{"cmd/askbox/cli"}},
}

// panes draw a region each, and know nothing of one another.
var panes = []string{"tui/list", "tui/ask", "tui/history"}

// TestImportsRunOneWay holds the architecture: cmd, tui, inbox, domain; and
// adapters, HTTP, domain.
func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, p := range packages(t, "askbox/...") {
		folder := strings.TrimPrefix(p.ImportPath, "askbox/")
		if strings.Contains(folder, "/testdata/") {
			continue
		}
		seen++
		allowed, known := allowedFor(folder)
		if !known {
			t.Errorf("%s has no rule: add the folder to the table of this test", folder)
		}
		for _, imported := range p.Imports {
			to, ours := strings.CutPrefix(imported, "askbox/")
			switch {
			case ours && slices.Contains(panes, folder) && slices.Contains(panes, to):
				t.Errorf("the pane %s imports the pane %s", folder, to)
			case ours && !covers(allowed, to):
				t.Errorf("%s imports %s, which is the wrong direction", folder, to)
			case !ours && folder == "client" && strings.Contains(strings.Split(imported, "/")[0], "."):
				t.Errorf("the domain imports %s: it has the standard library and client/text", imported)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages were looked at", seen)
	}
}

// sharedByAdapters are the folders below client/relays that are no adapter.
var sharedByAdapters = []string{"askbox/client/relays/httpx", "askbox/client/relays/toolinput", "askbox/client/relays/relaystest"}

// TestOneWiring has one importer of the adapters, so that a new kind of relay is
// a folder and a line.
func TestOneWiring(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t, "askbox/...") {
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, "askbox/client/relays/") && !slices.Contains(sharedByAdapters, imported) &&
				p.ImportPath != "askbox/cmd/askbox/cli" && !strings.HasPrefix(p.ImportPath, imported) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// TestQuietComesFirst makes sure that the package which keeps the terminal from
// being asked at start is a part of the program.
func TestQuietComesFirst(t *testing.T) {
	t.Parallel()
	var found bool
	for _, p := range packages(t, "-deps", "askbox/cmd/askbox") {
		found = found || p.ImportPath == "askbox/tui/quiet"
	}
	if !found {
		t.Error("askbox/tui/quiet is not imported")
	}
}

// allowedFor returns the rule for a folder: its own, or that of a folder above
// whose rule ends in a slash.
func allowedFor(folder string) ([]string, bool) {
	for _, d := range direction {
		if covers([]string{d.folder}, folder) {
			return d.may, true
		}
	}
	return nil, false
}

// covers reports whether a folder is in a list, in which a slash at the end
// stands for all below.
func covers(list []string, folder string) bool {
	return slices.ContainsFunc(list, func(may string) bool {
		return may == folder || strings.HasSuffix(may, "/") && strings.HasPrefix(folder, may)
	})
}

func packages(t *testing.T, args ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Imports"}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, p)
	}
}
