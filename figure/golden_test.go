package figure

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol/protocoltest"
	"moot/resolver"
)

var update = flag.Bool("update", false, "write the golden pictures")

// golden compares a picture with its golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with go test ./figure -update, and look at it", err)
	}
	if wanted := strings.ReplaceAll(strings.TrimSuffix(string(want), "\n"), "\r\n", "\n"); wanted != got {
		t.Errorf("%s differs; rewrite it with go test ./figure -update, and look at it. Got:\n%s\nwant:\n%s", path, got, wanted)
	}
}

// text is a picture without its roles.
func text(rows []Row) string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		for _, run := range row {
			lines[i] += run.Text
		}
	}
	return strings.Join(lines, "\n")
}

// whole draws a map with a selected box.
func whole(m *Map, width int, selected string) string {
	var rows []Row
	for i := range m.Nodes {
		rows = append(rows, m.Draw(i, width, m.Nodes[i].ID == selected)...)
	}
	return text(rows)
}

func mapOf(r *protocoltest.Record, ascii bool) *Map {
	return New(r.State, resolver.Rule(r.State), ansi.GraphemeWidth, ascii)
}

// TestGolden draws each picture once in a usual size, and again where a narrow or an
// ASCII terminal changes its structure.
func TestGolden(t *testing.T) {
	r, panel := protocoltest.Dispute(t), protocoltest.PanelOfThree(t)
	golden(t, "map-120.golden", whole(mapOf(r, false), 120, "C1"))
	golden(t, "map-60-ascii.golden", whole(mapOf(r, true), 60, "C1"))
	golden(t, "map-panel-120.golden", whole(mapOf(panel, false), 120, "P1"))
	golden(t, "map.svg", mapOf(r, false).SVG(80, "#16181d", "#e4e6ea", map[string]string{"agreed": "#8fce7e"}))
}
