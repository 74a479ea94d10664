// Package show is what the example of a hearing plays, and what it tells moot.
package show

import (
	_ "embed"

	"moot/examples/play"
)

//go:embed replies.toml
var replies []byte

// New returns the example.
func New() play.Show {
	return play.Show{
		Name: "hearing", Replies: replies, Addresses: []string{"127.0.0.1:8099", "127.0.0.1:8100"}, Ask: ask,
	}
}

func ask(names []string) []string {
	return []string{
		"ask", "--headless", "--attempts", "1", "--format", "hearing", "--form", "anchored", "--judge", "v2", "--no-workspace",
		"--architect", names[0], "--skeptic", names[1], "--closed-world", "examples/hearing/night.json",
	}
}
