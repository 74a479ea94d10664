package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/figure"
	"moot/internal/plain"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// HearingPart is one of the parts of the view of a hearing.
type HearingPart int

// The parts of the view of a hearing.
const (
	HearingFacts HearingPart = iota
	hearingConfidence
	hearingJudge
	HearingParts
)

// String returns the part's name as it is shown.
func (p HearingPart) String() string {
	return [HearingParts]string{"Facts", "Confidence", "Judge"}[p]
}

// part is one of the parts: a pane whose title says what counts in it. Its own
// name stands in the bar above.
type part interface {
	Pane
	// SetState takes over what stands now.
	SetState(s state.State)
}

// Hearing is the view of a hearing: the facts of its packet with who cites
// them, how sure both sides are round by round, and what the judge reckons. One of
// these parts is seen at a time.
type Hearing struct {
	look   *theme.Look
	Which  HearingPart
	parts  [HearingParts]part
	Facts  *factsPart
	judge  *judgePart
	places [HearingParts]Rect
}

// NewHearing returns an empty pane.
func NewHearing(l *theme.Look) *Hearing {
	p := &Hearing{look: l, Facts: newFactsPart(l), judge: newJudgePart(l)}
	p.parts = [HearingParts]part{p.Facts, newSidesPart(l), p.judge}
	return p
}

// now is the part that is seen.
func (p *Hearing) now() part { return p.parts[p.Which] }

// NextPart shows the next part.
func (p *Hearing) NextPart() { p.Which = (p.Which + 1) % HearingParts }

// SetState takes over what stands now. What it takes to show it is done when it is
// looked at.
func (p *Hearing) SetState(s state.State) {
	for _, each := range p.parts {
		each.SetState(s)
	}
}

// SetLook implements Pane.
func (p *Hearing) SetLook(l *theme.Look) {
	p.look = l
	for _, each := range p.parts {
		each.SetLook(l)
	}
}

// SetFocused implements Pane.
func (p *Hearing) SetFocused(on bool) {
	for _, each := range p.parts {
		each.SetFocused(on)
	}
}

// Background returns the sorting and searching of a large packet, or nil.
func (p *Hearing) Background(_, _ int) func() func() {
	facts := p.Facts
	if facts.pending || !facts.due() {
		return nil
	}
	facts.Fresh()
	facts.pending = true
	job := facts.job()
	return func() func() {
		found := job()
		return func() {
			facts.pending = false
			facts.Take(found)
		}
	}
}

// Title implements Pane.
func (p *Hearing) Title() string { return HearingID.String() }

// barred is from how many rows on the parts are named above.
const barred = 3

// bar is how many rows the names of the parts take.
func (p *Hearing) bar(height int) int { return when(height >= barred, 1, 0) }

// View implements Pane.
func (p *Hearing) View(width, height int) []string {
	rows := p.now().View(width, height-p.bar(height))
	if p.bar(height) == 0 {
		return rows
	}
	return append([]string{p.drawBar(width)}, rows...)
}

// drawBar names the parts, and says at the right end what counts in the one that is
// seen.
func (p *Hearing) drawBar(width int) string {
	l := p.look
	spans, x := []theme.Span{{Text: " "}}, 1
	for which := range HearingParts {
		name, st := "  "+which.String(), l.Faint
		if width < ledgerWidth {
			name = fmt.Sprintf("%.1s", which)
		}
		if which == p.Which {
			name, st = l.Glyphs.Pointer+" "+which.String(), l.Bold
		}
		spans = append(spans, st.Span(name), theme.Span{Text: "  "})
		p.places[which] = Rect{x, 0, l.Width(name), 1}
		x += l.Width(name) + 2
	}
	title := l.Clip(p.now().Title(), width-x-1)
	return l.Row(width, append(spans, theme.Span{Text: theme.Blank(width - x - 1 - l.Width(title))}, l.Faint.Span(title)), nil)
}

// More implements Pane.
func (p *Hearing) More() bool { return p.now().More() }

// Move implements Pane.
func (p *Hearing) Move(a Motion, width, height int) {
	p.now().Move(a, width, height-p.bar(height))
}

// Wheel implements Pane.
func (p *Hearing) Wheel(by, width, height int) { p.now().Wheel(by, width, height-p.bar(height)) }

