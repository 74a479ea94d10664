package conflict_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"moot/resolver/conflict"
	"moot/resolver/jsonlines"
)

// whole is a case with everything in it, a line each.
const whole = `{
 "outputs": [
  {"agentId": "a", "agentName": "Ada", "output": "The API is secure", "tokens": 100},
  {"agentId": "b", "output": {"z": [1, 2.50, null], "a": true}, "tokens": 0}],
 "options": {"contradictionThreshold": 0.2, "agreementThreshold": 0.6, "preset": "strict"},
 "strategy": "tiered"}`

func read(t *testing.T, text string) *conflict.Case {
	t.Helper()
	c, err := conflict.NewReader(iotest.OneByteReader(strings.NewReader(text))).Next()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestReader(t *testing.T) {
	c := read(t, whole)
	if len(c.Outputs) != 2 || c.Strategy != conflict.Tiered || c.Thresholds != (conflict.Thresholds{Contradiction: 0.2, Agreement: 0.6}) {
		t.Errorf("%+v", c)
	}
	a, b := c.Outputs[0], c.Outputs[1]
	if a.AgentID != "a" || a.AgentName != "Ada" || a.Tokens != 100 || a.Value.Kind != conflict.String || a.Value.Text != "The API is secure" {
		t.Errorf("%+v", a)
	}
	want := conflict.Value{Kind: conflict.Object, Names: []string{"a", "z"}, Items: []conflict.Value{
		{Kind: conflict.Boolean, Truth: true},
		{Kind: conflict.Array, Items: []conflict.Value{{Kind: conflict.Number, Float: 1}, {Kind: conflict.Number, Float: 2.5}, {}}},
	}}
	if !b.Value.Equal(&want) {
		t.Errorf("%+v", b.Value)
	}
}

// What is explicit stands before the preset, the preset before the default.
func TestThresholdsThatAreGiven(t *testing.T) {
	for options, want := range map[string]conflict.Thresholds{
		``:                                    {0.3, 0.8},
		`, "options": null`:                   {0.3, 0.8},
		`, "options": {}`:                     {0.3, 0.8},
		`, "options": {"preset": null}`:       {0.3, 0.8},
		`, "options": {"preset": "creative"}`: {0.15, 0.6},
		`, "options": {"agreementThreshold": 0.3}`:                                                 {0.3, 0.3},
		`, "options": {"contradictionThreshold": 0}`:                                               {0, 0.8},
		`, "options": {"contradictionThreshold": -0.0}`:                                            {0, 0.8},
		`, "options": {"agreementThreshold": 1, "preset": "lenient"}`:                              {0.15, 1},
		`, "options": {"preset": "strict", "contradictionThreshold": 1, "agreementThreshold": 1}`:  {1, 1},
		`, "options": {"contradictionThreshold": 1e-400, "agreementThreshold": 0, "preset": null}`: {0, 0},
	} {
		if got := read(t, `{"outputs": []`+options+`}`).Thresholds; got != want {
			t.Errorf("%s: %v, want %v", options, got, want)
		}
	}
}

// TestReaderRefuses changes one thing of a good case, and demands the line, the
// path and what is said.
func TestReaderRefuses(t *testing.T) {
	for _, c := range []struct{ old, changed, want string }{
		{`: 0.2,`, `: 0.7,`, `line 5: options: the contradiction threshold 0.7 is above the agreement threshold 0.6`},
		{`: 0.6,`, `: 1.5,`, `line 5: options: the agreement threshold is 1.5: it must be from 0 to 1`},
		{`: 0.2,`, `: -0.1,`, `line 5: options: the contradiction threshold is -0.1: it must be from 0 to 1`},
		{`"contradictionThreshold": 0.2, "agreementThreshold": 0.6`, `"agreementThreshold": 0.4`, `line 5: options: the contradiction threshold 0.5 is above the agreement threshold 0.4`},
		{`: 0.2,`, `: NaN,`, `line 5: options.contradictionThreshold: invalid character 'N'`},
		{`: 0.2,`, `: Infinity,`, `line 5: options.contradictionThreshold: invalid character 'I'`},
		{`: 0.2,`, `: "NaN",`, `line 5: options.contradictionThreshold: it takes a number that a double can hold, not a text`},
		{`: 0.2,`, `: 1e400,`, `line 5: options.contradictionThreshold: 1e400 is not a number that a double can hold`},
		{`: 0.2,`, `: null,`, `line 5: options.contradictionThreshold: null is no number; leave it out`},
		{`"strict"`, `"strikt"`, `line 5: options.preset: unknown preset "strikt": did you mean "strict"? (known: strict, default, lenient, security, code, creative)`},
		{`"strict"`, `""`, `line 5: options.preset: unknown preset ""`},
		{`"tiered"`, `"tier"`, `line 6: strategy: unknown strategy "tier": did you mean "tiered"? (known: vote, evidence_weight, escalate, tiered)`},
		{`"tiered"`, `"majority"`, `line 6: strategy: unknown strategy "majority" (known: `},
		{`"tiered"`, `1`, `line 6: strategy: it takes a text, not a number`},

		{`"agentId": "b"`, `"agentId": "a"`, `line 4: outputs[1].agentId: the agent "a" is there twice, first as outputs[0]: each agent has one output`},
		{`"agentId": "b"`, `"agentId": ""`, `line 4: outputs[1].agentId: the id of the agent is missing`},
		{`"agentId": "b", `, ``, `line 4: outputs[1].agentId: the id of the agent is missing`},
		{`"agentId": "b"`, `"agentId": 7`, `line 4: outputs[1].agentId: it takes a text, not a number`},
		{`, "output": "The API is secure"`, ``, `line 3: outputs[0].output: the output is missing; where the agent answered nothing, write null`},
		{`"tokens": 100`, `"tokens": -1`, `line 3: outputs[0].tokens: -1 is not 0 or more`},
		{`"tokens": 100`, `"tokens": 1.5`, `line 3: outputs[0].tokens: 1.5 is not a whole number`},
		{`"tokens": 100`, `"tokens": 1e300`, `line 3: outputs[0].tokens: 1e+300 is more than 9007199254740992`},
		{`"tokens": 100`, `"tokens": 1e400`, `line 3: outputs[0].tokens: 1e400 is not a number that a double can hold`},
		{`"tokens": 100`, `"tokens": "100"`, `line 3: outputs[0].tokens: it takes a number that a double can hold, not a text`},
		{`"tokens": 100`, `"tokens": null`, `line 3: outputs[0].tokens: null is no number`},
		{`2.50`, `1e400`, `line 4: outputs[1].output.z[1]: 1e400 is not a number that a double can hold`},
		{`2.50`, `-1e400`, `line 4: outputs[1].output.z[1]: -1e400 is not a number that a double can hold`},
		{`2.50`, `NaN`, `line 4: outputs[1].output.z[1]: invalid character 'N'`},
		{`2.50`, `02`, `line 4: outputs[1].output.z: invalid character '2' after array element`},
		{`2.50`, `"` + "\xff" + `"`, `line 4: outputs[1].output.z[1]: invalid UTF-8`},
		{`"a": true`, `"z": true`, `line 4: outputs[1].output.z: duplicate object member name`},
		{`"tokens": 0`, `"tokens": 0,`, `line 4: outputs[1]`},

		{`"strategy": "tiered"`, `"strategi": "tiered"`, `line 6: strategi: there is no such field; did you mean "strategy"?`},
		{`"preset"`, `"present"`, `line 5: options.present: there is no such field; did you mean "preset"?`},
		{`"agentName"`, `"name"`, `line 3: outputs[0].name: there is no such field (known: agentId, agentName, output, tokens)`},
		{`"strategy": "tiered"`, `"outputs": []`, `line 6: outputs: duplicate object member name`},
		{`"outputs": [`, `"outputs": [null, `, `line 2: outputs[0].agentId: the id of the agent is missing`},
		{`"outputs": [`, `"outputs": ["x", `, `line 2: outputs[0]: it takes an object, not a text`},
		{whole, `{}`, `line 1: outputs: there are none; where nobody answered, write an empty list`},
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
		found, err := conflict.NewReader(iotest.OneByteReader(strings.NewReader(text))).Next()
		var wrong *jsonlines.Error
		if found != nil || !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s for %s:\n%v, want\n%s", c.changed, c.old, err, c.want)
		}
	}
}

