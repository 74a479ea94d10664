package pane

import (
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Ledger shows the facts with their provenance, then the evidence with the results of its
// checks, then the facts of a packet.
type Ledger struct {
	List
	state    state.State
	argument *view.Argument
}

// NewLedger returns an empty pane.
func NewLedger(l *theme.Look) *Ledger {
	p := &Ledger{List: List{Look: l, At: -1, most: 1}}
	p.Item, p.Key = p.item, p.KeyOf
	return p
}

// SetState shows a state.
func (p *Ledger) SetState(s state.State, a *view.Argument) {
	p.state, p.argument = s, a
	p.SetCount(s.Facts.Len() + s.Evidence.Len() + a.Packet().Len())
}

// Title implements Pane.
func (p *Ledger) Title() string { return LedgerID.titled(p.N, "") }

// View implements Pane.
func (p *Ledger) View(width, height int) []string { return p.RowsOrEmpty(width, height, noFacts) }

func (p *Ledger) item(i int) view.Item {
	facts, evidence := p.state.Facts.Len(), p.state.Evidence.Len()
	switch {
	case i < facts:
		return view.FactItem(p.state.Facts.At(i))
	case i < facts+evidence:
		return view.EvidenceItem(p.state.Evidence.At(i - facts))
	}
	f := p.argument.Packet().At(i - facts - evidence)
	return view.PacketItem(&f)
}

// KeyOf returns the id of an item.
func (p *Ledger) KeyOf(i int) string {
	facts, evidence := p.state.Facts.Len(), p.state.Evidence.Len()
	switch {
	case i < facts:
		return p.state.Facts.At(i).ID
	case i < facts+evidence:
		return p.state.Evidence.At(i - facts).ID
	}
	return p.argument.Packet().At(i - facts - evidence).ID
}
