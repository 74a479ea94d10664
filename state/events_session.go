package state

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// SessionOpened is the first line of every session.
type SessionOpened struct {
	// Version is the version of the session file's format.
	Version  int              `json:"version"`
	ID       string           `json:"id"`
	Question string           `json:"question"`
	Settings Settings         `json:"settings"`
	Seats    []SeatAssignment `json:"seats"`
	// Fork names the session that this one was forked from, or is nil.
	Fork *Fork `json:"fork,omitempty"`
	// Rules is the format that Settings.Format names. A Decoder fills it in.
	Rules Rules `json:"-"`
}

// Fork identifies the session that the first events were copied from.
type Fork struct {
	// From is the id of the other session.
	From string `json:"from"`
	// Seq is the last event that was taken, from 1.
	Seq int `json:"seq"`
	// Head is the SHA-256 of that event's line in the other session, in hex: it
	// names the past that was taken, whatever became of the other file.
	Head string `json:"head"`
	// At is when it was taken, in UTC. The events themselves keep their times.
	At time.Time `json:"at"`
}

// Kind implements Payload.
func (*SessionOpened) Kind() string { return "session-opened" }

// Fold implements Payload.
func (e *SessionOpened) Fold(s *State) error {
	if s.Seq != 1 {
		return errors.New("a session opens with its first event only")
	}
	if e.Version > Version {
		return fmt.Errorf("the session was written by version %d of the format, this program reads up to version %d",
			e.Version, Version)
	}
	if e.Rules != nil && e.Rules.Name() != e.Settings.Format {
		return fmt.Errorf("the session names the format %q and was opened with %q", e.Settings.Format, e.Rules.Name())
	}
	s.Version, s.ID, s.Question, s.Settings, s.Rules = e.Version, e.ID, e.Question, e.Settings, e.Rules
	s.OpenedAt, s.Resumed = s.At, s.At
	s.Seats = slices.Clone(e.Seats)
	if e.Fork != nil {
		s.Fork = *e.Fork
	}
	s.MaxTokens, s.MaxCost, s.MaxSeconds = e.Settings.MaxTokens, e.Settings.MaxCost, e.Settings.MaxSeconds
	return nil
}

// SeatTaken says who fills a seat from now on: the participant that answered,
// or one that the user put in its place.
type SeatTaken struct {
	SeatAssignment
	// By decided it: user, or protocol when a participant reported its model.
	By Seat `json:"by"`
}

// Kind implements Payload.
func (*SeatTaken) Kind() string { return "seat-taken" }

// Fold implements Payload.
func (e *SeatTaken) Fold(s *State) error {
	if e.By == User {
		// Another participant's failures are not the newcomer's (EX4).
		s.Failures = slices.DeleteFunc(slices.Clone(s.Failures), func(f SeatCount) bool { return f.Seat == e.Seat })
		s.converse(e.Seat, "")
		s.unshrink(e.Seat)
	}
	s.Seats = slices.Clone(s.Seats)
	for i := range s.Seats {
		if s.Seats[i].Seat == e.Seat {
			s.Seats[i] = e.SeatAssignment
			return nil
		}
	}
	s.Seats = append(s.Seats, e.SeatAssignment)
	return nil
}

// SessionPaused stops the session until it is resumed from here.
type SessionPaused struct {
	Why    PauseKind `json:"why"`
	Reason string    `json:"reason"`
}

// Kind implements Payload.
func (*SessionPaused) Kind() string { return "session-paused" }

// Fold implements Payload.
func (e *SessionPaused) Fold(s *State) error {
	s.Paused, s.PauseReason = e.Why, e.Reason
	if !s.Resumed.IsZero() {
		s.Active += since(s.Resumed, s.At)
		s.Resumed = time.Time{}
	}
	return nil
}

// SessionResumed continues a paused session.
type SessionResumed struct {
	// Attended says whether a person can answer questions from now on.
	Attended bool `json:"attended"`
}

// Kind implements Payload.
func (*SessionResumed) Kind() string { return "session-resumed" }

