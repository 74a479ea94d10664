package council

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/council/constitution"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// rules rules on claims of councils: AC1 to AC14 of the shared table, then CV1 to CV4.
type rules struct{ resolver.Base }

func (f rules) Rule(s *state.State) []state.Ruling { return resolver.RuleEach(s, f.RuleOne) }

func (rules) RuleOne(s *state.State, p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return resolver.MergedAway(p)
	}
	b := newCouncilClaim(s, p)
	if ruling, ok := resolver.Acceptance().Through("AC14").Rule(b.Basis); ok {
		return ruling
	}
	v := b.validate()
	return b.validated(&v)
}

func (rules) LastRound(s *state.State) int { return SettingsOf(s).Rounds }

// Inconclusive implements resolver.Format: a council has consensus or none (Undecided).
func (rules) Inconclusive(*state.State, []state.Ruling) bool { return false }

func (rules) Evaluators(*state.State, *state.Point) []state.Seat {
	return []state.Seat{constitution.Critic, constitution.Adversary}
}

// councilClaim is a claim with its normalized text.
type councilClaim struct {
	*resolver.Basis
	// words is the normalized text, computed on first use.
	words string
}

func newCouncilClaim(s *state.State, p *state.Point) *councilClaim {
	return &councilClaim{Basis: resolver.NewBasis(s, p, resolver.KindOf(s, p))}
}

// The bounds of CV2.
const (
	// leastScore is the minimum confidence that each reporting seat must have.
	leastScore = 0.5
	// mostSpread is the maximum distance between them.
	mostSpread = 0.3
	// tolerance allows for rounding in sums of doubles.
	tolerance = 1e-9
)

// keySources is the number of distinct sources that a key claim needs (CV1).
const keySources = 2

// Validation is the result of checking a claim of a council by CV1 to CV4.
type Validation struct {
	Point string `json:"point"`
	// Rules are CV1 to CV4, in order.
	Rules []RuleCheck `json:"rules"`
	// Scores are the last reports of the seats, in the order in which they speak;
	// Missing the seats that reported nothing.
	Scores  []state.Score `json:"scores"`
	Missing []state.Seat  `json:"missing"`
	// Aggregate is the weighted confidence, or nil if no seat that has a weight reported
	// one. Spread is the distance between the highest and the lowest report.
	Aggregate *float64 `json:"aggregate"`
	Spread    float64  `json:"spread"`
	// Confidence is the aggregate times the share of the rules that hold.
	Confidence float64 `json:"confidence"`
}

// RuleCheck is the result of a validation rule for a claim.
type RuleCheck struct {
	Rule   string `json:"rule"`
	Passed bool   `json:"passed"`
	// Says explains why it holds, or what is wrong.
	Says string `json:"says"`
	// Requires lists the modifications that would make it hold.
	Requires []string `json:"requires"`
	// Reads are the ids that it read.
	Reads []string `json:"reads"`
}

// validationRule is one of CV1 to CV4.
type validationRule struct {
	name, topic, says string
	// status is the status of a claim for which this is the first rule that does not hold.
	status state.Status
	check  func(*councilClaim, *Validation) RuleCheck
}

// validationRules returns CV1 to CV4.
func validationRules() []validationRule {
	return []validationRule{
		{
			"CV1", "evidence quality",
			"A factual claim needs verified evidence that nothing against it equals; a key claim needs it of two sources.",
			state.StatusUnverified, (*councilClaim).evidenceQuality,
		},
		{
			"CV2", "agreement",
			"The strategist and the critic say how sure they are, no seat is under 0.5 or more than 0.3 from another, " +
				"together they reach the decision threshold, and no challenge is open.",
			state.StatusDisputed, (*councilClaim).consensusLevel,
		},
		{
			"CV3", "constitution", "A claim violates no constraint of the constitution that code can check.",
			state.StatusOpen, (*councilClaim).constitution,
		},
		{
			"CV4", "uncertainty",
			"A claim names its limit or a range, or its author is less than certain and says why.",
			state.StatusOpen, (*councilClaim).uncertainty,
		},
	}
}

// Valid reports whether all four rules hold.
func (v *Validation) Valid() bool { return v.Passed() == len(v.Rules) }

