package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"askbox/client/text"
)

// The checks of what stands on a command line, which cobra makes in its own words.

// noArguments is for a command that takes only flags.
func noArguments(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if command.HasParent() && !command.HasSubCommands() {
		return fmt.Errorf("%s takes no arguments, and got %s", command.CommandPath(), text.New(args[0]).Quoted(60))
	}
	return fmt.Errorf("%s has no command %s%s", command.CommandPath(), text.New(args[0]).Quoted(60), didYouMean(command, args[0]))
}

// didYouMean names the commands that were perhaps meant by a word that is none.
func didYouMean(command *cobra.Command, word string) string {
	command.SuggestionsMinimumDistance = 2
	near := command.SuggestionsFor(word)
	if len(near) == 0 {
		return ""
	}
	for i := range near {
		near[i] = command.CommandPath() + " " + near[i]
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// oneAsk is for a command that does something with one ask.
func oneAsk(command *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return fmt.Errorf("the name of the ask is missing: %s; askbox list shows the names", strings.TrimSpace(command.Parent().CommandPath()+" "+command.Use))
	case 1:
		return nil
	}
	return fmt.Errorf("%s takes one ask, and got %s as well; a name with blanks needs quotes",
		command.CommandPath(), text.New(args[1]).Quoted(60))
}

// oneRelay is for a command that does something with one relay.
func oneRelay(command *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("name one relay: %s %s", command.Parent().CommandPath(), command.Use)
	}
	return nil
}

// atMostOne fails where two of the flags are given, which contradict each other.
func atMostOne(command *cobra.Command, names ...string) error {
	given := slices.DeleteFunc(names, func(name string) bool { return !command.Flags().Changed(name) })
	if len(given) > 1 {
		return fmt.Errorf("--%s and --%s cannot stand together: give one of them", given[0], given[1])
	}
	return nil
}
