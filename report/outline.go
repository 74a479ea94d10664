package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// outline is a result as it is read, before it is rendered. Its strings are
// not escaped yet; that is the renderer's.
type outline struct {
	question string
	rows     []row
	// verdict says, under its heading, that the session is inconclusive or only found
	// passages, and why, line by line.
	heading  string
	verdict  []string
	warnings []string
	sections []section
}

// row is one line of the header.
type row struct{ label, text string }

// section is one heading of the result: items, or a table whose first row and
// first column are its heads. Brief is what text has in place of the table. After is
// what stands below.
type section struct {
	title string
	items []item
	table [][]string
	brief []string
	after string
	// count is how much there is where items tell several at once; 0 is one each.
	count int
}

// counted is how much the section tells of.
func (s *section) counted() int { return max(s.count, len(s.items)) }

// item is one point, question or fact under a heading.
type item struct {
	id, text, mark string
	notes          []note
}

// note says something of an item: a reason, or evidence with its lines.
type note struct{ label, text, quote string }

// resolvedBy is the label of what would bring a point to an end.
const resolvedBy = "would be resolved by"

// newOutline arranges a result.
func newOutline(s *state.State, rulings []state.Ruling) *outline {
	o := &outline{question: s.Question, warnings: Warnings(s, rulings)}
	formOf(s).arrange(o, s, rulings)
	metrics := resolver.Measure(s, rulings)
	o.add(metricsSection(&metrics, s.Settings.Format))
	return o
}

// arrangeConsultation is a consultation: its points by where they ended.
func arrangeConsultation(o *outline, s *state.State, rulings []state.Ruling) {
	o.header(s)
	o.row("debate", debateLine(Baseline(s, rulings)))
	o.row("usage", usageLine(s.Usage))
	o.sections = []section{
		pointsIn(s, rulings, "AGREED", state.BucketAgreed),
		pointsIn(s, rulings, "DISMISSED", state.BucketDismissed),
		pointsIn(s, rulings, "UNRESOLVED", state.BucketUnresolved),
		questions(s, "SURFACED QUESTIONS", anyQuestion),
		pointsIn(s, rulings, "NOT EVALUATED", state.BucketNotEvaluated),
	}
	o.sections[len(o.sections)-1].items = append(o.sections[len(o.sections)-1].items, unverified(s)...)
	if open := pointsIn(s, rulings, "STILL OPEN", state.BucketOpen); len(open.items) > 0 {
		o.sections = append(o.sections, open)
	}
	o.heading, o.verdict = verdict(s, rulings)
}

// header says what was asked of whom, and how long it went on.
func (o *outline) header(s *state.State) {
	kind := string(s.Settings.Format)
	for _, word := range []string{string(s.Settings.Framing), string(s.Settings.Mode)} {
		if word != "" {
			kind += ", " + word
		}
	}
	o.row("session", s.ID+" ("+kind+")")
	if s.Fork.From != "" {
		o.row("forked", fmt.Sprintf("from %s at event %d", s.Fork.From, s.Fork.Seq))
	}
	if s.Reading != "" {
		o.row("reading", s.Reading+" (you consented to it)")
	}
	o.row("rounds", rounds(s))
	for i, a := range s.Seats {
		label := ""
		if i == 0 {
			label = "seats"
		}
		o.row(label, seated(a))
	}
	o.row("ledger", ledgerLine(s))
}

func (o *outline) row(label, text string) { o.rows = append(o.rows, row{label, text}) }

func rounds(s *state.State) string {
	text := fmt.Sprintf("%d of %d", s.Round, resolver.LastRound(s))
	switch {
	case s.Exit != state.ExitNone:
		text += ", " + string(s.Exit)
		if s.ExitReason != "" {
			text += ": " + s.ExitReason
		}
	case s.Paused != state.PauseNone:
		text += ", paused: " + cmp.Or(s.PauseReason, string(s.Paused))
	default:
		text += ", not finished"
	}
	return text
}

