package resolver

import (
	"fmt"
	"strings"

	"moot/resolver/detect"
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
	// Rows are the rows of the judge's version with their numbers, to the first that
	// holds; all of them where none does, and none of the version claims.
	Rows []hearing.Row
	// Sums are the claims, the shares and the lead of the version claims, in sentences.
	Sums []string
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
	// Ruled is how it stands on its facts; nil where that was not judged.
	Ruled *hearing.Ruled
	// Facts are those that it cites, verbatim, Against those that speak against it.
	Facts, Against []Reading
	// Rules are the rules of the domain that read its facts.
	Rules []Reading
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
		b := newBench(s, p)
		e.Sentence, e.Reads = b.because(&e.Ruling), b.readings(&e.Ruling)
		return
	}
	e.Reads = factsRead(s, e.Ruling.Reads)
}

// explainHeard completes the explanation of a ruling in a hearing.
func explainHeard(s *state.State, p *state.Point, e *Explanation) {
	j := NewHearingJudge()
	if p.ID == QuestionPoint {
		e.Hearing = &HearingExplanation{Question: j.explainQuestion(s)}
		e.Before = rowsBefore(e.Hearing.Question.Rows, e.Rule)
	} else {
		e.Hearing = &HearingExplanation{Claim: j.explainClaim(s, p)}
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
			before = append(before, NearMiss{Rule: rows[i].Rule, Words: fmt.Sprintf("%s: %s.", rows[i].Says(), rows[i].Numbers())})
		}
	}
	return before
}

func (j *HearingJudge) explainQuestion(s *state.State) *QuestionExplanation {
	q := &QuestionExplanation{Domain: &s.HearingSettings().Domain, Rounds: j.Rounds(s), Ended: s.ExitReason, Gate: gateSays(s)}
	v, judged := j.Verdict(s)
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
	if v.Weighed != nil {
		q.Sums = sumsOf(v.Weighed, q.Domain)
	}
	for _, version := range state.JudgeVersions() {
		if other, ok := j.VerdictBy(s, version, s.Round); ok {
			q.Versions = append(q.Versions, other)
		}
	}
	return q
}

// sumsOf says what the version claims compared.
func sumsOf(v *hearing.ClaimsVerdict, d *state.Domain) []string {
	var sums []string
	for _, side := range []struct {
		seat state.Seat
		sum  float64
	}{{state.Architect, v.Architect}, {state.Skeptic, v.Skeptic}} {
		var parts []string
		for i := range v.Claims {
			if c := &v.Claims[i]; c.By == side.seat {
				parts = append(parts, fmt.Sprintf("%s %s %s", c.ID, c.Support, hearing.Figure(c.Weight)))
			}
		}
		words := orElse(strings.Join(parts, ", "), "it makes no claim")
		sums = append(sums, fmt.Sprintf("%s: %s; its share of what the facts come to is %s.", capital(string(side.seat)), words, hearing.Figure(side.sum)))
	}
	lead := fmt.Sprintf("Architect %s − skeptic %s = %s; a side wins that leads by %s and has more than the %s that speak for neither.",
		hearing.Figure(v.Architect), hearing.Figure(v.Skeptic), hearing.Figure(v.Lead()), hearing.Figure(d.Margin), hearing.Figure(v.Neither))
	return append(sums, lead)
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

func (j *HearingJudge) explainClaim(s *state.State, p *state.Point) *ClaimExplanation {
	c := &ClaimExplanation{By: p.Authors[0], Facts: factsRead(s, p.Facts), Confidences: confidencesIn(s, p)}
	stands, _ := j.standing(s)
	if ruled := stands[p.ID]; ruled != nil {
		c.Ruled, c.Against = ruled, factsRead(s, ruled.Against)
	}
	if found := j.Found(s); found != nil {
		c.Rules = rulesOn(found, p.Facts)
	}
	for _, id := range p.Challenges {
		if one := s.Challenge(id); one != nil {
			c.Contradicted = append(c.Contradicted, Reading{ID: id, What: contradictionWords(one)})
		}
	}
	return c
}

// rulesOn are the rules of the domain that read any of the facts.
func rulesOn(found *detect.Case, facts []string) []Reading {
	var rules []Reading
	for _, f := range found.Findings() {
		var read []string
		for _, id := range f.Facts {
			for _, cited := range facts {
				if id == cited {
					read = append(read, id)
				}
			}
		}
		if len(read) == 0 {
			continue
		}
		what := f.Rule.Name
		if f.Rule.Technique != "" {
			what += " (" + f.Rule.Technique + ")"
		}
		if w := found.Domain().Weights; w == nil || len(w.Terms) == 0 {
			// Else what a fact does is read by its words.
			what += ", weight " + hearing.Figure(f.Rule.Weight)
		}
		what += fmt.Sprintf(", for the %s, by %s", f.Rule.Role.Seat(), strings.Join(read, ", "))
		for _, cancelled := range f.Cancelled {
			what += fmt.Sprintf("; %s takes %s of it away, by %s", cancelled.Rule, hearing.Figure(cancelled.Share), strings.Join(cancelled.Facts, ", "))
		}
		rules = append(rules, Reading{ID: f.Rule.ID, What: what})
	}
	return rules
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
