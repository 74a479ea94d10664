package state

import (
	"fmt"
	"strings"

	"moot/internal/enum"
)

// Seat is a role at the table. The list is open: formats name seats of their
// own, and further consultees are consultee-2, consultee-3, ….
type Seat string

// The seats that every format knows.
const (
	Orchestrator Seat = "orchestrator"
	Consultee    Seat = "consultee"
	Arbiter      Seat = "arbiter"
	User         Seat = "user"
	// Protocol marks what code did by rule, in no participant's name.
	Protocol Seat = "protocol"
)

// String returns the seat's name.
func (s Seat) String() string { return string(s) }

// IsConsultee reports whether the seat is consultee, consultee-2, ….
func (s Seat) IsConsultee() bool {
	return s == Consultee || strings.HasPrefix(string(s), string(Consultee)+"-")
}

// UnmarshalText refuses a name that is empty, over 40 bytes, or holds anything
// but lower-case letters, digits and hyphens.
func (s *Seat) UnmarshalText(text []byte) error {
	if len(text) == 0 || len(text) > 40 {
		return fmt.Errorf("a seat's name has 1 to 40 characters, not %d", len(text))
	}
	for _, b := range text {
		if (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '-' {
			return fmt.Errorf("seat %q: only lower-case letters, digits and hyphens", text)
		}
	}
	*s = Seat(text)
	return nil
}

// Phase is the part of a deliberation (PH1); what may enter depends on it.
type Phase string

// The phases. PhaseUnknown behaves as Development (PH7).
const (
	PhaseUnknown    Phase = ""
	Constructive    Phase = "CONSTRUCTIVE"
	Development     Phase = "DEVELOPMENT"
	Crystallization Phase = "CRYSTALLIZATION"
)

// Phases returns every Phase but the unknown one, in order.
func Phases() []Phase { return []Phase{Constructive, Development, Crystallization} }

// String returns the word itself.
func (p Phase) String() string { return string(p) }

// UnmarshalText takes an unknown word as PhaseUnknown (PH7).
func (p *Phase) UnmarshalText(text []byte) error {
	word, err := enum.Parse("phase", string(text), Phases())
	if err != nil {
		word = PhaseUnknown
	}
	*p = word
	return nil
}

// Stage is the step inside a round: what a seat is asked for.
type Stage string

// The stages of the consult format, in the order of a round.
const (
	StageMap      Stage = "map"
	StagePropose  Stage = "propose"
	StageEvaluate Stage = "evaluate"
	StageAnswer   Stage = "answer"
	StageRemind   Stage = "remind"
	StageJudge    Stage = "judge"
	StageCoverage Stage = "coverage"
	StageStress   Stage = "stress"
	StageArbiter  Stage = "arbitrate"
)

// The stages of the panel format beside those of a consultation: which answers
// are about the same is marked, and who said nothing on what is contested takes
// a side.
const (
	StageTriage Stage = "triage"
	StageVote   Stage = "vote"
)

// The stages of the council format beside propose, answer, remind and judge.
const (
	// StageCritique is the critic's look at the claims, StageAttack the adversary's;
	// StageRebut is the answer to the latter.
	StageCritique Stage = "critique"
	StageAttack   Stage = "attack"
	StageRebut    Stage = "rebut"
	StageAdvise   Stage = "advise"
	// StageMend gives what violates the constitution back to its seat.
	StageMend       Stage = "mend"
	StageSynthesize Stage = "synthesize"
)

// The stages of the hearing format beside answer.
const (
	// StageArgue is the first argument of a side, unseen by the other.
	StageArgue Stage = "argue"
	// StageProbe is the oracle's argument against the side that is more confident.
	StageProbe Stage = "probe"
	// StageExchange is an argument that knows the other's.
	StageExchange Stage = "exchange"
	// StageContest cites what contradicts the other's claims, one by one.
	StageContest Stage = "contest"
)

// Stages returns every Stage.
func Stages() []Stage {
	return []Stage{
		StageMap, StagePropose, StageEvaluate, StageAnswer, StageRemind,
		StageJudge, StageCoverage, StageStress, StageArbiter, StageTriage, StageVote,
		StageCritique, StageAttack, StageRebut, StageAdvise, StageMend, StageSynthesize,
		StageArgue, StageProbe, StageExchange, StageContest,
	}
}

// String returns the word itself.
func (s Stage) String() string { return string(s) }

// UnmarshalText refuses a word that is no Stage.
func (s *Stage) UnmarshalText(text []byte) error {
	return enum.Unmarshal("stage", text, Stages(), s)
}

// Kind tells whether evidence can settle a point. It may be "": only a REJECT must name the
// kind of its flaw (RD3).
type Kind string

// The kinds of points and of flaws.
const (
	Empirical Kind = "empirical"
	Value     Kind = "value"
)

// Kinds returns every Kind.
func Kinds() []Kind { return []Kind{Empirical, Value} }

// String returns the word itself.
func (k Kind) String() string { return string(k) }

// UnmarshalText refuses a word that is neither a Kind nor "".
func (k *Kind) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*k = ""
		return nil
	}
	return enum.Unmarshal("kind", text, Kinds(), k)
}