// Click selects what stands at the cell, or the part whose name stands there.
func (p *Hearing) Click(x, y, width, height int) {
	if y >= p.bar(height) {
		p.now().Click(x, y-p.bar(height), width, height-p.bar(height))
		return
	}
	for which, at := range p.places {
		if at.Contains(x, y) {
			p.Which = HearingPart(which)
		}
	}
}

// opens reports whether a second click on the cell opens what is selected.
func (p *Hearing) opens(x, y, width, height int) bool {
	return y >= p.bar(height) && CanOpen(p.now(), x, y-p.bar(height), width, height-p.bar(height))
}

// Selected implements Pane.
func (p *Hearing) Selected() string { return p.now().Selected() }

// Choose turns the parts that show claims to one.
func (p *Hearing) Choose(id string) {
	for _, each := range p.parts {
		each.Choose(id)
	}
}

// Copied implements Pane.
func (p *Hearing) Copied() string { return p.now().Copied() }

// Find implements Pane.
func (p *Hearing) Find(query string, forwards, from bool, width, height int) bool {
	return p.now().Find(query, forwards, from, width, height-p.bar(height))
}

// judgePart shows how the judge decides: the rows of its version in numbers, the verdict, what the
// other versions would say, and the gate.
type judgePart struct {
	Text
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
	verdict hearing.HearingVerdict
	there   bool
	// others are the verdicts of the other versions, rounds those after earlier rounds.
	others, rounds []hearing.HearingVerdict
	// flags are reasons to doubt the verdict.
	flags []judge.MiscalibrationFlag
}

func newJudgePart(l *theme.Look) *judgePart {
	p := &judgePart{look: l}
	p.Blocks = func(l *theme.Look) []Block { return p.judgeBlocks(l) }
	return p
}

// SetState takes over the state. It is judged when it is looked at.
func (p *judgePart) SetState(s state.State) { p.state, p.stale = s, true }

// Fresh judges the state if it is new.
func (p *judgePart) Fresh() {
	if !p.stale {
		return
	}
	p.stale = false
	r := &judgedState{state: p.state}
	s := &r.state
	if s.Hearing.Packet != nil && s.Settings.Format == state.FormatHearing {
		r.verdict, r.there = hearing.VerdictOf(s)
	}
	if r.there {
		r.flags = hearing.FlagsOf(s, &r.verdict)
		for _, version := range state.JudgeVersions() {
			if v, ok := hearing.VerdictBy(s, version, s.Round); ok && version != r.verdict.Version {
				r.others = append(r.others, v)
			}
		}
		for round := 1; round < s.Round; round++ {
			if v, ok := hearing.VerdictAfter(s, round); ok {
				r.rounds = append(r.rounds, v)
			}
		}
	}
	p.judged = r
	p.Refresh()
}

func (p *judgePart) SetLook(l *theme.Look) { p.look = l }

func (p *judgePart) SetFocused(bool) {}

func (p *judgePart) Title() string { return "judge " + string(p.state.HearingSettings().Judge) }

func (p *judgePart) View(width, height int) []string {
	p.Fresh()
	return p.Read(p.look, width, height)
}

func (p *judgePart) Move(a Motion, width, height int) {
	p.View(width, height)
	p.MoveBy(a)
}

func (p *judgePart) Wheel(by, width, height int) {
	p.View(width, height)
	p.Top += by
	p.bound()
}

func (p *judgePart) Click(int, int, int, int) {}

// opens says that nothing opens here by a click.
func (p *judgePart) opens(int, int, int, int) bool { return false }

// Selected is the question: it is what the judge rules on.
func (p *judgePart) Selected() string {
	if p.state.Point(hearing.QuestionPoint) == nil {
		return ""
	}
	return hearing.QuestionPoint
}

func (p *judgePart) Choose(string) {}

func (p *judgePart) Copied() string {
	p.Fresh()
	text := Text{Blocks: p.Blocks}
	text.Lay(p.look, widestCopy)
	return plain.Text(strings.TrimSpace(text.plainText()))
}

func (p *judgePart) Find(query string, forwards, from bool, width, height int) bool {
	p.View(width, height)
	return p.findRow(query, forwards, from)
}

