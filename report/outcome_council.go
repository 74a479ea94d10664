package report

import (
	"slices"

	"moot/resolver"
	"moot/state"
)

func councilForm() form {
	return form{
		outcome:  func(s *state.State) Outcome { return validated(s) },
		first:    firstOfCouncil,
		warnings: councilWarnings,
		arrange:  arrangeCouncil,
	}
}

// Validated is the outcome of the format council: whether there is consensus, how
// each claim stands against CV1 to CV4, what the moderator made of that, and what
// was found of the constitution.
type Validated struct {
	Kind state.Format `json:"kind"`
	// Consensus says that there is one as things stand, ConsensusRound in which
	// round it was found, 0 where there is none. Unsettled are the live claims that
	// stand in its way.
	Consensus      bool     `json:"consensus"`
	ConsensusRound int      `json:"consensus_round"`
	Unsettled      []string `json:"unsettled"`
	// Round is the last that was begun, Rounds how many there may be.
	Round  int `json:"round"`
	Rounds int `json:"rounds"`
	// Parallel says that critic and adversary were asked at once.
	Parallel bool `json:"parallel"`
	// Weights and DecisionThreshold, each 0 to 1, are those of the aggregate (CV2).
	Weights           []state.SeatWeight `json:"weights"`
	DecisionThreshold float64            `json:"decision_threshold"`
	Constitution      Constitution       `json:"constitution"`
	// Silent are the seats that reported no confidence in any claim.
	Silent []state.Seat `json:"silent"`
	// Claims are those that were neither merged nor revised, in order.
	Claims []Validation `json:"claims"`
	// Modifications are what must change for the claims that no rule gave an end yet,
	// or that stay unresolved, in the order of the claims and of the rules.
	Modifications []Modification `json:"modifications"`
	// Tests are the tests for consensus, one for each round that was ruled on.
	Tests []ConsensusTest `json:"tests"`
	// Syntheses are what the moderator said, the oldest first.
	Syntheses []Synthesis `json:"syntheses"`
	// Violations are those of the constitution, in the order in which they were found.
	Violations []Violation `json:"violations"`
}

// Constitution is what bound the seats.
type Constitution struct {
	Name        string       `json:"name"`
	Constraints []Constraint `json:"constraints"`
}

// Constraint is one sentence of a constitution.
type Constraint struct {
	ID   string     `json:"id"`
	Seat state.Seat `json:"seat"`
	Text string     `json:"text"`
	// Check is how code looks after it, "" where it cannot.
	Check state.Check `json:"check"`
	// Deny are the phrases that the check no-harm looks for.
	Deny []string `json:"deny"`
}

// Validation is how a claim stands against CV1 to CV4, and how it came to its form.
type Validation struct {
	resolver.Validation
	Text string `json:"text"`
	// By is who holds it, WordedBy who worded it for its holder, or "".
	By       state.Seat `json:"by"`
	WordedBy state.Seat `json:"worded_by"`
	// Key says that much rests on it, Limit what it does not cover, or "".
	Key   bool   `json:"key"`
	Limit string `json:"limit"`
	// Earlier are the forms that it had before, the oldest first.
	Earlier []Wording `json:"earlier_forms"`
	// Bucket is where it is, Valid whether all four rules hold: a claim may have an
	// end that came before them, as a ruling of the user's.
	Bucket state.Bucket `json:"bucket"`
	Valid  bool         `json:"valid"`
	// Required are the modifications that would make it valid.
	Required []string `json:"required_modifications"`
}

// Modification is what must change for one of CV1 to CV4 to hold of a claim.
type Modification struct {
	Point    string `json:"point"`
	Rule     string `json:"rule"`
	Requires string `json:"requires"`
}

// Wording is a form that a claim had.
type Wording struct {
	Point    string     `json:"point"`
	Text     string     `json:"text"`
	WordedBy state.Seat `json:"worded_by"`
	Round    int        `json:"round"`
}

