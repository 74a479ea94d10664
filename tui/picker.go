package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/list"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/tui/form"
	"moot/tui/theme"
)

// pick is an entry of a picker, with what choosing it does.
type pick struct {
	// ID is unique if it is not empty: the cursor stays on it when the list changes.
	ID string
	// Name and Detail are shown and searched.
	Name, Detail string
	// Key is the key that does the same, Why says why it cannot be chosen now; or "".
	Key, Why string
	Do       perform
}

// picker is a list to choose from as a dialog, with a line to type a filter.
type picker struct {
	heading string
	// fill returns the list; it is called again after refresh.
	fill func() []pick
	// err is shown below the list until the next key.
	err string

	all   []pick
	found []pick
	input textinput.Model
	at    int
	top   int
}

// newPicker returns a picker of what fill returns.
func newPicker(heading string, fill func() []pick) *picker {
	p := &picker{heading: heading, fill: fill, input: form.NewInput("type to filter")}
	p.refresh()
	return p
}

func (p *picker) title() string { return p.heading }

func (p *picker) place() Place { return InList }

// refresh fills the list again. The cursor stays on the same pick.
func (p *picker) refresh() {
	p.all = p.fill()
	for i := range p.all {
		p.all[i].Name, p.all[i].Detail = plain.Line(p.all[i].Name), plain.Line(p.all[i].Detail)
	}
	id := ""
	if p.at < len(p.found) {
		id = p.found[p.at].ID
	}
	p.filter()
	if i := slices.IndexFunc(p.found, func(one pick) bool { return one.ID == id }); id != "" && i >= 0 {
		p.at = i
	}
}

// filter finds what matches: names by their letters, best first, then details by the text.
// What cannot be chosen comes last.
func (p *picker) filter() {
	query := strings.TrimSpace(p.input.Value())
	p.found, p.at, p.top = nil, 0, 0
	names := make([]string, len(p.all))
	for i, one := range p.all {
		names[i] = one.Name
	}
	matched := map[int]bool{}
	if query != "" {
		for _, rank := range list.DefaultFilter(query, names) {
			p.found, matched[rank.Index] = append(p.found, p.all[rank.Index]), true
		}
	}
	for i, one := range p.all {
		if !matched[i] && strings.Contains(strings.ToLower(one.Detail), strings.ToLower(query)) {
			p.found = append(p.found, one)
		}
	}
	slices.SortStableFunc(p.found, func(a, b pick) int { return min(len(a.Why), 1) - min(len(b.Why), 1) })
}

// hint says where the cursor is.
func (p *picker) hint() string {
	if len(p.found) == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.at+1, len(p.found))
}

// key passes a key or a paste to the filter.
func (p *picker) key(msg tea.Msg) perform {
	before := p.input.Value()
	form.UpdateInput(&p.input, msg)
	if p.input.Value() != before {
		p.err = ""
		p.filter()
	}
	return nil
}

// send returns what the pick under the cursor does. One that cannot be chosen says why instead.
func (p *picker) send() perform {
	if p.at >= len(p.found) {
		return nil
	}
	one := p.found[p.at]
	if one.Why != "" {
		p.err = "not now: " + one.Why
		return nil
	}
	return one.Do
}

// scroll moves the cursor.
func (p *picker) scroll(a Action, height int) {
	page := max(height/2, 1)
	by := map[Action]int{ActionUp: -1, ActionDown: 1, ActionPageUp: -page, ActionPageDown: page}[a]
	p.at = max(min(p.at+by, len(p.found)-1), 0)
	p.err = ""
}

// size returns the size that the picker needs, at most the given one.
func (p *picker) size(_ *theme.Look, width, height int) (int, int) {
	return min(width, form.MaxWidth), min(height, len(p.all)+3)
}

// minDetailWidth is the width from which details are beside the names.
const minDetailWidth = 56

// view draws the picker: exactly height rows of exactly the width.
func (p *picker) view(l *theme.Look, width, height int) []string {
	var foot []string
	detail := ""
	if p.at < len(p.found) && width < minDetailWidth && height >= 5 {
		detail = p.found[p.at].description()
	}
	switch {
	case p.err != "":
		lead := []theme.Span{l.Warn.Span(l.Glyphs.Warn + " ")}
		foot = l.Paragraph(width, lead, l.Warn.Span(p.err), nil, max(min(height-2, 3), 1))
	case detail != "":
		foot = l.Paragraph(width, []theme.Span{{Text: "  "}}, l.Faint.Span(detail), nil, 2)
	}
	widest := 0
	for i := range p.all {
		widest = max(widest, l.Width(p.all[i].Name))
	}
	widest = min(widest, width/2)
	rows, room := []string{form.InputRow(l, &p.input, width)}, max(height-1-len(foot), 0)
	p.top = max(min(p.top, p.at, len(p.found)-room), p.at-room+1, 0)
	for i := p.top; i < len(p.found) && i < p.top+room; i++ {
		rows = append(rows, p.row(l, &p.found[i], width, widest, i == p.at))
	}
	if len(p.found) == 0 && room > 0 {
		rows = append(rows, l.Row(width, []theme.Span{l.Faint.Span("  " + "nothing matches")}, nil))
	}
	for len(rows) < height-len(foot) {
		rows = append(rows, theme.Blank(width))
	}
	return append(rows, foot...)[:max(height, 0)]
}

func (one *pick) description() string {
	if one.Why != "" {
		return "not now: " + one.Why
	}
	return one.Detail
}

// row draws the name, the detail and the key.
func (p *picker) row(l *theme.Look, one *pick, width, widest int, selected bool) string {
	pointer, style, key := "  ", l.Text, l.Bold
	if selected {
		pointer, style = l.Glyphs.Pointer+" ", l.Accent
	}
	if one.Why != "" {
		style, key = l.Faint, l.Faint
	}
	left := []theme.Span{l.Accent.Span(pointer), style.Span(one.Name)}
	if width >= minDetailWidth {
		gap := theme.Blank(max(widest-l.Width(one.Name), 0) + 2)
		left = append(left, theme.Span{Text: gap}, l.Faint.Span(one.description()))
	}
	var right []theme.Span
	if one.Key != "" {
		right = []theme.Span{key.Span(one.Key)}
	}
	return l.Row(width, left, right)
}
