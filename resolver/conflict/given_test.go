package conflict_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"moot/resolver/conflict"
)

// written is the part of the output that these tests read.
type written struct {
	Conflicts []struct {
		ID, Type    string
		AgentIDs    []string
		Similarity  float64
		Negation    bool
		Description string
		Resolution  conflict.Resolution
	}
	More   int
	Review conflict.Review
}

// run returns the output for one object, with at most this many rows, and the review by the summary.
func run(t *testing.T, object string, rows int) (out written, summary conflict.Review) {
	t.Helper()
	c, err := first(object)
	if err != nil {
		t.Fatalf("%s: %v", object, err)
	}
	var listed, counted strings.Builder
	if err := c.Write(&listed, rows); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteSummary(&counted); err != nil {
		t.Fatal(err)
	}
	var short struct{ Review conflict.Review }
	for text, into := range map[string]any{listed.String(): &out, counted.String(): &short} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	return out, short.Review
}

const threeOutputs = `"outputs":[{"agentId":"a","output":"no","tokens":1},{"agentId":"b","output":"yes","tokens":9},` +
	`{"agentId":"c","output":"yes"}]`

func TestOnlyTheGivenConflictIsResolved(t *testing.T) {
	for _, c := range []struct {
		name, given, rest, kind string
		similarity              float64
		want                    conflict.Resolution
	}{
		{
			"all outputs vote", `{"agentIds":["a","b"]}`, `"strategy":"vote"`, "contradiction", 0,
			conflict.Resolution{Method: "vote", Winner: "b", Reasoning: "2/3 agents agreed", Confidence: 2.0 / 3},
		},
		{
			"the two agents are weighed", `{"agentIds":["b","a"]}`, `"strategy":"evidence_weight"`, "contradiction", 0,
			conflict.Resolution{
				Method: "evidence_weight", Winner: "b", Reasoning: "b processed 9 of 10 tokens", Confidence: 0.9,
			},
		},
		{
			"the reason is the given description", `{"agentIds":["a","b"],"description":"Ada and Bo are apart"}`,
			`"strategy":"escalate"`, "contradiction", 0,
			conflict.Resolution{Method: "escalate", Reasoning: "left to the user: Ada and Bo are apart"},
		},
		{
			"outputs of its own that one agent gave", `{"agentIds":["a","x"],"outputs":["no","perhaps"]}`, `"strategy":"vote"`,
			"contradiction", 0,
			conflict.Resolution{Method: "vote", Winner: "a", Reasoning: "1/1 agents agreed", Confidence: 1},
		},
		{
			"no relevant output", `{"agentIds":["x","y"],"outputs":["so","otherwise"]}`, `"strategy":"vote"`,
			"contradiction", 0,
			conflict.Resolution{Method: "vote", Reasoning: "no output to count"},
		},
		{
			"no relevant agent", `{"agentIds":["x","y"],"outputs":["so","otherwise"]}`, `"strategy":"evidence_weight"`,
			"contradiction", 0,
			conflict.Resolution{Method: "evidence_weight", Reasoning: "no output to weigh"},
		},
		{
			"the given type selects the strategy", `{"agentIds":["a","b"],"type":"disagreement"}`,
			`"strategy":{"contradiction":"vote","disagreement":"evidence_weight"}`, "disagreement", 0,
			conflict.Resolution{
				Method: "evidence_weight", Winner: "b", Reasoning: "b processed 9 of 10 tokens", Confidence: 0.9,
			},
		},
		{
			"equal outputs disagree if the input says so", `{"agentIds":["b","c"]}`, `"strategy":"vote"`, "disagreement", 1,
			conflict.Resolution{Method: "vote", Winner: "b", Reasoning: "2/2 agents agreed", Confidence: 1},
		},
	} {
		got, summary := run(t, fmt.Sprintf(`{"conflict":%s,%s,%s}`, c.given, threeOutputs, c.rest), conflict.DefaultRows)
		if len(got.Conflicts) != 1 || got.Conflicts[0].ID != "conflict_1" || got.Conflicts[0].Type != c.kind ||
			got.Conflicts[0].Similarity != c.similarity || got.Conflicts[0].Resolution != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
		if escalated := c.want.Winner == ""; got.Review.Escalated != escalated || got.Review != summary {
			t.Errorf("%s: %+v, by the summary %+v", c.name, got.Review, summary)
		}
	}
}

// A row of the output can be resolved again, by another strategy.
func TestRowIsResolvedAgain(t *testing.T) {
	c, err := first(`{` + threeOutputs + `}`)
	if err != nil {
		t.Fatal(err)
	}
	var listed strings.Builder
	if err := c.Write(&listed, 10); err != nil {
		t.Fatal(err)
	}
	var out struct{ Conflicts []json.RawMessage }
	if err := json.Unmarshal([]byte(listed.String()), &out); err != nil {
		t.Fatal(err)
	}
	got, _ := run(t, fmt.Sprintf(`{"conflict":%s,%s,"strategy":"escalate"}`, out.Conflicts[1], threeOutputs), 10)
	if got.Conflicts[0].ID != "conflict_2" || got.Conflicts[0].Resolution.Method != "escalate" {
		t.Errorf("%+v", got)
	}
}

