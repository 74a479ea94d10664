// The program council shows moot with four model endpoints that test the claims of
// a document, where no model is at hand: it plays the replies of these. README.md
// tells how to name your own instead.
package main

import (
	"context"
	"fmt"
	"os"

	"moot/cli"
	"moot/examples/council/show"
)

func main() {
	console, err := cli.NewConsole()
	if err != nil {
		fmt.Fprintln(os.Stderr, "council:", err)
		os.Exit(cli.ExitError)
	}
	os.Exit(show.New().Run(context.Background(), console, os.Args[1:]))
}
