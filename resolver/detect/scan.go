package detect

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/state"
)

// maxFacts is how many facts a finding keeps: the earliest, so that their order in the
// packet does not matter.
const maxFacts = 12

// scanner goes over the facts of a packet once.
type scanner struct {
	d      *Detector
	packet *ledger.Packet
	text   text
	// names replaces what machines and accounts are called; nil where nothing is.
	names *strings.Replacer
	// courses is nil where nothing is known of the change yet.
	courses *courses
	// met are for each condition the number of the fact, from 1, whose phrases met a
	// list of it: words, and, without, field.
	met [][4]int32
	// candidates are the conditions that one fact calls for.
	candidates []int32
	// spoke is for each rule the number of the fact that it spoke of last.
	spoke []int32
	// hits are for each rule the places of its facts, the earliest first; count is
	// how many there were.
	hits  [][]int32
	count []int
}

func (d *Detector) scan(p *ledger.Packet, courses *courses) *scanner {
	s := &scanner{
		d: d, packet: p, courses: courses, names: namesOf(p),
		met: make([][4]int32, len(d.conditions)), spoke: make([]int32, len(d.rules)),
		hits: make([][]int32, len(d.rules)), count: make([]int, len(d.rules)),
	}
	for i := range p.Len() {
		s.fact(int32(i))
	}
	return s
}

// fact holds one fact against the rules.
func (s *scanner) fact(place int32) {
	f := s.packet.At(int(place))
	s.read(&f)
	s.candidates = s.candidates[:0]
	s.d.index.find(s.text.words, func(number int32, _, _ int) {
		for _, h := range s.d.index.phrases[number].heeds {
			if s.met[h.condition][h.list] == place+1 {
				continue
			}
			s.met[h.condition][h.list] = place + 1
			if h.list == listWords || h.list == listField {
				s.candidates = append(s.candidates, h.condition)
			}
		}
	})
	for _, number := range s.d.open {
		if s.d.conditions[number].sources&sourceBit(f.SourceType) != 0 {
			s.candidates = append(s.candidates, number)
		}
	}
	if len(s.candidates) == 0 {
		return
	}
	var leaves []leaf
	for _, number := range s.candidates {
		c := &s.d.conditions[number]
		if s.spoke[c.rule] == place+1 || !s.lists(number, place) {
			continue
		}
		if leaves == nil && c.readsLeaves() {
			leaves = leavesOf(f.Field, f.Value)
		}
		if c.holds(&f, leaves) && (len(c.Course) == 0 || s.courses.hold(c.Course, place)) {
			s.spoke[c.rule] = place + 1
			s.keep(c.rule, place)
		}
	}
}

// read reads the words of a fact: its field, then its value, and both once more taken
// apart where words are written as one.
func (s *scanner) read(f *ledger.PacketFact) {
	s.text.reset()
	s.text.read(f.Field, false)
	value := string(f.Value)
	if s.names != nil {
		value = s.names.Replace(value)
	}
	s.text.read(value, false)
	if isEmpty(f.Value) {
		s.text.read("none", false)
	}
	if s.text.camel {
		s.text.segment++
		s.text.read(f.Field, true)
		s.text.read(value, true)
	}
}

