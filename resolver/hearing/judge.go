package hearing

import (
	"fmt"
	"math"
	"slices"

	"moot/state"
)

// Side is what the judge reads of one side.
type Side struct {
	// Confidence is from 0 to 1.
	Confidence float64 `json:"confidence"`
	// Facts are the ids that it cites; how often one stands here does not matter.
	Facts []string `json:"facts"`
}

// Verdict is what the judge says.
type Verdict struct {
	Outcome state.Outcome `json:"outcome"`
	// Confidence is that of the winner, and the mean of both where nobody wins.
	Confidence float64 `json:"confidence"`
	// Supporting are the distinct facts of the winner, or of both, in the order in
	// which they were first seen, the architect's first.
	Supporting []string `json:"supporting"`
	// Rule is the version and the row that decided, as in "v1.1", or "else".
	Rule string `json:"rule"`
}

// Else is the Rule of a verdict where no row applies.
const Else = "else"

// Judge decides by the confidences of both sides, doubles that are compared as they
// are, and by the numbers of their facts. A confidence outside of 0 to 1, or one that is
// no number, is refused.
func Judge(version state.JudgeVersion, architect, skeptic Side) (Verdict, error) {
	for _, side := range []struct {
		seat state.Seat
		Side
	}{{state.Architect, architect}, {state.Skeptic, skeptic}} {
		if err := CheckConfidence(side.Confidence); err != nil {
			return Verdict{}, fmt.Errorf("the confidence of the %s: %w", side.seat, err)
		}
	}
	rows := rowsOf(version)
	if rows == nil {
		return Verdict{}, fmt.Errorf("unknown version %q of the judge", version)
	}
	a, s := architect.Confidence, skeptic.Confidence
	ofArchitect, ofSkeptic := Distinct(architect.Facts), Distinct(skeptic.Facts)
	n := numbers{a: a, s: s, factsA: len(ofArchitect), factsS: len(ofSkeptic)}
	for i := range rows {
		r := &rows[i]
		if !n.decides(r) {
			continue
		}
		rule := ruleName(version, rows, i)
		if r.outcome == state.Confirmed {
			return Verdict{Outcome: r.outcome, Confidence: a, Supporting: ofArchitect, Rule: rule}, nil
		}
		return Verdict{Outcome: r.outcome, Confidence: s, Supporting: ofSkeptic, Rule: rule}, nil
	}
	return Verdict{Outcome: state.Inconclusive, Confidence: (a + s) / 2, Supporting: Distinct(append(ofArchitect, ofSkeptic...)), Rule: Else}, nil
}

// CheckConfidence refuses what is not from 0 to 1.
func CheckConfidence(confidence float64) error {
	if math.IsNaN(confidence) || confidence < 0 || confidence > 1 {
		return fmt.Errorf("%v is not from 0 to 1", confidence)
	}
	return nil
}

// Distinct returns the ids without repetitions, in the order in which they are first
// seen; never nil.
func Distinct(ids []string) []string {
	distinct := make([]string, 0, len(ids))
	if len(ids) < 16 { //nolint:mnd // a search is faster than a map among few
		for _, id := range ids {
			if !slices.Contains(distinct, id) {
				distinct = append(distinct, id)
			}
		}
		return distinct
	}
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			distinct = append(distinct, id)
		}
	}
	return distinct
}
