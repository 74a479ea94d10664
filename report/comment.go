package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moot/internal/forge"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
	"moot/view"
)

const (
	// longestText and longestQuote are the maximum lengths of one text in a comment, before it is escaped.
	longestText  = 2000
	longestQuote = 1000
	// cutRoom is for the sentence that says what was left out.
	cutRoom = 300
)

var (
	// fullHash matches the hash of a commit, which GitHub links.
	fullHash  = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
	sessionID = regexp.MustCompile(`^[0-9A-Za-z-]+$`)
)

// Comment renders a session as a comment for a pull request: what was decided, what needs the reader, and the rest
// folded. Foreign text in it does nothing. If it would be too long, entries are left out from the end and counted.
func Comment(s *state.State, rulings []state.Ruling) string {
	d, c := view.Session(s, rulings), &comment{}
	if format, is := view.FormatOf(s).(view.Reviews); is {
		r := format.Review(s, rulings)
		c.review(&d, &r)
	} else {
		c.debate(&d, s, rulings)
		for i := range d.Sections {
			c.section(&d.Sections[i], true, nil)
		}
	}
	argued := "without a language model"
	if slices.ContainsFunc(s.Seats, func(a state.SeatAssignment) bool { return !a.NoModel }) {
		argued = "by models"
	}
	id := forge.Escape(s.ID)
	if sessionID.MatchString(s.ID) {
		id = "`" + s.ID + "`" // To copy.
	}
	return c.fit(fmt.Sprintf("*Argued %s, decided by code: moot session %s, round %d.*\n", argued, id, s.Round))
}

// comment collects the parts of a comment, the most important first.
type comment struct{ parts []part }

// part is the beginning of a comment, or an entry of a section with what comes before or after it there.
type part struct {
	text string
	// end ends the section if the comment is cut behind this part.
	end string
	// isFinding says that the part is a finding of a review.
	isFinding bool
}

// fit joins the parts that fit, and says what was left out.
func (c *comment) fit(foot string) string {
	texts := lists.Map(c.parts, func(p part) string { return p.text })
	text, left := forge.Fit(forge.MaxComment-len(foot)-cutRoom, texts)
	if left == 0 {
		return text + foot
	}
	kept := len(c.parts) - left
	if kept > 0 {
		text += c.parts[kept-1].end
	}
	findings := len(lists.Filter(c.parts[kept:], func(p part) bool { return p.isFinding }))
	var counted []string
	if findings > 0 {
		counted = append(counted, view.Counted(findings, "finding"))
	}
	if others := left - findings; others > 0 {
		counted = append(counted, view.Counted(others, "other part"))
	}
	return text + "Left out from the end, because the comment would be too long: " + strings.Join(counted, " and ") +
		". `moot show` prints the whole session.\n\n" + foot
}

// Escaped is foreign text on one line of Markdown.
func Escaped(text string) string { return line("%s", text) }

// line formats foreign texts, escaped, into text of moot.
func line(format string, texts ...string) string {
	args := lists.Map(texts, func(text string) any { return forge.Escape(plain.Clip(text, longestText)) })
	return fmt.Sprintf(format, args...)
}

// review is the comment of a session about a change.
func (c *comment) review(d *view.Document, r *view.Review) {
	var head strings.Builder
	head.WriteString(forge.Marker + "\n" + line("**%s**\n\n", r.Lead))
	commit := line("%s.", view.Title(d.Title))
	if fullHash.MatchString(r.Head) {
		commit = "Commit " + r.Head + ". " + commit // Not escaped, so that GitHub links it.
	}
	head.WriteString(commit + "\n\n")
	for _, notice := range d.Notices {
		head.WriteString(line("%s\n\n", notice))
	}
	for _, warning := range d.Warnings {
		head.WriteString(line("- %s\n", warning))
	}
	if len(d.Warnings) > 0 {
		head.WriteString("\n")
	}
	if r.Silent != "" {
		head.WriteString(line("%s\n\n", r.Silent))
	}
	c.parts = append(c.parts, part{text: head.String()})
	for i := range r.Urgent {
		c.section(&r.Urgent[i], false, r)
	}
	for i := range r.Rest {
		c.section(&r.Rest[i], true, r)
	}
}

