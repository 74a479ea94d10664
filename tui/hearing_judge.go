package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
	"moot/tui/theme"
)

// judgePart shows how the judge decides: the rows of its version in numbers, the verdict, what the
// other versions would say, and the gate.
type judgePart struct {
	scrolled
	look  *theme.Look
	state state.State
	// stale says that the state is newer than what was judged.
	stale  bool
	judged *judgedState
}

// judgedState is what the judge says about a session.
type judgedState struct {
	state state.State
	// verdict is that of the session's version after the present round; there says that there is one.
	verdict resolver.HearingVerdict
	there   bool
	// others are the verdicts of the other versions, rounds those after earlier rounds.
	others, rounds []resolver.HearingVerdict
	// flags are reasons to doubt the verdict.
	flags []hearing.MiscalibrationFlag
}

func newJudgePart(l *theme.Look) *judgePart {
	p := &judgePart{look: l}
	p.blocks = func(l *theme.Look) []block { return p.judgeBlocks(l) }
	return p
}

// setState takes over the state. It is judged when it is looked at.
func (p *judgePart) setState(s state.State) { p.state, p.stale = s, true }

// fresh judges the state if it is new.
func (p *judgePart) fresh() {
	if !p.stale {
		return
	}
	p.stale = false
	r := &judgedState{state: p.state}
	s := &r.state
	if s.Hearing.Packet != nil && s.Settings.Format == state.FormatHearing {
		r.verdict, r.there = resolver.VerdictOf(s)
	}
	if r.there {
		r.flags = resolver.FlagsOf(s, &r.verdict)
		for _, version := range state.JudgeVersions() {
			if v, ok := resolver.VerdictBy(s, version, s.Round); ok && version != r.verdict.Version {
				r.others = append(r.others, v)
			}
		}
		for round := 1; round < s.Round; round++ {
			if v, ok := resolver.VerdictAfter(s, round); ok {
				r.rounds = append(r.rounds, v)
			}
		}
	}
	p.judged = r
	p.refresh()
}

func (p *judgePart) setLook(l *theme.Look) { p.look = l }

func (p *judgePart) setFocused(bool) {}

func (p *judgePart) title() string { return "judge " + string(p.state.HearingSettings().Judge) }

func (p *judgePart) view(width, height int) []string {
	p.fresh()
	return p.read(p.look, width, height)
}

func (p *judgePart) move(a Motion, width, height int) {
	p.view(width, height)
	p.moveBy(a)
}

func (p *judgePart) wheel(by, width, height int) {
	p.view(width, height)
	p.top += by
	p.bound()
}

func (p *judgePart) click(int, int, int, int) {}

// opens says that nothing opens here by a click.
func (p *judgePart) opens(int, int, int, int) bool { return false }

// selected is the question: it is what the judge rules on.
func (p *judgePart) selected() string {
	if p.state.Point(resolver.QuestionPoint) == nil {
		return ""
	}
	return resolver.QuestionPoint
}

func (p *judgePart) choose(string) {}

func (p *judgePart) copied() string {
	p.fresh()
	text := scrolled{blocks: p.blocks}
	text.lay(p.look, widestCopy)
	return plain.Text(strings.TrimSpace(text.plainText()))
}

func (p *judgePart) find(query string, forwards, from bool, width, height int) bool {
	p.view(width, height)
	return p.findRow(query, forwards, from)
}

// judgeBlocks are all that the judge says.
func (p *judgePart) judgeBlocks(l *theme.Look) []block {
	r := p.judged
	if r == nil || !r.there {
		return []block{{indent: 2, body: l.Faint.Span("The judge waits for an argument of each side.")}}
	}
	return slices.Concat(r.verdictBlocks(l), r.rowBlocks(l), r.claimBlocks(l), r.otherBlocks(l), r.gateBlocks(l), r.roundBlocks(l))
}

// outcomeSign is the sign and the style of an outcome; its word always stands beside.
func outcomeSign(l *theme.Look, o state.Outcome) (glyph string, st theme.Style) {
	switch o {
	case state.Confirmed:
		return l.Glyphs.Agreed, l.Agreed
	case state.Dismissed:
		return l.Glyphs.Dismissed, l.Dismissed
	case state.Inconclusive:
	}
	return l.Glyphs.Unresolved, l.Unresolved
}

// shown is an outcome with the prefix of the domain.
func (r *judgedState) shown(o state.Outcome) string { return r.state.HearingSettings().Domain.Shown(o) }

// judgeNames is the room of the names of what is said of the verdict.
const judgeNames = 12

