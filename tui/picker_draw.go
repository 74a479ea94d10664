package tui

import (
	"slices"
	"strings"

	"moot/tui/pane"
	"moot/tui/theme"
)

// besideNames is the width from which details stand beside the names; in less
// the one of what is pointed at stands below.
const besideNames = 56

func (p *picker) size(_ *theme.Look, width, height int) (int, int) {
	return min(width, 92), min(height, len(p.picks)+3)
}

// count and rows make the picker an items.
func (p *picker) Count() int { return len(p.found) }

func (p *picker) Rows(i, width int) []string {
	return []string{p.row(&p.found[i], width, i == p.at)}
}

func (p *picker) view(l *theme.Look, width, height int) []string {
	p.look = l
	p.measure(width)
	rows := []string{inputRow(l, &p.input, width)}
	foot := p.foot(width, height)
	room := max(height-len(rows)-len(foot), 0)
	switch {
	case len(p.found) == 0 && room > 0:
		rows = append(rows, l.Row(width, []theme.Span{l.Faint.Span("  " + p.empty)}, nil))
	case room > 0:
		p.win.Show(p, p.at, width, room)
		seen, _ := p.win.View(p, width, room)
		rows = append(rows, seen...)
	}
	return pane.Fit(append(pane.Fit(rows, width, height-len(foot)), foot...), width, height)
}

// measure finds how wide the names are.
func (p *picker) measure(width int) {
	p.named = 0
	for i := range p.picks {
		p.named = max(p.named, p.look.Width(p.picks[i].name))
	}
	p.named = min(p.named, width/2)
}

// row draws a line: the name with the letters that were found, what it does, and
// its key.
func (p *picker) row(one *found, width int, pointed bool) string {
	l := p.look
	left := []theme.Span{l.Accent.Span(when(pointed, l.Glyphs.Pointer+" ", "  "))}
	left = append(left, p.nameSpans(one, pointed)...)
	if width >= besideNames {
		gap := max(p.named-l.Width(one.name), 0) + 2
		detail := when(one.why == "", one.detail, "not now: "+one.why)
		left = append(left, theme.Span{Text: theme.Blank(gap)}, l.Faint.Span(detail))
	}
	var right []theme.Span
	if one.key != "" {
		right = []theme.Span{when(one.why == "", l.Bold, l.Faint).Span(one.key)}
	}
	return l.Row(width, left, right)
}

// nameSpans is a name with the letters that were found marked. Other letters than
// those of ASCII may draw together, and are not parted.
func (p *picker) nameSpans(one *found, pointed bool) []theme.Span {
	l := p.look
	st := when(pointed, l.Accent, l.Text)
	if one.why != "" {
		st = l.Faint
	}
	if len(one.letters) == 0 || strings.ContainsFunc(one.name, func(r rune) bool { return r > '~' }) {
		return []theme.Span{st.Span(one.name)}
	}
	var spans []theme.Span
	for from := 0; from < len(one.name); {
		on, to := slices.Contains(one.letters, from), from+1
		for to < len(one.name) && slices.Contains(one.letters, to) == on {
			to++
		}
		spans = append(spans, when(on, l.Match, st).Span(one.name[from:to]))
		from = to
	}
	return spans
}

// foot is what stands below the list: what was wrong, or the detail of what is
// pointed at where it has no room beside the name.
func (p *picker) foot(width, height int) []string {
	l := p.look
	if p.wrong != "" {
		return l.Paragraph(width, []theme.Span{l.Warn.Span(l.Glyphs.Warn + " ")}, l.Warn.Span(p.wrong), nil, max(min(height-2, 3), 1))
	}
	one := p.pointed()
	if one == nil || width >= besideNames || height < 5 {
		return nil
	}
	detail := when(one.why == "", one.detail, "not now: "+one.why)
	if detail == "" {
		return nil
	}
	return l.Paragraph(width, []theme.Span{{Text: "  "}}, l.Faint.Span(detail), nil, 2)
}

// click takes what was clicked.
func (p *picker) click(_, y, width, height int) intent {
	rows := max(height-1-len(p.foot(width, height)), 0)
	if y < 1 || y > rows {
		return nil
	}
	if i := p.win.ItemAt(p, y-1, width, rows); i >= 0 {
		p.at = i
		return p.send()
	}
	return nil
}
