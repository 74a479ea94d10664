package resolver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver/detect"
	"moot/resolver/hearing"
	"moot/state"
)

// HearingJudge judges hearings on one packet after the other. What the rules of the
// domain find in a packet is looked for once, and that is by far the most of the work:
// who asks for several verdicts on one session keeps its judge. It is for one
// goroutine.
type HearingJudge struct {
	settings *state.HearingSettings
	packet   *ledger.Packet
	found    *detect.Case
	err      error
}

// NewHearingJudge returns a judge that has not looked at anything yet.
func NewHearingJudge() *HearingJudge { return &HearingJudge{} }

// HearingVerdict is the judge's word after a round, with what it read.
type HearingVerdict struct {
	hearing.Verdict
	Version state.JudgeVersion
	Round   int
	// Architect and Skeptic are what the sides said by then.
	Architect, Skeptic hearing.Side
	// Weighed is what JudgeClaims made of the claims; nil of the other versions.
	Weighed *hearing.ClaimsVerdict
	// Sentence is the verdict with its rule and what that compared, without an end:
	// "THREAT_CONFIRMED by v2.1: architect 0.9 > 0.85".
	Sentence string
}

// Verdict is what the judge says of the last round; ok is false before both sides have
// argued.
func (j *HearingJudge) Verdict(s *state.State) (v HearingVerdict, ok bool) {
	return j.VerdictAfter(s, s.Round)
}

// VerdictAfter is what the judge of the session says after a round, by what was known
// then; ok is false before both sides have argued.
func (j *HearingJudge) VerdictAfter(s *state.State, round int) (v HearingVerdict, ok bool) {
	return j.VerdictBy(s, s.HearingSettings().Judge, round)
}

// VerdictBy is VerdictAfter by another version of the judge.
func (j *HearingJudge) VerdictBy(s *state.State, version state.JudgeVersion, round int) (v HearingVerdict, ok bool) {
	v, err := j.verdict(s, version, round)
	return v, err == nil
}

// verdict is VerdictBy; the error says why there is none, in a clause.
func (j *HearingJudge) verdict(s *state.State, version state.JudgeVersion, round int) (HearingVerdict, error) {
	v := HearingVerdict{Version: version, Round: round}
	for _, side := range []struct {
		seat state.Seat
		side *hearing.Side
	}{{state.Architect, &v.Architect}, {state.Skeptic, &v.Skeptic}} {
		var argued bool
		if *side.side, argued = SideOf(s, side.seat, round); !argued {
			return v, fmt.Errorf("the %s did not argue", side.seat)
		}
	}
	if version == state.JudgeClaims {
		weighed, err := j.weigh(s, round)
		if err != nil {
			return v, err
		}
		v.Verdict, v.Weighed = weighed.Verdict, &weighed
	} else {
		verdict, err := hearing.Judge(version, v.Architect, v.Skeptic)
		if err != nil {
			return v, fmt.Errorf("judge the confidences: %w", err)
		}
		v.Verdict = verdict
	}
	v.Sentence = v.says(&s.HearingSettings().Domain)
	return v, nil
}

// says is the verdict in a sentence: the rule, and what it compared.
func (v *HearingVerdict) says(d *state.Domain) string {
	shown := d.Shown(v.Outcome)
	by := shown + " by " + v.Rule
	if v.Rule == hearing.Else {
		by = shown
	}
	if v.Weighed != nil {
		return by + ": " + strings.TrimRight(strings.TrimPrefix(v.Weighed.Sentence, shown+": "), ".")
	}
	for _, row := range hearing.Rows(v.Version, v.Architect, v.Skeptic) {
		if row.Holds {
			return by + ": " + row.Numbers()
		}
	}
	return fmt.Sprintf("%s: no row of %s holds of architect %s and skeptic %s", shown, v.Version,
		hearing.Figure(v.Architect.Confidence), hearing.Figure(v.Skeptic.Confidence))
}

