package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"moot/state"
)

// What is kept of two answers is drawn as if it were drawn anew: after turning to
// others, after an event, at another width.
func TestPassagesThatAreKeptAreDrawnAsAnew(t *testing.T) {
	r := compared(t)
	m := matrixOf(t, r)
	pressAll(m, "enter")
	b, ok := m.dialogs[len(m.dialogs)-1].(*beside)
	if !ok {
		t.Fatalf("the dialog is %T", m.dialogs[len(m.dialogs)-1])
	}
	check := func(when string) {
		t.Helper()
		for _, width := range []int{100, 50, 100} {
			b.lay(m.look, width)
			anew := &beside{of: b.of, details: b.details, left: b.left, right: b.right, conflict: b.conflict}
			anew.lay(m.look, width)
			if !slices.Equal(b.text.drawn, anew.text.drawn) {
				t.Errorf("%s, at %d cells: other rows are kept than are drawn anew", when, width)
			}
		}
	}
	check("opened")
	for i := range len(m.matrix.compared.seats) {
		b.turn(1, i%2 == 0)
		check(fmt.Sprintf("%d beside %d", b.left+1, b.right+1))
	}
	b.left, b.right = 0, 1
	b.refresh()
	check("the first two again")
	before := b.text.drawn
	tell(m, r.advanced(&state.PointConceded{Point: "P4", By: state.Panelist, Reason: "it does not hold"}))
	check("after a concession")
	if slices.Equal(before, b.text.drawn) {
		t.Error("a concession changes nothing of what is read")
	}
	b.conflict = "K1"
	b.refresh()
	check("a conflict")
}

// What is seen around a dialog is what it was cut from now: after the rows below,
// the size, or the colors changed.
func TestWhatIsAroundADialogIsCutAnewWhereItChanged(t *testing.T) {
	r := compared(t)
	m := screenOf(t, r, Options{NoColor: true}, 200, 60)
	pressAll(m, "6 enter")
	for what, change := range map[string]func(){
		"nothing":  func() {},
		"an event": func() { tell(m, r.advanced(&state.PointNoted{Point: "P7", Text: "somebody noted this"})) },
		"a size":   func() { m.Update(tea.WindowSizeMsg{Width: 190, Height: 56}) },
		"colors":   func() { m.appear(func(a *appearance) { a.light, a.mono = true, false }) },
		"its end":  func() { pressAll(m, "esc ?") },
	} {
		m.drawScreen()
		change()
		kept := m.drawScreen()
		m.cuts = nil
		if anew := m.drawScreen(); !slices.Equal(kept, anew) {
			t.Errorf("after %s changed the screen is\n%s\nand drawn anew\n%s", what, strings.Join(kept, "\n"), strings.Join(anew, "\n"))
		}
	}
}

// Where a panel has no conflict the view of challenges says that, not that nobody
// attacked anything yet.
func TestAPanelWithoutConflictsSaysSo(t *testing.T) {
	for _, test := range []struct {
		record *recorder
		want   string
	}{
		{uncompared(t), "the answers are not compared yet"},
		{agreedPanel(t), "no two answers conflict"},
	} {
		m := screenOf(t, test.record, Options{NoColor: true}, 120, 40)
		pressAll(m, "9")
		if rowWith(m, test.want) == "" || rowWith(m, noChallenges) != "" {
			t.Errorf("it does not say %q:\n%s", test.want, said(m))
		}
	}
}

// agreedPanel is a panel that ended without a conflict.
func agreedPanel(t *testing.T) *recorder {
	r := uncompared(t)
	r.add(&state.ExitReached{Exit: state.ExitConverged}, &state.SessionClosed{Exit: state.ExitConverged})
	return r
}