// Passed counts the rules that hold.
func (v *Validation) Passed() int {
	return len(lists.Filter(v.Rules, func(r RuleCheck) bool { return r.Passed }))
}

// Required returns the modifications that would make the claim valid.
func (v *Validation) Required() []string {
	var required []string
	for _, r := range v.Rules {
		required = append(required, r.Requires...)
	}
	return required
}

// Validate checks a claim of a council by CV1 to CV4.
func Validate(s *state.State, p *state.Point) Validation { return newCouncilClaim(s, p).validate() }

func (b *councilClaim) validate() Validation {
	v := Validation{Point: b.Point.ID, Scores: make([]state.Score, 0, len(b.Point.Scores)), Missing: []state.Seat{}}
	for _, seat := range seated(b.State) {
		if score := b.Point.Score(seat); score != nil {
			v.Scores = append(v.Scores, *score)
		} else {
			v.Missing = append(v.Missing, seat)
		}
	}
	v.Aggregate = resolver.Aggregate(v.Scores, SettingsOf(b.State).Weight)
	v.Spread = resolver.Spread(v.Scores)
	// The rules compare the exact figures; the figures are rounded for display only after
	// that.
	for _, rule := range validationRules() {
		r := rule.check(b, &v)
		r.Rule, r.Passed = rule.name, len(r.Requires) == 0
		r.Requires, r.Reads = resolver.NoNil(r.Requires), resolver.NoNil(r.Reads)
		v.Rules = append(v.Rules, r)
	}
	v.Spread = resolver.Rounded(v.Spread)
	if v.Aggregate != nil {
		v.Confidence = resolver.Rounded(*v.Aggregate * float64(v.Passed()) / float64(len(v.Rules)))
		v.Aggregate = new(resolver.Rounded(*v.Aggregate))
	}
	return v
}

// seated returns the assigned seats in the order in which they speak.
func seated(s *state.State) []state.Seat {
	return slices.DeleteFunc(constitution.CouncilSeats(), func(seat state.Seat) bool {
		_, seated := s.Assignment(seat)
		return !seated
	})
}

// evidenceQuality is CV1: the claim needs verified evidence that ranks above any refutation, and a
// key claim from two sources. A claim that is not empirical needs no evidence; a premise that it needs is a claim of
// its own.
func (b *councilClaim) evidenceQuality(*Validation) RuleCheck {
	if !b.Empirical() {
		return RuleCheck{Says: "a " + resolver.KindName(b.Kind) + ", which needs no evidence"}
	}
	firm := b.FirmSupport()
	if firm == nil {
		return RuleCheck{
			Says:     "no evidence that another seat accepted supports it",
			Requires: []string{"evidence that anyone can check: a file and line, or a command and its output"},
		}
	}
	if against := resolver.Best(b.Refutes); against != nil && ledger.CompareRank(against, firm) <= 0 {
		return RuleCheck{
			Says:  fmt.Sprintf("%s refutes it, and no support ranks above that", against.ID),
			Reads: []string{firm.ID, against.ID},
			Requires: []string{"verified evidence that ranks above " + against.ID + ", or a claim that " + against.ID +
				" does not refute"},
		}
	}
	check := RuleCheck{Says: firm.ID + " " + resolver.Origin(firm), Reads: []string{firm.ID}}
	if !ClaimOf(b.State, b.Point).Key {
		return check
	}
	sources := b.sources()
	check.Reads = sources
	if len(sources) < keySources {
		check.Says = "a key claim, and all the evidence that counts for it is of one source"
		check.Requires = []string{"verified evidence of a second source, since much rests on this claim"}
		return check
	}
	check.Says = fmt.Sprintf("a key claim, with verified evidence of %d sources", len(sources))
	return check
}

// sources returns the ids of the first verified support of each distinct source.
func (b *councilClaim) sources() []string {
	var ids, seen []string
	for _, item := range b.Supports {
		if source := resolver.SourceOf(item); item.Type != ledger.Claim && !slices.Contains(seen, source) {
			seen, ids = append(seen, source), append(ids, item.ID)
		}
	}
	return ids
}

