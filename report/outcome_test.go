package report_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/report"
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
	s := &state.State{Rules: formats.ByName(dialectic.Name), Settings: state.Settings{Format: dialectic.Name, Own: &dialectic.Settings{Playbook: smallPlaybook(gates.Config{})}}}
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
