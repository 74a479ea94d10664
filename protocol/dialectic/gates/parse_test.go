package gates_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"moot/internal/jsonlines"
	"moot/protocol/dialectic/gates"
)

// whole is an input with everything in it, a line each.
const whole = `{
 "directive": "Roll out to 10 % of users",
 "round": 2, "asOf": "2026-11-21T00:00:00Z",
 "artifact": {
  "proposal": {"id": "P1", "round": 1, "fields": [
   {"path": "rollout.percent", "value": 10, "category": "Safety", "grounded": true, "evidence": ["E1"]},
   {"path": "total", "value": 10, "category": "", "derived": {"op": "sum", "of": ["E1"]}}]},
  "objections": [
   {"id": "C1", "target": "rollout.percent", "category": "Safety", "severity": "BLOCKING", "predicate": "p", "evidence": [], "round": 1, "ruling": "", "conceded": false}]},
 "evidence": [
  {"id": "E1", "sourceKind": "live-api", "target": "rollout.percent", "stance": "supports", "predicate": "P.", "value": 10, "confidence": 0.9,
   "reference": "curl", "quote": "budget_left: 61%", "worker": "command", "round": 1, "verified": true, "observedAt": "2026-11-20T23:30:00Z"}],
 "facts": [{"id": "F1", "path": "rollout.percent", "op": "≤", "value": 10, "text": "at most ten"}, {"id": "F2", "text": "be kind"}],
 "requests": [{"id": "Q1", "objection": "C1", "answered": true}],
 "config": {"maxRounds": 3, "thresholds": {"Safety": 0.9}, "allow": {"LOW": ["live-api"]}, "authority": ["live-api"], "freshness": {"live-api": "1h"}},
 "rounds": [{"decision": "HOLD"}]}`

// parse reads the first input of a text as moot resolve does.
func parse(text string) (*gates.Input, error) {
	objects := jsonlines.NewReader([]byte(text))
	object, err := objects.Next()
	if err != nil {
		return nil, err
	}
	in, err := gates.Parse(object)
	return in, objects.Locate(err)
}

func TestParse(t *testing.T) {
	in, err := parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	r := gates.Resolve(in)
	if r.Decision != gates.Advance || r.Artifact.Resolutions[0].Threshold != 0.9 {
		t.Errorf("%s: %+v", r.Decision, r.Artifact)
	}
}

