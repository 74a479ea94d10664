package hearing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/domain"
	"moot/internal/plain"
	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
)

// hearings rules on the question of a hearing and on the claims of its sides: the
// user first (AC1), then whether a side withdrew a claim (AC6), then the judge or the
// audit.
type rules struct{ resolver.Base }

// QuestionPoint is the point that is the question of a hearing.
const QuestionPoint = "P1"

func (f rules) Rule(s *state.State) []state.Ruling { return resolver.RuleEach(s, f.RuleOne) }

func (rules) RuleOne(s *state.State, p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return resolver.MergedAway(p)
	}
	table := resolver.Acceptance().Only("AC1", "AC6")
	if p.ID == QuestionPoint {
		table = append(table, questionRules()...)
	} else {
		table = append(table, claimRules()...)
	}
	ruling, _ := table.Rule(resolver.NewBasis(s, p, false))
	return ruling
}

// LastRound is the last round of the form that the hearing follows now.
func (rules) LastRound(s *state.State) int {
	switch Course(s) {
	case FormMulti, FormAnchored:
		return SettingsOf(s).Rounds
	case FormAudit:
		return 2
	case FormSingle, FormSelective:
	}
	return 1
}

func (rules) Evaluators(_ *state.State, p *state.Point) []state.Seat {
	if p.ID == QuestionPoint {
		return []state.Seat{judge.Architect, judge.Skeptic}
	}
	return []state.Seat{Opponent(p.Authors[0])}
}

// Inconclusive: neither the judge nor the user ruled on the question.
func (rules) Inconclusive(_ *state.State, rulings []state.Ruling) bool { return Undecided(rulings) }

// questionRules rule on the question: the verdict of the judge. The row of the judge's
// version that holds is the rule.
func questionRules() resolver.Rules {
	verdictOf := func(b *resolver.Basis) (Verdict, error) {
		return verdict(b.State, SettingsOf(b.State).Judge, b.State.Round)
	}
	return resolver.Rules{
		{
			Rule: "AC19", Bucket: state.BucketOpen, Sentence: "under deliberation%s",
			When: func(b *resolver.Basis) *resolver.Match {
				if b.State.Over() {
					return nil
				}
				if v, err := verdictOf(b); err == nil {
					return resolver.Read().Saying("; so far " + v.Sentence)
				}
				return resolver.Read().Saying("")
			},
		},
		{
			Rule: "AC18", Bucket: state.BucketUnresolved, Status: state.StatusOpen, Sentence: "there is no verdict: %s",
			Crux: "an argument of each side, with a confidence",
			When: func(b *resolver.Basis) *resolver.Match {
				if _, err := verdictOf(b); err != nil {
					return resolver.Read().Saying(err)
				}
				return nil
			},
		},
		{
			Sentence: "%s", Crux: "%s",
			When: func(b *resolver.Basis) *resolver.Match {
				v, err := verdictOf(b)
				if err != nil {
					return nil
				}
				m := resolver.Read(v.Supporting...).Saying(v.Sentence)
				m.Rule = v.Rule
				switch v.Outcome {
				case judge.Confirmed:
					m.Bucket, m.Tag = state.BucketAgreed, state.TagFacts
				case judge.Dismissed:
					m.Bucket, m.Tag = state.BucketDismissed, state.TagRejected
				case judge.Inconclusive:
					m.Bucket, m.Status = state.BucketUnresolved, state.StatusOpen
					m.ResolvedBy("facts that bring one side ahead of the other")
				}
				return m
			},
		},
	}
}

