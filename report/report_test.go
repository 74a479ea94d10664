package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/diff"

	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/panel"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

var update = flag.Bool("update", false, "write the golden files and the schema anew")

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := diff.Diff("want", want, "got", got); len(diff) > 0 {
		t.Errorf("%s differs (-want +got); -update writes it:\n%s", path, diff)
	}
}

// document is the result of a session without its metrics.
func document(s *state.State, rulings []state.Ruling) *view.Document {
	d := view.Session(s, rulings)
	return &d
}

func exported(t *testing.T, s *state.State, rulings []state.Ruling) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(report.Export(s, rulings, strings.Repeat("0", 64), nil)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestGolden compares the text of every session, and its other forms if there are files of them.
func TestGolden(t *testing.T) {
	for name, build := range builders() {
		s, rulings := build(t)
		path, width := filepath.Join("testdata", filepath.FromSlash(name)), ".80.txt"
		if !strings.Contains(name, "/") {
			width = ".72.txt"
		}
		forms := map[string]func() []byte{
			".md": func() []byte { return []byte(report.Markdown(document(s, rulings))) }, ".json": func() []byte { return exported(t, s, rulings) },
		}
		for _, columns := range []int{40, 72, 80, 120} {
			forms[fmt.Sprintf(".%d.txt", columns)] = func() []byte { return []byte(report.Text(document(s, rulings), columns)) }
		}
		for ending, form := range forms {
			if _, err := os.Stat(path + ending); err == nil || ending == width {
				golden(t, path+ending, form())
			}
		}
	}
}

// builders are all sessions of the tests, by name.
func builders() map[string]func(*testing.T) (*state.State, []state.Ruling) {
	all := map[string]func(*testing.T) (*state.State, []state.Ruling){"sample": sample, "barren": barren}
	for name := range plays() {
		all[name] = func(t *testing.T) (*state.State, []state.Ruling) {
			t.Helper()
			return played(t, name)
		}
	}
	return all
}

// The schema in docs/ is the one that the Go types give, and exports follow it.
func TestSchema(t *testing.T) {
	text, err := report.SchemaFile()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("..", "docs", "session.schema.json"), text)
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, build := range builders() {
		s, rulings := build(t)
		var instance map[string]any
		if err := json.Unmarshal(exported(t, s, rulings), &instance); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(instance); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		outcome := instance["outcome"].(map[string]any)
		kind := outcome["kind"]
		outcome["kind"] = "elsewhere"
		if resolved.Validate(instance) == nil {
			t.Errorf("%s: the schema takes an outcome of an unknown format", name)
		}
		outcome["kind"] = kind
		if len(rulings) == 0 {
			continue
		}
		instance["rulings"].([]any)[0].(map[string]any)["bucket"] = "elsewhere"
		if resolved.Validate(instance) == nil {
			t.Errorf("%s: the schema takes an unknown bucket", name)
		}
	}
}

// Nothing is omitted: absent is "", [] or 0; only what belongs to one format is
// null in the others, and a metric that the session gives no ground for.
func TestExportOfNothing(t *testing.T) {
	s := &state.State{}
	text, debate, _ := strings.Cut(string(exported(t, s, nil)), `"debate": {`)
	if metrics := strings.Count(debate, "null"); metrics != 17 {
		t.Errorf("of 17 metrics %d are null in %s", metrics, debate)
	}
	if nulls := strings.Count(text, "null"); nulls != 1 || !strings.Contains(text, `"panel": null`) {
		t.Errorf("%d nulls in %s", nulls, text)
	}
}

// Foreign text acts neither on the terminal nor in Markdown.
func TestForeignTextIsEscaped(t *testing.T) {
	s, rulings := sample(t)
	text, markdown := report.Text(document(s, rulings), 0), report.Markdown(document(s, rulings))
	for _, bad := range []string{"\x1b", "\u202e"} {
		if strings.Contains(text, bad) || strings.Contains(markdown, bad) {
			t.Errorf("%q stands in a result", bad)
		}
	}
	if strings.Contains(markdown, "<b>") || strings.Contains(markdown, "*job") && !strings.Contains(markdown, `\*job`) {
		t.Error("foreign markup acts in Markdown")
	}
	for line := range strings.Lines(markdown) {
		if strings.Contains(line, "msg.Ack()") && !strings.HasPrefix(line, "    ") {
			t.Errorf("a quoted line stands outside of its fence: %q", line)
		}
	}
}

