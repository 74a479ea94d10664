// Package show is what the example of a council plays, and what it tells moot.
package show

import (
	_ "embed"

	"moot/examples/play"
)

//go:embed replies.toml
var replies []byte

// folder is where the files of the example are, from the root of the module.
const folder = "examples/council/"

// New returns the example.
func New() play.Show {
	return play.Show{
		Name: "council", Replies: replies,
		Addresses: []string{"127.0.0.1:8095", "127.0.0.1:8096", "127.0.0.1:8097", "127.0.0.1:8098"}, Ask: ask,
	}
}

func ask(names []string) []string {
	return []string{
		"ask", "--headless", "--attempts", "1", "--format", "council", "--parallel", "--rounds", "2", "--constitution", folder + "constitution.toml",
		"--strategist", names[0], "--critic", names[1], "--adversary", names[2], "--moderator", names[3],
		"--workspace", folder + "testdata/ferry", "--context", folder + "testdata/ferry/design.md", "@" + folder + "question.md",
	}
}
