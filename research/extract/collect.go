package extract

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"moot/ledger"
)

// Options say what the packet is, and what facts get that lack it.
type Options struct {
	// ID is the packet's.
	ID string
	// From and To are its window: facts outside are left out. Where both are zero it is
	// the span of the facts, and of the windows of packets that were read.
	From, To time.Time
	// EntityType, SourceType and SourceID are the defaults of facts; the default of SourceID is the name of the file.
	EntityType ledger.EntityType
	SourceType ledger.SourceType
	SourceID   string
}

// Made is a packet with what did not come into it.
type Made struct {
	Packet *ledger.Packet
	// Damage are the first damaged records, up to MostDamage of them; Damaged counts
	// all.
	Damage  []*Damage
	Damaged int
	// Outside counts the facts outside of the window, and Dated those that have the
	// time of their file.
	Outside, Dated int
}

// MostDamage is how many damaged records are listed with their places.
const MostDamage = 100

// Collector gathers facts for a packet.
type Collector struct {
	options Options
	made    Made
	facts   []placed
	// from and to are the span of the facts, and the windows of packets that were read.
	from, to time.Time
}

// placed is a fact with its place.
type placed struct {
	fact ledger.PacketFact
	name string
	line int
}

// NewCollector returns a Collector without facts.
func NewCollector(options Options) *Collector { return &Collector{options: options} }

// SetPacket names the packet, unless it has a name.
func (c *Collector) SetPacket(id string) { c.options.ID = cmp.Or(c.options.ID, id) }

// Cover widens the window to that of a packet that was read, unless the options have
// one.
func (c *Collector) Cover(from, to time.Time) {
	if c.from.IsZero() || from.Before(c.from) {
		c.from = from
	}
	if c.to.IsZero() || to.After(c.to) {
		c.to = to
	}
}

// Take reads the facts of a source. It fails if the source cannot be read or has the wrong form.
func (c *Collector) Take(extractor Extractor, from Source) error {
	for found, err := range extractor.Extract(from) {
		if damage, is := errors.AsType[*Damage](err); is {
			c.damage(damage)
			continue
		}
		if err != nil {
			return err
		}
		f := found.Fact
		c.complete(&f, &from)
		if what := lacks(&f); what != "" {
			c.damage(&Damage{Name: from.Name, Line: found.Line, What: what})
			continue
		}
		if found.Dated {
			c.made.Dated++
		}
		c.Cover(f.At, f.At)
		c.facts = append(c.facts, placed{f, from.Name, found.Line})
	}
	return nil
}

func (c *Collector) damage(d *Damage) {
	c.made.Damaged++
	if len(c.made.Damage) < MostDamage {
		c.made.Damage = append(c.made.Damage, d)
	}
}

// complete gives a fact what it lacks and what there is for it.
func (c *Collector) complete(f *ledger.PacketFact, from *Source) {
	f.EntityType = cmp.Or(f.EntityType, c.options.EntityType)
	f.SourceType = cmp.Or(f.SourceType, c.options.SourceType)
	f.SourceID = cmp.Or(f.SourceID, c.options.SourceID, from.Name)
}

// lacks says what a fact lacks that nobody can give it, or "".
func lacks(f *ledger.PacketFact) string {
	switch {
	case f.Entity == "":
		return "it has no entity"
	case f.Field == "":
		return "it has no field"
	case f.Value == "":
		return "it has no value"
	case f.At.IsZero():
		return "it has no timestamp"
	}
	return ""
}

// errNoFact says that there is nothing to make a packet of.
var errNoFact = errors.New("there is no fact to make a packet of")

// Packet makes the packet of what was taken, and freezes it. A second fact of an id is
// damage. Without any fact it is an error, and what is made says why.
func (c *Collector) Packet() (Made, error) {
	from, to := c.options.From, c.options.To
	if from.IsZero() && to.IsZero() {
		from, to = c.from, c.to
	}
	if len(c.facts) == 0 {
		return c.made, errNoFact
	}
	packet, err := ledger.NewPacket(c.options.ID, from, to)
	if err != nil {
		return c.made, fmt.Errorf("make the packet: %w", err)
	}
	for i := range c.facts {
		one := &c.facts[i]
		if one.fact.At.Before(from) || one.fact.At.After(to) {
			c.made.Outside++
			continue
		}
		err := packet.Add(one.fact)
		if wrong, is := errors.AsType[*ledger.PacketError](err); is {
			c.damage(&Damage{
				Name: one.name, Line: one.line,
				What: fmt.Sprintf("fact %q: %s: %s", wrong.Fact, wrong.Field, wrong.What),
			})
			continue
		}
		if err != nil {
			return c.made, fmt.Errorf("make the packet: %w", err)
		}
	}
	c.facts = nil
	if packet.Len() == 0 {
		return c.made, errNoFact
	}
	if _, err := packet.Freeze(); err != nil {
		return c.made, fmt.Errorf("make the packet: %w", err)
	}
	c.made.Packet = packet
	return c.made, nil
}
