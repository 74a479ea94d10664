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

// Ledger shows the facts with their provenance, then the evidence with
// what its check said. It reads the state's lists where they are.
type Ledger struct {
	List
	state state.State
	told  Telling
	// lines are what stands there where evidence is told by its sources; else they
	// are empty, and the evidence stands below the facts as it came.
	lines []ledgerLine
	// newer is the fact that took the place of another, known how many facts were
	// looked through for it.
	newer map[string]string
	known int
}

// ledgerLine is a line of the pane: a head, a fact, or an item.
type ledgerLine struct {
	head source
	// fact and item are the places of what stands there, -1 for what does not.
	fact, item int
}

// NewLedger returns an empty pane.
func NewLedger(l *theme.Look) *Ledger {
	p := &Ledger{List: List{Look: l, At: -1, single: true}, newer: map[string]string{}}
	p.Draw, p.Key, p.Text, p.holds = p.drawItem, p.KeyOf, p.textOf, p.itemHolds
	return p
}

// SetState takes over what is known now.
func (p *Ledger) SetState(s state.State, told Telling) {
	p.state, p.told = s, told
	for ; p.known < s.Facts.Len(); p.known++ {
		if f := s.Facts.At(p.known); f.Supersedes != "" {
			p.newer[f.Supersedes] = f.ID
		}
	}
	p.Group()
	p.SetCount(when(len(p.lines) > 0, len(p.lines), s.Facts.Len()+s.Evidence.Len()))
}

// Group puts the facts that bind a proposal first, then the items below the heads
// of their sources, the strongest first, then what else is known.
func (p *Ledger) Group() {
	p.lines = p.lines[:0]
	sources := p.told.sources()
	if len(sources) == 0 {
		return
	}
	var other []ledgerLine
	for i, f := range p.state.Facts.All() {
		if line := (ledgerLine{fact: i, item: -1}); f.Tag == ledger.TagUser {
			p.lines = append(p.lines, line)
		} else {
			other = append(other, line)
		}
	}
	groups := make([][]ledgerLine, len(sources))
	for i, e := range p.state.Evidence.All() {
		at := p.told.sourceOf(e)
		groups[at] = append(groups[at], ledgerLine{fact: -1, item: i})
	}
	for at, items := range groups {
		p.below(sources[at], items)
	}
	p.below(source{"facts", "found by checks, or said by a seat"}, other)
}

// below adds lines with their head, where there are any.
func (p *Ledger) below(head source, lines []ledgerLine) {
	if len(lines) > 0 {
		p.lines = append(append(p.lines, ledgerLine{head, -1, -1}), lines...)
	}
}

// head is what a place is the head of.
func (p *Ledger) head(i int) (s source, found bool) {
	if i < len(p.lines) && p.lines[i].fact < 0 && p.lines[i].item < 0 {
		return p.lines[i].head, true
	}
	return source{}, false
}

// Title implements Pane.
func (p *Ledger) Title() string {
	if n := p.state.Facts.Len() + p.state.Evidence.Len(); n > 0 {
		return fmt.Sprintf("%s %d", LedgerID, n)
	}
	return LedgerID.String()
}

// View implements Pane.
func (p *Ledger) View(width, height int) []string {
	empty := noFacts
	if packet := p.state.Hearing.Packet; packet != nil {
		empty = fmt.Sprintf("%s of the packet stand in view 6; F records a fact of yours", plain.Counted(packet.Len(), "fact"))
	}
	return p.RowsOrEmpty(width, height, empty)
}

func (p *Ledger) textOf(i int) string {
	if s, found := p.head(i); found {
		return s.name
	}
	f, e := p.item(i)
	if f != nil {
		return f.ID + " " + f.Label() + ": " + f.Text
	}
	return e.ID + " " + string(e.Relation) + " " + e.Point + " " + e.Reference
}

// itemHolds reports whether an item holds a query in small letters.
func (p *Ledger) itemHolds(i int, query string) bool {
	f, e := p.item(i)
	if f != nil {
		return holds(f.Text, query) || holds(f.ID, query) || holds(f.Reference, query) || holds(string(f.Tag), query) || holds(f.Seat, query)
	}
	return holds(e.Reference, query) || holds(e.ID, query) || holds(e.Excerpt, query) || holds(e.Reason, query) ||
		holds(e.Point, query) || holds(string(e.Relation), query) || holds(string(e.Type), query)
}

// item returns the fact or the evidence item of a place, which is no head; one
// of them is nil.
func (p *Ledger) item(i int) (*ledger.Fact, *ledger.Evidence) {
	fact, item := i, i-p.state.Facts.Len()
	if len(p.lines) > 0 {
		fact, item = p.lines[i].fact, p.lines[i].item
	}
	if item >= 0 {
		return nil, p.state.Evidence.At(item)
	}
	return p.state.Facts.At(fact), nil
}

// KeyOf returns the id of an item, or "".
func (p *Ledger) KeyOf(i int) string {
	if _, found := p.head(i); found {
		return ""
	}
	f, e := p.item(i)
	if f != nil {
		return f.ID
	}
	return e.ID
}

func (p *Ledger) drawItem(i, width int, mark theme.Span) []string {
	if s, found := p.head(i); found {
		return []string{p.Look.Row(width, []theme.Span{p.Look.Bold.Span(" " + s.name), p.Look.Faint.Span("  " + s.decides)}, nil)}
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
	glyph, st, word := evidenceSign(l, p.told, e)
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
		if len(p.lines) > 0 && e.Checked && !e.Verified {
			left = append(left, l.Faint.Span("  "+e.Reason))
		}
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
func evidenceSign(l *theme.Look, told Telling, e *ledger.Evidence) (glyph string, st theme.Style, word string) {
	switch {
	case !e.Checked:
		return l.Glyphs.Pending, l.Faint, "not checked yet"
	case e.SourceKind == ledger.UserOverride:
		return l.Glyphs.User, l.User, "user"
	case !e.Verified:
		return l.Glyphs.Refused, l.Dismissed, "refused"
	case !e.Admitted:
		return l.Glyphs.Verified, l.Faint, told.stamped(e) + ", not admitted"
	}
	return l.Glyphs.Verified, l.Agreed, told.stamped(e) + ", verified"
}
