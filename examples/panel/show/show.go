// Package show is what the example of a panel plays, and what it tells moot.
package show

import (
	_ "embed"

	"moot/examples/play"
)

//go:embed replies.toml
var replies []byte

// folder is where the files of the example are, from the root of the module.
const folder = "examples/panel/"

// New returns the example.
func New() play.Show {
	return play.Show{Name: "panel", Replies: replies, Addresses: []string{"127.0.0.1:8093", "127.0.0.1:8094"}, Ask: ask}
}

func ask(names []string) []string {
	return []string{
		"ask", "--headless", "--attempts", "1", "--format", "panel",
		"--panelist", "rules", "--panelist", "script:" + folder + "colleague.txt",
		"--panelist", names[0], "--panelist", names[1],
		"--workspace", folder + "testdata/hopper", "@" + folder + "question.md",
	}
}