// judgeBlocks are all that the judge says.
func (p *judgePart) judgeBlocks(l *theme.Look) []Block {
	r := p.judged
	if r == nil || !r.there {
		return []Block{{Indent: 2, Body: l.Faint.Span("The judge waits for an argument of each side.")}}
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
func (r *judgedState) verdictBlocks(l *theme.Look) []Block {
	v, s := &r.verdict, &r.state
	glyph, st := outcomeSign(l, v.Outcome)
	round := fmt.Sprintf("after round %d of %d", v.Round, resolver.LastRound(s))
	list := []Block{
		{Section: "Verdict", Right: l.Faint.Span(when(s.Over(), round, round+", which is not the last word"))},
		{Indent: 2, Lead: st.Span(glyph + " " + r.shown(v.Outcome)), Body: l.Text.Span(fmt.Sprintf("  confidence %s, by %s", judge.Figure(v.Confidence), v.Rule))},
		{Indent: 2, Body: l.Text.Span(v.Sentence + ".")},
		{Indent: 2, Lead: l.Faint.Span(l.Padded("architect", judgeNames)), Body: l.Text.Span(sideWords(&v.Architect)), Hang: 2 + judgeNames},
		{Indent: 2, Lead: l.Faint.Span(l.Padded("skeptic", judgeNames)), Body: l.Text.Span(sideWords(&v.Skeptic)), Hang: 2 + judgeNames},
		{Indent: 2, Lead: l.Faint.Span(l.Padded("supported by", judgeNames)), Body: l.Text.Span(" " + namedFacts(v.Supporting)), Hang: 3 + judgeNames},
	}
	if question := s.Point(hearing.QuestionPoint); question != nil && question.UserRuling != nil {
		_, _, name := l.Bucket(question.UserRuling.Bucket)
		list = append(list, Block{Indent: 2, Lead: l.User.Span(l.Glyphs.User + " "), Body: l.User.Span("You ruled the question " + name + ": that stands.")})
	}
	return list
}

// sideWords are what the judge reads of a side.
func sideWords(side *judge.Side) string {
	facts := len(judge.Distinct(side.Facts))
	return fmt.Sprintf(" confidence %s, %s", judge.Figure(side.Confidence), when(facts == 1, "1 fact", fmt.Sprint(facts, " facts")))
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
func (r *judgedState) rowBlocks(l *theme.Look) []Block {
	v := &r.verdict
	rows := judge.Rows(v.Version, v.Architect, v.Skeptic)
	if len(rows) == 0 {
		return nil
	}
	list := []Block{{Section: "The rows of " + string(v.Version), Right: l.Faint.Span("the first that holds decides")}}
	// Two rows may have one name: those of the larger side.
	decided := slices.IndexFunc(rows, func(row judge.Row) bool { return row.Holds })
	for i := range rows {
		row := &rows[i]
		list = append(list, r.rowBlock(l, row.Rule, r.shown(row.Outcome)+" where "+row.Says(), row.Holds, i == decided))
		for _, c := range row.Tests {
			sign, st, word := ruleSign(l, c.Holds)
			list = append(list, Block{Indent: 4, Lead: st.Span(sign + " "), Body: l.Text.Span(c.Numbers), Right: st.Span(word), Hang: 6})
		}
	}
	return append(list, r.rowBlock(l, judge.Else, r.shown(state.Inconclusive)+" where no row holds", decided < 0, decided < 0))
}

// rowBlock is the head of a row, which holds or not, and decides where it is the
// first that does.
func (r *judgedState) rowBlock(l *theme.Look, rule, says string, holds, decides bool) Block {
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
	return Block{
		Indent: 2, Lead: st.Span(sign + " "), sign: name.Span(l.Padded(rule, room)), Body: body.Span(says), Right: st.Span(word), Hang: 4 + room,
	}
}

// claimBlocks are the claims of an audit with how each ended; nothing in other forms.
func (r *judgedState) claimBlocks(l *theme.Look) []Block {
	var list []Block
	for _, p := range r.state.Points.All() {
		audited, ok := hearing.AuditOf(&r.state, p)
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
		list = append(list, Block{
			Indent: 2, Lead: st.Span(glyph + " "), sign: l.Bold.Span(p.ID + "  "), Body: l.Text.Span(p.Text),
			Right: st.Span(string(audited.Support)), Hang: 6,
		}, Block{
			Indent: 6, Lead: l.SeatStyle(p.Authors[0]).Span(string(p.Authors[0]) + "  "),
			Body: l.Faint.Span(audited.Why + "; rests on " + rests), Hang: 6,
		})
	}
	if len(list) > 0 {
		list = append([]Block{{Section: "The claims", Right: l.Faint.Span("a side counts as its best supported claim at most")}}, list...)
	}
	return list
}

// otherBlocks are the verdicts of the other versions beside this one.
func (r *judgedState) otherBlocks(l *theme.Look) []Block {
	if len(r.others) == 0 {
		return nil
	}
	list := []Block{{Section: "The other versions", Right: l.Faint.Span("they decide nothing")}}
	for i := range r.others {
		v := &r.others[i]
		list = append(list, r.briefly(l, string(v.Version), v))
	}
	return list
}

// briefly is another verdict in a line, and whether it comes to another outcome.
func (r *judgedState) briefly(l *theme.Look, name string, v *hearing.HearingVerdict) Block {
	glyph, st := outcomeSign(l, v.Outcome)
	same := v.Outcome == r.verdict.Outcome
	return Block{
		Indent: 2, Lead: l.Faint.Span(l.Padded(name, judgeNames)), sign: st.Span(glyph + " "),
		Body:  l.Text.Span(fmt.Sprintf("%s, confidence %s, by %s", r.shown(v.Outcome), judge.Figure(v.Confidence), v.Rule)),
		Right: when(same, l.Faint, l.Warn).Span(when(same, l.Glyphs.Equal+" as here", l.Glyphs.NotEqual+" differs")), Hang: 4 + judgeNames,
	}
}

// gateBlocks are the flags that look for a verdict which is surer than its facts, and
// what the gate made of them.
func (r *judgedState) gateBlocks(l *theme.Look) []Block {
	h := r.state.HearingSettings()
	flags, risk := r.flags, judge.Risk(r.flags)
	list := []Block{{Section: "The gate", Right: l.Faint.Span("risk " + judge.Figure(risk))}}
	switch g := r.state.Hearing.Gated; {
	case h.Form != state.FormSelective:
		list[0].Section = "What a gate would flag"
	case g == nil:
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(fmt.Sprintf("The gate “%s” speaks after round 1.", h.Gate))})
	default:
		flags, risk = nil, g.Risk
		for _, f := range g.Flags {
			flags = append(flags, judge.MiscalibrationFlag(f))
		}
		list[0].Right.Text = "risk " + judge.Figure(risk)
		words := fmt.Sprintf("The gate “%s” %s: the verdict of round 1 had the confidence %s.", g.Gate, when(g.Opens, "opened, and the hearing went on by the form "+string(h.Then), "stayed shut"), judge.Figure(g.Confidence))
		list = append(list, Block{Indent: 2, Body: l.Text.Span(words)}, r.bandBlock(l, g.Confidence))
	}
	if h.Form != state.FormSelective {
		list = append(list, r.bandBlock(l, r.verdict.Confidence))
	}
	for _, f := range judge.MiscalibrationFlags() {
		raised := slices.Contains(flags, f)
		list = append(list, Block{
			Indent: 2, Lead: when(raised, l.Warn, l.Faint).Span(when(raised, l.Glyphs.Warn, l.Glyphs.Bullet) + " "),
			Body: when(raised, l.Text, l.Faint).Span(string(f)), Right: when(raised, l.Warn, l.Faint).Span(when(raised, "raised", "not raised")),
		})
	}
	return list
}

// bandBlock says whether a verdict lies in the band in which it escalates.
func (r *judgedState) bandBlock(l *theme.Look, confidence float64) Block {
	escalates := judge.Escalates(confidence)
	return Block{
		Indent: 2, Lead: when(escalates, l.Warn, l.Faint).Span(when(escalates, l.Glyphs.Warn, l.Glyphs.Bullet) + " "),
		Body:  when(escalates, l.Text, l.Faint).Span("escalation: confidence " + judge.Figure(confidence)),
		Right: when(escalates, l.Warn, l.Faint).Span(when(escalates, "in the band", "outside of the band")),
	}
}

// roundBlocks are the verdicts after the rounds before.
func (r *judgedState) roundBlocks(l *theme.Look) []Block {
	if len(r.rounds) == 0 {
		return nil
	}
	list := []Block{{Section: "The rounds before", Right: l.Faint.Span("the verdict is of the last round")}}
	for i := range r.rounds {
		list = append(list, r.briefly(l, fmt.Sprint("round ", r.rounds[i].Round), &r.rounds[i]))
	}
	return list
}

// sidesPart shows how sure both sides are of the question, round by round, as a
// chart, and below it the claims of each with their own confidence.
type sidesPart struct {
	List
	state  state.State
	stale  bool
	chart  *figure.Chart
	claims []*claimSeen
	// wanted is the claim that was turned to last.
	wanted string
	// idWidth is the widest id of the claims.
	idWidth int
	drawn   cachedRows
	of      *figure.Chart
}

// claimSeen is a claim with how sure its side was of it.
type claimSeen struct {
	*state.Point
	seat    state.Seat
	reports []*state.Confidence
	// ignored are the rounds in which a fact against it was let pass.
	ignored []int
	// conceded is the round in which its side gave it up, 0 where it has not.
	conceded int
}

func newSidesPart(l *theme.Look) *sidesPart {
	p := &sidesPart{List: List{Look: l, At: -1, single: true}}
	p.Draw = func(i, width int, mark theme.Span) []string { return []string{p.claimRow(i, width, mark)} }
	p.Key = func(i int) string { return p.claims[i].ID }
	p.Text = func(i int) string {
		c := p.claims[i]
		return c.ID + " " + string(c.seat) + ": " + c.Text + "; " + c.course() + c.remarks(p.Look)
	}
	return p
}

// SetState takes over what stands now. It is read when it is looked at.
func (p *sidesPart) SetState(s state.State) { p.state, p.stale = s, true }

// Fresh reads how sure the sides are, unless that was done.
func (p *sidesPart) Fresh() {
	if !p.stale {
		return
	}
	p.stale = false
	p.chart = figure.Sides(&p.state)
	p.claims, p.idWidth = p.claims[:0], 2
	seen := map[string]*claimSeen{}
	for _, point := range p.state.Points.All() {
		if len(point.Authors) == 0 || state.Opponent(point.Authors[0]) == "" {
			continue
		}
		c := &claimSeen{Point: point, seat: point.Authors[0]}
		c.conceded, _ = point.Conceded()
		seen[point.ID] = c
		p.claims = append(p.claims, c)
		p.idWidth = max(p.idWidth, len(point.ID))
	}
	for _, report := range p.state.Confidence.All() {
		if c := seen[report.Point]; c != nil && report.Seat == c.seat {
			c.reports = append(c.reports, report)
		}
	}
	for i := range p.state.Hearing.Ignored {
		ignored := &p.state.Hearing.Ignored[i]
		if c := seen[ignored.Point]; c != nil {
			c.ignored = append(c.ignored, ignored.Round)
		}
	}
	p.SetCount(len(p.claims))
	p.List.Choose(p.wanted)
}

// course is how sure the side was of the claim, from report to report.
func (c *claimSeen) course() string {
	values := make([]string, len(c.reports))
	for i, r := range c.reports {
		values[i] = thousandths(r.Admitted)
	}
	return strings.Join(values, ", ")
}

// remarks say in signs and words what is remarkable about its course.
func (c *claimSeen) remarks(l *theme.Look) string {
	var words []string
	for _, r := range c.reports {
		if r.Stated < r.Admitted {
			words = append(words, fmt.Sprintf("%s drift kept, round %d (%s)", l.Glyphs.ScrollDown, r.Round, thousandths(r.Stated)))
		}
	}
	for _, round := range c.ignored {
		words = append(words, fmt.Sprintf("= rebuttal ignored, round %d", round))
	}
	if c.conceded > 0 {
		words = append(words, fmt.Sprintf("%s given up, round %d", l.Glyphs.Refused, c.conceded))
	}
	if len(words) == 0 {
		return ""
	}
	return "  " + strings.Join(words, "  ")
}

// Title says how sure the sides are now.
func (p *sidesPart) Title() string {
	var words []string
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		if a := p.state.Hearing.Argument(seat, p.state.Round); a != nil {
			words = append(words, string(seat)+" "+thousandths(a.Confidence))
		}
	}
	return strings.Join(append(words, plain.Counted(len(p.claims), "claim")), p.Look.Glyphs.Separator)
}

