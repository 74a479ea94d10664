package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/figure"
	"moot/resolver"
	"moot/state"
)

// councilClaim is the selected claim as it is told of beside the table or below.
type councilClaim struct {
	toldClaim
	// forms are those that it was told from, the present one first.
	forms []*state.Point
	drawn []string
	top   int
}

// toldClaim is all but the forms of a claim that decides what is told of it, and
// for which room.
type toldClaim struct {
	id            string
	width, height int
	look          *look
	// seen is the claim as it stands, bucket where.
	seen   *seenClaim
	bucket state.Bucket
	// round, tested and breaches are how far the session is, over whether it is.
	round, tested, breaches int
	over                    bool
}

func (c *councilClaim) more() bool { return c.top+c.height < len(c.drawn) }

// The least room of the chart of a claim's way and of what is said beside it, and
// how high the chart is at most.
const leastCourseWidth, leastCourseHeight, mostCourseHeight, leastToldWidth = 44, 9, 14, 60

// claimRows tells of the selected claim in exactly the rows.
func (p *councilPane) claimRows(width, height int) []string {
	c, forms := &p.shown, p.formsOf(p.chosen)
	told := toldClaim{
		id: p.chosen, width: width, height: height, look: p.look, seen: p.seen(p.chosen), bucket: p.bucket(p.chosen),
		round: p.state.Round, tested: len(p.state.Council.Tested), breaches: len(p.state.Council.Breaches), over: p.state.Over(),
	}
	if c.drawn == nil || c.toldClaim != told || !slices.Equal(c.forms, forms) {
		top := when(c.id == p.chosen, c.top, 0)
		*c = councilClaim{toldClaim: told, forms: forms, top: top, drawn: p.drawClaim(width, height)}
	}
	c.top = max(min(c.top, len(c.drawn)-height), 0)
	return fit(slices.Clone(c.drawn[c.top:]), width, height)
}

// formsOf are the forms of a claim, the present one first. One that is the same
// point as before did not change.
func (p *councilPane) formsOf(id string) []*state.Point {
	var forms []*state.Point
	for point := p.state.Point(id); point != nil && len(forms) < p.state.Points.Len(); point = p.state.Point(point.Revises) {
		forms = append(forms, point)
	}
	return forms
}

// drawClaim draws all that is told of the selected claim: what the rules say, and
// its way as a chart and in words. The chart stands beside the words where there is
// room, else between them.
func (p *councilPane) drawClaim(width, height int) []string {
	l, steps := p.look, resolver.Course(&p.state, p.chosen)
	read := func(width int, blocks ...block) []string {
		text := scrolled{blocks: func(*look) []block { return blocks }}
		text.lay(l, width)
		return text.drawn
	}
	chart := figure.Course(steps)
	draw := func(width, height int) []string {
		if empty := chart.Empty(); empty != "" {
			return l.paragraph(width, []span{{text: "  "}}, span{l.faint, empty}, nil, 0)
		}
		return l.painted(chart.Draw(width, height, l.ascii, l.width))
	}
	stands, course := p.standsBlocks(l, p.chosen), p.courseBlocks(l, steps)
	if width >= leastCourseWidth+leastToldWidth && height > leastCourseHeight {
		right := max(width*2/5, leastCourseWidth)
		rows, way := read(width-right-2, append(stands, course...)...), draw(right, min(height-1, mostCourseHeight))
		n := max(len(rows), len(way))
		rows, way = fit(rows, width-right-2, n), fit(way, right, n)
		for i := range rows {
			rows[i] += blank(2) + way[i]
		}
		return rows
	}
	rows := append(read(width, stands...), blank(width))
	room := when(width >= leastCourseWidth && height > 2*leastCourseHeight, mostCourseHeight, len(p.seats)+1)
	return append(append(rows, draw(width, room)...), read(width, course...)...)
}

// standsBlocks say of a claim what CV1 to CV4 say, what they ask for, and what it
// violates.
func (p *councilPane) standsBlocks(l *look, id string) []block {
	point := p.state.Point(id)
	if point == nil {
		return nil
	}
	v := &p.seen(id).Validation
	glyph, st, name := l.bucket(p.bucket(id))
	list := []block{
		{section: id, right: span{st, glyph + " " + name + when(point.UserRuling != nil, " user", "")}},
		{indent: 2, body: span{l.bold, point.Text}},
		{indent: 2, body: span{l.faint, strings.Join(append(claimFacts(point), validWords(v)...), l.glyphs.separator)}},
	}
	for i := range v.Rules {
		list = append(list, ruleBlocks(l, &v.Rules[i])...)
	}
	return append(list, p.breachBlocks(l, point)...)
}

// bucket is where a claim stands.
func (p *councilPane) bucket(id string) state.Bucket {
	i := slices.IndexFunc(p.rulings, func(r state.Ruling) bool { return r.Point == id })
	if i < 0 {
		return state.BucketOpen
	}
	return p.rulings[i].Bucket
}

// validWords say how far a claim is valid.
func validWords(v *resolver.Validation) []string {
	if v.Aggregate == nil {
		return []string{"nobody reports a confidence in it"}
	}
	return []string{"aggregate " + thousandths(*v.Aggregate), "validation confidence " + thousandths(v.Confidence)}
}

