package resolver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// Attacks counts the challenges to a design by how they ended, in the framings critique and redteam (EX9). The counts
// after Raised add up to it.
type Attacks struct {
	Raised int `json:"raised"`
	// Answered counts those whose defense was accepted, Upheld those whose defense was rejected.
	Answered int `json:"answered"`
	Upheld   int `json:"upheld"`
	// Granted counts those under which a defender gave way on a point of the user, who decides.
	Granted int `json:"granted"`
	// Open counts those that wait for an answer or for its judgment.
	Open int `json:"open"`
	// Conceded, Undefended, Blocked and Ended count the others, as their statuses say.
	Conceded   int `json:"conceded"`
	Undefended int `json:"undefended"`
	Blocked    int `json:"blocked"`
	Ended      int `json:"ended"`
}

// AttacksOn counts the attacks of a session. It returns nil in other framings.
func AttacksOn(s *state.State, rulings []state.Ruling) *Attacks {
	if s.Settings.Framing != state.FramingCritique && s.Settings.Framing != state.FramingRedteam {
		return nil
	}
	a := &Attacks{}
	for _, c := range s.Challenges.All() {
		if c.By == state.Protocol {
			continue // Code marks a conflict or a refutation; nobody attacks.
		}
		a.Raised++
		switch StatusOf(s, rulings, c) {
		case state.StandsDefended:
			a.Answered++
		case state.StandsUpheld:
			a.Upheld++
		case state.StandsGranted:
			a.Granted++
		case state.StandsConceded:
			a.Conceded++
		case state.StandsUndefended:
			a.Undefended++
		case state.StandsBlocked:
			a.Blocked++
		case state.StandsEnded:
			a.Ended++
		case state.StandsOpen, state.StandsAnswered, state.StandsDropped, state.StandsReminded:
			a.Open++
		}
	}
	return a
}

// Tested reports whether an attack was answered and judged, or granted with a reason: that is a result (EX9).
func (a *Attacks) Tested() bool { return a.Answered+a.Upheld+a.Granted > 0 }

// String gives the counts that are not 0: "4 attacks: 3 answered, 1 granted".
func (a *Attacks) String() string {
	var parts []string
	for _, count := range []struct {
		n    int
		what string
	}{
		{a.Answered, "answered"},
		{a.Upheld, "upheld"},
		{a.Granted, "granted"},
		{a.Conceded, "conceded"},
		{a.Undefended, "undefended"},
		{a.Blocked, "blocked"},
		{a.Ended, "ended"},
		{a.Open, "open"},
	} {
		if count.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count.n, count.what))
		}
	}
	if a.Raised == 0 {
		return "no attack was raised"
	}
	return plain.Counted(a.Raised, "attack") + ": " + strings.Join(parts, ", ")
}

// StatusOf returns the status of a challenge (CH). It is "ended" if its point was revised, merged,
// ruled on by the user, not evaluated, or dismissed by a rule that did not read the challenge.
func StatusOf(s *state.State, rulings []state.Ruling, c *state.Challenge) state.ChallengeStatus {
	status := c.Status
	switch status {
	case state.StandsDefended, state.StandsUndefended, state.StandsConceded, state.StandsGranted, state.StandsBlocked,
		state.StandsEnded:
		return status
	case state.StandsOpen, state.StandsAnswered, state.StandsUpheld, state.StandsDropped, state.StandsReminded:
	}
	p := s.Point(c.Point)
	if p == nil {
		return status
	}
	r := RulingOn(rulings, p.ID)
	if p.RevisedBy != "" || p.MergedInto != "" || p.UserRuling != nil ||
		r != nil && (r.Bucket == state.BucketNotEvaluated ||
			r.Bucket == state.BucketDismissed && !slices.Contains(r.Reads, c.ID)) {
		return state.StandsEnded
	}
	return status
}

// RulingOn returns the ruling on a point, or nil.
func RulingOn(rulings []state.Ruling, point string) *state.Ruling {
	// The rulings of a session are in the order of its points.
	if n, err := strconv.Atoi(strings.TrimPrefix(point, "P")); err == nil && 0 < n && n <= len(rulings) &&
		rulings[n-1].Point == point {
		return &rulings[n-1]
	}
	i := slices.IndexFunc(rulings, func(r state.Ruling) bool { return r.Point == point })
	if i < 0 {
		return nil
	}
	return &rulings[i]
}