// TestBadInputIsRefused changes one thing of a good input, and expects the line, the
// path and the message.
func TestBadInputIsRefused(t *testing.T) {
	for _, c := range []struct{ old, changed, want string }{
		{
			`"severity": "BLOCKING"`, `"severity": "SEVERE"`,
			`line 9: artifact.objections[0].severity: unknown severity "SEVERE" (known: BLOCKING, HIGH, MEDIUM, LOW)`,
		},
		{`"severity": "BLOCKING", `, ``, `line 9: artifact.objections[0].severity: unknown severity ""`},
		{
			`"live-api", "target"`, `"live-ap", "target"`,
			`line 11: evidence[0].sourceKind: unknown source kind "live-ap": did you mean "live-api"? (known: user-override, `,
		},
		{`"supports"`, `"refutes"`, `line 11: evidence[0].stance: unknown stance "refutes" (known: supports, contradicts)`},
		{
			`"ruling": ""`, `"ruling": "agreed"`,
			`line 9: artifact.objections[0].ruling: unknown ruling "agreed" (known: cleared, upheld)`,
		},
		{
			`"op": "sum"`, `"op": "product"`,
			`line 7: artifact.proposal.fields[1].derived.op: unknown operation "product" (known: sum, diff, ratio, min, max, count)`,
		},
		{`"op": "≤"`, `"op": "<="`, `line 13: facts[0].op: unknown operator "<="`},
		{
			`"decision": "HOLD"`, `"decision": "GO"`,
			`line 16: rounds[0].decision: unknown decision "GO" (known: ADVANCE, HOLD, ESCALATE)`,
		},
		{`{"LOW": `, `{"LO": `, `line 15: config.allow.LO: unknown severity "LO": did you mean "LOW"?`},
		{
			`{"LOW": ["live-api"]`, `{"HIGH": ["llm-inference"]`,
			`line 15: config.allow.HIGH[0]: llm-inference decides nothing above LOW`,
		},
		{
			`"authority": ["live-api"]`, `"authority": ["live-api", "live-api"]`,
			`line 15: config.authority[1]: "live-api" is used twice`,
		},

		{
			`"confidence": 0.9`, `"confidence": NaN`,
			`line 11: evidence[0].confidence: invalid character 'N' at start of value`,
		},
		{`"confidence": 0.9`, `"confidence": Infinity`, `line 11: evidence[0].confidence: invalid character 'I'`},
		{
			`"confidence": 0.9`, `"confidence": 1e999`,
			`line 11: evidence[0].confidence: 1e999 is not a number that a double can hold`,
		},
		{
			`"confidence": 0.9`, `"confidence": "NaN"`,
			`line 11: evidence[0].confidence: it takes a number that a double can hold, not a text`,
		},
		{`"confidence": 0.9`, `"confidence": 1.01`, `line 11: evidence[0].confidence: 1.01 is not between 0 and 1`},
		{`"confidence": 0.9`, `"confidence": -0.1`, `line 11: evidence[0].confidence: -0.1 is not between 0 and 1`},
		{
			`"value": 10, "confidence"`, `"value": -1e400, "confidence"`,
			`line 11: evidence[0].value: -1e400 is not a finite number`,
		},
		{`"round": 2`, `"round": 0`, `line 3: round: 0 is not 1 or more`},
		{`"round": 2`, `"round": 1.5`, `line 3: round: 1.5 is not a whole number`},
		{`"round": 2`, `"round": "2"`, `line 3: round: it takes a whole number, not a text`},
		{`"maxRounds": 3`, `"maxRounds": 0`, `line 15: config.maxRounds: 0 is not 1 or more`},
		{`"Safety": 0.9`, `"Safety": 1.5`, `line 15: config.thresholds.Safety: 1.5 is not between 0 and 1`},
		{`"1h"`, `"soon"`, `line 15: config.freshness.live-api: "soon" is not an age; write it as 90m, 24h or 7d`},
		{`"2026-11-21T00:00:00Z"`, `"yesterday"`, `line 3: asOf: parsing time "yesterday"`},
		{
			`"worker": "command", "round": 1`, `"worker": "command", "round": -1`,
			`line 12: evidence[0].round: -1 is not 0 or more`,
		},

		{
			`"predicate": "p"`, `"predicat": "p"`,
			`line 9: artifact.objections[0].predicat: there is no such field; did you mean "predicate"?`,
		},
		{
			`"text": "be kind"`, `"colour": "red"`,
			`line 13: facts[1].colour: there is no such field (known: id, path, op, value, text)`,
		},
		{`"round": 2`, `"round": 2, "round": 2`, `line 3: round: duplicate object member name`},
		{`"objections": [`, `"objections": {`, `line 9: artifact.objections`},
		{`[{"decision": "HOLD"}]`, `{}`, `line 16: rounds: it takes a list, not an object`},

		{`"id": "E1"`, `"id": ""`, `line 6: artifact.proposal.fields[0].evidence[0]: there is no evidence "E1"`},
		{
			`"path": "total"`, `"path": "rollout.percent"`,
			`line 7: artifact.proposal.fields[1].path: the path "rollout.percent" is used twice`,
		},
		{`"id": "F2"`, `"id": "F1"`, `line 13: facts[1].id: the id "F1" is used twice`},
		{
			`"evidence": []`, `"evidence": ["E2"]`,
			`line 9: artifact.objections[0].evidence[0]: there is no evidence "E2"`,
		},
		{
			`"of": ["E1"]`, `"of": ["E1", "x"]`,
			`line 7: artifact.proposal.fields[1].derived.of[1]: there is no evidence and no field "x"`,
		},
		{`"of": ["E1"]`, `"of": ["total"]`, `line 7: artifact.proposal.fields[1].derived: total follows from itself`},
		{`"of": ["E1"]`, `"of": []`, `line 7: artifact.proposal.fields[1].derived.of: sum takes at least one`},
		{`"objection": "C1"`, `"objection": "C2"`, `line 14: requests[0].objection: there is no objection "C2"`},

		{`"quote": "budget_left`, "\"quote\": \"\xffbudget_left", `line 12: evidence[0].quote: invalid UTF-8`},
		{`"rounds": [{"decision": "HOLD"}]}`, ``, `line 16: the JSON ends before the object does`},
		{whole, ``, `line 1: there is no JSON object`},
		{whole, `[]`, `line 1: it takes an object, not a list`},
		{whole, `null`, `line 1: it takes an object, not null`},
		{
			`"confidence": 0.9`, `"confidence": null`,
			`line 11: evidence[0].confidence: null is not a number; leave it out`,
		},
		{`"round": 2`, `"round": null`, `line 3: round: null is not a number`},
		{`"Safety": 0.9`, `"Safety": null`, `line 15: config.thresholds.Safety: null is not a number`},
		{`"maxRounds": 3`, `"maxRounds": null`, `line 15: config.maxRounds: null is not a number`},
		{`"confidence": 0.9`, `"confidence": -Infinity`, `line 11: evidence[0].confidence: invalid character 'I'`},
		{
			`"id": "E1", "sourceKind"`, `"id": "E2", "sourceKind"`,
			`line 6: artifact.proposal.fields[0].evidence[0]: there is no evidence "E1"`,
		},
		{`"op": "sum"`, `"op": "diff"`, `line 7: artifact.proposal.fields[1].derived.of: diff takes two, not 1`},
		{
			`"decision": "HOLD"`, `"artifact": {"resolutions": [{"outcome": "WON"}]}`,
			`line 16: rounds[0].artifact.resolutions[0].outcome: unknown outcome "WON"`,
		},
	} {
		if !strings.Contains(whole, c.old) {
			t.Fatalf("%s is not there", c.old)
		}
		text := strings.Replace(whole, c.old, c.changed, 1)
		in, err := parse(text)
		var found *jsonlines.Error
		if in != nil || !errors.As(err, &found) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s for %s:\n%v, want\n%s", c.changed, c.old, err, c.want)
		}
	}
}

