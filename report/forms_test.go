package report_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"moot/internal/plain"
	"moot/report"
	"moot/view"
)

// TestEachFormHasTheSameWords compares the forms of every session: each text of the document is in the text form,
// in Markdown and in JSON (SE3).
func TestEachFormHasTheSameWords(t *testing.T) {
	t.Parallel()
	for name, build := range builders() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, rulings := build(t)
			d := document(s, rulings)
			for _, line := range []string{"a line of a section", "another one"} {
				d.Sections = append(d.Sections, view.Section{Title: "LINES", Lines: []string{line}})
			}
			d.Heading = view.Join(", ", d.Heading, "a heading")
			text, markdown := words(report.Text(d, 0)), words(report.Markdown(d))
			data := exported(t, s, rulings)
			var session struct{ Document report.Document }
			if err := json.Unmarshal(data, &session); err != nil {
				t.Fatal(err)
			}
			inJSON := documentTexts(&session.Document)
			for _, one := range texts(d) {
				if w := words(plain.Text(one)); !strings.Contains(text, w) {
					t.Errorf("the text lacks %q", one)
				} else if !strings.Contains(markdown, w) {
					t.Errorf("Markdown lacks %q", one)
				}
			}
			for _, one := range texts(document(s, rulings)) {
				if !slices.Contains(inJSON, one) {
					t.Errorf("JSON lacks %q", one)
				}
			}
		})
	}
}

// texts are the texts of a document, as they are shown.
func texts(d *view.Document) []string {
	found := append([]string{d.Stopped, d.Heading}, d.Verdict...)
	found = append(found, d.Warnings...)
	for _, r := range d.Rows {
		found = append(found, r.Label, r.Text)
	}
	sections := d.Sections
	if len(d.Answer.Items) > 0 {
		sections = append([]view.Section{d.Answer}, sections...)
	}
	for _, s := range sections {
		found = append(append(found, s.Title, s.After), s.Lines...)
		found = append(found, slices.Concat(s.Table...)...)
		for _, it := range s.Items {
			found = append(append(found, it.ID, it.Mark, it.Text), it.Aliases...)
			for _, n := range it.Notes {
				found = append(found, n.Label, n.Text, n.Quote)
			}
		}
	}
	return slices.DeleteFunc(found, func(text string) bool { return strings.TrimSpace(text) == "" })
}

// documentTexts are the texts of an exported document.
func documentTexts(d *report.Document) []string {
	found := append([]string{d.Stopped, d.Heading}, slices.Concat(d.Verdict, d.Warnings)...)
	for _, r := range d.Rows {
		found = append(found, r.Label, r.Text)
	}
	for _, s := range d.Sections {
		found = append(append(found, s.Title, s.After), s.Lines...)
		found = append(found, slices.Concat(s.Table...)...)
		for _, it := range s.Items {
			found = append(append(found, it.ID, it.Mark, it.Text), it.Aliases...)
			for _, n := range it.Notes {
				found = append(found, n.Label, n.Text, n.Quote)
			}
		}
	}
	return found
}

var notWords = regexp.MustCompile(`[^\pL\pN]+`)

// words are a text without its layout and the escapes of a form.
func words(text string) string { return notWords.ReplaceAllString(text, " ") }
