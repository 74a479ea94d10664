package report_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// An export is enough to check its receipts: names and texts are the same as in the rules.
func TestExportedReceiptsCanBeChecked(t *testing.T) {
	for _, name := range []string{"dialectic/advance", "dialectic/hold", "dialectic/escalate"} {
		s, rulings := played(t, name)
		var read struct {
			Outcome struct {
				Receipts []map[string]any `json:"receipts"`
				Head     string           `json:"head"`
			} `json:"outcome"`
		}
		if err := json.Unmarshal(exported(t, s, rulings), &read); err != nil {
			t.Fatal(err)
		}
		head := ledger.ZeroHash
		for _, receipt := range read.Outcome.Receipts {
			hash := receipt["hash"]
			delete(receipt, "hash")
			delete(receipt, "prev")
			encoded, err := json.Marshal(receipt)
			text := jsontext.Value(encoded)
			if err := errors.Join(err, text.Canonicalize()); err != nil {
				t.Fatal(err)
			}
			if head = ledger.Hash(append([]byte(head), text...)); head != hash {
				t.Errorf("%s: receipt %v has another hash", name, receipt["seq"])
			}
		}
		if head != read.Outcome.Head || len(read.Outcome.Receipts) == 0 {
			t.Errorf("%s: the receipts end with %s, the export says %s", name, head, read.Outcome.Head)
		}
	}
}

// There is no decision before a round was resolved, and later changes are reported.
func TestOutcomesOfAnUnfinishedProposal(t *testing.T) {
	s := &state.State{Rules: formats.ByName(dialectic.Name), Settings: state.Settings{Format: dialectic.Name, Own: &dialectic.Settings{Playbook: protocoltest.Playbook(gates.Config{})}}}
	got, ok := report.Export(s, nil, "", nil).Outcome.(dialectic.ExportedOutcome)
	if !ok || got.Decision != "" || got.Rounds != 3 || got.Receipts == nil || got.Earlier == nil {
		t.Errorf("%+v", got)
	}
	waiting, rulings := played(t, "dialectic/waiting")
	waiting.Constraints = waiting.Seq
	if got, ok = report.Export(waiting, rulings, "", nil).Outcome.(dialectic.ExportedOutcome); !ok || !got.Changed {
		t.Error("something came after the resolution, and the outcome does not say so")
	}
	if len(view.Warnings(waiting, rulings)) != 1 {
		t.Errorf("the warnings are %q", view.Warnings(waiting, rulings))
	}
}

// A consensus ends when one of its claims is challenged again.
func TestConsensusEndsWithWhatIsReopened(t *testing.T) {
	s, _ := played(t, "council/agreed")
	s.Closed = false
	d := &table{t: t, state: s, clock: s.At}
	d.add(&state.ChallengeRaised{ID: "C1", Point: "P1", By: constitution.Critic, Kind: state.Skeptical, Objection: "what of a full disk?"})
	rulings := resolver.Rule(d.state)
	got, _ := report.Export(d.state, rulings, "", nil).Outcome.(council.Outcome)
	if got.Consensus || got.ConsensusRound != 0 || !slices.Equal(got.Unsettled, []string{"P1"}) {
		t.Errorf("consensus %v in round %d, unsettled %v", got.Consensus, got.ConsensusRound, got.Unsettled)
	}
	if text := report.Text(document(d.state, rulings), 0); !strings.Contains(text, "NO CONSENSUS\n  in round 1, but no longer: P1 is not settled\n") {
		t.Error(text)
	}
}

// A cleared objection applies to the value at that time. A proposal without a resolved round says so.
func TestReportsOfWhatIsNotResolved(t *testing.T) {
	s, rulings := played(t, "dialectic/escalate")
	dialectic.FieldOf(s.Points.At(0)).Seq = s.Seq
	dialectic.Of(s).Resolved = nil
	text := report.Text(document(s, rulings), 0)
	for _, want := range []string{"no decision: no round was resolved", "[Blocking, not resolved yet]", "No round was resolved."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	s.ExitReason, s.Exit = "", state.ExitNone
	if text := report.Text(document(s, rulings), 0); !strings.Contains(text, "none yet") {
		t.Errorf("while it runs:\n%s", text)
	}
}
