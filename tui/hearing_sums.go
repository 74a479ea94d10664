package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// judgeBlocks are all that the judge reckons.
func (p *judgePart) judgeBlocks(l *look) []block {
	r := p.reckoned
	switch {
	case r == nil:
		return []block{{indent: 2, body: span{l.faint, "The judge reckons."}}}
	case r.judged:
	case r.state.Hearing.Argument(state.Architect, r.state.Round) == nil || r.state.Hearing.Argument(state.Skeptic, r.state.Round) == nil:
		return []block{{indent: 2, body: span{l.faint, "The judge waits for an argument of each side."}}}
	default:
		return []block{{indent: 2, body: span{l.warn, "There is no verdict: the rules of the domain cannot be read."}}}
	}
	return slices.Concat(r.verdictBlocks(l), r.rowBlocks(l), r.claimBlocks(l), r.otherBlocks(l), r.gateBlocks(l), r.roundBlocks(l))
}

// outcomeSign is the sign and the style of an outcome; its word always stands beside.
func outcomeSign(l *look, o state.Outcome) (glyph string, st style) {
	switch o {
	case state.Confirmed:
		return l.glyphs.agreed, l.agreed
	case state.Dismissed:
		return l.glyphs.dismissed, l.dismissed
	case state.Inconclusive:
	}
	return l.glyphs.unresolved, l.unresolved
}

// shown is an outcome with the prefix of the domain.
func (r *reckoned) shown(o state.Outcome) string { return r.state.HearingSettings().Domain.Shown(o) }

// judgeNames is the room of the names of what is said of the verdict.
const judgeNames = 12

// verdictBlocks say the verdict, its one sentence, and the facts that support it.
func (r *reckoned) verdictBlocks(l *look) []block {
	v, s := &r.verdict, &r.state
	glyph, st := outcomeSign(l, v.Outcome)
	round := fmt.Sprintf("after round %d of %d", v.Round, resolver.LastRound(s))
	list := []block{
		{section: "Verdict", right: span{l.faint, when(s.Over(), round, round+", which is not the last word")}},
		{indent: 2, lead: span{st, glyph + " " + r.shown(v.Outcome)}, body: span{l.text, fmt.Sprintf("  confidence %s, by %s", hearing.Figure(v.Confidence), v.Rule)}},
		{indent: 2, body: span{l.text, v.Sentence + "."}},
		{indent: 2, lead: span{l.faint, l.padded("architect", judgeNames)}, body: span{l.text, sideWords(&v.Architect)}, hang: 2 + judgeNames},
		{indent: 2, lead: span{l.faint, l.padded("skeptic", judgeNames)}, body: span{l.text, sideWords(&v.Skeptic)}, hang: 2 + judgeNames},
		{indent: 2, lead: span{l.faint, l.padded("supported by", judgeNames)}, body: span{l.text, " " + namedFacts(v.Supporting)}, hang: 3 + judgeNames},
	}
	if question := s.Point(resolver.QuestionPoint); question != nil && question.UserRuling != nil {
		_, _, name := l.bucket(question.UserRuling.Bucket)
		list = append(list, block{indent: 2, lead: span{l.user, l.glyphs.user + " "}, body: span{l.user, "You ruled the question " + name + ": that stands."}})
	}
	return list
}

// sideWords are what the judge reads of a side.
func sideWords(side *hearing.Side) string {
	facts := len(hearing.Distinct(side.Facts))
	return fmt.Sprintf(" confidence %s, %s", hearing.Figure(side.Confidence), when(facts == 1, "1 fact", fmt.Sprint(facts, " facts")))
}

// mostNamedFacts is how many facts are named before they are counted.
const mostNamedFacts = 60

// namedFacts names facts, and counts the rest where they are many.
func namedFacts(ids []string) string {
	switch {
	case len(ids) == 0:
		return "no fact"
	case len(ids) > mostNamedFacts:
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:mostNamedFacts], ", "), len(ids)-mostNamedFacts)
	}
	return strings.Join(ids, ", ")
}

