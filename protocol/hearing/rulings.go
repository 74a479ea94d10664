package hearing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
)

// rules rules on the question of a hearing and on the claims of its sides: the user first (AC1),
// then whether a side withdrew a claim (AC6), then the judge or the audit.
type rules struct{ resolver.Base }

func (f rules) Rule(s *state.State) []state.Ruling { return resolver.RuleEach(s, f.RuleOne) }

func (rules) RuleOne(s *state.State, p *state.Point) state.Ruling {
	table := claimRules()
	if p.ID == QuestionPoint {
		table = questionRules()
	}
	return append(resolver.Acceptance().Only("AC1", "AC6"), table...).RuleOne(s, p)
}

// LastRound returns the last round of the current form.
func (rules) LastRound(s *state.State) int {
	switch CurrentForm(s) {
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
		return sides()
	}
	return []state.Seat{Opponent(p.Authors[0])}
}

// Inconclusive reports whether neither the judge nor the user ruled on the question.
func (rules) Inconclusive(_ *state.State, rulings []state.Ruling) bool {
	r := resolver.RulingOn(rulings, QuestionPoint)
	return r == nil || r.Bucket != state.BucketAgreed && r.Bucket != state.BucketDismissed
}

// questionRules returns the rules for the question: the verdict of the judge. A rule is named after
// the row of the judge that applies.
func questionRules() resolver.Rules {
	return resolver.Rules{
		{
			Rule: "AC19", Bucket: state.BucketOpen, Sentence: "under deliberation%s",
			When: func(b *resolver.Basis) *resolver.Match {
				if b.State.Over() {
					return nil
				}
				if v, err := VerdictOf(b.State); err == nil {
					return resolver.Read().Saying("; so far " + v.Sentence())
				}
				return resolver.Read().Saying("")
			},
		},
		{
			Rule: "AC18", Bucket: state.BucketUnresolved, Status: state.StatusOpen, Sentence: "there is no verdict: %s",
			Crux: "an argument of each side, with a confidence",
			When: func(b *resolver.Basis) *resolver.Match {
				if _, err := VerdictOf(b.State); err != nil {
					return resolver.Read().Saying(err)
				}
				return nil
			},
		},
		{
			Sentence: "%s", Crux: "%s",
			When: func(b *resolver.Basis) *resolver.Match {
				v, err := VerdictOf(b.State)
				if err != nil {
					return nil
				}
				m := resolver.Read(v.Supporting...).Saying(v.Sentence())
				m.Rule = v.Rule
				switch m.Bucket = bucketOf(v.Outcome); v.Outcome {
				case judge.Confirmed:
					m.Tag = state.TagFacts
				case judge.Dismissed:
					m.Tag = state.TagRejected
				case judge.Inconclusive:
					m.Status = state.StatusOpen
					m.ResolvedBy("facts that bring one side ahead of the other")
				}
				return m
			},
		},
	}
}

// bucketOf returns the bucket of the question for a verdict.
func bucketOf(o judge.Outcome) state.Bucket {
	switch o {
	case judge.Confirmed:
		return state.BucketAgreed
	case judge.Dismissed:
		return state.BucketDismissed
	case judge.Inconclusive:
	}
	return state.BucketUnresolved
}

