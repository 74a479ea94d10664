package pane

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Findings lists the findings of a review, with the selected one beside or below the list.
type Findings struct {
	List
	detail  *Document
	state   *state.State
	rulings []state.Ruling
	// calls are those under way.
	calls []*Call
	clock Clock
	// all is computed when it is first drawn or asked for after the state has changed.
	all   view.Findings
	stale bool
	// entries are the rows of the list: a heading, or the index of a finding.
	entries []findingEntry
	// only are the filters; "" shows all.
	only FindingFilter
}

// FindingFilter says which findings are shown. Empty fields show all.
type FindingFilter struct{ Severity, Status, Path string }

type findingEntry struct {
	heading string
	finding int
}

// NewFindings returns an empty pane.
func NewFindings(l *theme.Look) *Findings {
	p := &Findings{List: List{Look: l, id: FindingsID, At: -1}, state: &state.State{}}
	p.Draw = p.drawEntry
	p.Key = func(i int) string {
		if p.entries[i].heading != "" {
			return ""
		}
		return p.all.List[p.entries[i].finding].ID
	}
	p.Text = func(i int) string {
		if p.entries[i].heading != "" {
			return p.entries[i].heading
		}
		f := &p.all.List[p.entries[i].finding]
		return view.Join(" ", f.ID, f.Mark, f.Place, f.Text, f.Why)
	}
	p.detail = NewDocument(l, func(l *theme.Look) []Part {
		f := p.Finding(p.Chosen)
		if f == nil {
			return nil
		}
		return FindingParts(l, f)
	})
	p.detail.Plain = true
	return p
}

// FindingParts draws a finding with all the words about it.
func FindingParts(l *theme.Look, f *view.Finding) []Part {
	return []Part{{ID: f.ID, Blocks: itemBlocks(l, &f.Item, l.Width(f.ID))}}
}

// SetState shows a state.
func (p *Findings) SetState(s *state.State, rulings []state.Ruling) {
	p.state, p.rulings, p.stale = s, rulings, true
	p.Changed()
}

// SetLive sets the running calls.
func (p *Findings) SetLive(calls []*Call, clock Clock) {
	if len(calls) > 0 || len(p.calls) > 0 {
		p.Changed()
	}
	p.calls, p.clock = calls, clock
}

// SetLook implements Pane.
func (p *Findings) SetLook(k *theme.Look) {
	p.List.SetLook(k)
	p.detail.SetLook(k)
}

// fresh lists the findings again after a change.
func (p *Findings) fresh() {
	if !p.stale {
		return
	}
	p.stale = false
	p.all = view.FindingsOf(p.state, p.rulings)
	p.filter()
}

// filter lists the findings that the filters let through, under the headings of their sections.
func (p *Findings) filter() {
	p.entries = nil
	section, shown := "", 0
	for i := range p.all.List {
		f := &p.all.List[i]
		if !p.only.lets(f) {
			continue
		}
		if f.Section != section && (f.Section != p.all.List[0].Section || section != "") {
			heading := f.Section[:1] + strings.ToLower(f.Section[1:])
			p.entries = append(p.entries, findingEntry{heading: heading})
		}
		section = f.Section
		p.entries = append(p.entries, findingEntry{finding: i})
		shown++
	}
	if p.At >= 0 && p.At < len(p.entries) && p.Key(p.At) != p.Chosen {
		// SetCount finds the selected finding in the new list.
		p.At = -1
	}
	p.SetCount(len(p.entries))
	p.count, p.Moved = shown, true
	p.detail.Refresh()
}

func (o *FindingFilter) lets(f *view.Finding) bool {
	return (o.Severity == "" || o.Severity == f.Severity) && (o.Status == "" || o.Status == f.Status) &&
		(o.Path == "" || o.Path == f.Path)
}

