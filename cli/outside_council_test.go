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

// The form opens a council with the seats, rounds, weights and the constitution that
// it names, and what is wrong with one of them is said at its field.
func TestTheFormOpensACouncil(t *testing.T) {
	o := &screenServices{console: formDesk(t)}
	book := filepath.Join(t.TempDir(), "book.toml")
	if err := os.WriteFile(book, []byte("[[critic]]\nid = \"be-kind\"\ntext = \"Be kind.\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "broken.toml")
	if err := os.WriteFile(broken, []byte("[[critic]]\nid = \"x\"\ntext = \"x\"\ncheck = \"mood\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	replies := filepath.Join(t.TempDir(), "replies.txt")
	if err := os.WriteFile(replies, []byte("--- propose\n1. It is safe\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	q := tui.Question{Text: "Is it safe?", Format: state.FormatCouncil, Settings: view.Values{
		"rounds":             "2",
		"strategist":         "script:" + replies,
		"critic":             "me",
		"expert":             "script:" + replies,
		"weights":            "strategist=0.5,critic=0.5",
		"decision-threshold": "0.7",
		"constitution":       book,
		"parallel":           view.Yes,
	}}
	opened, err := o.ask(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	council := opened.State.Settings.Council
	if council.Rounds != 2 || !council.Parallel || council.Weight(state.Critic) != 0.5 || council.Decision != 0.7 || council.Constitution.Constraint("be-kind") == nil {
		t.Errorf("it is opened with %+v", council)
	}
	for seat, want := range map[state.Seat]string{state.Strategist: "script:" + replies, state.Critic: "me", state.Adversary: "me", state.Moderator: "me", state.Expert: "script:" + replies} {
		if who, _ := opened.State.Assignment(seat); who.Participant != want {
			t.Errorf("the %s is %s, not %s", seat, who.Participant, want)
		}
	}
	for _, test := range []struct {
		change view.Values
		field  string
	}{
		{view.Values{"moderator": "nosuch:"}, "moderator"},
		{view.Values{"moderator": "rules"}, "moderator"},
		{view.Values{"rounds": "9"}, "rounds"},
		{view.Values{"weights": "strategist=0.5,critic=0.6"}, "weights"},
		{view.Values{"weights": "expert=1", "expert": ""}, "weights"},
		{view.Values{"decision-threshold": "2"}, "decision-threshold"},
		{view.Values{"constitution": broken}, "constitution"},
		{view.Values{"constitution": "nosuch.toml"}, "constitution"},
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

// Seats that nobody is named for are taken in the end, but the expert's: weights may
// be theirs.
func TestWeightsMayBeOfSeatsThatNobodyIsNamedFor(t *testing.T) {
	expert := []state.SeatWeight{{Seat: state.Expert, Weight: 1}}
	if !weighty(state.DefaultWeights(), nil) || weighty(expert, nil) || !weighty(expert, []place{{state.Expert, "rules"}}) {
		t.Error("weights are taken for those of an empty seat, or the other way round")
	}
}
