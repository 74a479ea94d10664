package resolver

import (
	"fmt"
	"strings"

	"moot/resolver/hearing"
	"moot/state"
)

// HearingExplanation says why the question of a hearing, or one of its claims, is where
// it is.
type HearingExplanation struct {
	// Question is of the question, nil of a claim; Claim the other way round.
	Question *QuestionExplanation
	Claim    *ClaimExplanation
}

// QuestionExplanation says how the judge came to the verdict.
type QuestionExplanation struct {
	// Verdict is what the judge says of the last round; nil before both sides argued.
	Verdict *HearingVerdict
	// Rows are the rows of the judge's version with their numbers up to the first that
	// holds, or all of them if none does.
	Rows []hearing.Row
	// Flags are reasons to doubt that the verdict is as sure as it looks, Risk their
	// share, 0 to 1.
	Flags []hearing.MiscalibrationFlag
	Risk  float64
	// Rounds are the rounds with the verdict after each.
	Rounds []HearingRound
	// Ended says why the exchange ended, Gate what the gate found; "" where it has not,
	// and where there is none.
	Ended, Gate string
	// Versions are what each version of the judge says of the last round.
	Versions []HearingVerdict
	// Domain names outcomes.
	Domain *state.Domain
}

// ClaimExplanation says what a claim rests on.
type ClaimExplanation struct {
	By state.Seat
	// Audited is how it ends in an audit; nil in other forms.
	Audited *Audited
	// Facts are those that it cites, verbatim.
	Facts []Reading
	// Contradicted is what was cited against it.
	Contradicted []Reading
	// Confidences are the side's reports, round by round.
	Confidences []ConfidenceStep
}

// ConfidenceStep is a report of confidence in a claim.
type ConfidenceStep struct {
	Round int
	// Stated is the side's number, Admitted what counts, 0 to 1; Delta is how far what
	// counts moved, -1 to 1, and 0 of the first.
	Stated, Admitted, Delta float64
	// Cause is the fact, or the words, that the side named.
	Cause string
}

// becauseHeard says what a rule of a hearing says and read.
func becauseHeard(s *state.State, p *state.Point, e *Explanation, _ *Objected) {
	switch e.Rule {
	case "AC1", "AC6", "RD2":
		e.Reads = newBench(s, p).readings(&e.Ruling)
		return
	}
	e.Reads = factsRead(s, e.Ruling.Reads)
}

// explainHeard completes the explanation of a ruling in a hearing.
func explainHeard(s *state.State, p *state.Point, e *Explanation) {
	if p.ID == QuestionPoint {
		e.Hearing = &HearingExplanation{Question: explainQuestion(s)}
		e.Before = rowsBefore(e.Hearing.Question.Rows, e.Rule)
	} else {
		e.Hearing = &HearingExplanation{Claim: explainHeardClaim(s, p)}
	}
	e.Changes, e.More, e.Limit = newSearch(s, p, &e.Ruling).changes()
}

// rowsBefore are the rows that did not hold before the one that did.
func rowsBefore(rows []hearing.Row, fired string) []NearMiss {
	var before []NearMiss
	for i := range rows {
		if rows[i].Rule == fired {
			break
		}
		if !rows[i].Holds {
			before = append(before, NearMiss{
				Rule:  rows[i].Rule,
				Words: fmt.Sprintf("%s: %s.", rows[i].Says(), rows[i].Numbers()),
			})
		}
	}
	return before
}

func explainQuestion(s *state.State) *QuestionExplanation {
	q := &QuestionExplanation{
		Domain: &s.HearingSettings().Domain, Rounds: HearingRounds(s), Ended: s.ExitReason,
		Gate: gateSays(s),
	}
	v, judged := VerdictOf(s)
	if !judged {
		return q
	}
	q.Verdict = &v
	q.Flags = FlagsOf(s, &v)
	q.Risk = hearing.Risk(q.Flags)
	for _, row := range hearing.Rows(v.Version, v.Architect, v.Skeptic) {
		q.Rows = append(q.Rows, row)
		if row.Holds {
			break
		}
	}
	for _, version := range state.JudgeVersions() {
		if other, ok := VerdictBy(s, version, s.Round); ok {
			q.Versions = append(q.Versions, other)
		}
	}
	return q
}

// gateSays says what the gate found, or is "".
func gateSays(s *state.State) string {
	g := s.Hearing.Gated
	if g == nil {
		return ""
	}
	words := fmt.Sprintf("The gate %s stayed shut", g.Gate)
	if g.Opens {
		words = fmt.Sprintf("The gate %s opened, and the hearing went on as %s", g.Gate, s.HearingSettings().Then)
	}
	words += ": the verdict of round 1 was at " + hearing.Figure(g.Confidence)
	if hearing.Escalates(g.Confidence) {
		words += ", in the band that escalates"
	}
	if len(g.Flags) == 0 {
		return words + ", and no flag was raised."
	}
	return words + fmt.Sprintf("; %s, risk %s.", strings.Join(g.Flags, ", "), hearing.Figure(g.Risk))
}

func explainHeardClaim(s *state.State, p *state.Point) *ClaimExplanation {
	c := &ClaimExplanation{By: p.Authors[0], Facts: factsRead(s, p.Facts), Confidences: confidencesIn(s, p)}
	if audited, ok := AuditOf(s, p); ok {
		c.Audited = &audited
	}
	for _, id := range p.Challenges {
		if one := s.Challenge(id); one != nil {
			c.Contradicted = append(c.Contradicted, Reading{ID: id, What: contradictionWords(one)})
		}
	}
	return c
}

// contradictionWords is what was cited against a claim, and what came of it.
func contradictionWords(c *state.Challenge) string {
	words := fmt.Sprintf("%s in round %d", seatName(c.By), c.Round)
	if len(c.Facts) > 0 {
		words += ", by " + listed(c.Facts)
	}
	words += ": " + quote(c.Objection)
	if len(c.Defenses) == 0 {
		return words + "; not answered"
	}
	for i := range c.Defenses {
		d := &c.Defenses[i]
		words += fmt.Sprintf("; %s answered in round %d: %s", seatName(d.By), d.Round, quote(d.Text))
	}
	return words
}

// confidencesIn are the reports of a side on its claim, in order.
func confidencesIn(s *state.State, p *state.Point) []ConfidenceStep {
	var steps []ConfidenceStep
	for _, c := range s.Confidence.All() {
		if c.Point != p.ID || !p.IsAuthor(c.Seat) {
			continue
		}
		step := ConfidenceStep{Round: c.Round, Stated: c.Stated, Admitted: c.Admitted, Cause: c.Cause}
		if n := len(steps); n > 0 {
			step.Delta = c.Admitted - steps[n-1].Admitted
		}
		steps = append(steps, step)
	}
	return steps
}
