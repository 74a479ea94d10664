package pane_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/internal/plain"
	"moot/protocol/protocoltest"
	"moot/report"
	"moot/resolver"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// The screen shows each text of the result, next to what it belongs to, as the other forms do (SE3): in the sessions of
// all scenarios, after each step.
func TestTheScreenHasTheWordsOfEachScenario(t *testing.T) {
	t.Parallel()
	look := theme.New(theme.Appearance{})
	notWords := regexp.MustCompile(`[^\pL\pN]+`)
	words := func(text string) string {
		return strings.ToLower(" " + notWords.ReplaceAllString(plain.Text(text), " ") + " ")
	}
	protocoltest.AllScenarios(t, "../../protocol", func(t *testing.T, d *protocoltest.Desk) {
		t.Helper()
		shown := view.Session(d.State, resolver.Rule(d.State))
		var parts []string
		for _, part := range pane.DocumentParts(look, &shown) {
			var text strings.Builder
			for _, b := range part.Blocks {
				fmt.Fprintln(&text, b.Section, b.Lead.Text, b.Body.Text, b.Right.Text)
			}
			parts = append(parts, words(text.String()))
		}
		at := 0
		for _, group := range protocoltest.Groups(&shown) {
			found := func(part string) bool {
				return !slices.ContainsFunc(group, func(text string) bool {
					return !strings.Contains(part, strings.TrimSpace(words(text)))
				})
			}
			i := slices.IndexFunc(parts[at:], found)
			if i < 0 {
				t.Fatalf("the screen lacks %q at its place: %q", group, parts)
			}
			at += i
		}
	})
}

// A document has the same words on the screen as in text and Markdown, whatever parts it has (SE3).
func TestTheScreenHasTheWordsOfTheOtherForms(t *testing.T) {
	t.Parallel()
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
