package figure

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/resolver"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// golden compares a picture with the one that is kept.
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
		t.Errorf("%s differs; write it anew with go test ./figure -update, and look at it. Got:\n%s\nwant:\n%s", path, got, wanted)
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

// whole draws a map without a window.
func whole(g *Graph, selected string) string {
	w, h := g.Size()
	return text(g.Draw(0, 0, w, h, selected))
}

func TestGoldenMap(t *testing.T) {
	r := demo(t)
	for _, width := range []int{60, 120} {
		for _, ascii := range []bool{false, true} {
			name := fmt.Sprintf("map-%d%s.golden", width, when(ascii, "-ascii", ""))
			t.Run(name, func(t *testing.T) {
				g := Map(&r.state, resolver.Rule(r.state), MapOptions{Width: width, ASCII: ascii})
				golden(t, name, whole(g, "C1"))
			})
		}
	}
}

func TestGoldenMapOfOnePoint(t *testing.T) {
	r := demo(t)
	for _, width := range []int{80} {
		g := Map(&r.state, resolver.Rule(r.state), MapOptions{Width: width, Focus: "P6", Only: true})
		golden(t, fmt.Sprintf("map-only-%d.golden", width), whole(g, "P6"))
	}
}

// charts are all charts of a session.
func charts(r *recorder) map[string]*Chart {
	return map[string]*Chart{
		"confidence": Confidence(&r.state, ""), "confidence-P2": Confidence(&r.state, "P2"),
	}
}

func TestGoldenCharts(t *testing.T) {
	for name, c := range charts(demo(t)) {
		for _, size := range [][2]int{{20, 3}, {60, 16}, {120, 40}} {
			for _, ascii := range []bool{false, true} {
				file := fmt.Sprintf("%s-%dx%d%s.golden", name, size[0], size[1], when(ascii, "-ascii", ""))
				golden(t, file, text(c.Draw(size[0], size[1], ascii, nil)))
			}
		}
	}
}

func TestGoldenSVG(t *testing.T) {
	r := demo(t)
	golden(t, "map.svg", Map(&r.state, resolver.Rule(r.state), MapOptions{Width: 120}).SVG(SVGStyle{Dark: true}))
	for name, c := range charts(r) {
		golden(t, name+".svg", c.SVG(SVGStyle{}))
	}
}