// Class is how a seat other than the author classifies a point (RD3).
type Class string

// The classes.
const (
	Agree     Class = "AGREE"
	Skeptical Class = "SKEPTICAL"
	Reject    Class = "REJECT"
	IllFormed Class = "ILL-FORMED"
)

// Classes returns every Class.
func Classes() []Class { return []Class{Agree, Skeptical, Reject, IllFormed} }

// String returns the word itself.
func (c Class) String() string { return string(c) }

// UnmarshalText refuses a word that is no Class.
func (c *Class) UnmarshalText(text []byte) error {
	return enum.Unmarshal("classification", text, Classes(), c)
}

// Scope is the result of triage (RD2), or the reason that a point was not admitted (PH4).
type Scope string

// The scopes. Untriaged points are Open.
const (
	Untriaged   Scope = "untriaged"
	InScope     Scope = "in-scope"
	OutOfScope  Scope = "out-of-scope"
	AnchorShift Scope = "anchor-shift"
	Late        Scope = "late"
	OverLimit   Scope = "over-limit"
)

// Scopes returns every Scope.
func Scopes() []Scope {
	return []Scope{Untriaged, InScope, OutOfScope, AnchorShift, Late, OverLimit}
}

// String returns the word itself.
func (s Scope) String() string { return string(s) }

// UnmarshalText refuses a word that is no Scope.
func (s *Scope) UnmarshalText(text []byte) error {
	return enum.Unmarshal("scope", text, Scopes(), s)
}

// ChallengeStatus is the status of a challenge (CH).
type ChallengeStatus string

// The statuses. StandsDefended means that there is a defense; its judgment tells whether it
// was accepted.
const (
	StandsOpen       ChallengeStatus = "open"
	StandsDefended   ChallengeStatus = "defended"
	StandsDropped    ChallengeStatus = "dropped"
	StandsReminded   ChallengeStatus = "reminded"
	StandsUndefended ChallengeStatus = "undefended"
	StandsConceded   ChallengeStatus = "conceded"
)

// ChallengeStatuses returns every ChallengeStatus.
func ChallengeStatuses() []ChallengeStatus {
	return []ChallengeStatus{
		StandsOpen, StandsDefended, StandsDropped,
		StandsReminded, StandsUndefended, StandsConceded,
	}
}

// String returns the word itself.
func (s ChallengeStatus) String() string { return string(s) }

// UnmarshalText refuses a word that is no ChallengeStatus.
func (s *ChallengeStatus) UnmarshalText(text []byte) error {
	return enum.Unmarshal("challenge status", text, ChallengeStatuses(), s)
}

// Judgment is the challenger's verdict on a defense (CH5).
type Judgment string

// The judgments.
const (
	Unjudged Judgment = ""
	Accepted Judgment = "accepted"
	Rejected Judgment = "rejected"
)

// Judgments returns every Judgment.
func Judgments() []Judgment { return []Judgment{Unjudged, Accepted, Rejected} }

// String returns the word itself.
func (j Judgment) String() string { return string(j) }

// UnmarshalText refuses a word that is no Judgment.
func (j *Judgment) UnmarshalText(text []byte) error {
	return enum.Unmarshal("judgment", text, Judgments(), j)
}
