package judge_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"moot/internal/jsonlines"
	"moot/protocol/hearing/judge"
)

// answers returns the lines for the objects of a text, and the errors of the others.
func answers(text string) (lines []string, wrong []error) {
	objects := jsonlines.NewReader([]byte(text))
	for {
		object, err := objects.Next()
		if errors.Is(err, io.EOF) {
			return lines, wrong
		}
		var out bytes.Buffer
		if err == nil {
			var in *judge.Input
			if in, err = judge.Parse(object); err == nil {
				err = in.Answer(&out)
			}
		}
		if err != nil {
			wrong = append(wrong, objects.Locate(err))
			continue
		}
		lines = append(lines, out.String())
	}
}

func TestABadObjectIsRefusedByItsPlace(t *testing.T) {
	sides := func(architect string) string { return `{"architect":` + architect + `,"skeptic":{"confidence":0.5}}` }
	for name, c := range map[string]struct{ object, says string }{
		"a confidence above 1": {
			sides(`{"confidence":1.0000000000000002}`),
			`architect.confidence: 1.0000000000000002 is not from 0 to 1`,
		},
		"a confidence below 0": {sides(`{"confidence":-0.5}`), `architect.confidence: -0.5 is not from 0 to 1`},
		"NaN":                  {sides(`{"confidence":NaN}`), `architect.confidence: invalid character 'N'`},
		"an infinity":          {sides(`{"confidence":Infinity}`), `architect.confidence: invalid character 'I'`},
		"more than a double": {
			sides(`{"confidence":1e999}`),
			`architect.confidence: 1e999 is not a number that a double can hold`,
		},
		"a text":        {sides(`{"confidence":"0.5"}`), `architect.confidence: it takes a number`},
		"a truth value": {sides(`{"confidence":true}`), `architect.confidence: it takes a number`},
		"null":          {sides(`{"confidence":null}`), `architect.confidence: null is not a number`},
		"no confidence": {sides(`{"facts":["f1"]}`), `architect.confidence: the confidence is missing`},
		"no architect":  {`{"skeptic":{"confidence":1}}`, `architect: it is missing`},
		"no skeptic":    {`{"architect":{"confidence":1}}`, `skeptic: it is missing`},
		"the skeptic's": {
			`{"architect":{"confidence":1},"skeptic":{"confidence":2}}`,
			`skeptic.confidence: 2 is not from 0 to 1`,
		},
		"facts that are one": {
			sides(`{"confidence":1,"facts":"f1"}`),
			`architect.facts: it takes a list, not a text`,
		},
		"a fact that is a number": {
			sides(`{"confidence":1,"facts":["f1",2]}`),
			`architect.facts[1]: it takes a text, not a number`,
		},
		"a fact without an id": {
			sides(`{"confidence":1,"facts":["f1",""]}`),
			`architect.facts[1]: the id of the fact is empty`,
		},
		"an unknown version": {
			`{"version":"v3","architect":{"confidence":1},"skeptic":{"confidence":1}}`,
			`version: unknown version of the judge "v3": did you mean "v1"? (known: v1, v1-facts, v2, v2-bounded)`,
		},
		"an unknown field": {
			sides(`{"confidense":1}`),
			`architect.confidense: there is no such field; did you mean "confidence"?`,
		},
		"a field twice": {
			sides(`{"confidence":1,"confidence":1}`),
			`architect.confidence: duplicate object member name`,
		},
		"a list": {`[]`, `it takes an object, not a list`},
	} {
		t.Run(name, func(t *testing.T) {
			good := `{"architect":{"confidence":1},"skeptic":{"confidence":0}}` + "\n"
			lines, wrong := answers(good + c.object + "\n" + good)
			if len(lines) != 2 || len(wrong) != 1 {
				t.Fatalf("%d results, and %v", len(lines), wrong)
			}
			if got := wrong[0].Error(); !strings.HasPrefix(got, "line 2: "+c.says) {
				t.Errorf("it says %q, want %q", got, c.says)
			}
		})
	}
}

// FuzzJudge judges anything; what is answered is a line of sound JSON with a
// confidence from 0 to 1.
func FuzzJudge(f *testing.F) {
	f.Add(`{"architect":{"confidence":0.7,"facts":["f1"]},"skeptic":{"confidence":0.1}}`)
	f.Add(`{"version":"v2-bounded","architect":{"confidence":1e-400},"skeptic":{"confidence":-0}} {"version":"v9"}`)
	f.Fuzz(func(t *testing.T, text string) {
		lines, _ := answers(text)
		for _, line := range lines {
			var verdict judge.Verdict
			if err := json.Unmarshal([]byte(line), &verdict); err != nil || strings.Count(line, "\n") != 1 {
				t.Fatalf("%s: %v", line, err)
			}
			if judge.CheckConfidence(verdict.Confidence) != nil || verdict.Supporting == nil || verdict.Rule == "" {
				t.Fatalf("%+v", verdict)
			}
		}
	})
}
