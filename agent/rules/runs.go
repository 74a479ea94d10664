package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol"
)

// goRun is a command that can be run of a Go module, and the words that ask for
// it.
type goRun struct {
	command string
	words   map[string]bool
}

// isModule reports whether a Go module has its root in a folder.
func isModule(workspace string) bool {
	info, err := os.Stat(filepath.Join(workspace, "go.mod"))
	return err == nil && info.Mode().IsRegular()
}

// offerRuns raises what a command would show of the Go module, where the question
// asks for it and it can come to run: at most most points. It reports how many.
func (t *turn) offerRuns(most int) int {
	if !t.source.module {
		return 0
	}
	raised := 0
	for _, run := range t.runs {
		command, err := ledger.ParseCommand(run.command)
		text := t.say(sayPasses, "command", run.command)
		if err != nil || raised >= most || !t.asksFor(run) || !t.mayRun(command) || t.saidAlready(text) {
			continue
		}
		t.add(&protocol.Raise{
			Text: text, Label: protocol.LabelEvidence,
			Citations: []protocol.Citation{{Reference: command.Reference(), Quote: "exit 0", Relation: ledger.Supports}},
		})
		raised++
	}
	return raised
}

func (t *turn) asksFor(run goRun) bool {
	return slices.ContainsFunc(split(t.question()), func(word string) bool { return run.words[strings.ToLower(word)] })
}

// mayRun reports whether a command can come to run: somebody can be asked, or a
// pattern allows it.
func (t *turn) mayRun(c ledger.Command) bool {
	return t.s.Settings.Attended || slices.ContainsFunc(t.s.AllowedCommands, func(text string) bool {
		pattern, err := ledger.ParseCommandPattern(text)
		return err == nil && pattern.Matches(c)
	})
}
