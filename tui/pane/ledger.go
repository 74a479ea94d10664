package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
	"moot/tui/theme"
)

// ledgerWidth is the width from which labels repeat the meaning of the signs in words.
const ledgerWidth = 60

// columnsWidth is the width from which references have a column.
const columnsWidth = 140

// Ledger shows the facts with their provenance, then the evidence with the results of its
// checks, then the facts of a packet.
type Ledger struct {
	List
	state state.State
	// newer maps a fact to the one that supersedes it. It covers the first known facts.
	newer map[string]string
	known int
}

// NewLedger returns an empty pane.
func NewLedger(l *theme.Look) *Ledger {
	p := &Ledger{List: List{Look: l, At: -1, single: true}, newer: map[string]string{}}
	p.Draw, p.Key, p.Text, p.holds = p.drawItem, p.KeyOf, p.textOf, p.itemHolds
	return p
}

// SetState shows a state.
func (p *Ledger) SetState(s state.State) {
	p.state = s
	for ; p.known < s.Facts.Len(); p.known++ {
		if f := s.Facts.At(p.known); f.Supersedes != "" {
			p.newer[f.Supersedes] = f.ID
		}
	}
	p.SetCount(s.Facts.Len() + s.Evidence.Len() + p.packet().Len())
}

// packet returns the packet of the session, which may be empty.
func (p *Ledger) packet() *ledger.Packet {
	if p.state.Hearing.Packet == nil {
		return &ledger.Packet{}
	}
	return p.state.Hearing.Packet
}

// packetFact returns an item of the list if it is a fact of the packet.
func (p *Ledger) packetFact(i int) (ledger.PacketFact, bool) {
	if i -= p.state.Facts.Len() + p.state.Evidence.Len(); i < 0 {
		return ledger.PacketFact{}, false
	}
	return p.packet().At(i), true
}

// Title implements Pane.
func (p *Ledger) Title() string { return LedgerID.titled(p.N, "") }

// View implements Pane.
func (p *Ledger) View(width, height int) []string { return p.RowsOrEmpty(width, height, noFacts) }

func (p *Ledger) textOf(i int) string {
	if f, ok := p.packetFact(i); ok {
		return f.ID + " " + PacketFactWords(&f)
	}
	f, e := p.item(i)
	if f != nil {
		return f.ID + " " + f.Label() + ": " + f.Text
	}
	return e.ID + " " + string(e.Relation) + " " + e.Point + " " + e.Reference
}

// itemHolds reports whether a field of an item contains a query in lower case.
func (p *Ledger) itemHolds(i int, query string) bool {
	contains := func(fields ...string) bool {
		return slices.ContainsFunc(fields, func(field string) bool { return holds(field, query) })
	}
	if f, ok := p.packetFact(i); ok {
		return contains(f.ID, f.Entity, f.Field, string(f.Value), string(f.SourceType))
	}
	f, e := p.item(i)
	if f != nil {
		return contains(f.Text, f.ID, f.Reference, string(f.Tag), f.Seat)
	}
	return contains(e.Reference, e.ID, e.Excerpt, e.Reason, e.Point, string(e.Relation), string(e.Type))
}

// item returns a fact or an evidence item of the list. The other one is nil.
func (p *Ledger) item(i int) (*ledger.Fact, *ledger.Evidence) {
	if item := i - p.state.Facts.Len(); item >= 0 {
		return nil, p.state.Evidence.At(item)
	}
	return p.state.Facts.At(i), nil
}

// KeyOf returns the id of an item.
func (p *Ledger) KeyOf(i int) string {
	if f, ok := p.packetFact(i); ok {
		return f.ID
	}
	f, e := p.item(i)
	if f != nil {
		return f.ID
	}
	return e.ID
}

func (p *Ledger) drawItem(i, width int, mark theme.Span) []string {
	if f, ok := p.packetFact(i); ok {
		left := []theme.Span{mark, p.Look.Bold.Span("   " + f.ID + "  "), p.Look.Text.Span(PacketFactWords(&f))}
		return []string{p.Look.Row(width, left, nil)}
	}
	f, e := p.item(i)
	if f != nil {
		return []string{p.drawFact(f, width, mark)}
	}
	return []string{p.drawEvidence(e, width, mark)}
}

