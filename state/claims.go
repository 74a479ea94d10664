package state

import (
	"fmt"
	"reflect"
	"slices"

	"moot/ledger"
)

// Claims is the part of a State that only debates over claims have, see Own.Claims: what was claimed, how it was argued
// and how it was ruled. In other sessions it stays empty.
type Claims struct {
	Points     List[Point]
	Challenges List[Challenge]
	Evidence   List[ledger.Evidence]
	Requests   List[Request]
	Confidence List[Confidence]
	Drifts     List[Drift]
	Pairs      List[PointsPaired]
	Notes      List[PointNoted]
	// Reading is another reading of the anchor that the user consented to.
	Reading string
	// FactsAgainst are the facts of the user that verified lines contradict, live or not.
	FactsAgainst []FactAgainst
	// Unheard are the refutations that an author of their point has not had a turn to contest.
	Unheard []string
	// Commands are the evidence items that are commands, in order. CommandRules are the decisions of the user on
	// commands, the latest last.
	Commands     []string
	CommandRules []CommandRule

	// Rulings are the recorded rulings by point, RuledRound and RuledSeq the
	// round and sequence number of the last ruled event, Changed how many rulings it
	// changed, and Idle how many rounds in a row brought neither evidence nor
	// a changed ruling (ST5).
	Rulings    List[Ruling]
	RuledRound int
	RuledSeq   int
	Changed    int
	Idle       int
	// SettledRound is the last round in which a point left Open.
	SettledRound int
	// Constraints is the sequence number of the last event that may bear on every point:
	// a user fact, the exit.
	Constraints int
	// Answers are the answers to the question, the latest last (AN).
	Answers []Answer

	// Trivial says that a seat found the question factual or trivial (EX3).
	Trivial bool
	// Stress is the round of the stress test, 0 before (RD9). StressAsked is the round in which it was first asked for.
	Stress, StressAsked int
	// Arbitrated says that the arbiter has spoken, ArbiterAsked that the user asks it to. Flags are its doubts.
	Arbitrated, ArbiterAsked bool
	Flags                    []Flag
}

// claimKinds is the table of the events that only debates over claims have.
func claimKinds() []func() Payload {
	return []func() Payload{
		Create[PointRaised], Create[PointTriaged], Create[PointsMerged], Create[PointsPaired], Create[PointClassified],
		Create[KindCalled], Create[PremiseNamed], Create[PointRevised], Create[PointConceded], Create[PointBlocked],
		Create[PointDeadlocked], Create[PointNoted], Create[ViolationNamed], Create[Requested], Create[RequestSettled],
		Create[ConfidenceReported], Create[DriftDetected], Create[ChallengeRaised], Create[ChallengeAnswered],
		Create[ChallengeJudged], Create[ChallengeDropped], Create[ChallengeReminded], Create[ChallengeUnconfirmed],
		Create[ChallengeUndefended], Create[ChallengeConceded], Create[ChallengeGranted], Create[ChallengeReopened],
		Create[EvidenceOffered], Create[EvidenceVerified], Create[EvidenceRefused], Create[EvidenceAccepted],
		Create[EvidenceContested], Create[ContestAnswered], Create[ContestEnded], Create[Withdrawn],
		Create[CommandApproved], Create[AnchorShiftConsented], Create[Ruled], Create[AnswerGiven],
		Create[AnswerContested], Create[StressTested], Create[Arbitrated], Create[FoundTrivial],
	}
}

// claimTypes are the types of claimKinds.
var claimTypes = func() map[reflect.Type]bool { //nolint:gochecknoglobals // a table
	types := map[reflect.Type]bool{}
	for _, create := range claimKinds() {
		types[reflect.TypeOf(create())] = true
	}
	return types
}()

// NextPoint returns the id of the next point.
func (c *Claims) NextPoint() string { return NextID('P', c.Points.Len()) }

// NextChallenge returns the id of the next challenge.
func (c *Claims) NextChallenge() string { return NextID('C', c.Challenges.Len()) }

// NextEvidence returns the id of the next evidence item.
func (c *Claims) NextEvidence() string { return NextID('E', c.Evidence.Len()) }

// Point returns the point with the id, or nil. A merged id is not followed;
// see Live.
func (c *Claims) Point(id string) *Point { return c.Points.At(Index(id, 'P')) }

// Live returns the point with the id, following merges. It is nil for an unknown id.
func (c *Claims) Live(id string) *Point {
	p := c.Point(id)
	for steps := 0; p != nil && p.MergedInto != "" && steps < c.Points.Len(); steps++ {
		p = c.Point(p.MergedInto)
	}
	return p
}