func seated(a state.SeatAssignment) string {
	text := string(a.Seat) + ": " + a.Participant
	switch {
	case a.NoModel:
		text += " (no language model)"
	case a.Model != "" && !strings.HasSuffix(a.Participant, a.Model):
		text += " (" + a.Model + " answered)"
	}
	if a.Answering != "" {
		text += ", answered by its fallback " + a.Answering
	}
	return text
}

// ledgerLine lists the live facts, the user's apart; what was superseded is
// counted.
func ledgerLine(s *state.State) string {
	var own, other []string
	superseded := 0
	for _, f := range s.Facts.All() {
		switch {
		case !f.Live:
			superseded++
		case f.Tag == ledger.TagUser:
			own = append(own, f.ID)
		default:
			other = append(other, f.ID)
		}
	}
	var parts []string
	if len(own) > 0 {
		parts = append(parts, "yours "+strings.Join(own, " "))
	}
	if len(other) > 0 {
		parts = append(parts, "others "+strings.Join(other, " "))
	}
	if superseded > 0 {
		parts = append(parts, fmt.Sprintf("%d superseded", superseded))
	}
	if len(parts) == 0 {
		return "empty"
	}
	return strings.Join(parts, "; ")
}

func debateLine(changes []Change) string {
	var moved []string
	for _, c := range changes {
		if c.Moved() {
			moved = append(moved, fmt.Sprintf("%s %s → %s", c.Point, bucketName(c.Before), bucketName(c.After)))
		}
	}
	if len(changes) == 0 {
		return "no point was raised"
	}
	if len(moved) == 0 {
		return "changed nothing against the answers of round 1"
	}
	return fmt.Sprintf("changed %d of %d points against the answers of round 1: %s", len(moved), len(changes),
		strings.Join(moved, ", "))
}

// bucketName is a bucket as people read it.
func bucketName(b state.Bucket) string { return strings.ReplaceAll(string(b), "_", " ") }

func usageLine(u state.Usage) string {
	text := fmt.Sprintf("%s, %d tokens in, %d out", plain.Counted(u.Calls, "call"), u.PromptTokens, u.CompletionTokens)
	if u.Cost > 0 {
		text += fmt.Sprintf(", $%.4f", u.Cost)
	}
	if u.Estimated > 0 {
		text += fmt.Sprintf("; the tokens of %s are estimated, as nobody told them", plain.Counted(u.Estimated, "call"))
	}
	return text
}

// pointsIn returns the points of a bucket, in their order; merged ones are
// left out, their ids stand with the point that they were merged into.
func pointsIn(s *state.State, rulings []state.Ruling, title string, bucket state.Bucket) section {
	sec := section{title: title}
	for i := range rulings {
		p := s.Point(rulings[i].Point)
		if p != nil && p.MergedInto == "" && rulings[i].Bucket == bucket {
			sec.items = append(sec.items, pointItem(s, p, &rulings[i]))
		}
	}
	return sec
}

func pointItem(s *state.State, p *state.Point, r *state.Ruling) item {
	it := item{id: p.ID, text: p.Text, mark: string(r.Tag)}
	if len(p.Aliases) > 0 {
		it.id += " (also " + strings.Join(p.Aliases, " ") + ")"
	}
	if r.Status != state.StatusNone {
		it.mark = string(r.Status)
	}
	if p.Holder != "" {
		it.note("view of", p.Holder)
	}
	if p.Option != "" {
		it.note("option", strings.Join(slices.DeleteFunc([]string{p.Option, p.Criterion}, empty), " · "))
	}
	it.note("why", r.Reason+" "+receipt(r))
	if r.Crux != "" {
		it.note(resolvedBy, r.Crux)
	}
	if r.Bucket == state.BucketAgreed && r.Tag == state.TagNotApplicable {
		it.note("beware", "nothing but agreement stands behind this")
	}
	for _, id := range r.Reads {
		if e := s.Item(id); e != nil {
			it.notes = append(it.notes, evidenceNote(e))
		}
	}
	for _, f := range s.Flags {
		if f.Point == p.ID {
			it.note("flagged by the arbiter", f.Text)
		}
	}
	return it
}

func (it *item) note(label, text string) { it.notes = append(it.notes, note{label: label, text: text}) }

