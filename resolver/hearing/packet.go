package hearing

import (
	"moot/ledger"
	"moot/state"
)

// SourceTypes counts the types of sources of a packet.
func SourceTypes(p *ledger.Packet) int {
	if p == nil {
		return 0
	}
	seen := map[ledger.SourceType]bool{}
	for i := range p.Len() {
		seen[p.At(i).SourceType] = true
	}
	return len(seen)
}

// Conflicts reports whether one entity of a packet has both fields of a listed pair.
func Conflicts(p *ledger.Packet, pairs []state.Opposites) bool {
	if p == nil || len(pairs) == 0 {
		return false
	}
	listed := map[string]bool{}
	for _, pair := range pairs {
		listed[pair.A], listed[pair.B] = true, true
	}
	type has struct{ entity, field string }
	seen := map[has]bool{}
	for i := range p.Len() {
		if f := p.At(i); listed[f.Field] {
			seen[has{f.Entity, f.Field}] = true
		}
	}
	for have := range seen {
		for _, pair := range pairs {
			if have.field == pair.A && seen[has{have.entity, pair.B}] {
				return true
			}
		}
	}
	return false
}
