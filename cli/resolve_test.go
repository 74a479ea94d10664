package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/cli"
)

// Every bad object is an error with its line and path and exit code 1, and prints
// nothing: not it, and without --keep-going not what stands behind it.
func TestResolveRefusesABadObject(t *testing.T) {
	const good = `{"artifact": {"proposal": {"id": "good"}}}`
	evidence := func(field string) string {
		return `{"evidence": [{"id": "E1", "sourceKind": "live-api", "stance": "supports", ` + field + `}]}`
	}
	fields := func(list string) string {
		return `{"artifact": {"proposal": {"fields": [` + list + `]}}}`
	}
	for name, c := range map[string]struct{ object, says string }{
		"an unknown severity":         {`{"artifact": {"objections": [{"id": "C1", "severity": "SEVERE"}]}}`, `line 2: artifact.objections[0].severity: unknown severity "SEVERE" (known: BLOCKING, HIGH, MEDIUM, LOW)`},
		"an unknown source kind":      {`{"evidence": [{"id": "E1", "sourceKind": "rumour"}]}`, `line 2: evidence[0].sourceKind: unknown source kind "rumour"`},
		"an unknown stance":           {`{"evidence": [{"id": "E1", "sourceKind": "live-api", "stance": "doubts"}]}`, `line 2: evidence[0].stance: unknown stance "doubts" (known: supports, contradicts)`},
		"an unknown ruling":           {`{"artifact": {"objections": [{"id": "C1", "severity": "LOW", "ruling": "yes"}]}}`, `line 2: artifact.objections[0].ruling: unknown ruling "yes"`},
		"an unknown operation":        {fields(`{"path": "a", "value": 1, "derived": {"op": "product", "of": ["b"]}}`), `line 2: artifact.proposal.fields[0].derived.op: unknown operation "product"`},
		"an unknown operator":         {`{"facts": [{"id": "F1", "path": "a", "op": "~", "value": 1}]}`, `line 2: facts[0].op: unknown operator "~"`},
		"an unknown decision":         {`{"rounds": [{"decision": "GO"}]}`, `line 2: rounds[0].decision: unknown decision "GO"`},
		"an unknown field":            {`{"artefact": {}}`, `line 2: artefact: there is no such field; did you mean "artifact"?`},
		"a field that is there twice": {`{"round": 1, "round": 2}`, `line 2: round: duplicate object member name`},
		"NaN":                         {evidence(`"confidence": NaN`), `line 2: evidence[0].confidence: invalid character 'N'`},
		"an infinity":                 {evidence(`"confidence": Infinity`), `line 2: evidence[0].confidence: invalid character 'I'`},
		"a negative infinity":         {evidence(`"confidence": -Infinity`), `line 2: evidence[0].confidence: invalid character 'I'`},
		"more than a double":          {evidence(`"confidence": 1e999`), `line 2: evidence[0].confidence: 1e999 is not a number that a double can hold`},
		"a value beyond a double":     {fields(`{"path": "a", "value": [1, {"b": -1e400}]}`), `line 2: artifact.proposal.fields[0].value: -1e400 is no finite number`},
		"confidence above 1":          {evidence(`"confidence": 1.0000001`), `line 2: evidence[0].confidence: 1.0000001 is not between 0 and 1`},
		"confidence below 0":          {evidence(`"confidence": -0.1`), `line 2: evidence[0].confidence: -0.1 is not between 0 and 1`},
		"confidence as a text":        {evidence(`"confidence": "high"`), `line 2: evidence[0].confidence: it takes a number`},
		"no confidence at all":        {evidence(`"confidence": null`), `line 2: evidence[0].confidence: null is no number`},
		"a threshold above 1":         {`{"config": {"thresholds": {"Safety": 80}}}`, `line 2: config.thresholds.Safety: 80 is not between 0 and 1`},
		"round 0":                     {`{"round": 0}`, `line 2: round: 0 is not 1 or more`},
		"an objection twice":          {`{"artifact": {"objections": [{"id": "C1", "severity": "LOW"}, {"id": "C1", "severity": "LOW"}]}}`, `line 2: artifact.objections[1].id: the id "C1" is there twice`},
		"an item twice":               {strings.Replace(evidence(`"confidence": 1`), `}]}`, `}, {"id": "E1", "sourceKind": "live-api", "stance": "supports"}]}`, 1), `line 2: evidence[1].id: the id "E1" is there twice`},
		"a path twice":                {fields(`{"path": "a"}, {"path": "a"}`), `line 2: artifact.proposal.fields[1].path: the path "a" is there twice`},
		"an id that is missing":       {`{"evidence": [{"sourceKind": "live-api", "stance": "supports"}]}`, `line 2: evidence[0].id: the id is missing`},
		"a dangling item of a field":  {fields(`{"path": "a", "evidence": ["E9"]}`), `line 2: artifact.proposal.fields[0].evidence[0]: there is no evidence "E9"`},
		"a dangling item":             {`{"artifact": {"objections": [{"id": "C1", "severity": "LOW", "evidence": ["E9"]}]}}`, `line 2: artifact.objections[0].evidence[0]: there is no evidence "E9"`},
		"a dangling objection":        {`{"requests": [{"id": "Q1", "objection": "C9"}]}`, `line 2: requests[0].objection: there is no objection "C9"`},
		"a dangling operand":          {fields(`{"path": "a", "derived": {"op": "sum", "of": ["b"]}}`), `line 2: artifact.proposal.fields[0].derived.of[0]: there is no evidence and no field "b"`},
		"what follows from itself":    {fields(`{"path": "a", "derived": {"op": "sum", "of": ["b"]}}, {"path": "b", "derived": {"op": "sum", "of": ["c"]}}, {"path": "c", "derived": {"op": "max", "of": ["a"]}}`), `line 2: artifact.proposal.fields[0].derived: a follows from itself`},
		"a proposal of 10 MB":         {fields(`{"path": "a", "value": "` + strings.Repeat("a", 10<<20) + `"}`), `line 2: artifact.proposal: the proposal has 10485802 bytes, more than 1 MiB`},
		"depth without end":           {fields(`{"path": "a", "value": ` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`), `line 2: artifact.proposal.fields[0].value`},
		"a list":                      {`[]`, `line 2: it takes an object, not a list`},
		"null":                        {`null`, `line 2: it takes an object, not null`},
		"nonsense":                    {`nonsense`, `line 2: invalid character`},
		"half of an object":           {`{"round": 1`, `line 3: `},
		"bytes that are no text":      {"{\"directive\": \"\xff\"}", `line 2: directive: invalid UTF-8`},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			file := filepath.Join(d.Dir, "in.jsonl")
			if err := os.WriteFile(file, []byte(good+"\n"+c.object+"\n"+good+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if code := d.run("resolve", file); code != cli.ExitError {
				t.Errorf("exit code %d", code)
			}
			if n := strings.Count(d.out.String(), "\n"); n != 1 {
				t.Errorf("%d results, want that of the first object alone", n)
			}
			if said := d.err.String(); !strings.Contains(said, c.says) {
				t.Errorf("it says %.300q, want %q", said, c.says)
			}

			d.out.Reset()
			d.err.Reset()
			if code := d.run("resolve", "--keep-going", file); code != cli.ExitError {
				t.Errorf("exit code %d with --keep-going", code)
			}
			if n := strings.Count(d.out.String(), `{"decision":"ADVANCE"`); n != 2 {
				t.Errorf("%d results with --keep-going, want those of the first object and the last", n)
			}
			if said := d.err.String(); !strings.Contains(said, c.says) || !strings.Contains(said, "1 of ") {
				t.Errorf("with --keep-going it says %.300q", said)
			}
		})
	}
}
