package dialectic_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"moot/resolver/dialectic"
	"moot/resolver/jsonlines"
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

func TestReader(t *testing.T) {
	in, err := dialectic.NewReader(strings.NewReader(whole)).Next()
	if err != nil {
		t.Fatal(err)
	}
	r := dialectic.Resolve(in)
	if r.Decision != dialectic.Advance || r.Artifact.Resolutions[0].Threshold != 0.9 {
		t.Errorf("%s: %+v", r.Decision, r.Artifact)
	}
}

// TestReaderRefuses changes one thing of a good input, and demands the line, the
// path and what is said.
func TestReaderRefuses(t *testing.T) {
	for _, c := range []struct{ old, changed, want string }{
		{`"severity": "BLOCKING"`, `"severity": "SEVERE"`, `line 9: artifact.objections[0].severity: unknown severity "SEVERE" (known: BLOCKING, HIGH, MEDIUM, LOW)`},
		{`"severity": "BLOCKING", `, ``, `line 9: artifact.objections[0].severity: unknown severity ""`},
		{`"live-api", "target"`, `"live-ap", "target"`, `line 11: evidence[0].sourceKind: unknown source kind "live-ap": did you mean "live-api"? (known: user-override, `},
		{`"supports"`, `"refutes"`, `line 11: evidence[0].stance: unknown stance "refutes" (known: supports, contradicts)`},
		{`"ruling": ""`, `"ruling": "agreed"`, `line 9: artifact.objections[0].ruling: unknown ruling "agreed" (known: cleared, upheld)`},
		{`"op": "sum"`, `"op": "product"`, `line 7: artifact.proposal.fields[1].derived.op: unknown operation "product" (known: sum, diff, ratio, min, max, count)`},
		{`"op": "≤"`, `"op": "<="`, `line 13: facts[0].op: unknown operator "<="`},
		{`"decision": "HOLD"`, `"decision": "GO"`, `line 16: rounds[0].decision: unknown decision "GO" (known: ADVANCE, HOLD, ESCALATE)`},
		{`{"LOW": `, `{"LO": `, `line 15: config.allow.LO: unknown severity "LO": did you mean "LOW"?`},
		{`{"LOW": ["live-api"]`, `{"HIGH": ["llm-inference"]`, `line 15: config.allow.HIGH[0]: llm-inference decides nothing above LOW`},
		{`"authority": ["live-api"]`, `"authority": ["live-api", "live-api"]`, `line 15: config.authority[1]: "live-api" is there twice`},

		{`"confidence": 0.9`, `"confidence": NaN`, `line 11: evidence[0].confidence: invalid character 'N' at start of value`},
		{`"confidence": 0.9`, `"confidence": Infinity`, `line 11: evidence[0].confidence: invalid character 'I'`},
		{`"confidence": 0.9`, `"confidence": 1e999`, `line 11: evidence[0].confidence: 1e999 is not a number that a double can hold`},
		{`"confidence": 0.9`, `"confidence": "NaN"`, `line 11: evidence[0].confidence: it takes a number that a double can hold, not a text`},
		{`"confidence": 0.9`, `"confidence": 1.01`, `line 11: evidence[0].confidence: 1.01 is not between 0 and 1`},
		{`"confidence": 0.9`, `"confidence": -0.1`, `line 11: evidence[0].confidence: -0.1 is not between 0 and 1`},
		{`"value": 10, "confidence"`, `"value": -1e400, "confidence"`, `line 11: evidence[0].value: -1e400 is no finite number`},
		{`"value": 10, "category": "Safety"`, `"value": [{"a": 1e-500}], "category": "Safety"`, `line 6: artifact.proposal.fields[0].value: 1e-500 is no finite number`},
		{`"round": 2`, `"round": 0`, `line 3: round: 0 is not 1 or more`},
		{`"round": 2`, `"round": 1.5`, `line 3: round: 1.5 is not a whole number`},
		{`"round": 2`, `"round": "2"`, `line 3: round: it takes a whole number, not a text`},
		{`"maxRounds": 3`, `"maxRounds": 0`, `line 15: config.maxRounds: 0 is not 1 or more`},
		{`"Safety": 0.9`, `"Safety": 1.5`, `line 15: config.thresholds.Safety: 1.5 is not between 0 and 1`},
		{`"1h"`, `"soon"`, `line 15: config.freshness.live-api: "soon" is no age; write it as 90m, 24h or 7d`},
		{`"2026-11-21T00:00:00Z"`, `"yesterday"`, `line 3: asOf: parsing time "yesterday"`},
		{`"worker": "command", "round": 1`, `"worker": "command", "round": -1`, `line 12: evidence[0].round: -1 is not 0 or more`},

		{`"predicate": "p"`, `"predicat": "p"`, `line 9: artifact.objections[0].predicat: there is no such field; did you mean "predicate"?`},
		{`"text": "be kind"`, `"colour": "red"`, `line 13: facts[1].colour: there is no such field (known: id, path, op, value, text)`},
		{`"round": 2`, `"round": 2, "round": 2`, `line 3: round: duplicate object member name`},
		{`"objections": [`, `"objections": {`, `line 9: artifact.objections`},
		{`[{"decision": "HOLD"}]`, `{}`, `line 16: rounds: it takes a list, not an object`},

		{`"id": "E1"`, `"id": ""`, `line 6: artifact.proposal.fields[0].evidence[0]: there is no evidence "E1"`},
		{`"path": "total"`, `"path": "rollout.percent"`, `line 7: artifact.proposal.fields[1].path: the path "rollout.percent" is there twice`},
		{`"id": "F2"`, `"id": "F1"`, `line 13: facts[1].id: the id "F1" is there twice`},
		{`"evidence": []`, `"evidence": ["E2"]`, `line 9: artifact.objections[0].evidence[0]: there is no evidence "E2"`},
		{`"of": ["E1"]`, `"of": ["E1", "x"]`, `line 7: artifact.proposal.fields[1].derived.of[1]: there is no evidence and no field "x"`},
		{`"of": ["E1"]`, `"of": ["total"]`, `line 7: artifact.proposal.fields[1].derived: total follows from itself`},
		{`"of": ["E1"]`, `"of": []`, `line 7: artifact.proposal.fields[1].derived.of: sum takes at least one`},
		{`"objection": "C1"`, `"objection": "C2"`, `line 14: requests[0].objection: there is no objection "C2"`},

		{`"quote": "budget_left`, "\"quote\": \"\xffbudget_left", `line 12: evidence[0].quote: invalid UTF-8`},
		{`"rounds": [{"decision": "HOLD"}]}`, ``, `line 16: the JSON ends before the object does`},
		{whole, ``, `line 1: there is no JSON object`},
		{whole, `[]`, `line 1: it takes an object, not a list`},
		{whole, `null`, `line 1: it takes an object, not null`},
		{`"confidence": 0.9`, `"confidence": null`, `line 11: evidence[0].confidence: null is no number; leave it out`},
		{`"round": 2`, `"round": null`, `line 3: round: null is no number`},
		{`"Safety": 0.9`, `"Safety": null`, `line 15: config.thresholds.Safety: null is no number`},
		{`"maxRounds": 3`, `"maxRounds": null`, `line 15: config.maxRounds: null is no number`},
		{`"confidence": 0.9`, `"confidence": -Infinity`, `line 11: evidence[0].confidence: invalid character 'I'`},
		{`"id": "E1", "sourceKind"`, `"id": "E2", "sourceKind"`, `line 6: artifact.proposal.fields[0].evidence[0]: there is no evidence "E1"`},
		{`"op": "sum"`, `"op": "diff"`, `line 7: artifact.proposal.fields[1].derived.of: diff takes two, not 1`},
		{`"decision": "HOLD"`, `"artifact": {"resolutions": [{"outcome": "WON"}]}`, `line 16: rounds[0].artifact.resolutions[0].outcome: unknown outcome "WON"`},
	} {
		if !strings.Contains(whole, c.old) {
			t.Fatalf("%s is not there", c.old)
		}
		text := strings.Replace(whole, c.old, c.changed, 1)
		in, err := dialectic.NewReader(iotest.OneByteReader(strings.NewReader(text))).Next()
		var found *jsonlines.Error
		if in != nil || !errors.As(err, &found) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s for %s:\n%v, want\n%s", c.changed, c.old, err, c.want)
		}
	}
}

