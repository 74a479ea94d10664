package pane

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
	"moot/tui/theme"
)

// ledgerWidth is the width from which the pane has room for words that only say
// what a sign says already.
const ledgerWidth = 60

// columnsWidth is the width from which the places stand in a column of their
// own.
const columnsWidth = 140

// Ledger shows the facts with their provenance, then the evidence with what its check found,
// then the facts of a packet. It reads the lists of the state where they are.
type Ledger struct {
	List
	state state.State
	// newer is the fact that replaced another, known how many facts were read for it.
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

// packet is the packet of a hearing, empty in other formats.
func (p *Ledger) packet() *ledger.Packet {
	if p.state.Hearing.Packet == nil {
		return &ledger.Packet{}
	}
	return p.state.Hearing.Packet
}

// packetFact returns the fact of the packet at a place of the list, if it is one.
func (p *Ledger) packetFact(i int) (ledger.PacketFact, bool) {
	if i -= p.state.Facts.Len() + p.state.Evidence.Len(); i < 0 {
		return ledger.PacketFact{}, false
	}
	return p.packet().At(i), true
}

// Title implements Pane.
func (p *Ledger) Title() string {
	if p.N > 0 {
		return fmt.Sprintf("%s %d", LedgerID, p.N)
	}
	return LedgerID.String()
}

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

// itemHolds reports whether an item holds a query in small letters.
func (p *Ledger) itemHolds(i int, query string) bool {
	if f, ok := p.packetFact(i); ok {
		return holds(f.ID, query) || holds(f.Entity, query) || holds(f.Field, query) || holds(string(f.Value), query) || holds(string(f.SourceType), query)
	}
	f, e := p.item(i)
	if f != nil {
		return holds(f.Text, query) || holds(f.ID, query) || holds(f.Reference, query) || holds(string(f.Tag), query) || holds(f.Seat, query)
	}
	return holds(e.Reference, query) || holds(e.ID, query) || holds(e.Excerpt, query) || holds(e.Reason, query) ||
		holds(e.Point, query) || holds(string(e.Relation), query) || holds(string(e.Type), query)
}

// item returns the fact or the evidence item at a place; one of them is nil.
func (p *Ledger) item(i int) (*ledger.Fact, *ledger.Evidence) {
	if item := i - p.state.Facts.Len(); item >= 0 {
		return nil, p.state.Evidence.At(item)
	}
	return p.state.Facts.At(i), nil
}

// KeyOf returns the id of an item, or "".
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
		return []string{p.Look.Row(width, []theme.Span{mark, p.Look.Bold.Span("   " + f.ID + "  "), p.Look.Text.Span(PacketFactWords(&f))}, nil)}
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
	body := when(f.Live, l.Text, l.Faint)
	label := f.Label()
	place := ""
	if f.Tag == ledger.TagVerified && f.Reference != "" {
		label, place = string(f.Tag), f.Reference
	}
	if !f.Live {
		label = strings.TrimSpace("superseded by " + p.newer[f.ID])
	}
	left := []theme.Span{mark, st.Span(" " + glyph), when(f.Live, l.Bold, l.Faint).Span(" " + p.padded(f.ID) + "  "), body.Span(f.Text)}
	return p.drawRow(left, place, st.Span(label), width)
}

// factSign says by a sign how far a fact is known.
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

// padded is an id with spaces up to the widest of its list.
func (p *Ledger) padded(id string) string {
	return fmt.Sprintf("%-*s", len(fmt.Sprint("F", max(p.state.Facts.Len(), p.state.Evidence.Len()))), id)
}

func (p *Ledger) drawEvidence(e *ledger.Evidence, width int, mark theme.Span) string {
	l := p.Look
	glyph, st, word := evidenceSign(l, e)
	if width < ledgerWidth {
		word = strings.TrimSuffix(word, ", verified")
	}
	left := []theme.Span{mark, st.Span(" " + glyph), l.Bold.Span(" " + p.padded(e.ID) + "  "), l.Faint.Span(string(e.Relation) + " " + e.Point + "  ")}
	if width < columnsWidth {
		room := width - l.Width(word) - 2
		for _, s := range left {
			room -= l.Width(s.Text)
		}
		left = append(left, l.Text.Span(l.ShortPath(e.Reference, room)))
		return l.Row(width, left, []theme.Span{st.Span(word + " ")})
	}
	said := strings.TrimSpace(e.Excerpt)
	if !e.Verified {
		said = e.Reason
	}
	return p.drawRow(append(left, l.Text.Span(said)), e.Reference, st.Span(word), width)
}

// drawRow draws an item with its place and its label: in columns where there is
// room, else at the right end.
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

// evidenceSign says how the check of an item came out.
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