// claimRules rule on a claim of a side: the form audit rules on each, the others on
// none.
func claimRules() resolver.Rules {
	audits := func(support string) func(b *resolver.Basis) *resolver.Match {
		return func(b *resolver.Basis) *resolver.Match {
			if audited, ok := auditOf(b.State, b.Point); ok && audited.support == support {
				return resolver.Read(b.Point.Facts...).Saying(audited.support, audited.why)
			}
			return nil
		}
	}
	return resolver.Rules{
		{
			Rule: "AC19", Bucket: state.BucketOpen, Sentence: "under deliberation",
			When: func(b *resolver.Basis) *resolver.Match {
				if b.State.Over() {
					return nil
				}
				return resolver.Read()
			},
		},
		{
			Rule: "HR1",
			Says: "A claim of an audit is SUPPORTED if the other side accepts it, or withdraws everything " +
				"that it cited against it.",
			Bucket: state.BucketAgreed, Tag: state.TagFacts, Sentence: "%s: %s", When: audits(supported),
		},
		{
			Rule: "HR2",
			Says: "A claim of an audit is CONTESTED if the other side maintains a contradiction that was " +
				"answered, calls the claim true but not bearing, or stays silent.",
			Bucket: state.BucketUnresolved, Status: state.StatusOpen, Sentence: "%s: %s",
			Crux: "what both sides accept about these facts", When: audits(disputed),
		},
		{
			Rule: "HR3",
			Says: "A claim of an audit is UNSUPPORTED if its side withdraws it, or leaves a contradiction " +
				"unanswered.",
			Bucket: state.BucketDismissed, Tag: state.TagRejected, Sentence: "%s: %s",
			When: audits(unsupported),
		},
		{
			Rule: "AC18", Bucket: state.BucketUnresolved, Status: state.StatusOpen,
			Sentence: "the form %s rules on the question alone", Crux: "the form audit, which rules on each claim",
			When: func(b *resolver.Basis) *resolver.Match {
				return resolver.Read(b.Point.Facts...).Saying(Course(b.State))
			},
		},
	}
}

// The rulings on claims of an audit.
const (
	supported   = "SUPPORTED"
	disputed    = "CONTESTED"
	unsupported = "UNSUPPORTED"
)

// auditResult is how a claim of an audit ends, and why, in a clause.
type auditResult struct {
	support string
	why     string
}

// auditOf rules on a claim of an audit; ok is false in other forms, and before the claims were
// put to the other side. What the seats argued decides: no word is counted and no fact weighed.
//
// A claim without facts says that nothing was found, and rests on the whole packet; admission
// refuses every other claim without facts.
func auditOf(s *state.State, p *state.Point) (audited auditResult, ok bool) {
	other := Opponent(p.Authors[0])
	if Course(s) != FormAudit || s.Round < 2 || p.ID == QuestionPoint || other == "" {
		return audited, false
	}
	if u := p.UserRuling; u != nil {
		switch u.Bucket { //nolint:exhaustive // the user can rule on no other bucket
		case state.BucketAgreed:
			return auditResult{supported, "the user agreed with it"}, true
		case state.BucketDismissed:
			return auditResult{unsupported, "the user dismissed it"}, true
		}
		return auditResult{disputed, "the user left it unresolved"}, true
	}
	if _, conceded := p.Conceded(); conceded {
		return auditResult{unsupported, "its side withdrew it"}, true
	}
	var withdrawn, maintained []string
	for _, c := range Contradictions(s, p) {
		answer := c.Last()
		switch {
		case answer == nil:
			return auditResult{
				unsupported,
				fmt.Sprintf("%s contradicts it by %s, and nobody answered", c.ID, strings.Join(c.Facts, ", ")),
			}, true
		case answer.Judgment == state.Accepted:
			withdrawn = append(withdrawn, c.ID)
		default:
			maintained = append(maintained, c.ID)
		}
	}
	switch class := lastClass(p, other); {
	case len(maintained) > 0:
		return auditResult{disputed, fmt.Sprintf("the %s maintains %s", other,
			strings.Join(maintained, ", "))}, true
	case len(withdrawn) > 0:
		return auditResult{supported, fmt.Sprintf("the %s withdrew %s", other, strings.Join(withdrawn, ", "))},
			true
	case class == nil:
		return auditResult{disputed, fmt.Sprintf("the %s said nothing about it, also when asked again",
			other)}, true
	case class.Class == state.Agree:
		return auditResult{supported, fmt.Sprintf("the %s accepted it", other)}, true
	default:
		return auditResult{disputed, fmt.Sprintf("the %s calls it true but not bearing on the question: %s",
			other,
			class.Reason)}, true
	}
}