// Current returns the point with the id, following merges and revisions up to a form that the user ruled on. It is
// nil for an unknown id.
func (c *Claims) Current(id string) *Point {
	p := c.Live(id)
	for steps := 0; p != nil && p.RevisedBy != "" && p.UserRuling == nil && steps < c.Points.Len(); steps++ {
		p = c.Live(p.RevisedBy)
	}
	return p
}

// Challenge returns the challenge with the id, or nil.
func (c *Claims) Challenge(id string) *Challenge { return c.Challenges.At(Index(id, 'C')) }

// Item returns the evidence item with the id, or nil.
func (c *Claims) Item(id string) *ledger.Evidence { return c.Evidence.At(Index(id, 'E')) }

// Ruling returns the recorded ruling of the point, or nil.
func (c *Claims) Ruling(point string) *Ruling { return c.Rulings.At(Index(point, 'P')) }

// touchPoint marks a point as changed by the current event. The change may be nil.
func (s *State) touchPoint(id string, change func(*Point)) {
	s.Points = s.Points.Update(Index(id, 'P'), func(p *Point) {
		p.Seq = s.Seq
		if change != nil {
			change(p)
		}
	})
}

// ChangePoint changes a copy of a point and marks it as changed by the current event. The change
// may be nil.
func (s *State) ChangePoint(id string, change func(*Point)) error {
	if s.Point(id) == nil {
		return Unknown("point", id)
	}
	s.touchPoint(id, change)
	return nil
}

// Ruled ends a round: the changed rulings with their receipts (RD7).
type Ruled struct {
	Round   int      `json:"round"`
	Rulings []Ruling `json:"rulings"`
}

func (e *Ruled) Fold(s *State) error {
	fresh := e.Round > s.RuledRound
	for i := range e.Rulings {
		r := e.Rulings[i]
		at := Index(r.Point, 'P')
		var before Bucket
		switch {
		case at < 0 || at >= s.Points.Len():
			return fmt.Errorf("a ruling names %s, which is not a point", r.Point)
		case at == s.Rulings.Len():
			s.Rulings = s.Rulings.Append(&r)
			before = BucketOpen
		case at > s.Rulings.Len():
			return fmt.Errorf("a ruling on %s came before those on earlier points", r.Point)
		default:
			before = s.Rulings.At(at).Bucket
			s.Rulings = s.Rulings.Update(at, func(old *Ruling) { *old = r })
		}
		if before == BucketOpen && r.Bucket != BucketOpen {
			s.SettledRound = e.Round
		}
	}
	if fresh {
		s.Changed = len(e.Rulings)
		verified := s.Evidence.Any(func(item *evidence) bool { return item.Verified && item.Seq > s.RuledSeq })
		if s.Idle++; s.Changed > 0 || verified {
			s.Idle = 0
		}
	}
	s.RuledRound, s.RuledSeq = e.Round, s.Seq
	return nil
}

// StressGrade is how a seat grades the strongest objection (RD9).
type StressGrade string

// The grades.
const (
	StressFatal      StressGrade = "fatal"
	StressUnresolved StressGrade = "unresolved"
	StressMitigable  StressGrade = "mitigable"
)

// StressGrades returns every StressGrade.
func StressGrades() []StressGrade {
	return []StressGrade{StressFatal, StressUnresolved, StressMitigable}
}

// StressTested is the strongest objection and its grade (RD9).
type StressTested struct {
	By        Seat        `json:"by"`
	Point     string      `json:"point"`
	Objection string      `json:"objection"`
	Grade     StressGrade `json:"grade"`
}

func (e *StressTested) Fold(s *State) error {
	s.Stress = max(1, s.Round)
	return nil
}

// Arbitrated holds the arbiter's flags (AR); flags never change a bucket.
type Arbitrated struct {
	Flags []Flag `json:"flags"`
	// Missing says why arbitration was due although the seat is not filled, or is "".
	Missing string `json:"missing,omitempty"`
}

func (e *Arbitrated) Fold(s *State) error {
	s.Arbitrated, s.ArbiterAsked = true, false
	s.Flags = slices.Clone(e.Flags)
	if e.Missing != "" {
		s.warn(e.NotSeated())
	}
	return nil
}

// NotSeated says that arbitration is due although no arbiter is seated, and how to seat one.
func (e *Arbitrated) NotSeated() string {
	return "arbitration is due (" + e.Missing + "), and no arbiter is seated; seat one with --arbiter PARTICIPANT"
}

// FoundTrivial says that a seat found the question factual or trivial (EX3).
type FoundTrivial struct {
	By     Seat   `json:"by"`
	Reason string `json:"reason"`
}

func (*FoundTrivial) Fold(s *State) error {
	s.Trivial = true
	return nil
}
