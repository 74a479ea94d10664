package report

import (
	"fmt"
	"math"
	"strings"

	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
)

// hearing says how the judge came to its verdict, or what a claim rests on.
func (t *textWriter) hearing(e *resolver.Explanation) {
	heard, ok := e.Details.(*hearing.HearingExplanation)
	switch {
	case !ok:
	case heard.Question != nil:
		t.question(heard.Question)
	case heard.Claim != nil:
		t.heardClaim(heard.Claim)
	}
}

func (t *textWriter) question(q *hearing.QuestionExplanation) {
	if q.Verdict == nil {
		return
	}
	t.heading("THE JUDGE")
	t.entry(string(q.Verdict.Version), fmt.Sprintf("architect %s by %s, skeptic %s by %s",
		judge.Figure(q.Verdict.Architect.Confidence), facts(q.Verdict.Architect.Facts),
		judge.Figure(q.Verdict.Skeptic.Confidence), facts(q.Verdict.Skeptic.Facts)))
	for i := range q.Rows {
		row := &q.Rows[i]
		word := "does not hold"
		if row.Holds {
			word = "holds"
		}
		t.entry(row.Rule, fmt.Sprintf("%s: %s: %s", row.Says(), word, row.Numbers()))
	}
	t.block("  ", "    ", fmt.Sprintf("%s, confidence %s.", q.Verdict.Sentence, judge.Figure(q.Verdict.Confidence)))
	t.doubts(q)
	t.heading("ROUND BY ROUND")
	for i := range q.Rounds {
		t.block("  ", "    ", roundWords(&q.Rounds[i], q.Domain))
	}
	if q.Gate != "" {
		t.block("  ", "    ", q.Gate)
	}
	if q.Ended != "" {
		t.block("  ", "    ", "It ended there: "+q.Ended+".")
	}
	t.heading("WHAT EACH VERSION OF THE JUDGE SAYS")
	for i := range q.Versions {
		v := &q.Versions[i]
		t.block("  ", "    ", fmt.Sprintf("%s: %s, confidence %s", v.Version, v.Sentence, judge.Figure(v.Confidence)))
	}
}

// doubts are the flags of miscalibration.
func (t *textWriter) doubts(q *hearing.QuestionExplanation) {
	if len(q.Flags) == 0 {
		return
	}
	t.heading("HOW SURE THAT IS")
	for _, flag := range q.Flags {
		t.block("  ! ", "    ", string(flag)+": "+hearing.FlagSays(flag)+".")
	}
	t.block("  ", "    ", fmt.Sprintf("Risk %s: %d of %d flags. Look at it before you rely on it.",
		judge.Figure(q.Risk), len(q.Flags), len(judge.MiscalibrationFlags())))
}

// facts counts ids, and names few.
func facts(ids []string) string {
	const most = 8
	switch n := len(ids); {
	case n == 0:
		return "no fact"
	case n > most:
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], " "), n-most)
	}
	return strings.Join(ids, " ")
}

// roundWords is a round in a line.
func roundWords(r *hearing.HearingRound, d *state.Domain) string {
	words := fmt.Sprintf("round %d: architect %s, skeptic %s", r.Round, concluded(r.Architect), concluded(r.Skeptic))
	if r.Verdict != nil {
		words += fmt.Sprintf(" -> %s by %s", d.Shown(r.Verdict.Outcome), r.Verdict.Rule)
	}
	if len(r.New) > 0 {
		words += "; new: " + facts(r.New)
	} else {
		words += "; no new fact"
	}
	return words
}

func concluded(a *state.Argument) string {
	if a == nil {
		return "silent"
	}
	words := judge.Figure(a.Confidence)
	if a.Stated != a.Confidence {
		words += " (it said " + judge.Figure(a.Stated) + ", and no fact let it fall so far)"
	}
	return words
}

func (t *textWriter) heardClaim(c *hearing.ClaimExplanation) {
	t.heading("ITS FACTS")
	for _, f := range c.Facts {
		t.entry(f.ID, f.What)
	}
	if len(c.Facts) == 0 {
		t.block("  ", "  ", "It says that nothing was found, and rests on the whole packet.")
	}
	if c.Audited != nil {
		t.heading("THE AUDIT")
		t.block("  ", "    ", fmt.Sprintf("%s: %s.", c.Audited.Support, c.Audited.Why))
	}
	if len(c.Contradicted) > 0 {
		t.heading("AGAINST IT")
	}
	for _, r := range c.Contradicted {
		t.entry(r.ID, r.What)
	}
	t.heading("CONFIDENCE OF THE " + strings.ToUpper(string(c.By)))
	for i := range c.Confidences {
		t.block("  ", "    ", stepWords(&c.Confidences[i], i == 0))
	}
}

// stepWords is a report of confidence in a line: "round 2: 0.6 (-0.3) by f08".
func stepWords(step *hearing.ConfidenceStep, first bool) string {
	words := fmt.Sprintf("round %d: %s", step.Round, judge.Figure(step.Admitted))
	if !first && step.Delta != 0 {
		words += fmt.Sprintf(" (%+g)", math.Round(step.Delta*1000)/1000)
	}
	if step.Stated != step.Admitted {
		words += fmt.Sprintf(", it said %s, and no fact let it fall", judge.Figure(step.Stated))
	}
	if step.Cause != "" {
		words += ", named for it: " + step.Cause
	}
	return words
}
