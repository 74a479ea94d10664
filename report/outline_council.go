package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
)

// council is a session of the format council on its way into an outline.
type council struct {
	s       *state.State
	rulings []state.Ruling
	out     Validated
}

// arrangeCouncil is a council: whether there is consensus, then the claims by where
// they ended, what violates the constitution, and what the moderator said.
func arrangeCouncil(o *outline, s *state.State, rulings []state.Ruling) {
	c := &council{s: s, rulings: rulings, out: validated(s)}
	o.row("consensus", c.consensus())
	o.header(s)
	c.heads(o)
	o.row("changed", c.changed())
	o.row("usage", usageLine(s.Usage))
	o.heading, o.verdict = verdict(s, rulings)
	o.add(questions(s, "WAITING FOR YOU", func(q *state.Question) bool { return !q.Answered && !s.Over() }))
	o.sections = append(
		o.sections,
		c.claims("AGREED", state.BucketAgreed),
		c.claims("UNRESOLVED", state.BucketUnresolved),
		c.claims("DISMISSED", state.BucketDismissed),
		questions(s, "SURFACED QUESTIONS", func(q *state.Question) bool { return q.Answered || s.Over() }),
		c.claims("NOT EVALUATED", state.BucketNotEvaluated),
	)
	last := &o.sections[len(o.sections)-1]
	last.items = append(last.items, unverified(s)...)
	o.add(c.claims("STILL OPEN", state.BucketOpen))
	o.sections = append(o.sections, c.violations(), c.syntheses())
}

// consensus says whether there is one, and what stands in its way.
func (c *council) consensus() string {
	tests, unsettled := c.out.Tests, areOrIs(c.out.Unsettled)
	switch {
	case c.out.Consensus:
		return fmt.Sprintf("in round %d: CV1 to CV4 leave no live claim unsettled, %s", c.out.ConsensusRound,
			c.standing())
	case len(tests) == 0 && c.s.Over():
		return "none: the session ended before it was tested"
	case len(tests) == 0:
		return "not tested yet"
	case len(c.out.Unsettled) == 0:
		return fmt.Sprintf("none was found in round %d; as things stand no live claim is unsettled",
			tests[len(tests)-1].Round)
	case tests[len(tests)-1].Reached:
		return fmt.Sprintf("in round %d, and none any more: %s not settled", tests[len(tests)-1].Round, unsettled)
	}
	return "none: " + unsettled + " not settled"
}

// standing counts the claims that stand.
func (c *council) standing() string {
	n := 0
	for i := range c.out.Claims {
		if c.out.Claims[i].Bucket == state.BucketAgreed {
			n++
		}
	}
	switch n {
	case 0:
		return "and none stands"
	case 1:
		return "and 1 claim stands"
	}
	return fmt.Sprintf("and %d claims stand", n)
}

// heads are the rows that only a council has.
func (c *council) heads(o *outline) {
	book := &c.s.CouncilSettings().Constitution
	o.row("bound by", fmt.Sprintf("constitution %q: %s, %d of them checked by code; %s",
		book.Name, plain.Counted(len(book.Constraints), "constraint"), checked(book), c.found()))
	weights := make([]string, len(c.out.Weights))
	for i, w := range c.out.Weights {
		weights[i] = string(w.Seat) + " " + number(w.Weight)
	}
	o.row("weights", cmp.Or(strings.Join(weights, ", "), "none")+"; decision threshold "+
		number(c.out.DecisionThreshold))
	if c.out.Parallel {
		o.row("parallel", "critic and adversary were asked at once, unseen by each other")
	}
	if len(c.out.Silent) > 0 && c.s.Points.Len() > 0 {
		o.row("silent", joined(c.out.Silent)+" reported no confidence in any claim")
	}
}

// number is a figure in at most three digits behind the point.
func number(f float64) string {
	return strconv.FormatFloat(roundedTo(f), 'f', -1, 64)
}

