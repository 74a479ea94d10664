package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"moot/state"
	"moot/tui"
)

// The form opens a panel with as many panelists as it names, in their order, and
// what is wrong with one of them is said of its seat.
func TestTheFormOpensAPanel(t *testing.T) {
	o := &screenServices{console: formDesk(t)}
	script := filepath.Join(t.TempDir(), "s.txt")
	if err := os.WriteFile(script, []byte("--- panelist-2/propose\n1. one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	q := tui.Question{
		Text: "Is it safe?", Format: state.FormatPanel, Panelists: []string{"script:" + script, "script:" + script, "me"},
		Strategy: "vote", Then: "consult",
	}
	opened, err := o.ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	s := opened.State
	if got := len(s.Panelists()); got != 3 || s.Settings.Panel.Strategy != "vote" || s.Settings.Panel.Then != "consult" {
		t.Errorf("%d panelists, %+v", got, s.Settings.Panel)
	}
	if who, _ := s.Assignment("panelist-3"); who.Participant != "me" {
		t.Errorf("the third panelist is %+v", who)
	}
	for _, test := range []struct {
		change func(q *tui.Question)
		field  string
	}{
		{func(q *tui.Question) { q.Panelists[2] = "nosuch:" }, "panelist-3"},
		{func(q *tui.Question) { q.Panelists = []string{"script:" + script} }, "panelist-2"},
		{func(q *tui.Question) { q.Panelists = []string{"script:" + script, "rules"} }, "panelist-2"},
		{func(q *tui.Question) { q.Strategy = "toss" }, "strategy"},
	} {
		wrong := q
		wrong.Panelists = append([]string{}, q.Panelists...)
		test.change(&wrong)
		_, err := o.ask(t.Context(), wrong)
		var at *tui.FieldError
		if !errors.As(err, &at) || at.Field != test.field {
			t.Errorf("the error is %v, not one of %s", err, test.field)
		}
	}
}