// Fold implements Payload.
func (e *SessionResumed) Fold(s *State) error {
	if s.Closed {
		return errors.New("a closed session cannot be resumed")
	}
	if !s.Resumed.IsZero() {
		// A process that was killed wrote no pause: its time counts up to its
		// last event.
		s.Active += since(s.Resumed, s.Before)
	}
	s.lapseApprovals()
	s.Paused, s.PauseReason = PauseNone, ""
	s.Settings.Attended = e.Attended
	s.Resumed = s.At
	return nil
}

// ExitReached says that no further round comes, and why (EX). The final
// rulings follow.
type ExitReached struct {
	Exit   Exit   `json:"exit"`
	Reason string `json:"reason"`
}

// Kind implements Payload.
func (*ExitReached) Kind() string { return "exit-reached" }

// Fold implements Payload.
func (e *ExitReached) Fold(s *State) error {
	s.Exit, s.ExitReason = e.Exit, e.Reason
	s.Constraints = s.Seq
	return nil
}

// SessionClosed is the last line of a session.
type SessionClosed struct {
	Exit Exit `json:"exit"`
	// Inconclusive says that Agreed and Dismissed are both empty (EX9).
	Inconclusive bool `json:"inconclusive"`
	// Digest is the hash of all rulings at the end.
	Digest string `json:"digest"`
}

// Kind implements Payload.
func (*SessionClosed) Kind() string { return "session-closed" }

// Fold implements Payload.
func (e *SessionClosed) Fold(s *State) error {
	if s.Closed {
		return errors.New("the session is closed already")
	}
	s.Closed, s.ClosedAt = true, s.At
	s.Exit, s.Inconclusive, s.Digest = e.Exit, e.Inconclusive, e.Digest
	if !s.Resumed.IsZero() {
		s.Active += since(s.Resumed, s.At)
		s.Resumed = time.Time{}
	}
	return nil
}

// MapDrawn is the orchestrator's map of the solution space (RD1).
type MapDrawn struct {
	Map
}

// Kind implements Payload.
func (*MapDrawn) Kind() string { return "map-drawn" }

// Fold implements Payload.
func (e *MapDrawn) Fold(s *State) error {
	s.Map = e.Map
	return nil
}

// RoundStarted begins round Round, 1 to 8 (PH1).
type RoundStarted struct {
	Round int `json:"round"`
}

// Kind implements Payload.
func (*RoundStarted) Kind() string { return "round-started" }

// MaxRounds is the cap on rounds, whatever the participants say (PH1, INV7).
const MaxRounds = 8

// Fold implements Payload.
func (e *RoundStarted) Fold(s *State) error {
	if e.Round != s.Round+1 || e.Round > MaxRounds {
		return fmt.Errorf("round %d cannot follow round %d", e.Round, s.Round)
	}
	s.Round, s.RoundSeq, s.Asked = e.Round, s.Seq, nil
	if s.Settings.Format == FormatCouncil {
		// Its rounds are all alike: claims and evidence are taken in each.
		s.Phase = Constructive
	}
	return nil
}

// PhaseChanged sets the phase; a replay never computes it again (PH2).
type PhaseChanged struct {
	Phase Phase `json:"phase"`
	// Extended says that round 3 stays CONSTRUCTIVE.
	Extended bool   `json:"extended"`
	Reason   string `json:"reason"`
}

// Kind implements Payload.
func (*PhaseChanged) Kind() string { return "phase-changed" }

// Fold implements Payload.
func (e *PhaseChanged) Fold(s *State) error {
	s.Phase = e.Phase
	s.Extended = s.Extended || e.Extended
	return nil
}

// Ruled ends a round: the changed rulings with their receipts (RD7).
type Ruled struct {
	Round   int      `json:"round"`
	Rulings []Ruling `json:"rulings"`
}

// Kind implements Payload.
func (*Ruled) Kind() string { return "ruled" }

