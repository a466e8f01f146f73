//go:build unix

package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// binaries holds the programs that were built for this run of the tests.
var binaries struct {
	dir   string
	askbx func() (string, error)
	hello func() (string, error)
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "askbox-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binaries.dir = dir
	binaries.askbx = sync.OnceValues(func() (string, error) { return build("askbox", ".", "askbox/cmd/askbox") })
	binaries.hello = sync.OnceValues(func() (string, error) { return build("hello", "testdata/hello", ".") })
	// Stories mostly wait for a person, so more of them run at a time than there
	// are processors, unless told otherwise.
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set("8")
	}
	status := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(status)
}

// build builds a package that is looked for from a folder: hello is a module of its own,
// with the lightest versions of its libraries.
func build(name, dir, pkg string) (string, error) {
	file := filepath.Join(binaries.dir, name)
	args := []string{"build", "-o", file}
	if os.Getenv("ASKBOX_E2E_RACE") != "" {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", name, err, out)
	}
	return file, nil
}

// askbox returns the path of the binary under test.
func askbox(t testing.TB) string {
	t.Helper()
	file, err := binaries.askbx()
	if err != nil {
		t.Fatal(err)
	}
	return file
}
