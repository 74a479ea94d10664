package hearing

import (
	"fmt"
	"strings"

	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Says implements resolver.Format for the rules on claims and the rows of the judge.
func (rules) Says(rule string) string {
	if says := claimRules().Says(rule); says != "" {
		return says
	}
	if rule == RuleUnnamed {
		return "A verdict is not DISMISSED if rules fill a side and none of them names a fact: it is INCONCLUSIVE."
	}
	if rule == judge.Else {
		return "No row of the judge's version holds: the verdict is INCONCLUSIVE, and its confidence lies between " +
			"the two sides."
	}
	var says []string
	for _, version := range judge.Versions() {
		for _, row := range judge.Rows(version, judge.Side{}, judge.Side{}) {
			if row.Rule == rule {
				says = append(says, fmt.Sprintf("%s if %s", row.Outcome, row.Says))
			}
		}
	}
	if len(says) > 0 {
		return "The judge says " + strings.Join(says, ", and ") + ", and no row before this one holds."
	}
	return resolver.Base{}.Says(rule)
}

// Describe implements resolver.Format for facts of the packet and shared kinds of items.
func (rules) Describe(b *resolver.Basis, id string) string {
	if f, ok := b.State.Packet.Fact(id); ok {
		return view.PacketFact(&f)
	}
	return b.Describe(id)
}

func (rules) Because(*resolver.Basis, *resolver.Explanation) {}

// Candidates adds confidences of the sides, and what they could do about the question or a claim.
func (rules) Candidates(l *resolver.Candidates) {
	s := l.State
	for _, seat := range sides() {
		if Of(s).Argument(seat, s.Round) == nil {
			continue
		}
		for _, value := range []float64{1, 0} {
			l.Add(resolver.MovedBySeats, fmt.Sprintf("a confidence of %.2f from %s", value, resolver.SeatName(seat)),
				func(x *resolver.Scenario) { x.Add(&Argued{Seat: seat, Stated: value, Confidence: value}) })
		}
	}
	for _, p := range s.Points.All() {
		if l.Point.UserRuling != nil || p.ID == QuestionPoint || l.Point.ID != QuestionPoint && p.ID != l.Point.ID ||
			!made(s, p, s.Round) {
			continue
		}
		l.Add(resolver.MovedBySeats, "a concession of "+p.ID, func(x *resolver.Scenario) {
			x.Add(&state.PointConceded{Point: p.ID, By: p.Authors[0], Reason: "given up"})
		})
		for _, id := range p.Challenges {
			if c := s.Challenge(id); len(c.Defenses) == 0 && len(c.Facts) > 0 {
				l.Add(resolver.MovedBySeats, "an answer to "+id, func(x *resolver.Scenario) {
					x.Add(&state.ChallengeAnswered{Challenge: id, By: p.Authors[0], Text: "an answer"})
				})
			}
		}
	}
	l.EndOfSession()
	if !s.Closed {
		l.UserAnswers()
		l.UserRulings()
	}
}

// Follow ends the hearing.
func (rules) Follow(x *resolver.Scenario) {
	if !x.State.Over() {
		x.Add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user closed the session"})
	}
}

// Why shows how the judge came to the verdict, or what a claim rests on.
func (document) Why(s *state.State, ruling *state.Ruling) []view.Section {
	p := s.Point(ruling.Point)
	switch {
	case p == nil:
		return nil
	case p.ID != QuestionPoint:
		return whyClaim(s, p)
	}
	if v, err := VerdictOf(s); err == nil {
		return whyVerdict(s, &v)
	}
	return nil
}

// whyVerdict shows the rows of the judge up to the first that applies, and the flags.
func whyVerdict(s *state.State, v *Verdict) []view.Section {
	rows := view.Section{Title: "THE JUDGE", Uncounted: true, Items: []view.Item{{
		ID: string(v.Version), Text: fmt.Sprintf("architect %s by %s, skeptic %s by %s",
			judge.Figure(v.Architect.Confidence), view.Counted(len(v.Architect.Facts), "fact"),
			judge.Figure(v.Skeptic.Confidence), view.Counted(len(v.Skeptic.Facts), "fact")),
	}}, After: fmt.Sprintf("The confidence of the verdict is %s.", judge.Figure(v.Confidence))}
	for _, row := range judge.Rows(v.Version, v.Architect, v.Skeptic) {
		it := view.Item{ID: row.Rule, Mark: "does not hold", Text: row.Says + ": " + row.Numbers}
		if row.Holds {
			it.Mark, it.Role = "holds", view.RoleGood
		}
		rows.Items = append(rows.Items, it)
		if row.Holds {
			break
		}
	}
	if v.Unnamed {
		rows.Items = append(rows.Items, view.Item{
			ID: v.Rule, Mark: "holds", Role: view.RoleGood,
			Text: rules{}.Says(v.Rule),
		})
	}
	doubts := view.Section{Title: "HOW SURE THAT IS", Uncounted: true}
	flags := FlagsOf(s, v)
	for _, flag := range flags {
		doubts.Lines = append(doubts.Lines, string(flag)+": "+flag.Says()+".")
	}
	if len(flags) > 0 {
		doubts.After = fmt.Sprintf("Risk %s: %d of %d flags. Look at it before you rely on it.",
			judge.Figure(judge.Risk(flags)), len(flags), len(judge.Flags()))
	}
	return []view.Section{rows, doubts}
}

// whyClaim shows the challenges to a claim, and the reports of confidence.
func whyClaim(s *state.State, p *state.Point) []view.Section {
	against := view.Section{Title: "AGAINST IT", Uncounted: true}
	for _, id := range p.Challenges {
		against.Lines = append(against.Lines, contradictionText(s, s.Challenge(id)))
	}
	reports := view.Section{Title: "CONFIDENCE OF THE " + strings.ToUpper(string(p.Authors[0])), Uncounted: true}
	for _, c := range s.Confidence.All() {
		if c.Point != p.ID || !p.IsAuthor(c.Seat) {
			continue
		}
		words := fmt.Sprintf("round %d: %s", c.Round, judge.Figure(c.Admitted))
		if c.Stated != c.Admitted {
			words += fmt.Sprintf(", it said %s, and no fact let it fall", judge.Figure(c.Stated))
		}
		if c.Cause != "" {
			words += ", named for it: " + c.Cause
		}
		reports.Lines = append(reports.Lines, words)
	}
	return []view.Section{against, reports}
}
