package pane

import (
	"fmt"
	"strings"

	"moot/tui/theme"
	"moot/view"
)

// part is a heading of a document, or an item with its notes.
type part struct {
	// id is what the item is about: P3, K1; "" if nothing can be selected.
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
	head := []Block{{Lead: l.Bold.Span(d.Title + "  "), Body: l.Text.Span(d.Question)}}
	for _, r := range d.Rows {
		if l.ASCII {
			r.Text = strings.ReplaceAll(r.Text, "→", "->")
		}
		head = append(head, Block{Indent: 2, Lead: l.Faint.Span(fmt.Sprintf("%-9s ", r.Label)), Body: l.Text.Span(r.Text), column: true, Hang: 12})
	}
	if d.Heading != "" {
		glyph, st, _ := tone(d.Role).signs(l)
		head = append(head, Block{}, Block{Lead: st.Span(glyph + " " + d.Heading), Hang: 2})
		for _, line := range d.Verdict {
			head = append(head, Block{Indent: 2, Body: l.Text.Span(line)})
		}
	}
	for _, w := range d.Warnings {
		head = append(head, Block{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Text.Span(w), Hang: 2})
	}
	list := []part{{blocks: head}}
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
			head = append(head, Block{Indent: 2, Lead: l.Bold.Span(row[0] + "  "), Body: l.Text.Span(strings.Join(row[1:], "  ")), column: true})
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
		glyph, st, _ := tone(it.Role).signs(l)
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
