package cli

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"moot/state"
	"moot/tui"
	"moot/view"
)

// The form opens a panel with as many panelists as it names, in their order, and
// what is wrong with one of them is said of its seat.
func TestTheFormOpensAPanel(t *testing.T) {
	o := &screenServices{console: formDesk(t)}
	script := filepath.Join(t.TempDir(), "s.txt")
	if err := os.WriteFile(script, []byte("--- panelist-2/propose\n1. one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	q := tui.Question{Text: "Is it safe?", Format: state.FormatPanel, Settings: view.Values{
		"then":       "consult",
		"strategy":   "vote",
		"panelist":   "script:" + script,
		"panelist-2": "script:" + script,
		"panelist-3": "me",
	}}
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
		change view.Values
		field  string
	}{
		{view.Values{"panelist-3": "nosuch:"}, "panelist-3"},
		{view.Values{"panelist": "script:" + script, "panelist-2": "", "panelist-3": ""}, "panelist-2"},
		{view.Values{"panelist": "script:" + script, "panelist-2": "rules", "panelist-3": ""}, "panelist-2"},
		{view.Values{"strategy": "toss"}, "strategy"},
	} {
		wrong := q
		wrong.Settings = maps.Clone(q.Settings)
		maps.Copy(wrong.Settings, test.change)
		_, err := o.ask(t.Context(), wrong)
		var at *view.FieldError
		if !errors.As(err, &at) || at.Key != test.field {
			t.Errorf("the error is %v, not one of %s", err, test.field)
		}
	}
}
