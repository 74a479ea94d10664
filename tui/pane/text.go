package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/tui/theme"
	"moot/view"
)

// Block is a paragraph of a document.
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
}

// Part is a heading of a document, or an item with its notes.
type Part struct {
	// ID is the id of the item, such as P3 or K1, or "".
	ID     string
	Blocks []Block
}

// Document is a text to read. The selection goes from part to part as long as they are visible, and scrolls else.
type Document struct {
	List
	// Parts returns the text. It is called again after Refresh.
	Parts func(l *theme.Look) []Part
	// Plain leaves no column for the pointer, because nothing can be selected.
	Plain bool
	parts []Part
	stale bool
	// drawn are the rows of each part without a mark for drawnWidth, as far as they were needed.
	drawn      [][]string
	drawnWidth int
}

// NewDocument returns a document that shows what parts returns.
func NewDocument(l *theme.Look, parts func(l *theme.Look) []Part) *Document {
	p := &Document{Parts: parts, stale: true, List: List{Look: l}}
	p.Draw = p.drawPart
	p.Key = func(i int) string { return cmp.Or(p.parts[i].ID, strconv.Itoa(i)) }
	p.Text = func(i int) string { return plain.Text(p.parts[i].text()) }
	return p
}

// text returns the part with unwrapped lines.
func (p *Part) text() string {
	var lines []string
	for _, b := range p.Blocks {
		line := strings.Repeat(" ", b.Indent) + b.Section + b.Lead.Text + b.Body.Text
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// Refresh makes the text again because the session has changed.
func (p *Document) Refresh() {
	p.stale = true
	p.Changed()
}

func (p *Document) fresh() {
	if begins := p.Chosen == ""; p.stale {
		p.stale, p.parts, p.drawn = false, p.Parts(p.Look), nil
		p.SetCount(len(p.parts))
		p.count = 0
		if begins {
			p.pick(p.first())
		}
	}
}

// first returns the first part with an id, or the first one.
func (p *Document) first() int {
	return max(slices.IndexFunc(p.parts, func(part Part) bool { return part.ID != "" }), 0)
}

// SetLook changes how the document is drawn; its parts hold styles.
func (p *Document) SetLook(l *theme.Look) {
	if p.Look != l {
		p.Look = l
		p.Refresh()
	}
}

// drawPart draws a part, or returns the cached rows without a mark.
func (p *Document) drawPart(i, width int, mark theme.Span) []string {
	if p.drawn == nil || p.drawnWidth != width {
		p.drawn, p.drawnWidth = make([][]string, len(p.parts)), width
	}
	if p.drawn[i] == nil {
		left := min(max(width, 0), 1)
		if p.Plain {
			left = 0
		}
		for _, b := range p.parts[i].Blocks {
			for _, row := range b.rows(p.Look, max(width-left, 0), i == 0 && len(p.drawn[i]) == 0) {
				p.drawn[i] = append(p.drawn[i], theme.Blank(left)+row)
			}
		}
	}
	rows := p.drawn[i]
	k := slices.IndexFunc(rows, func(row string) bool { return strings.TrimSpace(row) != "" })
	if k < 0 || mark.Text == " " || width <= 0 {
		return rows
	}
	rows = slices.Clone(rows)
	rows[k] = mark.Style.Paint(mark.Text) + rows[k][1:]
	return rows
}

// View implements Pane.
func (p *Document) View(width, height int) []string {
	p.fresh()
	return p.List.View(width, height)
}

// Height returns the number of rows of the whole text.
func (p *Document) Height(width int) int {
	p.fresh()
	rows := 0
	for i := range p.parts {
		rows += len(p.Rows(i, width))
	}
	return rows
}

// Content returns the whole text with unwrapped lines.
func (p *Document) Content() string {
	p.fresh()
	var parts []string
	for i := range p.parts {
		parts = append(parts, p.parts[i].text())
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// Move selects the part above or below if it is visible, and scrolls else.
func (p *Document) Move(a Motion, width, height int) {
	p.fresh()
	if a == MoveHome || a == MoveEnd {
		p.Scroll(a, width, height)
		p.pick(map[Motion]int{MoveHome: p.first(), MoveEnd: p.N - 1}[a])
		return
	}
	by := a.rows(height)
	first, last := p.visible(width, height)
	if next := p.At + by; (a == MoveUp || a == MoveDown) && first <= next && next <= last {
		p.pick(next)
		p.reveal(width, height)
		return
	}
	p.Wheel(by, width, height)
	first, last = p.visible(width, height)
	p.pick(max(min(p.At, last), first))
}

// Scroll scrolls without selecting.
func (p *Document) Scroll(a Motion, width, height int) {
	switch a { //nolint:exhaustive // the others scroll by rows
	case MoveHome:
		p.Win = Window{}
		p.Changed()
	case MoveEnd:
		p.Wheel(p.Height(width), width, height)
	default:
		p.Wheel(a.rows(height), width, height)
	}
}

// visible returns the first and the last part on the screen.
func (p *Document) visible(width, height int) (first, last int) {
	last = p.Win.ItemAt(p, height-1, width, height)
	if last < 0 {
		last = p.N - 1
	}
	return p.Win.ItemAt(p, 0, width, height), last
}

// Selected implements Pane.
func (p *Document) Selected() string {
	if p.At < 0 || p.At >= len(p.parts) {
		return ""
	}
	return p.parts[p.At].ID
}

// Click implements Pane.
func (p *Document) Click(x, y, width, height int) {
	p.fresh()
	p.List.Click(x, y, width, height)
}

// Find implements Pane.
func (p *Document) Find(query string, forwards, from bool, width, height int) bool {
	p.fresh()
	return p.List.Find(query, forwards, from, width, height)
}

// airyWidth is the width from which an empty row separates sections.
const airyWidth = 40

// rows draws the block. The first block of a text has no empty row above it.
func (b *Block) rows(l *theme.Look, width int, first bool) []string {
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

// DocumentParts draws a document of view: the title, rows, the verdict, then the sections.
func DocumentParts(l *theme.Look, d *view.Document) []Part {
	var head []Block
	if d.Lead != "" {
		glyph, st, _ := signs(l, d.LeadRole)
		head = []Block{{Lead: st.Span(glyph + " "), Body: l.Bold.Span(d.Lead), Hang: 2}, {}}
	}
	if d.Title != "" {
		head = append(head, Block{Lead: l.Bold.Span(d.Title + "  "), Body: l.Text.Span(d.Question)})
	}
	if d.Stopped != "" {
		head = append(head, Block{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Bold.Span(d.Stopped), Hang: 2})
	}
	for _, notice := range d.Notices {
		head = append(head, Block{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Bold.Span(notice), Hang: 2})
	}
	list := []Part{{Blocks: head}}
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
	list = append(list, Part{Blocks: head})
	for i := range d.Sections {
		list = append(list, sectionParts(l, &d.Sections[i])...)
	}
	return list
}

func sectionParts(l *theme.Look, s *view.Section) []Part {
	title := s.Heading()
	title = title[:1] + strings.ToLower(title[1:])
	head := []Block{{Section: title}}
	for _, line := range s.Lines {
		head = append(head, Block{Indent: 2, Body: l.Text.Span(line)})
	}
	for _, row := range s.Table {
		values := l.Text.Span(strings.Join(row[1:], "  "))
		head = append(head, Block{Indent: 2, Lead: l.Bold.Span(row[0] + "  "), Body: values, column: true})
	}
	list := []Part{{Blocks: head}}
	widest := 0
	for i := range s.Items {
		widest = max(widest, l.Width(s.Items[i].ID))
	}
	for i := range s.Items {
		list = append(list, Part{s.Items[i].ID, itemBlocks(l, &s.Items[i], widest)})
	}
	if s.After != "" {
		var after []Block
		for line := range strings.SplitSeq(s.After, "\n") {
			after = append(after, Block{Indent: 2, Body: l.Faint.Span(line)})
		}
		list = append(list, Part{Blocks: after})
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
	list := []Block{b}
	if len(it.Aliases) > 0 {
		list = append(list, Block{Indent: b.Hang, Body: l.Faint.Span("also " + strings.Join(it.Aliases, " "))})
	}
	diff := it.Diff
	for _, n := range it.Notes {
		if l.ASCII {
			n.Text = strings.NewReplacer("✓", "+", "✗", "x").Replace(n.Text)
		}
		list = append(list, Block{Indent: b.Hang, Lead: l.Bold.Span(n.Label + "  "), Body: l.Text.Span(n.Text)})
		switch {
		case n.Quote != "" && len(diff) > 0:
			list, diff = append(list, diffBlocks(l, diff, b.Hang)...), nil
		case n.Quote != "":
			list = append(list, Block{Indent: b.Hang, Body: l.Faint.Span(n.Quote)})
		}
	}
	return list
}

// diffBlocks draws lines of a diff: each with its number and its sign, which says the same as its color. A pointer marks
// those that are meant.
func diffBlocks(l *theme.Look, lines []view.DiffLine, indent int) []Block {
	list := make([]Block, 0, len(lines))
	widest := 0
	for _, line := range lines {
		widest = max(widest, len(strconv.Itoa(line.Number)))
	}
	for _, line := range lines {
		style := l.Faint
		switch line.Sign {
		case '+':
			_, style = l.RoleLook(view.RoleGood)
		case '-':
			_, style = l.RoleLook(view.RoleBad)
		}
		mark := " "
		if line.Named {
			mark = l.Glyphs.Pointer
		}
		lead := l.Faint.Span(fmt.Sprintf("%s%*d ", mark, widest, line.Number))
		list = append(list, Block{
			Indent: indent, Lead: lead, Body: style.Span(string(line.Sign) + line.Text), Hang: indent + widest + 3,
		})
	}
	return list
}
