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
	// rows are the places of the packet's facts that have a row: fields of a record share one. read is how many facts
	// they come from.
	rows []int
	read int
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
	if s.Packet.Len() < p.read {
		p.rows, p.read = nil, 0
	}
	for last := ""; p.read < s.Packet.Len(); p.read++ {
		f := s.Packet.At(p.read)
		if !f.OfRecord() || f.Entity != last {
			p.rows = append(p.rows, p.read)
		}
		last = f.Entity
	}
	p.SetCount(s.Facts.Len() + s.Evidence.Len() + len(p.rows))
}

func (p *Ledger) item(i int) view.Item {
	facts, evidence := p.state.Facts.Len(), p.state.Evidence.Len()
	switch {
	case i < facts:
		return view.FactItem(p.state.Facts.At(i))
	case i < facts+evidence:
		return view.EvidenceItem(p.state.Evidence.At(i - facts))
	}
	return view.PacketItem(&p.state.Packet, p.state.Packet.At(p.rows[i-facts-evidence]).ID)
}
