package tui

import (
	"fmt"
	"strings"

	"moot/ledger"
	"moot/plain"
	"moot/state"
)

// ledgerWidth is the width from which the pane has room for words that only say
// what a sign says already.
const ledgerWidth = 60

// ledgerPane shows the facts with their provenance, then the evidence with
// what its check said. It reads the state's lists where they are.
type ledgerPane struct {
	list
	state state.State
}

func newLedgerPane(l *look) *ledgerPane {
	p := &ledgerPane{list: list{look: l, at: -1}}
	p.draw, p.key, p.text = p.drawItem, p.keyOf, p.textOf
	return p
}

// setState takes over what is known now.
func (p *ledgerPane) setState(s state.State) {
	p.state = s
	p.setCount(s.Facts.Len() + s.Evidence.Len())
}

func (p *ledgerPane) title() string {
	if p.n > 0 {
		return fmt.Sprintf("%s %d", PaneLedger, p.n)
	}
	return PaneLedger.String()
}

// View draws the pane.
func (p *ledgerPane) View(width, height int) string { return strings.Join(p.view(width, height), "\n") }

func (p *ledgerPane) view(width, height int) []string {
	return p.list.rowsOrEmpty(width, height, noFacts)
}

func (p *ledgerPane) textOf(i int) string {
	f, e := p.item(i)
	if f != nil {
		return f.ID + " " + f.Label() + ": " + f.Text
	}
	return e.ID + " " + string(e.Relation) + " " + e.Point + " " + e.Reference
}

// item returns the fact or the evidence item of a place; one of them is nil.
func (p *ledgerPane) item(i int) (*ledger.Fact, *ledger.Evidence) {
	if facts := p.state.Facts.Len(); i >= facts {
		return nil, p.state.Evidence.At(i - facts)
	}
	return p.state.Facts.At(i), nil
}

func (p *ledgerPane) keyOf(i int) string {
	f, e := p.item(i)
	if f != nil {
		return f.ID
	}
	return e.ID
}

func (p *ledgerPane) drawItem(i, width int, mark span) []string {
	f, e := p.item(i)
	if f != nil {
		return []string{p.drawFact(f, width, mark)}
	}
	return []string{p.drawEvidence(e, width, mark)}
}

func (p *ledgerPane) drawFact(f *ledger.Fact, width int, mark span) string {
	l := p.look
	glyph, st := l.glyphs.bullet, l.faint
	switch f.Tag {
	case ledger.TagUser:
		glyph, st = l.glyphs.user, l.user
	case ledger.TagVerified:
		glyph, st = l.glyphs.verified, l.agreed
	case ledger.TagUnverified:
		glyph, st = l.glyphs.unresolved, l.unresolved
	case ledger.TagRevision:
	}
	shown := *f
	shown.Reference = l.reference(f.Reference, width/3)
	label, body := shown.Label(), l.text
	if width < ledgerWidth && f.Tag == ledger.TagVerified && f.Reference != "" {
		label = shown.Reference
	}
	if !f.Live {
		label, body = "superseded", l.faint
	}
	return l.row(width, []span{mark, {st, " " + glyph}, {l.bold, " " + f.ID + "  "}, {body, f.Text}}, []span{{st, label + " "}})
}

func (p *ledgerPane) drawEvidence(e *ledger.Evidence, width int, mark span) string {
	l := p.look
	glyph, st, word := evidenceSign(l, e)
	if width < ledgerWidth {
		word = strings.TrimSuffix(word, ", verified")
	}
	about := " " + string(e.Relation) + " " + e.Point + "  "
	room := width - l.width(mark.text+" "+glyph+" "+e.ID+about) - l.width(word) - 2
	left := []span{
		mark, {st, " " + glyph}, {l.bold, " " + e.ID}, {l.faint, about}, {l.text, l.reference(e.Reference, room)},
	}
	return l.row(width, left, []span{{st, word + " "}})
}

// reference shortens a path from its beginning: the file and the line are what
// tells places apart.
func (l *look) reference(path string, width int) string {
	short := path
	for l.width(plain.Line(short)) > width {
		_, rest, found := strings.Cut(strings.TrimPrefix(short, l.glyphs.ellipsis+"/"), "/")
		if !found {
			break
		}
		short = l.glyphs.ellipsis + "/" + rest
	}
	return short
}

// evidenceSign says how the check of an item came out.
func evidenceSign(l *look, e *ledger.Evidence) (glyph string, st style, word string) {
	switch {
	case !e.Checked:
		return l.glyphs.pending, l.faint, "not checked yet"
	case e.SourceKind == ledger.UserOverride:
		return l.glyphs.user, l.user, "user"
	case !e.Verified:
		return l.glyphs.refused, l.dismissed, "refused"
	case !e.Admitted:
		return l.glyphs.verified, l.faint, string(e.Type) + ", not admitted"
	}
	return l.glyphs.verified, l.agreed, string(e.Type) + ", verified"
}
