package lab

import (
	"context"
	"testing"
)

func TestFalseConsensus(t *testing.T) {
	score, err := FalseConsensus(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range score.Results {
		for _, wrong := range r.Wrong {
			t.Errorf("%s: %s: round %d, %s: %v; %s", r.Group, r.Case, r.Rounds, r.Exit, r.Points, wrong)
		}
	}
}

func TestStubbornness(t *testing.T) {
	score, err := Stubbornness(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range score.Results {
		for _, wrong := range r.Wrong {
			t.Errorf("%s: round %d, %s: %v; %s", r.Case, r.Rounds, r.Exit, r.Points, wrong)
		}
	}
}
