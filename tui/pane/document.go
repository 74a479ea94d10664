package pane

import (
	"fmt"
	"strings"

	"moot/tui/theme"
	"moot/view"
)

// DocumentBlocks draws a document of view: the title, rows, the verdict, then the sections.
func DocumentBlocks(l *theme.Look, d *view.Document) []Block {
	list := []Block{{Lead: l.Bold.Span(d.Title + "  "), Body: l.Text.Span(d.Question)}}
	for _, r := range d.Rows {
		list = append(list, Block{Indent: 2, Lead: l.Faint.Span(fmt.Sprintf("%-9s ", r.Label)), Body: l.Text.Span(r.Text), column: true, Hang: 12})
	}
	if d.Heading != "" {
		glyph, st, _ := tone(d.Role).signs(l)
		list = append(list, Block{}, Block{Lead: st.Span(glyph + " " + d.Heading), Hang: 2})
		for _, line := range d.Verdict {
			list = append(list, Block{Indent: 2, Body: l.Text.Span(line)})
		}
	}
	for _, w := range d.Warnings {
		list = append(list, Block{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Text.Span(w), Hang: 2})
	}
	for i := range d.Sections {
		list = append(list, sectionBlocks(l, &d.Sections[i])...)
	}
	return list
}

func sectionBlocks(l *theme.Look, s *view.Section) []Block {
	title := s.Title[:1] + strings.ToLower(s.Title[1:])
	if !s.Uncounted {
		title += fmt.Sprintf(" (%d)", s.Total())
	}
	list := []Block{{Section: title}}
	for _, line := range s.Lines {
		list = append(list, Block{Indent: 2, Body: l.Text.Span(line)})
	}
	if len(s.Lines) == 0 {
		for _, row := range s.Table {
			list = append(list, Block{Indent: 2, Lead: l.Bold.Span(row[0] + "  "), Body: l.Text.Span(strings.Join(row[1:], "  ")), column: true})
		}
	}
	widest := 0
	for i := range s.Items {
		widest = max(widest, l.Width(s.Items[i].ID))
	}
	for i := range s.Items {
		it := &s.Items[i]
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
		list = append(list, b)
		for _, n := range it.Notes {
			list = append(list, Block{Indent: b.Hang, Lead: l.Bold.Span(n.Label + "  "), Body: l.Text.Span(n.Text)})
			if n.Quote != "" {
				list = append(list, Block{Indent: b.Hang, Body: l.Faint.Span(n.Quote)})
			}
		}
	}
	if s.After != "" {
		for line := range strings.SplitSeq(s.After, "\n") {
			list = append(list, Block{Indent: 2, Body: l.Faint.Span(line)})
		}
	}
	return list
}
