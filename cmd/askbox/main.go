// Command askbox is a terminal inbox for what AI agents ask of a developer.
package main

import (
	"os"

	"askbox/cmd/askbox/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.System()))
}