// pairOf is a case of two agents with the outputs.
func pairOf(a, b string) string {
	return `{"outputs":[{"agentId":"a","output":` + a + `},{"agentId":"b","output":` + b + `}]}`
}

// line is what is written of a case.
func line(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := read(t, text).Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const agreed = `{"conflicts":[],"review":{"agreed":true,"escalated":false,"winner":""}}` + "\n"

func TestWhatHasNoConflict(t *testing.T) {
	for name, text := range map[string]string{
		"nobody":                             `{"outputs": []}`,
		"one":                                `{"outputs": [{"agentId": "a", "output": null}]}`,
		"numbers that one double stands for": pairOf(`[0.1, 1e-400, 9007199254740993]`, `[1e-1, -0, 9007199254740992]`),
		"objects in another order":           pairOf(`{"a": 1, "b": "\u0041"}`, `{"b": "A", "a": 1.0}`),
	} {
		if got := line(t, text); got != agreed {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The outputs stand in a row as they were written, without white space between
// their parts.
func TestOutputsStandAsTheyWereWritten(t *testing.T) {
	got := line(t, pairOf(" \t{ \"b\" : [ 1.50 , 1e2 ],\r\n\"a\":\"x  \\u0041\" } ", " \"y  z\"\n"))
	if want := `"outputs":[{"b":[1.50,1e2],"a":"x  \u0041"},"y  z"],"similarity":0,`; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// As deep as the limit is compared, one deeper is an error.
func TestOutputsThatAreDeep(t *testing.T) {
	nested := func(depth int, opening, core, closing string) string {
		return strings.Repeat(opening, depth) + core + strings.Repeat(closing, depth)
	}
	// The object, the list of outputs and the output itself lie around.
	const deepest = jsonlines.Deepest - 3
	if got := line(t, pairOf(nested(deepest, "[", "1", "]"), nested(deepest, "[", "1.0", "]"))); got != agreed {
		t.Errorf("%.200s", got)
	}
	if got := line(t, pairOf(nested(deepest, `{"a":`, "1", "}"), nested(deepest, `{"a":`, "2", "}"))); !strings.Contains(got, `"type":"contradiction"`) {
		t.Errorf("%.200s", got)
	}
	_, err := conflict.NewReader(strings.NewReader(pairOf(nested(jsonlines.Deepest, "[", "1", "]"), "1"))).Next()
	if err == nil || !strings.HasPrefix(err.Error(), "line 1: outputs[0].output[0][0]") || !strings.HasSuffix(err.Error(), "more than 10000 objects and lists lie in each other") {
		t.Errorf("%.2000v", err)
	}
}

func TestReaderBoundsTheValues(t *testing.T) {
	list := func(values int) string { return "[" + strings.Repeat("1,", values-2) + "1]" }
	reader := conflict.NewReader(strings.NewReader(pairOf(list(conflict.LargestCase), "1") + "\n" + pairOf(list(conflict.LargestCase-1), "1")))
	want := "line 1: outputs[1].output: the outputs hold more than 1000000 values"
	if _, err := reader.Next(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := reader.Next(); err != nil {
		t.Error(err)
	}
}

// repeated is a text again and again.
type repeated struct {
	text string
	at   int
}

// Read implements io.Reader.
func (r *repeated) Read(into []byte) (int, error) {
	n := copy(into, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// A line of 100 MB is read and compared in memory that is a small multiple of it.
func TestALineOf100MB(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds with the race detector")
	}
	const size = 100 << 20
	x := strings.Repeat("x", 1000)
	head, tail, _ := strings.Cut(pairOf(`"`+x+`"`, `"1 y"`), "1 y")
	before := heap()
	reader := conflict.NewReader(io.MultiReader(strings.NewReader(head), io.LimitReader(&repeated{text: x + " y "}, size), strings.NewReader(tail)))
	c, err := reader.Next()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := c.WriteSummary(&out); err != nil || !strings.HasPrefix(out.String(), `{"outputs":2,"pairs":1,"contradictions":0,"disagreements":1,`) {
		t.Errorf("%v: %s", err, out.String())
	}
	if used := heap() - before; used > 8*size {
		t.Errorf("%d bytes of memory for %d", used, size)
	}
}

// heap is the most memory that the heap has had from the system, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapSys
}

// cases makes objects of a few outputs that are like each other or not.
func cases() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var outputs []string
		for i := range rapid.IntRange(0, 6).Draw(t, "outputs") {
			outputs = append(outputs, fmt.Sprintf(`{"agentId":"%d","output":%s,"tokens":%d}`, i,
				rapid.SampledFrom([]string{`null`, `""`, `"a b c"`, `"a b d"`, `"c b a"`, `[1,2]`, `[1, 2, 3]`, `{"x":[1,"a"]}`, `1`}).Draw(t, "output"),
				rapid.SampledFrom([]int{0, 1, 1, 2, 3, 10}).Draw(t, "tokens")))
		}
		return fmt.Sprintf(`{"outputs":[%s],"strategy":%q,"options":{"preset":%q}}`, strings.Join(outputs, ","),
			rapid.SampledFrom(conflict.Strategies()).Draw(t, "strategy"), rapid.SampledFrom(conflict.Presets()).Draw(t, "preset"))
	})
}

// A summary counts exactly the rows, and comes to the same review.
func TestTheSummaryCountsTheRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := cases().Draw(t, "case")
		c, err := conflict.NewReader(strings.NewReader(text)).Next()
		if err != nil {
			t.Fatal(err)
		}
		var rows, counted bytes.Buffer
		if err := errors.Join(c.Write(&rows), c.WriteSummary(&counted)); err != nil {
			t.Fatal(err)
		}
		var written struct {
			Conflicts []struct {
				ID, Type string
				AgentIDs [2]string `json:"agentIds"`
			}
			Review conflict.Review
		}
		type agent struct {
			AgentID                       string `json:"agentId"`
			Contradictions, Disagreements int
		}
		var summary struct {
			Outputs, Pairs, Contradictions, Disagreements int
			Agents                                        []agent
			Review                                        conflict.Review
		}
		if err := errors.Join(json.Unmarshal(rows.Bytes(), &written), json.Unmarshal(counted.Bytes(), &summary)); err != nil {
			t.Fatal(err)
		}
		n := len(c.Outputs)
		if summary.Outputs != n || summary.Pairs != n*(n-1)/2 || len(summary.Agents) != n || summary.Review != written.Review {
			t.Fatalf("%s\n%s\n%s", text, rows.String(), counted.String())
		}
		total, each := map[string]int{}, map[[2]string]int{}
		for i, row := range written.Conflicts {
			if row.ID != fmt.Sprintf("conflict_%d", i+1) {
				t.Fatalf("%s is number %d", row.ID, i+1)
			}
			total[row.Type]++
			each[[2]string{row.Type, row.AgentIDs[0]}]++
			each[[2]string{row.Type, row.AgentIDs[1]}]++
		}
		if total["contradiction"] != summary.Contradictions || total["disagreement"] != summary.Disagreements {
			t.Fatalf("%v, but the summary says %s", total, counted.String())
		}
		for _, a := range summary.Agents {
			if each[[2]string{"contradiction", a.AgentID}] != a.Contradictions || each[[2]string{"disagreement", a.AgentID}] != a.Disagreements {
				t.Fatalf("%v, but the summary says %+v", each, a)
			}
		}
	})
}