// Standing is how each claim stands on its facts after a round, in the order of the
// claims: of those that its side still made then, and that the user had not dismissed.
// It is empty where the domain has no rules, or they cannot be read.
func (j *HearingJudge) Standing(s *state.State, round int) []hearing.Ruled {
	claims, err := j.claims(s, round)
	if err != nil {
		return nil
	}
	return claims
}

// claims is Standing; the error says why nothing was judged, in a clause.
func (j *HearingJudge) claims(s *state.State, round int) ([]hearing.Ruled, error) {
	if len(s.HearingSettings().Domain.Rules) == 0 {
		// Nothing would bear out any claim, and that would say nothing of it.
		return nil, errors.New("the domain has no rules that read facts")
	}
	weighed, err := j.weigh(s, round)
	return weighed.Claims, err
}

// standing is how the claims stand now, by their ids; why says in a clause why that is
// not known, "" where it is.
func (j *HearingJudge) standing(s *state.State) (stands map[string]*hearing.Ruled, why string) {
	claims, err := j.claims(s, s.Round)
	if err != nil {
		return nil, err.Error()
	}
	stands = make(map[string]*hearing.Ruled, len(claims))
	for i := range claims {
		stands[claims[i].ID] = &claims[i]
	}
	return stands, ""
}

// weigh has the claims judged by what they cite.
func (j *HearingJudge) weigh(s *state.State, round int) (hearing.ClaimsVerdict, error) {
	if err := j.look(s); err != nil {
		return hearing.ClaimsVerdict{}, err
	}
	weighed, err := hearing.JudgeFound(j.found, ClaimsMade(s, round))
	if err != nil {
		return hearing.ClaimsVerdict{}, fmt.Errorf("judge the claims: %w", err)
	}
	return weighed, nil
}

// look finds in the packet what the rules of the domain speak of.
func (j *HearingJudge) look(s *state.State) error {
	settings, packet := s.HearingSettings(), s.Hearing.Packet
	if j.settings == settings && j.packet == packet && packet != nil {
		return j.err
	}
	j.settings, j.packet, j.found, j.err = settings, packet, nil, nil
	if packet == nil {
		j.err = errors.New("no packet was frozen")
		return j.err
	}
	detector, err := detect.Of(&settings.Domain)
	if err != nil {
		j.err = fmt.Errorf("make the rules ready: %w", err)
		return j.err
	}
	j.found = detector.Find(packet)
	return nil
}

// Found is what the rules of the domain find in the packet of a session; nil where
// they cannot be read, or before a packet is frozen.
func (j *HearingJudge) Found(s *state.State) *detect.Case {
	if j.look(s) != nil {
		return nil
	}
	return j.found
}

// VerdictAfter is HearingJudge.VerdictAfter for who asks once.
func VerdictAfter(s *state.State, round int) (v HearingVerdict, ok bool) {
	return NewHearingJudge().VerdictAfter(s, round)
}

// VerdictOf is what the judge says of the last round.
func VerdictOf(s *state.State) (HearingVerdict, bool) { return VerdictAfter(s, s.Round) }

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

// Rounds are the rounds of a hearing with the verdict after each.
func (j *HearingJudge) Rounds(s *state.State) []HearingRound {
	rounds := make([]HearingRound, 0, s.Round)
	var before []string
	for n := 1; n <= s.Round; n++ {
		r := HearingRound{Round: n, Architect: inRound(s, state.Architect, n), Skeptic: inRound(s, state.Skeptic, n), New: []string{}}
		cited := hearing.Distinct(append(FactsOf(s, state.Architect, n), FactsOf(s, state.Skeptic, n)...))
		for _, fact := range cited {
			if !slices.Contains(before, fact) {
				r.New = append(r.New, fact)
			}
		}
		r.Cited, before = len(cited), cited
		r.count(s)
		if v, ok := j.VerdictAfter(s, n); ok {
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
