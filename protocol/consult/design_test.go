package consult

import (
	"slices"
	"strings"
	"testing"

	"moot/state"
)

const design = `# Queue

Jobs are kept in Redis.
A job is never lost.

## Workers

Each worker:

- takes one job
- acks it after the handler
  - and logs the ack
1) retries twice

` + "```" + `
func retry() {

}
` + "```" + `
---
The dashboard shows the rest.
`

// Each heading, paragraph and list item of a design is a point of its own.
func TestDesignStatements(t *testing.T) {
	var got []string
	for _, seed := range designSeed(&state.Input{Design: design}) {
		got = append(got, seed.Text)
	}
	want := []string{
		"Queue:\nJobs are kept in Redis.\nA job is never lost.",
		"Workers, Each worker: takes one job",
		"Workers, Each worker:\nacks it after the handler\n  - and logs the ack",
		"Workers, Each worker:\nretries twice\n```\nfunc retry() {\n\n}\n```",
		"Workers: The dashboard shows the rest.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A long design becomes at most 7 points, and no line of it is lost.
func TestLongDesign(t *testing.T) {
	var lines []string
	for _, section := range []string{"A", "B", "C"} {
		lines = append(lines, "# "+section)
		for _, n := range []string{"1", "2", "3", "4", "5"} {
			lines = append(lines, "- statement "+section+n)
		}
	}
	seeds := designSeed(&state.Input{Design: strings.Join(lines, "\n")})
	if len(seeds) != 7 {
		t.Fatalf("%d points", len(seeds))
	}
	all := ""
	for _, seed := range seeds {
		if !strings.Contains(seed.Text, "statement "+seed.Text[:1]) || strings.Count(seed.Text, ":") != 1 {
			t.Errorf("a point mixes headings: %q", seed.Text)
		}
		all += seed.Text + "\n"
	}
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line, "- "); ok && strings.Count(all, text) != 1 {
			t.Errorf("%q is in the points %d times", text, strings.Count(all, text))
		}
	}
}
