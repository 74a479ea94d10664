// Package show is what the example with an endpoint in each seat plays, and what
// it tells moot.
package show

import (
	_ "embed"

	"moot/examples/play"
)

//go:embed replies.toml
var replies []byte

// folder is where the files of the example are, from the root of the module.
const folder = "examples/endpoints/"

// New returns the example.
func New() play.Show {
	return play.Show{Name: "endpoints", Replies: replies, Addresses: []string{"127.0.0.1:8091", "127.0.0.1:8092"}, Ask: ask}
}

func ask(names []string) []string {
	words := []string{
		"ask", "--headless", "--format", "dialectic", "--playbook", "infrastructure-change",
		"--proposer", names[0], "--pressure-tester", names[1], "--workspace", folder + "plan",
	}
	for _, name := range []string{"rollout", "way-back", "limits"} {
		words = append(words, "--context", folder+"plan/"+name+".md")
	}
	return append(words, "@"+folder+"question.md")
}
