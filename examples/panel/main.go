// The program panel shows moot with four participants who answer one question
// unseen by each other, two of them model endpoints, where no model is at hand: it
// plays the replies of these. README.md tells how to name your own instead.
package main

import (
	"context"
	"fmt"
	"os"

	"moot/cli"
	"moot/examples/panel/show"
)

func main() {
	console, err := cli.NewConsole()
	if err != nil {
		fmt.Fprintln(os.Stderr, "panel:", err)
		os.Exit(cli.ExitError)
	}
	os.Exit(show.New().Run(context.Background(), console, os.Args[1:]))
}
