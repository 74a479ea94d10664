//go:build unix

package cli_test

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moot/cli"
	"moot/protocol"
)

// demoAct is a key that a new user presses in a demo, and what it brings to the screen.
type demoAct struct {
	keys, shows string
	// file names the picture in docs/ that shows the screen then, about describes it.
	file, about string
}

func demoActs() map[string][]demoAct {
	return map[string][]demoAct{
		"consult": {
			{keys: " ", shows: "next: consultee to propose"},
			{keys: " ", shows: "next: orchestrator to evaluate"},
			{keys: " ", shows: "next: consultee to answer"},
			{keys: " ", shows: "next: consultee to answer what it skipped"},
			{keys: " ", shows: "next: orchestrator to judge"},
			{keys: " ", shows: "next: consultee to judge"},
			{
				keys: " ", shows: "a side to choose", file: "session",
				about: "A session: the debate, the points in their buckets, the challenges, and the ledger",
			},
			{
				keys: "5z", shows: "accepted by the orchestrator", file: "map",
				about: "The argument as a map: points with what attacks and what supports them",
			},
			{keys: "z1", shows: "n answers"},
			{shows: "next: orchestrator to conclude"},
			{keys: "n", shows: "▸ 1  An exact limit"},
			{keys: enter, shows: "Q1 is answered"},
			{keys: "a", shows: "closed: 4 agreed"},
		},
		"dialectic": {
			{keys: " ", shows: "next: pressure-tester to evaluate"},
			{keys: " ", shows: "next: proposer to answer"},
			{keys: " ", shows: "next: pressure-tester to judge"},
			{keys: " ", shows: "HOLD in round 1"},
			{
				keys: "0", shows: "HOLD: C1", file: "result",
				about: "The decision on a proposal: HOLD, with what holds it and which gates fail",
			},
			{keys: "a", shows: "closed: 3 agreed, 1 dismissed"},
		},
		"review": {
			{keys: " ", shows: "next: reviewer to examine"},
			{keys: " ", shows: "next: reviewer-3 to answer"},
			{keys: "a", shows: "closed: 2 agreed, 2 dismissed"},
			{keys: "0", shows: "→ moot review"},
			{
				keys: "2", shows: "High  Refuted", file: "review",
				about: "The findings of a review: which are agreed, known and dismissed, and the changed lines of the first",
			},
		},
		"panel": {{keys: " ", shows: "next: orchestrator"}, {keys: "a", shows: "closed: 3 agreed, 3 dismissed"}},
		"hearing": {
			{keys: " ", shows: "next: architect to contest"},
			{keys: "a", shows: "THREAT_CONFIRMED"},
			{shows: "closed:"},
		},
		"council": {
			{keys: " ", shows: "next: critic"},
			{keys: "a", shows: "closed: 2 agreed, 2 dismissed"},
			{
				keys: "0", shows: "rests on  ✓ P1 cited, ✓ P4 cited", file: "council",
				about: "The claims of a council: what each seat reports, and which of the four rules hold",
			},
		},
	}
}

// A new user steps through every demo on a large and on a small screen, and ends
// without an error. With -update the README's pictures are drawn on the way.
func TestDemosOnTheScreen(t *testing.T) {
	for format, acts := range demoActs() {
		for _, size := range [][2]int{{120, 36}, {60, 20}} {
			t.Run(fmt.Sprintf("%s %dx%d", format, size[0], size[1]), func(t *testing.T) {
				playDemo(t, newScreen(t, size[0], size[1]), format, acts, "", colors{})
			})
		}
		if *update {
			playDemo(t, newScreen(t, 120, 36), format, acts, ".svg", dark())
			bright := newScreen(t, 120, 36)
			bright.emulator.SetDefaultBackgroundColor(color.White)
			playDemo(t, bright, format, acts, "-light.svg", light())
		}
	}
}

// playDemo presses the keys; if an ending of file names is given it draws the pictures.
func playDemo(t *testing.T, s *screen, format string, acts []demoAct, ending string, c colors) {
	t.Helper()
	environ := []string{"TERM=xterm-256color", "COLORTERM=truecolor"}
	if ending == "" {
		environ = []string{"TERM=xterm-256color", "NO_COLOR=1"}
	}
	s.start(&cli.Console{Err: &s.said, Dir: t.TempDir(), Environ: environ}, "demo", format)
	s.shows("recorded replies, real rulings", "next: ")
	for _, a := range acts {
		s.waited.Add(int64(time.Second))
		s.press(a.keys)
		s.shows(a.shows)
		if a.file == "" || ending == "" {
			continue
		}
		s.mutex.Lock()
		drawn := svg(s.emulator, "moot demo "+format, a.about, c)
		s.mutex.Unlock()
		if err := os.WriteFile(filepath.Join("..", "docs", a.file+ending), drawn, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.press("q")
	if format == "review" {
		s.left(int(protocol.ExitInconclusive))
	} else {
		s.left(int(protocol.ExitConcluded))
	}
}
