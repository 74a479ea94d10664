package conflict_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"moot/internal/jsonlines"
	"moot/resolver/conflict"
)

// whole is a case with everything in it, a line each.
const whole = `{
 "outputs": [
  {"agentId": "a", "agentName": "Ada", "output": "The API is secure", "tokens": 100},
  {"agentId": "b", "output": {"z": [1, 2.50, null], "a": true}, "tokens": 0}],
 "options": {"contradictionThreshold": 0.2, "agreementThreshold": 0.6, "preset": "strict"},
 "strategy": "tiered"}`

// first reads the first case of a text as moot conflicts does.
func first(text string) (*conflict.Case, error) {
	objects := jsonlines.NewReader([]byte(text))
	object, err := objects.Next()
	if err != nil {
		return nil, err
	}
	c, err := conflict.Parse(object)
	return c, objects.Locate(err)
}

// TestBadInputIsRefused changes one thing of a good case, and expects the line, the
// path and the message.
func TestBadInputIsRefused(t *testing.T) {
	for _, c := range []struct{ old, changed, want string }{
		{`: 0.2,`, `: 0.7,`, `line 5: options: the contradiction threshold 0.7 is above the agreement threshold 0.6`},
		{`: 0.6,`, `: 1.5,`, `line 5: options: the agreement threshold is 1.5: it must be from 0 to 1`},
		{`: 0.2,`, `: -0.1,`, `line 5: options: the contradiction threshold is -0.1: it must be from 0 to 1`},
		{
			`"contradictionThreshold": 0.2, "agreementThreshold": 0.6`, `"agreementThreshold": 0.4`,
			`line 5: options: the contradiction threshold 0.5 is above the agreement threshold 0.4`,
		},
		{`: 0.2,`, `: NaN,`, `line 5: options.contradictionThreshold: invalid character 'N'`},
		{`: 0.2,`, `: Infinity,`, `line 5: options.contradictionThreshold: invalid character 'I'`},
		{`: 0.2,`, `: "NaN",`, `line 5: options.contradictionThreshold: it takes a number that a double can hold, not a text`},
		{`: 0.2,`, `: 1e400,`, `line 5: options.contradictionThreshold: 1e400 is not a number that a double can hold`},
		{`: 0.2,`, `: null,`, `line 5: options.contradictionThreshold: null is not a number; leave it out`},
		{`"strict"`, `"strikt"`, `line 5: options.preset: unknown preset "strikt": did you mean "strict"? (known: strict, default, lenient, security, code, creative)`},
		{`"strict"`, `""`, `line 5: options.preset: unknown preset ""`},
		{`"tiered"`, `"tier"`, `line 6: strategy: unknown strategy "tier": did you mean "tiered"? (known: vote, evidence_weight, escalate, tiered)`},
		{`"tiered"`, `"majority"`, `line 6: strategy: unknown strategy "majority" (known: `},
		{`"tiered"`, `1`, `line 6: strategy: it takes a text, or an object with a strategy for each type of conflict, not a number`},

		{
			`"agentId": "b"`, `"agentId": "a"`,
			`line 4: outputs[1].agentId: the agent "a" already has an output, outputs[0]`,
		},
		{`"agentId": "b"`, `"agentId": ""`, `line 4: outputs[1].agentId: the id of the agent is missing`},
		{`"agentId": "b", `, ``, `line 4: outputs[1].agentId: the id of the agent is missing`},
		{`"agentId": "b"`, `"agentId": 7`, `line 4: outputs[1].agentId: it takes a text, not a number`},
		{
			`, "output": "The API is secure"`, ``,
			`line 3: outputs[0].output: the output is missing; if the agent answered nothing, write null`,
		},
		{`"tokens": 100`, `"tokens": -1`, `line 3: outputs[0].tokens: -1 is not 0 or more`},
		{`"tokens": 100`, `"tokens": 1.5`, `line 3: outputs[0].tokens: 1.5 is not a whole number`},
		{`"tokens": 100`, `"tokens": 1e300`, `line 3: outputs[0].tokens: 1e+300 is more than 9007199254740992`},
		{`"tokens": 100`, `"tokens": 1e400`, `line 3: outputs[0].tokens: 1e400 is not a number that a double can hold`},
		{
			`"tokens": 100`, `"tokens": "100"`,
			`line 3: outputs[0].tokens: it takes a number that a double can hold, not a text`,
		},
		{`"tokens": 100`, `"tokens": null`, `line 3: outputs[0].tokens: null is not a number`},
		{`2.50`, `1e400`, `line 4: outputs[1].output.z[1]: 1e400 is not a number that a double can hold`},
		{`2.50`, `-1e400`, `line 4: outputs[1].output.z[1]: -1e400 is not a number that a double can hold`},
		{`2.50`, `NaN`, `line 4: outputs[1].output.z[1]: invalid character 'N'`},
		{`2.50`, `02`, `line 4: outputs[1].output.z: invalid character '2' after array element`},
		{`2.50`, `"` + "\xff" + `"`, `line 4: outputs[1].output.z[1]: invalid UTF-8`},
		{`"a": true`, `"z": true`, `line 4: outputs[1].output.z: duplicate object member name`},
		{`"tokens": 0`, `"tokens": 0,`, `line 4: outputs[1]`},

		{
			`"strategy": "tiered"`, `"strategi": "tiered"`,
			`line 6: strategi: there is no such field; did you mean "strategy"?`,
		},
		{`"preset"`, `"present"`, `line 5: options.present: there is no such field; did you mean "preset"?`},
		{`"agentName"`, `"name"`, `line 3: outputs[0].name: there is no such field (known: agentId, agentName, output, tokens)`},
		{`"strategy": "tiered"`, `"outputs": []`, `line 6: outputs: duplicate object member name`},
		{`"outputs": [`, `"outputs": [null, `, `line 2: outputs[0].agentId: the id of the agent is missing`},
		{`"outputs": [`, `"outputs": ["x", `, `line 2: outputs[0]: it takes an object, not a text`},
		{whole, `{}`, `line 1: outputs: there are none; if no agent answered, write an empty list`},
		{whole, `{"outputs": null}`, `line 1: outputs: there are none`},
		{whole, `{"outputs": {}}`, `line 1: outputs: it takes a list, not an object`},
		{whole, `{"outputs": [], "options": []}`, `line 1: options: it takes an object, not a list`},
		{whole, `[]`, `line 1: it takes an object, not a list`},
		{whole, ``, `line 1: there is no JSON object`},
		{`"tiered"}`, `"tiered"`, `line 6: `},
	} {
		if !strings.Contains(whole, c.old) {
			t.Fatalf("%s is not there", c.old)
		}
		text := strings.Replace(whole, c.old, c.changed, 1)
		found, err := first(text)
		var wrong *jsonlines.Error
		if found != nil && err == nil || !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s for %s:\n%v, want\n%s", c.changed, c.old, err, c.want)
		}
	}
}