// consensusLevel is CV2.
func (b *councilClaim) consensusLevel(v *Validation) RuleCheck {
	settings := SettingsOf(b.State)
	check := RuleCheck{Reads: make([]string, 0, len(v.Scores)+len(b.Challenges))}
	var wrong []string
	fail := func(says, required string) {
		wrong, check.Requires = append(wrong, says), append(check.Requires, required)
	}
	for _, seat := range []state.Seat{constitution.Strategist, constitution.Critic} {
		if b.Point.Score(seat) == nil {
			fail("the "+string(seat)+" reported no confidence", "the confidence of the "+string(seat))
		}
	}
	for _, score := range v.Scores {
		check.Reads = append(check.Reads, resolver.Event(score.Seq))
		if score.Admitted < leastScore-tolerance {
			fail(fmt.Sprintf("%s holds it at %s only", score.Seat, figure(score.Admitted)),
				fmt.Sprintf("what brings the %s to %s: its confidence is %s", score.Seat, figure(leastScore),
					figure(score.Admitted)))
		}
	}
	if v.Spread > mostSpread+tolerance {
		fail(fmt.Sprintf("the confidences lie %s apart", figure(v.Spread)),
			fmt.Sprintf("what brings the seats within %s of each other", figure(mostSpread)))
	}
	switch {
	case v.Aggregate == nil:
		// Strategist and critic are asked for above.
		seats := slices.DeleteFunc(seated(b.State), func(seat state.Seat) bool { return settings.Weight(seat) <= 0 })
		if !slices.Contains(seats, constitution.Strategist) &&
			!slices.Contains(seats, constitution.Critic) {
			fail("nobody whose confidence has a weight reported one",
				"the confidence of a seat that has a weight: "+
					cmp.Or(resolver.Listed(enum.Words(seats)), "none of this council has one"))
		}
	case *v.Aggregate < settings.Decision-tolerance:
		is, least := figure(*v.Aggregate), figure(settings.Decision)
		fail("the aggregate is "+is+", under "+least, "an aggregate of "+least+": it is "+is)
	default:
		check.Says = "the seats agree: "
		if b.LastVerdict(state.Skeptical, state.Reject, state.IllFormed) != nil {
			check.Says = "the confidences suffice: "
		}
		check.Says += v.reported() + ", aggregate " + figure(*v.Aggregate)
	}
	var challengers []state.Seat
	for _, c := range b.Challenges {
		if !c.Settled() || c.Status == state.StandsUndefended {
			challengers, check.Reads = append(challengers, c.By), append(check.Reads, c.ID)
			fail(c.ID+" is not settled", fmt.Sprintf("an answer to %s that the %s accepts: %s", c.ID,
				resolver.JudgeOf(b.State, c), cmp.Or(c.UpgradeIf, c.Objection)))
		}
	}
	if c := b.LastVerdict(state.Reject); c != nil && !slices.Contains(challengers, c.Seat) {
		// It took its challenge back, but what a seat rejects is never agreed (INV8).
		check.Reads = append(check.Reads, resolver.Event(c.Seq))
		fail("the "+string(c.Seat)+" rejects it", "what makes the "+string(c.Seat)+" agree: "+c.Reason)
	}
	if len(wrong) > 0 {
		check.Says = strings.Join(wrong, "; ")
	}
	return check
}

// reported lists the confidences, with the seats that reported none.
func (v *Validation) reported() string {
	said := strings.Join(lists.Map(v.Scores, func(score state.Score) string {
		return string(score.Seat) + " " + figure(score.Admitted)
	}), ", ")
	if len(v.Missing) > 0 {
		said += " (nothing of " + view.Seats(v.Missing) + ")"
	}
	return said
}

