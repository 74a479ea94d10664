package report_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/protocoltest"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Each text of the document is in the text form, in Markdown and in JSON, at its place (SE3). The sessions are those of
// this package, with lines that none of them has, and those of all scenarios after each step.
func TestEachFormHasTheSameWords(t *testing.T) {
	t.Parallel()
	for name, build := range builders() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, rulings := build(t)
			haveTheSameWords(t, s, rulings)
			d := document(s, rulings)
			for _, line := range []string{"a line of a section", "another one"} {
				d.Sections = append(d.Sections, view.Section{Title: "LINES", Lines: []string{line}})
			}
			d.Heading = view.Join(", ", d.Heading, "a heading")
			d.Notices = append(d.Notices, "a notice")
			showTheSameWords(t, d)
		})
	}
}

func TestEachFormOfAScenarioHasTheSameWords(t *testing.T) {
	t.Parallel()
	protocoltest.AllScenarios(t, "../protocol", func(t *testing.T, d *protocoltest.Desk) {
		t.Helper()
		if t.Failed() {
			return
		}
		haveTheSameWords(t, d.State, resolver.Rule(d.State))
	})
}

// hasWhatTheSeatsSaid checks that the result has each point, each objection and each answer.
func hasWhatTheSeatsSaid(t *testing.T, s *state.State, d *view.Document) {
	t.Helper()
	shown := ""
	for _, group := range protocoltest.Groups(d) {
		shown += strings.Join(group, "\n") + "\n"
	}
	for _, p := range s.Points.All() {
		text := p.Text
		if view.FormatOf(s).Point(p) != nil { // a field of a proposal, of which the reason is a note
			text, _, _ = strings.Cut(text, " (")
		}
		if !strings.Contains(shown, text) {
			t.Errorf("the result lacks %s by %v: %s", p.ID, p.Authors, text)
		}
	}
	for _, c := range s.Challenges.All() {
		if c.By != state.Protocol && !strings.Contains(shown, c.Objection) {
			t.Errorf("the result lacks %s on %s by %s: %s", c.ID, c.Point, c.By, c.Objection)
		}
		for _, answer := range c.Defenses {
			if !strings.Contains(shown, answer.Text) {
				t.Errorf("the result lacks what %s answers to %s: %s", answer.By, c.ID, answer.Text)
			}
		}
	}
}

// haveTheSameWords compares the forms of a session.
func haveTheSameWords(t *testing.T, s *state.State, rulings []state.Ruling) {
	t.Helper()
	d := document(s, rulings)
	hasWhatTheSeatsSaid(t, s, d)
	showTheSameWords(t, d)
	data, err := json.Marshal(report.Export(s, rulings, "", nil))
	if err != nil {
		t.Fatal(err)
	}
	var session report.Session
	if err := json.Unmarshal(data, &session); err != nil {
		t.Fatal(err)
	}
	exported := viewed(&session)
	exported.RowsLast = d.RowsLast // JSON names the rows, and has no place for them.
	want, got := protocoltest.Groups(d), protocoltest.Groups(exported)
	for i, group := range want {
		if i >= len(got) || !slices.Equal(got[i], group) {
			t.Fatalf("JSON lacks %q at its place; it has %q", group, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("JSON has %q, want %q", got, want)
	}
	// A challenge and a point that is not open have one mark in the result and in the lists of the screen.
	a := view.NewArgument(s, rulings)
	for i := range d.Sections {
		for _, it := range d.Sections[i].Items {
			title := d.Sections[i].Title
			list := view.Item{ID: it.ID, Mark: it.Mark}
			if c := s.Challenge(it.ID); c != nil && (title == "CHALLENGES" || title == "OBJECTIONS") {
				list = a.Challenge(c)
			} else if r := resolver.RulingOn(rulings, it.ID); r != nil && strings.EqualFold(title, view.BucketName(r.Bucket)) {
				list = a.Point(r)
			}
			if !strings.HasSuffix(strings.ToLower(it.Mark), strings.ToLower(list.Mark)) { // A format may begin with a severity.
				t.Errorf("%s is %q in %s, and %q in a list", it.ID, it.Mark, title, list.Mark)
			}
		}
	}
	// Only a consultation and a panel are called inconclusive (EX9).
	if inconclusive := strings.HasPrefix(d.Heading, "INCONCLUSIVE"); inconclusive != (s.Inconclusive && s.Settings.Format != hearing.Name) {
		t.Errorf("inconclusive %t, and the heading is %q", s.Inconclusive, d.Heading)
	}
	if conclusive := protocol.SessionExitCode(s, false) == protocol.ExitConcluded; conclusive &&
		slices.Contains([]string{"INCONCLUSIVE", "NO CONSENSUS", "NO DECISION", "HOLD", "ESCALATE"}, d.Heading) {
		t.Errorf("the exit code is 0, and the heading is %q", d.Heading)
	}
}

// showTheSameWords looks for each group of texts in text and Markdown, behind the group before.
func showTheSameWords(t *testing.T, d *view.Document) {
	t.Helper()
	forms := map[string]string{"text": report.Text(d, 0), "Markdown": report.Markdown(d)}
	for form, shown := range forms {
		rest := " " + words(added.ReplaceAllString(shown, ""))
		for _, group := range protocoltest.Groups(d) {
			var all []string
			for _, text := range group {
				all = append(all, strings.TrimSpace(words(plain.Text(text))))
			}
			all = slices.DeleteFunc(all, func(text string) bool { return text == "" })
			want := " " + strings.Join(all, " ") + " "
			_, behind, found := strings.Cut(rest, want)
			if !found {
				t.Errorf("%s lacks %q at its place:\n%s", form, group, shown)
				break
			}
			rest = " " + behind
		}
	}
}

// viewed is the document that an export holds.
func viewed(s *report.Session) *view.Document {
	d := &view.Document{
		Lead: s.Document.Lead, Title: s.Session.Question, Stopped: s.Document.Stopped, Notices: s.Document.Notices, Heading: s.Document.Heading, Verdict: s.Document.Verdict,
		Warnings: s.Document.Warnings,
	}
	for _, r := range s.Document.Rows {
		d.Rows = append(d.Rows, view.Row(r))
	}
	for _, exported := range s.Document.Sections {
		section := view.Section{Title: exported.Title, Lines: exported.Lines, Table: exported.Table, After: exported.After, Count: exported.Count, Uncounted: exported.Count == 0}
		for _, it := range exported.Items {
			item := view.Item{ID: it.ID, Aliases: it.Aliases, Mark: it.Mark, Text: it.Text}
			for _, n := range it.Notes {
				item.Notes = append(item.Notes, view.Note(n))
			}
			section.Items = append(section.Items, item)
		}
		switch section.Title {
		case "ANSWER":
			d.Answer = section
		case "OPEN FOR YOU", "NEEDS YOU":
			d.Open = section
		default:
			d.Sections = append(d.Sections, section)
		}
	}
	return d
}

var (
	notWords = regexp.MustCompile(`[^\pL\pN]+`)
	// added matches the fences around verbatim lines in Markdown, and the words before the aliases of an item.
	added = regexp.MustCompile("(?m)^ *```+(?:text)?$|\\(also ")
)

// words are a text without its layout and the escapes of a form.
func words(text string) string { return notWords.ReplaceAllString(text, " ") }
