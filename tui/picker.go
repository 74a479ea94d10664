package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/list"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/state"
	"moot/tui/form"
	"moot/tui/home"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// pick is an entry of a picker, with what choosing it does.
type pick struct {
	// ID is unique if it is not empty: the cursor stays on it when the list changes.
	ID string
	// Name and Detail are shown and searched.
	Name, Detail string
	// Key is the key that does the same, Why says why it cannot be chosen now; or "".
	Key, Why string
	// Kind says in a word what it is. About is shown of the entry under the cursor, on a picker that fills the screen.
	Kind  string
	About []view.Row
	Do    perform
}

// picker is a list to choose from as a dialog, with a line to type a filter.
type picker struct {
	heading string
	// fill returns the list; it is called again after refresh.
	fill func() []pick
	// fills says that the picker takes the whole screen and shows what each entry is.
	fills bool
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
		if !matched[i] && strings.Contains(strings.ToLower(one.Kind+" "+one.Detail), strings.ToLower(query)) {
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
	if p.fills {
		return width, height
	}
	return min(width, form.MaxWidth), min(height, len(p.all)+3)
}

// minDetailWidth is the width from which details are beside the names.
const minDetailWidth = 56

const (
	// From besideWidth on, a picker that fills the screen shows the details beside its list.
	besideWidth = 90
	// detailRows is how many rows they have below it, if there are at least fewestListRows for the list.
	detailRows, fewestListRows = 6, 5
)

// view draws the picker: exactly height rows of exactly the width.
func (p *picker) view(l *theme.Look, width, height int) []string {
	if !p.fills {
		return p.list(l, width, height)
	}
	if width >= besideWidth {
		left := width * 55 / 100
		rows, details := p.list(l, left, height), p.details(l, width-left-3, height)
		for i := range rows {
			rows[i] += " " + l.Border.Paint(l.Glyphs.Vertical) + " " + details[i]
		}
		return rows
	}
	below := min(detailRows, height-fewestListRows-1)
	if below < 2 {
		return p.list(l, width, height)
	}
	rows := append(p.list(l, width, height-below-1), l.Border.Paint(strings.Repeat(l.Glyphs.Horizontal, width)))
	return append(rows, p.details(l, width, below)...)
}

// details draws what the entry under the cursor is.
func (p *picker) details(l *theme.Look, width, height int) []string {
	var rows []string
	if p.at < len(p.found) {
		one := &p.found[p.at]
		rows = append(rows, l.Paragraph(width, nil, l.Bold.Span(one.Name), nil, 0)...)
		if one.Why != "" {
			lead := []theme.Span{l.Warn.Span(l.Glyphs.Warn + " ")}
			rows = append(rows, l.Paragraph(width, lead, l.Text.Span("not usable: "+one.Why), nil, 0)...)
		}
		for _, row := range one.About {
			lead := []theme.Span{l.Faint.Span(l.Padded(row.Label, 9))}
			rows = append(rows, l.Paragraph(width, lead, l.Text.Span(row.Text), nil, 0)...)
		}
	}
	return pane.Fit(rows, width, height)
}

// list draws the filter and the entries.
func (p *picker) list(l *theme.Look, width, height int) []string {
	var foot []string
	detail := ""
	if p.at < len(p.found) && !p.fills && width < minDetailWidth && height >= 5 {
		detail = p.found[p.at].description()
	}
	switch {
	case p.err != "":
		lead := []theme.Span{l.Warn.Span(l.Glyphs.Warn + " ")}
		foot = l.Paragraph(width, lead, l.Warn.Span(p.err), nil, max(min(height-2, 3), 1))
	case detail != "":
		foot = l.Paragraph(width, []theme.Span{{Text: "  "}}, l.Text.Span(detail), nil, 2)
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
	if p.fills {
		gap := theme.Blank(max(widest-l.Width(one.Name), 0) + 2)
		state := l.Text.Span("")
		if one.Why != "" {
			state = l.Warn.Span("  not usable")
		}
		return l.Row(width, append(left, theme.Span{Text: gap}, l.Text.Span(one.Kind), state), nil)
	}
	if width >= minDetailWidth {
		gap := theme.Blank(max(widest-l.Width(one.Name), 0) + 2)
		left = append(left, theme.Span{Text: gap}, l.Text.Span(one.description()))
	}
	var right []theme.Span
	if one.Key != "" {
		right = []theme.Span{key.Span(one.Key)}
	}
	return l.Row(width, left, right)
}

// openParticipants opens the screen on which the participant of a field is chosen.
func (m *Model) openParticipants() {
	f, ok := m.dialog().(*formDialog)
	if !ok {
		return
	}
	field, ok := f.Participant()
	if !ok {
		return
	}
	p := newPicker("Participant: "+field.Label, func() []pick { return m.participantPicks(f, &field) })
	p.fills = true
	// The cursor begins on the one that has the seat.
	value := f.Values()[field.Key]
	if i := slices.IndexFunc(p.found, func(one pick) bool { return one.ID == value }); i >= 0 {
		p.at = i
	}
	m.push(p)
}

// participantPicks lists the choices of a field, and the participants that were found but cannot be used, with the reason.
func (m *Model) participantPicks(f *formDialog, field *view.Field) []pick {
	known := map[string]home.Candidate{}
	var unusable []home.Candidate
	if c := m.home.Candidates; c != nil {
		for _, one := range slices.Concat(c.Found, c.Named) {
			known[one.Name] = one
			if !one.Usable && !slices.ContainsFunc(field.Choices, func(o view.Choice) bool { return o.Value == one.Name }) {
				unusable = append(unusable, one)
			}
		}
	}
	var list []pick
	for _, o := range field.Choices {
		one := known[o.Value]
		p := pick{
			ID: o.Value, Name: o.Shown(), Detail: o.Help, Kind: participantKind(o.Value, one.Kind),
			Do: func(*Model) tea.Cmd {
				f.Enter(field.Key, o.Value)
				return nil
			},
		}
		p.About = participantRows(p.Kind, &one)
		if one.Name == "" && o.Help != "" {
			p.About = append(p.About, view.Row{Label: "about", Text: o.Help})
		}
		list = append(list, p)
	}
	for i := range unusable {
		one := &unusable[i]
		kind := participantKind(one.Name, one.Kind)
		list = append(list, pick{
			ID: one.Name, Name: one.Name, Detail: view.Sentence(one.Title, one.Why), Why: one.Why, Kind: kind,
			About: participantRows(kind, one),
		})
	}
	return list
}

// participantRows says what a candidate is, for the details.
func participantRows(kind string, c *home.Candidate) []view.Row {
	var rows []view.Row
	add := func(label, text string) {
		if text != "" {
			rows = append(rows, view.Row{Label: label, Text: text})
		}
	}
	what := map[string]string{
		"model": "a language model behind an API", "program": "an agent program that runs on this machine",
		"script": "replies from a file: no language model", "rules": "built-in rules: they search and quote, and judge nothing",
		"you": "you speak for the seat, at this screen",
	}
	add("what", what[kind])
	add("is", c.Title)
	switch {
	case c.Usable:
		add("found", c.Why)
	case c.Name != "":
		add("why not", c.Why)
	}
	if c.Local {
		add("runs", "on this machine")
	}
	add("costs", c.Cost)
	return rows
}

// participantKind says in a word what a participant is. What it was found as comes before what its name looks like.
func participantKind(name, found string) string {
	_, is := state.SplitName(name)
	switch {
	case name == "", found != "", strings.HasSuffix(name, "…"): // the last is the choice to type a name
		return found
	case is == state.BuiltInRules:
		return "rules"
	case is == state.Person:
		return "you"
	case strings.HasPrefix(is, "script:"):
		return "script"
	case strings.HasPrefix(is, "exec:"), !strings.Contains(is, ":"):
		return "program"
	}
	return "model"
}
