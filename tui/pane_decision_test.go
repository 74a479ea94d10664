package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// said is what is on a screen, without styles.
func said(m *Model) string { return ansi.Strip(m.View().Content) }

// The sixth key shows what the session's format has there, and nothing names the
// view of another format.
func TestTheSixthViewIsThatOfTheFormat(t *testing.T) {
	for _, c := range []struct {
		record     *recorder
		own, other pane.ID
	}{{demo(t), pane.ConfidenceID, pane.DecisionID}, {pressed(t), pane.DecisionID, pane.MatrixID}, {compared(t), pane.MatrixID, pane.DecisionID}} {
		m := screenOf(t, c.record, Options{NoColor: true}, 160, 40)
		typeKeys(m, "6")
		if m.focus != c.own {
			t.Errorf("6 shows %s, not %s", m.focus, c.own)
		}
		if screen := said(m); strings.Contains(screen, c.other.String()) {
			t.Errorf("%s is named where there is none:\n%s", c.other, screen)
		}
		m.act(showsPane(c.other))
		if m.focus != c.own || !strings.Contains(m.flash, "no such view") {
			t.Errorf("%s is shown, or not said why not: %q", m.focus, m.flash)
		}
	}
}

// A session that tells its format once it runs shows the view of that format in
// the place of the one that was chosen before.
func TestAViewFollowsTheFormat(t *testing.T) {
	m := screenOf(t, &recorder{t: t}, Options{NoColor: true}, 80, 24)
	typeKeys(m, "6")
	r := pressed(t)
	tell(m, protocol.Advanced{Events: r.events, State: r.state, Rulings: resolver.Rule(r.state)})
	m.rearrange()
	if m.focus != pane.DecisionID || !strings.Contains(said(m), "ESCALATE") {
		t.Errorf("%s is shown:\n%s", m.focus, said(m))
	}
}

// What is selected opens: objections and fields as everywhere, a gate or receipt
// with what it read and its hashes, an earlier round whole.
func TestWhatTheDecisionOpens(t *testing.T) {
	for _, c := range []struct{ choose, key, shows string }{
		{"decision", "enter", "Receipt 16 of 16"},
		{"C1", "enter", "C1 on P2"},
		{"C1", "w", "Receipt 1 of 16"},
		{"P4", "w", "Why P4"},
		{"G7", "enter", "Receipt 14 of 16"},
		{"receipt 3", "enter", "E10"},
		{"receipt 3", "w", "outranks E5"},
	} {
		m := screenOf(t, pressed(t), Options{NoColor: true}, 120, 50)
		typeKeys(m, "6")
		m.decision.Choose(c.choose)
		typeKeys(m, c.key)
		if m.dialog() == nil || !strings.Contains(said(m), c.shows) {
			t.Errorf("%s on %s does not show %q:\n%s", c.key, c.choose, c.shows, said(m))
		}
	}
}

// A field opens in its view.
func TestAFieldOfTheDecisionOpensInItsView(t *testing.T) {
	m := screenOf(t, pressed(t), Options{NoColor: true}, 120, 50)
	typeKeys(m, "6")
	m.decision.Choose("P4")
	typeKeys(m, "enter")
	if m.focus != pane.PointID || m.topic != "P4" {
		t.Errorf("%s of %s is shown", m.focus, m.topic)
	}
}

// A receipt is copied with its whole hash; the hash that is shown is its
// beginning.
func TestAReceiptIsCopiedWhole(t *testing.T) {
	m := screenOf(t, pressed(t), Options{NoColor: true}, 120, 50)
	typeKeys(m, "6")
	m.decision.Choose("receipt 2")
	r := m.decision.Outcome.Receipts[1]
	if text := m.decision.Copied(); !strings.Contains(text, r.Hash) || !strings.Contains(text, r.Prev) || !strings.Contains(text, r.Reason) {
		t.Errorf("copied: %q", text)
	}
	m.decision.Choose("C1")
	if text := m.decision.Copied(); !strings.Contains(text, "nobody has run the way back") {
		t.Errorf("copied: %q", text)
	}
}

// A click selects, another one opens.
func TestMouseOnTheDecision(t *testing.T) {
	m := screenOf(t, pressed(t), Options{NoColor: true}, 120, 50)
	typeKeys(m, "6")
	for y, row := range strings.Split(said(m), "\n") {
		if strings.Contains(row, "G3  nothing invented") {
			m.Update(tea.MouseClickMsg{X: m.layout.Panes[pane.DecisionID].X + 5, Y: y, Button: tea.MouseLeft})
			if m.decision.Selected() != "G3" {
				t.Fatalf("%q is selected", m.decision.Selected())
			}
			m.Update(tea.MouseClickMsg{X: m.layout.Panes[pane.DecisionID].X + 5, Y: y, Button: tea.MouseLeft})
		}
	}
	if m.dialog() == nil || !strings.Contains(said(m), "Receipt 10 of 16") {
		t.Errorf("the second click opens nothing:\n%s", said(m))
	}
}

// The view and the second line say what code decided as the session goes on, and
// in a replay as it was then.
func TestTheDecisionIsSaid(t *testing.T) {
	for _, c := range []struct {
		record *recorder
		line   string
		view   []string
	}{
		{unresolved(t), "round 1/2 ●○  nothing is decided yet", []string{"No round is resolved yet"}},
		{firstRound(t), "round 2/2 ●●  ○ HOLD in round 1", []string{"C1 (BLOCKING) has no evidence that may decide; 4 more objections stand", "round 2 of 2 is under way", "owed by proposer  a run of the command on staging"}},
		{pressed(t), "round 2/2 ●●  ! ESCALATE", []string{"C1 (BLOCKING) has evidence of one kind on both sides", "round 2 was the last", "owed by you  Q3, accept or withdraw", "only warns, R5"}},
		{ruledSince(t), "! ESCALATE, changed since", []string{"Changed since: it will be resolved again", "cleared by you, R0"}},
		{advancing(t), "✓ ADVANCE  exit decided", []string{"Every gate passes, and no objection holds it; C4 only warns.", "8 of 8 pass"}},
	} {
		m := screenOf(t, c.record, Options{NoColor: true}, 140, 90)
		typeKeys(m, "6")
		for _, want := range append(c.view, c.line) {
			if screen := said(m); !strings.Contains(screen, want) {
				t.Errorf("%q is not said:\n%s", want, screen)
			}
		}
	}
}

// However the session came to a moment, forwards or back, the view says what it
// says to one who opens it there.
func TestTheDecisionOfEachMoment(t *testing.T) {
	r := advancing(t)
	var moments []state.State
	var s state.State
	for _, e := range r.events {
		next, err := state.Apply(s, e)
		if err != nil {
			t.Fatal(err)
		}
		s = next
		moments = append(moments, s)
	}
	l := theme.New(theme.Appearance{Mono: true})
	kept := pane.NewDecision(l, pane.NewDecisions())
	show := func(p *pane.Decision, s state.State) string {
		outcome, err := p.Reads.Last(&s)
		p.SetState(s, outcome, err)
		return strings.Join(p.View(120, 200), "\n")
	}
	for i := range 2 * len(moments) {
		now := moments[min(i, 2*len(moments)-1-i)]
		if kept, fresh := show(kept, now), show(pane.NewDecision(l, pane.NewDecisions()), now); kept != fresh {
			t.Fatalf("after event %d it says\n%s\nnot\n%s", now.Seq, kept, fresh)
		}
	}
}
