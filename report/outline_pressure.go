package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// objections are the objections, the gravest first.
func (p *proposal) objections() section {
	sec := section{title: "OBJECTIONS"}
	var challenges []*state.Challenge
	for _, c := range p.s.Challenges.All() {
		if c.Typed != nil {
			challenges = append(challenges, c)
		}
	}
	slices.SortStableFunc(challenges, func(a, b *state.Challenge) int {
		return resolver.Gravity(a.Typed.Severity) - resolver.Gravity(b.Typed.Severity)
	})
	for _, c := range challenges {
		sec.items = append(sec.items, p.objection(c))
	}
	return sec
}

func (p *proposal) objection(c *state.Challenge) item {
	came := p.came(c)
	it := item{id: c.ID, text: c.Objection, mark: c.Typed.Severity + ", " + came.Words("you")}
	raised := fmt.Sprintf("%s, by %s in round %d", p.named(c.Point), c.By, c.Round)
	if c.Typed.Flag != "" {
		raised += ", red flag " + c.Typed.Flag
	}
	it.note("against", raised)
	it.note("would have to be true", fmt.Sprintf("%s (%s)", c.Typed.Predicate, c.Typed.Category))
	for i := range c.Defenses {
		it.note("answered by "+string(c.Defenses[i].By), c.Defenses[i].Text)
	}
	for _, r := range resolver.Owed(p.s, c) {
		it.note("asked for, and not brought", r.Text)
	}
	if came.Reason != "" {
		it.note("why", came.Reason)
	}
	for _, id := range p.deciders(c, came) {
		if e := p.s.Item(id); e != nil {
			p.decisive[id] = true
			it.notes = append(it.notes, evidenceNote(e))
		}
	}
	return it
}

// deciders are the items that an objection was decided by, or that stand against
// each other over it.
func (p *proposal) deciders(c *state.Challenge, came *resolver.Objection) []string {
	if came.Rule != "R4" || p.outcome == nil {
		return []string{came.Decider}
	}
	r := p.outcome.Resolution(c.ID)
	if r == nil {
		return nil
	}
	return []string{r.BestFor, r.BestAgainst}
}

// named is a field by its id and path.
func (p *proposal) named(point string) string {
	if at := p.s.Point(point); at != nil && at.Field != nil {
		return point + " " + at.Field.Path
	}
	return point
}

// evidence is by authority, the strongest first; what failed its check is last.
func (p *proposal) evidence() section {
	sec := section{title: "EVIDENCE"}
	order := resolver.Configured(p.s).Order()
	rank := func(e *ledger.Evidence) int {
		if !e.Counts() {
			return len(order)
		}
		return slices.Index(order, e.SourceKind)
	}
	var items []*ledger.Evidence
	for _, e := range p.s.Evidence.All() {
		items = append(items, e)
	}
	slices.SortStableFunc(items, func(a, b *ledger.Evidence) int { return cmp.Compare(rank(a), rank(b)) })
	for _, e := range items {
		sec.items = append(sec.items, p.evidenceItem(e))
	}
	return sec
}

func (p *proposal) evidenceItem(e *ledger.Evidence) item {
	it := item{id: e.ID, text: e.Reference, mark: fmt.Sprintf("%s %.2f", e.SourceKind, e.Confidence)}
	switch {
	case !e.Checked:
		it.mark = "not checked yet"
	case !e.Counts():
		it.mark = "does not count"
	}
	bears := p.named(e.Point)
	if against := p.broughtFor(e.ID); len(against) > 0 {
		bears += ", on " + strings.Join(against, " ")
	}
	label := string(e.Relation)
	if !e.Counts() {
		label = "offered as what " + label
	}
	it.note(label, fmt.Sprintf("%s; by %s in round %d", bears, e.OfferedBy, e.Round))
	if e.Checked && !e.Counts() {
		it.note("why", e.Reason)
	}
	if p.stale(e.ID) {
		it.note("beware", "too old to count (G8)")
	}
	if e.Excerpt != "" && !p.decisive[e.ID] {
		it.notes[0].quote = quoted(e.Excerpt)
	}
	return it
}

// broughtFor are the objections that an item was brought for.
func (p *proposal) broughtFor(id string) []string {
	var objections []string
	for _, c := range p.s.Challenges.All() {
		if c.Typed != nil && slices.Contains(c.Typed.Evidence, id) {
			objections = append(objections, c.ID)
		}
	}
	return objections
}

// stale reports whether G8 found an item too old.
func (p *proposal) stale(id string) bool {
	return p.outcome != nil && slices.ContainsFunc(p.outcome.Receipts, func(r dialectic.Receipt) bool {
		return r.Rule == "G8" && slices.Contains(r.Reads, id)
	})
}
