package pane_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/report"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// A document has the same words on the screen as in text and Markdown, whatever parts it has (SE3).
func TestTheScreenHasTheWordsOfTheOtherForms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var texts []string
		text := func(what string) string {
			if rapid.IntRange(0, 3).Draw(rt, what) == 0 {
				return ""
			}
			texts = append(texts, fmt.Sprintf("word%dq", len(texts)))
			return texts[len(texts)-1]
		}
		always := func() string {
			texts = append(texts, fmt.Sprintf("word%dq", len(texts)))
			return texts[len(texts)-1]
		}
		some := func(what string, add func()) {
			for range rapid.IntRange(0, 2).Draw(rt, what) {
				add()
			}
		}
		section := func() view.Section {
			s := view.Section{Title: always(), After: text("after")}
			some("lines", func() { s.Lines = append(s.Lines, always()) })
			some("rows", func() { s.Table = append(s.Table, []string{always(), always()}) })
			some("items", func() {
				it := view.Item{ID: text("id"), Mark: text("mark"), Text: always()}
				if it.ID != "" {
					some("aliases", func() { it.Aliases = append(it.Aliases, always()) })
				}
				some("notes", func() {
					it.Notes = append(it.Notes, view.Note{Label: always(), Text: text("note"), Quote: text("quote")})
				})
				s.Items = append(s.Items, it)
			})
			return s
		}
		d := view.Document{Title: always(), Stopped: text("stopped"), Heading: text("heading")}
		some("labels", func() { d.Row(always(), text("row")) })
		if d.Heading != "" {
			some("verdict", func() { d.Verdict = append(d.Verdict, always()) })
		}
		some("warnings", func() { d.Warnings = append(d.Warnings, always()) })
		some("sections", func() { d.Sections = append(d.Sections, section()) })

		var screen strings.Builder
		for _, part := range pane.DocumentParts(theme.New(theme.Appearance{}), &d) {
			for _, b := range part.Blocks {
				fmt.Fprintln(&screen, b.Section, b.Lead.Text, b.Body.Text, b.Right.Text)
			}
		}
		for form, shown := range map[string]string{
			"the screen": strings.ToLower(screen.String()), "text": report.Text(&d, 0), "Markdown": report.Markdown(&d),
		} {
			for _, word := range texts {
				if !strings.Contains(shown, word) {
					rt.Fatalf("%s lacks %s of %+v:\n%s", form, word, d, shown)
				}
			}
		}
	})
}
