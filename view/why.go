package view

import (
	"fmt"
	"slices"

	"moot/resolver"
	"moot/state"
)

// Why explains the ruling on a point: the rule and what it read, what the format adds, and what
// would change the ruling.
func Why(s *state.State, r *state.Ruling) Document {
	e := resolver.Explain(s, *r)
	d := Document{Title: e.Point, Question: e.Text}
	d.because(s, r, &e)
	d.Add(FormatOf(s).Why(s, r)...)
	d.Add(Readings("THE RULE READ", e.Reads))
	d.Add(Changes(e.Changes, e.More, e.Limit)...)
	return d
}

// because adds the ruling, why it was made, and the rule.
func (d *Document) because(s *state.State, r *state.Ruling, e *resolver.Explanation) {
	d.Heading, d.Role, d.Verdict = Ruling(r), BucketRole(r.Bucket), []string{e.Sentence}
	if p := s.Point(r.Point); p != nil && p.UserRuling != nil {
		d.Verdict = append(d.Verdict, throughChannel("You decided it", p.UserRuling.Channel)+".")
	}
	if r.Crux != "" {
		d.Verdict = append(d.Verdict, "It would be resolved by: "+r.Crux)
	}
	d.Add(Section{Title: "RULE", Uncounted: true, Lines: []string{Sentence(e.Rule, e.Says)}})
}

// Readings lists items that a rule read.
func Readings(title string, reads []resolver.Reading) Section {
	sec := Section{Title: title, Uncounted: true}
	for _, r := range reads {
		sec.Items = append(sec.Items, Item{ID: r.ID, Text: r.What})
	}
	return sec
}

// Changes lists what would move a point or a decision: first by others or new evidence, then by the
// user.
func Changes(changes []resolver.Change, more int, limit string) []Section {
	others := Section{Title: "WHAT WOULD CHANGE IT", Uncounted: true}
	yours := Section{Title: "WHAT YOU CAN DO", Uncounted: true}
	past := func(c resolver.Change) bool { return c.Ways[0].Past }
	if len(changes) > 0 && !slices.ContainsFunc(changes, func(c resolver.Change) bool { return !past(c) }) {
		others.Title = "WHAT WOULD HAVE CHANGED IT"
	}
	for i := range changes {
		c := &changes[i]
		it := Item{Text: Sentence(c.With, Ruling(&c.Then)) + ".", Role: BucketRole(c.Then.Bucket)}
		if c.Who == resolver.MovedByUser && !past(*c) {
			yours.Items = append(yours.Items, it)
		} else {
			others.Items = append(others.Items, it)
		}
	}
	switch {
	case more == 1:
		others.After = "One more outcome is possible."
	case more > 1:
		others.After = fmt.Sprintf("%d more outcomes are possible.", more)
	}
	if limit != "" {
		others.After = Join(" ", others.After, limit)
	}
	if len(others.Items) == 0 && others.After != "" {
		others.Lines, others.After = []string{others.After}, ""
	}
	return []Section{others, yours}
}
