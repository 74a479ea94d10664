//go:build unix

package picture_test

import (
	"bytes"
	"flag"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"moot/tui/picture"
)

var update = flag.Bool("update", false, "draw the pictures of the README anew")

// act is what the person presses, and what must be on the screen before the
// next one, if anything.
type act struct {
	keys, shows string
	// shot is the file in docs/ that shows the screen then, without its ending;
	// about is what is read aloud in its place.
	shot, about string
}

// program is a run of moot: what was typed to begin it, and what the person does
// then.
type program struct {
	caption string
	height  int
	open    func(t *testing.T, e *terminal)
	acts    []act
}

func programs() []program {
	return []program{
		{"moot", 14, openHome, []act{
			{shows: "5 sessions"},
			{
				keys: "\x1b[B", shows: "▸ ✓ finished", shot: "home",
				about: "Home: the sessions with where each one stands and how many points are in which bucket",
			},
		}},
		{caption, 36, openSession, sessionActs()},
		{proposalCaption, 36, openProposal, []act{
			{shows: "next: proposer propose"},
			{keys: " ", shows: "next: pressure-tester evaluate"},
			{keys: " ", shows: "next: proposer answer"},
			{keys: " ", shows: "next: pressure-tester judge"},
			{keys: " ", shows: "HOLD in round 1"},
			{
				keys: "6", shows: "6 Decision HOLD", shot: "decision",
				about: "The decision on a proposal: HOLD, what holds it and who owes what for it, and the gates",
			},
			{keys: "q"},
		}},
		{councilCaption, 40, openCouncil, []act{
			{shows: "next: strategist"},
			{
				keys: "a6", shows: "closed: ", shot: "council",
				about: "The claims of a council: what each seat reports, which of CV1 to CV4 hold, and the way of the selected claim",
			},
			{
				keys: "0", shows: "overall", shot: "metrics",
				about: "The metrics of a council: each figure and what it means",
			},
		}},
		{hearingCaption, 36, openHearing, []act{
			{shows: "next: architect"},
			{keys: "a6", shows: "closed: "},
			{
				keys: "g", shows: "▸AS   f02", shot: "hearing",
				about: "The facts of a hearing's packet with who cites them for what, and the selected one in full",
			},
			{
				keys: "c", shows: "rebuttal ignored", shot: "hearing-confidence",
				about: "How sure both sides of a hearing are, round by round, with a drift that was kept and a rebuttal that was ignored",
			},
			{keys: "q"},
		}},
		{panelCaption, 30, openPanel, []act{
			{shows: "next: panelist"},
			{keys: "6 ", shows: "next: orchestrator compare"},
			{keys: " ", shows: "next: panelist-3"},
			{
				keys: " ", shows: "settled for", shot: "matrix",
				about: "The matrix of a panel: who holds which claim",
			},
			{keys: "q"},
		}},
	}
}

// sessionActs are a session, and the looks at it that the README shows.
func sessionActs() []act {
	return []act{
		{shows: "next: orchestrator map"},
		{keys: " ", shows: "next: consultee propose"},
		{keys: "Fthe mail handler is idempotent\r", shows: "recorded as a fact of the user"},
		{keys: "1 ", shows: "next: orchestrator evaluate"},
		{keys: " ", shows: "next: consultee answer"},
		{keys: "8\x1b[F", shows: "▸ P6"},
		{keys: "D", shows: "P6 is Dismissed, by you"},
		{keys: "1 ", shows: "next: orchestrator judge"},
		{
			keys: " ", shows: "next: consultee coverage", shot: "session",
			about: "A session of moot in the terminal: the debate, the points in their buckets, the challenges and the ledger",
		},
		{
			keys: "8\x1b[H\x1b[B\x1b[B\x1b[B5z", shows: "4 Ledger  6 Confidence", shot: "map",
			about: "The argument of a session as a map: points with the challenges, answers and evidence that attack and support them",
		},
		{
			keys: "8\x1b[Fw", shows: "What would change it", shot: "receipt",
			about: "The receipt of a point: why it is where it is, what the ruling read, and what would change it",
		},
		{keys: "q"},
	}
}

// The pictures in docs/ are what moot looks like now.
func TestPicturesOfTheReadme(t *testing.T) {
	t.Parallel()
	for _, theme := range []struct {
		ending     string
		background color.Color
		options    picture.Options
	}{
		{".svg", color.Black, picture.Dark()},
		{"-light.svg", color.White, picture.Light()},
	} {
		for _, p := range programs() {
			t.Run(p.caption+theme.ending, func(t *testing.T) {
				t.Parallel()
				e := newTerminal(t, 120, p.height, theme.background)
				p.open(t, e)
				for _, act := range p.acts {
					e.act(act.keys, act.shows)
					if act.shot != "" {
						o := theme.options
						o.Title, o.Description = p.caption, act.about
						keep(t, e, act.shot+theme.ending, o)
					}
				}
				e.leave()
			})
		}
	}
}

// keep compares the screen with the picture in docs/, or writes that anew. What
// is shown may be on the screen before the rest of what the keys do, so the
// screen has the time of every wait to become the picture.
func keep(t *testing.T, e *terminal, file string, o picture.Options) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", file)
	if *update {
		must(t, os.WriteFile(path, e.picture(o), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; draw it with go test ./tui/picture -update, and look at it", err)
	}
	if !e.becomes(func() bool { return bytes.Equal(e.picture(o), want) }) {
		t.Errorf("docs/%s is not what the screen looks like now; draw it anew with go test ./tui/picture -update, and look at it. The screen:\n%s", file, e.text())
	}
}
