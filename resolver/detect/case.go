package detect

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"moot/ledger"
	"moot/state"
)

// Case is what a Detector finds in a packet. It does not change.
type Case struct {
	detector *Detector
	packet   *ledger.Packet
	tracer   *tracer
	scanner  *scanner
	courses  *courses
	findings []Finding
	// all are the facts that may do something in the case, in the order of time; acts
	// and covers are those among them. A fact may be both.
	all, acts, covers []*item
	// names and stems count in how many facts one stands; ranks are the places of facts
	// in the order of time.
	names, stems map[string]int
	ranks        []int
	// anew says that neighbours or records were found that ties do not know of yet.
	anew bool
	// speakers are the rules that speak of facts.
	speakers map[int32][]int32
	wording  *wording
	// marked are sums of what facts show of a change.
	marked [courseSums]float64
}

// Finding is a rule that speaks of facts of the packet.
type Finding struct {
	// Rule is not to be changed.
	Rule *state.FactRule
	// Facts are ids of what it speaks of, the earliest first, 12 at most; Count is how
	// many there are.
	Facts []string
	Count int
	// Strength is the rule's weight less what cancels it, 0 to 1.
	Strength float64
	// Cancelled is what cancels it, the strongest first.
	Cancelled []Cancelled
	items     []*item
	number    int32
}

// Cancelled is a finding that speaks against another one, by the same thing and time.
type Cancelled struct {
	// Rule is the id of the rule that speaks against it.
	Rule string
	// Facts are the ids of its facts that do so.
	Facts []string
	// Share is how much of the finding it takes away, 0 to 1.
	Share float64
}

// item is a fact that does something in the case.
type item struct {
	*trace
	// reads is how likely it does each thing, rules are those that speak of it.
	reads readings
	rules []int32
	// logits are what the words of the fact come to.
	logits readings
	// left is how much of an act no cover accounts for, 0 to 1; bound how far a cover
	// accounts for any act.
	left, bound float64
	// by are the covers that account for an act, the strongest first.
	by []binding
	// joined are facts that belong to the same record, near those that belong to an act.
	joined, near []*trace
	// asked and met say that these were looked for; tied is what it has in common with
	// acts, by their places.
	asked, met bool
	tied       map[int32]*[tieCount]bool
	// whole says that a rule for the skeptic speaks of the whole case.
	whole bool
}

// binding is how far a cover accounts for an act, 0 to 1.
type binding struct {
	cover *item
	share float64
}

// Find reads a packet once and returns what the rules find. It takes time in the
// number of facts, and memory in the number of rules.
func (d *Detector) Find(p *ledger.Packet) *Case {
	c := d.look(p)
	for _, place := range c.places() {
		c.sort(c.item(place))
	}
	c.order()
	c.company()
	c.bind()
	c.sumMarks()
	c.find()
	c.cancel()
	return c
}

// look holds the rules against a packet, and counts what its facts have in common.
func (d *Detector) look(p *ledger.Packet) *Case {
	c := &Case{detector: d, packet: p, tracer: newTracer(d, p), names: map[string]int{}, stems: map[string]int{}}
	c.scanner = d.scan(p, nil)
	if d.reckonsCourses {
		c.courses = c.coursesIn(c.scanner)
		c.scanner = d.scan(p, c.courses)
	}
	c.speakers = map[int32][]int32{}
	for number := range d.rules {
		for _, place := range c.scanner.hits[number] {
			c.speakers[place] = append(c.speakers[place], int32(number))
		}
	}
	if p.Len() <= maxNear {
		c.count()
	}
	c.wording = newWording(d.lexicon)
	return c
}

// count counts in how many facts a name or a stem stands, since what stands in many tells
// nothing, and ranks the facts by time.
func (c *Case) count() {
	order := make([]int, c.packet.Len())
	for i := range order {
		order[i] = i
		t := c.tracer.of(int32(i))
		for _, name := range t.names {
			c.names[name]++
		}
		for _, stem := range t.stems {
			c.stems[stem]++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		one, other := c.packet.At(a), c.packet.At(b)
		return cmp.Or(one.At.Compare(other.At), cmp.Compare(one.ID, other.ID))
	})
	c.ranks = make([]int, len(order))
	for rank, place := range order {
		c.ranks[place] = rank
	}
}