// What an input may hold is bounded.
func TestLargeInputIsRefused(t *testing.T) {
	list := func(values int) string {
		return `{"outputs":[{"agentId":"a","output":[` + strings.Repeat("1,", values-2) + "1]}]}"
	}
	if _, err := first(list(conflict.LargestCase)); err != nil {
		t.Error(err)
	}
	_, err := first(list(conflict.LargestCase + 1))
	if want := "line 1: outputs[0].output[999999]: the outputs hold more than 1000000 values"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	deep := strings.Repeat("[", jsonlines.Deepest) + strings.Repeat("]", jsonlines.Deepest)
	_, err = first(`{"outputs":[{"agentId":"a","output":` + deep + `}]}`)
	if err == nil || !strings.HasSuffix(err.Error(), "objects and lists are nested more than 10000 deep") {
		t.Errorf("%.300v", err)
	}
}

// Whatever the bytes are, the reader ends, and what it reads can be compared and written.
func FuzzConflicts(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(whole + "\n{\"outputs\": NaN}\n" + whole))
	f.Add([]byte(`{"outputs":[{"output":[1e-400,-0.0],"agentId":"\u00e9"},{"agentId":"b","output":{"\u0000":{"":[[]]}}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		objects := jsonlines.NewReader(text)
		for {
			object, err := objects.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			var c *conflict.Case
			if err == nil {
				c, err = conflict.Parse(object)
				err = objects.Locate(err)
			}
			var wrong *jsonlines.Error
			switch {
			case errors.As(err, &wrong):
			case err != nil:
				t.Fatal(err)
			default:
				if err := errors.Join(c.Write(io.Discard, conflict.DefaultRows), c.WriteSummary(io.Discard)); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
