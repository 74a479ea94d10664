package ledger

import (
	"strings"
	"time"
)

// The sizes of what texts are kept in, in bytes, and the largest text that is kept
// among others.
const (
	smallestSlab = 1 << 10
	largestSlab  = 1 << 16
	largestShare = 1 << 12
)

// keptFact is a fact as a packet holds it: a third of the size of a PacketFact, with
// one pointer, as a packet may have a million of them.
type keptFact struct {
	// text is the id, the value and the raw text, one behind the other; idEnds and
	// valueEnds are where they end.
	text              string
	idEnds, valueEnds uint32
	// second and nano are the time since 1970.
	nano   uint32
	second int64
	// The others are places in the list of words.
	entity, entityType, field, sourceType, sourceID, parser uint32
}

// id is the fact's.
func (f *keptFact) id() string { return f.text[:f.idEnds] }

// keeper holds facts with few allocations: the texts that repeat once, and the others
// side by side.
type keeper struct {
	slab   strings.Builder
	words  []string
	places map[string]uint32
	// Facts lie in blocks, so that they are not copied when more come.
	blocks [][]keptFact
	count  int
	// before is the fact that was taken last.
	before keptFact
}

// factsPerBlock is how many facts lie side by side.
const factsPerBlock = 1 << 10

// at is the fact at a place.
func (k *keeper) at(place int) *keptFact {
	return &k.blocks[place/factsPerBlock][place%factsPerBlock]
}

// take keeps a fact.
func (k *keeper) take(d *draft) {
	last := len(k.blocks) - 1
	switch {
	case last < 0:
		k.blocks, last = append(k.blocks, nil), 0
	case len(k.blocks[last]) == factsPerBlock:
		k.blocks, last = append(k.blocks, make([]keptFact, 0, factsPerBlock)), last+1
	}
	before := &k.before
	*before = keptFact{
		second: d.at.Unix(), nano: uint32(d.at.Nanosecond()), //nolint:gosec // it is not negative
		entity:     k.word(d.entity, before.entity),
		entityType: k.word([]byte(d.entityType), before.entityType),
		field:      k.word(d.field, before.field),
		sourceType: k.word([]byte(d.sourceType), before.sourceType),
		sourceID:   k.word(d.sourceID, before.sourceID),
		parser:     k.word(d.parser, before.parser),
	}
	k.texts(before, d.id, d.value, d.raw)
	k.blocks[last] = append(k.blocks[last], *before)
	k.count++
}

// fact is the fact at a place as others see it.
func (k *keeper) fact(place int) PacketFact {
	f := k.at(place)
	return PacketFact{
		ID: f.text[:f.idEnds], Value: Value(f.text[f.idEnds:f.valueEnds]), Raw: f.text[f.valueEnds:],
		Entity: k.words[f.entity], EntityType: EntityType(k.words[f.entityType]), Field: k.words[f.field],
		At:         time.Unix(f.second, int64(f.nano)).UTC(),
		SourceType: SourceType(k.words[f.sourceType]), SourceID: k.words[f.sourceID], ParserVersion: k.words[f.parser],
	}
}

// texts keeps the texts of a fact that are its own.
func (k *keeper) texts(f *keptFact, id, value, raw []byte) {
	size := len(id) + len(value) + len(raw)
	f.idEnds, f.valueEnds = uint32(len(id)), uint32(len(id)+len(value)) //nolint:gosec // nobody holds texts of 4 GiB
	slab := &k.slab
	switch {
	case size > largestShare:
		slab = &strings.Builder{}
		slab.Grow(size)
	case slab.Cap()-slab.Len() < size:
		// What was cut of the former slab keeps it.
		grown := min(max(smallestSlab, 2*slab.Cap(), size), largestSlab) //nolint:mnd // twice as much
		*slab = strings.Builder{}
		slab.Grow(grown)
	}
	begins := slab.Len()
	slab.Write(id)
	slab.Write(value)
	slab.Write(raw)
	f.text = slab.String()[begins:]
}

// word keeps a text that is expected again, and returns its place, which may be that
// of the fact before.
func (k *keeper) word(text []byte, before uint32) uint32 {
	if int(before) < len(k.words) && k.words[before] == string(text) {
		return before
	}
	if place, known := k.places[string(text)]; known {
		return place
	}
	if k.places == nil {
		k.places = map[string]uint32{}
	}
	word, place := string(text), uint32(len(k.words)) //nolint:gosec // nobody holds four billion words
	k.places[word] = place
	k.words = append(k.words, word)
	return place
}

// close drops what is needed to add only.
func (k *keeper) close() { k.slab, k.places = strings.Builder{}, nil }