// ConsensusTest is what code found at the end of a round.
type ConsensusTest struct {
	state.Consensus
	// Contradicted says that the moderator reported otherwise.
	Contradicted bool `json:"contradicted"`
}

// Synthesis is what the moderator said of a round.
type Synthesis struct {
	state.Synthesis
	// Rules is whether the rules bear out what it says of agreement.
	Rules Bearing `json:"rules"`
}

// Bearing is whether the rules bear out what the moderator says of agreement.
type Bearing string

// The bearings.
const (
	// BearingNone is that of a round that was not tested.
	BearingNone  Bearing = ""
	BorneOut     Bearing = "borne-out"
	Contradicted Bearing = "contradicted"
)

// Violation is a violation of a constraint (CV3).
type Violation struct {
	state.Breach
	Check state.Check `json:"check"`
	// Status is what became of it.
	Status ViolationStatus `json:"status"`
}

// ViolationStatus is what became of a violation of the constitution.
type ViolationStatus string

// What becomes of a violation.
const (
	// ViolationStands holds the claim up (CV3).
	ViolationStands ViolationStatus = "stands"
	// ViolationMended is one that is none any more.
	ViolationMended ViolationStatus = "mended"
	// ViolationGone is that of a claim that fell, or of a form that it lost.
	ViolationGone ViolationStatus = "gone"
	// ViolationFlagged stands, and holds nothing up.
	ViolationFlagged ViolationStatus = "flagged"
)

func violationStatuses() []ViolationStatus {
	return []ViolationStatus{ViolationStands, ViolationMended, ViolationGone, ViolationFlagged}
}

func validated(s *state.State) Validated {
	settings := s.CouncilSettings()
	v := Validated{
		Kind: state.FormatCouncil, Round: s.Round, Rounds: settings.Rounds, Parallel: settings.Parallel,
		Unsettled: resolver.Unsettled(s), Weights: some(settings.Weights), DecisionThreshold: settings.Decision,
		Constitution: exportConstitution(&settings.Constitution), Silent: silent(s), Claims: []Validation{},
		Tests: []ConsensusTest{}, Syntheses: []Synthesis{}, Violations: []Violation{},
	}
	v.ConsensusRound = consensusRound(s, v.Unsettled)
	v.Consensus = v.ConsensusRound > 0
	for _, p := range s.Points.All() {
		if p.MergedInto == "" && p.RevisedBy == "" {
			v.Claims = append(v.Claims, exportClaim(s, p))
		}
	}
	v.Modifications = modifications(v.Claims)
	for _, test := range s.Council.Tested {
		test.Unsettled = some(test.Unsettled)
		v.Tests = append(v.Tests, ConsensusTest{test, test.Contradicted()})
	}
	for _, said := range s.Council.Syntheses {
		said.Open = some(said.Open)
		v.Syntheses = append(v.Syntheses, Synthesis{said, bearing(s, said.Round)})
	}
	for i := range s.Council.Breaches {
		breach := &s.Council.Breaches[i]
		out := Violation{Breach: *breach, Status: violationStatus(s, breach)}
		if c := settings.Constitution.Constraint(breach.Constraint); c != nil {
			out.Check = c.Check
		}
		v.Violations = append(v.Violations, out)
	}
	return v
}

// consensusRound is the round in which a consensus was found that still stands, 0
// where there is none.
func consensusRound(s *state.State, unsettled []string) int {
	if n := len(s.Council.Tested); n > 0 && s.Council.Tested[n-1].Reached && len(unsettled) == 0 {
		return s.Council.Tested[n-1].Round
	}
	return 0
}

func exportConstitution(c *state.Constitution) Constitution {
	out := Constitution{Name: c.Name, Constraints: []Constraint{}}
	for _, one := range c.Constraints {
		out.Constraints = append(out.Constraints,
			Constraint{ID: one.ID, Seat: one.Seat, Text: one.Text, Check: one.Check, Deny: some(one.Deny)})
	}
	return out
}