// The least room of the chart, in rows and cells, and how high it is at most.
const leastSidesRows, leastSidesWidth, mostSidesRows = 10, 36, 22

// chartRows is how many rows the chart takes: what the claims leave, and at least
// half.
func (p *sidesPart) chartRows(width, height int) int {
	switch {
	case p.N == 0:
		return height
	case width < leastSidesWidth || height < leastSidesRows+2:
		// As lines, one for each side.
		return min(len(p.sidesLines()), height/2)
	}
	return min(max(height-p.N-1, height/2, leastSidesRows), mostSidesRows)
}

// sidesLines name the sides that have argued.
func (p *sidesPart) sidesLines() []state.Seat {
	var seats []state.Seat
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		if p.state.Hearing.Argument(seat, p.state.Round) != nil {
			seats = append(seats, seat)
		}
	}
	return seats
}

// View draws the chart above the claims.
func (p *sidesPart) View(width, height int) []string {
	p.Fresh()
	room := p.chartRows(width, height)
	rows := Fit(append([]string{}, p.drawChart(width, room)...), width, room)
	if height > room {
		rows = append(rows, p.RowsOrEmpty(width, height-room, "Nobody claims anything yet.")...)
	}
	return Fit(rows, width, height)
}

// drawChart draws the chart, unless that was done for the room.
func (p *sidesPart) drawChart(width, height int) []string {
	if !p.drawn.fits(width, height, p.version) || p.of != p.chart {
		rows := p.Look.Figure(p.chart.Draw(max(width-1, 0), height, p.Look.ASCII, p.Look.Width))
		for i := range rows {
			rows[i] = when(width > 0, " ", "") + rows[i]
		}
		if empty := p.chart.Empty(); empty != "" {
			rows = Fit(p.Look.Paragraph(width, []theme.Span{{Text: "  "}}, p.Look.Faint.Span(empty), nil, 0), width, height)
		}
		p.drawn, p.of = cachedRows{rows, false, width, height, p.version}, p.chart
	}
	return p.drawn.Rows
}

