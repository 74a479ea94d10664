package hearing_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"moot/resolver/detect"
	"moot/resolver/hearing"
	"moot/resolver/jsonlines"
	"moot/state"
)

// bare is a detector without rules, under any name.
func bare(name string) (*detect.Detector, error) {
	return detect.Compile(&state.Domain{Name: name, Prefix: "THREAT", Margin: 0.15})
}

// answers are what is said of each object of a text.
func answers(text string) (lines []string, wrong []error) {
	reader := hearing.NewReader(strings.NewReader(text), []string{"security", "change"})
	for {
		in, err := reader.Next()
		var out bytes.Buffer
		if err == nil {
			err = in.Answer(&out, bare)
		}
		_, about := errors.AsType[*jsonlines.Error](err)
		switch {
		case errors.Is(err, io.EOF):
			return lines, wrong
		case err != nil:
			wrong = append(wrong, err)
			if !about {
				return lines, wrong
			}
		default:
			lines = append(lines, out.String())
		}
	}
}

const packet = `{"packet_id":"p","window":["2026-11-21T10:00:00Z","2026-11-21T11:00:00Z"],"facts":[` +
	`{"id":"f1","entity":"web-1","entity_type":"node","field":"logon","value":"ok","timestamp":"2026-11-21T10:00:00Z","source_type":"auth_log","source_id":"dc-1"},` +
	`{"id":"f2","entity":"web-1","entity_type":"node","field":"logon","value":"ok","timestamp":"2026-11-21T10:00:00","source_type":"auth_log","source_id":"dc-1"}]}`

func TestAnObjectGivesALine(t *testing.T) {
	for name, c := range map[string]struct{ object, want string }{
		"the version is v1":      {`{"architect":{"confidence":0.7,"facts":["f1","f2","f1"]},"skeptic":{"confidence":0.4999,"facts":["f3"]}}`, `{"outcome":"CONFIRMED","confidence":0.7,"supporting":["f1","f2"],"rule":"v1.1"}`},
		"a version that is null": {`{"version":null,"architect":{"confidence":0},"skeptic":{"confidence":1}}`, `{"outcome":"DISMISSED","confidence":1,"supporting":[],"rule":"v1.2"}`},
		"facts that are null":    {`{"architect":{"confidence":0,"facts":null},"skeptic":{"confidence":0}}`, `{"outcome":"INCONCLUSIVE","confidence":0,"supporting":[],"rule":"else"}`},
		"numbers in full":        {`{"version":"v2","architect":{"confidence":0.1,"facts":["<f>"]},"skeptic":{"confidence":0.2}}`, `{"outcome":"INCONCLUSIVE","confidence":0.15000000000000002,"supporting":["<f>"],"rule":"else"}`},
		"the least number":       {`{"architect":{"confidence":5e-324},"skeptic":{"confidence":0.7000000000000001}}`, `{"outcome":"DISMISSED","confidence":0.7000000000000001,"supporting":[],"rule":"v1.2"}`},
		"facts count once":       {`{"version":"v1-facts","architect":{"confidence":0.7,"facts":["a","a","a","b"]},"skeptic":{"confidence":0.6,"facts":["c"]}}`, `{"outcome":"INCONCLUSIVE","confidence":0.6499999999999999,"supporting":["a","b","c"],"rule":"else"}`},
		"what is not read":       {`{"version":"v2","architect":{"confidence":0.9},"skeptic":{"confidence":0.2},"packet":{},"claims":[],"domain":"any"}`, `{"outcome":"CONFIRMED","confidence":0.9,"supporting":[],"rule":"v2.1"}`},
	} {
		lines, wrong := answers(c.object)
		if len(wrong) > 0 || len(lines) != 1 || lines[0] != c.want+"\n" {
			t.Errorf("%s: %q, %v; want %s", name, lines, wrong, c.want)
		}
	}
}

// Claims are judged by a packet; the sides may be left out there.
func TestClaimsAreJudgedByAPacket(t *testing.T) {
	lines, wrong := answers(`{"version":"claims","domain":"change","packet":` + packet + `,"claims":[` +
		`{"by":"architect","facts":["f2"],"reading":"it is so","confidence":0.9},` +
		`{"id":"mine","by":"skeptic","facts":["f1"],"confidence":0.2,"against":["f2"]}]}`)
	if len(wrong) > 0 || len(lines) != 1 {
		t.Fatalf("%q, %v", lines, wrong)
	}
	var got hearing.ClaimsVerdict
	if err := json.Unmarshal([]byte(lines[0]), &got); err != nil {
		t.Fatal(err)
	}
	if got.Rule != hearing.Else || len(got.Claims) != 2 || got.Claims[0].ID != "C1" || got.Claims[1].ID != "mine" || got.Sentence == "" {
		t.Errorf("%+v", got)
	}
}

