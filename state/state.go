package state

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"moot/ledger"
)

// Predicate is the machine-readable form of a point or a user fact.
type Predicate = ledger.Predicate

// State is a session after some of its events. Once it is returned, it never changes: Apply, Extend
// and Replay return another one.
type State struct {
	// Seq and At belong to the last event.
	Seq int
	At  time.Time
	// Channel is the way that the last event came.
	Channel Channel
	// ByAgent says that a coding agent opened the session: what it named, the user did not name. It holds when the user
	// continues the session.
	ByAgent bool
	// Before is the time of the event before the last one.
	Before time.Time
	// ID, Question, OpenedAt and Settings come from session-opened. The question is the
	// anchor: verbatim, unchangeable (INV2).
	ID       string
	Version  int
	Question string
	OpenedAt time.Time
	Settings Settings
	// Rules is the session's format, see Rules.
	Rules Rules
	// Fork identifies the session that this one was forked from. Its From is "" unless it is a fork.
	Fork Fork
	// Reading is another reading of the anchor that the user consented to.
	Reading string
	Seats   []SeatAssignment

	Map   Map
	Round int
	// RoundSeq is the sequence number of the last round-started.
	RoundSeq int
	Phase    Phase
	// Extended says that round 3 stayed CONSTRUCTIVE (PH2).
	Extended bool

	Points     List[Point]
	Challenges List[Challenge]
	Evidence   List[ledger.Evidence]
	Facts      List[ledger.Fact]
	// FactsAgainst are the facts of the user that verified lines contradict, live or not.
	FactsAgainst []FactAgainst
	// Packet holds the facts of a closed world. It is empty until it is frozen, and never changes
	// after that. packetParts are the facts recorded until then.
	Packet      ledger.Packet
	packetParts []json.RawMessage
	Questions   List[Question]
	Requests    List[Request]
	Confidence  List[Confidence]
	Drifts      List[Drift]
	Pairs       List[PointsPaired]
	Notes       List[PointNoted]
	// Answers are the answers to the question, the latest last (AN).
	Answers  []Answer
	Lookups  List[LookupAnswered]
	Flags    []Flag
	Warnings []string
	// Withheld lists the files, and the lines, that did not reach seats, in the order of the record.
	Withheld []Withheld
	shown    []shown
	// Untaken are the moves that were over a limit.
	Untaken []Untaken
	// Searched are the notes of built-in rules on a search: why it failed, or what it left out.
	Searched []string

	// Unheard are the refutations that an author of their point has not had a turn to contest;
	// Turns the sequence number of the last prompt that each seat answered.
	Unheard []string
	Turns   []SeatCount

	// Commands are the evidence items that are commands, in order; CommandRules
	// what the user decided of commands, the latest last; AllowedCommands the
	// patterns that the run was started with.
	Commands        []string
	CommandRules    []CommandRule
	AllowedCommands []string

	// Moves counts the admitted moves of each seat.
	Moves []SeatCount
	// Asked holds what the seats were asked in this round, per seat and stage.
	Asked []Asked
	// Budgets are the prompt limits, in tokens, of seats whose endpoint refused a prompt for its
	// length (LE7).
	Budgets []SeatCount
	// Failures are the replies in a row that could not be used, per seat and in order (EX4). Those
	// that an older moot recorded have no kind.
	Failures []Failure
	// Notices are about fields that were dropped from a seat's last reply.
	Notices []SeatNotice
	// Quality counts quality failures (EX4), QualityReason is the last.
	Quality       int
	QualityReason string
	// QualityFailure is the failure of the last one; off-topic replies have none.
	QualityFailure Failure
	QualityStage   Stage
	// QualityOf counts them per seat.
	QualityOf []SeatCount
	// Trivial says that a seat found the question factual or trivial (EX3).
	Trivial bool
	// Coverage is the round in which the coverage check was done, 0 before
	// (RD8); NewDisputes what it found.
	Coverage    int
	NewDisputes int
	// Stress is the round of the stress test, 0 before (RD9). StressAsked is the round in which it was first asked for.
	Stress, StressAsked int
	// FactsListed says that the unverified facts were evaluated (LE5).
	FactsListed bool
	// Arbitrated says that the arbiter has spoken, ArbiterAsked that the user asks it to.
	Arbitrated, ArbiterAsked bool

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

	// Missing are the seats that gave no answer, in a format that continues without them.
	Missing []SeatMissed
	// Own is the part of the state that only the format reads and changes, see Own. It is never
	// changed in place.
	Own any

	// Constraints is the sequence number of the last event that may bear on every point:
	// a user fact, the exit.
	Constraints int
	// Exit is set once the session is over: no more rounds. ExitFailure is set if a seat is the cause.
	Exit        Exit
	ExitReason  string
	ExitFailure Failure
	// ConcludeFailure is why the seat that should have answered the question did not, if it failed.
	ConcludeFailure Failure
	// Paused says why the session waits, "" while it runs. PauseFailure is set if a seat is the cause.
	Paused       PauseKind
	PauseReason  string
	PauseFailure Failure
	// Unsettled is the pause for a failure that the session was resumed from, until a reply shows that it is over; else
	// nil.
	Unsettled *SessionPaused
	// Closed is set by session-closed. Digest is the hash of all rulings.
	Closed       bool
	ClosedAt     time.Time
	Digest       string
	Inconclusive bool
	// Decided is the sequence number of a decision of the user that followed the end of the session, until the
	// session is closed again; otherwise 0.
	Decided int

	// Conversations are those that participants keep across rounds.
	Conversations []SeatConversation

	Usage Usage
	// Spent counts what each participant used in each seat, without calls that took no tokens.
	Spent []SeatUsage
	// MaxTokens, MaxCost and MaxSeconds are the current limits; 0 means no limit.
	MaxTokens  int
	MaxCost    float64
	MaxSeconds int
	// Active is the running time so far without pauses. Resumed is the time of the last
	// start or resume.
	Active  time.Duration
	Resumed time.Time
}

