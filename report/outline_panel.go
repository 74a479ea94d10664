package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// panel is a session of the format panel on its way into an outline.
type panel struct {
	s        *state.State
	t        *resolver.Table
	rulings  []state.Ruling
	answered []state.Seat
}

// arrangePanel is a panel: who is missing, then the conflicts, then the points by
// where they ended, and how far the panelists agree.
func arrangePanel(o *outline, s *state.State, rulings []state.Ruling) {
	t := resolver.NewTable(s)
	p := &panel{s: s, t: t, rulings: rulings, answered: answered(s, t)}
	p.missing(o)
	if len(p.answered) > 1 {
		counts := t.Counts()
		o.row("came to", counts.Words("you"))
	}
	o.header(s)
	p.heads(o)
	o.row("changed", changedLine(Baseline(s, rulings)))
	o.row("usage", usageLine(s.Usage))
	o.heading, o.verdict = verdict(s, rulings)
	o.add(questions(s, "WAITING FOR YOU", func(q *state.Question) bool { return !q.Answered && !s.Over() }))
	o.sections = append(
		o.sections,
		p.conflicts(),
		p.points("AGREED", state.BucketAgreed),
		p.points("DISMISSED", state.BucketDismissed),
		p.points("UNRESOLVED", state.BucketUnresolved),
		questions(s, "SURFACED QUESTIONS", func(q *state.Question) bool { return q.Answered || s.Over() }),
		p.points("NOT EVALUATED", state.BucketNotEvaluated),
	)
	last := &o.sections[len(o.sections)-1]
	last.items = append(last.items, unverified(s)...)
	o.add(p.points("STILL OPEN", state.BucketOpen))
}

// unattainable reports whether the session waits since no panelist could be reached.
func unattainable(s *state.State) bool {
	return s.Paused == state.PauseUnreachable && s.Points.Len() == 0
}

// missing says first of all who gave no answer; the warnings need not repeat it.
func (p *panel) missing(o *outline) {
	label := "MISSING"
	// Who is to be asked again is not missing any more; until then all are.
	if unattainable(p.s) {
		o.row(label, p.s.PauseReason)
		o.warnings = slices.DeleteFunc(o.warnings, func(w string) bool { return strings.HasPrefix(w, missingMark) })
		return
	}
	for _, m := range p.s.Panel.Missing {
		seated, _ := p.s.Assignment(m.Seat)
		o.row(label, fmt.Sprintf("%s (%s) gave no answer: %s", m.Seat, seated.Participant, m.Reason))
		label = ""
	}
	o.warnings = slices.DeleteFunc(o.warnings, func(w string) bool { return strings.HasPrefix(w, missingMark) })
}

// heads are the rows that only a panel has.
func (p *panel) heads(o *outline) {
	o.row("answered", fmt.Sprintf("%d of %d: %s", len(p.answered), len(p.s.Panelists()),
		cmp.Or(joined(p.answered), "nobody")))
	if settings := p.s.Settings.Panel; settings != nil {
		text := settings.Strategy
		if settings.Then != "" {
			text += ", then " + settings.Then
		}
		o.row("strategy", text)
	}
	o.row("review", p.review())
	var all, several, alone []string
	for _, c := range p.t.Claims() {
		switch {
		case len(c.Holders) == 0 || p.aside(c):
		case len(p.answered) > 1 && sharedByAll(c, len(p.answered)):
			all = append(all, c.Points[0])
		case len(c.Holders) > 1:
			several = append(several, c.Points[0]+" ("+joined(c.Holders)+")")
		default:
			alone = append(alone, c.Points[0]+" ("+string(c.Holders[0])+")")
		}
	}
	for _, r := range []struct {
		label  string
		claims []string
	}{{"all say", all}, {"some say", several}, {"one says", alone}} {
		o.row(r.label, cmp.Or(strings.Join(r.claims, ", "), "nothing"))
	}
}

// aside reports whether a claim does not belong to the question.
func (p *panel) aside(c *resolver.Claim) bool {
	return !slices.ContainsFunc(c.Points, func(id string) bool {
		scope := p.s.Point(id).Scope
		return scope == state.InScope || scope == state.Untriaged
	})
}

