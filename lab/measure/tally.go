package measure

import "moot/state"

// Tally adds up hearings of one mode without keeping them.
type Tally struct {
	summary Summary
	// list says that wrong verdicts are listed.
	list bool
}

// NewTally returns one without hearings; with list it keeps every wrong verdict.
func NewTally(origin Origin, mode Mode, half Half, list bool) *Tally {
	s := Summary{Origin: origin, Mode: mode, Half: half, Tiers: []TierCount{}, Traces: []Trace{}, Failures: []FailureCount{}}
	for _, tier := range Tiers() {
		s.Tiers = append(s.Tiers, TierCount{Tier: tier, Traces: []Trace{}})
	}
	for _, f := range Failures() {
		s.Failures = append(s.Failures, FailureCount{Failure: f})
	}
	return &Tally{summary: s, list: list}
}

// Add takes a hearing of a case in. The reference is the same hearing in the mode's
// reference, nil where there is none. Neither is kept.
func (t *Tally) Add(c Case, r, reference *Result) {
	s := &t.summary
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
	if r.Repeat > 0 {
		s.Repeats[r.Repeat-1].Add(right)
	}
	if s.Mode.Form == state.FormSelective {
		s.Opened.Add(r.Opened)
	}
	t.rounds(r)
	t.failure(c, r)
	if reference != nil && reference.Failed == "" {
		if s.Flips == nil {
			s.Flips = &Against{Reference: s.Mode.Reference()}
		}
		s.Flips.Pairs.Add(reference.Right(c), right)
	}
}

// rounds takes the turns in.
func (t *Tally) rounds(r *Result) {
	s := &t.summary
	s.Traces = traced(s.Traces, r.Rounds)
	for i := 1; i < len(r.Rounds); i++ {
		s.Architect.Add(&r.Rounds[i-1].Architect, &r.Rounds[i].Architect)
		s.Skeptic.Add(&r.Rounds[i-1].Skeptic, &r.Rounds[i].Skeptic)
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

// joined adds traces to traces.
func joined(traces, others []Trace) []Trace {
	for len(traces) < len(others) {
		traces = append(traces, Trace{})
	}
	for i := range others {
		traces[i].Architect.Join(others[i].Architect)
		traces[i].Skeptic.Join(others[i].Skeptic)
	}
	return traces
}

// failure says why a wrong verdict is wrong.
func (t *Tally) failure(c Case, r *Result) {
	failure := FailureOf(c, r)
	if failure == "" {
		return
	}
	for i := range t.summary.Failures {
		if t.summary.Failures[i].Failure == failure {
			t.summary.Failures[i].Count++
		}
	}
	if t.list {
		t.summary.Wrong = append(t.summary.Wrong, Wrong{Case: c, Repeat: r.Repeat, Outcome: r.Outcome, Confidence: r.Confidence, Failure: failure})
	}
}

// Join takes the hearings of the other in, which come after this one's. It refuses
// those of another origin with a *MixedError. The modes must be the same.
func (t *Tally) Join(other *Tally) error {
	s, o := &t.summary, &other.summary
	if s.Origin != o.Origin {
		return &MixedError{What: o.Mode.String(), One: s.Origin, Other: o.Origin}
	}
	s.Hearings += o.Hearings
	s.Failed += o.Failed
	s.Usage = s.Usage.Plus(o.Usage)
	s.Accuracy = s.Accuracy.Plus(o.Accuracy)
	for i := range s.Tiers {
		s.Tiers[i].Right = s.Tiers[i].Right.Plus(o.Tiers[i].Right)
		s.Tiers[i].Traces = joined(s.Tiers[i].Traces, o.Tiers[i].Traces)
	}
	s.Confusion.Join(&o.Confusion)
	s.Brier.Join(o.Brier)
	s.Calibration.Join(&o.Calibration)
	for i := range o.Repeats {
		if i == len(s.Repeats) {
			s.Repeats = append(s.Repeats, Proportion{})
		}
		s.Repeats[i] = s.Repeats[i].Plus(o.Repeats[i])
	}
	s.Opened = s.Opened.Plus(o.Opened)
	s.Traces = joined(s.Traces, o.Traces)
	s.Architect.Join(o.Architect)
	s.Skeptic.Join(o.Skeptic)
	for i := range s.Failures {
		s.Failures[i].Count += o.Failures[i].Count
	}
	s.Wrong = append(s.Wrong, o.Wrong...)
	if o.Flips != nil {
		if s.Flips == nil {
			s.Flips = &Against{Reference: o.Flips.Reference}
		}
		s.Flips.Pairs = s.Flips.Pairs.Plus(o.Flips.Pairs)
	}
	return nil
}

// Summary is what the hearings so far come to. It does not change with later ones.
func (t *Tally) Summary() Summary {
	s := t.summary
	s.Tiers = append([]TierCount{}, s.Tiers...)
	for i := range s.Tiers {
		s.Tiers[i].Traces = append([]Trace{}, s.Tiers[i].Traces...)
	}
	s.Traces = append([]Trace{}, s.Traces...)
	s.Failures = append([]FailureCount{}, s.Failures...)
	s.Repeats = append([]Proportion{}, s.Repeats...)
	s.Wrong = append([]Wrong{}, s.Wrong...)
	if s.Flips != nil {
		flips := *s.Flips
		s.Flips = &flips
	}
	s.CalibrationError = s.Calibration.Error()
	return s
}
