package figure

import (
	"fmt"
	"slices"
	"strconv"

	"moot/resolver"
	"moot/state"
)

// Sides shows how sure the sides of a hearing are of the question, round by round, 0
// to 1. A value that was stated and does not count is hollow and marked as a drift; a
// side that let a contradicting fact pass is marked as well.
func Sides(s *state.State) *Chart {
	b := &sides{s: s, chart: &Chart{name: "sides", title: "Confidence of both sides by round, 0 (none) to 1 (sure)"}}
	b.question()
	return b.finish()
}

// Hearing is Sides with a panel for each claim below.
func Hearing(s *state.State) *Chart {
	b := &sides{s: s, chart: &Chart{name: "hearing", title: "Confidence of both sides and in their claims by round, 0 (none) to 1 (sure)"}}
	b.question()
	for _, p := range s.Points.All() {
		if len(p.Authors) > 0 && state.Opponent(p.Authors[0]) != "" {
			b.claim(p)
		}
	}
	return b.finish()
}

// The signs of what is remarkable in a hearing: a drift is told as a retreat is, a
// rebuttal that was ignored as a rigid seat.
const (
	signDrift, wordDrift     = signRetreat, "drift kept"
	signIgnored, wordIgnored = signRigid, "rebuttal ignored"
)

// sides builds the chart.
type sides struct {
	s     *state.State
	chart *Chart
	held  bool
}

// shapeOfSide is the number of the sign of a side.
func shapeOfSide(seat state.Seat) int { return when(seat == state.Skeptic, 1, 0) }

// plot is an empty panel.
func (b *sides) plot(title string) plot {
	last := b.s.Round
	if !b.s.Over() {
		last = max(last, resolver.LastRound(b.s))
	}
	p := plot{
		title: title, xWord: "round", left: 1, right: float64(max(last, 2)), high: 1,
		yTicks: []tick{{1, "1.0"}, {0.5, "0.5"}, {0, "0.0"}},
	}
	for round := 1; round <= int(p.right); round++ {
		p.xTicks = append(p.xTicks, tick{float64(round), strconv.Itoa(round)})
	}
	return p
}

// question adds the panel of the question.
func (b *sides) question() {
	p := b.plot(safe(b.s.Question))
	for i := range b.s.Hearing.Arguments {
		a := &b.s.Hearing.Arguments[i]
		b.value(&p, a.Seat, "the question", a.Round, a.Stated, a.Confidence)
	}
	if len(p.curves) == 0 {
		return
	}
	for i := range b.s.Hearing.Ignored {
		ignored := &b.s.Hearing.Ignored[i]
		b.ignored(&p, ignored)
		b.chart.notes = append(b.chart.notes, note{sign: signIgnored, role: RoleWarn, words: fmt.Sprintf(
			"rebuttal ignored: %s on %s, round %d: %s of %s stayed unanswered",
			safe(string(ignored.Seat)), safe(ignored.Point), ignored.Round, safe(ignored.Fact), safe(ignored.Challenge))})
	}
	b.add(p, "the question")
}

// claim adds the panel of a claim.
func (b *sides) claim(point *state.Point) {
	p := b.plot(safe(point.ID) + " " + safe(point.Text))
	for _, c := range b.s.Confidence.All() {
		if c.Point == point.ID {
			b.value(&p, c.Seat, safe(point.ID), c.Round, c.Stated, c.Admitted)
		}
	}
	if len(p.curves) == 0 {
		return
	}
	for i := range b.s.Hearing.Ignored {
		if ignored := &b.s.Hearing.Ignored[i]; ignored.Point == point.ID {
			b.ignored(&p, ignored)
		}
	}
	b.add(p, safe(point.ID))
}

// value adds how sure a seat is in a round. Of two in a round the later one counts.
func (b *sides) value(p *plot, seat state.Seat, about string, round int, stated, counts float64) {
	line, x := p.curve(seat, shapeOfSide(seat)), float64(round)
	if n := len(line.samples); n > 0 && line.samples[n-1].x == x {
		line.samples = line.samples[:n-1]
	}
	line.samples = append(line.samples, sample{x, counts})
	if stated >= counts {
		return
	}
	b.held = true
	line.hollow = append(line.hollow, sample{x, stated})
	p.marks = append(p.marks, remark{sample{x, stated}, signDrift, line.name, wordDrift})
	b.chart.notes = append(b.chart.notes, note{sign: signDrift, role: RoleWarn, words: fmt.Sprintf(
		"drift kept: %s on %s, round %d: %.2f was stated without a fact, %.2f stands", line.name, about, round, stated, counts)})
}