// silent are the seats that somebody sits on and that reported no confidence.
func silent(s *state.State) []state.Seat {
	seats := []state.Seat{}
	for _, seat := range state.CouncilSeats() {
		_, seated := s.Assignment(seat)
		if seated && !reported(s, seat) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// reported reports whether the seat gave its confidence in any claim.
func reported(s *state.State, seat state.Seat) bool {
	for _, p := range s.Points.All() {
		if p.Score(seat) != nil {
			return true
		}
	}
	return false
}

func exportClaim(s *state.State, p *state.Point) Validation {
	v := Validation{
		Validation: resolver.Validate(s, p), Text: p.Text, By: p.Authors[0], WordedBy: p.WordedBy, Key: p.Key,
		Limit:   p.Limit,
		Earlier: earlierForms(s, p), Bucket: state.BucketOpen,
	}
	if ruling, ok := resolver.RuleOne(*s, p.ID); ok {
		v.Bucket = ruling.Bucket
	}
	v.Valid, v.Required = v.Validation.Valid(), some(v.Validation.Required())
	return v
}

// modifications are those that the claims without an end require.
func modifications(claims []Validation) []Modification {
	required := []Modification{}
	for i := range claims {
		if bucket := claims[i].Bucket; bucket != state.BucketOpen && bucket != state.BucketUnresolved {
			continue
		}
		for _, rule := range claims[i].Rules {
			for _, requires := range rule.Requires {
				required = append(required, Modification{Point: claims[i].Point, Rule: rule.Rule, Requires: requires})
			}
		}
	}
	return required
}

// earlierForms are what a claim said before it was worded anew, the oldest first.
func earlierForms(s *state.State, p *state.Point) []Wording {
	forms := []Wording{}
	for before := s.Point(p.Revises); before != nil && len(forms) < s.Points.Len(); before = s.Point(before.Revises) {
		forms = append(forms, Wording{
			Point: before.ID, Text: before.Text, WordedBy: before.WordedBy,
			Round: before.Round,
		})
	}
	slices.Reverse(forms)
	return forms
}

// bearing is whether the rules bear out what the moderator said in the round.
func bearing(s *state.State, round int) Bearing {
	switch test := s.Council.Consensus(round); {
	case test == nil:
		return BearingNone
	case test.Contradicted():
		return Contradicted
	}
	return BorneOut
}

// violationStatus is what became of a violation: the form that its claim has now is
// looked at, and a form that has the same violation on the record answers for it.
func violationStatus(s *state.State, breach *state.Breach) ViolationStatus {
	p := s.Point(breach.Point)
	if breach.Challenge == "" {
		p = s.Current(breach.Point)
	}
	switch {
	case p == nil || !resolver.Held(p) && (p.UserRuling == nil || p.UserRuling.Bucket == state.BucketDismissed):
		return ViolationGone
	case p.ID != breach.Point && s.Council.Breached(breach.Constraint, p.ID, ""):
		return ViolationGone
	case !resolver.Breaks(s, p, breach):
		return ViolationMended
	}
	if s.OnlyFlags(breach.Constraint) {
		return ViolationFlagged
	}
	return ViolationStands
}

// pointPattern is that of the id of a point.
const pointPattern = "^P[1-9][0-9]*$"

// firstOfCouncil tells where a claim stood by the strategist's presentation alone:
// what it presented is its word. What came later was not evaluated.
func firstOfCouncil(*state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if presented(p) {
			return state.BucketAgreed
		}
		return state.BucketNotEvaluated
	}
}

// presented reports whether a claim is of the strategist's presentation.
func presented(p *state.Point) bool {
	return p.Round == 1 && p.Revises == "" && p.WordedBy == "" && slices.Contains(p.Authors, state.Strategist)
}
