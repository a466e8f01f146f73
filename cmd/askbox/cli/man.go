package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand writes the man page, for packages: it is made from the commands themselves.
func (a *app) manCommand() *cobra.Command {
	command := &cobra.Command{
		Use:    "man",
		Short:  "Write the man page, as askbox man > askbox.1",
		Args:   noArguments,
		Hidden: true,
	}
	command.RunE = a.begin(func(context.Context, []string) error {
		_, err := io.WriteString(a.Out, manPage(command.Root()))
		return err
	})
	return command
}

// manPage returns the page in the man macros of roff.
func manPage(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH ASKBOX 1 \"\" %q \"User Commands\"\n.SH NAME\naskbox \\- %s\n.SH SYNOPSIS\n.B askbox\n[COMMAND] [FLAGS]\n",
		roff(build().version), roff(firstSmall(root.Short)))
	long, _, _ := strings.Cut(root.Long, "\n\n")
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(long))
	fmt.Fprint(&b, ".SH FLAGS\n", manFlags(root))
	b.WriteString(".SH COMMANDS\n")
	manCommands(&b, root)
	for _, t := range topics {
		fmt.Fprintf(&b, ".SH %s\n.nf\n%s.fi\n", strings.ToUpper(t.name), roff(t.page()))
	}
	return b.String()
}

// manCommands writes the commands below one, each with its own below it.
func manCommands(b *strings.Builder, parent *cobra.Command) {
	for _, c := range parent.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		text := c.Long
		if text == "" {
			text = c.Short + "."
		}
		fmt.Fprintf(b, ".SS %s\n.nf\n%s\n%s.fi\n", roff(parent.CommandPath()+" "+c.Use), roff(text), exampleOf(c))
		b.WriteString(manFlags(c))
		manCommands(b, c)
	}
}

func exampleOf(c *cobra.Command) string {
	if c.Example == "" {
		return ""
	}
	return "\nExamples:\n" + roff(c.Example) + "\n"
}

func manFlags(c *cobra.Command) string {
	var b strings.Builder
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+value)), roff(usage))
	})
	return b.String()
}

// roff escapes a text so that roff prints it as it is.
func roff(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	lines := strings.Split(b.String(), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func firstSmall(s string) string { return strings.ToLower(s[:1]) + s[1:] }