// Fold implements Payload.
func (e *Ruled) Fold(s *State) error {
	fresh := e.Round > s.RuledRound
	for i := range e.Rulings {
		r := e.Rulings[i]
		at := index(r.Point, 'P')
		switch {
		case at < 0 || at >= s.Points.Len():
			return fmt.Errorf("a ruling names %s, which is no point", r.Point)
		case at == s.Rulings.Len():
			s.Rulings = s.Rulings.Append(&r)
			s.leftOpen(BucketOpen, &r, e.Round)
		case at > s.Rulings.Len():
			return fmt.Errorf("a ruling on %s came before those on earlier points", r.Point)
		default:
			s.leftOpen(s.Rulings.At(at).Bucket, &r, e.Round)
			s.Rulings = s.Rulings.Update(at, func(old *Ruling) { *old = r })
		}
	}
	if fresh {
		s.Changed = len(e.Rulings)
		if s.Changed == 0 && !s.evidenceSince(s.RuledSeq) {
			s.Idle++
		} else {
			s.Idle = 0
		}
	}
	s.RuledRound, s.RuledSeq = e.Round, s.Seq
	return nil
}

// leftOpen keeps the round in which a point that was Open was ruled on.
func (s *State) leftOpen(before Bucket, now *Ruling, round int) {
	if before == BucketOpen && now.Bucket != BucketOpen {
		s.SettledRound = round
	}
}

// evidenceSince reports whether an item was verified after the given event.
func (s *State) evidenceSince(seq int) bool {
	for i := s.Evidence.Len() - 1; i >= 0; i-- {
		item := s.Evidence.At(i)
		if item.Verified && item.Seq > seq {
			return true
		}
	}
	return false
}

// CoverageChecked is the answer to "are there other points?" (RD8).
type CoverageChecked struct {
	// New is how many disputes it brought.
	New int `json:"new"`
}

// Kind implements Payload.
func (*CoverageChecked) Kind() string { return "coverage-checked" }

// Fold implements Payload.
func (e *CoverageChecked) Fold(s *State) error {
	s.Coverage, s.NewDisputes = s.Round, e.New
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

// String returns the word itself.
func (g StressGrade) String() string { return string(g) }

// StressTested is the strongest objection and its grade (RD9).
type StressTested struct {
	By        Seat        `json:"by"`
	Point     string      `json:"point"`
	Objection string      `json:"objection"`
	Grade     StressGrade `json:"grade"`
}

// Kind implements Payload.
func (*StressTested) Kind() string { return "stress-tested" }

// Fold implements Payload.
func (e *StressTested) Fold(s *State) error {
	s.Stress = max(1, s.Round)
	return nil
}

// Arbitrated holds the arbiter's flags (AR); flags never change a bucket.
type Arbitrated struct {
	Flags []Flag `json:"flags"`
}

// Kind implements Payload.
func (*Arbitrated) Kind() string { return "arbitrated" }

// Fold implements Payload.
func (e *Arbitrated) Fold(s *State) error {
	s.Arbitrated = true
	s.Flags = slices.Clone(e.Flags)
	return nil
}

// QualityFailed says that a seat's reply was off-topic or held no discrete
// point (EX4).
type QualityFailed struct {
	Seat   Seat   `json:"seat"`
	Stage  Stage  `json:"stage"`
	Reason string `json:"reason"`
}

// Kind implements Payload.
func (*QualityFailed) Kind() string { return "quality-failed" }

// Fold implements Payload.
func (e *QualityFailed) Fold(s *State) error {
	s.Quality++
	of := slices.Clone(s.QualityOf)
	at := slices.IndexFunc(of, func(c SeatCount) bool { return c.Seat == e.Seat })
	if at < 0 {
		of, at = append(of, SeatCount{Seat: e.Seat}), len(of)
	}
	of[at].Count++
	s.QualityOf = of
	s.QualityReason, s.QualityStage = e.Reason, e.Stage
	return nil
}

// FoundTrivial says that a seat found the question factual or trivial (EX3).
type FoundTrivial struct {
	By     Seat   `json:"by"`
	Reason string `json:"reason"`
}

// Kind implements Payload.
func (*FoundTrivial) Kind() string { return "found-trivial" }

// Fold implements Payload.
func (*FoundTrivial) Fold(s *State) error {
	s.Trivial = true
	return nil
}
