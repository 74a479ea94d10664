package pane

import (
	"fmt"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
	"moot/tui/theme"
)

// factParts are how the part of the facts is divided: the head of the table, the
// rows of facts, and the room of the selected one.
type factParts struct {
	head, table, Rows int
	full              Rect
}

// The least room in which the selected fact is told in full beside the table and
// below it.
const (
	factBeside    = 150
	leastFullRows = 6
	leastFactRows = 4
	mostFullRows  = 16
)

// divide says where everything stands.
func (p *factsPart) divide(width, height int) factParts {
	d := factParts{table: width, Rows: max(height, 0)}
	if p.N == 0 {
		return d
	}
	d.head = when(height >= headed, 1, 0)
	d.Rows -= d.head
	switch {
	case width >= factBeside:
		d.table = width * 62 / 100
		d.full = Rect{d.table + 1, 0, width - d.table - 1, height}
	case d.Rows >= leastFactRows+leastFullRows:
		rows := min(p.N, d.Rows-min(max(d.Rows*2/5, leastFullRows), mostFullRows))
		d.full = Rect{0, d.head + rows, width, d.Rows - rows}
		d.Rows = rows
	}
	return d
}

// Move selects a fact; left and right scroll what is told of it.
func (p *factsPart) Move(a Motion, width, height int) {
	p.Fresh()
	d := p.divide(width, height)
	if a == MoveLeft || a == MoveRight {
		page := max(d.full.H-2, 1)
		p.full.top = max(p.full.top+when(a == MoveLeft, -page, page), 0)
		return
	}
	p.List.Move(a, d.table, d.Rows)
}

func (p *factsPart) Wheel(by, width, height int) {
	p.Fresh()
	d := p.divide(width, height)
	p.List.Wheel(by, d.table, d.Rows)
}

// Click selects the fact at the cell.
func (p *factsPart) Click(x, y, width, height int) {
	p.Fresh()
	if d := p.divide(width, height); d.onTable(x, y) {
		p.List.Click(x, y-d.head, d.table, d.Rows)
	}
}

// opens reports whether a second click on the cell opens the fact: also what is told
// of it.
func (p *factsPart) opens(x, y, width, height int) bool {
	p.Fresh()
	d := p.divide(width, height)
	return d.full.Contains(x, y) || d.onTable(x, y) && p.List.opens(x, y-d.head, d.table, d.Rows)
}

// onTable reports whether a cell is one of the rows of facts.
func (d *factParts) onTable(x, y int) bool { return x < d.table && y >= d.head && y < d.head+d.Rows }

// More reports whether the facts, or what is told of the selected one, go on below.
func (p *factsPart) More() bool { return p.List.More() || p.full.More() }

// factTable is how the rows of facts are laid out: the cells of the columns, 0 where
// there is no room for one.
type factTable struct {
	ID, time, entity, field, value, cited int
	format                                string
	width                                 int
	look                                  *theme.Look
}

// How times are written: of packets of one day, of one year, and of more; and in
// full.
const (
	timeOfDay  = "15:04:05"
	timeOfYear = "01-02 15:04:05"
	timeInFull = "2006-01-02T15:04:05.999999999Z07:00"
)

// The widths from which there is room for the entity, for the time, and for who
// cites a fact in words.
const (
	entityFrom, timeFrom, citedFrom = 30, 56, 90
	widestID                        = 14
)

// layout lays the rows out, once for a width. The widest of the first ids stands for
// all.
func (p *factsPart) layout(width int) factTable {
	if p.table.width == width && p.table.look == p.Look {
		return p.table
	}
	t := factTable{ID: 2, format: timeFormat(p.Packet.Window()), width: width, look: p.Look}
	for i := range min(p.Packet.Len(), 100) {
		t.ID = max(t.ID, p.Look.Width(p.Look.Line(theme.Prefix(p.Packet.At(i).ID, widestID))))
	}
	t.ID = min(max(t.ID, len(p.Packet.At(p.Packet.Len()-1).ID)), widestID)
	room := width - 1 - byWidth - t.ID
	if width >= timeFrom {
		t.time = len(t.format) + columnGap
	}
	if width >= citedFrom {
		t.cited = min(room*30/100, 40)
	}
	room -= t.time + t.cited
	if width >= entityFrom {
		t.entity = min(room*28/100, 32)
	}
	t.field = min((room-t.entity)*38/100, 26)
	t.value = max(room-t.entity-t.field, 0)
	p.table = t
	return t
}

// timeFormat is how the moments of a window are told apart in the least room.
func timeFormat(from, to time.Time) string {
	switch {
	case from.Year() != to.Year():
		return time.DateTime
	case from.YearDay() != to.YearDay():
		return timeOfYear
	}
	return timeOfDay
}

// byWidth is the room of the letters of those who cite a fact, with the gap behind
// it.
const byWidth = 5

// tableHead names the columns.
func (p *factsPart) tableHead(width int) string {
	t, l := p.layout(width), p.Look
	text := " " + l.Padded("by", byWidth) + l.Padded("id", t.ID)
	for _, column := range []struct {
		name  string
		width int
	}{{"time", t.time}, {"entity", t.entity}, {"field", t.field}, {"value", t.value}, {"cited", t.cited}} {
		if column.width > columnGap {
			text += theme.Blank(columnGap) + l.Padded(column.name, column.width-columnGap)
		}
	}
	return l.Row(width, []theme.Span{l.Faint.Span(text)}, nil)
}

