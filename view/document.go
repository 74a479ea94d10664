package view

import (
	"fmt"
	"strings"

	"moot/ledger"
	"moot/state"
)

// Document is a text with structure: the result of a session, or the explanation of a ruling. All forms show its parts
// in the order of the fields, from Lead on, but Rows come last if RowsLast is set.
type Document struct {
	// Lead is the first line, above the title: what was decided, and why. Most formats answer below instead. LeadRole
	// colors it.
	Lead     string
	LeadRole Role
	Title    string
	// Question is the text below the title: the words of a point.
	Question string
	// Stopped says why a session paused or ended badly (SE4). It comes first, below the title.
	Stopped string
	// Notices say what keeps facts of the user from holding. They come next.
	Notices []string
	// Answer is the answer to the question, each sentence with what it rests on and who objected. It is empty until the
	// question is answered.
	Answer Section
	// Rows are labels with a text each. RowsLast puts them below the sections, under the title ThisSession: they say how
	// the session ran, and a reader wants its result first.
	Rows     []Row
	RowsLast bool
	// Heading and Verdict say that a session was inconclusive or only found passages, and why; or
	// they give the bucket of a point and its meaning. Role colors the heading.
	Heading string
	Role    Role
	Verdict []string
	// Open is what waits for the reader: questions, and claims that nothing but their word or more evidence settles.
	Open     Section
	Warnings []string
	Sections []Section
}

// ThisSession is the title of the rows below the sections.
const ThisSession = "THIS SESSION"

// Row is a label with its text. A row without a label continues the one before.
type Row struct{ Label, Text string }

// Section is a heading with items, lines of text, or a table whose first row and
// first column are headings.
type Section struct {
	Title string
	// Lines are sentences.
	Lines []string
	Items []Item
	Table [][]string
	// Words says that the cells of the table are words, so that they are aligned left and the last column is wrapped.
	Words bool
	// After is a sentence below the items.
	After string
	// Count is the number of things that the items cover, if an item can cover several; 0 means one
	// each. Uncounted hides the number next to the title.
	Count     int
	Uncounted bool
}

// Total returns how many things the section lists.
func (s *Section) Total() int { return max(s.Count, len(s.Items)) }

// Empty reports whether the section has nothing to show. Forms leave it out.
func (s *Section) Empty() bool { return len(s.Items)+len(s.Table)+len(s.Lines)+len(s.After) == 0 }

// Heading returns the title with the number of things that the section lists. There is no number if it is uncounted, or
// has sentences only: they may say that nothing was counted yet.
func (s *Section) Heading() string {
	if s.Uncounted || s.Total() == 0 {
		return s.Title
	}
	return fmt.Sprintf("%s (%d)", s.Title, s.Total())
}

// Item is one point, challenge, question or fact of a section.
type Item struct {
	// ID is empty for an item that has none. Aliases are ids that were merged into it.
	ID      string
	Aliases []string
	// Mark is a short classification: a tag, a status, an outcome. Role colors it.
	Mark, Text string
	Role       Role
	Notes      []Note
	// Copy is a text to copy into a file, with its purpose as the label. Only Markdown shows it, folded.
	Copy Note
	// Diff has the lines that the first note names, with those around them, as a diff. Screens show it below that note,
	// instead of its quote.
	Diff []DiffLine
}

// Note is a remark about an item, with the verbatim lines that support it.
type Note struct{ Label, Text, Quote string }

// Row adds a labeled row.
func (d *Document) Row(label, text string) { d.Rows = append(d.Rows, Row{label, text}) }

// Add appends the sections that have content.
func (d *Document) Add(sections ...Section) {
	for i := range sections {
		if s := &sections[i]; !s.Empty() {
			d.Sections = append(d.Sections, *s)
		}
	}
}

// Note adds a note to the item.
func (it *Item) Note(label, text string) { it.Notes = append(it.Notes, Note{Label: label, Text: text}) }

// EvidenceNote returns an item of evidence with its source, its rank and its lines.
func EvidenceNote(e *ledger.Evidence) Note {
	text := e.Reference
	if e.Relation == ledger.Refutes {
		text += ", refutes"
	}
	text += fmt.Sprintf(" (%s, %s, %.2f)", Word(e.Type), Word(e.SourceKind), e.Confidence)
	if e.Run != nil && e.Run.Confinement != "" {
		text += "; " + e.Run.Confinement
	}
	if e.Patch != "" {
		text += "; the patch " + e.Tried()
	}
	return Note{Label: e.ID, Text: text, Quote: Excerpt(e.Excerpt)}
}

// maxQuote is the number of lines of an excerpt that are shown.
const maxQuote = 8

// Excerpt returns the first lines of a quoted text.
func Excerpt(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	if more := len(lines) - maxQuote; more > 0 {
		lines = append(lines[:maxQuote], fmt.Sprintf("[%d more lines]", more))
	}
	return strings.Join(lines, "\n")
}

// Receipt formats the rule that fired and the ids that it read.
func Receipt(r *state.Ruling) string {
	if len(r.Reads) == 0 {
		return "[" + r.Rule + "]"
	}
	return "[" + r.Rule + ": " + strings.Join(r.Reads, " ") + "]"
}
