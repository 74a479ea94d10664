package view

import (
	"slices"

	"moot/state"
)

// consult is the format consult: claims that are challenged, defended and judged.
type consult struct{}

// ConsultOutcome is the outcome of the format consult: its rulings say everything.
type ConsultOutcome struct {
	Kind state.Format `json:"kind"`
}

func (consult) Outcome(s *state.State) any { return ConsultOutcome{Kind: s.Settings.Format} }

func (consult) Opposed() (seats []state.Seat, withRules bool) {
	return []state.Seat{state.Orchestrator, state.Consultee}, false
}

func (consult) Warnings(s *state.State) []string { return driftWarnings(s) }

func (consult) Remarks(m *state.Metrics) []string { return debateRemarks(m) }

// Fill lists the points by bucket.
func (consult) Fill(d *Document, s *state.State, rulings []state.Ruling) {
	d.header(s)
	d.row("debate", debateRow(Baseline(s, rulings)))
	d.row("usage", usageRow(s.Usage))
	d.verdict(s, rulings)
	d.Sections = []Section{
		pointsIn(s, rulings, "AGREED", state.BucketAgreed),
		pointsIn(s, rulings, "DISMISSED", state.BucketDismissed),
		pointsIn(s, rulings, "UNRESOLVED", state.BucketUnresolved),
		questions(s, "SURFACED QUESTIONS", func(*state.Question) bool { return true }),
		notEvaluated(s, pointsIn(s, rulings, "NOT EVALUATED", state.BucketNotEvaluated)),
	}
	d.add(pointsIn(s, rulings, "STILL OPEN", state.BucketOpen))
}

// FirstAnswers is the word of the seat that raised a claim, or of the first consultee to
// judge it.
func (consult) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if p.Round > 1 {
			return state.BucketNotEvaluated
		}
		if slices.ContainsFunc(p.Authors, state.Seat.IsConsultee) {
			byParticipant := func(seat state.Seat) bool { return seat != state.User && !s.ByRules(seat) }
			if contradicted(s, p) || !slices.ContainsFunc(p.Authors, byParticipant) {
				return state.BucketUnresolved
			}
			return state.BucketAgreed
		}
		for _, c := range p.Classes {
			if c.Round != 1 || !c.Seat.IsConsultee() {
				continue
			}
			switch c.Class {
			case state.Agree:
				return state.BucketAgreed
			case state.Reject:
				return state.BucketDismissed
			case state.Skeptical, state.IllFormed:
				return state.BucketUnresolved
			}
		}
		return state.BucketUnresolved
	}
}

// contradicted reports whether triage found that another seat's first answer says
// the opposite (RD1b).
func contradicted(s *state.State, p *state.Point) bool {
	for _, pair := range s.Pairs.All() {
		if !pair.Opposed {
			continue
		}
		a, b := s.Live(pair.A), s.Live(pair.B)
		if a != nil && b != nil && a.Round == 1 && b.Round == 1 && (a.ID == p.ID || b.ID == p.ID) {
			return true
		}
	}
	return false
}

// Event has no words of its own.
func (consult) Event(_, _ *state.State, _ state.Payload) (lines []Line, ok bool) { return nil, false }

func (consult) HasEvent(string) bool { return false }
