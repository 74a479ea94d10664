package panel

import (
	"errors"
	"fmt"
	"slices"

	"moot/protocol/claims"
	"moot/resolver/conflict"
	"moot/state"
)

// Format is the panel. Participants answer in parallel, without seeing each other's
// answers. Their claims become points, an orchestrator marks pairs on one subject and
// their polarity, and code finds the conflicts. The session's strategy settles what it
// can; the sides argue the rest as in a consultation, or the user decides.
type Format struct{ claims.Base }

// Claim is an assertion of one or several panelists, in one wording or more.
type Claim struct {
	// Points are the points that say it, without merged ones.
	Points []string
	// Holders are the panelists whose answers say it, in the order of the seats.
	Holders []state.Seat
	// Conflicts are the ids of the conflicts about it.
	Conflicts []string
}

// Name is the format's name in session files.
const Name state.Format = "panel"

// ThenConsult lets the two sides argue a conflict that the strategy does not settle.
const ThenConsult = "consult"

// aboutConflict is the prefix of the question how to settle a conflict, followed by its id.
const aboutConflict = "conflict "

// answerNeither decides a conflict against both of its sides.
const answerNeither = "neither"

// decidedReason is the reason of the rulings by which the user decides a conflict.
func decidedReason(id string) string { return "decided " + id }

// Settings configure how a panel finds and settles conflicts. They are fixed when the
// session opens.
type Settings struct {
	// Strategy is a word of package conflict: vote, evidence_weight, escalate or
	// tiered.
	Strategy string `json:"strategy"`
	// Then determines what happens to conflicts that the strategy does not settle: "" asks
	// the user, ThenConsult has the two sides argue first.
	Then string `json:"then"`
}

// Panel is the panel's own part of a state.
type Panel struct {
	Conflicts state.List[Conflict]
}

// Of returns the panel's own part of a state.
func Of(s *state.State) *Panel { return state.OwnOf[Panel](s) }

// Own implements state.Rules.
func (Format) Own() state.Own {
	return state.Own{
		Claims:   true,
		Stages:   []state.Stage{StageTriage, StageVote},
		Settings: new(settingsOf(&state.State{})), State: &Panel{},
		Kinds: []func() state.Payload{
			state.Create[ConflictFound], state.Create[ConflictDropped], state.Create[ConflictSettled],
			state.Create[ConflictArgued],
		},
	}
}

// settingsOf returns the panel's own settings.
func settingsOf(s *state.State) Settings {
	if own, ok := s.Settings.Own.(*Settings); ok {
		return *own
	}
	return Settings{Strategy: string(conflict.Escalate)}
}

// Panelist is the first seat of a panel; the others are panelist-2, panelist-3, ….
const Panelist state.Seat = "panelist"

// IsPanelist reports whether the seat is panelist, panelist-2, ….
func IsPanelist(seat state.Seat) bool { return seat.Is(Panelist) }

// panelists returns the seats of a panel in order, whether they answered or not.
func panelists(s *state.State) []state.Seat { return s.SeatsThat(IsPanelist) }

// Blind implements protocol.Format. A panelist owes its answer until it holds a point or is missing.
func (Format) Blind(s *state.State, participant string) (owes, unseen bool) {
	owes = s.Round <= 1 && !s.Over() && slices.ContainsFunc(s.Seats, func(a state.SeatAssignment) bool {
		return a.Participant == participant && IsPanelist(a.Seat) && !s.Misses(a.Seat) && !claims.HasPoint(s, a.Seat)
	})
	unseen = owes && slices.ContainsFunc(panelists(s), func(seat state.Seat) bool {
		asked := s.AskedOf(seat, state.StagePropose)
		return asked.Replies+asked.Failed > 0
	})
	return owes, unseen
}

// The stages of a panel beside those of a consultation.
const (
	// StageTriage marks which answers are about the same.
	StageTriage state.Stage = "triage"
	// StageVote asks a panelist that said nothing on a conflict to take a side.
	StageVote state.Stage = "vote"
)