// TestForeignText checks that what seats, sources and users write has no effect on the terminal or in Markdown.
func TestForeignText(t *testing.T) {
	const hostile = "a\x1b]0;b\a \u202e <b> | cell | [where](x)\n# heading"
	for name, spoil := range map[string]func(s *state.State){
		"council/mixed": func(s *state.State) {
			own := *council.Of(s)
			own.Breaches, own.Syntheses = slices.Clone(own.Breaches), slices.Clone(own.Syntheses)
			s.Own = &own
			for i := range own.Breaches {
				own.Breaches[i].Text = hostile
			}
			for i := range own.Syntheses {
				own.Syntheses[i].Text = hostile
			}
			settings := *council.SettingsOf(s)
			settings.Constitution = constitution.Constitution{Name: hostile, Constraints: []constitution.Constraint{
				{ID: "be-feasible", Seat: constitution.Strategist, Text: hostile},
			}}
			s.Settings.Own = &settings
		},
		"panel/missing": func(s *state.State) {
			for _, c := range panel.Of(s).Conflicts.All() {
				c.DroppedReason = hostile
				if c.Settlement != nil {
					c.Settlement.Reasoning = hostile
				}
			}
		},
		"dialectic/hold": func(s *state.State) {
			for _, c := range s.Challenges.All() {
				c.By, dialectic.ObjectionOf(c).Predicate, dialectic.ObjectionOf(c).Flag = "a\x1b]0;b\a", "\x1b[2J", "\u202e"
				c.Defenses = []state.Defense{{By: "x\x1b[1m", Text: hostile}}
			}
			for _, p := range s.Points.All() {
				dialectic.FieldOf(p).Category, dialectic.FieldOf(p).Severity = "\x1b[2J", "\u202e"
			}
		},
		"hearing/anchored": func(*state.State) {},
	} {
		s, rulings := builders()[name](t)
		for _, p := range s.Points.All() {
			p.Text = hostile
		}
		spoil(s)
		text, markdown := report.Text(document(s, rulings), 60), report.Markdown(document(s, rulings))
		for i := range rulings {
			explanation := view.Why(s, &rulings[i])
			text += report.Text(&explanation, 60)
		}
		for _, bad := range []string{"\x1b", "\u202e", "\a"} {
			if strings.Contains(text, bad) || strings.Contains(markdown, bad) {
				t.Errorf("%s: a report contains %q", name, bad)
			}
		}
		if strings.Contains(markdown, "<b>") || strings.Contains(markdown, "[where](") ||
			strings.Contains(markdown, "\n# heading") {
			t.Errorf("%s: foreign markup is not escaped in Markdown", name)
		}
	}
}

// With --metrics, a table of the metrics is the last section of every report that has a point, before the rows about the
// session. Without consensus, its metrics are left out.
func TestMetricsStandBehindTheBuckets(t *testing.T) {
	for name, build := range builders() {
		s, rulings := build(t)
		d := document(s, rulings)
		d.Add(view.Metrics(s, rulings))
		text, markdown := report.Text(d, 0), report.Markdown(d)
		metrics := resolver.Measure(s, rulings)
		_, short, inText := strings.Cut(text, "\nMETRICS\n")
		_, table, inMarkdown := strings.Cut(markdown, "\n## METRICS\n")
		short, _, _ = strings.Cut(short, "\nTHIS SESSION\n")
		table, _, _ = strings.Cut(table, "\n## THIS SESSION\n")
		if raised := len(metrics.Points) > 0; inText != raised || inMarkdown != raised {
			t.Errorf("%s has %d points; metrics as text: %v, in Markdown: %v", name, s.Points.Len(), inText, inMarkdown)
		}
		if strings.Contains(short, "\n\n") || strings.Contains(table, "\n## ") {
			t.Errorf("%s: something stands behind the metrics:\n%s", name, short)
		}
		want := 18
		if without := metrics.RoundsToConsensus; without != nil && *without == 0 {
			// A council without consensus has no figures of one.
			want = 16
		}
		if rows := strings.Count(table, "\n| "); inMarkdown && rows != want || inText && strings.Count(short, "\n") != want {
			t.Errorf("%s: %d rows in %s and\n%s", name, rows, table, short)
		}
	}
}

func TestAForkSaysWhereItComesFrom(t *testing.T) {
	s, rulings := sample(t)
	s.Fork = state.Fork{From: "20261120-\x1b[2J", Seq: 12, Head: "ab", At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	want := report.Fork{From: s.Fork.From, Seq: 12, Head: "ab", At: "2026-11-21T12:00:00Z"}
	if got := report.Export(s, rulings, "", nil).Session.Fork; got != want {
		t.Errorf("got %+v", got)
	}
	for _, text := range []string{report.Text(document(s, rulings), 0), report.Markdown(document(s, rulings))} {
		if !strings.Contains(text, "at event 12") || strings.Contains(text, "\x1b") {
			t.Errorf("the text says %s", text)
		}
	}
}
