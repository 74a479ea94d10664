// Command moot puts a question to two participants and lets them argue it
// claim by claim; code, not a model, decides what stands.
package main

import (
	"context"
	"fmt"
	"os"

	"moot/cli"
	"moot/protocol"
)

func main() {
	console, err := cli.NewConsole()
	if err != nil {
		fmt.Fprintln(os.Stderr, "moot:", err)
		os.Exit(int(protocol.ExitError))
	}
	os.Exit(cli.Run(context.Background(), console, os.Args[1:]))
}
