// Command moot puts a question to two participants and lets them argue it
// claim by claim; code, not a model, decides what stands.
package main

import (
	"context"
	"fmt"
	"os"

	"moot/cli"
	"moot/internal/confine"
	"moot/protocol"
	"moot/research"
	"moot/research/gocode"
)

func main() {
	if confine.IsHelper(os.Args) {
		os.Exit(confine.Main(os.Args))
	}
	if research.IsPDFHelper(os.Args) {
		os.Exit(research.MainPDF(os.Stdin, os.Stdout))
	}
	if gocode.IsHelper(os.Args) {
		os.Exit(gocode.Main(os.Stdin, os.Stdout))
	}
	console, err := cli.NewConsole()
	if err != nil {
		fmt.Fprintln(os.Stderr, "moot:", err)
		os.Exit(int(protocol.ExitError))
	}
	console.Confines = true
	os.Exit(cli.Run(context.Background(), console, os.Args[1:]))
}
