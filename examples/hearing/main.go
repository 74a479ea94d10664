// The program hearing shows moot with two model endpoints that argue from a packet of
// facts, where no model is at hand: it plays the replies of these. README.md tells how
// to name your own instead.
package main

import (
	"context"
	"fmt"
	"os"

	"moot/cli"
	"moot/examples/hearing/show"
)

func main() {
	console, err := cli.NewConsole()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hearing:", err)
		os.Exit(cli.ExitError)
	}
	os.Exit(show.New().Run(context.Background(), console, os.Args[1:]))
}
