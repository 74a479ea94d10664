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
	state *state.State
}

// NewLedger returns an empty pane.
func NewLedger(l *theme.Look) *Ledger {
	p := &Ledger{List: List{Look: l, id: LedgerID, empty: noFacts, At: -1, most: 1}}
	p.Item, p.Key = p.item, func(i int) string { return p.item(i).ID }
	return p
}

// SetState shows a state.
func (p *Ledger) SetState(s *state.State) {
	p.state = s
	p.SetCount(s.Facts.Len() + s.Evidence.Len() + s.Packet.Len())
}

func (p *Ledger) item(i int) view.Item {
	facts, evidence := p.state.Facts.Len(), p.state.Evidence.Len()
	switch {
	case i < facts:
		return view.FactItem(p.state.Facts.At(i))
	case i < facts+evidence:
		return view.EvidenceItem(p.state.Evidence.At(i - facts))
	}
	f := p.state.Packet.At(i - facts - evidence)
	return view.PacketItem(&f)
}