// What is null is left out, where it stands for more than a number.
func TestReaderTakesNullForWhatIsLeftOut(t *testing.T) {
	text := `{"config": null, "facts": null, "requests": null, "rounds": null, "evidence": null, "asOf": null,
 "artifact": {"objections": null, "proposal": {"fields": [{"path": "a", "value": null, "evidence": null, "derived": null}]}}}`
	in, err := dialectic.NewReader(strings.NewReader(text)).Next()
	if err != nil {
		t.Fatal(err)
	}
	if r := dialectic.Resolve(in); r.Decision != dialectic.Advance || r.Receipts[8].Threshold != 3 {
		t.Errorf("%+v", r)
	}
}

func TestReaderRefusesAGreatProposal(t *testing.T) {
	text := strings.Replace(whole, `"value": 10, "category"`, `"value": "`+strings.Repeat("a", 10<<20)+`", "category"`, 1)
	_, err := dialectic.NewReader(strings.NewReader(text)).Next()
	if want := "line 5: artifact.proposal: the proposal has 10485"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// Whatever stands in an object, an error about it can be read.
func TestErrorsStayShort(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, text := range []string{
		`{"` + long + `": 1}`, `{"asOf": "` + long + `"}`, `{"round": ` + strings.Repeat("1", 100_000) + `}`,
		`{"artifact": {"objections": [{"id": "C1", "severity": "` + long + `"}]}}`, `{"` + long + `": NaN}`,
		`{"config": ` + strings.Repeat(`{"a": `, 5000) + `NaN`,
	} {
		_, err := dialectic.NewReader(strings.NewReader(text)).Next()
		if err == nil || !strings.HasPrefix(err.Error(), "line 1: ") || len(err.Error()) > 2000 {
			t.Errorf("%.100s: %.200v", text, err)
		}
	}
}

// A place has all of its names, whatever was read before.
func TestThePlaceOfBadBytesIsWhole(t *testing.T) {
	text := `{"artifact": {"proposal": {"id": "A"}}}` + "\n" + `{"evidence": [{"id": "E1", "confidence": NaN}]}`
	if want := "A; line 2: evidence[0].confidence: invalid character 'N' at start of value"; lines(text) != want {
		t.Errorf("%s, want %s", lines(text), want)
	}
}

// lines tells what a reader gives, an id or an error for each object.
func lines(text string) string {
	var told []string
	reader := dialectic.NewReader(strings.NewReader(text))
	for {
		in, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			return strings.Join(told, "; ")
		case err != nil:
			told = append(told, err.Error())
		default:
			told = append(told, in.Artifact.Proposal.ID)
		}
	}
}

