package cli

import (
	"cmp"
	"context"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  noArguments,
		RunE: a.begin(func(context.Context, []string) error {
			_, err := io.WriteString(a.Out, versionLine())
			return err
		}),
	}
}

// Stamped, Commit and Built are set by who builds a release from something that holds no
// history, with -ldflags "-X askbox/cmd/askbox/cli.Stamped=1.2.3". Built is a date as
// people read it.
var Stamped, Commit, Built string

// built is what the program was built from.
type built struct{ version, commit, date string }

// build returns what was stamped, else what the Go command noted.
var build = sync.OnceValue(func() built {
	b := built{Stamped, Commit, Built}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		b.version = cmp.Or(b.version, "dev")
		return b
	}
	changed := false
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.commit = cmp.Or(b.commit, setting.Value)
		case "vcs.time":
			b.date = cmp.Or(b.date, setting.Value)
		case "vcs.modified":
			changed = setting.Value == "true"
		}
	}
	if info.Main.Version != "(devel)" {
		b.version = cmp.Or(b.version, info.Main.Version)
	}
	if changed && b.commit != "" && Commit == "" {
		b.commit += " with changes"
	}
	b.version = cmp.Or(b.version, "dev")
	return b
})

// versionLine says which askbox this is, and with what it was built for which system.
func versionLine() string {
	b := build()
	parts := []string{"askbox " + b.version}
	if b.commit != "" {
		parts = append(parts, "commit "+b.commit)
	}
	if b.date != "" {
		parts = append(parts, b.date)
	}
	parts = append(parts, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
	return strings.Join(parts, " · ") + "\n"
}
