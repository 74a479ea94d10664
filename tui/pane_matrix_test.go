package tui

import (
	"slices"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/panel"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// matrixOf is a panel's session with its matrix on the screen.
func matrixOf(t *testing.T, r *recorder) *Model {
	t.Helper()
	m := screenOf(t, r, Options{NoColor: true}, 120, 40)
	pressAll(m, "6")
	m.View()
	return m
}

// rowWith is the row of the screen that holds the text, "" where none does.
func rowWith(m *Model, text string) string {
	for row := range strings.SplitSeq(said(m), "\n") {
		if strings.Contains(row, text) {
			return row
		}
	}
	return ""
}

func TestTheMatrixSaysWhoHoldsWhat(t *testing.T) {
	m := matrixOf(t, compared(t))
	for claim, want := range map[string]string{
		"│▸P1 ":   "●  ●  ●  ●  ✓ Agreed",
		"│ P4 ":   "●  ●  ·  ·  ○ Open",
		"│   P2 ": "●  ✗  ●  ✗  ○ Open",
		"│   P3 ": "●  ✗  ●  ◐  ✓ Agreed",
		"│   P5 ": "○  ✗  ◐  ✗  ✗ Dismissed",
		"│   P15": "·  ✗  ●  ✗  ✓ Agreed",
		"│ P19":   "·  ·  ·  ●  ○ Open",
		"│ K1 ":   "disagreement   waits for you, Q1",
		"│ K2 ":   "contradiction  settled for P3 by vote: 3/4 agents agreed",
		"│ K3 ":   "argued out for P10",
		"│ K4 ":   "settled for P15 by evidence",
	} {
		if row := rowWith(m, claim); !strings.Contains(row, want) {
			t.Errorf("%s is shown as %q, not %q", claim, row, want)
		}
	}
	if row := rowWith(m, "3 ollama:qwen3"); !strings.Contains(row, "5 held, 2 alone") {
		t.Errorf("the third participant is shown as %q", row)
	}
}

// The groups come in their order, and each claim stands in one of them.
func TestEachClaimStandsInItsGroup(t *testing.T) {
	r := compared(t)
	c := pane.Compare(&r.state, panel.NewTable(&r.state), nil)
	groups := map[pane.ClaimGroup][]string{}
	for i := range c.Claims {
		g := c.Group(&c.Claims[i])
		groups[g] = append(groups[g], c.Claims[i].ID)
	}
	for g, want := range map[pane.ClaimGroup]string{
		pane.GroupEveryone: "P1", pane.GroupSeveral: "P4", pane.GroupContested: "P2 P3 P5 P7 P8 P10 P15 P18", pane.GroupAlone: "P14 P19", pane.GroupNobody: "P20",
	} {
		if got := strings.Join(groups[g], " "); got != want {
			t.Errorf("%s: %s, not %s", g, got, want)
		}
	}
}

// A claim is opened as in other panes; what is selected there is what is looked at.
func TestAClaimOfTheMatrixIsOpened(t *testing.T) {
	m := matrixOf(t, compared(t))
	m.setTopic("P7")
	if m.matrix.Chosen != "P7" {
		t.Errorf("%q is selected, not what was turned to", m.matrix.Chosen)
	}
	pressAll(m, "enter")
	if m.focus != pane.PointID || m.topic != "P7" {
		t.Errorf("%s shows %s", m.focus, m.topic)
	}
	// P17 was merged into P7, P9 says the same as P4.
	m.setTopic("P9")
	if m.matrix.Chosen != "P4" {
		t.Errorf("%q is selected for P9", m.matrix.Chosen)
	}
}

// News leave the selection where it is, also that of two participants.
func TestNewsLeaveTheSelectionOfTheMatrix(t *testing.T) {
	r := compared(t)
	for _, id := range []string{"K1", "P14"} {
		m := matrixOf(t, r)
		m.matrix.List.Choose(id)
		before := m.matrix.Selected()
		own := *r
		own.events = slices.Clip(own.events)
		tell(m, own.advanced(&state.PointNoted{Point: "P3", Text: "somebody noted this"}))
		m.View()
		if got := m.matrix.Selected(); got != before || got == "" {
			t.Errorf("%q is selected after the news, not %q", got, before)
		}
	}
}

// While the first answers come in the matrix says who is at it, and no more.
func TestTheMatrixSaysWhoHasAnswered(t *testing.T) {
	m := matrixOf(t, convened(t).recorder)
	for _, seat := range []state.Seat{state.Panelist, "panelist-2"} {
		tell(m, protocol.CallStarted{Ask: protocol.Ask{Seat: seat, Stage: state.StagePropose}, At: m.options.Now()})
	}
	tell(m, protocol.CallEnded{Seat: "panelist-2"})
	for name, want := range map[string]string{"1 openai": "propose", "2 anthropic": "has answered", "3 ollama": "no answer yet"} {
		if row := rowWith(m, name); !strings.Contains(row, want) {
			t.Errorf("%s is shown as %q, not %q", name, row, want)
		}
	}
	if strings.Contains(said(m), "shares") || strings.Contains(said(m), "%") {
		t.Errorf("results before they are in:\n%s", said(m))
	}
}

// No two ways to stand to a claim have one sign, whatever they are drawn with.
func TestEachStandHasASignOfItsOwn(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		l := theme.New(theme.Appearance{ASCII: ascii, Mono: true})
		seen := map[string]pane.Stand{}
		for s := pane.StandSilent; s <= pane.StandMissing; s++ {
			glyph, _, _ := pane.StandSign(l, s)
			if other, twice := seen[glyph]; twice {
				t.Errorf("%q stands for %d and %d", glyph, other, s)
			}
			seen[glyph] = s
		}
	}
}

// Where the participants have no room counts say how many hold a claim.
func TestANarrowMatrixCounts(t *testing.T) {
	p := pane.NewMatrix(theme.New(theme.Appearance{Mono: true}))
	r := compared(t)
	p.SetState(r.state, nil, pane.NewTelling(&r.state, nil))
	rows := strings.Join(p.View(26, 30), "\n")
	if !strings.Contains(rows, "2● 2✗") || !strings.Contains(rows, "4●") {
		t.Errorf("it says\n%s", rows)
	}
}
