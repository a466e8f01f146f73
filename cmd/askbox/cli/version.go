package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  cobra.NoArgs,
		RunE: a.begin(func(context.Context, []string) error {
			_, err := fmt.Fprintf(a.Out, "askbox %s\n", version())
			return err
		}),
	}
}

// version returns the version of the module that was built, else the commit it
// was built from, else "dev".
var version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return "dev-" + setting.Value[:12]
		}
	}
	return "dev"
})
