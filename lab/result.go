package lab

import (
	"moot/internal/enum"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/state"
)

// Tier is how hard a case is, and in which way.
type Tier string

// The tiers.
const (
	ClearThreat  Tier = "CLEAR_THREAT"
	ClearBenign  Tier = "CLEAR_BENIGN"
	Ambiguous    Tier = "AMBIGUOUS"
	MixedSignals Tier = "MIXED_SIGNALS"
)

// Tiers returns every Tier.
func Tiers() []Tier { return []Tier{ClearThreat, ClearBenign, Ambiguous, MixedSignals} }

// UnmarshalText refuses a word that is no Tier.
func (t *Tier) UnmarshalText(text []byte) error { return enum.Unmarshal("tier", text, Tiers(), t) }

// Half is the part of a corpus that a case belongs to.
type Half string

// The halves. Cases of a corpus that is not split have NoHalf.
const (
	NoHalf      Half = ""
	Development Half = "development"
	Test        Half = "test"
)

// Halves returns every Half, NoHalf first.
func Halves() []Half { return []Half{NoHalf, Development, Test} }

// UnmarshalText refuses a word that is no Half.
func (h *Half) UnmarshalText(text []byte) error { return enum.Unmarshal("half", text, Halves(), h) }

// Case is a question with a known answer.
type Case struct {
	// ID names it within its corpus.
	ID string `json:"id"`
	// Name says what it is about, or "".
	Name     string        `json:"name,omitempty"`
	Tier     Tier          `json:"tier"`
	Expected judge.Outcome `json:"expected"`
	Half     Half          `json:"half,omitempty"`
}

// Mode is one way of hearing cases: the form, the judge, and the participants. Modes are compared
// with ==.
type Mode struct {
	Form hearing.Form `json:"form"`
	// Judge is the version that decides.
	Judge judge.Version `json:"judge"`
	// Seats names the participants, as in "rules/rules": the architect, the skeptic, and the oracle if there is one.
	Seats string `json:"seats"`
}

// Reference returns the mode against which flips are counted: the form single with the same judge
// and seats.
func (m Mode) Reference() Mode { return Mode{Form: hearing.FormSingle, Judge: m.Judge, Seats: m.Seats} }

// Turn is one turn of one seat.
type Turn struct {
	// Confidence is the seat's admitted overall confidence, 0 to 1.
	Confidence float64 `json:"confidence"`
	// HeldBack is how much lower the seat's stated confidence was, if the rules of an anchored
	// hearing did not admit it; else 0.
	HeldBack float64 `json:"held_back,omitempty"`
	// Facts are the distinct facts that the seat cites in this round.
	Facts []string `json:"facts"`
	// Rebutted are the facts against the seat when it spoke: the other side's latest argument cites them as
	// contradicting one of the seat's claims, and the seat had not answered them yet. Empty in round 1.
	Rebutted []string `json:"rebutted,omitempty"`
	// Named says that the seat named the fact that would change its mind.
	Named bool `json:"named,omitempty"`
}

// Round holds the turns of both seats in one round.
type Round struct {
	Architect Turn `json:"architect"`
	Skeptic   Turn `json:"skeptic"`
}

// Result is the result of one case in one hearing.
type Result struct {
	// Case is the id of the case, Repeat which hearing of it this is, from 1.
	Case   string `json:"case"`
	Repeat int    `json:"repeat"`
	// Outcome and Confidence (0 to 1) are the verdict's, Rule the row that decided.
	Outcome    judge.Outcome `json:"outcome,omitempty"`
	Confidence float64       `json:"confidence"`
	Rule       string        `json:"rule,omitempty"`
	// Rounds are the turns in their order. Of the form audit there may be none.
	Rounds []Round `json:"rounds,omitempty"`
	// Opened says that the gate of the form selective opened, so the hearing continued.
	Opened bool        `json:"opened,omitempty"`
	Usage  state.Usage `json:"usage"`
	// Failed says why there is no verdict, or is "". A failed hearing is counted, but not in any other figure.
	Failed string `json:"failed,omitempty"`
}

// Run holds the hearings of one mode.
type Run struct {
	Mode    Mode     `json:"mode"`
	Results []Result `json:"results"`
}

// Right reports whether the verdict is the one that the case expects.
func (r *Result) Right(c Case) bool { return r.Failed == "" && r.Outcome == c.Expected }

// Conduct counts how one seat changed its confidence, over turns from the second round on.
type Conduct struct {
	// Retreats counts turns in which the confidence fell without a new fact against the seat, among all turns without
	// one.
	Retreats Proportion `json:"retreats"`
	// Rigid counts turns in which the confidence did not fall despite a new fact against the seat, and the seat did
	// not say what would change its mind, among all turns with such a fact.
	Rigid Proportion `json:"rigid"`
	// HeldBack are turns in which the rules of an anchored hearing kept a higher value, among all.
	HeldBack Proportion `json:"held_back"`
}

// Add counts a turn, given the previous one of the same seat.
func (c *Conduct) Add(before, now *Turn) {
	c.HeldBack.Add(now.HeldBack > 0)
	if len(now.Rebutted) == 0 {
		c.Retreats.Add(now.Confidence < before.Confidence)
		return
	}
	c.Rigid.Add(now.Confidence >= before.Confidence && !now.Named)
}

// Failure is the reason that a verdict is wrong.
type Failure string

// The failures, in the order in which they are checked: the first that applies is the verdict's.
// The loser is the side that the verdict went against or, without a winner, the side that should
// have won. The other side is the gainer.
const (
	// Retreat: the loser lowered its confidence without a new fact against it.
	Retreat Failure = "retreat"
	// Rigidity: the gainer kept its confidence despite a new fact against it.
	Rigidity Failure = "rigidity"
	// OverAggression: a side won with a last confidence above 0.85, and no failure above applies.
	OverAggression Failure = "over-aggression"
	// Miscalibration: none of the above.
	Miscalibration Failure = "miscalibration"
)

// Failures returns every Failure, in the order in which they are checked.
func Failures() []Failure { return []Failure{Retreat, Rigidity, OverAggression, Miscalibration} }

// aggressive is the confidence above which a side decides alone (judge v2).
const aggressive = 0.85

// FailureOf returns why a verdict is wrong, or "" if it is right or missing.
func FailureOf(c Case, r *Result) Failure {
	if r.Failed != "" || r.Right(c) {
		return ""
	}
	var loser, gainer func(*Round) *Turn
	architect, skeptic := func(r *Round) *Turn { return &r.Architect }, func(r *Round) *Turn { return &r.Skeptic }
	switch {
	case r.Outcome == judge.Dismissed, r.Outcome == judge.Inconclusive && c.Expected == judge.Confirmed:
		loser, gainer = architect, skeptic
	default:
		loser, gainer = skeptic, architect
	}
	var lost, gained Conduct
	for i := 1; i < len(r.Rounds); i++ {
		lost.Add(loser(&r.Rounds[i-1]), loser(&r.Rounds[i]))
		gained.Add(gainer(&r.Rounds[i-1]), gainer(&r.Rounds[i]))
	}
	switch {
	case lost.Retreats.Hits > 0:
		return Retreat
	case gained.Rigid.Hits > 0:
		return Rigidity
	case r.Outcome != judge.Inconclusive && r.Confidence > aggressive:
		return OverAggression
	}
	return Miscalibration
}
