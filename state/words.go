package state

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"moot/internal/enum"
	"moot/internal/jsonlines"
	"moot/ledger"
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
	// Protocol marks what code did by rule, not on behalf of a participant.
	Protocol Seat = "protocol"
)

// Is reports whether the seat is the named one or a further one of its kind: consultee-2 is a
// Consultee.
func (s Seat) Is(first Seat) bool {
	return s == first || strings.HasPrefix(string(s), string(first)+"-")
}

// IsConsultee reports whether the seat is consultee, consultee-2, ….
func (s Seat) IsConsultee() bool { return s.Is(Consultee) }

// UnmarshalText refuses a name that is empty, over 40 bytes, or holds anything
// but lower-case letters, digits and hyphens.
func (s *Seat) UnmarshalText(text []byte) error {
	if err := checkName("seat", text); err != nil {
		return err
	}
	*s = Seat(text)
	return nil
}

// checkName checks the name of a seat or a stage.
func checkName(what string, name []byte) error {
	if len(name) == 0 || len(name) > 40 {
		return fmt.Errorf("the name of a %s has 1 to 40 characters, not %d", what, len(name))
	}
	for _, b := range name {
		if (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '-' {
			return fmt.Errorf("%s %q: only lower-case letters, digits and hyphens", what, name)
		}
	}
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

// UnmarshalText takes an unknown word as PhaseUnknown (PH7).
func (p *Phase) UnmarshalText(text []byte) error {
	word, err := enum.Parse("phase", string(text), Phases())
	if err != nil {
		word = PhaseUnknown
	}
	*p = word
	return nil
}

// Stage is the step inside a round: what a seat is asked for. The list is open: formats add their own.
type Stage string

// The stages of a consultation, in the order of a round. Other formats use some of them.
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
	// StageConclude is the answer to the question, and the objections of others to it (AN).
	StageConclude Stage = "conclude"
	// StageRebut is a second answer in a round of other formats.
	StageRebut Stage = "rebut"
)

// SharedStages returns the stages that no single format owns.
func SharedStages() []Stage {
	return []Stage{
		StageMap, StagePropose, StageEvaluate, StageAnswer, StageRemind, StageJudge, StageCoverage, StageStress,
		StageArbiter, StageConclude, StageRebut,
	}
}

// UnmarshalText refuses a name that no stage can have, like Seat.UnmarshalText.
func (s *Stage) UnmarshalText(text []byte) error {
	if err := checkName("stage", text); err != nil {
		return err
	}
	*s = Stage(text)
	return nil
}

// Kind tells what a point states, which decides how it is ruled (KI). It may be "".
type Kind string

// The kinds of points. A flaw is empirical or a matter of value.
const (
	// Empirical points say how something is; only evidence can establish them.
	Empirical Kind = "empirical"
	// Value points say what is better or worth more.
	Value Kind = "value"
	// Decision points say what shall be done, or how a thing shall be built.
	Decision Kind = "decision"
	// Position points say what somebody holds.
	Position Kind = "position"
)

// Kinds returns every Kind of a point.
func Kinds() []Kind { return []Kind{Empirical, Value, Decision, Position} }

// Part is the place of a sentence in an answer that synthesizes several views. It may be "".
type Part string

// The parts: what the views share, where they part, and what each gives up.
const (
	PartShared  Part = "shared"
	PartDiffers Part = "differs"
	PartGivesUp Part = "gives-up"
)

// Parts returns every Part.
func Parts() []Part { return []Part{PartShared, PartDiffers, PartGivesUp} }

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
func Scopes() []Scope { return []Scope{Untriaged, InScope, OutOfScope, AnchorShift, Late, OverLimit} }

// ChallengeStatus is the status of a challenge (CH).
type ChallengeStatus string

// The statuses.
const (
	StandsOpen ChallengeStatus = "open"
	// StandsAnswered: a defense waits for its judgment. StandsDefended: it was accepted.
	// StandsUpheld: the last one was rejected.
	StandsAnswered ChallengeStatus = "answered"
	StandsDefended ChallengeStatus = "defended"
	StandsUpheld   ChallengeStatus = "upheld"
	// StandsBlocked: a BLOCKED was accepted (CH5).
	StandsBlocked    ChallengeStatus = "blocked"
	StandsDropped    ChallengeStatus = "dropped"
	StandsReminded   ChallengeStatus = "reminded"
	StandsUndefended ChallengeStatus = "undefended"
	StandsConceded   ChallengeStatus = "conceded"
	// StandsGranted: a defender that is no author gave way on a point of the user, who decides.
	StandsGranted ChallengeStatus = "granted"
	// StandsEnded: it was taken back, or its point ended for another reason.
	StandsEnded ChallengeStatus = "ended"
)

// ChallengeStatuses returns every ChallengeStatus.
func ChallengeStatuses() []ChallengeStatus {
	return []ChallengeStatus{
		StandsOpen, StandsAnswered, StandsDefended, StandsUpheld, StandsBlocked, StandsDropped,
		StandsReminded, StandsUndefended, StandsConceded, StandsGranted, StandsEnded,
	}
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

// Deadlock is why a point stays disputed (EX8).
type Deadlock string

// The classes of deadlock.
const (
	DeadlockNone         Deadlock = ""
	DeadlockMissingData  Deadlock = "missing-data"
	DeadlockDefinitional Deadlock = "definitional"
	DeadlockCriteria     Deadlock = "criteria"
	DeadlockDisputed     Deadlock = "disputed"
)

// QuestionKind is the subject of a question to the user.
type QuestionKind string

// The kinds of questions.
const (
	QuestionBlocked     QuestionKind = "blocked"
	QuestionTradeoff    QuestionKind = "tradeoff"
	QuestionDefinition  QuestionKind = "definition"
	QuestionAnchorShift QuestionKind = "anchor-shift"
	QuestionPriority    QuestionKind = "priority"
	QuestionApproval    QuestionKind = "approval"
	QuestionEscalation  QuestionKind = "escalation"
	// QuestionConstraint asks about a fact of the user that a point, another such fact or a verified line contradicts.
	QuestionConstraint QuestionKind = "constraint"
)

// QuestionKinds returns every QuestionKind.
func QuestionKinds() []QuestionKind {
	return []QuestionKind{
		QuestionBlocked, QuestionTradeoff, QuestionDefinition, QuestionAnchorShift,
		QuestionPriority, QuestionApproval, QuestionEscalation, QuestionConstraint,
	}
}

// RequestKind is the kind of a request that the protocol makes once.
type RequestKind string

// The kinds of requests.
const (
	// RequestEvidence asks which evidence would settle the point (JU5).
	RequestEvidence RequestKind = "evidence"
	// RequestClarification asks an author what an ill-formed point means (AC12).
	RequestClarification RequestKind = "clarification"
	// RequestTerms asks both sides of a deadlock for their terms (EX8).
	RequestTerms RequestKind = "terms"
	// RequestCrux asks two authors for what would decide between them (RD1b).
	RequestCrux RequestKind = "crux"
)

// CheckResult is the result of a check that was asked for.
type CheckResult string

// The results of a check. A check that did not run to its end has ResultNone.
const (
	ResultNone  CheckResult = ""
	ResultMet   CheckResult = "met"
	ResultUnmet CheckResult = "unmet"
)

// CheckResults returns every CheckResult except ResultNone.
func CheckResults() []CheckResult { return []CheckResult{ResultMet, ResultUnmet} }

// Exit is how a session ended.
type Exit string

// The exits (EX).
const (
	ExitNone      Exit = ""
	ExitConverged Exit = "converged"
	// ExitUnresolved ends a session in which nobody is left to ask and points stay
	// Unresolved.
	ExitUnresolved Exit = "unresolved"
	ExitCap        Exit = "cap"
	ExitTrivial    Exit = "trivial"
	ExitQuality    Exit = "quality"
	ExitUser       Exit = "user"
	ExitBudget     Exit = "budget"
	ExitPaused     Exit = "paused"
	ExitDecided    Exit = "decided"
)

// Exits returns every Exit.
func Exits() []Exit {
	return []Exit{
		ExitNone, ExitConverged, ExitUnresolved, ExitCap, ExitTrivial, ExitQuality, ExitUser, ExitBudget,
		ExitPaused, ExitDecided,
	}
}

// PauseKind is why a session waits.
type PauseKind string

// The kinds of pauses.
const (
	PauseNone        PauseKind = ""
	PauseUser        PauseKind = "user"
	PauseBudget      PauseKind = "budget"
	PauseUnreachable PauseKind = "unreachable"
	PauseContext     PauseKind = "context"
)

// FailureKind says why a seat gave no usable reply (SE4).
type FailureKind string

// The kinds of failures.
const (
	FailureNone FailureKind = ""
	// FailureRefused: the model declined to answer. FailureFiltered: a filter of its provider
	// stopped the reply.
	FailureRefused  FailureKind = "refused"
	FailureFiltered FailureKind = "filtered"
	// FailureThinking: the model used up its tokens before it replied. FailureLookups: it kept
	// looking things up and never replied.
	FailureThinking FailureKind = "thinking-budget"
	FailureLookups  FailureKind = "lookup-budget"
	// FailureFormat: a reply came, but not in the form that was asked for. FailureEmpty: no reply came.
	FailureFormat FailureKind = "format"
	FailureEmpty  FailureKind = "empty"
	// FailureUnreachable: the participant could not be asked, or its reply broke off on the way.
	FailureUnreachable FailureKind = "unreachable"
	// FailureLimit: a rate, usage or credit limit.
	FailureLimit FailureKind = "limit"
	// FailureLogin: a key or a login is missing, wrong or expired.
	FailureLogin FailureKind = "login"
	// FailureContext: the prompt does not fit the model's context.
	FailureContext FailureKind = "context"
)

// FailureKinds returns every FailureKind.
func FailureKinds() []FailureKind {
	return []FailureKind{
		FailureNone, FailureRefused, FailureFiltered, FailureThinking, FailureLookups, FailureFormat, FailureEmpty,
		FailureUnreachable, FailureLimit, FailureLogin, FailureContext,
	}
}

// Lesson names an option that the server of a participant refuses.
type Lesson struct {
	// Participant is the name of the participant, without a fallback.
	Participant string `json:"participant"`
	// Key names it to the participant that learned it: "tools+effort".
	Key string `json:"key"`
	// Text says it in a sentence, without secrets.
	Text string `json:"text"`
	// Lost says that something is left out that the user asked for, or that helps the model.
	Lost bool `json:"lost,omitempty"`
}

// Failure is why a seat gave no usable reply. It is also why a session ended badly or paused, if a
// seat is the cause (SE4).
type Failure struct {
	Seat Seat        `json:"seat"`
	Kind FailureKind `json:"kind"`
	// Text is one line without secrets: the first line of what the participant or its server said,
	// if Said is set, else what moot says.
	Text string `json:"text,omitempty"`
	Said bool   `json:"said,omitempty"`
	// Resets is when the limit ends, or zero.
	Resets time.Time `json:"resets,omitzero"`
}

// Bucket is where a point ended.
type Bucket string

// The buckets. Open only while the session runs.
const (
	BucketAgreed       Bucket = "agreed"
	BucketDismissed    Bucket = "dismissed"
	BucketUnresolved   Bucket = "unresolved"
	BucketNotEvaluated Bucket = "not_evaluated"
	BucketOpen         Bucket = "open"
)

// Buckets returns every Bucket, in the order of the result.
func Buckets() []Bucket {
	return []Bucket{BucketAgreed, BucketDismissed, BucketUnresolved, BucketNotEvaluated, BucketOpen}
}

// Tag says in a word why a point is in its bucket.
type Tag string

// The tags: of Agreed, of Dismissed, of NotEvaluated.
const (
	TagNone          Tag = ""
	TagExecution     Tag = "execution"
	TagTextual       Tag = "textual"
	TagNotApplicable Tag = "n/a"
	// TagFacts is for points that facts of a packet support.
	TagFacts Tag = "facts"

	TagUser       Tag = "USER"
	TagOutOfScope Tag = "OUT-OF-SCOPE"
	TagViolates   Tag = "VIOLATES-CONSTRAINT"
	TagConceded   Tag = "CONCEDED"
	TagSuperseded Tag = "SUPERSEDED"
	TagUndefended Tag = "UNDEFENDED"
	TagRejected   Tag = "REJECTED"

	TagRaisedLate   Tag = "raised in DEVELOPMENT"
	TagPhaseClosed  Tag = "phase closed"
	TagPhaseUnknown Tag = "phase unknown"
	TagOverLimit    Tag = "over the limit of 7"

	// The tags of the findings of a review.
	TagIndependent Tag = "independent"
	TagConfirmed   Tag = "confirmed"
	TagMisplaced   Tag = "MISPLACED"
	TagRefuted     Tag = "REFUTED"
	TagIntended    Tag = "INTENDED"
	TagFixed       Tag = "FIXED"
	TagBeyondLimit Tag = "over the limit"
)

// Tags returns every Tag.
func Tags() []Tag {
	return []Tag{
		TagNone, TagExecution, TagTextual, TagNotApplicable, TagFacts, TagUser, TagOutOfScope, TagViolates,
		TagConceded, TagSuperseded, TagUndefended, TagRejected, TagRaisedLate, TagPhaseClosed,
		TagPhaseUnknown, TagOverLimit, TagIndependent, TagConfirmed, TagMisplaced, TagRefuted, TagIntended, TagFixed,
		TagBeyondLimit,
	}
}

// Status says why a point is unresolved.
type Status string

// The statuses. Points in other buckets have StatusNone.
const (
	StatusNone         Status = ""
	StatusBlocked      Status = "blocked"
	StatusDisputed     Status = "disputed"
	StatusUnverified   Status = "unverified"
	StatusFound        Status = "found"
	StatusTradeoff     Status = "tradeoff"
	StatusDefinitional Status = "definitional"
	StatusAnchorShift  Status = "pending-anchor-shift"
	StatusConstraint   Status = "pending-constraint"
	StatusOpen         Status = "open"
	// StatusSingle is for a finding that one reviewer raised, and nobody confirmed or refuted.
	StatusSingle Status = "single"
)

// Statuses returns every Status.
func Statuses() []Status {
	return []Status{
		StatusNone, StatusBlocked, StatusDisputed, StatusUnverified, StatusFound, StatusTradeoff, StatusDefinitional,
		StatusAnchorShift, StatusConstraint, StatusOpen,
		StatusSingle,
	}
}

// Receipt is the rule that fired and the ids that it read.
type Receipt struct {
	// Rule is the rule's number: "AC16".
	Rule string `json:"rule"`
	// Reads are the ids of what the rule read, in the order it read them.
	Reads []string `json:"reads"`
}

// Ruling is the resolver's verdict on a point.
type Ruling struct {
	Point  string `json:"point"`
	Bucket Bucket `json:"bucket"`
	Tag    Tag    `json:"tag"`
	Status Status `json:"status"`
	// Crux describes what would resolve an unresolved point; "" for other points.
	Crux string `json:"crux"`
	// Reason explains the ruling in one sentence.
	Reason string `json:"reason"`
	Receipt
}

// Equal reports whether two rulings are the same, receipts included.
func (r *Ruling) Equal(o *Ruling) bool {
	return r.Point == o.Point && r.Bucket == o.Bucket && r.Tag == o.Tag && r.Status == o.Status &&
		r.Crux == o.Crux && r.Reason == o.Reason && r.Rule == o.Rule && slices.Equal(r.Reads, o.Reads)
}

// ClosedWords refuse unknown words in the data of events.
func ClosedWords() jsonlines.Words {
	return jsonlines.JoinWords(
		jsonlines.Closed("mode", append(Modes(), "")...), jsonlines.Closed("framing", append(Framings(), "")...),
		jsonlines.Closed("kind", append(Kinds(), "")...),
		jsonlines.Closed("classification", Classes()...), jsonlines.Closed("scope", Scopes()...),
		jsonlines.Closed("challenge status", ChallengeStatuses()...), jsonlines.Closed("judgment", Judgments()...),
		jsonlines.Closed("deadlock",
			DeadlockNone, DeadlockMissingData, DeadlockDefinitional, DeadlockCriteria, DeadlockDisputed),
		jsonlines.Closed("kind of question", QuestionKinds()...),

		jsonlines.Closed("kind of request", RequestEvidence, RequestClarification, RequestTerms, RequestCrux),
		jsonlines.Closed("result of a check", append(CheckResults(), "")...),
		jsonlines.Closed("exit", Exits()...),
		jsonlines.Closed("kind of pause", PauseNone, PauseUser, PauseBudget, PauseUnreachable, PauseContext),
		jsonlines.Closed("kind of failure", FailureKinds()...),
		jsonlines.Closed("bucket", Buckets()...),
		jsonlines.Closed("tag", Tags()...), jsonlines.Closed("status", Statuses()...),
		jsonlines.Closed("grade", StressGrades()...),
		jsonlines.Closed("override", OverrideKinds()...),
		jsonlines.Closed("evidence type", ledger.Types()...), jsonlines.Closed("source kind", ledger.SourceKinds()...),
		jsonlines.Closed("relation", ledger.Relations()...), jsonlines.Closed("tag", ledger.Tags()...),
		jsonlines.Closed("approval", ledger.Approvals()...),
		jsonlines.Closed("verdict", PlaceVerdicts()...),
	)
}