// claimRow is a claim: whose it is, how sure that side was of it, and what is
// remarkable about that.
func (p *sidesPart) claimRow(i, width int, mark theme.Span) string {
	l, c := p.Look, p.claims[i]
	sign := when(l.ASCII, "*", "●")
	if c.seat == state.Skeptic {
		sign = when(l.ASCII, "+", "◆")
	}
	body := when(c.conceded > 0, l.Faint, l.Text)
	spans := []theme.Span{
		mark,
		l.SeatStyle(c.seat).Span(sign + " " + l.Padded(when(width < ledgerWidth, fmt.Sprintf("%.1s", c.seat), string(c.seat)), when(width < ledgerWidth, 2, 11))),
		when(mark.Text == " ", l.Bold, l.Accent).Span(l.Padded(c.ID, p.idWidth) + "  "),
		l.Bold.Span(l.Padded(c.course(), when(width < ledgerWidth, 5, 18)) + "  "),
	}
	if remarks := c.remarks(l); remarks != "" && width >= ledgerWidth {
		return l.Row(width, append(spans, body.Span(c.Text)), []theme.Span{l.Warn.Span(strings.TrimSpace(remarks) + " ")})
	} else if remarks != "" {
		spans = append(spans, l.Warn.Span(fmt.Sprintf("%.1s", strings.TrimSpace(plain.Line(remarks)))+" "))
	}
	return l.Row(width, append(spans, body.Span(c.Text)), nil)
}

