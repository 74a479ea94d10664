package resolver

import "moot/state"

// becauseHeard says what a rule of a hearing says and read.
func becauseHeard(s *state.State, p *state.Point, e *Explanation, _ *Objected) {
	if byFacts(&e.Ruling) {
		e.Reads = factsRead(s, e.Ruling.Reads)
		return
	}
	b := newBench(s, p)
	if e.Rule == "AC18" || e.Rule == "AC19" {
		return
	}
	e.Sentence = b.because(&e.Ruling)
	e.Reads = b.readings(&e.Ruling)
}

// explainHeard completes the explanation of a ruling in a hearing.
func explainHeard(*state.State, *state.Point, *Explanation) {}
