package constitution

import (
	"slices"

	"moot/internal/enum"
	"moot/state"
)

// The seats of a council.
const (
	// Strategist holds the claims.
	Strategist state.Seat = "strategist"
	// Critic looks for flaws of method and evidence.
	Critic state.Seat = "critic"
	// Adversary looks for what breaks the claims.
	Adversary state.Seat = "adversary"
	// Moderator merges and narrows, and says whether there is agreement.
	Moderator state.Seat = "moderator"
	// Expert is an optional seat, asked after the adversary.
	Expert state.Seat = "expert"
)

// CouncilSeats returns the seats of a council in the order in which they speak.
func CouncilSeats() []state.Seat {
	return []state.Seat{Strategist, Critic, Adversary, Expert, Moderator}
}

// Constitution holds the rules for the seats of a council.
type Constitution struct {
	// Name is "default" or that of the user's file.
	Name        string       `json:"name"`
	Constraints []Constraint `json:"constraints"`
}

// Constraint is one sentence of a constitution.
type Constraint struct {
	ID   string     `json:"id"`
	Seat state.Seat `json:"seat"`
	// Text goes into the seat's prompt.
	Text string `json:"text"`
	// Check is how code looks after it; CheckNone where it cannot.
	Check Check `json:"check"`
	// Deny are the phrases that CheckNoHarm looks for.
	Deny []string `json:"deny"`
}

// Constraint returns the one with the id, or nil.
func (c *Constitution) Constraint(id string) *Constraint {
	if i := slices.IndexFunc(c.Constraints, func(one Constraint) bool { return one.ID == id }); i >= 0 {
		return &c.Constraints[i]
	}
	return nil
}

// Check is how code looks after a constraint.
type Check string

// The checks.
const (
	CheckNone Check = ""
	// CheckCites demands a reference of a factual claim.
	CheckCites Check = "cites-evidence"
	// CheckUncertainty demands a limit, a range, or a confidence below 1 with its
	// reason.
	CheckUncertainty Check = "states-uncertainty"
	// CheckMethod demands that a challenge names method, sample, assumption or
	// confounder.
	CheckMethod Check = "challenges-method"
	// CheckDiverse demands references of two sources of a key claim.
	CheckDiverse Check = "diverse-sources"
	// CheckFeasible demands that a proposal says how it is carried out.
	CheckFeasible Check = "feasibility"
	// CheckBias flags a claim whose support is of one source, one seat or one
	// polarity.
	CheckBias Check = "bias"
	// CheckNoHarm blocks claims that hold a phrase of the user's.
	CheckNoHarm Check = "no-harm"
)

// Checks returns every Check but CheckNone.
func Checks() []Check {
	return []Check{CheckCites, CheckUncertainty, CheckMethod, CheckDiverse, CheckFeasible, CheckBias, CheckNoHarm}
}

// UnmarshalText refuses unknown checks.
func (c *Check) UnmarshalText(text []byte) error {
	return enum.Unmarshal("check", text, append(Checks(), CheckNone), c)
}
