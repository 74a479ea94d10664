package cli

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// CopyText is copyText, for a process whose environment a script has set.
func CopyText(ctx context.Context, c *Console, text string) (string, error) {
	return c.copyText(ctx, text)
}

// Manual returns docs/commands.md: every command with its examples and flags,
// as the program knows them.
func Manual() string {
	root := newRoot(&Console{})
	var out strings.Builder
	out.WriteString("# Commands\n\n" +
		"This page is generated from the help of the program; `moot COMMAND --help` prints the same text.\n\n" +
		"Standard output carries the result alone, everything else goes to standard error. Exit codes:\n\n" +
		"| code | meaning |\n|---|---|\n" +
		"| 0 | concluded, or passages were found |\n| 1 | an error |\n| 2 | wrong usage; nothing was done |\n" +
		"| 3 | the session is inconclusive or paused, a council without consensus, or a proposal on hold |\n| 4 | a check found something, or a result misses a requirement (--require) |\n" +
		"| 5 | a person must decide: a proposal is escalated, or the gate of a hearing fires and nobody is there |\n" +
		"| 130, 143, 129 | stopped by ctrl-c, SIGTERM or SIGHUP; the session is saved |\n\n" +
		"The first ctrl-c saves the session and leaves, the second one leaves at once. Every event that was shown is on disk already.\n\n" +
		"`moot completion bash` prints a script that completes commands, flags and values; also for zsh, fish and powershell. With `--help` it says how to load the script.\n")
	writeManual(&out, root)
	for _, command := range root.Commands() {
		if command.IsAvailableCommand() {
			writeManual(&out, command)
			for _, below := range command.Commands() {
				if below.IsAvailableCommand() {
					writeManual(&out, below)
				}
			}
		}
	}
	return out.String()
}

// UnknownFlags returns the commands in a text that have a flag which does not exist.
func UnknownFlags(text string) []string {
	root, found := newRoot(&Console{}), []string{}
	text = regexp.MustCompile("\\\\\n|\"[^\"\n]*\"").ReplaceAllString(text, " ")
	for _, line := range regexp.MustCompile("\\bmoot [a-z][^|&;()`\\n]*").FindAllString(text, -1) {
		words := strings.Fields(line)[1:]
		cmd, _, err := root.Find(words)
		if err != nil {
			continue // prose
		}
		for _, word := range words {
			name, _, _ := strings.Cut(strings.Trim(word, `.,:'"`), "=")
			if name, is := strings.CutPrefix(name, "--"); is && name != "" && cmd.Flag(name) == nil && name != "help" {
				found = append(found, line)
			}
		}
	}
	return found
}

func writeManual(out *strings.Builder, cmd *cobra.Command) {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	fmt.Fprintf(out, "\n## %s\n\n%s\n\n```\n", cmd.CommandPath(), about)
	// A strings.Builder takes everything.
	_ = writeUsage(out, cmd)
	out.WriteString("```\n")
}