func TestABadObjectIsRefusedByItsPlace(t *testing.T) {
	sides := func(architect string) string { return `{"architect":` + architect + `,"skeptic":{"confidence":0.5}}` }
	claims := func(claims string) string {
		return `{"version":"claims","packet":` + packet + `,"claims":` + claims + `}`
	}
	for name, c := range map[string]struct{ object, says string }{
		"a confidence above 1":     {sides(`{"confidence":1.0000000000000002}`), `architect.confidence: 1.0000000000000002 is not from 0 to 1`},
		"a confidence below 0":     {sides(`{"confidence":-0.5}`), `architect.confidence: -0.5 is not from 0 to 1`},
		"NaN":                      {sides(`{"confidence":NaN}`), `architect.confidence: invalid character 'N'`},
		"an infinity":              {sides(`{"confidence":Infinity}`), `architect.confidence: invalid character 'I'`},
		"more than a double":       {sides(`{"confidence":1e999}`), `architect.confidence: 1e999 is not a number that a double can hold`},
		"a text":                   {sides(`{"confidence":"0.5"}`), `architect.confidence: it takes a number`},
		"a truth value":            {sides(`{"confidence":true}`), `architect.confidence: it takes a number`},
		"null":                     {sides(`{"confidence":null}`), `architect.confidence: the confidence is missing`},
		"no confidence":            {sides(`{"facts":["f1"]}`), `architect.confidence: the confidence is missing`},
		"no architect":             {`{"skeptic":{"confidence":1}}`, `architect: it is missing`},
		"no skeptic":               {`{"architect":{"confidence":1}}`, `skeptic: it is missing`},
		"the skeptic's":            {`{"architect":{"confidence":1},"skeptic":{"confidence":2}}`, `skeptic.confidence: 2 is not from 0 to 1`},
		"facts that are one":       {sides(`{"confidence":1,"facts":"f1"}`), `architect.facts: it takes a list, not a text`},
		"a fact that is a number":  {sides(`{"confidence":1,"facts":["f1",2]}`), `architect.facts[1]: it takes a text, not a number`},
		"a fact without an id":     {sides(`{"confidence":1,"facts":["f1",""]}`), `architect.facts[1]: the id of the fact is empty`},
		"an unknown version":       {`{"version":"v3","architect":{"confidence":1},"skeptic":{"confidence":1}}`, `version: unknown version of the judge "v3": did you mean "v1"? (known: v1, v1-facts, v2, v2-bounded, claims)`},
		"an unknown field":         {sides(`{"confidense":1}`), `architect.confidense: there is no such field; did you mean "confidence"?`},
		"a field twice":            {sides(`{"confidence":1,"confidence":1}`), `architect.confidence: duplicate object member name`},
		"a list":                   {`[]`, `it takes an object, not a list`},
		"claims without a packet":  {`{"version":"claims","claims":[]}`, `packet: the packet is missing`},
		"a packet that is null":    {`{"version":"claims","packet":null,"claims":[]}`, `packet: the packet is missing`},
		"claims without claims":    {`{"version":"claims","packet":` + packet + `}`, `claims: the claims are missing`},
		"an unknown domain":        {`{"version":"claims","domain":"securty","packet":` + packet + `,"claims":[]}`, `domain: unknown domain "securty": did you mean "security"?`},
		"a packet that is a list":  {`{"version":"claims","packet":[],"claims":[]}`, `packet: a packet is a JSON object, not a list`},
		"an unsound packet":        {strings.Replace(claims(`[]`), `"logon"`, `""`, 1), `packet.facts[0].field: packet "p": fact "f1": it is empty`},
		"a packet without a name":  {strings.Replace(claims(`[]`), `"packet_id":"p",`, ``, 1), `packet.packet_id: it is missing`},
		"a claim of nobody":        {claims(`[{"facts":["f1"],"confidence":1}]`), `claims[0].by: "" makes no claims in a hearing`},
		"a claim of the oracle":    {claims(`[{"by":"oracle","confidence":1}]`), `claims[0].by: "oracle" makes no claims in a hearing`},
		"an unsure claim":          {claims(`[{"by":"skeptic","confidence":7}]`), `claims[0].confidence: 7 is not from 0 to 1`},
		"a claim without a number": {claims(`[{"by":"skeptic"}]`), `claims[0].confidence: the confidence is missing`},
		"a fact of no packet":      {claims(`[{"by":"skeptic","confidence":1,"facts":["f1","f3"]}]`), `claims[0].facts[1]: there is no fact "f3" in packet "p"`},
		"one against it":           {claims(`[{"by":"skeptic","confidence":1,"against":["f3"]}]`), `claims[0].against[0]: there is no fact "f3" in packet "p"`},
		"a side beside claims":     {strings.Replace(claims(`[]`), `{`, `{"skeptic":{"confidence":2},`, 1), `skeptic.confidence: 2 is not from 0 to 1`},
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
	f.Add(`{"version":"claims","packet":` + packet + `,"claims":[{"by":"architect","facts":["f1"],"confidence":1,"against":["f2"]}]}`)
	f.Add(`{"version":"v2-bounded","architect":{"confidence":1e-400},"skeptic":{"confidence":-0}} {"version":"v9"}`)
	f.Fuzz(func(t *testing.T, text string) {
		lines, _ := answers(text)
		for _, line := range lines {
			var verdict hearing.Verdict
			if err := json.Unmarshal([]byte(line), &verdict); err != nil || strings.Count(line, "\n") != 1 {
				t.Fatalf("%s: %v", line, err)
			}
			if hearing.CheckConfidence(verdict.Confidence) != nil || verdict.Supporting == nil || verdict.Rule == "" {
				t.Fatalf("%+v", verdict)
			}
		}
	})
}
