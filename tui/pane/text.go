package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
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
	// sign is shown before the lead and says whether the block is folded; single cuts the body to one row.
	sign   theme.Span
	single bool
}

// Part is a heading of a document, or an item with its notes.
type Part struct {
	// ID is the id of the item, such as P3 or K1, or "". Key tells it from others with the same id: a point that is open
	// for the user is among the unresolved ones, too.
	ID, Key string
	// Folds says that the notes of the item can be folded.
	Folds  bool
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
	p.Key = func(i int) string { return cmp.Or(p.parts[i].Key, p.parts[i].ID, strconv.Itoa(i)) }
	p.Text = func(i int) string { return plain.Text(p.parts[i].text()) }
	return p
}

// text returns the part with unwrapped lines.
func (p *Part) text() string {
	var lines []string
	for _, b := range p.Blocks {
		line := strings.Repeat(" ", b.Indent) + b.Section + b.sign.Text + b.Lead.Text + b.Body.Text
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
	lead := []theme.Span{{Text: strings.Repeat(" ", b.Indent)}, b.sign, b.Lead}
	if b.single {
		// The last column stays free.
		body := b.Body
		room := width - 1 - b.Indent - l.Width(b.sign.Text+b.Lead.Text)
		if len(right) > 0 {
			room -= l.Width(right[0].Text) + 1
		}
		if line := l.Line(body.Text); l.Width(line) > room {
			body.Text = l.Clip(line, max(room, 0))
		}
		return []string{l.Row(width, append(lead, body), right)}
	}
	if b.column && b.Hang > width*2/5 {
		indent := []theme.Span{{Text: strings.Repeat(" ", b.Indent+2)}}
		return append([]string{l.Row(width, lead, right)}, l.Paragraph(width, indent, b.Body, nil, 0)...)
	}
	if len(right) > 0 && l.Width(right[0].Text) > width*2/5 {
		// Beside the text it would leave too little room for it.
		below := []theme.Span{{Text: strings.Repeat(" ", max(b.Hang, b.Indent))}, right[0]}
		return append(l.Hanging(width, lead, b.Body, nil, b.Hang), l.Row(width, below, nil))
	}
	return l.Hanging(width, lead, b.Body, right, b.Hang)
}

// DocumentParts draws a document of view, in its order. Everything is unfolded.
func DocumentParts(l *theme.Look, d *view.Document) []Part {
	w := &documentWriter{Look: l}
	return w.document(d)
}

// documentWriter draws documents of view.
type documentWriter struct {
	*theme.Look
	// unfolded reports whether the notes of an item of a section are shown, by the key of its part. If it is nil, all are,
	// and no sign says that they can be folded.
	unfolded func(key string) bool
}

// document draws a document: the title, the answer, the verdict, what is open, the sections, then the rows.
func (w *documentWriter) document(d *view.Document) []Part {
	var head []Block
	var list []Part
	flush := func() {
		if len(head) > 0 {
			list = append(list, Part{Blocks: head})
		}
		head = nil
	}
	warn := func(text string, style theme.Style) {
		head = append(head, Block{Lead: w.Warn.Span(w.Glyphs.Warn + " "), Body: style.Span(text), Hang: 2})
	}
	if d.Lead != "" {
		glyph, st, _ := signs(w.Look, d.LeadRole)
		head = append(head, Block{Lead: st.Span(glyph + " "), Body: w.Bold.Span(d.Lead), Hang: 2}, Block{})
	}
	switch {
	case d.Title != "" && d.Question == "":
		head = append(head, Block{Body: w.Bold.Span(d.Title)})
	case d.Title != "":
		head = append(head, Block{Lead: w.Bold.Span(d.Title + "  "), Body: w.Text.Span(d.Question)})
	}
	if d.Stopped != "" {
		warn(d.Stopped, w.Bold)
	}
	for _, notice := range d.Notices {
		warn(notice, w.Bold)
	}
	if len(d.Answer.Items) > 0 {
		flush()
		list = append(list, w.section(&d.Answer, nil)...)
	}
	if !d.RowsLast {
		head = append(head, w.rows(d.Rows)...)
	}
	if d.Heading != "" {
		glyph, st, _ := signs(w.Look, d.Role)
		head = append(head, Block{}, Block{Lead: st.Span(glyph + " " + d.Heading), Hang: 2})
		for _, line := range d.Verdict {
			head = append(head, Block{Indent: 2, Body: w.Text.Span(line)})
		}
	}
	if !d.Open.Empty() {
		flush()
		list = append(list, w.section(&d.Open, nil)...)
	}
	if len(d.Warnings) > 0 && len(head) == 0 {
		head = append(head, Block{})
	}
	for _, text := range d.Warnings {
		warn(text, w.Text)
	}
	flush()
	for i := range d.Sections {
		list = append(list, w.section(&d.Sections[i], w.unfolded)...)
	}
	if d.RowsLast && len(d.Rows) > 0 {
		list = append(list, Part{Blocks: append([]Block{{Section: sectionTitle(view.ThisSession)}}, w.rows(d.Rows)...)})
	}
	return list
}

func (w *documentWriter) rows(rows []view.Row) []Block {
	list := make([]Block, 0, len(rows))
	for _, r := range rows {
		if w.ASCII {
			r.Text = strings.ReplaceAll(r.Text, "→", "->")
		}
		label := w.Faint.Span(fmt.Sprintf("%-9s ", r.Label))
		list = append(list, Block{Indent: 2, Lead: label, Body: w.Text.Span(r.Text), column: true, Hang: 12})
	}
	return list
}

// sectionTitle writes a title of a section as on the screens: "Open for you (2)".
func sectionTitle(title string) string { return resolver.Capital(strings.ToLower(title)) }

// section draws a section. If unfolded is not nil, items with notes are folded unless it reports that they are not.
func (w *documentWriter) section(s *view.Section, unfolded func(key string) bool) []Part {
	head := []Block{{Section: sectionTitle(s.Heading())}}
	for _, line := range s.Lines {
		head = append(head, Block{Indent: 2, Body: w.Text.Span(line)})
	}
	for _, row := range s.Table {
		text := strings.Join(row[1:], "  ")
		if w.ASCII {
			text = strings.ReplaceAll(text, "–", "-")
		}
		values := w.Text.Span(text)
		head = append(head, Block{Indent: 2, Lead: w.Bold.Span(row[0] + "  "), Body: values, column: true})
	}
	list := []Part{{Blocks: head}}
	widest := 0
	for i := range s.Items {
		widest = max(widest, w.Width(s.Items[i].ID))
	}
	for i := range s.Items {
		it := &s.Items[i]
		part := Part{ID: it.ID}
		if it.ID != "" {
			part.Key = s.Title + " " + it.ID
		}
		if folds := unfolded != nil && it.ID != "" && len(it.Notes)+len(it.Aliases) > 0; folds {
			part.Folds = true
			part.Blocks = w.foldable(it, widest, unfolded(part.Key))
		} else {
			part.Blocks = itemBlocks(w.Look, it, widest)
		}
		list = append(list, part)
	}
	if s.After != "" {
		var after []Block
		for line := range strings.SplitSeq(s.After, "\n") {
			after = append(after, Block{Indent: 2, Body: w.Text.Span(line)})
		}
		list = append(list, Part{Blocks: after})
	}
	return list
}

// foldable draws an item with a sign that says whether its notes are shown. Folded, it takes one row.
func (w *documentWriter) foldable(it *view.Item, widest int, unfolded bool) []Block {
	blocks := itemBlocks(w.Look, it, widest)
	sign := w.Glyphs.Folded
	if unfolded {
		sign = w.Glyphs.Unfolded
	} else {
		blocks = blocks[:1]
		blocks[0].single = true
	}
	blocks[0].sign = w.Faint.Span(sign + " ")
	shift := w.Width(sign) + 1
	for i := range blocks {
		if blocks[i].Hang > 0 {
			blocks[i].Hang += shift
		}
		if i > 0 {
			blocks[i].Indent += shift
		}
	}
	return blocks
}

// itemBlocks draws an item with its notes.
func itemBlocks(l *theme.Look, it *view.Item, widest int) []Block {
	b := Block{Indent: 2, Body: l.Text.Span(it.Text)}
	lead := ""
	if it.ID != "" {
		lead = it.ID + strings.Repeat(" ", widest-l.Width(it.ID)+2)
	}
	tag := l.Text
	switch {
	case it.Role != view.RolePlain:
		glyph, st, _ := signs(l, it.Role)
		b.Lead, tag = st.Span(glyph+" "+lead), st
	case lead != "":
		b.Lead = l.Bold.Span(lead)
	}
	b.Hang = 2 + l.Width(b.Lead.Text)
	if it.Mark != "" {
		b.Right = tag.Span(it.Mark)
	}
	list := []Block{b}
	indent := b.Hang
	if b.Lead.Text == "" {
		indent += 2
	}
	if len(it.Aliases) > 0 {
		list = append(list, Block{Indent: indent, Body: l.Text.Span("also " + strings.Join(it.Aliases, " "))})
	}
	for i, n := range it.Notes {
		if l.ASCII {
			n.Text = strings.NewReplacer("✓", "+", "✗", "x").Replace(n.Text)
		}
		if i+1 < len(it.Notes) && n.Label == "rests on" && it.Notes[i+1].Label == "objections" && l.Width(n.Text) <= maxBeside {
			// A sentence of the answer takes one row for both.
			continue
		}
		if i > 0 && n.Label == "objections" && it.Notes[i-1].Label == "rests on" && l.Width(it.Notes[i-1].Text) <= maxBeside {
			rests := it.Notes[i-1].Text
			if l.ASCII {
				rests = strings.NewReplacer("✓", "+", "✗", "x").Replace(rests)
			}
			lead := noteStyle(l, it.Notes[i-1].Text).Span("rests on  " + rests + "   ")
			list = append(list, Block{Indent: indent, Lead: lead, Body: l.Text.Span("objections  " + n.Text), Hang: indent + 2})
			continue
		}
		list = append(list, Block{
			Indent: indent, Lead: l.Bold.Span(n.Label + "  "), Body: noteStyle(l, n.Text).Span(n.Text), Hang: indent + 2,
		})
		switch {
		case i == 0 && len(it.Diff) > 0:
			list = append(list, diffBlocks(l, it.Diff, indent)...)
		case n.Quote != "":
			bar := l.Border.Span(l.Glyphs.Vertical + " ")
			for line := range strings.SplitSeq(n.Quote, "\n") {
				list = append(list, Block{Indent: indent + 2, Lead: bar, Body: l.Text.Span(line), Hang: indent + 4})
			}
		}
	}
	return list
}

// maxBeside is the width of what a sentence rests on up to which the objections are beside it.
const maxBeside = 40

// noteStyle colors a note that begins with the sign of a point: "✓ P1 cited".
func noteStyle(l *theme.Look, text string) theme.Style {
	for sign, role := range map[string]view.Role{"✓ ": view.RoleGood, "✗ ": view.RoleBad, "? ": view.RoleDoubt} {
		if strings.HasPrefix(text, sign) {
			_, st := l.RoleLook(role)
			return st
		}
	}
	return l.Text
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
		style := l.Text
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