// What cannot be written ends it, with the rows that are left not looked for.
func TestWriteEndsWithItsWriter(t *testing.T) {
	gone := errors.New("the pipe is closed")
	c := read(t, pairOf(`"`+strings.Repeat("a", 10_000)+`"`, `"b"`))
	for _, err := range []error{c.Write(failing{gone}), c.WriteSummary(failing{gone})} {
		if !errors.Is(err, gone) {
			t.Error(err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Whatever the bytes are, the reader ends, its errors name a line that is there,
// what it reads is written as one line of JSON, and the outputs in that can be read
// again and are the same values.
func FuzzReader(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(whole + "\n{\"outputs\": NaN}\n" + whole))
	f.Add([]byte("\ufeff" + pairOf(` [ 1e-400 , -0.0 ] `, `{"\u0000":{"":[[]]}}`)))
	f.Add([]byte(`{"outputs":[{"output":"a  b","agentId":"\u00e9"},{"agentId":"é2","output":[],"tokens":9007199254740992}],"strategy":"escalate"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		reader := conflict.NewReader(bytes.NewReader(text))
		for n := 0; ; n++ {
			c, err := reader.Next()
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
			writtenAndRead(t, c)
		}
	})
}

// writtenAndRead writes a case, and reads the outputs of its rows as they stand
// there.
func writtenAndRead(t *testing.T, c *conflict.Case) {
	t.Helper()
	var out bytes.Buffer
	if err := errors.Join(c.Write(&out), c.WriteSummary(io.Discard)); err != nil {
		t.Fatal(err)
	}
	var rows struct {
		Conflicts []struct {
			AgentIDs [2]string          `json:"agentIds"`
			Outputs  [2]json.RawMessage `json:"outputs"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &rows); err != nil || bytes.Count(out.Bytes(), []byte("\n")) != 1 {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	byID := map[string]*conflict.Value{}
	for i := range c.Outputs {
		byID[c.Outputs[i].AgentID] = &c.Outputs[i].Value
	}
	for _, row := range rows.Conflicts {
		again := read(t, pairOf(string(row.Outputs[0]), string(row.Outputs[1])))
		for side, id := range row.AgentIDs {
			if !again.Outputs[side].Value.Equal(byID[id]) {
				t.Fatalf("the output of %q is another: %s", id, row.Outputs[side])
			}
		}
	}
}
