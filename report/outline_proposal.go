package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// proposal is a session of the format dialectic on its way into an outline.
type proposal struct {
	s *state.State
	// outcome is nil where no round was resolved, or its record cannot be read.
	outcome  *resolver.Outcome
	objected *resolver.Objected
	// decisive are the items that are quoted with the objection that they decided.
	decisive map[string]bool
}

// arrangeProposal is a proposal: the decision, then the fields, then what was
// said of them, the gravest and the strongest first.
func arrangeProposal(o *outline, s *state.State, rulings []state.Ruling) {
	p := &proposal{s: s, decisive: map[string]bool{}}
	if outcome, err := resolver.OutcomeOf(s); err == nil {
		p.outcome = outcome
	}
	p.objected = resolver.NewObjected(s, p.outcome)
	o.row("decision", p.decision())
	o.header(s)
	if book := s.Settings.Playbook; book != nil {
		o.row("playbook", book.Name)
	}
	o.row("proposal", p.tally())
	o.row("usage", usageLine(s.Usage))
	o.heading, o.verdict = inconclusive, p.verdict(rulings)
	o.add(questions(s, "WAITING FOR YOU", func(q *state.Question) bool { return !q.Answered }))
	o.sections = append(o.sections, p.fields("PROPOSAL", rulings, true))
	o.add(p.fields("NO LONGER PROPOSED", rulings, false))
	o.sections = append(o.sections, p.objections(), p.gates(), p.evidence())
	o.add(p.ruled())
	o.add(questions(s, "QUESTIONS", func(q *state.Question) bool { return q.Answered }))
	o.add(p.receipts())
}

// add adds a section that has anything to say.
func (o *outline) add(sec section) {
	if len(sec.items)+len(sec.table) > 0 {
		o.sections = append(o.sections, sec)
	}
}

// decision is what code said last, and why.
func (p *proposal) decision() string {
	last := p.s.Dialectic.Last()
	switch {
	case last == nil && p.s.Over():
		return "none: no round was resolved"
	case last == nil:
		return "none yet: no round was resolved"
	case p.outcome == nil:
		return last.Decision + ": its receipts cannot be read"
	}
	text := last.Decision
	for i := range p.outcome.Receipts {
		if r := &p.outcome.Receipts[i]; r.Rule == "decision" {
			text += ": " + r.Reason
		}
	}
	if p.outcome.Changed {
		text += "; something came since, and it may no longer hold"
	}
	return text
}

// tally counts the fields and the objections.
func (p *proposal) tally() string {
	fields, changed, gone := 0, 0, 0
	for _, point := range p.s.Points.All() {
		switch {
		case point.Field == nil:
		case !resolver.Proposed(point):
			gone++
		case len(formers(point.Field)) > 0:
			changed++
			fallthrough
		default:
			fields++
		}
	}
	text := plain.Counted(fields, "field")
	if changed > 0 {
		text += fmt.Sprintf(", %d changed", changed)
	}
	if gone > 0 {
		text += fmt.Sprintf(", %d no longer proposed", gone)
	}
	return text + "; " + p.objectionTally()
}

func (p *proposal) objectionTally() string {
	total, came := 0, map[dialectic.Outcome]int{}
	for _, c := range p.s.Challenges.All() {
		if c.Typed != nil {
			total++
			came[p.came(c).Outcome]++
		}
	}
	text := plain.Counted(total, "objection")
	separator := ": "
	for _, outcome := range append(dialectic.Outcomes(), "") {
		if n := came[outcome]; n > 0 {
			text += fmt.Sprintf("%s%d %s", separator, n, cmp.Or(strings.ToLower(string(outcome)), "not resolved yet"))
			separator = ", "
		}
	}
	return text
}

// came is where an objection stands.
func (p *proposal) came(c *state.Challenge) *resolver.Objection {
	came := p.objected.Of(c)
	return &came
}

// verdict says in so many words that nobody decided, with what holds the
// proposal and what would resolve it.
func (p *proposal) verdict(rulings []state.Ruling) []string {
	if !p.s.Inconclusive {
		return nil
	}
	lines := []string{"This session is inconclusive: the proposal does not advance, and nobody decided what holds it."}
	for i := range rulings {
		r := &rulings[i]
		point := p.s.Point(r.Point)
		if point == nil || point.Field == nil || r.Bucket == state.BucketAgreed || !resolver.Proposed(point) {
			continue
		}
		line := fmt.Sprintf("%s %s (%s): %s", point.ID, point.Field.Path, bucketName(r.Bucket), r.Reason)
		if r.Crux != "" {
			line += ". It would be resolved by " + r.Crux
		}
		lines = append(lines, line)
	}
	if len(lines) == 1 {
		lines = append(lines, "What ended it: "+p.s.ExitReason)
	}
	return lines
}

// fields are the fields that are proposed, or those that are not any more.
func (p *proposal) fields(title string, rulings []state.Ruling, proposed bool) section {
	sec := section{title: title}
	for i := range rulings {
		if point := p.s.Point(rulings[i].Point); point != nil && point.Field != nil &&
			resolver.Proposed(point) == proposed {
			sec.items = append(sec.items, p.field(point, &rulings[i]))
		}
	}
	return sec
}