func TestBadConflictIsRefused(t *testing.T) {
	for given, want := range map[string]string{
		`{}`:                                           `conflict.agentIds: a conflict has two agents, not 0`,
		`{"agentIds":["a","b","c"]}`:                   `conflict.agentIds: a conflict has two agents, not 3`,
		`{"agentIds":["a","a"]}`:                       `conflict.agentIds: both are "a"`,
		`{"agentIds":["a","x"]}`:                       `conflict.agentIds[1]: the agent "x" has no output`,
		`{"agentIds":["a","b"],"outputs":[1]}`:         `conflict.outputs: a conflict has two outputs, not 1`,
		`{"agentIds":["a","b"],"outputs":[1,1e400]}`:   `conflict.outputs[1]: 1e400 is not a number that a double can hold`,
		`{"agentIds":["a","b"],"type":"quarrel"}`:      `conflict.type: unknown type of conflict "quarrel"`,
		`{"agentIds":["a","b"],"kind":"disagreement"}`: `conflict.kind: there is no such field`,
	} {
		if _, err := first(`{"conflict":` + given + `,` + threeOutputs + `}`); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

func TestStrategyPerType(t *testing.T) {
	const outputs = `"outputs":[{"agentId":"a","output":"1 2 3"},{"agentId":"b","output":"1 2 4"},{"agentId":"c","output":"x"}]`
	got, summary := run(t, `{`+outputs+`,"strategy":{"contradiction":"escalate"}}`, 10)
	for i, method := range []conflict.Strategy{conflict.Vote, conflict.Escalate, conflict.Escalate} {
		if got.Conflicts[i].Resolution.Method != method {
			t.Errorf("conflict %d is resolved by %s, want %s", i+1, got.Conflicts[i].Resolution.Method, method)
		}
	}
	if want := (conflict.Review{Escalated: true}); got.Review != want || summary != want {
		t.Errorf("%+v, by the summary %+v", got.Review, summary)
	}
	for strategy, want := range map[string]string{
		`{"contradiction":"sometimes"}`: `strategy.contradiction: unknown strategy "sometimes"`,
		`{"agreement":"vote"}`:          `strategy.agreement: there is no such field`,
		`["vote"]`:                      `strategy: it takes a text, or an object with a strategy for each type of conflict, not a list`,
	} {
		if _, err := first(`{` + outputs + `,"strategy":` + strategy + `}`); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", strategy, err, want)
		}
	}
}

func TestRowsAreLimitedAndTheOthersCounted(t *testing.T) {
	const outputs = `{"outputs":[{"agentId":"a","output":1,"tokens":1},{"agentId":"b","output":2,"tokens":9},` +
		`{"agentId":"c","output":3,"tokens":9}],"strategy":"tiered"}`
	whole, _ := run(t, outputs, 3)
	if len(whole.Conflicts) != 3 || whole.More != 0 {
		t.Errorf("%+v", whole)
	}
	for rows := range 3 {
		got, _ := run(t, outputs, rows)
		// The last conflict is the one that escalates.
		if len(got.Conflicts) != rows || got.More != 3-rows || got.Review != whole.Review {
			t.Errorf("with %d rows: %+v, want the review %+v", rows, got, whole.Review)
		}
	}
}

func TestPairsThatDifferByANegationAreMarked(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`"The cache is safe"`, `"The cache is not safe"`, true},
		{`"The cache isn't safe."`, `"the cache is safe"`, true},
		{`"Writes don't block"`, `"Writes block"`, true},
		{`"The lock holds"`, `"The lock does not hold"`, true},
		{`"It can fail"`, `"It cannot fail"`, true},
		{`{"verdict":"safe","n":1}`, `{"n":1.0,"verdict":"not safe"}`, true},
		{`"Der Cache ist sicher"`, `"Der Cache ist nicht sicher"`, true},
		{`"Le cache est sûr"`, `"Le cache n’est pas sûr"`, true},
		{`"Кэш безопасен"`, `"Кэш не безопасен"`, true},
		{`"缓存是安全的"`, `"缓存不是安全的"`, true},
		{`"The cache is safe"`, `"The cache is fast"`, false},
		{`"The cache is not safe"`, `"The store is safe"`, false},
		{`"No cache is safe"`, `"The cache is never safe"`, false},
		{`"safe is the cache"`, `"the cache is not safe"`, false},
		{`{"verdict":"safe","n":1}`, `{"n":2,"verdict":"not safe"}`, false},
		{`true`, `false`, false},
		{`""`, `"not"`, true},
		{`[]`, `["not"]`, false},
	} {
		object := `{"outputs":[{"agentId":"a","output":%s},{"agentId":"b","output":%s}],"options":{"contradictionThreshold":1,` +
			`"agreementThreshold":1}}`
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			got, _ := run(t, fmt.Sprintf(object, pair[0], pair[1]), 10)
			if len(got.Conflicts) != 1 || got.Conflicts[0].Negation != c.want {
				t.Errorf("%v: %+v", pair, got.Conflicts)
			}
		}
	}
}
