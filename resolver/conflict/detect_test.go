package conflict_test

import (
	"slices"
	"testing"

	"moot/resolver/conflict"
)

func text(s string) conflict.Value { return conflict.Value{Kind: conflict.String, Text: s} }

func TestPairsComeInOrder(t *testing.T) {
	outputs := []conflict.Output{
		{AgentID: "a", AgentName: "Ada", Value: text("The API is secure")},
		{AgentID: "b", Value: text("The API is vulnerable")},
		{AgentID: "c", Value: text("no")},
		{AgentID: "d", Value: text("secure is the api")},
	}
	want := []conflict.Pair{
		{First: 0, Second: 1, Type: conflict.Disagreement, Similarity: 0.6},
		{First: 0, Second: 2, Type: conflict.Contradiction},
		{First: 1, Second: 2, Type: conflict.Contradiction},
		{First: 1, Second: 3, Type: conflict.Disagreement, Similarity: 0.6},
		{First: 2, Second: 3, Type: conflict.Contradiction},
	}
	got := slices.Collect(conflict.Detect(outputs, conflict.Default.Thresholds()))
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if told := conflict.Tell(1, outputs, got[0]); told.ID != "conflict_1" || told.Description != "Ada and b disagree: their outputs are 60 % alike" {
		t.Errorf("%+v", told)
	}
}