// review is what the strategy's resolutions come to.
func (p *panel) review() string {
	switch r := p.t.PanelReview(); {
	case len(p.answered) < 2:
		return "nothing to compare"
	case !resolver.Compared(p.s):
		return "the answers are not compared yet"
	case r.Agreed:
		return "agreed: no two answers conflict"
	case r.Escalated:
		return "escalated: the strategy alone does not settle every conflict"
	default:
		return "settled: the strategy alone settles every conflict, the first for " + r.Winner
	}
}

// conflicts are those that stand, and then those that are none after all.
func (p *panel) conflicts() section {
	sec := section{title: "CONFLICTS"}
	var dropped []item
	for _, c := range p.s.Panel.Conflicts.All() {
		e := p.t.Ending(c)
		if it := p.conflict(c, &e); e.Dropped {
			dropped = append(dropped, it)
		} else {
			sec.items = append(sec.items, it)
		}
	}
	sec.items = append(sec.items, dropped...)
	return sec
}

func (p *panel) conflict(c *state.Conflict, e *resolver.Ending) item {
	sides := sidesOf(p.s, p.t, c)
	it := item{
		id: c.ID, mark: string(c.Kind),
		text: fmt.Sprintf("%s against %s: %s", sides[0].ID, sides[1].ID, e.Words("you")),
	}
	counted := positions(p.t, c)
	for _, side := range sides {
		it.note(side.ID, side.Text)
		it.note("said by", cmp.Or(joined(sayers(p.s, p.t, side)), "nobody any more"))
		var asked []state.Seat
		for _, position := range counted {
			if position.Point == side.ID && !position.Answered {
				asked = append(asked, position.Seat)
			}
		}
		if len(asked) > 0 {
			it.note("voted for by", joined(asked))
		}
	}
	it.note("alike", fmt.Sprintf("%d %% by their words",
		conflict.Percent(resolver.Similarity(sides[0].Text, sides[1].Text))))
	switch {
	case c.Argued && c.ArguedBy == state.User:
		it.note("argued", "by both sides, as you decided")
	case c.Argued:
		it.note("argued", "by both sides, since the strategy did not settle it")
	}
	return it
}

// points are the points of a bucket with who says them.
func (p *panel) points(title string, bucket state.Bucket) section {
	sec := pointsIn(p.s, p.rulings, title, bucket)
	for i := range sec.items {
		it := &sec.items[i]
		id, _, _ := strings.Cut(it.id, " ")
		said := note{label: "said by", text: p.saidBy(id)}
		it.notes = slices.Insert(it.notes, 0, said)
	}
	return sec
}

// saidBy is who says a point, and in which other words.
func (p *panel) saidBy(id string) string {
	point := p.s.Point(id)
	text := cmp.Or(joined(point.Authors), "nobody")
	claim := p.t.Claim(id)
	if claim == nil {
		return text
	}
	if others := slices.DeleteFunc(slices.Clone(claim.Points),
		func(other string) bool { return other == id }); len(others) > 0 {
		text += "; the same as " + strings.Join(others, " ")
	}
	if len(claim.Holders) > 0 && sharedByAll(claim, len(p.answered)) {
		text += "; everyone who answered says so"
	}
	return text
}

func joined(seats []state.Seat) string {
	words := make([]string, len(seats))
	for i, seat := range seats {
		words[i] = string(seat)
	}
	return strings.Join(words, ", ")
}

// changedLine compares where the points ended with what the first answers alone
// say.
func changedLine(changes []Change) string {
	var moved []string
	open := 0
	for _, c := range changes {
		switch {
		case c.After == state.BucketOpen:
			open++
		case c.Moved():
			moved = append(moved, fmt.Sprintf("%s %s → %s", c.Point, bucketName(c.Before), bucketName(c.After)))
		}
	}
	switch {
	case len(changes) == 0:
		return "no point was raised"
	case len(moved) == 0 && open > 0:
		return "nothing yet"
	case len(moved) == 0:
		return "nothing: each point stands where the first answers alone put it"
	}
	return fmt.Sprintf("%d of %s since the first answers alone: %s", len(moved), plain.Counted(len(changes), "point"),
		strings.Join(moved, ", "))
}
