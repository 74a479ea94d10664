package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/state"
	"moot/tui/pane"
)

// names returns the names in a list.
func names(p *picker) []string {
	var list []string
	for _, f := range p.Found() {
		list = append(list, f.Name)
	}
	return list
}

// commandsOf opens the palette and types keys. The list is nil if the keys closed it.
func commandsOf(t *testing.T, keys string) (*Model, *picker) {
	t.Helper()
	m := screenOf(t, demo(t), Options{NoColor: true}, 100, 40)
	tell(m, ready(state.Consultee))
	typeKeys(m, ": "+keys)
	p, _ := m.dialog().(*picker)
	return m, p
}

// Names match before descriptions, and enabled commands come before disabled ones.
func TestCommandsAreFound(t *testing.T) {
	for _, test := range []struct {
		keys string
		want []string
	}{
		{"n e x t", []string{"next turn", "next pane"}},
		{"t h e m e space d", []string{"theme dark"}},
		{"e d p", []string{"edit prompt"}},
		{"d r o p space i t s", []string{"cancel call"}},
		{"P 3", []string{"go to P3"}},
		{"c 2", []string{"go to C2"}},
		{"e 1", []string{"go to E1"}},
		{"F 4", []string{"go to F4"}},
		{"# 5", []string{"go to #5"}},
		{"z z z", nil},
		{"P 9", nil},
	} {
		_, p := commandsOf(t, test.keys)
		got := names(p)
		if len(got) < len(test.want) || !slices.Equal(got[:len(test.want)], test.want) || test.want == nil && len(got) > 0 {
			t.Errorf("%q finds %q, want first %q", test.keys, got, test.want)
		}
	}
}

// Disabled commands come last, say why, and do nothing.
func TestCommandsSayWhyNot(t *testing.T) {
	m, p := commandsOf(t, "")
	disabled := false
	for _, f := range p.Found() {
		if disabled && f.Why == "" {
			t.Fatalf("%s stands after what cannot be done", f.Name)
		}
		disabled = disabled || f.Why != ""
	}
	if !disabled {
		t.Fatal("nothing is disabled")
	}
	typeKeys(m, "c a n c e l enter")
	content := ansi.Strip(m.View().Content)
	if !strings.Contains(content, "not now: nothing is running") || !strings.Contains(content, "! not now") || m.dialog() == nil {
		t.Errorf("it does not say why:\n%s", content)
	}
}

// An ID leads to its item.
func TestAnIDIsGoneTo(t *testing.T) {
	for id, want := range map[string]struct {
		pane     pane.ID
		selected string
	}{
		"P3": {pane.PointID, "P3"}, "C3": {pane.ChallengesID, "C3"}, "E2": {pane.LedgerID, "E2"}, "F2": {pane.LedgerID, "F2"}, "#7": {pane.RecordID, "#7"},
	} {
		m, _ := commandsOf(t, strings.Join(strings.Split(id, ""), " ")+" enter")
		if m.focus != want.pane || m.paneOf(m.focus).Selected() != want.selected {
			t.Errorf("%s leads to %s, %s", id, m.focus, m.paneOf(m.focus).Selected())
		}
	}
	m, _ := commandsOf(t, "Q 1 enter")
	if _, asks := m.dialog().(*formDialog); !asks {
		t.Error("Q1 opens no form")
	}
}

// hidden reports whether the palette leaves an action out.
func hidden(a Action) bool { return isMove(a) || a == ActionPalette }