// lastClass is the last verdict of a seat on a claim, or nil.
func lastClass(p *state.Point, seat state.Seat) *state.Classification {
	for i := len(p.Classes) - 1; i >= 0; i-- {
		if p.Classes[i].Seat == seat {
			return &p.Classes[i]
		}
	}
	return nil
}

// Unaudited are the claims of the other side to which a seat has said nothing yet: it neither
// accepted them, nor called them not bearing, nor contradicted them.
func Unaudited(s *state.State, seat state.Seat) []*state.Point {
	return slices.DeleteFunc(ClaimsOf(s, Opponent(seat), s.Round), func(p *state.Point) bool {
		contradicted := slices.ContainsFunc(p.Challenges, func(id string) bool { return s.Challenge(id).By == seat })
		return contradicted || lastClass(p, seat) != nil || !contestedBy(s, seat, p)
	})
}

// Unreviewed are the contradictions of a seat that were answered, and that it neither withdrew nor
// maintained yet.
func Unreviewed(s *state.State, seat state.Seat) []*state.Challenge {
	var due []*state.Challenge
	for _, c := range s.Challenges.All() {
		answer := c.Last()
		if c.By == seat && answer != nil && answer.Judgment == state.Unjudged && contested(s.Point(c.Point)) {
			due = append(due, c)
		}
	}
	return due
}

// auditedSide limits the confidence of a side of an audit to the highest admitted
// confidence of its supported claims, or 0 if it has none. Why names the limit.
func auditedSide(s *state.State, seat state.Seat, side judge.Side) (bounded judge.Side, why string) {
	highest, best := 0.0, ""
	for _, p := range ClaimsOf(s, seat, s.Round) {
		audited, ok := auditOf(s, p)
		if score := p.Score(seat); ok && audited.support == supported && score != nil &&
			(best == "" || score.Admitted > highest) {
			highest, best = score.Admitted, p.ID
		}
	}
	switch {
	case best == "":
		why = fmt.Sprintf("the %s has no supported claim", seat)
	case highest < side.Confidence:
		why = fmt.Sprintf("the %s's %s counts as that of %s", seat, judge.Figure(side.Confidence), best)
	}
	side.Confidence = min(side.Confidence, highest)
	return side, why
}

// Verdict is the judge's word after a round, with what it read.
type Verdict struct {
	judge.Verdict
	Version judge.Version
	Round   int
	// Architect and Skeptic are the sides at that time.
	Architect, Skeptic judge.Side
	// Sentence is the verdict with its rule and what that compared, without an end:
	// "THREAT_CONFIRMED by v2.1: architect 0.9 > 0.85".
	Sentence string
}

// VerdictOf is the verdict after the last round; ok is false before both sides have
// argued.
func VerdictOf(s *state.State) (v Verdict, ok bool) {
	return VerdictBy(s, SettingsOf(s).Judge, s.Round)
}

// VerdictBy is the verdict of a version of the judge after a round, based on the facts known at
// that time.
func VerdictBy(s *state.State, version judge.Version, round int) (v Verdict, ok bool) {
	v, err := verdict(s, version, round)
	return v, err == nil
}