func (p *Ledger) drawFact(f *ledger.Fact, width int, mark theme.Span) string {
	l := p.Look
	glyph, st := factSign(l, f)
	id, body := l.Bold, l.Text
	label := f.Label()
	place := ""
	if f.Tag == ledger.TagVerified && f.Reference != "" {
		label, place = string(f.Tag), f.Reference
	}
	if !f.Live {
		label = strings.TrimSpace("superseded by " + p.newer[f.ID])
		id, body = l.Faint, l.Faint
	}
	left := []theme.Span{mark, st.Span(" " + glyph), id.Span(" " + p.padded(f.ID) + "  "), body.Span(f.Text)}
	return p.drawRow(left, place, st.Span(label), width)
}

// factSign returns the sign for the provenance of a fact.
func factSign(l *theme.Look, f *ledger.Fact) (glyph string, st theme.Style) {
	if !f.Live {
		return l.Glyphs.NotEvaluated, l.Faint
	}
	switch f.Tag {
	case ledger.TagUser:
		return l.Glyphs.User, l.User
	case ledger.TagVerified:
		return l.Glyphs.Verified, l.Agreed
	case ledger.TagUnverified:
		return l.Glyphs.Unresolved, l.Unresolved
	case ledger.TagRevision:
	}
	return l.Glyphs.Bullet, l.Faint
}

// padded pads an id to the width of the widest id.
func (p *Ledger) padded(id string) string {
	return fmt.Sprintf("%-*s", len(fmt.Sprint("F", max(p.state.Facts.Len(), p.state.Evidence.Len()))), id)
}

func (p *Ledger) drawEvidence(e *ledger.Evidence, width int, mark theme.Span) string {
	l := p.Look
	glyph, st, word := evidenceSign(l, e)
	if width < ledgerWidth {
		word = strings.TrimSuffix(word, ", verified")
	}
	left := []theme.Span{
		mark, st.Span(" " + glyph), l.Bold.Span(" " + p.padded(e.ID) + "  "),
		l.Faint.Span(string(e.Relation) + " " + e.Point + "  "),
	}
	if width < columnsWidth {
		room := width - l.Width(word) - 2
		for _, s := range left {
			room -= l.Width(s.Text)
		}
		left = append(left, l.Text.Span(l.ShortPath(e.Reference, room)))
		return l.Row(width, left, []theme.Span{st.Span(word + " ")})
	}
	text := strings.TrimSpace(e.Excerpt)
	if !e.Verified {
		text = e.Reason
	}
	return p.drawRow(append(left, l.Text.Span(text)), e.Reference, st.Span(word), width)
}

// drawRow draws an item with its reference and its label: in columns if the pane is wide
// enough, else at the right end.
func (p *Ledger) drawRow(left []theme.Span, place string, label theme.Span, width int) string {
	l := p.Look
	if width < columnsWidth {
		short := l.ShortPath(place, width/3)
		switch {
		case place == "":
			short = label.Text
		case width >= ledgerWidth:
			short = label.Text + ": " + short
		}
		return l.Row(width, left, []theme.Span{label.Style.Span(short + " ")})
	}
	placeWidth, labelWidth := min(width/4, 48), 24
	word := l.Clip(plain.Line(label.Text), labelWidth-1)
	end := "  " + theme.Blank(labelWidth-1-l.Width(word)) + label.Style.Paint(word) + " "
	if place == "" {
		return l.Row(width-labelWidth-2, left, nil) + end
	}
	text := l.Row(width-placeWidth-labelWidth-4, left, nil)
	return text + "  " + l.Row(placeWidth, []theme.Span{l.Faint.Span(l.ShortPath(place, placeWidth))}, nil) + end
}

// evidenceSign returns the result of the check of an item.
func evidenceSign(l *theme.Look, e *ledger.Evidence) (glyph string, st theme.Style, word string) {
	switch {
	case !e.Checked:
		return l.Glyphs.Pending, l.Faint, "not checked yet"
	case e.SourceKind == ledger.UserOverride:
		return l.Glyphs.User, l.User, "user"
	case !e.Verified:
		return l.Glyphs.Refused, l.Dismissed, "refused"
	case !e.Admitted:
		return l.Glyphs.Verified, l.Faint, string(e.Type) + ", not admitted"
	}
	return l.Glyphs.Verified, l.Agreed, string(e.Type) + ", verified"
}
