package pane

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/tui/theme"
	"moot/view"
)

// Block is a paragraph in a dialog or in a pane that shows text.
type Block struct {
	Indent int
	Lead   theme.Span
	Body   theme.Span
	// Right is shown at the right end of the first row.
	Right theme.Span
	// Hang is the indent of the rows below the first if it is not 0.
	Hang int
	// column marks the lead as a column of a table: if it leaves too little room for the body,
	// the lead gets a separate row.
	column bool
	// Section is the title of a section that begins here.
	Section string
	// cites is the id of the evidence item in this block, or "".
	cites string
}

// Text is a scrolled text of blocks. It is laid out once for each width.
type Text struct {
	// Blocks returns the text for a look. It is called again after Refresh.
	Blocks func(l *theme.Look) []Block

	look   *theme.Look
	Top    int
	Height int
	Drawn  []string
	width  int
	// starts contains the first row of each block, cited the rows that show evidence.
	starts []int
	cited  []citation
	// marked is the row that was clicked or found, counted from 1, or 0.
	marked int
}

// citation is a row that shows an evidence item.
type citation struct {
	row int
	ID  string
}

// Refresh drops the drawn rows after the text has changed.
func (s *Text) Refresh() { s.Drawn = nil }

// Lay draws the blocks unless they are up to date. The block at the top stays at the top.
func (s *Text) Lay(l *theme.Look, width int) {
	if s.Drawn != nil && s.width == width && s.look == l {
		return
	}
	at := max(sort.SearchInts(s.starts, s.Top+1)-1, 0)
	within := 0
	if at < len(s.starts) {
		within = s.Top - s.starts[at]
	}
	if s.width != width {
		s.marked = 0
	}
	s.Drawn, s.width, s.look, s.cited, s.starts = []string{}, width, l, nil, s.starts[:0]
	for _, b := range s.Blocks(l) {
		if b.cites != "" {
			s.cited = append(s.cited, citation{len(s.Drawn), b.cites})
		}
		s.starts = append(s.starts, len(s.Drawn))
		s.Drawn = append(s.Drawn, b.Rows(l, width, len(s.Drawn) == 0)...)
	}
	if at < len(s.starts) {
		end := len(s.Drawn)
		if at+1 < len(s.starts) {
			end = s.starts[at+1]
		}
		s.Top = s.starts[at] + max(min(within, end-s.starts[at]-1), 0)
	}
}

// CitedID returns the evidence item at or above the marked row. Without a marked row it is
// the first item on the screen, or else the last one above it. It is "" if the text shows no
// evidence.
func (s *Text) CitedID() string {
	if len(s.cited) == 0 {
		return ""
	}
	i := sort.Search(len(s.cited), func(i int) bool { return s.cited[i].row >= s.Top })
	if s.marked > 0 {
		i = sort.Search(len(s.cited), func(i int) bool { return s.cited[i].row >= s.marked }) - 1
	}
	return s.cited[max(min(i, len(s.cited)-1), 0)].ID
}

// airyWidth is the width from which an empty row separates sections.
const airyWidth = 40

// Rows draws the block. The first block of a text has no empty row above it.
func (b *Block) Rows(l *theme.Look, width int, first bool) []string {
	var right []theme.Span
	if b.Right.Text != "" {
		right = []theme.Span{b.Right.Style.Span(b.Right.Text + " ")}
	}
	if b.Section != "" {
		rows := []string{l.SectionRule(width, b.Section, right)}
		if width >= airyWidth && !first {
			rows = append([]string{theme.Blank(width)}, rows...)
		}
		return rows
	}
	lead := []theme.Span{{Text: strings.Repeat(" ", b.Indent)}, b.Lead}
	if b.column && b.Hang > width*2/5 {
		indent := []theme.Span{{Text: strings.Repeat(" ", b.Indent+2)}}
		return append([]string{l.Row(width, lead, right)}, l.Paragraph(width, indent, b.Body, nil, 0)...)
	}
	return l.Hanging(width, lead, b.Body, right, b.Hang)
}

// Read draws exactly height rows from the scroll position.
func (s *Text) Read(l *theme.Look, width, height int) []string {
	s.Lay(l, width)
	s.Height = height
	s.bound()
	return Fit(slices.Clone(s.Drawn[s.Top:]), width, height)
}

func (s *Text) bound() { s.Top = max(min(s.Top, len(s.Drawn)-s.Height), 0) }

// More reports whether there is more text below.
func (s *Text) More() bool { return s.Top+s.Height < len(s.Drawn) }

// MoveBy scrolls.
func (s *Text) MoveBy(a Motion) {
	s.marked = 0
	s.Top += a.rows(max(s.Height, 2))
	switch {
	case a == MoveHome:
		s.Top = 0
	case a == MoveEnd:
		s.Top = len(s.Drawn)
	}
	s.bound()
}