// Null is the same as leaving a field out, except for numbers.
func TestNullIsTheDefault(t *testing.T) {
	text := `{"config": null, "facts": null, "requests": null, "rounds": null, "evidence": null, "asOf": null,
 "artifact": {"objections": null, "proposal": {"fields": [{"path": "a", "value": null, "evidence": null, "derived": null}]}}}`
	in, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if r := gates.Resolve(in); r.Decision != gates.Advance || r.Receipts[8].Threshold != 3 {
		t.Errorf("%+v", r)
	}
}

func TestALargeProposalIsRefused(t *testing.T) {
	text := strings.Replace(whole, `"value": 10, "category"`,
		`"value": "`+strings.Repeat("a", 10<<20)+`", "category"`, 1)
	_, err := parse(text)
	if want := "line 5: artifact.proposal: the proposal has 10485"; err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// Whatever the bytes are, what is read can be resolved, written and read back.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(whole + "\n{\"round\": NaN}\n" + whole))
	f.Add([]byte("{\"artifact\":{\"proposal\":{\"fields\":[{\"path\":\"a\",\"grounded\":true," +
		"\"value\":\"`x` “1–2 ms” 2026-11-21t1:2 a/b.go:1 1,2.3e4 v1.2\"}]}}}"))
	f.Add([]byte(`{"artifact":{"proposal":{"fields":[{"path":"a","value":1e-400,"grounded":true,` +
		`"derived":{"op":"ratio","of":["b","b"]}},{"path":"b","value":0}]}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		objects := jsonlines.NewReader(text)
		for {
			object, err := objects.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				continue
			}
			in, err := gates.Parse(object)
			if err != nil {
				continue
			}
			line := bytesOf(t, gates.Resolve(in))
			back, err := gates.Parse([]byte(`{"rounds": [` + strings.TrimSpace(string(line)) + `]}`))
			if err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if again := bytesOf(t, back.Rounds[0]); !bytes.Equal(line, again) {
				t.Fatalf("%s\n%s", line, again)
			}
		}
	})
}