// verdict is VerdictBy; the error explains in a clause why the verdict is missing.
func verdict(s *state.State, version judge.Version, round int) (Verdict, error) {
	v := Verdict{Version: version, Round: round}
	var bounds []string
	for _, side := range []struct {
		seat state.Seat
		side *judge.Side
	}{{judge.Architect, &v.Architect}, {judge.Skeptic, &v.Skeptic}} {
		argued, ok := sideOf(s, side.seat, round)
		if !ok {
			return v, fmt.Errorf("the %s did not argue", side.seat)
		}
		if Course(s) == FormAudit && round >= 2 {
			var why string
			if argued, why = auditedSide(s, side.seat, argued); why != "" {
				bounds = append(bounds, why)
			}
		}
		*side.side = argued
	}
	judged, err := judge.Judge(version, v.Architect, v.Skeptic)
	if err != nil {
		return v, fmt.Errorf("judge the confidences: %w", err)
	}
	v.Verdict = judged
	v.Sentence = v.says(&SettingsOf(s).Domain)
	if len(bounds) > 0 {
		v.Sentence += " (" + strings.Join(bounds, "; ") + ")"
	}
	for _, claim := range leading(s, &v) {
		v.Sentence += "; " + claim
	}
	return v, nil
}

// says is the verdict with its rule, and what that compared.
func (v *Verdict) says(d *domain.Domain) string {
	shown := d.Shown(v.Outcome)
	for _, row := range judge.Rows(v.Version, v.Architect, v.Skeptic) {
		if row.Holds {
			return shown + " by " + v.Rule + ": " + row.Numbers()
		}
	}
	return fmt.Sprintf("%s: no row of %s holds for architect %s and skeptic %s", shown, v.Version,
		judge.Figure(v.Architect.Confidence), judge.Figure(v.Skeptic.Confidence))
}

// mostLeading is how many claims a verdict names, longestLeading bounds each, in characters.
const (
	mostLeading    = 3
	longestLeading = 400
)

