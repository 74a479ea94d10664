package state

import (
	"errors"
	"fmt"
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
	Missing []SeatMissed
}

// Misses reports whether the seat gave no answer.
func (p *Panel) Misses(seat Seat) bool {
	return slices.ContainsFunc(p.Missing, func(m SeatMissed) bool { return m.Seat == seat })
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
	return s.Points.Any(func(p *Point) bool { return p.IsAuthor(seat) })
}

// SeatMissed records that a panelist gave no answer. The others continue.
type SeatMissed struct {
	Seat   Seat   `json:"seat"`
	Stage  Stage  `json:"stage"`
	Reason string `json:"reason"`
	// Answered says that replies came, and none could be taken.
	Answered bool `json:"answered"`
}

func (e *SeatMissed) Fold(s *State) error {
	if _, seated := s.Assignment(e.Seat); !seated {
		return unknown("seat", string(e.Seat))
	}
	if !s.Panel.Misses(e.Seat) {
		s.Panel.Missing = append(slices.Clip(s.Panel.Missing), *e)
	}
	return nil
}

// SeatRecalled has a panelist asked again that gave no answer.
type SeatRecalled struct {
	Seat Seat `json:"seat"`
	By   Seat `json:"by"`
}

func (e *SeatRecalled) Fold(s *State) error {
	// A request that the seat could not answer does not count.
	var vain []Stage
	for _, m := range s.Panel.Missing {
		if m.Seat == e.Seat {
			vain = append(vain, m.Stage)
		}
	}
	s.Panel.Missing = slices.DeleteFunc(slices.Clone(s.Panel.Missing),
		func(m SeatMissed) bool { return m.Seat == e.Seat })
	s.Failures, s.QualityOf = without(s.Failures, e.Seat), without(s.QualityOf, e.Seat)
	s.Asked = slices.DeleteFunc(slices.Clone(s.Asked), func(a Asked) bool {
		return a.Seat == e.Seat && (a.Replies == 0 || slices.Contains(vain, a.Stage))
	})
	return nil
}

// ConflictFound says that two points do not go together.
type ConflictFound struct {
	ID   string       `json:"id"`
	What ConflictKind `json:"what"`
	A    string       `json:"a"`
	B    string       `json:"b"`
	By   Seat         `json:"by"`
	// Challenges were raised just before, one on either point.
	Challenges []string `json:"challenges"`
}

func (e *ConflictFound) Fold(s *State) error {
	switch {
	case e.ID != NextID('K', s.Panel.Conflicts.Len()):
		return fmt.Errorf("the conflict %q is out of turn", e.ID)
	case s.Point(e.A) == nil:
		return unknown("point", e.A)
	case s.Point(e.B) == nil:
		return unknown("point", e.B)
	case e.A == e.B:
		return errors.New("a point is in no conflict with itself")
	case !slices.Contains(ConflictKinds(), e.What):
		return fmt.Errorf("unknown kind of conflict %q", e.What)
	}
	s.Panel.Conflicts = s.Panel.Conflicts.Append(&Conflict{
		ID: e.ID, Kind: e.What, A: e.A, B: e.B, By: e.By, Challenges: slices.Clone(e.Challenges), Found: s.Seq,
		Seq: s.Seq,
	})
	s.touchConflicts()
	return nil
}

// touchConflicts marks every point as changed: who holds what bears on all that
// is contested with it.
func (s *State) touchConflicts() { s.Constraints = s.Seq }

// changeConflict changes a copy of a conflict.
func (s *State) changeConflict(id string, change func(*Conflict)) error {
	i := index(id, 'K')
	if s.Panel.Conflicts.At(i) == nil {
		return unknown("conflict", id)
	}
	s.Panel.Conflicts = s.Panel.Conflicts.Update(i, func(c *Conflict) {
		c.Seq = s.Seq
		change(c)
	})
	s.touchConflicts()
	return nil
}

// ConflictDropped says that two points go together after all.
type ConflictDropped struct {
	ID     string `json:"id"`
	By     Seat   `json:"by"`
	Reason string `json:"reason"`
}

func (e *ConflictDropped) Fold(s *State) error {
	return s.changeConflict(e.ID, func(c *Conflict) { c.Dropped, c.DroppedReason = true, e.Reason })
}

// ConflictSettled is the result of the strategy for a conflict, computed by code from the
// positions before it; verify recomputes it. A later one replaces it.
type ConflictSettled struct {
	ID string `json:"id"`
	Settlement
}

func (e *ConflictSettled) Fold(s *State) error {
	settlement := e.Settlement
	return s.changeConflict(e.ID, func(c *Conflict) { c.Settlement = &settlement })
}

// ConflictArgued has the two sides of a conflict argue it out from the next round
// on.
type ConflictArgued struct {
	ID string `json:"id"`
	// By is user, or protocol where the session was opened so.
	By Seat `json:"by"`
	// Challenges were raised just before, where none said so to either side yet.
	Challenges []string `json:"challenges"`
}

func (e *ConflictArgued) Fold(s *State) error {
	return s.changeConflict(e.ID, func(c *Conflict) {
		c.Argued, c.ArguedBy = true, e.By
		c.Challenges = append(slices.Clip(c.Challenges), e.Challenges...)
	})
}