// debate is the beginning of the comment of another session: the answer, the unsettled objections with the lines that
// they cite, and the open questions.
func (c *comment) debate(d *view.Document, s *state.State, rulings []state.Ruling) {
	add := func(format string, texts ...string) { c.parts = append(c.parts, part{text: line(format, texts...)}) }
	add("<!-- " + SchemaName + " -->\n")
	if d.Stopped != "" {
		add("%s\n\n", d.Stopped)
	}
	for _, notice := range d.Notices {
		add("%s\n\n", notice)
	}
	add("**%s**\n\n", view.Title(d.Title))
	for _, it := range d.Answer.Items {
		about := []string{it.Mark}
		for _, n := range it.Notes {
			about = append(about, n.Label+": "+n.Text)
		}
		if text := view.Join("; ", about...); text != "" {
			add("%s *(%s)*\n\n", it.Text, text)
		} else {
			add("%s\n\n", it.Text)
		}
	}
	if d.Heading != "" {
		add("%s\n\n", view.Sentence(d.Heading, strings.Join(d.Verdict[:min(1, len(d.Verdict))], "")))
	}
	a := view.NewArgument(s, rulings)
	for _, one := range s.Challenges.All() {
		if !a.Settled(one) {
			add("- **%s** %s %s\n", one.ID, a.Challenge(one).Text, citedAgainst(s, one))
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
	c.parts[len(c.parts)-1].text += "\n"
}

// section adds a section, a part for each of its items. The review is nil for other sessions.
func (c *comment) section(s *view.Section, isFolded bool, review *view.Review) {
	begin, end := line("### %s\n\n", s.Heading()), ""
	if isFolded {
		begin, end = line("<details><summary>%s</summary>\n\n", s.Heading()), "</details>\n\n"
	}
	for _, text := range s.Lines {
		begin += line("%s\n\n", text)
	}
	for i, row := range s.Table {
		begin += "|" + strings.Join(lists.Map(row, func(cell string) string { return line(" %s ", cell) }), "|") + "|\n"
		if i == 0 {
			begin += "|---|" + strings.Repeat("--:|", len(row)-1) + "\n"
		}
	}
	if len(s.Table) > 0 {
		begin += "\n"
	}
	parts := []part{}
	for i := range s.Items {
		it := &s.Items[i]
		one := part{text: entry(it), end: end, isFinding: review != nil && it.ID != ""}
		if !isFolded && it.Copy.Text != "" {
			one.text += line("\n<details><summary>%s</summary>", it.Copy.Label) +
				forge.CodeBlock("", it.Copy.Text) + "\n</details>\n\n"
		}
		parts = append(parts, one)
	}
	if len(parts) == 0 {
		parts = append(parts, part{})
	}
	last := &parts[len(parts)-1]
	parts[0].text = begin + parts[0].text
	if s.After != "" {
		last.text += line("%s\n\n", s.After)
	}
	last.text += end
	last.end = ""
	c.parts = append(c.parts, parts...)
}

// entry is an item of a section. It is no item of a list, so that a block of code can follow it.
func entry(it *view.Item) string {
	var b strings.Builder
	if it.ID != "" {
		b.WriteString(line("**%s** ", itemID(it)))
	}
	if it.Mark != "" {
		b.WriteString(line(`\[%s\] `, it.Mark))
	}
	b.WriteString(line("%s\n\n", it.Text))
	for _, n := range it.Notes {
		b.WriteString(line("- *%s:* %s", n.Label, n.Text))
		if n.Quote != "" {
			b.WriteString(forge.CodeBlock("", firstLines(n.Quote)))
		}
		b.WriteString("\n")
	}
	if len(it.Notes) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// firstLines are the first lines of a quote, as many as a comment shows.
func firstLines(quote string) string {
	var b strings.Builder
	for text := range strings.Lines(quote) {
		text = strings.TrimSuffix(text, "\n")
		if b.Len()+len(text) > longestQuote {
			b.WriteString("…\n")
			break
		}
		b.WriteString(text + "\n")
	}
	return b.String()
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