// FailuresOf returns the replies in a row of a seat that could not be used.
func (s *State) FailuresOf(seat Seat) []Failure {
	return slices.DeleteFunc(slices.Clone(s.Failures), func(f Failure) bool { return f.Seat != seat })
}

// ByEarlierRules reports whether an earlier version recorded the session: its rulings are those that it stores, and
// it can't continue.
func (s *State) ByEarlierRules() bool { return s.Version > 0 && s.Version < Version }

// Over reports whether the session is closing: an exit was reached.
func (s *State) Over() bool { return s.Exit != ExitNone }

// WasClosed reports whether the session was closed, also while a decision of the user that came after is taken in.
func (s *State) WasClosed() bool { return s.Closed || s.Decided > 0 }

// Ended returns the exit as it is shown: corrected by the recorded rulings.
func (s *State) Ended() Exit {
	unresolved := 0
	for i, r := range s.Rulings.All() {
		if p := s.Points.At(i); r.Bucket == BucketUnresolved && p != nil && p.MergedInto == "" {
			unresolved++
		}
	}
	return s.Exit.WithUnresolved(unresolved)
}

// WithUnresolved corrects the exit of a session with unresolved points: it did not converge
// (EX1), though an older version may have recorded that it did.
func (e Exit) WithUnresolved(unresolved int) Exit {
	if e == ExitConverged && unresolved > 0 {
		return ExitUnresolved
	}
	return e
}

// Index returns the list index of an id such as "P12" with the prefix 'P', or -1.
func Index(id string, prefix byte) int {
	if len(id) < 2 || id[0] != prefix || id[1] == '0' || id[1] == '+' {
		return -1
	}
	n, err := strconv.Atoi(id[1:])
	if err != nil || n < 1 {
		return -1
	}
	return n - 1
}

// NextID returns the id that the next item of a list of n gets: "P3" for 'P'
// and 2.
func NextID(prefix byte, n int) string { return string(prefix) + strconv.Itoa(n+1) }

// NextPoint, NextChallenge, NextEvidence, NextFact and NextQuestion return the id that the next one gets.
func (s *State) NextPoint() string     { return NextID('P', s.Points.Len()) }
func (s *State) NextChallenge() string { return NextID('C', s.Challenges.Len()) }
func (s *State) NextEvidence() string  { return NextID('E', s.Evidence.Len()) }
func (s *State) NextFact() string      { return NextID('F', s.Facts.Len()) }
func (s *State) NextQuestion() string  { return NextID('Q', s.Questions.Len()) }

// Point returns the point with the id, or nil. A merged id is not followed;
// see Live.
func (s *State) Point(id string) *Point { return s.Points.At(Index(id, 'P')) }

// Live returns the point with the id, following merges. It is nil for an unknown id.
func (s *State) Live(id string) *Point {
	p := s.Point(id)
	for steps := 0; p != nil && p.MergedInto != "" && steps < s.Points.Len(); steps++ {
		p = s.Point(p.MergedInto)
	}
	return p
}

// Current returns the point with the id, following merges and revisions up to a form that the user ruled on. It is nil for
// an unknown id.
func (s *State) Current(id string) *Point {
	p := s.Live(id)
	for steps := 0; p != nil && p.RevisedBy != "" && p.UserRuling == nil && steps < s.Points.Len(); steps++ {
		p = s.Live(p.RevisedBy)
	}
	return p
}

// Challenge returns the challenge with the id, or nil.
func (s *State) Challenge(id string) *Challenge { return s.Challenges.At(Index(id, 'C')) }

// Item returns the evidence item with the id, or nil.
func (s *State) Item(id string) *ledger.Evidence { return s.Evidence.At(Index(id, 'E')) }

// EvidenceKind returns the kind of evidence that owns a reference.
func (s *State) EvidenceKind(reference string) ledger.Kind {
	return ledger.KindOf(ledger.Kinds(s.Settings.Kinds), reference)
}

// Fact returns the fact with the id, or nil.
func (s *State) Fact(id string) *ledger.Fact { return s.Facts.At(Index(id, 'F')) }

// QuestionByID returns the question to the user with the id, or nil.
func (s *State) QuestionByID(id string) *Question { return s.Questions.At(Index(id, 'Q')) }

// Ruling returns the recorded ruling of the point, or nil.
func (s *State) Ruling(point string) *Ruling { return s.Rulings.At(Index(point, 'P')) }

// first returns the first element for which pick is true, or nil.
func first[T any](list []T, pick func(*T) bool) *T {
	for i := range list {
		if pick(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// Assignment returns who fills the seat now, and whether it is filled.
func (s *State) Assignment(seat Seat) (SeatAssignment, bool) {
	if a := first(s.Seats, func(a *SeatAssignment) bool { return a.Seat == seat }); a != nil {
		return *a, true
	}
	return SeatAssignment{}, false
}

// Consultees returns the consultees' seats in order.
func (s *State) Consultees() []Seat { return s.SeatsThat(Seat.IsConsultee) }

// SeatsThat returns the filled seats for which pick is true, in order.
func (s *State) SeatsThat(pick func(Seat) bool) []Seat {
	var seats []Seat
	for _, a := range s.Seats {
		if pick(a.Seat) {
			seats = append(seats, a.Seat)
		}
	}
	return seats
}

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
