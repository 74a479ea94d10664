package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/resolver/hearing"
	"moot/state"
)

// HearingVerdict is the judge's word after a round, with what it read.
type HearingVerdict struct {
	hearing.Verdict
	Version state.JudgeVersion
	Round   int
	// Architect and Skeptic are what the sides said by then.
	Architect, Skeptic hearing.Side
	// Sentence is the verdict with its rule and what that compared, without an end:
	// "THREAT_CONFIRMED by v2.1: architect 0.9 > 0.85".
	Sentence string
}

// VerdictOf is what the judge of the session says after the last round; ok is false before both
// sides have argued.
func VerdictOf(s *state.State) (v HearingVerdict, ok bool) { return VerdictAfter(s, s.Round) }

// VerdictAfter is what the judge of the session says after a round, by what was known then.
func VerdictAfter(s *state.State, round int) (v HearingVerdict, ok bool) {
	return VerdictBy(s, s.HearingSettings().Judge, round)
}

// VerdictBy is VerdictAfter by another version of the judge.
func VerdictBy(s *state.State, version state.JudgeVersion, round int) (v HearingVerdict, ok bool) {
	v, err := verdict(s, version, round)
	return v, err == nil
}

// verdict is VerdictBy; the error says in a clause why there is none.
func verdict(s *state.State, version state.JudgeVersion, round int) (HearingVerdict, error) {
	v := HearingVerdict{Version: version, Round: round}
	var bounds []string
	for _, side := range []struct {
		seat state.Seat
		side *hearing.Side
	}{{state.Architect, &v.Architect}, {state.Skeptic, &v.Skeptic}} {
		argued, ok := SideOf(s, side.seat, round)
		if !ok {
			return v, fmt.Errorf("the %s did not argue", side.seat)
		}
		if s.Course() == state.FormAudit && round >= 2 {
			why := ""
			if argued, why = auditedSide(s, side.seat, argued); why != "" {
				bounds = append(bounds, why)
			}
		}
		*side.side = argued
	}
	judged, err := hearing.Judge(version, v.Architect, v.Skeptic)
	if err != nil {
		return v, fmt.Errorf("judge the confidences: %w", err)
	}
	v.Verdict = judged
	v.Sentence = v.says(&s.HearingSettings().Domain)
	if len(bounds) > 0 {
		v.Sentence += " (" + strings.Join(bounds, "; ") + ")"
	}
	for _, claim := range leading(s, &v) {
		v.Sentence += "; " + claim
	}
	return v, nil
}

// says is the verdict with its rule, and what that compared.
func (v *HearingVerdict) says(d *state.Domain) string {
	shown := d.Shown(v.Outcome)
	for _, row := range hearing.Rows(v.Version, v.Architect, v.Skeptic) {
		if row.Holds {
			return shown + " by " + v.Rule + ": " + row.Numbers()
		}
	}
	return fmt.Sprintf("%s: no row of %s holds for architect %s and skeptic %s", shown, v.Version,
		hearing.Figure(v.Architect.Confidence), hearing.Figure(v.Skeptic.Confidence))
}

// mostLeading is how many claims a verdict names, longestLeading bounds each, in characters.
const (
	mostLeading    = 3
	longestLeading = 400
)

// leading are the claims that a verdict rests on where built-in rules sit: they name the rules and
// quote the facts. They are those of the winner, or of both sides, with the highest confidences.
func leading(s *state.State, v *HearingVerdict) []string {
	var seats []state.Seat
	switch v.Outcome {
	case state.Confirmed:
		seats = []state.Seat{state.Architect}
	case state.Dismissed:
		seats = []state.Seat{state.Skeptic}
	case state.Inconclusive:
		seats = []state.Seat{state.Architect, state.Skeptic}
	}
	var named []string
	for _, seat := range seats {
		if assigned, seated := s.Assignment(seat); !seated || !assigned.NoModel {
			continue
		}
		claims := ClaimsOf(s, seat, v.Round)
		slices.SortStableFunc(claims, func(a, b *state.Point) int {
			return -compareConfidence(s, seat, a, b, v.Round)
		})
		for _, p := range claims[:min(len(claims), mostLeading)] {
			named = append(named, p.ID+" "+plain.Clip(plain.Line(p.Text), longestLeading))
		}
		if more := len(claims) - mostLeading; more > 0 {
			named = append(named, fmt.Sprintf("%d more of the %s", more, seat))
		}
	}
	return named
}

