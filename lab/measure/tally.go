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
		s.Tiers = append(s.Tiers, TierCount{Tier: tier})
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
	for len(s.Traces) < len(r.Rounds) {
		s.Traces = append(s.Traces, Trace{})
	}
	for i := range r.Rounds {
		now := &r.Rounds[i]
		s.Traces[i].Architect.Add(now.Architect.Confidence)
		s.Traces[i].Skeptic.Add(now.Skeptic.Confidence)
		if i > 0 {
			s.Architect.Add(&r.Rounds[i-1].Architect, &now.Architect)
			s.Skeptic.Add(&r.Rounds[i-1].Skeptic, &now.Skeptic)
		}
	}
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
	for i := range o.Traces {
		if i == len(s.Traces) {
			s.Traces = append(s.Traces, Trace{})
		}
		s.Traces[i].Architect.Join(o.Traces[i].Architect)
		s.Traces[i].Skeptic.Join(o.Traces[i].Skeptic)
	}
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
