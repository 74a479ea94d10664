package conflict_test

import (
	"strings"
	"testing"

	"moot/resolver/conflict"
)

// ballots are read from votes as "ada=yes": the agent and its output.
func ballots(weights map[string]float64, votes ...string) []conflict.Ballot {
	var made []conflict.Ballot
	for _, vote := range votes {
		agent, key, _ := strings.Cut(vote, "=")
		made = append(made, conflict.Ballot{Agent: agent, Key: key, Weight: weights[agent]})
	}
	return made
}

func TestStrategies(t *testing.T) {
	for _, c := range []struct {
		name     string
		strategy conflict.Strategy
		ballots  []conflict.Ballot
		want     conflict.Resolution
	}{
		{
			"the largest group wins, and its first agent", conflict.Vote, ballots(nil, "a=no", "b=yes", "c=yes"),
			conflict.Resolution{Method: conflict.Vote, Winner: "b", Reasoning: "2/3 agents agreed", Confidence: 2.0 / 3},
		},
		{
			"of groups that are as large, the one that came first wins", conflict.Vote, ballots(nil, "a=x", "b=no", "c=yes", "d=yes", "e=no"),
			conflict.Resolution{Method: conflict.Vote, Winner: "b", Reasoning: "2/5 agents agreed", Confidence: 0.4},
		},
		{
			"two that differ", conflict.Vote, ballots(nil, "a=yes", "b=no"),
			conflict.Resolution{Method: conflict.Vote, Winner: "a", Reasoning: "1/2 agents agreed", Confidence: 0.5},
		},
		{
			"all", conflict.Vote, ballots(nil, "a=yes", "b=yes"),
			conflict.Resolution{Method: conflict.Vote, Winner: "a", Reasoning: "2/2 agents agreed", Confidence: 1},
		},
		{
			"no output is relevant to a vote", conflict.Vote, nil,
			conflict.Resolution{Method: conflict.Vote, Reasoning: "no output to count"},
		},
		{
			"the most tokens", conflict.EvidenceWeight, ballots(map[string]float64{"a": 30, "b": 90}, "a=yes", "b=no"),
			conflict.Resolution{Method: conflict.EvidenceWeight, Winner: "b", Reasoning: "b processed 90 of 120 tokens", Confidence: 0.75},
		},
		{
			"as many tokens: the first", conflict.EvidenceWeight, ballots(map[string]float64{"a": 1, "b": 2, "c": 2}, "a=x", "b=y", "c=z"),
			conflict.Resolution{Method: conflict.EvidenceWeight, Winner: "b", Reasoning: "b processed 2 of 5 tokens", Confidence: 0.4},
		},
		{
			"nobody has tokens", conflict.EvidenceWeight, ballots(nil, "a=x", "b=y"),
			conflict.Resolution{Method: conflict.EvidenceWeight, Winner: "a", Reasoning: "no agent processed any tokens", Confidence: 0.5},
		},
		{
			"no output is relevant to the weight", conflict.EvidenceWeight, nil,
			conflict.Resolution{Method: conflict.EvidenceWeight, Reasoning: "no output to weigh"},
		},
		{
			"nothing is settled", conflict.Escalate, ballots(map[string]float64{"a": 9}, "a=yes", "b=yes"),
			conflict.Resolution{Method: conflict.Escalate, Reasoning: "left to the user: a and b differ"},
		},
		{
			"tiered: a vote of 0.6 is clear", conflict.Tiered, ballots(map[string]float64{"e": 9}, "a=x", "b=y", "c=y", "d=y", "e=x"),
			conflict.Resolution{Method: conflict.Vote, Winner: "b", Reasoning: "3/5 agents agreed", Confidence: 0.6},
		},
		{
			"tiered: a vote under 0.6 is not, a weight of 0.7 is", conflict.Tiered, ballots(map[string]float64{"a": 30, "b": 70}, "a=x", "b=y"),
			conflict.Resolution{Method: conflict.EvidenceWeight, Winner: "b", Reasoning: "b processed 70 of 100 tokens", Confidence: 0.7},
		},
		{
			"tiered: a weight under 0.7 is not clear either", conflict.Tiered, ballots(map[string]float64{"a": 301, "b": 699}, "a=x", "b=y"),
			conflict.Resolution{Method: conflict.Escalate, Reasoning: "left to the user: a and b differ"},
		},
		{
			"tiered: nobody has tokens", conflict.Tiered, ballots(nil, "a=x", "b=y"),
			conflict.Resolution{Method: conflict.Escalate, Reasoning: "left to the user: a and b differ"},
		},
		{
			"tiered: no output is relevant", conflict.Tiered, nil,
			conflict.Resolution{Method: conflict.Escalate, Reasoning: "left to the user: a and b differ"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := conflict.Resolve(c.strategy, c.ballots, "a and b differ"); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestStrategiesAreNamed(t *testing.T) {
	for _, strategy := range conflict.Strategies() {
		var read conflict.Strategy
		if err := read.UnmarshalText([]byte(strategy.String())); err != nil || read != strategy {
			t.Errorf("%s is read as %q, %v", strategy, read, err)
		}
	}
	var read conflict.Strategy
	if err := read.UnmarshalText([]byte("votes")); err == nil || !strings.Contains(err.Error(), "vote") {
		t.Errorf("a word that is no strategy: %v", err)
	}
}

func TestReview(t *testing.T) {
	won := func(winner string, confidence float64) conflict.Resolution {
		return conflict.Resolution{Winner: winner, Confidence: confidence}
	}
	for _, c := range []struct {
		name        string
		resolutions []conflict.Resolution
		want        conflict.Review
	}{
		{"no conflict", nil, conflict.Review{Agreed: true}},
		{"the first winner", []conflict.Resolution{won("a", 0.5), won("b", 1)}, conflict.Review{Winner: "a"}},
		{"one without winner", []conflict.Resolution{won("a", 1), won("", 1)}, conflict.Review{Escalated: true}},
		{"one under half the confidence", []conflict.Resolution{won("a", 1), won("b", 0.4999)}, conflict.Review{Escalated: true}},
		{"an escalation", []conflict.Resolution{conflict.Resolve(conflict.Escalate, nil, "")}, conflict.Review{Escalated: true}},
	} {
		var reviewer conflict.Reviewer
		for i := range c.resolutions {
			reviewer.Add(&c.resolutions[i])
		}
		if got := reviewer.Review(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
