package ledger

// PacketDiff lists the differences between two packets.
type PacketDiff struct {
	// ID and Window say that the id and the window are not the same.
	ID, Window bool
	// Added and Removed are the facts that only the second and only the first has, by
	// their ids, each in the order of its packet.
	Added, Removed []PacketFact
	// Changed are those with one id that are not the same.
	Changed []FactChange
	// Same counts the facts that are.
	Same int
	// Reordered says that the facts which both have do not stand in the same order.
	Reordered bool
}

// FactChange is a fact before and after, with the keys that differ.
type FactChange struct {
	Before, After PacketFact
	Keys          []string
}

// Equal reports whether nothing is another. Then the digests are the same, too.
func (d *PacketDiff) Equal() bool {
	return !d.ID && !d.Window && !d.Reordered && len(d.Added)+len(d.Removed)+len(d.Changed) == 0
}

// ComparePackets compares two packets fact by fact.
func ComparePackets(before, after *Packet) PacketDiff {
	d := PacketDiff{
		ID:     before.id != after.id,
		Window: !before.from.Equal(after.from) || !before.to.Equal(after.to),
	}
	last := -1
	for _, f := range before.All() {
		place := after.Place(f.ID)
		if place < 0 {
			d.Removed = append(d.Removed, f)
			continue
		}
		d.Reordered = d.Reordered || place < last
		last = place
		now := after.At(place)
		if keys := f.keysUnlike(&now); len(keys) > 0 {
			d.Changed = append(d.Changed, FactChange{Before: f, After: now, Keys: keys})
		} else {
			d.Same++
		}
	}
	for _, f := range after.All() {
		if !before.Has(f.ID) {
			d.Added = append(d.Added, f)
		}
	}
	return d
}

// Key returns the value under a key of the JSON form as text, "" for an unknown key.
func (f *PacketFact) Key(key string) string {
	switch key {
	case "id":
		return f.ID
	case "entity":
		return f.Entity
	case "entity_type":
		return string(f.EntityType)
	case "field":
		return f.Field
	case "value":
		return string(f.Value)
	case "timestamp":
		return moment(f.At)
	case "source_type":
		return string(f.SourceType)
	case "source_id":
		return f.SourceID
	case "parser_version":
		return f.ParserVersion
	case "raw":
		return f.Raw
	}
	return ""
}

// keysUnlike returns the keys whose values differ.
func (f *PacketFact) keysUnlike(other *PacketFact) []string {
	if *f == *other {
		return nil
	}
	var keys []string
	for _, key := range FactKeys() {
		if f.Key(key) != other.Key(key) {
			keys = append(keys, key)
		}
	}
	return keys
}
