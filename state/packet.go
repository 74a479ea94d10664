package state

import (
	"encoding/json"
	"slices"

	"moot/ledger"
)

// PacketFacts are facts of the packet, in its order. A large packet takes several.
type PacketFacts struct {
	// Facts is a list of facts, as ledger.Packet.Chunks yields it.
	Facts json.RawMessage `json:"facts"`
}

func (e *PacketFacts) Fold(s *State) error {
	if s.Packet.Frozen() {
		return ledger.ErrFrozen
	}
	s.packetParts = append(slices.Clip(s.packetParts), e.Facts)
	return nil
}

// PacketFrozen ends the collection of facts for a hearing. The digest covers all facts
// recorded so far.
type PacketFrozen struct{ ledger.PacketSeal }

// Fold implements Payload. A packet that was changed after it was frozen is refused.
func (e *PacketFrozen) Fold(s *State) error {
	if s.Packet.Frozen() {
		return ledger.ErrFrozen
	}
	packet, err := ledger.RestorePacket(e.PacketSeal, s.packetParts)
	if err != nil {
		return err
	}
	s.Packet, s.packetParts = *packet, nil
	return nil
}

// PacketEvents returns the events that record a frozen packet.
func PacketEvents(p *ledger.Packet) []Payload {
	var events []Payload
	for chunk := range p.Chunks() {
		events = append(events, &PacketFacts{Facts: chunk})
	}
	return append(events, &PacketFrozen{PacketSeal: p.Seal()})
}
