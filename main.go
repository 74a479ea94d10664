// Command moot puts a question to two participants and lets them argue it
// claim by claim; code, not a model, decides what stands.
package main

import (
	"context"
	"fmt"
	"os"

	"moot/cli"
)

func main() {
	console, err := cli.NewConsole()
	if err != nil {
		fmt.Fprintln(os.Stderr, "moot:", err)
		os.Exit(cli.ExitError)
	}
	os.Exit(cli.Run(context.Background(), console, os.Args[1:]))
}
