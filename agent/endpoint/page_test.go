package endpoint_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/agent/endpoint"
)

var update = flag.Bool("update", false, "write docs/endpoints.md anew")

// The page names every preset with its address, its key and what it is asked for.
func TestPageListsPresets(t *testing.T) {
	const begin, end = "<!-- presets: written by the tests of agent/endpoint -->\n", "<!-- end of presets -->\n"
	name := filepath.Join("..", "..", "docs", "endpoints.md")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(content), "\r\n", "\n")
	before, rest, opened := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("%s has no place for the presets", name)
	}
	want := before + begin + "\n" + presetTables(t) + "\n" + end + after
	if want == page {
		return
	}
	if !*update {
		t.Fatalf("%s does not list the presets as they are; go test ./agent/endpoint -run Page -update writes it", name)
	}
	if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// presetTables are the servers of one's own machine, and the services elsewhere.
func presetTables(t *testing.T) string {
	t.Helper()
	presets, err := endpoint.Presets()
	if err != nil {
		t.Fatal(err)
	}
	var local, elsewhere strings.Builder
	for i := range presets {
		p := &presets[i]
		if p.Local {
			start := ""
			if p.Start != "" {
				start = "`" + p.Start + "`"
			}
			fmt.Fprintf(&local, "| `%s:%s` | %s | %s | %s | %s | %s |\n", p.Name, p.Example, p.Title, p.Base, start, p.Structured, p.Notes)
			continue
		}
		fmt.Fprintf(&elsewhere, "| `%s:%s` | %s | %s | %s | %s |\n", p.Name, p.Example, p.Title, "`"+strings.Join(p.Keys, "` or `")+"`", p.Structured, p.Notes)
	}
	return "## On your own machine\n\n| participant | server | address | starts with | asked for | to know |\n|---|---|---|---|---|---|\n" + local.String() +
		"\n## Elsewhere, with a key\n\n| participant | service | key | asked for | to know |\n|---|---|---|---|---|\n" + elsewhere.String()
}