// figure formats a share with one to three decimals.
func figure(share float64) string {
	text := view.Figure(share)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// constitution is CV3: no constraint that code checks is violated. Claims that are only flagged as
// biased pass.
func (b *councilClaim) constitution(*Validation) RuleCheck {
	check := RuleCheck{Says: "no constraint that code checks is violated"}
	var wrong []string
	for _, breach := range b.breaches() {
		if breach.Challenge != "" || onlyFlags(b.State, breach.Constraint) {
			continue
		}
		wrong = append(wrong, breach.Constraint+": "+breach.Text)
		check.Requires = append(check.Requires, "what "+breach.Constraint+" demands: "+breach.Text)
	}
	if len(wrong) > 0 {
		check.Says = strings.Join(wrong, "; ")
	}
	return check
}

// uncertainty is CV4.
func (b *councilClaim) uncertainty(*Validation) RuleCheck {
	how := b.acknowledged()
	if how == "" {
		return RuleCheck{
			Says:     "it names no limit, no range, and no reason why the confidence is not 1",
			Requires: []string{"a stated limit, a range, or a confidence below 1 with its reason"},
		}
	}
	return RuleCheck{Says: how}
}

// acknowledged describes how a claim states its uncertainty, or returns "" (CV3, CV4).
func (b *councilClaim) acknowledged() string {
	switch score := b.Point.Score(b.Point.Authors[0]); {
	case !SaysNothing(ClaimOf(b.State, b.Point).Limit):
		return "it names its limit"
	case statesLimit(b.wording()):
		return "its text names a limit"
	case StatesRange(b.Point.Text):
		return "it states a range"
	case score != nil && score.Stated < 1 && !SaysNothing(score.Cause):
		return fmt.Sprintf("its author's confidence is %s, with the reason", figure(score.Stated))
	}
	return ""
}

// councilRuleName is the rule of a claim for which CV1 to CV4 hold.
const councilRuleName = "CV"

// validated returns the ruling on a claim that no rule before validation decided.
func (b *councilClaim) validated(v *Validation) state.Ruling {
	var reads, reasons []string
	for _, r := range v.Rules {
		reads = append(reads, r.Reads...)
		if !r.Passed {
			reasons = append(reasons, r.Says+" ("+r.Rule+")")
		}
	}
	ruling := state.Ruling{Point: b.Point.ID, Receipt: state.Receipt{
		Rule: councilRuleName, Reads: resolver.NoNil(reads),
	}}
	failed := slices.IndexFunc(v.Rules, func(r RuleCheck) bool { return !r.Passed })
	if failed < 0 {
		ruling.Bucket, ruling.Tag = state.BucketAgreed, state.TagNotApplicable
		ruling.Reason = v.Rules[1].Says + "; " + v.Rules[0].Says
		if b.Empirical() {
			ruling.Tag = resolver.EvidenceTag(b.FirmSupport())
		} else {
			ruling.Reason += "; agreement is no proof"
		}
		return ruling
	}
	ruling.Rule, ruling.Bucket, ruling.Reason = v.Rules[failed].Rule, state.BucketOpen, strings.Join(reasons, "; ")
	if b.State.Over() {
		ruling.Bucket, ruling.Status = state.BucketUnresolved, validationRules()[failed].status
		ruling.Crux = strings.Join(v.Required(), "; ")
		ruling.Reason += "; validation confidence " + figure(v.Confidence)
	}
	return ruling
}

// current returns the claims that were neither merged nor revised.
func current(s *state.State) []*state.Point {
	return s.Points.Filter(func(p *state.Point) bool { return s.Current(p.ID) == p })
}

// Unsettled returns the live claims for which CV1 to CV4 do not all hold, and those that an earlier rule leaves
// unresolved, as in a deadlock. While there is one, there is no consensus.
func Unsettled(s *state.State) []string {
	unsettled := []string{}
	for _, p := range current(s) {
		ruling := (rules{}).RuleOne(s, p)
		byCouncil := strings.HasPrefix(ruling.Rule, councilRuleName) && ruling.Bucket != state.BucketAgreed
		// A claim that the user left open does not prevent consensus.
		if byCouncil || ruling.Bucket == state.BucketUnresolved && ruling.Tag != state.TagUser {
			unsettled = append(unsettled, p.ID)
		}
	}
	return unsettled
}

// agreedClaims returns the claims that are Agreed. Without one there is no consensus.
func agreedClaims(s *state.State) []string {
	var agreed []string
	for _, p := range current(s) {
		if ruling := (rules{}).RuleOne(s, p); ruling.Bucket == state.BucketAgreed {
			agreed = append(agreed, p.ID)
		}
	}
	return agreed
}

// ConsensusOf tests for consensus in the current round.
func ConsensusOf(s *state.State) Consensus {
	c := Consensus{Round: s.Round, Unsettled: Unsettled(s)}
	c.Reached = len(c.Unsettled) == 0 && len(agreedClaims(s)) > 0
	if said := Of(s).Synthesis(s.Round); said != nil {
		c.Reported = AgreementNo
		if said.Agreement {
			c.Reported = AgreementYes
		}
	}
	return c
}

// BreachesOf returns the violations in a claim and in the challenges to it.
func BreachesOf(s *state.State, p *state.Point) []Breach { return newCouncilClaim(s, p).breaches() }

func (b *councilClaim) breaches() []Breach {
	var found []Breach
	constraints := SettingsOf(b.State).Constitution.Constraints
	for i := range constraints {
		c := &constraints[i]
		violated := ConstitutionViolated{Constraint: c.ID, Seat: c.Seat, Point: b.Point.ID}
		if c.Check == constitution.CheckMethod {
			violated.Text = "a challenge that names no method, sample, assumption or confounder"
			for _, k := range b.Challenges {
				if k.By == c.Seat && !NamesMethod(k.Objection+" "+k.Grounds+" "+k.UpgradeIf) {
					violated.Challenge = k.ID
					found = append(found, Breach{ConstitutionViolated: violated, Round: k.Round})
				}
			}
			continue
		}
		// The strategist answers for all claims, the moderator for those that it worded.
		worded := c.Seat == constitution.Moderator && b.Point.WordedBy == constitution.Moderator
		if violated.Text = b.breach(c); violated.Text != "" && (worded || c.Seat == constitution.Strategist) {
			found = append(found, Breach{ConstitutionViolated: violated, Round: b.Point.Round})
		}
	}
	return found
}

// breach describes how a claim violates a constraint, or returns "".
func (b *councilClaim) breach(c *constitution.Constraint) string {
	switch c.Check {
	case constitution.CheckCites:
		if b.Empirical() && len(b.offered(ledger.Supports)) == 0 {
			return "a factual claim without a reference"
		}
	case constitution.CheckUncertainty:
		if b.acknowledged() == "" {
			return "no limit, no range, and no reason why the confidence is not 1"
		}
	case constitution.CheckDiverse:
		if ClaimOf(b.State, b.Point).Key &&
			len(lists.Distinct(lists.Map(b.offered(ledger.Supports), resolver.SourceOf))) < keySources {
			return "a key claim with references of one source only"
		}
	case constitution.CheckFeasible:
		if recommends(b.wording()) && !explainsHow(b.wording()) {
			return "a proposal that does not say how it is carried out"
		}
	case constitution.CheckBias:
		return b.bias()
	case constitution.CheckNoHarm:
		if phrase := denied(b.wording(), c.Deny); phrase != "" {
			return fmt.Sprintf("it says %q, which this rule forbids", phrase)
		}
	case constitution.CheckMethod, constitution.CheckNone:
	}
	return ""
}

// offered returns the items with a relation to the point that were not refused.
func (b *councilClaim) offered(relation ledger.Relation) []*ledger.Evidence {
	return lists.Filter(lists.Map(b.Point.Evidence, b.State.Item), func(item *ledger.Evidence) bool {
		return item.Relation == relation && (!item.Checked || item.Verified)
	})
}

// bias describes the ways in which all support of a claim is one-sided, or returns "".
func (b *councilClaim) bias() string {
	support := b.offered(ledger.Supports)
	if len(support) == 0 {
		return ""
	}
	var one []string
	if len(lists.Distinct(lists.Map(support, resolver.SourceOf))) == 1 {
		one = append(one, "one source")
	}
	seats := lists.Map(support, func(e *ledger.Evidence) string { return e.OfferedBy })
	if len(lists.Distinct(seats)) == 1 {
		one = append(one, "one seat")
	}
	if len(b.offered(ledger.Refutes))+len(b.offered(ledger.Neutral)) == 0 {
		one = append(one, "one polarity")
	}
	if len(one) == 0 {
		return ""
	}
	return "all its support is of " + strings.Join(one, ", of ")
}

// Breaks reports whether a recorded violation still exists.
func Breaks(s *state.State, p *state.Point, breach *Breach) bool {
	return slices.ContainsFunc(BreachesOf(s, p), func(b Breach) bool {
		return b.Constraint == breach.Constraint && b.Challenge == breach.Challenge
	})
}
