package conflict_test

import (
	"math"
	"testing"

	"moot/resolver/conflict"
)

func TestAConflictIsTold(t *testing.T) {
	outputs := []conflict.Output{
		{AgentID: "a", AgentName: "Ada", Value: text("The API is secure")},
		{AgentID: "b", Value: text("The API is vulnerable")},
		{AgentID: "c", AgentName: "Cleo", Value: text("no")},
	}
	var told []conflict.Conflict
	for pair := range conflict.Detect(outputs, conflict.Default.Thresholds()) {
		told = append(told, conflict.Tell(len(told)+1, outputs, pair))
	}
	want := []conflict.Conflict{
		{ID: "conflict_1", Type: conflict.Disagreement, Agents: [2]string{"a", "b"}, Similarity: 0.6, Description: "Ada and b disagree: their outputs are 60 % alike"},
		{ID: "conflict_2", Type: conflict.Contradiction, Agents: [2]string{"a", "c"}, Description: "Ada and Cleo contradict each other: their outputs are 0 % alike"},
		{ID: "conflict_3", Type: conflict.Contradiction, Agents: [2]string{"b", "c"}, Description: "b and Cleo contradict each other: their outputs are 0 % alike"},
	}
	if len(told) != len(want) {
		t.Fatalf("%+v", told)
	}
	for i, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		want[i].Outputs = [2]*conflict.Value{&outputs[pair[0]].Value, &outputs[pair[1]].Value}
		if told[i] != want[i] {
			t.Errorf("%+v, want %+v", told[i], want[i])
		}
	}
}

func TestHalfAPercentIsRoundedUp(t *testing.T) {
	for share, want := range map[float64]int{
		0: 0, 1: 100, 0.6: 60, 2.0 / 3: 67, 1.0 / 3: 33,
		1.0 / 8: 13, 5.0 / 8: 63, 1.0 / 200: 1, 3.0 / 200: 2, 199.0 / 200: 100,
		math.Nextafter(1.0/8, 0): 12, 0.994: 99, 0.996: 100, 0.0049: 0,
	} {
		if got := conflict.Percent(share); got != want {
			t.Errorf("%v: %d %%, want %d %%", share, got, want)
		}
	}
	// The doubles next to many of these lie below the half.
	for odd := 1; odd < 200; odd += 2 {
		if got, want := conflict.Percent(float64(odd)/200), odd/2+1; got != want {
			t.Errorf("%d/200: %d %%, want %d %%", odd, got, want)
		}
	}
}

func TestAPairIsSettled(t *testing.T) {
	outputs := []conflict.Output{
		{AgentID: "a", Value: value(t, `{"x":1,"y":[]}`), Tokens: 20},
		{AgentID: "b", Value: value(t, `{"y":[],"x":2}`), Tokens: 80},
		{AgentID: "c", Tokens: 80},
		{AgentID: "d", Tokens: 30},
	}
	differ := conflict.Pair{First: 0, Second: 1, Type: conflict.Disagreement, Similarity: 0.5}
	nulls := conflict.Pair{First: 2, Second: 3, Type: conflict.Contradiction}
	for _, c := range []struct {
		strategy conflict.Strategy
		pair     conflict.Pair
		want     conflict.Resolution
	}{
		{conflict.Vote, differ, conflict.Resolution{Method: conflict.Vote, Winner: "a", Reasoning: "1/2 agents agreed", Confidence: 0.5}},
		{conflict.EvidenceWeight, differ, conflict.Resolution{Method: conflict.EvidenceWeight, Winner: "b", Reasoning: "b processed 80 of 100 tokens", Confidence: 0.8}},
		{conflict.Tiered, differ, conflict.Resolution{Method: conflict.EvidenceWeight, Winner: "b", Reasoning: "b processed 80 of 100 tokens", Confidence: 0.8}},
		{conflict.Escalate, differ, conflict.Resolution{Method: conflict.Escalate, Reasoning: "left to the user: a and b disagree: their outputs are 50 % alike"}},
		// Two nulls are equal, and yet alike to nothing.
		{conflict.Vote, nulls, conflict.Resolution{Method: conflict.Vote, Winner: "c", Reasoning: "2/2 agents agreed", Confidence: 1}},
		{conflict.Tiered, nulls, conflict.Resolution{Method: conflict.Vote, Winner: "c", Reasoning: "2/2 agents agreed", Confidence: 1}},
	} {
		if got := conflict.Settle(c.strategy, outputs, c.pair); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.strategy, got, c.want)
		}
	}
}
