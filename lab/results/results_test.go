package results

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"moot/lab/measure"
	"moot/state"
)

var update = flag.Bool("update", false, "write the golden tables anew")

// golden compares a text with the one that is kept.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with go test ./lab/results -update, and look at it", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; write it anew with go test ./lab/results -update, and look at it. Got:\n%s", path, got)
	}
}

// sample is a measured document: two forms and two judges on two halves, heard twice.
func sample(t testing.TB) *measure.Document {
	t.Helper()
	cases := []measure.Case{
		{ID: "t1", Tier: measure.ClearThreat, Expected: state.Confirmed, Half: measure.Development},
		{ID: "b1", Tier: measure.ClearBenign, Expected: state.Dismissed, Half: measure.Development},
		{ID: "a1", Tier: measure.Ambiguous, Expected: state.Inconclusive, Half: measure.Test},
		{ID: "m1", Tier: measure.MixedSignals, Expected: state.Confirmed, Half: measure.Test},
	}
	result := func(id string, repeat int, outcome state.Outcome, rounds ...float64) measure.Result {
		r := measure.Result{Case: id, Repeat: repeat, Outcome: outcome, Usage: measure.Usage{Calls: 2 * len(rounds) / 2, PromptTokens: 1200, CompletionTokens: 300, Cost: 0.0125}}
		for i := 0; i < len(rounds); i += 2 {
			turn := measure.Round{Architect: measure.Turn{Confidence: rounds[i]}, Skeptic: measure.Turn{Confidence: rounds[i+1]}}
			if i > 0 {
				turn.Skeptic.Rebutted = []string{"F1"}
			}
			r.Rounds = append(r.Rounds, turn)
		}
		r.Confidence = max(rounds[len(rounds)-2], rounds[len(rounds)-1])
		return r
	}
	var runs []measure.Run
	for _, judge := range []state.JudgeVersion{state.JudgeV2, state.JudgeV1} {
		single := measure.Run{Mode: measure.Mode{Form: state.FormSingle, Judge: judge, Seats: "rules/rules"}}
		multi := measure.Run{Mode: measure.Mode{Form: state.FormMulti, Judge: judge, Seats: "rules/rules"}}
		gated := measure.Run{Mode: measure.Mode{Form: state.FormSelective, Gate: state.GateEscalation, Then: state.FormMulti, Judge: judge, Seats: "rules/rules"}}
		for repeat := 1; repeat <= 2; repeat++ {
			for _, c := range cases {
				first := result(c.ID, repeat, c.Expected, 0.9, 0.7)
				single.Results = append(single.Results, first)
				gated.Results = append(gated.Results, first)
				later := result(c.ID, repeat, state.Dismissed, 0.9, 0.7, 0.6, 0.8)
				if c.ID == "a1" && repeat == 2 {
					later = measure.Result{Case: "a1", Repeat: 2, Failed: "the endpoint did not answer"}
				}
				multi.Results = append(multi.Results, later)
			}
		}
		gated.Results[0].Opened, gated.Results[0].Outcome = true, state.Dismissed
		runs = append(runs, single, multi, gated)
	}
	d, err := measure.NewDocument("own corpus", []string{"seats: rules/rules"}, 48, cases, runs)
	if err != nil {
		t.Fatal(err)
	}
	return &d
}

func text(d *measure.Document, width int, long bool) string {
	var out strings.Builder
	for _, table := range Tables(d) {
		if long || !table.Long {
			out.WriteString(table.Text(width) + "\n")
		}
	}
	return out.String()
}

func TestGoldenTables(t *testing.T) {
	d := sample(t)
	golden(t, "tables.golden", text(d, 0, true))
	for _, width := range []int{100, 70, 30} {
		golden(t, fmt.Sprintf("tables-%d.golden", width), text(d, width, false))
	}
}

// hostile puts texts into a document that break pages and terminals.
func hostile(d *measure.Document) {
	const foul = "<script>alert('&')</script>\x1b[31m\u202e\" onload=x 界界 {{.}} ]]>"
	d.Title, d.Stated = foul, []string{foul, strings.Repeat("w", 3000)}
	for i := range d.Summaries {
		d.Summaries[i].Mode.Seats = fmt.Sprint(i%2, foul)
		for k := range d.Summaries[i].Wrong {
			d.Summaries[i].Wrong[k].Case.ID = foul
		}
	}
	for i := range d.Comparisons {
		d.Comparisons[i].First.Seats = foul
	}
}

// markup reads a page to its end as HTML that is well formed, and returns its text and
// every attribute.
func markup(t *testing.T, page string) (words string, attributes []string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var text strings.Builder
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return text.String(), attributes
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "script" || token.Name.Local == "link" || token.Name.Local == "img" || token.Name.Local == "iframe" {
				t.Errorf("the page holds the element %s", token.Name.Local)
			}
			for _, a := range token.Attr {
				attributes = append(attributes, a.Name.Local+"="+a.Value)
			}
		case xml.CharData:
			text.Write(token)
		}
	}
}

func TestThePageHoldsNothingForeign(t *testing.T) {
	d := sample(t)
	hostile(d)
	page, err := Page([]File{{Name: "a<b>\x07.json", Document: *d}, {Name: "other.json", Document: *sample(t)}})
	if err != nil {
		t.Fatal(err)
	}
	words, attributes := markup(t, page)
	if !strings.Contains(words, "<script>alert('&')</script>") || !strings.Contains(words, "a<b>") {
		t.Error("what was foreign is not shown as text")
	}
	ids := map[string]bool{}
	for _, a := range attributes {
		name, value, _ := strings.Cut(a, "=")
		if strings.HasPrefix(name, "on") || name == "src" || name == "href" {
			t.Errorf("the page has the attribute %s", a)
		}
		if name == "id" && ids[value] {
			t.Errorf("the id %s is there twice", value)
		}
		ids[value] = ids[value] || name == "id"
	}
	for _, r := range page {
		if !unicode.IsGraphic(r) && r != '\n' {
			t.Fatalf("the page holds %q", r)
		}
	}
	for _, must := range []string{"prefers-color-scheme: dark", "default-src 'none'", "<svg"} {
		if !strings.Contains(page, must) {
			t.Errorf("the page lacks %s", must)
		}
	}
}

func TestTracesOfHearingsWithSeveralJudgesAreDrawnOnce(t *testing.T) {
	d := sample(t)
	names := func() string {
		var all []string
		for _, trace := range parts(d)[0].traces() {
			all = append(all, trace.Name)
		}
		return strings.Join(all, "; ")
	}
	if got := names(); got != "single; multi; selective escalation > multi" {
		t.Errorf("the traces are %s", got)
	}
	// If they differ, the judge is named.
	d.Summaries[4].Traces[0].Architect.Mean = 0.1
	if got := names(); !strings.Contains(got, "multi, v1") {
		t.Errorf("the traces are %s", got)
	}
}