// rowBlocks are the rows of the version, each comparison with its numbers, and which
// of them decides.
func (r *reckoned) rowBlocks(l *look) []block {
	v := &r.verdict
	rows := hearing.Rows(v.Version, v.Architect, v.Skeptic)
	if len(rows) == 0 {
		return nil
	}
	list := []block{{section: "The rows of " + string(v.Version), right: span{l.faint, "the first that holds decides"}}}
	// Two rows may have one name: those of the larger side.
	decided := slices.IndexFunc(rows, func(row hearing.Row) bool { return row.Holds })
	for i := range rows {
		row := &rows[i]
		list = append(list, r.rowBlock(l, row.Rule, r.shown(row.Outcome)+" where "+row.Says(), row.Holds, i == decided))
		for _, c := range row.Tests {
			sign, st, word := ruleSign(l, c.Holds)
			list = append(list, block{indent: 4, lead: span{st, sign + " "}, body: span{l.text, c.Numbers}, right: span{st, word}, hang: 6})
		}
	}
	return append(list, r.rowBlock(l, hearing.Else, r.shown(state.Inconclusive)+" where no row holds", decided < 0, decided < 0))
}

// rowBlock is the head of a row, which holds or not, and decides where it is the
// first that does.
func (r *reckoned) rowBlock(l *look, rule, says string, holds, decides bool) block {
	sign, st, word := ruleSign(l, holds)
	name, body := l.bold, l.text
	switch {
	case decides:
		sign, word = l.glyphs.pointer, "decides"
	case holds:
		word = "holds, after " + r.verdict.Rule
	default:
		name, body, st = l.faint, l.faint, l.faint
	}
	room := len(r.verdict.Version) + len(".1") + columnGap
	return block{
		indent: 2, lead: span{st, sign + " "}, sign: span{name, l.padded(rule, room)}, body: span{body, says}, right: span{st, word}, hang: 4 + room,
	}
}

// supportSign is the sign and the style of how a claim stands.
func supportSign(l *look, s state.Support) (glyph string, st style) {
	switch s {
	case state.Supported:
		return l.glyphs.agreed, l.agreed
	case state.Weak:
		return l.glyphs.unresolved, l.unresolved
	case state.Unsupported:
	}
	return l.glyphs.dismissed, l.dismissed
}

// claimBlocks are the claims with how each stands on its facts, and the sums of both
// sides against the margin; nothing of versions that do not go by claims.
func (r *reckoned) claimBlocks(l *look) []block {
	w := r.verdict.Weighed
	if w == nil {
		return nil
	}
	margin := r.state.HearingSettings().Domain.Margin
	list := []block{{section: "What the facts cited come to", right: span{l.faint, "the side wins that leads by " + hearing.Figure(margin) + " and has more than neither"}}}
	for _, side := range []struct {
		name, rule    string
		outcome       state.Outcome
		own, opposite float64
	}{
		{"architect", "claims.1", state.Confirmed, w.Architect, w.Skeptic},
		{"skeptic", "claims.2", state.Dismissed, w.Skeptic, w.Architect},
	} {
		lead := side.own - side.opposite
		decides := side.rule == r.verdict.Rule
		list = append(
			list, r.rowBlock(l, side.rule, r.shown(side.outcome)+" where the "+side.name+" leads, and has more than neither", decides, decides),
			shareBlock(l, fmt.Sprintf("%s %s − %s = %s", side.name, hearing.Figure(side.own), hearing.Figure(side.opposite), signed(lead)), "≥", margin, "", lead > margin-tiny),
			shareBlock(l, side.name+" "+hearing.Figure(side.own), ">", w.Neither, " for neither", side.own > w.Neither),
		)
	}
	list = append(
		list, r.rowBlock(l, hearing.Else, r.shown(state.Inconclusive)+" where no side does both", r.verdict.Rule == hearing.Else, r.verdict.Rule == hearing.Else),
		block{section: "The claims", right: span{l.faint, "each by the facts that it cites"}},
	)
	for i := range r.standing {
		list = append(list, r.standsBlocks(l, &r.standing[i])...)
	}
	return list
}

// standsBlocks are a claim with how it stands.
func (r *reckoned) standsBlocks(l *look, c *hearing.Ruled) []block {
	glyph, st := supportSign(l, c.Support)
	text, facts := "", "no fact"
	if p := r.state.Point(c.ID); p != nil {
		text, facts = p.Text, namedFacts(p.Facts)
	}
	words := "rests on " + facts
	if len(c.Against) > 0 {
		words += "; against it " + namedFacts(c.Against)
	}
	return []block{
		{indent: 2, lead: span{st, glyph + " "}, sign: span{l.bold, c.ID + "  "}, body: span{l.text, text}, right: span{st, fmt.Sprintf("%s %s", c.Support, hundredths(c.Weight))}, hang: 6},
		{indent: 6, lead: span{l.seatStyle(c.By), string(c.By) + "  "}, body: span{l.faint, words}, hang: 6},
	}
}

