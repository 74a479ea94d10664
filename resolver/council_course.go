package resolver

import (
	"slices"

	"moot/state"
)

// CourseStep is one form of a claim of a council in one round.
type CourseStep struct {
	Round int `json:"round"`
	// Ended says that the round was tested for consensus: what is told of it changes
	// no more, unless it is the last.
	Ended bool `json:"ended"`
	// Point is the form of the claim in that round, Text its words; WordedBy is who
	// worded it: its author, or the moderator for it.
	Point    string     `json:"point"`
	Text     string     `json:"text"`
	WordedBy state.Seat `json:"worded_by"`
	// Became is the form that took its place in this round, "" for none. Merged says
	// that it was another claim, which it was merged into.
	Became string `json:"became"`
	Merged bool   `json:"merged"`
	// Validation is how the form stood against CV1 to CV4 at the end of the round,
	// with the confidences as they then were: the Round of a score says whether it
	// was reported in this one.
	Validation Validation `json:"validation"`
	// Challenges are those of the round and those that waited from earlier ones.
	Challenges []CourseChallenge `json:"challenges"`
	// Verified are the ids of evidence for and against it that was verified in the
	// round.
	Verified []string `json:"verified"`
	// Breaches are the violations that were found in the round.
	Breaches []CourseBreach `json:"breaches"`
	// Ruling is that on the form at the end of the round.
	Ruling state.Ruling `json:"ruling"`
}

// CourseChallenge is a challenge and how it stood at the end of a round.
type CourseChallenge struct {
	ID        string      `json:"id"`
	By        state.Seat  `json:"by"`
	Kind      state.Class `json:"kind"`
	Round     int         `json:"round"`
	Objection string      `json:"objection"`
	// Outcome says in a clause what came of it: "answered in round 1, the answer
	// accepted". Settled says that it holds the claim up no more.
	Outcome string `json:"outcome"`
	Settled bool   `json:"settled"`
}

// CourseBreach is a violation of the constitution; Mended says that it was none any
// more at the end of the round, Flagged that it holds nothing up.
type CourseBreach struct {
	state.Breach
	Mended  bool `json:"mended"`
	Flagged bool `json:"flagged"`
}

// Course is the way of a claim of a council through the rounds, the earliest first:
// of the claim in all its forms, whichever of them is named. It is nil for other
// formats, and where there is no such claim. A form that was made at the end of a
// round and that nobody tested there first comes in the next. Of a form that was
// given up nothing is told after that round.
func Course(s *state.State, point string) []CourseStep {
	if s.Settings.Format != state.FormatCouncil {
		return nil
	}
	p := firstForm(s, point)
	if p == nil {
		return nil
	}
	var steps []CourseStep
	form, gone := p.ID, ""
	// A chain of forms is as long as there are points, were it forged into a ring.
	left := s.Points.Len()
	for round := p.Round; round <= s.Round; round++ {
		at := endOfRound(s, round)
		if at == nil {
			continue
		}
		for p := at.Point(form); p != nil; p = at.Point(form) {
			became := successor(p)
			_, conceded := p.Conceded()
			if conceded && gone == p.ID {
				break
			}
			if gone = ""; conceded {
				gone = p.ID
			}
			if became != "" || round == s.Round || p.Round < round || p.Revises == "" || testedIn(at, p, round) {
				steps = append(steps, stepOf(s, at, p, round))
			}
			if left--; became == "" || left < 0 {
				break
			}
			form = became
		}
	}
	return steps
}

// firstForm is the claim before it was ever worded anew.
func firstForm(s *state.State, point string) *state.Point {
	p := s.Point(point)
	for range s.Points.Len() {
		if p == nil || s.Point(p.Revises) == nil {
			return p
		}
		p = s.Point(p.Revises)
	}
	return p
}

// successor is the point that took the place of p, or "".
func successor(p *state.Point) string {
	if p.MergedInto != "" {
		return p.MergedInto
	}
	return p.RevisedBy
}

// endOfRound is the state in which a round ended: the last round ends where the
// session stands.
func endOfRound(s *state.State, round int) *state.State {
	if round == s.Round {
		return s
	}
	return s.Council.At(round)
}

// testedIn reports whether a form that was made in the round was tested there, too:
// by another seat than the one that made it.
func testedIn(at *state.State, p *state.Point, round int) bool {
	maker := wordedBy(p)
	scored := func(score state.Score) bool { return score.Round == round && score.Seat != maker }
	challenged := func(id string) bool { c := at.Challenge(id); return c != nil && c.Round == round }
	return slices.ContainsFunc(p.Scores, scored) || slices.ContainsFunc(p.Challenges, challenged)
}

// wordedBy is whose words the form is in.
func wordedBy(p *state.Point) state.Seat {
	if p.WordedBy != "" || len(p.Authors) == 0 {
		return p.WordedBy
	}
	return p.Authors[0]
}

// stepOf tells of one form what a round brought, by the state in which it ended.
func stepOf(s, at *state.State, p *state.Point, round int) CourseStep {
	step := CourseStep{
		Round: round, Ended: s.Council.Consensus(round) != nil, Point: p.ID, Text: p.Text, WordedBy: wordedBy(p),
		Became: successor(p), Merged: p.MergedInto != "", Validation: Validate(at, p), Ruling: ruleOnClaim(at, p),
		Challenges: []CourseChallenge{}, Verified: []string{}, Breaches: []CourseBreach{},
	}
	before := s.Council.At(round - 1)
	for _, id := range p.Challenges {
		c := at.Challenge(id)
		if c == nil {
			continue
		}
		var earlier *state.Challenge
		if before != nil {
			earlier = before.Challenge(id)
		}
		if earlier == nil || !settledFor(earlier) {
			step.Challenges = append(step.Challenges, CourseChallenge{
				ID: c.ID, By: c.By, Kind: c.Kind, Round: c.Round, Objection: c.Objection, Outcome: outcome(c),
				Settled: settledFor(c),
			})
		}
	}
	for _, id := range p.Evidence {
		item := at.Item(id)
		if item == nil || !item.Counts() {
			continue
		}
		if before != nil {
			if earlier := before.Item(id); earlier != nil && earlier.Counts() {
				continue
			}
		}
		step.Verified = append(step.Verified, id)
	}
	for i := range at.Council.Breaches {
		if breach := &at.Council.Breaches[i]; breach.Point == p.ID && breach.Round == round {
			step.Breaches = append(step.Breaches,
				CourseBreach{Breach: *breach, Mended: !Breaks(at, p, breach), Flagged: at.OnlyFlags(breach.Constraint)})
		}
	}
	return step
}

// settledFor reports whether a challenge holds its claim up no more.
func settledFor(c *state.Challenge) bool {
	return c.Settled() && c.Status != state.StandsUndefended
}