// factRow is a fact in a row: who cites it, what it says, and for what it is cited.
func (p *factsPart) factRow(i, width int, mark theme.Span) string {
	t, l := p.layout(width), p.Look
	place := p.order.Place(i)
	f, uses := p.Packet.At(place), p.uses[place]
	spans := append([]theme.Span{mark}, byLetters(l, uses)...)
	spans = append(spans, when(mark.Text == " ", l.Bold, l.Accent).Span(l.Cell(f.ID, t.ID)))
	body := when(len(uses) > 0, l.Text, l.Faint)
	for _, column := range []struct {
		style theme.Style
		text  string
		width int
	}{
		{l.Faint, f.At.Format(t.format), t.time},
		{body, f.Entity, t.entity},
		{body, f.Field, t.field},
		{body, f.Value.String(), t.value},
		{l.Faint, usesWords(uses), t.cited},
	} {
		if column.width > columnGap {
			spans = append(spans, theme.Span{Text: theme.Blank(columnGap)}, column.style.Span(l.Cell(column.text, column.width-columnGap)))
		}
	}
	return l.Row(width, spans, nil)
}

// byLetters are the letters of those who cite a fact: A and S for the sides, + for
// others.
func byLetters(l *theme.Look, uses []factUse) []theme.Span {
	architect, skeptic := citedBy(uses, state.Architect), citedBy(uses, state.Skeptic)
	other := false
	for i := range uses {
		other = other || uses[i].seat != state.Architect && uses[i].seat != state.Skeptic
	}
	letter := func(there bool, sign string, st theme.Style) theme.Span {
		return when(there, st.Span(sign), l.Faint.Span(l.Glyphs.Silent))
	}
	return []theme.Span{
		letter(architect, "A", l.SeatStyle(state.Architect)), letter(skeptic, "S", l.SeatStyle(state.Skeptic)),
		l.Seat.Span(when(other, "+", " ")),
		{Text: theme.Blank(byWidth - 3)},
	}
}

// fullFact is the selected fact in full as it was drawn last.
type fullFact struct {
	factDrawn
	drawn  []string
	top    int
	height int
}

// factDrawn is what a drawing of a fact depends on.
type factDrawn struct {
	packet         *ledger.Packet
	place, version int
	width          int
	look           *theme.Look
}

func (f *fullFact) More() bool { return f.top+f.height < len(f.drawn) }

// fullRows tells the selected fact in exactly the rows.
func (p *factsPart) fullRows(width, height int) []string {
	c := &p.full
	of := factDrawn{p.Packet, p.order.Place(p.At), p.state.Seq, width, p.Look}
	if c.drawn == nil || c.factDrawn != of {
		top := when(c.packet == of.packet && c.place == of.place, c.top, 0)
		text := Text{Blocks: func(l *theme.Look) []Block { return p.FactBlocks(l, of.place) }}
		text.Lay(p.Look, width)
		*c = fullFact{factDrawn: of, drawn: text.Drawn, top: top}
	}
	c.height = height
	c.top = max(min(c.top, len(c.drawn)-height), 0)
	return Fit(append([]string{}, c.drawn[c.top:]...), width, height)
}

// mostFactShown is how many bytes of a text of a fact are shown in full; all of it is
// copied.
const mostFactShown = 16 << 10

// FactBlocks are a fact in full: what it says, where it comes from, and who cites it
// for what.
func (p *factsPart) FactBlocks(l *theme.Look, place int) []Block {
	f, uses := p.Packet.At(place), p.uses[place]
	list := []Block{{Section: theme.Prefix(f.ID, widestCopy), Right: l.Faint.Span("fact " + fmt.Sprintf("%d of %d", place+1, p.Packet.Len()))}}
	entry := func(name, text string) {
		if text == "" {
			return
		}
		list = append(list, Block{Indent: 2, Lead: l.Faint.Span(l.Padded(name, factNames)), Body: l.Text.Span(shownPart(text)), Hang: 2 + factNames})
	}
	from := string(f.SourceType) + ", " + f.SourceID
	if f.ParserVersion != "" {
		from += ", parser " + f.ParserVersion
	}
	if f.EntityType == ledger.EntityEdge {
		entry("between", f.Entity)
	} else {
		entry("entity", f.Entity)
	}
	entry("field", f.Field)
	entry("value", f.Value.String())
	entry("time", f.At.Format(timeInFull))
	entry("source", from)
	entry("raw", f.Raw)
	if len(uses) == 0 {
		return append(list, Block{Indent: 2, Lead: l.Faint.Span(l.Padded("cited", factNames)), Body: l.Faint.Span("by nobody")})
	}
	for i := range uses {
		list = append(list, useBlock(l, &uses[i]))
	}
	return list
}

// factNames is the room of the names of what a fact says.
const factNames = 10

// useBlock tells one place where a fact is cited.
func useBlock(l *theme.Look, u *factUse) Block {
	words := strings.TrimSpace(u.words() + when(u.as == citedAgainst, " in "+u.challenge, ""))
	words += fmt.Sprintf(", round %d%s: ", u.round, when(u.gone, ", given up", ""))
	return Block{
		Indent: 2, Lead: l.SeatStyle(u.seat).Span(l.Padded(string(u.seat), factNames)), sign: l.Faint.Span(words),
		Body: when(u.gone, l.Faint, l.Text).Span(u.text), Hang: 2 + factNames,
	}
}

// shownPart is a text as far as it is shown.
func shownPart(text string) string {
	if len(text) <= mostFactShown {
		return text
	}
	cut := theme.Prefix(text, mostFactShown/16-1)
	return fmt.Sprintf("%s … and %s more; a copy holds it all", cut, plain.Counted(len(text)-len(cut), "byte"))
}