// GatingOf is what the gate of a selective hearing finds after round 1.
func GatingOf(s *state.State) state.Gating {
	h := s.HearingSettings()
	g := state.Gating{Gate: h.Gate, Flags: []string{}}
	v, ok := VerdictAfter(s, 1)
	if !ok {
		return g
	}
	flags := FlagsOf(s, &v)
	g.Confidence, g.Risk = v.Confidence, hearing.Risk(flags)
	for _, f := range flags {
		g.Flags = append(g.Flags, string(f))
	}
	g.Opens = hearing.GateOpens(h.Gate, v.Confidence, flags)
	return g
}

// FlagsOf are the reasons to doubt that a verdict is as sure as it looks, whether or
// not there is a gate.
func FlagsOf(s *state.State, v *HearingVerdict) []hearing.MiscalibrationFlag {
	return hearing.Miscalibrated(hearing.Measured{
		Verdict: v.Confidence, A: v.Architect.Confidence, S: v.Skeptic.Confidence, WinnerFacts: len(v.Supporting),
		Conflict:    hearing.Conflicts(s.Hearing.Packet, s.HearingSettings().Domain.Opposites),
		SourceTypes: hearing.SourceTypes(s.Hearing.Packet),
	})
}

// HearingRound is what a round of a hearing came to.
type HearingRound struct {
	Round int
	// Architect and Skeptic are what the sides concluded in it; nil of one that said
	// nothing: what it said before stands.
	Architect, Skeptic *state.Argument
	// Cited is how many distinct facts both sides had cited by its end, New those that
	// were cited for the first time.
	Cited int
	New   []string
	// Claims, Challenges, Answers and Conceded count what came in it.
	Claims, Challenges, Answers, Conceded int
	// Judged says that there is a verdict: nil else.
	Verdict *HearingVerdict
}

// HearingRounds are the rounds of a hearing with the verdict after each.
func HearingRounds(s *state.State) []HearingRound {
	rounds := make([]HearingRound, 0, s.Round)
	var before []string
	for n := 1; n <= s.Round; n++ {
		r := HearingRound{
			Round: n, Architect: inRound(s, state.Architect, n), Skeptic: inRound(s, state.Skeptic, n),
			New: []string{},
		}
		cited := hearing.Distinct(append(FactsOf(s, state.Architect, n), FactsOf(s, state.Skeptic, n)...))
		for _, fact := range cited {
			if !slices.Contains(before, fact) {
				r.New = append(r.New, fact)
			}
		}
		r.Cited, before = len(cited), cited
		r.count(s)
		if v, ok := VerdictAfter(s, n); ok {
			r.Verdict = &v
		}
		rounds = append(rounds, r)
	}
	return rounds
}

func (r *HearingRound) count(s *state.State) {
	for _, p := range s.Points.All() {
		if p.ID != QuestionPoint && p.Round == r.Round {
			r.Claims++
		}
		if at, conceded := p.Conceded(); conceded && at == r.Round {
			r.Conceded++
		}
	}
	for _, c := range s.Challenges.All() {
		if c.Round == r.Round {
			r.Challenges++
		}
		for i := range c.Defenses {
			if c.Defenses[i].Round == r.Round {
				r.Answers++
			}
		}
	}
}

// inRound is what a side concluded in a round, or nil.
func inRound(s *state.State, seat state.Seat, round int) *state.Argument {
	if a := s.Hearing.Argument(seat, round); a != nil && a.Round == round {
		return a
	}
	return nil
}