// Conflict is a pair of points of different panelists that exclude each other.
type Conflict struct {
	// ID is K1, K2, ….
	ID   string
	Kind conflict.Type
	// A and B are the points as they were when it was found; they may be merged
	// or revised since.
	A, B string
	// Challenges are those that were raised on the two sides because of it.
	Challenges []string
	// Dropped means that the points turned out not to conflict, for DroppedReason.
	Dropped       bool
	DroppedReason string
	// Settlement is the last result of the strategy, or nil.
	Settlement *Settlement
	// Argued says that the two sides argue it, as ArguedBy decided.
	Argued   bool
	ArguedBy state.Seat
	// Found is the sequence number of the event that recorded it.
	Found int
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
	Seat state.Seat `json:"seat"`
	// Point is the one of the two that it holds.
	Point string `json:"point"`
	// Answered says that its own answer says so; else it was asked for its side.
	Answered bool `json:"answered"`
}

// Conflict returns the conflict with the id, or nil.
func (p *Panel) Conflict(id string) *Conflict {
	return p.Conflicts.At(state.Index(id, 'K'))
}

// ConflictFound says that two points exclude each other.
type ConflictFound struct {
	ID   string        `json:"id"`
	What conflict.Type `json:"what"`
	A    string        `json:"a"`
	B    string        `json:"b"`
	By   state.Seat    `json:"by"`
	// Challenges were raised just before, one on either point.
	Challenges []string `json:"challenges"`
}

// Fold implements state.Payload.
func (e *ConflictFound) Fold(s *state.State) error {
	switch {
	case e.ID != state.NextID('K', Of(s).Conflicts.Len()):
		return fmt.Errorf("the conflict %q is out of turn", e.ID)
	case s.Point(e.A) == nil:
		return state.Unknown("point", e.A)
	case s.Point(e.B) == nil:
		return state.Unknown("point", e.B)
	case e.A == e.B:
		return errors.New("a point is in no conflict with itself")
	}
	touchAll(s)
	return state.ChangeOwn(s, func(p *Panel) {
		p.Conflicts = p.Conflicts.Append(&Conflict{
			ID: e.ID, Kind: e.What, A: e.A, B: e.B, Challenges: slices.Clone(e.Challenges), Found: s.Seq,
		})
	})
}

// touchAll marks every point as changed: a point depends on the holders of all points that it is
// in conflict with.
func touchAll(s *state.State) { s.Constraints = s.Seq }

// change changes a copy of a conflict.
func change(s *state.State, id string, do func(*Conflict)) error {
	i := state.Index(id, 'K')
	if Of(s).Conflicts.At(i) == nil {
		return state.Unknown("conflict", id)
	}
	touchAll(s)
	return state.ChangeOwn(s, func(p *Panel) {
		p.Conflicts = p.Conflicts.Update(i, do)
	})
}

// ConflictDropped says that two points do not conflict after all.
type ConflictDropped struct {
	ID     string     `json:"id"`
	By     state.Seat `json:"by"`
	Reason string     `json:"reason"`
}

// Fold implements state.Payload.
func (e *ConflictDropped) Fold(s *state.State) error {
	return change(s, e.ID, func(c *Conflict) { c.Dropped, c.DroppedReason = true, e.Reason })
}

// ConflictSettled is the result of the strategy for a conflict, computed by code from the
// positions before it; verify recomputes it. A later one replaces it.
type ConflictSettled struct {
	ID string `json:"id"`
	Settlement
}

// Fold implements state.Payload.
func (e *ConflictSettled) Fold(s *state.State) error {
	settlement := e.Settlement
	return change(s, e.ID, func(c *Conflict) { c.Settlement = &settlement })
}

// ConflictArgued says that the two sides of a conflict argue it from the next round on.
type ConflictArgued struct {
	ID string `json:"id"`
	// By is user, or protocol if the settings say so.
	By state.Seat `json:"by"`
	// Challenges were raised just before, if the conflict had none yet.
	Challenges []string `json:"challenges"`
}

// Fold implements state.Payload.
func (e *ConflictArgued) Fold(s *state.State) error {
	return change(s, e.ID, func(c *Conflict) {
		c.Argued, c.ArguedBy = true, e.By
		c.Challenges = append(slices.Clip(c.Challenges), e.Challenges...)
	})
}