func empty(s string) bool { return s == "" }

// receipt is the rule that fired and what it read.
func receipt(r *state.Ruling) string {
	if len(r.Reads) == 0 {
		return "[" + r.Rule + "]"
	}
	return "[" + r.Rule + ": " + strings.Join(r.Reads, " ") + "]"
}

func evidenceNote(e *ledger.Evidence) note {
	text := e.Reference
	if e.Relation == ledger.Refutes {
		text += ", refutes"
	}
	text += fmt.Sprintf(" (%s, %s, %.2f)", e.Type, e.SourceKind, e.Confidence)
	return note{label: e.ID, text: text, quote: quoted(e.Excerpt)}
}

// maxQuote is how many lines of an excerpt a result shows.
const maxQuote = 8

func quoted(excerpt string) string {
	lines := strings.Split(strings.TrimRight(excerpt, "\r\n"), "\n")
	if more := len(lines) - maxQuote; more > 0 {
		lines = append(lines[:maxQuote], fmt.Sprintf("[%d more lines]", more))
	}
	return strings.Join(lines, "\n")
}

func anyQuestion(*state.Question) bool { return true }

func questions(s *state.State, title string, keep func(*state.Question) bool) section {
	sec := section{title: title}
	for _, q := range s.Questions.All() {
		if !keep(q) {
			continue
		}
		it := item{id: q.ID, text: q.Text, mark: string(q.Kind)}
		if q.Point != "" {
			it.note("about", q.Point)
		}
		if len(q.Options) > 0 {
			it.note("choices", strings.Join(q.Options, " | "))
		}
		switch {
		case q.Answered && q.Answer != "":
			it.note("answered", q.Answer)
		case !q.Answered:
			it.note("answered", "not yet")
		}
		sec.items = append(sec.items, it)
	}
	return sec
}

// unverified are the facts that nothing was said of until the end (LE5).
func unverified(s *state.State) []item {
	var items []item
	if !s.Over() {
		return nil
	}
	for _, f := range s.Facts.All() {
		if f.Tag == ledger.TagUnverified && f.Live && !f.Evaluated {
			it := item{id: f.ID, text: f.Text, mark: f.Label()}
			it.note("why", "a fact that nobody verified or dismissed (LE5)")
			items = append(items, it)
		}
	}
	return items
}

// verdict says in so many words that a session came to nothing, with what
// blocks each point and what would resolve it, or that it only found passages (EX9).
func verdict(s *state.State, rulings []state.Ruling) (heading string, lines []string) {
	switch {
	case s.Over() && resolver.Found(rulings):
		return "FOUND", []string{
			"These passages share words with the question. No model judged whether they answer it.",
			toAddModel,
		}
	case !s.Inconclusive:
		return "", nil
	case s.Points.Len() == 0 && s.ByRules(state.Consultee):
		return inconclusive, []string{
			"Nothing found that answers this. The built-in rules look for words; they understand nothing.", toAddModel,
		}
	}
	lines = []string{"This session is inconclusive: no point was agreed and none was dismissed."}
	none := true
	for i := range rulings {
		r := &rulings[i]
		p := s.Point(r.Point)
		if p == nil || p.MergedInto != "" {
			continue
		}
		none = false
		blocker := p.ID
		if r.Status != state.StatusNone {
			blocker += " (" + string(r.Status) + ")"
		}
		crux := r.Crux
		if crux == "" {
			crux = "a session that evaluates it"
		}
		lines = append(lines, fmt.Sprintf("%s: %s. It would be resolved by %s", blocker, r.Reason, crux))
	}
	if none {
		lines = append(lines, "Nobody raised a point that could be judged: "+s.ExitReason)
	}
	return inconclusive, lines
}

const (
	// inconclusive heads the verdict of a session that came to nothing.
	inconclusive = "INCONCLUSIVE"
	// toAddModel says how to have passages judged.
	toAddModel = "To have a model answer and judge, name one: moot ask --consultee ollama:MODEL --orchestrator codex " +
		"\"…\" " +
		"(moot doctor lists what this machine has)."
)