// FilterBy changes the filter that filter returns to the next value that findings have, and after the last to all.
func (p *Findings) FilterBy(filter func(*FindingFilter) *string, value func(*view.Finding) string) {
	p.fresh()
	var values []string
	for i := range p.all.List {
		if v := value(&p.all.List[i]); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	now := filter(&p.only)
	next := slices.Index(values, *now) + 1
	*now = ""
	if next < len(values) {
		*now = values[next]
	}
	p.filter()
}

// OnlyFile shows only the findings in the file of the selected one, or those in all files again.
func (p *Findings) OnlyFile() {
	f := p.Finding(p.Selected())
	switch {
	case p.only.Path != "":
		p.only.Path = ""
	case f != nil:
		p.only.Path = f.Path
	}
	p.filter()
}

// ShowAll drops the filters.
func (p *Findings) ShowAll() {
	p.fresh()
	p.only = FindingFilter{}
	p.filter()
}

// Adopt takes over the filters and the selection of another pane, whose session continues in this one.
func (p *Findings) Adopt(other *Findings) {
	p.only, p.At, p.Chosen, p.Win, p.stale = other.only, other.At, other.Chosen, other.Win, true
	if f := p.Finding(p.Chosen); f != nil {
		p.List.Choose(f.ID)
	}
}

// Filtered reports whether a filter is set.
func (p *Findings) Filtered() bool { return p.only != FindingFilter{} }

// Finding returns the finding with an ID, or the one that it was merged into. It returns nil for an unknown ID.
func (p *Findings) Finding(id string) *view.Finding {
	p.fresh()
	for i := range p.all.List {
		if f := &p.all.List[i]; id != "" && (f.ID == id || slices.Contains(f.Aliases, id)) {
			return f
		}
	}
	return nil
}

// Comment returns a finding as a comment for the author of the change.
func Comment(f *view.Finding) string {
	lines := []string{view.Sentence(view.Join(" ", f.Place, "("+f.Mark+")"), f.Text)}
	if f.Why != "" {
		lines = append(lines, "", f.Why)
	}
	if f.Fix != "" {
		lines = append(lines, "", "Fix: "+f.Fix)
	}
	if len(f.RaisedBy) > 0 {
		lines = append(lines, "", "Raised by "+resolver.SeatNames(f.RaisedBy)+".")
	}
	return strings.Join(lines, "\n")
}

// Copied implements Pane: the selected finding as a comment.
func (p *Findings) Copied() string {
	if f := p.Finding(p.Selected()); f != nil {
		return Comment(f)
	}
	return p.List.Copied()
}

// Selected implements Pane.
func (p *Findings) Selected() string {
	p.fresh()
	return p.Chosen
}

// Choose selects a finding, or the one that it was merged into.
func (p *Findings) Choose(id string) {
	if f := p.Finding(id); f != nil {
		p.List.Choose(f.ID)
	}
}

// Title implements Pane: how many findings are shown, and which.
func (p *Findings) Title() string {
	p.fresh()
	if !p.Filtered() {
		return p.List.Title()
	}
	file := path.Base(p.only.Path)
	if p.only.Path == "" {
		file = ""
	}
	return fmt.Sprintf("%s %d of %d: %s", FindingsID, p.count, len(p.all.List),
		view.Join(", ", p.only.Severity, p.only.Status, plain.OneLine(file)))
}

// Sizes of the pane: from besideWidth the selected finding is beside the list, from belowHeight below it.
const (
	besideWidth = 96
	belowHeight = 13
)

// areas are the rectangles of the reviewers, the list and the selected finding, which is empty if there is no room.
func (p *Findings) areas(width, height int) (head, list, detail Rect) {
	head = Rect{W: width, H: min(p.headHeight(height), height)}
	list = Rect{Y: head.H, W: width, H: height - head.H}
	switch {
	case len(p.all.List) == 0:
	case width >= besideWidth:
		list.W = width * 45 / 100
		detail = Rect{X: list.W + 1, Y: list.Y, W: width - list.W - 1, H: list.H}
	case list.H >= belowHeight:
		list.H = max(list.H*2/5, 4)
		detail = Rect{Y: list.Y + list.H + 1, W: width, H: height - list.Y - list.H - 1}
	}
	return head, list, detail
}

// rosterHeight is the height from which each reviewer has a row while the session runs.
const rosterHeight = 14

func (p *Findings) headHeight(height int) int {
	switch {
	case len(p.all.Reviewers) == 0 || height < 4:
		return 0
	case p.state.Over() || height < rosterHeight:
		return 1
	}
	return len(p.all.Reviewers)
}

// View implements Pane.
func (p *Findings) View(width, height int) []string {
	p.fresh()
	head, list, detail := p.areas(width, height)
	rows := p.drawReviewers(width, head.H)
	p.empty = "no findings yet"
	switch {
	case p.Filtered():
		p.empty = "no finding matches the filter"
	case p.state.Over():
		p.empty = "there are no findings"
	}
	left := p.RowsOrEmpty(list.W, list.H, p.empty)
	if detail.Empty() {
		return Fit(append(rows, left...), width, height)
	}
	if p.detail.Chosen != p.Chosen {
		p.detail.At, p.detail.Chosen, p.detail.Win = -1, "", Window{}
		p.detail.Refresh()
	}
	right := p.detail.View(detail.W, detail.H)
	if detail.X == 0 {
		rows = append(append(rows, left...), p.Look.Rule(width, p.Chosen))
		return Fit(append(rows, right...), width, height)
	}
	divider := p.Look.Border.Paint(p.Look.Glyphs.Vertical)
	for i := range left {
		rows = append(rows, left[i]+divider+right[i])
	}
	return Fit(rows, width, height)
}

// drawReviewers says what each reviewer does or did, in a row each, or all in one.
func (p *Findings) drawReviewers(width, height int) []string {
	if height == 0 {
		return nil
	}
	l, list := p.Look, slices.Clone(p.all.Reviewers)
	for i := range list {
		for _, c := range p.calls {
			if c.Seat == list[i].Seat && !c.Done {
				seconds := int(p.clock.Now.Sub(c.Since).Seconds())
				list[i].Said, list[i].Role = fmt.Sprintf("%s, %d s", view.StageName(c.Stage), seconds), view.RoleQuiet
			}
		}
	}
	named := func(r *view.Reviewer) []theme.Span {
		glyph, st, _ := signs(l, r.Role)
		return []theme.Span{st.Span(" " + glyph + " "), l.SeatStyle(r.Seat).Span(string(r.Seat))}
	}
	if height == len(list) && height > 1 {
		var rows []string
		for i := range list {
			left := append(named(&list[i]), l.Text.Span("  "+list[i].Said))
			rows = append(rows, l.Row(width, left, []theme.Span{l.Faint.Span(list[i].Participant + " ")}))
		}
		return rows
	}
	// The first of these that fits: all that they said, without reasons, their names, how many answered.
	for _, words := range []func(said string) string{
		func(said string) string { return " " + said },
		func(said string) string { before, _, _ := strings.Cut(said, ": "); return " " + before },
		func(string) string { return "" },
	} {
		var one []theme.Span
		used := 0
		for i := range list {
			one = append(append(one, named(&list[i])...), l.Text.Span(words(list[i].Said)))
		}
		for _, span := range one {
			used += l.Width(l.Line(span.Text))
		}
		if used <= width {
			return []string{l.Row(width, one, nil)}
		}
	}
	answered := 0
	for i := range list {
		if list[i].Role == view.RoleGood {
			answered++
		}
	}
	text := fmt.Sprintf(" %d of %s answered", answered, view.Counted(len(list), "reviewer"))
	return []string{l.Row(width, []theme.Span{l.Text.Span(text)}, nil)}
}

// drawEntry draws a heading, or a finding in two rows: how it is classified and where it is, then what it says and who
// raised it.
func (p *Findings) drawEntry(i, width int, mark theme.Span) []string {
	l := p.Look
	if heading := p.entries[i].heading; heading != "" {
		return []string{l.Rule(width, heading)}
	}
	f := &p.all.List[p.entries[i].finding]
	glyph, st, _ := signs(l, f.Role)
	top := []theme.Span{mark, st.Span(glyph), idStyle(l, mark).Span(" " + f.ID + "  "), l.Bold.Span(f.Severity), st.Span("  " + f.Status)}
	used := 0
	for _, span := range top {
		used += l.Width(l.Line(span.Text))
	}
	place := endOf(l, plain.Line(f.Place), min(width-used-2, width/2-1))
	who := ""
	if n := len(f.RaisedBy); n > 0 {
		who = view.Counted(n, "reviewer")
		if n == 1 {
			who = string(f.RaisedBy[0])
		}
	}
	indent := theme.Blank(l.Width(f.ID) + 5)
	return []string{
		l.Row(width, top, []theme.Span{l.Text.Span(place + " ")}),
		l.Row(width, []theme.Span{{Text: indent}, l.Text.Span(f.Text)}, []theme.Span{l.Text.Span(who + " ")}),
	}
}

// endOf cuts a place at its beginning, because the name of the file and the line are at its end.
func endOf(l *theme.Look, text string, width int) string {
	if l.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && l.Width(l.Glyphs.Ellipsis+string(runes)) > width {
		runes = runes[1:]
	}
	if len(runes) == 0 {
		return ""
	}
	return l.Glyphs.Ellipsis + string(runes)
}

// More implements Pane.
func (p *Findings) More() bool { return p.List.More() }

// Move selects another finding. Left and right scroll the selected one.
func (p *Findings) Move(a Motion, width, height int) {
	p.fresh()
	_, list, detail := p.areas(width, height)
	if step := map[Motion]int{MoveLeft: -1, MoveRight: 1}[a]; step != 0 {
		if !detail.Empty() {
			p.detail.Wheel(step, detail.W, detail.H)
		}
		return
	}
	p.List.Move(a, list.W, list.H)
}

// Wheel scrolls the list.
func (p *Findings) Wheel(by, width, height int) {
	p.fresh()
	_, list, _ := p.areas(width, height)
	p.List.Wheel(by, list.W, list.H)
}

// Click selects the finding at the cell.
func (p *Findings) Click(x, y, width, height int) {
	p.fresh()
	if _, list, _ := p.areas(width, height); list.Contains(x, y) {
		p.List.Click(x, y-list.Y, list.W, list.H)
	}
}

// Find implements Pane.
func (p *Findings) Find(query string, forwards, from bool, width, height int) bool {
	p.fresh()
	_, list, _ := p.areas(width, height)
	return p.List.Find(query, forwards, from, list.W, list.H)
}

// Len returns how many findings there are, whether they are shown or not.
func (p *Findings) Len() int {
	p.fresh()
	return len(p.all.List)
}