// Move selects a claim.
func (p *sidesPart) Move(a Motion, width, height int) {
	p.Fresh()
	p.List.Move(a, width, height-p.chartRows(width, height))
}

func (p *sidesPart) Wheel(by, width, height int) {
	p.Fresh()
	p.List.Wheel(by, width, height-p.chartRows(width, height))
}

// Click selects the claim at the cell.
func (p *sidesPart) Click(x, y, width, height int) {
	p.Fresh()
	if room := p.chartRows(width, height); y >= room {
		p.List.Click(x, y-room, width, height-room)
	}
}

// opens reports whether a second click on the cell opens the claim.
func (p *sidesPart) opens(x, y, width, height int) bool {
	p.Fresh()
	room := p.chartRows(width, height)
	return y >= room && p.List.opens(x, y-room, width, height-room)
}

// Selected is the selected claim.
func (p *sidesPart) Selected() string {
	p.Fresh()
	return p.List.Selected()
}

// Choose selects the claim, once the claims are read.
func (p *sidesPart) Choose(id string) {
	p.wanted = id
	if !p.stale {
		p.List.Choose(id)
	}
}

func (p *sidesPart) Copied() string {
	p.Fresh()
	return p.List.Copied()
}

func (p *sidesPart) Find(query string, forwards, from bool, width, height int) bool {
	p.Fresh()
	return p.List.Find(query, forwards, from, width, height-p.chartRows(width, height))
}
