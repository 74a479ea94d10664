package ledger

import (
	"crypto/sha256"
	"encoding/binary"
)

// idIndex finds facts by their ids. It holds eight bytes a fact where a map would
// hold fifty, and does not look at the facts again when it grows. Nobody can choose
// ids that make it slow, as it goes by a hash that nobody can aim.
type idIndex struct {
	// slots has a power of two of them, of which at most three of four are taken.
	slots []idSlot
	count int
}

// idSlot is free where place is 0; else it is one more than the place of the fact.
type idSlot struct{ hash, place uint32 }

const smallestIndex = 32

// hashOf is the hash of an id.
func hashOf(id []byte) uint32 {
	sum := sha256.Sum256(id)
	return binary.LittleEndian.Uint32(sum[:])
}

// find returns the place of the fact with the id, or -1.
func (x *idIndex) find(k *keeper, hash uint32, id []byte) int {
	if x.count == 0 {
		return -1
	}
	mask := uint32(len(x.slots) - 1) //nolint:gosec // nobody holds four billion facts
	for at := hash & mask; ; at = (at + 1) & mask {
		switch s := x.slots[at]; {
		case s.place == 0:
			return -1
		case s.hash == hash && k.at(int(s.place-1)).id() == string(id):
			return int(s.place - 1)
		}
	}
}

// add notes the place of a fact whose id is not there.
func (x *idIndex) add(hash uint32, place int) {
	if 4*x.count >= 3*len(x.slots) {
		x.grow()
	}
	x.put(idSlot{hash, uint32(place + 1)}) //nolint:gosec // nobody holds four billion facts
	x.count++
}

// put takes the next free slot.
func (x *idIndex) put(s idSlot) {
	mask := uint32(len(x.slots) - 1) //nolint:gosec // nobody holds four billion facts
	at := s.hash & mask
	for x.slots[at].place != 0 {
		at = (at + 1) & mask
	}
	x.slots[at] = s
}

// grow doubles the slots.
func (x *idIndex) grow() {
	former := x.slots
	x.slots = make([]idSlot, max(smallestIndex, 2*len(former)))
	for _, s := range former {
		if s.place != 0 {
			x.put(s)
		}
	}
}
