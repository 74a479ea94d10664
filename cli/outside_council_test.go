package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"moot/state"
	"moot/tui"
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
	q := tui.Question{
		Text: "Is it safe?", Format: state.FormatCouncil, Strategist: "script:" + replies, Critic: "me", Expert: "script:" + replies,
		Rounds: "2", Weights: "strategist=0.5,critic=0.5", Decision: "0.7", Parallel: true, Constitution: book,
	}
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
		change func(q *tui.Question)
		field  string
	}{
		{func(q *tui.Question) { q.Moderator = "nosuch:" }, "moderator"},
		{func(q *tui.Question) { q.Moderator = "rules" }, "moderator"},
		{func(q *tui.Question) { q.Rounds = "9" }, "rounds"},
		{func(q *tui.Question) { q.Weights = "strategist=0.5,critic=0.6" }, "weights"},
		{func(q *tui.Question) { q.Weights, q.Expert = "expert=1", "" }, "weights"},
		{func(q *tui.Question) { q.Decision = "2" }, "decision-threshold"},
		{func(q *tui.Question) { q.Constitution = broken }, "constitution"},
		{func(q *tui.Question) { q.Constitution = "nosuch.toml" }, "constitution"},
	} {
		wrong := q
		test.change(&wrong)
		_, err := o.ask(t.Context(), wrong)
		var at *tui.FieldError
		if !errors.As(err, &at) || at.Field != test.field {
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