// ignored marks where a side let a fact pass: at what it said last up to then.
func (b *sides) ignored(p *plot, i *state.IgnoredRebuttal) {
	line := p.curve(i.Seat, shapeOfSide(i.Seat))
	for _, v := range slices.Backward(line.samples) {
		if v.x <= float64(i.Round) {
			p.marks = append(p.marks, remark{sample{float64(i.Round), v.y}, signIgnored, line.name, wordIgnored})
			return
		}
	}
}

// add adds a panel, and its lines for a place that is too small.
func (b *sides) add(p plot, about string) {
	b.chart.plots = append(b.chart.plots, p)
	for i := range p.curves {
		line := &p.curves[i]
		if len(line.samples) == 0 {
			continue
		}
		entry := briefly(line)
		entry.words = when(about == "the question", line.name, about+" "+line.name)
		for _, m := range p.marks {
			if m.of == line.name {
				entry.end += ", " + m.word
			}
		}
		b.chart.brief = append(b.chart.brief, entry)
	}
}

// finish writes the legend.
func (b *sides) finish() *Chart {
	c := b.chart
	if len(c.plots) == 0 {
		c.empty = "No side has said yet how sure it is."
		return c
	}
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		c.keys = append(c.keys, note{words: string(seat), role: seatRole(seat), shape: shapeOfSide(seat) + 1})
	}
	if b.held {
		c.keys = append(c.keys, note{words: "hollow: stated, but not admitted", role: RoleFaint, shape: 1, hollow: true})
	}
	for _, k := range []note{{sign: signDrift, words: wordDrift, role: RoleWarn}, {sign: signIgnored, words: wordIgnored, role: RoleWarn}} {
		if slices.ContainsFunc(c.notes, func(n note) bool { return n.sign == k.sign }) {
			c.keys = append(c.keys, k)
		}
	}
	return c
}

// ofHearing says in the box of a claim of a hearing which facts it rests on, and how
// sure its side is.
func (w *writer) ofHearing(b *box, p *state.Point) {
	if w.s.Settings.Format != state.FormatHearing || len(p.Facts) == 0 {
		return
	}
	b.also = append(b.also, factWords("rests on", p.Facts))
	if len(p.Authors) > 0 {
		if score := p.Score(p.Authors[0]); score != nil {
			b.also = append(b.also, fmt.Sprintf("%s %.2f", safe(string(p.Authors[0])), score.Admitted))
		}
	}
}

// mostFactsNamed is how many facts are named before they are counted.
const mostFactsNamed = 6

// factWords name the facts of the packet that something cites.
func factWords(verb string, facts []string) string {
	words := verb
	for i, id := range facts {
		if i == mostFactsNamed {
			return fmt.Sprintf("%s and %d more", words, len(facts)-i)
		}
		words += when(i == 0, " ", ", ") + safe(id)
	}
	return words
}

// contradiction is the box of what is cited against a claim, with the answers to it.
// Nobody judges those: what counts is whether there is one.
func (w *writer) contradiction(c *state.Challenge) *box {
	sign, status := w.signs.pending, "unanswered"
	switch {
	case slices.ContainsFunc(w.s.Hearing.Ignored, func(i state.IgnoredRebuttal) bool { return i.Challenge == c.ID }):
		sign, status = w.signs.warn, "ignored"
	case len(c.Defenses) > 0:
		sign, status = w.signs.yes, "answered"
	}
	b := &box{
		id: c.ID, kind: NodeChallenge, bearing: relationAttack, word: "contradicts", target: c.Point, by: seatRun(c.By), text: safe(c.Objection),
		title: []Run{{c.ID, RoleBold}, {" contradiction", RoleAttack}, {w.signs.separator + sign + " " + status, RoleFaint}},
	}
	if len(c.Facts) > 0 {
		b.also = append(b.also, factWords("cites", c.Facts))
	}
	for i := range c.Defenses {
		d := &c.Defenses[i]
		id := DefenseID(c.ID, i+1)
		answer := &box{
			id: id, kind: NodeDefense, bearing: relationAttack, word: "answers", target: c.ID, by: seatRun(d.By), text: safe(d.Text),
			title: []Run{{id, RoleBold}, {" answer", RoleText}},
		}
		if len(d.Facts) > 0 {
			answer.also = append(answer.also, factWords("cites", d.Facts))
		}
		b.children = append(b.children, answer)
	}
	return b
}
