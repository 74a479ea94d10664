package report

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
	"moot/view"
)

// maxComment is the maximum length of a comment on GitHub, in bytes.
const maxComment = 65_536

// Comment renders a session as a comment for a pull request: the answer, the unsettled objections
// with the lines that they cite, the open questions, and the rest folded. If it would be too long,
// it is cut and ends with a note.
func Comment(s *state.State, rulings []state.Ruling) string {
	argued := "without a language model"
	if slices.ContainsFunc(s.Seats, func(a state.SeatAssignment) bool { return !a.NoModel }) {
		argued = "by models"
	}
	foot := fmt.Sprintf("\n*Argued %s, decided by code: moot session %s, round %d.*\n", argued, s.ID, s.Round)
	const cut = "\nThe rest is too long for a comment; moot show prints it.\n"
	var all strings.Builder
	for _, part := range comment(s, rulings) {
		if all.Len()+len(part) > maxComment-len(cut)-len(foot) {
			all.WriteString(cut)
			break
		}
		all.WriteString(part)
	}
	return all.String() + foot
}

// comment returns the parts of a comment, the most important first.
func comment(s *state.State, rulings []state.Ruling) []string {
	const longest = 2000
	var parts []string
	add := func(format string, texts ...string) {
		m := markdownWriter{comment: true}
		args := lists.Map(texts, func(text string) any { return m.escape(plain.Clip(text, longest)) })
		parts = append(parts, fmt.Sprintf(format, args...))
	}
	d := view.Session(s, rulings)
	parts = append(parts, "<!-- "+SchemaName+" -->\n")
	if d.Stopped != "" {
		add("%s\n\n", d.Stopped)
	}
	add("**%s**\n\n", view.Title(d.Title))
	for _, it := range d.Answer.Items {
		if it.Mark == "" {
			add("%s\n\n", it.Text)
		} else {
			add("%s *(%s)*\n\n", it.Text, it.Mark)
		}
	}
	for _, row := range d.Rows {
		if row.Label == "decision" {
			add("%s\n\n", row.Text)
		}
	}
	switch {
	case len(d.Verdict) > 0:
		add("%s: %s\n\n", d.Heading, d.Verdict[0])
	case d.Heading != "":
		add("%s\n\n", d.Heading)
	}
	a := view.NewArgument(s, rulings)
	for _, c := range s.Challenges.All() {
		if !a.Settled(c) {
			add("- **%s** %s %s\n", c.ID, a.Challenge(c).Text, citedAgainst(s, c))
		}
	}
	for _, q := range s.Questions.All() {
		if !q.Answered && s.Challenge(q.About) == nil {
			add("- **%s** %s\n", q.ID, q.Text)
		}
	}
	for _, warning := range d.Warnings {
		add("- %s\n", warning)
	}
	for i := range d.Sections {
		m := markdownWriter{comment: true}
		m.section(&d.Sections[i])
		parts = append(parts, m.String())
	}
	return parts
}

// citedAgainst lists the places that are cited against the point of an objection.
func citedAgainst(s *state.State, c *state.Challenge) string {
	var places []string
	for _, e := range s.Evidence.All() {
		if e.Point == c.Point && e.Relation == ledger.Refutes && e.Proven() {
			places = append(places, e.Reference)
		}
	}
	if len(places) == 0 {
		return ""
	}
	return "(" + strings.Join(places, ", ") + ")"
}