// otherBlocks are the verdicts of the other versions beside this one.
func (r *reckoned) otherBlocks(l *look) []block {
	if len(r.others) == 0 {
		return nil
	}
	list := []block{{section: "The other versions", right: span{l.faint, "they decide nothing"}}}
	for i := range r.others {
		v := &r.others[i]
		list = append(list, r.briefly(l, string(v.Version), v))
	}
	return list
}

// briefly is another verdict in a line, and whether it comes to another outcome.
func (r *reckoned) briefly(l *look, name string, v *resolver.HearingVerdict) block {
	glyph, st := outcomeSign(l, v.Outcome)
	same := v.Outcome == r.verdict.Outcome
	return block{
		indent: 2, lead: span{l.faint, l.padded(name, judgeNames)}, sign: span{st, glyph + " "},
		body:  span{l.text, fmt.Sprintf("%s, confidence %s, by %s", r.shown(v.Outcome), hearing.Figure(v.Confidence), v.Rule)},
		right: span{when(same, l.faint, l.warn), when(same, l.glyphs.alike+" as here", l.glyphs.apart+" differs")}, hang: 4 + judgeNames,
	}
}

// gateBlocks are the flags that look for a verdict which is surer than its facts, and
// what the gate made of them.
func (r *reckoned) gateBlocks(l *look) []block {
	h := r.state.HearingSettings()
	flags, risk := r.flags, hearing.Risk(r.flags)
	list := []block{{section: "The gate", right: span{l.faint, "risk " + hearing.Figure(risk)}}}
	switch g := r.state.Hearing.Gated; {
	case h.Form != state.FormSelective:
		list[0].section = "What a gate would flag"
	case g == nil:
		list = append(list, block{indent: 2, body: span{l.faint, fmt.Sprintf("The gate “%s” speaks after round 1.", h.Gate)}})
	default:
		flags, risk = nil, g.Risk
		for _, f := range g.Flags {
			flags = append(flags, hearing.MiscalibrationFlag(f))
		}
		list[0].right.text = "risk " + hearing.Figure(risk)
		words := fmt.Sprintf("The gate “%s” %s: the verdict of round 1 had the confidence %s.", g.Gate, when(g.Opens, "opened, and the hearing went on by the form "+string(h.Then), "stayed shut"), hearing.Figure(g.Confidence))
		list = append(list, block{indent: 2, body: span{l.text, words}}, r.bandBlock(l, g.Confidence))
	}
	if h.Form != state.FormSelective {
		list = append(list, r.bandBlock(l, r.verdict.Confidence))
	}
	for _, f := range hearing.MiscalibrationFlags() {
		raised := slices.Contains(flags, f)
		list = append(list, block{
			indent: 2, lead: span{when(raised, l.warn, l.faint), when(raised, l.glyphs.warn, l.glyphs.bullet) + " "},
			body: span{when(raised, l.text, l.faint), string(f)}, right: span{when(raised, l.warn, l.faint), when(raised, "raised", "not raised")},
		})
	}
	return list
}

// bandBlock says whether a verdict lies in the band in which it escalates.
func (r *reckoned) bandBlock(l *look, confidence float64) block {
	escalates := hearing.Escalates(confidence)
	return block{
		indent: 2, lead: span{when(escalates, l.warn, l.faint), when(escalates, l.glyphs.warn, l.glyphs.bullet) + " "},
		body:  span{when(escalates, l.text, l.faint), "escalation: confidence " + hearing.Figure(confidence)},
		right: span{when(escalates, l.warn, l.faint), when(escalates, "in the band", "outside of the band")},
	}
}

// roundBlocks are the verdicts after the rounds before.
func (r *reckoned) roundBlocks(l *look) []block {
	if len(r.rounds) == 0 {
		return nil
	}
	list := []block{{section: "The rounds before", right: span{l.faint, "the verdict is of the last round"}}}
	for i := range r.rounds {
		list = append(list, r.briefly(l, fmt.Sprint("round ", r.rounds[i].Round), &r.rounds[i]))
	}
	return list
}

// tiny is what a difference of figures that are thousandths may be off by.
const tiny = 1e-9

// signed is a difference of thousandths in figures.
func signed(n float64) string {
	const thousand = 1000
	return strings.Replace(hearing.Figure(math.Round(n*thousand)/thousand), "-", "−", 1)
}

// shareBlock is one comparison that a row asks for, and whether it holds.
func shareBlock(l *look, left, relation string, right float64, of string, holds bool) block {
	sign, st, word := ruleSign(l, holds)
	return block{
		indent: 4, lead: span{st, sign + " "}, right: span{st, word}, hang: 6,
		body: span{l.text, left + " " + when(holds, "", "is not ") + relation + " " + hearing.Figure(right) + of},
	}
}