// roundedTo rounds to three digits behind the point.
func roundedTo(f float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', 3, 64), 64)
	return rounded
}

// found counts the violations by what became of them.
func (c *council) found() string {
	var parts []string
	for _, status := range violationStatuses() {
		n := 0
		for i := range c.out.Violations {
			if c.out.Violations[i].Status == status {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	if len(parts) == 0 {
		return "no violation was found"
	}
	return plain.Counted(len(c.out.Violations), "violation") + " (" + strings.Join(parts, ", ") + ")"
}

// changed compares where the claims ended with what the strategist presented.
func (c *council) changed() string {
	var moved []string
	presentations, waiting := 0, false
	for _, change := range Baseline(c.s, c.rulings) {
		p := c.s.Point(change.Point)
		if !presented(p) {
			continue
		}
		presentations++
		now := c.s.Current(p.ID)
		after := change.After
		if ruling := rulingOn(c.rulings, now.ID); ruling != nil {
			after = ruling.Bucket
		}
		switch {
		case now.ID != p.ID:
			moved = append(moved, fmt.Sprintf("%s worded anew as %s (%s)", p.ID, now.ID, bucketName(after)))
		case after == state.BucketOpen:
			waiting = true
		case after != state.BucketAgreed:
			moved = append(moved, p.ID+" → "+bucketName(after))
		}
	}
	switch {
	case presentations == 0:
		return "the strategist presented no claim"
	case len(moved) == 0 && waiting:
		return "nothing yet"
	case len(moved) == 0:
		return "nothing: each claim stands as the strategist presented it"
	}
	return fmt.Sprintf("%d of %s: %s", len(moved),
		plain.Counted(presentations, "claim")+" that the strategist presented", strings.Join(moved, ", "))
}

func rulingOn(rulings []state.Ruling, point string) *state.Ruling {
	i := slices.IndexFunc(rulings, func(r state.Ruling) bool { return r.Point == point })
	if i < 0 {
		return nil
	}
	return &rulings[i]
}

// claims are those of a bucket, with what the seats report of them.
func (c *council) claims(title string, bucket state.Bucket) section {
	sec := section{title: title}
	for i := range c.rulings {
		p := c.s.Point(c.rulings[i].Point)
		if p != nil && p.MergedInto == "" && c.rulings[i].Bucket == bucket {
			sec.items = append(sec.items, c.claim(p, &c.rulings[i]))
		}
	}
	return sec
}

func (c *council) claim(p *state.Point, r *state.Ruling) item {
	it := pointItem(c.s, p, r)
	at := slices.IndexFunc(c.out.Claims, func(v Validation) bool { return v.Point == p.ID })
	if at < 0 {
		// Another form took its place: that one tells the rest.
		return it
	}
	v := &c.out.Claims[at]
	var notes []note
	add := func(label, text string) { notes = append(notes, note{label: label, text: text}) }
	if p.Key {
		add("key", "much rests on it: it needs verified evidence of two sources")
	}
	if v.WordedBy != "" {
		add("worded by", fmt.Sprintf("%s, and held by %s", v.WordedBy, v.By))
	}
	if v.Limit != "" {
		add("limit", v.Limit)
	}
	add("confidence", confidences(v))
	if strings.HasPrefix(r.Rule, "CV") {
		it.notes = slices.DeleteFunc(it.notes, func(n note) bool { return n.label == "why" || n.label == resolvedBy })
		add("why", ruleWords(v)+" "+receipt(r))
		for _, check := range v.Rules {
			add(check.Rule+" "+resolver.ValidationRuleName(check.Rule), checkWords(&check))
		}
		if r.Bucket != state.BucketAgreed {
			for _, required := range v.Required {
				add("requires", required)
			}
		}
	}
	it.notes = append(notes, it.notes...)
	for _, form := range v.Earlier {
		it.note("was "+form.Point, form.Text)
	}
	return it
}

// confidences are what the seats report, and what that comes to.
func confidences(v *Validation) string {
	if len(v.Scores) == 0 {
		return "nobody reported one"
	}
	var parts []string
	for _, score := range v.Scores {
		part := string(score.Seat) + " " + number(score.Admitted)
		if number(score.Admitted) != number(score.Stated) {
			part += " (stated " + number(score.Stated) + ")"
		}
		parts = append(parts, part)
	}
	text := strings.Join(parts, ", ")
	if v.Aggregate != nil {
		text += "; aggregate " + number(*v.Aggregate)
	}
	text += "; apart " + number(v.Spread) + "; validation confidence " + number(v.Confidence)
	if len(v.Missing) > 0 {
		text += "; nothing of " + joined(v.Missing)
	}
	return text
}

// checkWords say whether a rule holds, and by what. The confidences that CV2 reads
// stand above already.
func checkWords(r *resolver.RuleCheck) string {
	if r.Passed && r.Rule == "CV2" {
		return "holds"
	}
	if r.Passed {
		return "holds: " + r.Says
	}
	return "does not hold: " + r.Says
}

// ruleWords say which of CV1 to CV4 do not hold.
func ruleWords(v *Validation) string {
	var failed []string
	for _, r := range v.Rules {
		if !r.Passed {
			failed = append(failed, r.Rule)
		}
	}
	switch len(failed) {
	case 0:
		return "CV1 to CV4 hold"
	case 1:
		return failed[0] + " does not hold"
	}
	return strings.Join(failed, ", ") + " do not hold"
}

// violations are those of the constitution, with what became of each. What is only
// flagged, by the check bias, comes last, and once for several claims.
func (c *council) violations() section {
	sec := section{title: "VIOLATIONS", count: len(c.out.Violations)}
	var flagged [][]*Violation
	for i := range c.out.Violations {
		v := &c.out.Violations[i]
		if v.Status != ViolationFlagged {
			sec.items = append(sec.items, c.violation(v))
			continue
		}
		like := func(group []*Violation) bool {
			return group[0].Constraint == v.Constraint && group[0].Seat == v.Seat
		}
		if at := slices.IndexFunc(flagged, like); at >= 0 {
			flagged[at] = append(flagged[at], v)
		} else {
			flagged = append(flagged, []*Violation{v})
		}
	}
	for _, group := range flagged {
		it := c.violation(group[0])
		if len(group) > 1 {
			points := make([]string, len(group))
			for i, v := range group {
				points[i] = v.Point
			}
			it.text = fmt.Sprintf("%s of the %s: all support of each is of one source, seat or polarity",
				strings.Join(points, ", "), group[0].Seat)
		}
		it.note("beware", "a flag holds no claim up")
		sec.items = append(sec.items, it)
	}
	return sec
}

// violation is one of them.
func (c *council) violation(v *Violation) item {
	it := item{
		id: v.Constraint, mark: string(v.Status),
		text: fmt.Sprintf("%s of the %s, round %d: %s", v.About(), v.Seat, v.Round, v.Text),
	}
	if constraint := c.s.CouncilSettings().Constitution.Constraint(v.Constraint); constraint != nil {
		it.note("demands", constraint.Text)
	}
	return it
}

// syntheses are what the moderator said, each beside what the rules found.
func (c *council) syntheses() section {
	sec := section{title: "SYNTHESES"}
	for i := range c.out.Syntheses {
		said := &c.out.Syntheses[i]
		it := item{id: "round " + strconv.Itoa(said.Round), mark: "no agreement", text: said.Text}
		if said.Agreement {
			it.mark = "agreement"
		}
		if len(said.Open) > 0 {
			it.note("open", strings.Join(said.Open, ", "))
		}
		switch test := c.s.Council.Consensus(said.Round); said.Rules {
		case BearingNone:
			it.note("rules", "the round was not tested for consensus")
		case BorneOut:
			it.note("rules", "bear it out")
		case Contradicted:
			it.note("CONTRADICTED", contradiction(test))
		}
		sec.items = append(sec.items, it)
	}
	return sec
}