// thousandths is a share in at most three digits behind the point, at least two.
func thousandths(share float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.3f", share), "0")
}

// claimFacts are what belongs to a claim beside its words.
func claimFacts(p *state.Point) []string {
	var facts []string
	if p.Key {
		facts = append(facts, "a key claim")
	}
	if p.Revises != "" {
		facts = append(facts, "was "+p.Revises)
	}
	if p.WordedBy != "" {
		facts = append(facts, "worded by the "+string(p.WordedBy))
	}
	if p.Limit != "" {
		facts = append(facts, "limit: "+p.Limit)
	}
	return facts
}

// ruleBlocks are a rule with what it says, and what would make it hold.
func ruleBlocks(l *look, r *resolver.RuleCheck) []block {
	sign, st, word := ruleSign(l, r.Passed)
	list := []block{{indent: 2, lead: span{st, sign + " "}, sign: span{l.bold, r.Rule + " " + resolver.ValidationRuleName(r.Rule) + " " + word + "  "}, body: span{l.text, r.Says}, hang: 4}}
	for _, needed := range r.Requires {
		list = append(list, block{indent: 4, lead: span{l.accent, l.glyphs.arrow + " needs "}, body: span{l.text, needed}, hang: 6})
	}
	return list
}

// breachBlocks are the violations that a claim and the challenges to it make now,
// and those that were mended.
func (p *councilPane) breachBlocks(l *look, point *state.Point) []block {
	var list []block
	put := func(st style, sign string, b *state.Breach, end string) {
		lead := b.Constraint + when(b.Challenge == "", "", " in "+b.Challenge) + " (" + string(b.Seat) + ")  "
		list = append(list, block{indent: 2, lead: span{st, sign + " "}, sign: span{l.bold, lead}, body: span{l.text, b.Text + end}, hang: 4})
	}
	now := resolver.BreachesOf(&p.state, point)
	for i := range now {
		put(l.warn, l.glyphs.warn, &now[i], when(p.state.OnlyFlags(now[i].Constraint), "; flagged, holds nothing up", ""))
	}
	for i := range p.state.Council.Breaches {
		b := &p.state.Council.Breaches[i]
		stands := func(n state.Breach) bool { return n.Constraint == b.Constraint && n.Challenge == b.Challenge }
		if b.Point == point.ID && !slices.ContainsFunc(now, stands) {
			put(l.faint, l.glyphs.agreed, b, "; mended")
		}
	}
	return list
}

// claimBlocks are a claim and its way in full.
func (p *councilPane) claimBlocks(l *look, id string) []block {
	list := p.standsBlocks(l, id)
	if list == nil {
		return nil
	}
	for i := range p.rulings {
		if r := &p.rulings[i]; r.Point == id {
			glyph, st, name := l.bucket(r.Bucket)
			list = append(list, block{}, block{indent: 2, lead: span{st, glyph + " " + name + "  "}, body: span{l.text, r.Reason}, right: span{l.faint, r.Rule}, hang: 4})
		}
	}
	return append(list, p.courseBlocks(l, resolver.Course(&p.state, id))...)
}

// courseBlocks tell the way of a claim, round by round.
func (p *councilPane) courseBlocks(l *look, steps []resolver.CourseStep) []block {
	var list []block
	for i := range steps {
		step := &steps[i]
		glyph, st, name := l.bucket(step.Ruling.Bucket)
		end := span{st, glyph + " " + name}
		if step.Became != "" {
			end = span{l.faint, l.glyphs.arrow + " " + step.Became}
		}
		list = append(list,
			block{section: fmt.Sprintf("Round %d, %s", step.Round, step.Point), right: end},
			block{indent: 2, body: span{l.text, step.Text}},
			block{indent: 2, lead: span{l.faint, "confidence  "}, body: span{l.text, p.reportedWords(step)}, hang: 4},
			block{indent: 2, lead: span{l.faint, "came  "}, body: span{l.text, step.Came()}, hang: 4},
		)
	}
	return list
}

// reportedWords are the confidences that count at the end of a step, with the name
// of each seat; what was not reported in that round is told as older.
func (p *councilPane) reportedWords(step *resolver.CourseStep) string {
	var words []string
	for _, score := range step.Validation.Scores {
		older := when(score.Round < step.Round, fmt.Sprintf(" (of round %d)", score.Round), "")
		words = append(words, fmt.Sprintf("%s %s%s", score.Seat, thousandths(score.Admitted), older))
	}
	for _, seat := range step.Validation.Missing {
		words = append(words, string(seat)+" nothing")
	}
	if v := step.Validation.Aggregate; v != nil {
		words = append(words, "aggregate "+thousandths(*v))
	}
	return strings.Join(words, ", ")
}

// openClaim opens the way of the claim that is selected in the view of a council.
// It reports whether one was.
func (m *Model) openClaim(id string) bool {
	if m.focus != PaneCouncil || m.state.Point(id) == nil {
		return false
	}
	m.push(&reader{
		titled: func() string { return "The way of " + id }, point: id, about: id,
		blocks: func(l *look) []block { return m.council.claimBlocks(l, id) },
	})
	return true
}
