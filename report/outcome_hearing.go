package report

import (
	"time"

	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

func hearingForm() form {
	return form{
		outcome:  func(s *state.State) Outcome { return heard(s) },
		first:    firstOfHearing,
		warnings: hearingWarnings,
		arrange:  arrangeHearing,
	}
}

// Heard is the outcome of the format hearing: what the judge says, of which claims and
// facts, after each round. The facts themselves are in the events; state.points,
// challenges and defenses cite them by their ids.
type Heard struct {
	Kind state.Format `json:"kind"`
	// Verdict is what the judge says of the last round, with the domain's prefix, as in
	// THREAT_CONFIRMED; "" before both sides have argued. Result is that without the
	// prefix. What the user ruled instead stands in the rulings.
	Verdict string        `json:"verdict"`
	Result  state.Outcome `json:"result"`
	// Confidence is the verdict's, 0 to 1; 0 where there is none.
	Confidence float64 `json:"confidence"`
	// Rule is the row of the judge that decided, as in v2.3, or else; Reason is what it
	// compared, in a sentence, Supporting the facts that it read.
	Rule       string   `json:"rule"`
	Reason     string   `json:"reason"`
	Supporting []string `json:"supporting"`
	// Judge is the version that decides, Form how the turns go, Course the form by which
	// they went in the end: of a selective hearing the one that its gate led to.
	Judge  state.JudgeVersion `json:"judge"`
	Form   state.Form         `json:"form"`
	Course state.Form         `json:"course"`
	Round  int                `json:"round"`
	// Domain is the name of the domain.
	Domain string       `json:"domain"`
	Packet PacketSealed `json:"packet"`
	Sides  []HeardSide  `json:"sides"`
	Claims []HeardClaim `json:"claims"`
	// Trace is the verdict after each round that both sides had argued by.
	Trace []HeardRound `json:"trace"`
	// Changes are those of confidences in claims, as they were admitted.
	Changes    []ConfidenceChange      `json:"changes"`
	Violations []state.SchemaViolation `json:"violations"`
	Ignored    []state.IgnoredRebuttal `json:"ignored"`
	// Gate is what sent a selective hearing on, or did not.
	Gate Gate `json:"gate"`
	// Flags are reasons to doubt that the verdict is as sure as it looks, Risk the share
	// of them, 0 to 1; they are looked for whether or not there is a gate.
	Flags []hearing.MiscalibrationFlag `json:"flags"`
	Risk  float64                      `json:"risk"`
	// Versions are what each version of the judge would say of the last round.
	Versions []VersionVerdict `json:"versions"`
}

// PacketSealed names the packet that was argued from.
type PacketSealed struct {
	ID string `json:"packet_id"`
	// From and To are its window, both included, in UTC as RFC 3339.
	From  string `json:"from"`
	To    string `json:"to"`
	Facts int    `json:"facts"`
	// Digest is that over its whole content, as in sha256:0f….
	Digest string `json:"digest"`
}

// HeardSide is what a side said in the end.
type HeardSide struct {
	Seat state.Seat `json:"seat"`
	// Argued says that it argued; else Confidence is 0.
	Argued     bool    `json:"argued"`
	Confidence float64 `json:"confidence"`
	// WouldChange names what would change its mind, or "".
	WouldChange string   `json:"would_change"`
	Facts       []string `json:"facts"`
	// Violations counts its moves that were dropped, since they cited what is not in
	// the packet; Drifts its numbers that fell without a fact, and were kept.
	Violations int `json:"violations"`
	Drifts     int `json:"drifts"`
}

// HeardClaim is a claim of a side, with how it ended in an audit.
type HeardClaim struct {
	Point string     `json:"point"`
	By    state.Seat `json:"by"`
	Facts []string   `json:"facts"`
	// Confidence is the side's last that counts, 0 to 1.
	Confidence float64 `json:"confidence"`
	// Support is how it ended in an audit and Why says so in a clause; both are "" in other forms.
	Support state.Support `json:"support"`
	Why     string        `json:"why"`
	Bucket  state.Bucket  `json:"bucket"`
}

// HeardRound is what a round came to.
type HeardRound struct {
	Round      int           `json:"round"`
	Verdict    string        `json:"verdict"`
	Result     state.Outcome `json:"result"`
	Rule       string        `json:"rule"`
	Confidence float64       `json:"confidence"`
	// Architect and Skeptic are the confidences of both sides as they stood then.
	Architect float64 `json:"architect"`
	Skeptic   float64 `json:"skeptic"`
	// Cited counts the distinct facts of both sides, New are those that were not cited
	// before.
	Cited int      `json:"cited"`
	New   []string `json:"new"`
	// Claims, Challenges, Answers and Conceded count what came in the round.
	Claims     int `json:"claims"`
	Challenges int `json:"challenges"`
	Answers    int `json:"answers"`
	Conceded   int `json:"conceded"`
}

// ConfidenceChange is a change of a confidence with how far it moved.
type ConfidenceChange struct {
	state.ConfidenceChange
	Delta float64 `json:"delta"`
}

// Gate is what the gate of a selective hearing found after round 1. Without a gate all
// is "", 0 and [].
type Gate struct {
	Gate state.Gate `json:"gate"`
	Then state.Form `json:"then"`
	// Spoken says that it did: before, the rest is 0.
	Spoken     bool     `json:"spoken"`
	Opens      bool     `json:"opens"`
	Confidence float64  `json:"confidence"`
	Flags      []string `json:"flags"`
	Risk       float64  `json:"risk"`
}

// VersionVerdict is what one version of the judge says.
type VersionVerdict struct {
	Judge      state.JudgeVersion `json:"judge"`
	Result     state.Outcome      `json:"result"`
	Rule       string             `json:"rule"`
	Confidence float64            `json:"confidence"`
}

func heard(s *state.State) Heard {
	settings := s.HearingSettings()
	h := Heard{
		Kind: state.FormatHearing, Supporting: []string{}, Judge: settings.Judge, Form: settings.Form,
		Course: s.Course(), Round: s.Round,
		Domain: settings.Domain.Name, Packet: sealed(s),
		Sides: heardSides(s), Claims: heardClaims(s), Trace: []HeardRound{}, Changes: []ConfidenceChange{},
		Violations: []state.SchemaViolation{}, Ignored: some(s.Hearing.Ignored), Gate: gateOf(s),
		Flags: []hearing.MiscalibrationFlag{}, Versions: []VersionVerdict{},
	}
	if v, judged := resolver.VerdictOf(s); judged {
		h.Verdict, h.Result, h.Confidence = settings.Domain.Shown(v.Outcome), v.Outcome, v.Confidence
		h.Rule, h.Reason, h.Supporting = v.Rule, v.Sentence, some(v.Supporting)
		h.Flags = some(resolver.FlagsOf(s, &v))
		h.Risk = hearing.Risk(h.Flags)
	}
	for _, r := range resolver.HearingRounds(s) {
		if r.Verdict != nil {
			h.Trace = append(h.Trace, heardRound(&settings.Domain, &r))
		}
	}
	for i := range s.Hearing.Changes {
		c := &s.Hearing.Changes[i]
		h.Changes = append(h.Changes, ConfidenceChange{*c, c.Delta()})
	}
	for _, v := range s.Hearing.Violations {
		v.Facts = some(v.Facts)
		h.Violations = append(h.Violations, v)
	}
	for _, version := range state.JudgeVersions() {
		if v, judged := resolver.VerdictBy(s, version, s.Round); judged {
			h.Versions = append(h.Versions, VersionVerdict{
				Judge: version, Result: v.Outcome, Rule: v.Rule,
				Confidence: v.Confidence,
			})
		}
	}
	return h
}

func sealed(s *state.State) PacketSealed {
	if s.Hearing.Packet == nil {
		return PacketSealed{}
	}
	seal := s.Hearing.Packet.Seal()
	return PacketSealed{
		ID: seal.ID, From: seal.From.UTC().Format(time.RFC3339Nano), To: seal.To.UTC().Format(time.RFC3339Nano),
		Facts: seal.Facts, Digest: seal.Digest,
	}
}

func heardSides(s *state.State) []HeardSide {
	var sides []HeardSide
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		side := HeardSide{Seat: seat, Facts: some(resolver.FactsOf(s, seat, s.Round))}
		if last := s.Hearing.Argument(seat, s.Round); last != nil {
			side.Argued, side.Confidence, side.WouldChange = true, last.Confidence, last.WouldChange
		}
		for _, v := range s.Hearing.Violations {
			if v.Seat == seat {
				side.Violations++
			}
		}
		for _, d := range s.Drifts.All() {
			if d.Seat == seat {
				side.Drifts++
			}
		}
		sides = append(sides, side)
	}
	return sides
}

