package form

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/list"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/tui/theme"
)

// Pick is an entry of a Picker. Do is for the caller.
type Pick[T any] struct {
	// ID is unique if it is not empty: the cursor stays on it when the list changes.
	ID string
	// Name and Detail are shown and searched.
	Name, Detail string
	// Key is the key that does the same, Why says why it cannot be chosen now; or "".
	Key, Why string
	Do       T
}

// Picker is a list to choose from, with a line to type a filter.
type Picker[T any] struct {
	Title string
	// Fill returns the list. Refresh calls it again.
	Fill func() []Pick[T]
	// Typed returns more picks for what is typed, which come last.
	Typed func(query string) []Pick[T]
	// Empty is shown if nothing matches.
	Empty string
	// Err is shown below the list until the next key.
	Err string

	all   []Pick[T]
	found []match[T]
	input textinput.Model
	at    int
	top   int
}

// match is a pick that matches the filter, with the bytes of its name that do.
type match[T any] struct {
	Pick[T]
	letters []int
}

// NewPicker returns a picker of what fill returns.
func NewPicker[T any](title string, fill func() []Pick[T]) *Picker[T] {
	p := &Picker[T]{Title: title, Fill: fill, Empty: "nothing matches", input: NewInput("type to filter")}
	p.Refresh()
	return p
}

// Refresh fills the list again. The cursor stays on the same pick.
func (p *Picker[T]) Refresh() {
	p.all = p.Fill()
	for i := range p.all {
		p.all[i].Name, p.all[i].Detail = plain.Line(p.all[i].Name), plain.Line(p.all[i].Detail)
	}
	id := ""
	if p.at < len(p.found) {
		id = p.found[p.at].ID
	}
	p.filter()
	if i := slices.IndexFunc(p.found, func(m match[T]) bool { return m.ID == id }); id != "" && i >= 0 {
		p.at = i
	}
}

// SetQuery replaces the filter.
func (p *Picker[T]) SetQuery(query string) {
	p.input.SetValue(plain.Line(query))
	p.filter()
}

// filter finds what matches: names by their letters, best first, then details by the text.
// What cannot be chosen comes last.
func (p *Picker[T]) filter() {
	query := strings.TrimSpace(p.input.Value())
	p.found, p.at, p.top = nil, 0, 0
	names := make([]string, len(p.all))
	for i, one := range p.all {
		names[i] = one.Name
		if query == "" {
			p.found = append(p.found, match[T]{Pick: one})
		}
	}
	if query != "" {
		matched := map[int]bool{}
		for _, m := range list.DefaultFilter(query, names) {
			p.found, matched[m.Index] = append(p.found, match[T]{p.all[m.Index], m.MatchedIndexes}), true
		}
		for i, one := range p.all {
			if !matched[i] && strings.Contains(strings.ToLower(one.Detail), strings.ToLower(query)) {
				p.found = append(p.found, match[T]{Pick: one})
			}
		}
	}
	if p.Typed != nil && query != "" {
		for _, one := range p.Typed(query) {
			one.Name, one.Detail = plain.Line(one.Name), plain.Line(one.Detail)
			p.found = append(p.found, match[T]{Pick: one})
		}
	}
	slices.SortStableFunc(p.found, func(a, b match[T]) int { return min(len(a.Why), 1) - min(len(b.Why), 1) })
}

// Found returns what matches the filter, in the order of the list.
func (p *Picker[T]) Found() []Pick[T] {
	return lists.Map(p.found, func(m match[T]) Pick[T] { return m.Pick })
}

// Selected returns the index under the cursor.
func (p *Picker[T]) Selected() int { return p.at }

// Hint says where the cursor is.
func (p *Picker[T]) Hint() string {
	if len(p.found) == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.at+1, len(p.found))
}

// Key passes a key or a paste to the filter.
func (p *Picker[T]) Key(msg tea.Msg) {
	before := p.input.Value()
	p.input, _ = p.input.Update(msg)
	if p.input.Value() != before {
		p.Err = ""
		p.filter()
	}
}

// Choose returns the pick under the cursor. One that cannot be chosen says why instead.
func (p *Picker[T]) Choose() (Pick[T], bool) {
	if p.at >= len(p.found) {
		return Pick[T]{}, false
	}
	one := p.found[p.at].Pick
	if one.Why != "" {
		p.Err = "not now: " + one.Why
		return one, false
	}
	return one, true
}

// Move moves the cursor.
func (p *Picker[T]) Move(by int) {
	p.at = max(min(p.at+by, len(p.found)-1), 0)
	p.Err = ""
}

// Size returns the size that the picker needs, at most the given one.
func (p *Picker[T]) Size(_ Drawer, width, height int) (int, int) {
	return min(width, maxWidth), min(height, len(p.all)+3)
}

// minDetailWidth is the width from which details are beside the names.
const minDetailWidth = 56

// View draws the picker: exactly height rows of exactly the width.
func (p *Picker[T]) View(l Drawer, width, height int) []string {
	var foot []string
	detail := ""
	if p.at < len(p.found) && width < minDetailWidth && height >= 5 {
		detail = p.found[p.at].description()
	}
	switch {
	case p.Err != "":
		lead := []theme.Span{l.Warn.Span(l.Glyphs.Warn + " ")}
		foot = l.Paragraph(width, lead, l.Warn.Span(p.Err), nil, max(min(height-2, 3), 1))
	case detail != "":
		foot = l.Paragraph(width, []theme.Span{{Text: "  "}}, l.Faint.Span(detail), nil, 2)
	}
	widest := 0
	for i := range p.all {
		widest = max(widest, l.Width(p.all[i].Name))
	}
	widest = min(widest, width/2)
	rows, room := []string{InputRow(l, &p.input, width)}, max(height-1-len(foot), 0)
	p.top = max(min(p.top, p.at, len(p.found)-room), p.at-room+1, 0)
	for i := p.top; i < len(p.found) && i < p.top+room; i++ {
		rows = append(rows, p.row(l, &p.found[i], width, widest, i == p.at))
	}
	if len(p.found) == 0 && room > 0 {
		rows = append(rows, l.Row(width, []theme.Span{l.Faint.Span("  " + p.Empty)}, nil))
	}
	for len(rows) < height-len(foot) {
		rows = append(rows, theme.Blank(width))
	}
	return append(rows, foot...)[:max(height, 0)]
}

func (m *match[T]) description() string {
	if m.Why != "" {
		return "not now: " + m.Why
	}
	return m.Detail
}

// row draws the name with the letters that match, the detail and the key.
func (p *Picker[T]) row(l Drawer, one *match[T], width, widest int, selected bool) string {
	pointer, style, key := "  ", l.Text, l.Bold
	if selected {
		pointer, style = l.Glyphs.Pointer+" ", l.Accent
	}
	if one.Why != "" {
		style, key = l.Faint, l.Faint
	}
	left := []theme.Span{l.Accent.Span(pointer)}
	// Letters outside of ASCII may combine, so those names are not split.
	if len(one.letters) == 0 || strings.ContainsFunc(one.Name, func(r rune) bool { return r > '~' }) {
		left = append(left, style.Span(one.Name))
	} else {
		for i := range len(one.Name) {
			if slices.Contains(one.letters, i) {
				left = append(left, l.Match.Span(one.Name[i:i+1]))
			} else {
				left = append(left, style.Span(one.Name[i:i+1]))
			}
		}
	}
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
