package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/diff"

	"moot/report"
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

func TestFlips(t *testing.T) {
	var f view.Flips
	for _, c := range []struct {
		before, after state.Bucket
		truth         bool
	}{
		{state.BucketAgreed, state.BucketDismissed, false},         // wrong to right: good
		{state.BucketAgreed, state.BucketUnresolved, false},        // wrong to undecided: good
		{state.BucketAgreed, state.BucketAgreed, true},             // right and right
		{state.BucketAgreed, state.BucketDismissed, true},          // right to wrong: bad
		{state.BucketNotEvaluated, state.BucketAgreed, true},       // undecided to right: good
		{state.BucketNotEvaluated, state.BucketNotEvaluated, true}, // undecided
	} {
		f.Add(view.Change{Before: c.before, After: c.after}, c.truth)
	}
	want := view.Flips{Labeled: 6, Good: 3, Corrected: 1, Bad: 1, Corrupted: 1, RightBefore: 2, RightAfter: 3}
	if f != want {
		t.Errorf("got %+v, want %+v", f, want)
	}
}
