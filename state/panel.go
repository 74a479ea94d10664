package state

import (
	"slices"
	"strings"
)

// Panelist is the first seat of a panel; the others are panelist-2, panelist-3, ….
const Panelist Seat = "panelist"

// IsPanelist reports whether the seat is panelist, panelist-2, ….
func (s Seat) IsPanelist() bool {
	return s == Panelist || strings.HasPrefix(string(s), string(Panelist)+"-")
}

// ThenConsult has what no strategy settles argued out between the two sides.
const ThenConsult = "consult"

// The prefixes of a panel's questions: whether to continue without a seat, followed by the
// seat; and how to settle a conflict, followed by its id.
const (
	AboutMissing  = "missing "
	AboutConflict = "conflict "
)

// AnswerNeither decides a conflict against both of its sides.
const AnswerNeither = "neither"

// DecidedReason is the reason of what the user rules on a point to decide the
// conflict with the id.
func DecidedReason(conflict string) string { return "decided " + conflict }

// PanelSettings configure how a panel finds and settles conflicts. They are fixed when the
// session opens.
type PanelSettings struct {
	// Strategy is a word of package conflict: vote, evidence_weight, escalate or
	// tiered.
	Strategy string `json:"strategy"`
	// Then determines what happens to conflicts that the strategy does not settle: "" asks
	// the user, ThenConsult has the two sides argue first.
	Then string `json:"then"`
}

// Panel is the part of a state that only panels use.
type Panel struct {
	Conflicts List[Conflict]
	// Missing are the seats that gave no answer.
	Missing []Missing
}

// Missing is a seat that gave no answer, and why.
type Missing struct {
	Seat   Seat   `json:"seat"`
	Stage  Stage  `json:"stage"`
	Reason string `json:"reason"`
	// Answered says that replies came, and none could be taken.
	Answered bool `json:"answered"`
}

// Misses reports whether the seat gave no answer.
func (p *Panel) Misses(seat Seat) bool {
	return slices.ContainsFunc(p.Missing, func(m Missing) bool { return m.Seat == seat })
}

// ConflictKind is how two answers differ.
type ConflictKind string

// The kinds of conflicts in a session: as triage marked the two points (RD1b).
const (
	// Contradiction is opposite polarity on one subject.
	Contradiction ConflictKind = "contradiction"
	// Disagreement is different content on one subject.
	Disagreement ConflictKind = "disagreement"
)

// ConflictKinds returns every ConflictKind.
func ConflictKinds() []ConflictKind { return []ConflictKind{Contradiction, Disagreement} }

// String returns the word itself.
func (k ConflictKind) String() string { return string(k) }

// Conflict is two points of different panelists that do not go together.
type Conflict struct {
	// ID is K1, K2, ….
	ID   string
	Kind ConflictKind
	// A and B are the points as they were when it was found; they may be merged
	// or revised since.
	A, B string
	// By found it: the seat that marked the pair, or protocol.
	By Seat
	// Challenges are those that say so to either side.
	Challenges []string
	// Dropped means that the conflict turned out to be none, for DroppedReason.
	Dropped       bool
	DroppedReason string
	// Settlement is the last result of the strategy, or nil.
	Settlement *Settlement
	// Argued says that the two sides argue it out, as ArguedBy decided.
	Argued   bool
	ArguedBy Seat
	// Found is the place of the event that it was found in, Seq of the last one
	// that changed it.
	Found, Seq int
}

// Settlement is the result of a strategy for a conflict.
type Settlement struct {
	// Method is the strategy that decided: vote, evidence_weight or escalate.
	Method string `json:"method"`
	// Measure is the quantity that evidence_weight compared, evidence or tokens; "" for
	// other strategies.
	Measure string `json:"measure"`
	// Winner is the point that prevails, or "".
	Winner string `json:"winner"`
	// Confidence is 0 to 1, in the sense of the method.
	Confidence float64 `json:"confidence"`
	Reasoning  string  `json:"reasoning"`
	// Settled says that this ends the conflict: it has a winner by more than half.
	Settled   bool       `json:"settled"`
	Positions []Position `json:"positions"`
}

// Position is the side that a panelist takes in a conflict.
type Position struct {
	Seat Seat `json:"seat"`
	// Point is the one of the two that it holds.
	Point string `json:"point"`
	// Answered says that its own answer says so; else it was asked for its side.
	Answered bool `json:"answered"`
}

// Conflict returns the conflict with the id, or nil.
func (s *State) Conflict(id string) *Conflict { return s.Panel.Conflicts.At(index(id, 'K')) }

// Current returns the point that the id stands for now: of a merged one the one
// that it went into, of a revised one its revision. It is nil for an unknown id.
func (s *State) Current(id string) *Point {
	p := s.Live(id)
	for steps := 0; p != nil && p.RevisedBy != "" && steps < s.Points.Len(); steps++ {
		p = s.Live(p.RevisedBy)
	}
	return p
}

// Owes reports whether the participant fills a panelist's seat, is not missing
// there, and has not answered yet.
func (s *State) Owes(participant string) bool {
	return s.Settings.Format == FormatPanel && s.Round <= 1 && !s.Over() &&
		slices.ContainsFunc(s.Seats, func(a SeatAssignment) bool {
			return a.Participant == participant && a.Seat.IsPanelist() && !s.Panel.Misses(a.Seat) && !s.answered(a.Seat)
		})
}

// Unseen reports whether there are answers to the question of a panel that the
// participant may not see yet: it owes its own.
func (s *State) Unseen(participant string) bool {
	return s.Owes(participant) && slices.ContainsFunc(s.Panelists(), func(seat Seat) bool {
		asked := s.AskedOf(seat, StagePropose)
		return asked.Replies+asked.Failed > 0
	})
}

// answered reports whether the seat holds a point.
func (s *State) answered(seat Seat) bool {
	for _, p := range s.Points.All() {
		if p.IsAuthor(seat) {
			return true
		}
	}
	return false
}
