// The program endpoints shows moot with two model endpoints, one in each seat,
// where no model is at hand: it plays their replies. README.md tells how to name
// endpoints of your own instead.
package main

import (
	"context"
	"fmt"
	"os"

	"moot/cli"
	"moot/examples/endpoints/show"
)

func main() {
	console, err := cli.NewConsole()
	if err != nil {
		fmt.Fprintln(os.Stderr, "endpoints:", err)
		os.Exit(cli.ExitError)
	}
	os.Exit(show.New().Run(context.Background(), console, os.Args[1:]))
}