func heardClaims(s *state.State) []HeardClaim {
	rulings := map[string]state.Bucket{}
	for _, r := range resolver.Rule(*s) {
		rulings[r.Point] = r.Bucket
	}
	claims := []HeardClaim{}
	for _, p := range s.Points.All() {
		if p.ID == resolver.QuestionPoint || p.MergedInto != "" {
			continue
		}
		audited, _ := resolver.AuditOf(s, p)
		claim := HeardClaim{
			Point: p.ID, By: p.Authors[0], Facts: some(p.Facts), Support: audited.Support, Why: audited.Why,
			Bucket: rulings[p.ID],
		}
		if score := p.Score(p.Authors[0]); score != nil {
			claim.Confidence = score.Admitted
		}
		claims = append(claims, claim)
	}
	return claims
}

func heardRound(d *state.Domain, r *resolver.HearingRound) HeardRound {
	v := r.Verdict
	return HeardRound{
		Round: r.Round, Verdict: d.Shown(v.Outcome), Result: v.Outcome, Rule: v.Rule, Confidence: v.Confidence,
		Architect: v.Architect.Confidence, Skeptic: v.Skeptic.Confidence, Cited: r.Cited, New: some(r.New),
		Claims: r.Claims, Challenges: r.Challenges, Answers: r.Answers, Conceded: r.Conceded,
	}
}

func gateOf(s *state.State) Gate {
	settings := s.HearingSettings()
	g := Gate{Gate: settings.Gate, Then: settings.Then, Flags: []string{}}
	if found := s.Hearing.Gated; found != nil {
		g.Spoken, g.Opens, g.Confidence, g.Flags, g.Risk = true, found.Opens, found.Confidence, some(found.Flags),
			found.Risk
	}
	return g
}

// firstOfHearing tells in which bucket a point was after round 1: no claim was ruled on yet.
func firstOfHearing(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if p.ID != resolver.QuestionPoint {
			return state.BucketNotEvaluated
		}
		v, judged := resolver.VerdictAfter(s, 1)
		switch {
		case !judged:
			return state.BucketNotEvaluated
		case v.Outcome == state.Confirmed:
			return state.BucketAgreed
		case v.Outcome == state.Dismissed:
			return state.BucketDismissed
		}
		return state.BucketUnresolved
	}
}
