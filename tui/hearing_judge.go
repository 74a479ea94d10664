package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// judgePart shows how the judge decides: the rows of its version in numbers, the verdict, what the
// other versions would say, and the gate.
type judgePart struct {
	scrolled
	look  *look
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

func newJudgePart(l *look) *judgePart {
	p := &judgePart{look: l}
	p.blocks = func(l *look) []block { return p.judgeBlocks(l) }
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

func (p *judgePart) setLook(l *look) { p.look = l }

func (p *judgePart) setFocused(bool) {}

func (p *judgePart) title() string { return "judge " + string(p.state.HearingSettings().Judge) }

func (p *judgePart) view(width, height int) []string {
	p.fresh()
	return p.read(p.look, width, height)
}

func (p *judgePart) move(a Action, width, height int) {
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
func (p *judgePart) judgeBlocks(l *look) []block {
	r := p.judged
	if r == nil || !r.there {
		return []block{{indent: 2, body: span{l.faint, "The judge waits for an argument of each side."}}}
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
func (r *judgedState) shown(o state.Outcome) string { return r.state.HearingSettings().Domain.Shown(o) }

// judgeNames is the room of the names of what is said of the verdict.
const judgeNames = 12

// verdictBlocks say the verdict, its one sentence, and the facts that support it.
func (r *judgedState) verdictBlocks(l *look) []block {
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
func (r *judgedState) rowBlocks(l *look) []block {
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
func (r *judgedState) rowBlock(l *look, rule, says string, holds, decides bool) block {
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

// claimBlocks are the claims of an audit with how each ended; nothing in other forms.
func (r *judgedState) claimBlocks(l *look) []block {
	var list []block
	for _, p := range r.state.Points.All() {
		audited, ok := resolver.AuditOf(&r.state, p)
		if !ok {
			continue
		}
		glyph, st := l.glyphs.dismissed, l.dismissed
		switch audited.Support {
		case state.Supported:
			glyph, st = l.glyphs.agreed, l.agreed
		case state.Disputed:
			glyph, st = l.glyphs.unresolved, l.unresolved
		case state.Unsupported:
		}
		rests := namedFacts(p.Facts)
		if len(p.Facts) == 0 {
			rests = "the whole packet"
		}
		list = append(list, block{
			indent: 2, lead: span{st, glyph + " "}, sign: span{l.bold, p.ID + "  "}, body: span{l.text, p.Text},
			right: span{st, string(audited.Support)}, hang: 6,
		}, block{
			indent: 6, lead: span{l.seatStyle(p.Authors[0]), string(p.Authors[0]) + "  "},
			body: span{l.faint, audited.Why + "; rests on " + rests}, hang: 6,
		})
	}
	if len(list) > 0 {
		list = append([]block{{section: "The claims", right: span{l.faint, "a side counts as its best supported claim at most"}}}, list...)
	}
	return list
}

// otherBlocks are the verdicts of the other versions beside this one.
func (r *judgedState) otherBlocks(l *look) []block {
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
func (r *judgedState) briefly(l *look, name string, v *resolver.HearingVerdict) block {
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
func (r *judgedState) gateBlocks(l *look) []block {
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
func (r *judgedState) bandBlock(l *look, confidence float64) block {
	escalates := hearing.Escalates(confidence)
	return block{
		indent: 2, lead: span{when(escalates, l.warn, l.faint), when(escalates, l.glyphs.warn, l.glyphs.bullet) + " "},
		body:  span{when(escalates, l.text, l.faint), "escalation: confidence " + hearing.Figure(confidence)},
		right: span{when(escalates, l.warn, l.faint), when(escalates, "in the band", "outside of the band")},
	}
}

// roundBlocks are the verdicts after the rounds before.
func (r *judgedState) roundBlocks(l *look) []block {
	if len(r.rounds) == 0 {
		return nil
	}
	list := []block{{section: "The rounds before", right: span{l.faint, "the verdict is of the last round"}}}
	for i := range r.rounds {
		list = append(list, r.briefly(l, fmt.Sprint("round ", r.rounds[i].Round), &r.rounds[i]))
	}
	return list
}
