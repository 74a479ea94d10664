package resolve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"moot/protocol/dialectic/gates"
	"moot/resolve"
)

// A deployment tool asks whether a rollout may continue. A model objected that the error budget may be used up; the tool
// itself read the budget, so its item is live-api, whatever a model claims.
func ExampleResolve() {
	in := &resolve.Input{
		Directive: "Roll out to 10 % of users",
		Artifact: resolve.Artifact{
			Proposal: resolve.Proposal{ID: "P1", Fields: []resolve.Field{{
				Path: "rollout.percent", Value: json.RawMessage("10"), Category: "Safety", Grounded: true,
				Evidence: []string{"E1"},
			}}},
			Objections: []resolve.Objection{{
				ID: "C1", Target: "rollout.percent", Category: "Safety", Severity: resolve.Blocking,
				Predicate: "the error budget allows it",
			}},
		},
		Evidence: []resolve.Evidence{{
			ID: "E1", SourceKind: resolve.LiveAPI, Point: "rollout.percent", Relation: resolve.Supports,
			Predicate: "the error budget allows it", Confidence: 0.95, Verified: true,
			Reference: "GET /budget", Quote: "budget_left: 61%",
		}},
	}
	result, err := resolve.Resolve(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Decision)
	for _, r := range result.Artifact.Resolutions {
		fmt.Println(r.Objection, r.Outcome, r.Rule, r.Decider)
	}

	// Without a check, the same item is the word of a model, which clears nothing that is grave.
	in.Evidence[0].Verified = false
	if result, err = resolve.Resolve(in); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Decision)
	for _, gate := range result.Artifact.Validation.Gates {
		if !gate.Pass {
			fmt.Println(gate.Gate, gate.Reasons[0])
		}
	}
	// Output:
	// ADVANCE
	// C1 CLEARED R1 E1
	// HOLD
	// G4 rollout.percent cites no item that HIGH allows
	// G5 C1 (BLOCKING) is unresolved
}

// Errors name the field.
func ExampleParse() {
	_, err := resolve.Parse([]byte(`{"artifact": {"objections": [{"id": "C1", "severity": "URGENT"}]}}`))
	fmt.Println(err)
	// Output: artifact.objections[0].severity: unknown severity "URGENT" (known: BLOCKING, HIGH, MEDIUM, LOW)
}

// What a program builds is checked like what it writes as JSON, and decided alike.
func TestTypedAndWrittenInputsAreDecidedAlike(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/rollout.json")
	if err != nil {
		t.Fatal(err)
	}
	read, err := resolve.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	result, err := resolve.Resolve(read)
	if err != nil {
		t.Fatal(err)
	}
	var written, direct bytes.Buffer
	again := gates.Resolve(read)
	if err := result.Write(&written); err != nil {
		t.Fatal(err)
	}
	if err := again.Write(&direct); err != nil || written.String() != direct.String() || result.Decision == "" {
		t.Errorf("%v\n%s\n%s", err, &written, &direct)
	}
}

func TestWrongInputsAreNamed(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*resolve.Input){
		"round: -1":                        func(in *resolve.Input) { in.Round = -1 },
		"artifact.proposal.fields[0].path": func(in *resolve.Input) { in.Artifact.Proposal.Fields = []resolve.Field{{}} },
		"artifact.objections[0].severity":  func(in *resolve.Input) { in.Artifact.Objections = []resolve.Objection{{ID: "C1", Severity: "URGENT"}} },
		"evidence[0].sourceKind": func(in *resolve.Input) {
			in.Evidence = []resolve.Evidence{{ID: "E1", SourceKind: "gospel", Relation: resolve.Supports}}
		},
		"evidence[0].stance": func(in *resolve.Input) { in.Evidence = []resolve.Evidence{{ID: "E1", SourceKind: resolve.LiveAPI}} },
		"evidence[0].confidence: 2": func(in *resolve.Input) {
			in.Evidence = []resolve.Evidence{{ID: "E1", SourceKind: resolve.LiveAPI, Relation: resolve.Supports, Confidence: 2}}
		},
		"requests[0].objection": func(in *resolve.Input) { in.Requests = []resolve.Request{{Objection: "C9"}} },
		"config.maxRounds: -1":  func(in *resolve.Input) { in.Config.MaxRounds = -1 },
	} {
		in := &resolve.Input{}
		change(in)
		if _, err := resolve.Resolve(in); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := resolve.Resolve(&resolve.Input{Config: resolve.Defaults()}); err != nil {
		t.Error(err)
	}
}