// verdictBlocks say the verdict, its one sentence, and the facts that support it.
func (r *judgedState) verdictBlocks(l *theme.Look) []block {
	v, s := &r.verdict, &r.state
	glyph, st := outcomeSign(l, v.Outcome)
	round := fmt.Sprintf("after round %d of %d", v.Round, resolver.LastRound(s))
	list := []block{
		{section: "Verdict", right: l.Faint.Span(when(s.Over(), round, round+", which is not the last word"))},
		{indent: 2, lead: st.Span(glyph + " " + r.shown(v.Outcome)), body: l.Text.Span(fmt.Sprintf("  confidence %s, by %s", hearing.Figure(v.Confidence), v.Rule))},
		{indent: 2, body: l.Text.Span(v.Sentence + ".")},
		{indent: 2, lead: l.Faint.Span(l.Padded("architect", judgeNames)), body: l.Text.Span(sideWords(&v.Architect)), hang: 2 + judgeNames},
		{indent: 2, lead: l.Faint.Span(l.Padded("skeptic", judgeNames)), body: l.Text.Span(sideWords(&v.Skeptic)), hang: 2 + judgeNames},
		{indent: 2, lead: l.Faint.Span(l.Padded("supported by", judgeNames)), body: l.Text.Span(" " + namedFacts(v.Supporting)), hang: 3 + judgeNames},
	}
	if question := s.Point(resolver.QuestionPoint); question != nil && question.UserRuling != nil {
		_, _, name := l.Bucket(question.UserRuling.Bucket)
		list = append(list, block{indent: 2, lead: l.User.Span(l.Glyphs.User + " "), body: l.User.Span("You ruled the question " + name + ": that stands.")})
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
func (r *judgedState) rowBlocks(l *theme.Look) []block {
	v := &r.verdict
	rows := hearing.Rows(v.Version, v.Architect, v.Skeptic)
	if len(rows) == 0 {
		return nil
	}
	list := []block{{section: "The rows of " + string(v.Version), right: l.Faint.Span("the first that holds decides")}}
	// Two rows may have one name: those of the larger side.
	decided := slices.IndexFunc(rows, func(row hearing.Row) bool { return row.Holds })
	for i := range rows {
		row := &rows[i]
		list = append(list, r.rowBlock(l, row.Rule, r.shown(row.Outcome)+" where "+row.Says(), row.Holds, i == decided))
		for _, c := range row.Tests {
			sign, st, word := ruleSign(l, c.Holds)
			list = append(list, block{indent: 4, lead: st.Span(sign + " "), body: l.Text.Span(c.Numbers), right: st.Span(word), hang: 6})
		}
	}
	return append(list, r.rowBlock(l, hearing.Else, r.shown(state.Inconclusive)+" where no row holds", decided < 0, decided < 0))
}

// rowBlock is the head of a row, which holds or not, and decides where it is the
// first that does.
func (r *judgedState) rowBlock(l *theme.Look, rule, says string, holds, decides bool) block {
	sign, st, word := ruleSign(l, holds)
	name, body := l.Bold, l.Text
	switch {
	case decides:
		sign, word = l.Glyphs.Pointer, "decides"
	case holds:
		word = "holds, after " + r.verdict.Rule
	default:
		name, body, st = l.Faint, l.Faint, l.Faint
	}
	room := len(r.verdict.Version) + len(".1") + columnGap
	return block{
		indent: 2, lead: st.Span(sign + " "), sign: name.Span(l.Padded(rule, room)), body: body.Span(says), right: st.Span(word), hang: 4 + room,
	}
}

// claimBlocks are the claims of an audit with how each ended; nothing in other forms.
func (r *judgedState) claimBlocks(l *theme.Look) []block {
	var list []block
	for _, p := range r.state.Points.All() {
		audited, ok := resolver.AuditOf(&r.state, p)
		if !ok {
			continue
		}
		glyph, st := l.Glyphs.Dismissed, l.Dismissed
		switch audited.Support {
		case state.Supported:
			glyph, st = l.Glyphs.Agreed, l.Agreed
		case state.Disputed:
			glyph, st = l.Glyphs.Unresolved, l.Unresolved
		case state.Unsupported:
		}
		rests := namedFacts(p.Facts)
		if len(p.Facts) == 0 {
			rests = "the whole packet"
		}
		list = append(list, block{
			indent: 2, lead: st.Span(glyph + " "), sign: l.Bold.Span(p.ID + "  "), body: l.Text.Span(p.Text),
			right: st.Span(string(audited.Support)), hang: 6,
		}, block{
			indent: 6, lead: l.SeatStyle(p.Authors[0]).Span(string(p.Authors[0]) + "  "),
			body: l.Faint.Span(audited.Why + "; rests on " + rests), hang: 6,
		})
	}
	if len(list) > 0 {
		list = append([]block{{section: "The claims", right: l.Faint.Span("a side counts as its best supported claim at most")}}, list...)
	}
	return list
}

// otherBlocks are the verdicts of the other versions beside this one.
func (r *judgedState) otherBlocks(l *theme.Look) []block {
	if len(r.others) == 0 {
		return nil
	}
	list := []block{{section: "The other versions", right: l.Faint.Span("they decide nothing")}}
	for i := range r.others {
		v := &r.others[i]
		list = append(list, r.briefly(l, string(v.Version), v))
	}
	return list
}

// briefly is another verdict in a line, and whether it comes to another outcome.
func (r *judgedState) briefly(l *theme.Look, name string, v *resolver.HearingVerdict) block {
	glyph, st := outcomeSign(l, v.Outcome)
	same := v.Outcome == r.verdict.Outcome
	return block{
		indent: 2, lead: l.Faint.Span(l.Padded(name, judgeNames)), sign: st.Span(glyph + " "),
		body:  l.Text.Span(fmt.Sprintf("%s, confidence %s, by %s", r.shown(v.Outcome), hearing.Figure(v.Confidence), v.Rule)),
		right: when(same, l.Faint, l.Warn).Span(when(same, l.Glyphs.Equal+" as here", l.Glyphs.NotEqual+" differs")), hang: 4 + judgeNames,
	}
}

// gateBlocks are the flags that look for a verdict which is surer than its facts, and
// what the gate made of them.
func (r *judgedState) gateBlocks(l *theme.Look) []block {
	h := r.state.HearingSettings()
	flags, risk := r.flags, hearing.Risk(r.flags)
	list := []block{{section: "The gate", right: l.Faint.Span("risk " + hearing.Figure(risk))}}
	switch g := r.state.Hearing.Gated; {
	case h.Form != state.FormSelective:
		list[0].section = "What a gate would flag"
	case g == nil:
		list = append(list, block{indent: 2, body: l.Faint.Span(fmt.Sprintf("The gate “%s” speaks after round 1.", h.Gate))})
	default:
		flags, risk = nil, g.Risk
		for _, f := range g.Flags {
			flags = append(flags, hearing.MiscalibrationFlag(f))
		}
		list[0].right.Text = "risk " + hearing.Figure(risk)
		words := fmt.Sprintf("The gate “%s” %s: the verdict of round 1 had the confidence %s.", g.Gate, when(g.Opens, "opened, and the hearing went on by the form "+string(h.Then), "stayed shut"), hearing.Figure(g.Confidence))
		list = append(list, block{indent: 2, body: l.Text.Span(words)}, r.bandBlock(l, g.Confidence))
	}
	if h.Form != state.FormSelective {
		list = append(list, r.bandBlock(l, r.verdict.Confidence))
	}
	for _, f := range hearing.MiscalibrationFlags() {
		raised := slices.Contains(flags, f)
		list = append(list, block{
			indent: 2, lead: when(raised, l.Warn, l.Faint).Span(when(raised, l.Glyphs.Warn, l.Glyphs.Bullet) + " "),
			body: when(raised, l.Text, l.Faint).Span(string(f)), right: when(raised, l.Warn, l.Faint).Span(when(raised, "raised", "not raised")),
		})
	}
	return list
}

// bandBlock says whether a verdict lies in the band in which it escalates.
func (r *judgedState) bandBlock(l *theme.Look, confidence float64) block {
	escalates := hearing.Escalates(confidence)
	return block{
		indent: 2, lead: when(escalates, l.Warn, l.Faint).Span(when(escalates, l.Glyphs.Warn, l.Glyphs.Bullet) + " "),
		body:  when(escalates, l.Text, l.Faint).Span("escalation: confidence " + hearing.Figure(confidence)),
		right: when(escalates, l.Warn, l.Faint).Span(when(escalates, "in the band", "outside of the band")),
	}
}

// roundBlocks are the verdicts after the rounds before.
func (r *judgedState) roundBlocks(l *theme.Look) []block {
	if len(r.rounds) == 0 {
		return nil
	}
	list := []block{{section: "The rounds before", right: l.Faint.Span("the verdict is of the last round")}}
	for i := range r.rounds {
		list = append(list, r.briefly(l, fmt.Sprint("round ", r.rounds[i].Round), &r.rounds[i]))
	}
	return list
}