// An object that is wrong costs the ones behind it nothing, whether its bytes
// could be taken apart or not.
func TestReaderGoesOn(t *testing.T) {
	object := func(id string) string { return `{"artifact": {"proposal": {"id": "` + id + `"}}}` }
	for _, c := range []struct{ text, want string }{
		{object("A") + "\n" + object("B"), "A; B"},
		{object("A") + "\n\n  " + object("B") + object("C") + "\n", "A; B; C"},
		{"{\n \"artifact\": {\n\"proposal\": {\"id\": \"A\"}}}\n" + object("B"), "A; B"},
		{object("A") + "\n{\"round\": 0}\n" + object("B"), "A; line 2: round: 0 is not 1 or more; B"},
		{object("A") + "\n{\"round\": NaN}\n" + object("B") + "\n{\n \"rond\": 1}", `A; line 2: round: invalid character 'N' at start of value; B; line 5: rond: there is no such field; did you mean "round"?`},
		{"{\"round\": NaN,\n\"config\": {\n}}\n" + object("B"), "line 1: round: invalid character 'N' at start of value; B"},
		{"nonsense\n" + object("B") + "\n{", "line 1: invalid character 'o' in literal null (expecting 'u'); B; line 3: the JSON ends before the object does"},
		{"{\"a", "line 1: the JSON ends before the object does"},
		{"[" + object("A") + "]\n" + object("B"), "line 1: it takes an object, not a list; B"},
	} {
		if got := lines(c.text); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestReaderPassesErrorsOfReadingOn(t *testing.T) {
	broken := errors.New("the disk is gone")
	_, err := dialectic.NewReader(io.MultiReader(strings.NewReader(`{"round": `), iotest.ErrReader(broken))).Next()
	var input *jsonlines.Error
	if !errors.Is(err, broken) || errors.As(err, &input) {
		t.Error(err)
	}
}

// Whatever the bytes are, the reader ends, its errors name a line that is there,
// and what it reads can be resolved, written and read back.
func FuzzReader(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(whole + "\n{\"round\": NaN}\n" + whole))
	f.Add([]byte("{\"artifact\":{\"proposal\":{\"fields\":[{\"path\":\"a\",\"value\":\"`x` “1–2 ms” 2026-11-21t1:2 a/b.go:1 1,2.3e4 v1.2\",\"grounded\":true}]}}}"))
	f.Add([]byte(`{"artifact":{"proposal":{"fields":[{"path":"a","value":1e-400,"derived":{"op":"ratio","of":["b","b"]},"grounded":true},{"path":"b","value":0}]}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		reader := dialectic.NewReader(bytes.NewReader(text))
		for n := 0; ; n++ {
			in, err := reader.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if n > len(text) {
				t.Fatal("the reader does not end")
			}
			var wrong *jsonlines.Error
			if errors.As(err, &wrong) {
				if wrong.Line < 1 || wrong.Line > 1+bytes.Count(text, []byte("\n")) {
					t.Fatalf("%v: there is no such line", err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			result := dialectic.Resolve(in)
			line := bytesOf(t, result)
			back, err := dialectic.NewReader(strings.NewReader(fmt.Sprintf(`{"rounds": [%s]}`, line))).Next()
			if err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if again := bytesOf(t, back.Rounds[0]); !bytes.Equal(line, again) {
				t.Fatalf("%s\n%s", line, again)
			}
		}
	})
}