// namesOf replaces the names of machines and accounts of a packet: what they are called
// tells nothing of what they do.
func namesOf(p *ledger.Packet) *strings.Replacer {
	const shortest = 4
	var pairs []string
	seen := map[string]bool{}
	for i := range min(p.Len(), maxKnown) {
		from, to := ends(p.At(i).Entity)
		for _, end := range []string{from, to} {
			if len(end) < shortest || seen[end] || !strings.ContainsAny(end, "-_") || strings.ContainsAny(end, " ./\\:@*,\"") {
				continue
			}
			seen[end] = true
			pairs = append(pairs, end, "name")
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	return strings.NewReplacer(pairs...)
}

// isEmpty reports whether a value is an empty list, object or text: there is none.
func isEmpty(v ledger.Value) bool { return v == "[]" || v == "{}" || v == `""` }

// lists reports whether the lists of phrases of a condition hold.
func (s *scanner) lists(number, place int32) bool {
	c, met := &s.d.conditions[number], &s.met[number]
	return met[listWithout] != place+1 && (len(c.And) == 0 || met[listAnd] == place+1)
}

// readsLeaves reports whether a condition needs the value taken apart.
func (c *condition) readsLeaves() bool {
	return len(c.fields) > 0 || c.AtLeast != nil || c.AtMost != nil || c.Is != nil || slices.ContainsFunc(c.Kinds, ofValue)
}

// ofValue reports whether a kind is one of values; the others are of entities.
func ofValue(k state.ValueKind) bool {
	return k != state.KindOutbound && k != state.KindInbound
}

// holds reports whether a condition whose lists hold does so altogether.
func (c *condition) holds(f *ledger.PacketFact, leaves []leaf) bool {
	if c.sources != 0 && c.sources&sourceBit(f.SourceType) == 0 {
		return false
	}
	if len(c.Kinds) > 0 && !slices.ContainsFunc(c.Kinds, func(k state.ValueKind) bool { return entityIs(f.Entity, k) }) {
		if !slices.ContainsFunc(c.Kinds, ofValue) {
			return false
		}
		if !slices.ContainsFunc(leaves, func(l leaf) bool { return c.named(&l) && c.isKind(&l) }) {
			return false
		}
	}
	if !c.readsLeaves() {
		return true
	}
	return slices.ContainsFunc(leaves, func(l leaf) bool { return c.named(&l) && c.measures(&l) })
}

// named reports whether a leaf is of the condition's fields, and has its words.
func (c *condition) named(l *leaf) bool {
	if len(c.fields) == 0 {
		return true
	}
	if !slices.ContainsFunc(c.fields, func(parts []part) bool { return has(parts, l.name()) }) {
		return false
	}
	if len(c.words) == 0 {
		return true
	}
	var t text
	t.read(l.text(), false)
	t.segment++
	t.read(l.text(), true)
	return slices.ContainsFunc(c.words, func(parts []part) bool { return has(parts, t.words) })
}

// measures reports whether a leaf is within the bounds of the condition.
func (c *condition) measures(l *leaf) bool {
	if c.Is != nil && l.truth() != *c.Is {
		return false
	}
	if c.AtLeast == nil && c.AtMost == nil {
		return c.Is == nil || l.isTruth()
	}
	n, is := l.number()
	return is && (c.AtLeast == nil || n >= *c.AtLeast) && (c.AtMost == nil || n <= *c.AtMost)
}

func (c *condition) isKind(l *leaf) bool {
	s, is := l.value.(string)
	if !is {
		return false
	}
	for _, k := range c.Kinds {
		switch k {
		case state.KindWritable:
			if isWritable(s) {
				return true
			}
		case state.KindPublic, state.KindPrivate:
			if a, is := addressIn(s); is && isPublic(a) == (k == state.KindPublic) {
				return true
			}
		case state.KindOutbound, state.KindInbound:
		}
	}
	return false
}

// entityIs reports whether an entity is of a kind.
func entityIs(entity string, kind state.ValueKind) bool {
	from, to := ends(entity)
	switch kind {
	case state.KindOutbound:
		return to != "" && outside(to, from)
	case state.KindInbound:
		return to != "" && outside(from, to)
	case state.KindPublic:
		a, is := addressIn(from)
		return to == "" && is && isPublic(a)
	case state.KindPrivate:
		a, is := addressIn(from)
		return to == "" && is && !isPublic(a)
	case state.KindWritable:
	}
	return false
}

// text is the value of a leaf in words.
func (l *leaf) text() string {
	switch v := l.value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return "null"
}

// truth reads a truth value as collectors write it.
func (l *leaf) truth() bool {
	switch v := l.value.(type) {
	case bool:
		return v
	case string:
		return slices.Contains([]string{"true", "yes", "1", "on", "enabled"}, string(bytes.ToLower([]byte(v))))
	case float64:
		return v == 1
	}
	return false
}

// isTruth reports whether a leaf is a truth value at all.
func (l *leaf) isTruth() bool {
	switch v := l.value.(type) {
	case bool:
		return true
	case string:
		return slices.Contains([]string{"true", "yes", "1", "on", "enabled", "false", "no", "0", "off", "disabled"}, string(bytes.ToLower([]byte(v))))
	case float64:
		return v == 0 || v == 1
	}
	return false
}

// keep notes a fact for a rule, where it is among the earliest.
func (s *scanner) keep(rule, place int32) {
	s.count[rule]++
	hits := s.hits[rule]
	if len(hits) == maxFacts && s.before(hits[maxFacts-1], place) {
		return
	}
	at, _ := slices.BinarySearchFunc(hits, place, func(a, b int32) int {
		if s.before(a, b) {
			return -1
		}
		return 1
	})
	if len(hits) == maxFacts {
		hits = hits[:maxFacts-1]
	}
	s.hits[rule] = slices.Insert(hits, at, place)
}

// before reports whether one fact is earlier than another, or has the lower id.
func (s *scanner) before(a, b int32) bool {
	one, other := s.packet.At(int(a)), s.packet.At(int(b))
	if !one.At.Equal(other.At) {
		return one.At.Before(other.At)
	}
	return one.ID < other.ID
}