// claimRules returns the rules for claims. Only the form audit rules on them.
func claimRules() resolver.Rules {
	audits := func(support string) func(b *resolver.Basis) *resolver.Match {
		return func(b *resolver.Basis) *resolver.Match {
			if audited, why := auditOf(b.State, b.Point); audited == support {
				return resolver.Read(b.Point.Facts...).Saying(support, why)
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
				return resolver.Read(b.Point.Facts...).Saying(CurrentForm(b.State))
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

// auditOf rules on a claim of an audit, and says why in a clause. It returns "" in other forms, and
// before the claims were put to the other side. It depends only on what the seats accepted and
// withdrew; facts are not weighed.
//
// A claim without facts says that nothing was found, and rests on the whole packet; admission
// refuses every other claim without facts.
func auditOf(s *state.State, p *state.Point) (support, why string) {
	other := Opponent(p.Authors[0])
	if CurrentForm(s) != FormAudit || s.Round < 2 || p.ID == QuestionPoint || other == "" {
		return "", ""
	}
	if u := p.UserRuling; u != nil {
		switch u.Bucket { //nolint:exhaustive // the user can rule on no other bucket
		case state.BucketAgreed:
			return supported, "the user agreed with it"
		case state.BucketDismissed:
			return unsupported, "the user dismissed it"
		}
		return disputed, "the user left it unresolved"
	}
	if _, conceded := p.Conceded(); conceded {
		return unsupported, "its side withdrew it"
	}
	var withdrawn, maintained []string
	for _, c := range Contradictions(s, p) {
		answer := c.Last()
		switch {
		case answer == nil:
			return unsupported, fmt.Sprintf("%s contradicts it by %s, and nobody answered", c.ID,
				strings.Join(c.Facts, ", "))
		case answer.Judgment == state.Accepted:
			withdrawn = append(withdrawn, c.ID)
		default:
			maintained = append(maintained, c.ID)
		}
	}
	switch class := lastClass(p, other); {
	case len(maintained) > 0:
		return disputed, fmt.Sprintf("the %s maintains %s", other, strings.Join(maintained, ", "))
	case len(withdrawn) > 0:
		return supported, fmt.Sprintf("the %s withdrew %s", other, strings.Join(withdrawn, ", "))
	case class == nil:
		return disputed, fmt.Sprintf("the %s said nothing about it, also when asked again", other)
	case class.Class == state.Agree:
		return supported, fmt.Sprintf("the %s accepted it", other)
	default:
		return disputed, fmt.Sprintf("the %s calls it true but not bearing on the question: %s", other, class.Reason)
	}
}

// lastClass is the last verdict of a seat on a claim, or nil.
func lastClass(p *state.Point, seat state.Seat) *state.Classification {
	return lists.Last(p.Classes, func(c *state.Classification) bool { return c.Seat == seat })
}

// Unaudited returns the claims of the other side that a seat has not judged yet: it neither
// accepted them, nor called them irrelevant, nor contradicted them.
func Unaudited(s *state.State, seat state.Seat) []*state.Point {
	return slices.DeleteFunc(ClaimsOf(s, Opponent(seat), s.Round), func(p *state.Point) bool {
		contradicted := slices.ContainsFunc(p.Challenges, func(id string) bool { return s.Challenge(id).By == seat })
		return contradicted || lastClass(p, seat) != nil || !contestedBy(s, seat, p)
	})
}

// Unreviewed returns the answered contradictions of a seat that it has neither withdrawn nor
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

// limitByAudit limits the confidence of a side of an audit to the highest admitted confidence of
// its supported claims, or 0 if it has none. It returns the limit in a clause, or "".
func limitByAudit(s *state.State, seat state.Seat, side *judge.Side) (why string) {
	highest, best := 0.0, ""
	for _, p := range ClaimsOf(s, seat, s.Round) {
		confidence := confidenceIn(s, p, seat, s.Round)
		if support, _ := auditOf(s, p); support == supported && (best == "" || confidence > highest) {
			highest, best = confidence, p.ID
		}
	}
	switch {
	case best == "":
		why = fmt.Sprintf("the %s has no supported claim", seat)
	case highest < side.Confidence:
		why = fmt.Sprintf("the %s's %s counts as that of %s", seat, judge.Figure(side.Confidence), best)
	}
	side.Confidence = min(side.Confidence, highest)
	return why
}

// Verdict is the judge's verdict after a round, with its inputs.
type Verdict struct {
	judge.Verdict
	Version judge.Version
	Round   int
	// Architect and Skeptic are the sides at that time.
	Architect, Skeptic judge.Side
	// Shown is the outcome with the domain's prefix. Why is the rule and what it compared, without a
	// period: "v2.1: architect 0.9 > 0.85".
	Shown, Why string
	// Unnamed says that the judge's row says DISMISSED, but no rule names a fact (RuleUnnamed).
	Unnamed bool
}

// RuleUnnamed keeps a verdict from being DISMISSED if rules fill a side and none of them names a fact.
const RuleUnnamed = "HR4"

// unnamed reports whether rules fill a side and said that none of them names a fact: their only claim
// without facts.
func unnamed(s *state.State) bool {
	return s.Points.Any(func(p *state.Point) bool {
		return p.ID != QuestionPoint && len(p.Facts) == 0 && ByRules(s, p.Authors[0])
	})
}

// loserOf returns the side that an outcome goes against, or "".
func loserOf(o judge.Outcome) state.Seat {
	switch o {
	case judge.Confirmed:
		return judge.Skeptic
	case judge.Dismissed:
		return judge.Architect
	case judge.Inconclusive:
	}
	return ""
}

// silent reports whether a side cites no fact up to a round, and no model or person on it made a claim.
func silent(s *state.State, seat state.Seat, round int) bool {
	claimed := !ByRules(s, seat) && len(ClaimsOf(s, seat, round)) > 0
	return !claimed && len(FactsOf(s, seat, round)) == 0
}

// The words about a verdict whose loser is silent.
const (
	nobodyArgued = "nobody argued against it"
	nothingLeft  = "nothing that was argued against it is left"
)

// argued reports whether anyone ever made a claim for the losing side of a verdict, or challenged the other one.
// Built-in rules that cite no fact only say that they found none.
func argued(s *state.State, loser state.Seat) bool {
	return s.Points.Any(func(p *state.Point) bool {
		return p.ID != QuestionPoint && p.Authors[0] == loser && !(ByRules(s, loser) && len(p.Facts) == 0)
	}) || s.Challenges.Len() > 0 && slices.ContainsFunc(ClaimsOf(s, Opponent(loser), s.Round), func(p *state.Point) bool {
		return slices.ContainsFunc(p.Challenges, func(id string) bool { return s.Challenge(id).By != Opponent(loser) })
	})
}

// Sentence returns the verdict with its rule and what it compared, without a period.
func (v *Verdict) Sentence() string {
	if v.Rule == judge.Else {
		return v.Shown + ": " + v.Why
	}
	return v.Shown + " by " + v.Why
}

// VerdictOf returns the verdict after the last round.
func VerdictOf(s *state.State) (Verdict, error) { return VerdictBy(s, SettingsOf(s).Judge, s.Round) }

// VerdictBy returns the verdict of a version of the judge after a round, based on the facts known
// at that time. The error names the sides that have not argued.
func VerdictBy(s *state.State, version judge.Version, round int) (Verdict, error) {
	v := Verdict{Version: version, Round: round}
	var bounds []string
	for _, seat := range sides() {
		argued := Of(s).Argument(seat, round)
		if argued == nil {
			return v, errors.New(unheard(s, round))
		}
		side := judge.Side{Confidence: argued.Confidence, Facts: FactsOf(s, seat, round)}
		if CurrentForm(s) == FormAudit && round >= 2 {
			if why := limitByAudit(s, seat, &side); why != "" {
				bounds = append(bounds, why)
			}
		}
		if seat == judge.Architect {
			v.Architect = side
		} else {
			v.Skeptic = side
		}
	}
	judged, err := judge.Judge(version, v.Architect, v.Skeptic)
	if err != nil {
		return v, fmt.Errorf("judge the confidences: %w", err)
	}
	v.Verdict = judged
	v.Unnamed = v.Outcome == judge.Dismissed && unnamed(s)
	if v.Unnamed {
		v.Verdict = judge.Verdict{
			Outcome: judge.Inconclusive, Confidence: (v.Architect.Confidence + v.Skeptic.Confidence) / 2,
			Supporting: lists.Distinct(slices.Concat(v.Architect.Facts, v.Skeptic.Facts)), Rule: RuleUnnamed,
		}
	}
	v.Shown = SettingsOf(s).Domain.Shown(v.Outcome)
	v.Why = fmt.Sprintf("no row of %s holds for architect %s and skeptic %s", v.Version,
		judge.Figure(v.Architect.Confidence), judge.Figure(v.Skeptic.Confidence))
	for _, row := range judge.Rows(v.Version, v.Architect, v.Skeptic) {
		if row.Holds {
			v.Why = row.Rule + ": " + row.Numbers
			break
		}
	}
	if v.Unnamed {
		v.Why = fmt.Sprintf(
			"%s: no rule of the domain names a fact, so rules cannot dismiss it, although by %s",
			v.Rule,
			v.Why,
		)
	}
	if len(bounds) > 0 {
		v.Why += " (" + strings.Join(bounds, "; ") + ")"
	}
	if loser := loserOf(v.Outcome); loser != "" && silent(s, loser, round) {
		v.Why += "; " + nothingLeft
		if !argued(s, loser) {
			v.Why = strings.TrimSuffix(v.Why, nothingLeft) + nobodyArgued
		}
	}
	for _, claim := range leading(s, &v) {
		v.Why += "; " + claim
	}
	return v, nil
}

// unheard names the sides whose confidence is missing after a round, with what is missing: "the architect and the
// skeptic did not argue".
func unheard(s *state.State, round int) string {
	var mute, unsure []state.Seat
	for _, seat := range sides() {
		switch {
		case Of(s).Argument(seat, round) != nil:
		case len(ClaimsOf(s, seat, round)) > 0:
			unsure = append(unsure, seat)
		default:
			mute = append(mute, seat)
		}
	}
	var parts []string
	if len(mute) > 0 {
		parts = append(parts, resolver.SeatNames(mute)+" did not argue")
	}
	if len(unsure) > 0 {
		parts = append(parts, resolver.SeatNames(unsure)+" gave no confidence")
	}
	return strings.Join(parts, ", and ")
}

// mostLeading is the number of claims that a verdict names, longestLeading the length of each in
// characters.
const (
	mostLeading    = 3
	longestLeading = 400
)

// leading returns the claims behind a verdict for seats that built-in rules fill, since these
// claims name the rules and quote the facts. They are the most confident claims of the winner, or
// of both sides.
func leading(s *state.State, v *Verdict) []string {
	var named []string
	var all []*state.Point
	for _, seat := range sides() {
		if assigned, _ := s.Assignment(seat); seat == loserOf(v.Outcome) || !assigned.NoModel {
			continue
		}
		// Rules on both sides state the same findings.
		claims := slices.DeleteFunc(ClaimsOf(s, seat, v.Round), func(p *state.Point) bool {
			return slices.ContainsFunc(all, func(other *state.Point) bool { return slices.Equal(other.Facts, p.Facts) })
		})
		all = append(all, claims...)
		slices.SortStableFunc(claims, func(a, b *state.Point) int {
			return cmp.Compare(confidenceIn(s, b, seat, v.Round), confidenceIn(s, a, seat, v.Round))
		})
		shown := claims[:min(len(claims), mostLeading)]
		for i, p := range shown {
			text := plain.Line(p.Text)
			// Rules end all their claims with the same words, which are given once, after the last one.
			if own, same, found := strings.Cut(text, "; no rule of the domain "); found && i+1 < len(shown) &&
				strings.HasSuffix(plain.Line(shown[i+1].Text), same) {
				text = own
			}
			named = append(named, p.ID+" "+plain.Clip(text, longestLeading))
		}
		if more := len(claims) - mostLeading; more > 0 {
			named = append(named, fmt.Sprintf("%d more of the %s", more, seat))
		}
	}
	return named
}

// FlagsOf returns the reasons to doubt the confidence of a verdict, with or without a gate.
func FlagsOf(s *state.State, v *Verdict) []judge.Flag {
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
	// ByArgument says that the verdict turned in this round by an argument, although no new fact was cited; BySilence
	// that it turned although neither side said anything.
	ByArgument bool `json:"by_argument"`
	BySilence  bool `json:"by_silence"`
}

// Rounds returns the rounds in which both sides had argued, with the verdict after each.
func Rounds(s *state.State) []Round {
	var rounds []Round
	var before, ever []string
	for n := 1; n <= s.Round; n++ {
		cited := lists.Distinct(append(FactsOf(s, judge.Architect, n), FactsOf(s, judge.Skeptic, n)...))
		added := slices.DeleteFunc(slices.Clone(cited), func(fact string) bool { return slices.Contains(before, fact) })
		before = cited
		// Both sides see a challenge of the oracle or the user in the next round.
		for _, c := range s.Challenges.All() {
			if Opponent(c.By) == "" && c.Round < n {
				cited = append(slices.Clip(cited), c.Facts...)
			}
		}
		isNew := slices.ContainsFunc(cited, func(fact string) bool { return !slices.Contains(ever, fact) })
		ever = lists.Distinct(append(ever, cited...))
		if v, err := VerdictBy(s, SettingsOf(s).Judge, n); err == nil {
			turned := len(rounds) > 0 && rounds[len(rounds)-1].Result != v.Outcome && !isNew
			rounds = append(rounds, Round{
				Round: n, Result: v.Outcome, Rule: v.Rule, Confidence: v.Confidence,
				Architect: v.Architect.Confidence, Skeptic: v.Skeptic.Confidence, New: added,
				ByArgument: turned && spoke(s, n), BySilence: turned && !spoke(s, n),
			})
		}
	}
	return rounds
}

// spoke reports whether a side, or you, said anything in a round: a claim, a confidence, a word on a claim of the other
// side, a contradiction, an answer to one or its judgment.
func spoke(s *state.State, round int) bool {
	return slices.ContainsFunc(Of(s).Arguments, func(a Argued) bool { return a.Round == round }) ||
		s.Points.Any(func(p *state.Point) bool {
			return p.ID != QuestionPoint && p.Round == round || p.UserRuling != nil && p.UserRuling.Round == round ||
				slices.ContainsFunc(p.Classes, func(c state.Classification) bool { return c.Round == round }) ||
				slices.ContainsFunc(p.Concessions, func(c state.Concession) bool { return c.Round == round })
		}) ||
		s.Challenges.Any(func(c *state.Challenge) bool {
			return c.Round == round ||
				slices.ContainsFunc(c.Defenses, func(d state.Defense) bool { return d.Round == round })
		})
}

// ClaimsOf returns the claims that a side raised up to a round, without those that it had given up
// or the user had dismissed by then.
func ClaimsOf(s *state.State, seat state.Seat, round int) []*state.Point {
	return s.Points.Filter(func(p *state.Point) bool { return p.IsAuthor(seat) && made(s, p, round) })
}

// made reports whether a point is a claim that its side still held after a round: it had not given
// it up, and the user had not dismissed it.
func made(s *state.State, p *state.Point, round int) bool {
	at, conceded := p.Conceded()
	if p.ID == QuestionPoint || p.Round > round || conceded && at <= round {
		return false
	}
	u := p.UserRuling
	if u == nil || u.Bucket != state.BucketDismissed {
		return true
	}
	last := lists.Last(Of(s).Arguments, func(a *Argued) bool { return a.Round <= round })
	return round < s.Round && (last == nil || last.Seq < u.Seq)
}

// confidenceIn returns the confidence of a side in a claim after a round, or 0.
func confidenceIn(s *state.State, p *state.Point, seat state.Seat, round int) float64 {
	confidence := 0.0
	for _, c := range s.Confidence.All() {
		if c.Seat == seat && c.Point == p.ID && c.Round <= round {
			confidence = c.Admitted
		}
	}
	return confidence
}