// findRow marks the next row that contains the query and scrolls to it.
func (s *Text) findRow(query string, forwards, from bool) bool {
	at := s.Top
	if s.marked > s.Top && s.marked <= s.Top+s.Height {
		at = s.marked - 1
	}
	i := NextMatch(query, len(s.Drawn), at, forwards, from, func(i int) string { return ansi.Strip(s.Drawn[i]) })
	if i < 0 {
		return false
	}
	s.marked = i + 1
	if i < s.Top || i >= s.Top+s.Height {
		s.Top = i
		s.bound()
	}
	return true
}

// part is a heading of a document or an item with its notes.
type part struct {
	// id is the id of the item, such as P3 or K1. It is "" for parts that cannot be selected.
	id     string
	blocks []Block
}

// DocumentBlocks draws a document of view: the title, rows, the verdict, then the sections.
func DocumentBlocks(l *theme.Look, d *view.Document) []Block {
	var list []Block
	for _, p := range documentParts(l, d) {
		list = append(list, p.blocks...)
	}
	return list
}

func documentParts(l *theme.Look, d *view.Document) []part {
	var head []Block
	if d.Title != "" {
		head = []Block{{Lead: l.Bold.Span(d.Title + "  "), Body: l.Text.Span(d.Question)}}
	}
	list := []part{{blocks: head}}
	if len(d.Answer.Items) > 0 {
		list = append(list, sectionParts(l, &d.Answer)...)
		head = []Block{{}}
	} else {
		list = nil
	}
	for _, r := range d.Rows {
		if l.ASCII {
			r.Text = strings.ReplaceAll(r.Text, "→", "->")
		}
		label := l.Faint.Span(fmt.Sprintf("%-9s ", r.Label))
		head = append(head, Block{Indent: 2, Lead: label, Body: l.Text.Span(r.Text), column: true, Hang: 12})
	}
	if d.Heading != "" {
		glyph, st, _ := signs(l, d.Role)
		head = append(head, Block{}, Block{Lead: st.Span(glyph + " " + d.Heading), Hang: 2})
		for _, line := range d.Verdict {
			head = append(head, Block{Indent: 2, Body: l.Text.Span(line)})
		}
	}
	for _, w := range d.Warnings {
		head = append(head, Block{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Text.Span(w), Hang: 2})
	}
	list = append(list, part{blocks: head})
	for i := range d.Sections {
		list = append(list, sectionParts(l, &d.Sections[i])...)
	}
	return list
}

func sectionParts(l *theme.Look, s *view.Section) []part {
	title := s.Title[:1] + strings.ToLower(s.Title[1:])
	if !s.Uncounted {
		title += fmt.Sprintf(" (%d)", s.Total())
	}
	head := []Block{{Section: title}}
	for _, line := range s.Lines {
		head = append(head, Block{Indent: 2, Body: l.Text.Span(line)})
	}
	if len(s.Lines) == 0 {
		for _, row := range s.Table {
			values := l.Text.Span(strings.Join(row[1:], "  "))
			head = append(head, Block{Indent: 2, Lead: l.Bold.Span(row[0] + "  "), Body: values, column: true})
		}
	}
	list := []part{{blocks: head}}
	widest := 0
	for i := range s.Items {
		widest = max(widest, l.Width(s.Items[i].ID))
	}
	for i := range s.Items {
		list = append(list, part{s.Items[i].ID, itemBlocks(l, &s.Items[i], widest)})
	}
	if s.After != "" {
		var after []Block
		for line := range strings.SplitSeq(s.After, "\n") {
			after = append(after, Block{Indent: 2, Body: l.Faint.Span(line)})
		}
		list = append(list, part{blocks: after})
	}
	return list
}

func itemBlocks(l *theme.Look, it *view.Item, widest int) []Block {
	b := Block{Indent: 2, Body: l.Text.Span(it.Text)}
	lead := ""
	if it.ID != "" {
		lead = it.ID + strings.Repeat(" ", widest-l.Width(it.ID)+2)
	}
	switch {
	case it.Role != view.RolePlain:
		glyph, st, _ := signs(l, it.Role)
		b.Lead = st.Span(glyph + " " + lead)
	case lead != "":
		b.Lead = l.Bold.Span(lead)
	}
	b.Hang = 2 + l.Width(b.Lead.Text)
	if it.Mark != "" {
		b.Right = l.Faint.Span(it.Mark)
	}
	if strings.HasPrefix(it.ID, "E") {
		b.cites = it.ID
	}
	list := []Block{b}
	for _, n := range it.Notes {
		list = append(list, Block{Indent: b.Hang, Lead: l.Bold.Span(n.Label + "  "), Body: l.Text.Span(n.Text)})
		if n.Quote != "" {
			list = append(list, Block{Indent: b.Hang, Body: l.Faint.Span(n.Quote)})
		}
	}
	return list
}
