package state

import (
	"encoding/json"
	"testing"
)

// Figures are named as the JSON names them, in its order, and none is left out.
func TestFiguresAreThoseOfTheJSON(t *testing.T) {
	one, share := 1, 0.5
	m := Metrics{
		RoundsToConsensus: &one, MeanChallenges: &share, MostChallenges: &one, SourceDiversity: &share, KindEntropy: &share,
		Coverage: &share, FinalConfidence: &share, Survival: &share, Modification: &share, Compliance: &share, Verified: &share,
		MeanSpread: &share, Rigor: &share, Evidence: &share, Diversity: &share, Consensus: &share, Overall: &share,
	}
	text, err := json.Marshal(&m)
	if err != nil {
		t.Fatal(err)
	}
	var named map[string]any
	if err := json.Unmarshal(text, &named); err != nil {
		t.Fatal(err)
	}
	delete(named, "points")
	for _, figure := range m.Figures() {
		if figure.Value == nil || named[figure.Name] != *figure.Value {
			t.Errorf("%s is %v in the JSON", figure.Name, named[figure.Name])
		}
		delete(named, figure.Name)
	}
	if len(named) > 0 {
		t.Errorf("left out: %v", named)
	}
	for _, figure := range (&Metrics{}).Figures() {
		if figure.Value != nil {
			t.Errorf("%s of nothing is %v", figure.Name, *figure.Value)
		}
	}
}
