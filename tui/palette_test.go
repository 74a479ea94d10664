package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol/protocoltest"
	"moot/state"
)

// names returns the names in a list.
func names(p *picker) []string {
	var list []string
	for _, f := range p.found {
		list = append(list, f.Name)
	}
	return list
}

// commandsOf opens the palette and types keys. The list is nil if the keys closed it.
func commandsOf(t *testing.T, keys string) (*Model, *picker) {
	t.Helper()
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 100, 40)
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
		{"e d p", []string{"edit prompt"}},
		{"d r o p space i t s", []string{"cancel call"}},
		{"P 3", []string{"go to P3"}},
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
	for _, f := range p.found {
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

// hidden reports whether the palette leaves an action out.
func hidden(a Action) bool { return slices.Contains(moveFamily().actions, a) || a == ActionPalette }