// leading names the claims behind a verdict for seats that built-in rules fill: these
// claims name the rules and quote the facts. They are the claims of the winner, or of
// both sides, with the highest confidences.
func leading(s *state.State, v *Verdict) []string {
	var seats []state.Seat
	switch v.Outcome {
	case judge.Confirmed:
		seats = []state.Seat{judge.Architect}
	case judge.Dismissed:
		seats = []state.Seat{judge.Skeptic}
	case judge.Inconclusive:
		seats = []state.Seat{judge.Architect, judge.Skeptic}
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

// GatingOf is the result of the gate of a selective hearing after round 1.
func GatingOf(s *state.State) Gating {
	h := SettingsOf(s)
	g := Gating{Gate: h.Gate, Flags: []string{}}
	v, ok := VerdictBy(s, h.Judge, 1)
	if !ok {
		return g
	}
	flags := FlagsOf(s, &v)
	g.Confidence, g.Risk = v.Confidence, judge.Risk(flags)
	for _, f := range flags {
		g.Flags = append(g.Flags, string(f))
	}
	g.Opens = judge.GateOpens(h.Gate, v.Confidence, flags)
	return g
}

// FlagsOf are the reasons to doubt that a verdict is as sure as it looks, whether or
// not there is a gate.
func FlagsOf(s *state.State, v *Verdict) []judge.MiscalibrationFlag {
	return judge.Miscalibrated(judge.Measured{
		Verdict: v.Confidence, A: v.Architect.Confidence, S: v.Skeptic.Confidence, WinnerFacts: len(v.Supporting),
		Conflict:    judge.Conflicts(&s.Packet, SettingsOf(s).Domain.Opposites),
		SourceTypes: judge.SourceTypes(&s.Packet),
	})
}

// Round is the verdict after a round.
type Round struct {
	Round      int           `json:"round"`
	Result     judge.Outcome `json:"result"`
	Rule       string        `json:"rule"`
	Confidence float64       `json:"confidence"`
	// Architect and Skeptic are the confidences of both sides at that time.
	Architect float64 `json:"architect"`
	Skeptic   float64 `json:"skeptic"`
	// New lists the facts that were cited for the first time.
	New []string `json:"new"`
}

// Rounds returns the rounds in which both sides had argued, with the verdict after each.
func Rounds(s *state.State) []Round {
	var rounds []Round
	var before []string
	for n := 1; n <= s.Round; n++ {
		cited := judge.Distinct(append(FactsOf(s, judge.Architect, n), FactsOf(s, judge.Skeptic, n)...))
		added := slices.DeleteFunc(slices.Clone(cited), func(fact string) bool { return slices.Contains(before, fact) })
		before = cited
		if v, ok := VerdictBy(s, SettingsOf(s).Judge, n); ok {
			rounds = append(rounds, Round{
				Round: n, Result: v.Outcome, Rule: v.Rule, Confidence: v.Confidence,
				Architect: v.Architect.Confidence, Skeptic: v.Skeptic.Confidence, New: added,
			})
		}
	}
	return rounds
}

// ClaimsOf are the claims of a side that it raised up to a round, had not given up
// then, and that the user had not dismissed, in order.
func ClaimsOf(s *state.State, seat state.Seat, round int) []*state.Point {
	var claims []*state.Point
	for _, p := range s.Points.All() {
		if p.IsAuthor(seat) && made(s, p, round) {
			claims = append(claims, p)
		}
	}
	return claims
}

// made reports whether a point is a claim that was made after a round.
func made(s *state.State, p *state.Point, round int) bool {
	at, conceded := p.Conceded()
	return p.ID != QuestionPoint && p.MergedInto == "" && p.Round <= round && (!conceded || at > round) &&
		!dismissedBy(s, p, round)
}

// dismissedBy reports whether the user had dismissed a claim by the end of a round.
func dismissedBy(s *state.State, p *state.Point, round int) bool {
	u := p.UserRuling
	if u == nil || u.Bucket != state.BucketDismissed {
		return false
	}
	return round >= s.Round || u.Seq <= lastArgued(s, round)
}

// lastArgued is the sequence number of the last conclusion up to a round, or 0.
func lastArgued(s *state.State, round int) int {
	last := 0
	for i := range Of(s).Arguments {
		if a := &Of(s).Arguments[i]; a.Round <= round {
			last = max(last, a.Seq)
		}
	}
	return last
}

// FactsOf are the distinct facts that a side cites up to a round: in claims that it
// still makes, against claims of the other, and in its answers; in the order in which
// it first cited them.
func FactsOf(s *state.State, seat state.Seat, round int) []string {
	var cited []string
	for _, p := range ClaimsOf(s, seat, round) {
		cited = append(cited, p.Facts...)
	}
	for _, c := range s.Challenges.All() {
		if c.By == seat && c.Round <= round {
			cited = append(cited, c.Facts...)
		}
		for i := range c.Defenses {
			if d := &c.Defenses[i]; d.By == seat && d.Round <= round {
				cited = append(cited, d.Facts...)
			}
		}
	}
	return judge.Distinct(cited)
}

// sideOf is the input of the judge for a side after a round; ok is false before the
// side has argued.
func sideOf(s *state.State, seat state.Seat, round int) (side judge.Side, ok bool) {
	last := Of(s).Argument(seat, round)
	if last == nil {
		return side, false
	}
	return judge.Side{Confidence: last.Confidence, Facts: FactsOf(s, seat, round)}, true
}

// confidenceIn is the confidence of a side in a claim after a round, 0 where it gave
// none.
func confidenceIn(s *state.State, p *state.Point, seat state.Seat, round int) float64 {
	confidence := 0.0
	for _, c := range s.Confidence.All() {
		if c.Seat == seat && c.Point == p.ID && c.Round <= round {
			confidence = c.Admitted
		}
	}
	return confidence
}

// compareConfidence compares the confidences of a side in two of its claims.
func compareConfidence(s *state.State, seat state.Seat, a, b *state.Point, round int) int {
	return cmp.Compare(confidenceIn(s, a, seat, round), confidenceIn(s, b, seat, round))
}
