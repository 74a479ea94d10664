package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
)

// Claims implements Format for a debate over claims that are challenged, defended and judged.
// Formats embed it and override what differs.
type Claims struct{ Base }

// ClaimsOutcome is the outcome of a debate over claims, which has only rulings and an answer.
type ClaimsOutcome struct {
	Concluded
	// Attacks counts the attacks on a design, in the framings critique and redteam.
	Attacks *resolver.Attacks `json:"attacks,omitempty"`
	// Audit holds the statements of a written review with their places, in the framing audit.
	Audit *state.Audit `json:"audit,omitempty"`
	// Comparison holds the ruling for each option and criterion, in the framing compare.
	Comparison *Comparison `json:"comparison,omitempty"`
}

// Outcome implements Format.
func (Claims) Outcome(s *state.State) any {
	rulings := resolver.Rule(s)
	return ClaimsOutcome{Conclude(s), resolver.AttacksOn(s, rulings), s.Settings.Audited(), Compare(s, rulings)}
}

// Comparison is a table of options by criteria, made from the points and their rulings.
type Comparison struct {
	Criteria []string         `json:"criteria"`
	Options  []ComparedOption `json:"options"`
}

// ComparedOption is an option with what was ruled of it: as the choice, and by each criterion, in the order of
// Comparison.Criteria.
type ComparedOption struct {
	Option string            `json:"option"`
	Choice []ComparedPoint   `json:"choice"`
	By     [][]ComparedPoint `json:"by"`
}

// ComparedPoint is a point of a comparison with its ruling.
type ComparedPoint struct {
	Point  string       `json:"point"`
	Kind   state.Kind   `json:"kind"`
	Bucket state.Bucket `json:"bucket"`
	Tag    state.Tag    `json:"tag"`
	Status state.Status `json:"status"`
}

// Compare returns the table of options by criteria, or nil in other framings. A point counts for the option and the
// criterion that it names; letter case and blanks do not matter.
func Compare(s *state.State, rulings []state.Ruling) *Comparison {
	if s.Settings.Framing != state.FramingCompare {
		return nil
	}
	table := &Comparison{Criteria: []string{}, Options: []ComparedOption{}}
	option := func(name string) int {
		same := func(o ComparedOption) bool { return resolver.Normalized(o.Option) == resolver.Normalized(name) }
		if at := slices.IndexFunc(table.Options, same); at >= 0 {
			return at
		}
		table.Options = append(table.Options, ComparedOption{Option: name, Choice: []ComparedPoint{}})
		return len(table.Options) - 1
	}
	for _, name := range s.Settings.Input.Options {
		option(name)
	}
	criterion := func(name string) int {
		same := func(c string) bool { return resolver.Normalized(c) == resolver.Normalized(name) }
		if at := slices.IndexFunc(table.Criteria, same); at >= 0 {
			return at
		}
		table.Criteria = append(table.Criteria, name)
		return len(table.Criteria) - 1
	}
	for i := range rulings {
		r := &rulings[i]
		p := s.Point(r.Point)
		if p == nil || p.Option == "" || p.MergedInto != "" || r.Tag == state.TagSuperseded {
			continue
		}
		one := ComparedPoint{p.ID, resolver.KindOf(s, p), r.Bucket, r.Tag, r.Status}
		o := &table.Options[option(p.Option)]
		if p.Criterion == "" {
			o.Choice = append(o.Choice, one)
			continue
		}
		at := criterion(p.Criterion)
		for len(o.By) <= at {
			o.By = append(o.By, []ComparedPoint{})
		}
		o.By[at] = append(o.By[at], one)
	}
	for i := range table.Options {
		for len(table.Options[i].By) < len(table.Criteria) {
			table.Options[i].By = append(table.Options[i].By, []ComparedPoint{})
		}
	}
	return table
}

// section returns the comparison as a table: a row for each option.
func (c *Comparison) section() Section {
	if c == nil || len(c.Options) == 0 {
		return Section{}
	}
	cell := func(points []ComparedPoint) string {
		var parts []string
		for _, p := range points {
			ruled := cmp.Or(string(p.Status), string(p.Tag))
			if p.Tag == state.TagNotApplicable {
				ruled = string(p.Kind)
			}
			parts = append(parts, Join(" ", p.Point, Join(", ", BucketName(p.Bucket), Word(ruled))))
		}
		return cmp.Or(strings.Join(parts, "; "), "-")
	}
	table := [][]string{append(append([]string{"option"}, c.Criteria...), "choice")}
	for _, o := range c.Options {
		row := []string{o.Option}
		for _, points := range o.By {
			row = append(row, cell(points))
		}
		table = append(table, append(row, cell(o.Choice)))
	}
	return Section{Title: "OPTIONS BY CRITERIA", Table: table, Uncounted: true}
}

// RequestResult implements Format.
func (Claims) RequestResult(_ *state.State, r *state.Request) string {
	switch {
	case r.Answered:
		return "answered"
	case r.Passed:
		return "not answered"
	}
	return ""
}

// Opposed implements Format.
func (Claims) Opposed(*state.State) (seats []state.Seat, withRules bool) {
	return []state.Seat{state.Orchestrator, state.Consultee}, false
}

// Warnings implements Format.
func (Claims) Warnings(s *state.State) []string { return DriftWarnings(s) }

// Map implements Format.
func (Claims) Map(s *state.State) Map { return OpposedPairs(s) }

// Fill lists the points by bucket.
func (Claims) Fill(d *Document, s *state.State, rulings []state.Ruling) {
	d.Header(s)
	d.AddVerdict(s, rulings)
	d.AddPoints(s, rulings, nil)
	d.Add(Compare(s, rulings).section())
}

// FirstAnswers uses the judgments of other seats in round 1. A claim that several seats raised is
// agreed, too.
func (Claims) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if p.Round > 1 {
			return state.BucketNotEvaluated
		}
		if contradicted(s, p) {
			return state.BucketUnresolved
		}
		said := map[state.Seat]state.Bucket{}
		for _, seat := range p.Authors {
			if len(p.Authors) > 1 && !s.ByRules(seat) {
				said[seat] = state.BucketAgreed
			}
		}
		for _, c := range p.Classes {
			if c.Round != 1 || c.ByRules || p.IsAuthor(c.Seat) {
				continue
			}
			switch c.Class {
			case state.Agree:
				said[c.Seat] = state.BucketAgreed
			case state.Reject:
				said[c.Seat] = state.BucketDismissed
			case state.Skeptical, state.IllFormed:
				said[c.Seat] = state.BucketUnresolved
			}
		}
		buckets := slices.Collect(maps.Values(said))
		slices.Sort(buckets)
		if buckets = slices.Compact(buckets); len(buckets) == 1 {
			return buckets[0]
		}
		return state.BucketUnresolved
	}
}

// contradicted reports whether triage found that another seat's first answer contradicts the point
// (RD1b).
func contradicted(s *state.State, p *state.Point) bool {
	for _, pair := range s.Pairs.All() {
		if !pair.Opposed {
			continue
		}
		a, b := s.Live(pair.A), s.Live(pair.B)
		if a != nil && b != nil && a.Round == 1 && b.Round == 1 && (a.ID == p.ID || b.ID == p.ID) {
			return true
		}
	}
	return false
}
