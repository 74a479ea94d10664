package report_test

import (
	"encoding/json"
	"slices"
	"testing"

	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/report"
	"moot/state"
	"moot/view"
)

func outcomeOf(t *testing.T, name string) dialectic.ExportedOutcome {
	t.Helper()
	s, rulings := pressed(t, name)
	outcome, ok := report.Export(&s, rulings, "", nil).Outcome.(dialectic.ExportedOutcome)
	if !ok {
		t.Fatalf("the outcome of %s is no proposal's", name)
	}
	return outcome
}

// An export is enough to check its receipts: names and texts are the same as in the rules.
func TestExportedReceiptsCanBeChecked(t *testing.T) {
	for name := range pressings() {
		s, rulings := pressed(t, name)
		var read struct {
			Outcome struct {
				Receipts []gates.Receipt `json:"receipts"`
				Head     string          `json:"head"`
			} `json:"outcome"`
		}
		if err := json.Unmarshal(exported(t, &s, rulings), &read); err != nil {
			t.Fatal(err)
		}
		head, err := gates.Replay(read.Outcome.Receipts)
		if err != nil || head != read.Outcome.Head || len(read.Outcome.Receipts) == 0 {
			t.Errorf("%s: the receipts end with %s, the export says %s: %v", name, head, read.Outcome.Head, err)
		}
		read.Outcome.Receipts[0].Outcome = "CLEARED!"
		if _, err := gates.Replay(read.Outcome.Receipts); err == nil {
			t.Errorf("%s: a changed receipt passes", name)
		}
	}
}

func TestOutcomesSayWhatWasDecided(t *testing.T) {
	for name, want := range map[string]struct {
		decision gates.Decision
		round    int
		earlier  []gates.Decision
	}{
		"advance":  {gates.Advance, 1, nil},
		"hold":     {gates.Advance, 2, []gates.Decision{gates.Hold}},
		"waiting":  {gates.Escalate, 1, nil},
		"escalate": {gates.Escalate, 1, []gates.Decision{gates.Escalate}},
		"stopped":  {gates.Escalate, 1, nil},
	} {
		got := outcomeOf(t, name)
		var earlier []gates.Decision
		for _, d := range got.Earlier {
			earlier = append(earlier, d.Decision)
		}
		if got.Decision != want.decision || got.Round != want.round || !slices.Equal(earlier, want.earlier) || got.Changed {
			t.Errorf("%s: %s in round %d after %v, changed %t", name, got.Decision, got.Round, earlier, got.Changed)
		}
	}
}

// There is no decision before a round was resolved, and later changes are reported.
func TestOutcomesOfAnUnfinishedProposal(t *testing.T) {
	s := state.State{Rules: formats.ByName(state.FormatDialectic), Settings: state.Settings{Format: state.FormatDialectic, Playbook: smallPlaybook("{}")}}
	got, ok := report.Export(&s, nil, "", nil).Outcome.(dialectic.ExportedOutcome)
	if !ok || got.Decision != "" || got.Rounds != 3 || got.Receipts == nil || got.Earlier == nil {
		t.Errorf("%+v", got)
	}
	waiting, rulings := pressed(t, "waiting")
	waiting.Constraints = waiting.Seq
	if got, ok = report.Export(&waiting, rulings, "", nil).Outcome.(dialectic.ExportedOutcome); !ok || !got.Changed {
		t.Error("something came after the resolution, and the outcome does not say so")
	}
	if len(view.Warnings(&waiting, rulings)) != 1 {
		t.Errorf("the warnings are %q", view.Warnings(&waiting, rulings))
	}
	waiting.Dialectic.Resolved[0].Result = []byte("{")
	got, ok = report.Export(&waiting, rulings, "", nil).Outcome.(dialectic.ExportedOutcome)
	if !ok || got.Decision != gates.Escalate || got.Head == "" || len(view.Warnings(&waiting, rulings)) != 1 {
		t.Error("a resolution that cannot be read is not told as that")
	}
}

// A field is the proposer's word as long as it says what it said at first.
func TestBaselineOfFields(t *testing.T) {
	s, rulings := pressed(t, "hold")
	want := []view.Change{
		{Point: "P1", Before: state.BucketNotEvaluated, After: state.BucketAgreed},
		{Point: "P2", Before: state.BucketAgreed, After: state.BucketDismissed},
		{Point: "P3", Before: state.BucketNotEvaluated, After: state.BucketAgreed},
		{Point: "P4", Before: state.BucketAgreed, After: state.BucketAgreed},
	}
	if got := view.Baseline(&s, rulings); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// A proposer that takes out what was refuted gave way; one that keeps it did not.
func TestRigidityOfAProposer(t *testing.T) {
	for name, want := range map[string]float64{"hold": 0, "waiting": 1} {
		s, _ := pressed(t, name)
		got := report.Measure(&s, nil).Seats[0]
		if got.Seat != state.Proposer || got.Counter != 1 || got.Rigidity != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Granting an objection is giving way; what the user takes out is not.
func TestGivingWayIsTheProposersOwn(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*state.Field, *state.Challenge, int)
		want   float64
	}{
		"conceded":      {func(_ *state.Field, c *state.Challenge, now int) { c.Status, c.Seq = state.StandsConceded, now }, 0},
		"another value": {func(f *state.Field, _ *state.Challenge, now int) { f.Seq = now }, 0},
		"withdrawn": {func(f *state.Field, _ *state.Challenge, now int) {
			f.Seq, f.Withdrawn, f.WithdrawnBy = now, true, state.Proposer
		}, 0},
		"withdrawn by the user": {func(f *state.Field, _ *state.Challenge, now int) {
			f.Seq, f.Withdrawn, f.WithdrawnBy = now, true, state.User
		}, 1},
		"nothing": {func(*state.Field, *state.Challenge, int) {}, 1},
	} {
		s, _ := pressed(t, "waiting")
		c.change(s.FieldAt("rollout.percent").Field, s.Challenge("C1"), s.Seq)
		if got := report.Measure(&s, nil).Seats[0].Rigidity; got != c.want {
			t.Errorf("%s: the rigidity is %.0f, want %.0f", name, got, c.want)
		}
	}
}
