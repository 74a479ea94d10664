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
	ID string
	// BatchItem is the item of a batch that the session belongs to, or "".
	BatchItem string
	Version   int
	Question  string
	OpenedAt  time.Time
	Settings  Settings
	// Rules is the session's format, see Rules.
	Rules Rules
	// Fork identifies the session that this one was forked from. Its From is "" unless it is a fork.
	Fork  Fork
	Seats []SeatAssignment

	Round int
	// RoundSeq is the sequence number of the last round-started.
	RoundSeq int
	Phase    Phase
	// Extended says that round 3 stayed CONSTRUCTIVE (PH2).
	Extended bool

	// Claims stays empty unless the format debates claims; noClaims says that it doesn't.
	Claims
	noClaims bool
	// Own is the part of the state that only the format reads and changes, see Own. It is never
	// changed in place.
	Own any

	Facts     List[ledger.Fact]
	Questions List[Question]
	// Packet holds the facts of a closed world. It is empty until it is frozen, and never changes
	// after that. packetParts are the facts recorded until then.
	Packet      ledger.Packet
	packetParts []json.RawMessage
	Lookups     List[LookupAnswered]
	Warnings    []string
	// Withheld lists the files, and the lines, that did not reach seats, in the order of the record.
	Withheld []Withheld
	shown    []shown
	// Untaken are the moves that were over a limit.
	Untaken []Untaken
	// Searched are the notes of built-in rules on a search: why it failed, or what it left out.
	Searched []string

	// Turns are the sequence numbers of the last prompt that each seat answered.
	Turns []SeatCount
	// AllowedCommands are the patterns of commands that the run was started with.
	AllowedCommands []string
	// AllowedTrials says that trials may run without asking. Unconfined is why they may not although the user allowed
	// them, or "".
	AllowedTrials bool
	Unconfined    string

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
	// FactsListed says that the unverified facts were evaluated (LE5).
	FactsListed bool

	// Missing are the seats that gave no answer, in a format that continues without them.
	Missing []SeatMissed
	// Conversations are those that participants keep across rounds.
	Conversations []SeatConversation

	QualityFailures
	Ending
	Pause
	Spending
}

// QualityFailures count replies that missed the question or had no content (EX4).
type QualityFailures struct {
	// Quality counts quality failures (EX4), QualityReason is the last.
	Quality       int
	QualityReason string
	// QualityFailure is the failure of the last one; off-topic replies have none.
	QualityFailure Failure
	QualityStage   Stage
	// QualityOf counts them per seat.
	QualityOf []SeatCount
}

// Ending is how the session ended. It is empty before an exit was reached.
type Ending struct {
	// Exit is set once the session is over: no more rounds. ExitFailure is set if a seat is the cause.
	Exit        Exit
	ExitReason  string
	ExitFailure Failure
	// ConcludeFailure is why the seat that should have answered the question did not, if it failed.
	ConcludeFailure Failure
	// Closed is set by session-closed. Digest is the hash of all rulings.
	Closed       bool
	ClosedAt     time.Time
	Digest       string
	Inconclusive bool
	// Decided is the sequence number of a decision of the user that followed the end of the session, until the
	// session is closed again; otherwise 0.
	Decided int
}

// Pause is why the session waits. It is empty while it runs.
type Pause struct {
	// Paused says why the session waits, "" while it runs. PauseFailure is set if a seat is the cause.
	Paused       PauseKind
	PauseReason  string
	PauseFailure Failure
	// Unsettled is the pause for a failure that the session was resumed from, until a reply shows that it is over; else
	// nil.
	Unsettled *SessionPaused
}

// Spending counts the calls, tokens, cost and time of the session, and has their limits.
type Spending struct {
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

// NextFact returns the id of the next fact.
func (s *State) NextFact() string { return NextID('F', s.Facts.Len()) }

// NextQuestion returns the id of the next question to the user.
func (s *State) NextQuestion() string { return NextID('Q', s.Questions.Len()) }

// EvidenceKind returns the kind of evidence that owns a reference.
func (s *State) EvidenceKind(reference string) ledger.Kind {
	return ledger.KindOf(ledger.Kinds(s.Settings.Kinds), reference)
}

// Fact returns the fact with the id, or nil.
func (s *State) Fact(id string) *ledger.Fact { return s.Facts.At(Index(id, 'F')) }

// QuestionByID returns the question to the user with the id, or nil.
func (s *State) QuestionByID(id string) *Question { return s.Questions.At(Index(id, 'Q')) }

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