func (p *proposal) field(point *state.Point, r *state.Ruling) item {
	f := point.Field
	it := item{id: point.ID, text: f.Path + " = " + compact(f.Value), mark: bucketName(r.Bucket)}
	if more := cmp.Or(string(r.Status), string(r.Tag)); more != "" && more != string(state.TagNotApplicable) {
		it.mark += ", " + more
	}
	if why, ok := strings.CutPrefix(point.Text, f.Path+" = "+string(f.Value)+" ("); ok {
		it.note("the proposer says", strings.TrimSuffix(why, ")"))
	}
	if was := formers(f); len(was) > 0 {
		it.note("was", strings.Join(was, ", "))
	}
	it.note("field", f.Category+", "+f.Severity+", "+p.grounds(point))
	it.note("why", r.Reason+" "+receipt(r))
	if r.Crux != "" {
		it.note("would be resolved by", r.Crux)
	}
	if r.Bucket == state.BucketAgreed && r.Tag == state.TagNotApplicable {
		it.note("beware", "nothing but the proposer's word stands behind this")
	}
	return it
}

// formers are the values that a field had before, the oldest first.
func formers(f *state.Field) []string {
	var was []string
	for _, e := range f.Earlier {
		if !bytes.Equal(e.Value, f.Value) {
			was = append(was, fmt.Sprintf("%s in round %d", compact(e.Value), e.Round))
		}
	}
	return was
}

// compact is a JSON value without white space between its parts.
func compact(value json.RawMessage) string {
	var out bytes.Buffer
	if json.Compact(&out, value) != nil {
		return string(value)
	}
	return out.String()
}

// grounds is what a field rests on.
func (p *proposal) grounds(point *state.Point) string {
	f := point.Field
	text := "not grounded"
	if f.Grounded {
		text = "grounded, and rests on nothing"
	}
	if ids := resolver.RestsOn(p.s, point); len(ids) > 0 {
		text = "rests on " + strings.Join(ids, " ")
	}
	if f.Derived != nil {
		text += fmt.Sprintf(", derived as %s of %s", f.Derived.Op, strings.Join(f.Derived.Of, " "))
	}
	return text
}

// gates are those that fail, and in a line those that pass.
func (p *proposal) gates() section {
	sec := section{title: "GATES THAT FAIL"}
	if p.outcome == nil {
		sec.after = "No round was resolved."
		return sec
	}
	var passed []string
	for _, g := range p.outcome.Artifact.Validation.Gates {
		if g.Pass {
			passed = append(passed, strings.TrimSpace(g.Gate+" "+parenthesized(strings.Join(g.Reasons, "; "))))
			continue
		}
		it := item{id: g.Gate, text: resolver.ProposalRuleSays(g.Gate)}
		for _, reason := range g.Reasons {
			it.note("why", p.placed(reason))
		}
		sec.items = append(sec.items, it)
	}
	if len(passed) > 0 {
		sec.after = "pass: " + strings.Join(passed, ", ")
	}
	return sec
}

func parenthesized(text string) string {
	if text == "" {
		return ""
	}
	return "(" + text + ")"
}

// placed is the reason of a gate with the names of fields and objections where
// the resolver names their places.
func (p *proposal) placed(reason string) string {
	a := &p.outcome.Artifact
	for i := range a.Proposal.Fields {
		reason = strings.ReplaceAll(reason, fmt.Sprintf("artifact.proposal.fields[%d].", i),
			a.Proposal.Fields[i].Path+": ")
	}
	for i := range a.Objections {
		reason = strings.ReplaceAll(reason, fmt.Sprintf("artifact.objections[%d].", i), a.Objections[i].ID+": ")
	}
	return reason
}

// ruled is what the user decided, of fields and then of objections.
func (p *proposal) ruled() section {
	sec := section{title: "YOU RULED"}
	for _, point := range p.s.Points.All() {
		switch f := point.Field; {
		case f == nil:
		case point.UserRuling != nil:
			it := item{id: point.ID, text: f.Path + " = " + compact(f.Value), mark: bucketName(point.UserRuling.Bucket)}
			if point.UserRuling.Reason != "" {
				it.note("why", point.UserRuling.Reason)
			}
			sec.items = append(sec.items, it)
		case f.Withdrawn && f.WithdrawnBy == state.User:
			sec.items = append(sec.items, item{
				id: point.ID, text: f.Path + " = " + compact(f.Value),
				mark: "withdrawn",
			})
		}
	}
	for _, c := range p.s.Challenges.All() {
		if c.Typed == nil || c.Typed.Verdict == "" {
			continue
		}
		it := item{id: c.ID, text: c.Objection, mark: c.Typed.Verdict}
		if came := p.came(c); !came.ByUser && came.Outcome != dialectic.Moot {
			it.note("beware", "it no longer counts: the field has another value since, or was reopened")
		}
		sec.items = append(sec.items, it)
	}
	return sec
}

// receipts are the decisions, each with the hash of its last receipt.
func (p *proposal) receipts() section {
	sec := section{title: "RECEIPTS", after: "The last one of each round; moot verify computes all of them anew."}
	for i := range p.s.Dialectic.Resolved {
		r := &p.s.Dialectic.Resolved[i]
		sec.items = append(sec.items, item{id: strconv.Itoa(r.Round), mark: r.Decision, text: r.Head})
	}
	return sec
}