// places are the facts that may do something: all of a packet that is not large and is
// read by its words, else those that rules speak of.
func (c *Case) places() []int32 {
	if c.detector.lexicon == nil || c.packet.Len() > maxNear {
		return slices.Sorted(maps.Keys(c.speakers))
	}
	all := make([]int32, c.packet.Len())
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// item tells what a fact does in the case.
func (c *Case) item(place int32) *item {
	one := &item{trace: c.tracer.of(place), rules: c.speakers[place], left: 1}
	if c.courses != nil {
		one.bound = 1
	}
	for _, number := range one.rules {
		one.whole = one.whole || c.detector.rules[number].Whole
	}
	if c.detector.lexicon == nil {
		one.reads = c.byRules(one)
		return one
	}
	c.terms(c.wording, place, one.rules)
	one.logits = c.wording.sum
	one.reads = one.logits.likely()
	return one
}

// byRules is what a fact does as the weights of rules have it.
func (c *Case) byRules(one *item) readings {
	var r readings
	for _, number := range one.rules {
		rule := c.detector.rules[number]
		if k := rule.reading; k >= 0 {
			r[k] = max(r[k], rule.Weight)
		}
	}
	// What a record allows repeats what machines observe; and of what there is none,
	// nothing was done. Who says that it was not theirs accounts for nothing.
	if r[readCover] > 0 && isStatement(one.fact) || isNothing(one.fact.Value) || slices.Contains(c.detector.domain.Statements, one.fact.SourceType) {
		r[readAct] = 0
	}
	if r[readDenial] > 0 {
		r[readCover], r[readGap] = 0, 0
	}
	return r
}

// isNothing reports whether a value says that there is none of what its field counts.
func isNothing(v ledger.Value) bool {
	switch v {
	case "0", "[]", "{}", "false", "null", `""`, `"none"`, `"None"`, `"no"`:
		return true
	}
	return false
}

// maxItems is how many facts of a kind are held against each other; least is from which
// likelihood on a fact counts as doing something.
const (
	maxItems = 96
	least    = 0.1
)

// sort puts a fact to those that do the same.
func (c *Case) sort(one *item) {
	c.all = append(c.all, one)
	if one.reads[readAct] >= least {
		c.acts = append(c.acts, one)
	}
	if one.reads[readCover]+one.reads[readMisfit] >= least {
		c.covers = append(c.covers, one)
	}
}

// order puts the facts into the order of time; of very many the likeliest are kept, and of
// those that are as likely the earliest.
func (c *Case) order() {
	for _, list := range []*[]*item{&c.acts, &c.covers, &c.all} {
		byTime(*list)
	}
	for _, of := range []struct {
		list *[]*item
		by   int
	}{{&c.acts, readAct}, {&c.covers, readCover}} {
		if len(*of.list) > maxItems {
			slices.SortStableFunc(*of.list, func(a, b *item) int { return cmp.Compare(b.reads[of.by], a.reads[of.by]) })
			*of.list = (*of.list)[:maxItems]
			byTime(*of.list)
		}
	}
}

func byTime(list []*item) {
	slices.SortFunc(list, func(a, b *item) int {
		return cmp.Or(a.fact.At.Compare(b.fact.At), cmp.Compare(a.fact.ID, b.fact.ID))
	})
}

// find makes the findings: of each rule the facts that it speaks of, but for those that
// their words show to do something else.
func (c *Case) find() {
	items := map[int32]*item{}
	for _, one := range c.all {
		items[one.place] = one
	}
	for number := range c.detector.rules {
		rule := &c.detector.rules[number]
		f := Finding{Rule: rule.FactRule, Count: c.scanner.count[number], number: int32(number)}
		places, k := c.scanner.hits[number], rule.reading
		if rule.Reads {
			places = c.readAs(k)
			f.Count = len(places)
		}
		for _, place := range places {
			one := items[place]
			if one == nil || k >= 0 && c.detector.lexicon != nil && one.reads[k] < least {
				f.Count--
				continue
			}
			f.items = append(f.items, one)
			f.Facts = append(f.Facts, one.fact.ID)
		}
		if len(f.items) > 0 {
			c.findings = append(c.findings, f)
		}
	}
}

// readAs are the facts that do a thing by their words alone, the earliest first.
func (c *Case) readAs(k int) []int32 {
	const likely = 0.25
	var places []int32
	for _, one := range c.all {
		spoken := slices.ContainsFunc(one.rules, func(n int32) bool { return c.detector.rules[n].reading == k })
		if one.reads[k] >= likely && !spoken && len(places) < maxFacts {
			places = append(places, one.place)
		}
	}
	return places
}

// Packet is what was looked through, Domain whose rules did so. Neither is to be
// changed.
func (c *Case) Packet() *ledger.Packet { return c.packet }

// Domain is as Packet says.
func (c *Case) Domain() *state.Domain { return c.detector.domain }

// Findings returns all findings, in the order of the domain's rules. They are not to
// be changed.
func (c *Case) Findings() []Finding { return c.findings }

// together adds weights of which each leaves less to the next: 1 - (1-a)(1-b)….
func together(weights ...float64) float64 {
	rest := 1.0
	for _, w := range weights {
		rest *= 1 - min(max(w, 0), 1)
	}
	return 1 - rest
}

// finite keeps a number within 0 and 1.
func finite(n float64) float64 {
	if math.IsNaN(n) {
		return 0
	}
	return min(max(n, 0), 1)
}
