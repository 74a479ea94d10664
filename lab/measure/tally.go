package measure

import "moot/state"

func newSummary(mode Mode, half Half) Summary {
	s := Summary{Mode: mode, Half: half, Tiers: []TierCount{}, Traces: []Trace{}, Failures: []FailureCount{}}
	for _, tier := range Tiers() {
		s.Tiers = append(s.Tiers, TierCount{Tier: tier, Traces: []Trace{}})
	}
	for _, f := range Failures() {
		s.Failures = append(s.Failures, FailureCount{Failure: f})
	}
	return s
}

// add counts a hearing of a case. The reference is the same hearing in the mode's reference, nil if
// there is none.
func (s *Summary) add(c Case, r, reference *Result) {
	s.Hearings++
	s.Usage = s.Usage.Plus(r.Usage)
	if r.Failed != "" {
		s.Failed++
		return
	}
	right := r.Right(c)
	s.Accuracy.Add(right)
	for i := range s.Tiers {
		if s.Tiers[i].Tier == c.Tier {
			s.Tiers[i].Right.Add(right)
			s.Tiers[i].Traces = traced(s.Tiers[i].Traces, r.Rounds)
		}
	}
	s.Confusion.Add(c.Expected, r.Outcome)
	s.Brier.Add(Brier(r.Outcome, r.Confidence, c.Expected))
	s.Calibration.Add(r.Confidence, right)
	for len(s.Repeats) < r.Repeat {
		s.Repeats = append(s.Repeats, Proportion{})
	}
	s.Repeats[r.Repeat-1].Add(right)
	if s.Mode.Form == state.FormSelective {
		s.Opened.Add(r.Opened)
	}
	s.Traces = traced(s.Traces, r.Rounds)
	for i := 1; i < len(r.Rounds); i++ {
		s.Architect.Add(&r.Rounds[i-1].Architect, &r.Rounds[i].Architect)
		s.Skeptic.Add(&r.Rounds[i-1].Skeptic, &r.Rounds[i].Skeptic)
	}
	if failure := FailureOf(c, r); failure != "" {
		for i := range s.Failures {
			if s.Failures[i].Failure == failure {
				s.Failures[i].Count++
			}
		}
		s.Wrong = append(s.Wrong, Wrong{Case: c, Repeat: r.Repeat, Outcome: r.Outcome, Confidence: r.Confidence, Failure: failure})
	}
	if reference != nil && reference.Failed == "" {
		if s.Flips == nil {
			s.Flips = &Against{Reference: s.Mode.Reference()}
		}
		s.Flips.Pairs.Add(reference.Right(c), right)
	}
}

// traced adds the confidences of a hearing to traces.
func traced(traces []Trace, rounds []Round) []Trace {
	for len(traces) < len(rounds) {
		traces = append(traces, Trace{})
	}
	for i := range rounds {
		traces[i].Architect.Add(rounds[i].Architect.Confidence)
		traces[i].Skeptic.Add(rounds[i].Skeptic.Confidence)
	}
	return traces
}
