package state

import (
	"encoding/json"

	"moot/ledger"
)

// The rounds of a hearing whose sides exchange arguments.
const (
	DefaultHearingRounds = 3
	MaxHearingRounds     = 8
)

// HearingSettings configure a hearing. They are fixed when the session opens.
type HearingSettings struct {
	Form  Form         `json:"form"`
	Judge JudgeVersion `json:"judge"`
	// Rounds is how many there are at most where arguments are exchanged, 2 to
	// MaxHearingRounds.
	Rounds int `json:"rounds"`
	// Gate and Then are used by FormSelective only: the condition for another round, and the
	// form of that round.
	Gate Gate `json:"gate"`
	Then Form `json:"then"`
	// Oracle says that the strongest argument against the side that is more confident
	// is brought after round 1, and that both answer it.
	Oracle bool `json:"oracle"`
	// Domain configures hearings of this kind.
	Domain Domain `json:"domain"`
}

// Hearing is the part of a state that only hearings use.
type Hearing struct {
	// Packet is the closed world, nil until it is frozen. It is never changed.
	Packet *ledger.Packet
	// parts are the facts that were recorded before it was frozen.
	parts []json.RawMessage
	// Arguments are the closing words of each side's argument, the oldest first.
	Arguments []Argument
	// Violations are claims that were dropped since they cite what is not in the
	// packet.
	Violations []SchemaViolation
	// Changes are the changes of confidence in claims, as they were admitted.
	Changes []ConfidenceChange
	// Ignored are contradicting facts that a side left unanswered, neither lowering
	// its confidence nor naming what would.
	Ignored []IgnoredRebuttal
	// Gated is the result of the gate, or nil if there is no result.
	Gated *Gating
}

// Argument is a side's summary at the end of its turn.
type Argument struct {
	Seat  Seat `json:"seat"`
	Round int  `json:"round"`
	// Stated is the side's number, Confidence what counts, both 0 to 1.
	Stated     float64 `json:"stated"`
	Confidence float64 `json:"confidence"`
	// WouldChange names what would change its mind, or "".
	WouldChange string `json:"would_change"`
	Seq         int    `json:"-"`
}

// SchemaViolation is a move that cited facts outside of the packet, and was dropped
// whole.
type SchemaViolation struct {
	Seat  Seat `json:"seat"`
	Round int  `json:"round"`
	// Move is the word of the move, Text what it said, Facts what it cited and is not
	// in the packet.
	Move  string   `json:"move"`
	Text  string   `json:"text"`
	Facts []string `json:"facts"`
}

// ConfidenceChange is a change of a side's confidence in one of its claims.
type ConfidenceChange struct {
	Seat  Seat    `json:"seat"`
	Point string  `json:"point"`
	Round int     `json:"round"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	// Fact is the fact of the packet that caused it, or "".
	Fact string `json:"fact"`
}

// Delta is how far the confidence moved, -1 to 1.
func (c *ConfidenceChange) Delta() float64 { return c.To - c.From }

// IgnoredRebuttal is a contradicting fact that a side left unanswered.
type IgnoredRebuttal struct {
	Seat      Seat   `json:"seat"`
	Challenge string `json:"challenge"`
	Point     string `json:"point"`
	Fact      string `json:"fact"`
	Round     int    `json:"round"`
}

// Gating is the result of the gate of a selective hearing after round 1.
type Gating struct {
	Gate Gate `json:"gate"`
	// Confidence is the confidence in the verdict of round 1. Flags list signs of
	// miscalibration. Risk is the share of flags, 0 to 1.
	Confidence float64  `json:"confidence"`
	Flags      []string `json:"flags"`
	Risk       float64  `json:"risk"`
	// Opens reports whether the hearing continues.
	Opens bool `json:"opens"`
}

// HearingSettings are how the session's hearing goes; a session without them has the
// usual ones.
func (s *State) HearingSettings() *HearingSettings {
	if s.Settings.Hearing != nil {
		return s.Settings.Hearing
	}
	return &HearingSettings{Form: FormSingle, Judge: JudgeV1, Rounds: DefaultHearingRounds}
}

// Course is the form by which the hearing goes now: of a selective one single, and
// once its gate opened the form that follows.
func (s *State) Course() Form {
	h := s.HearingSettings()
	if h.Form != FormSelective {
		return h.Form
	}
	if s.Hearing.Gated != nil && s.Hearing.Gated.Opens {
		return h.Then
	}
	return FormSingle
}

// Argument returns the side's last argument up to the given round, or nil.
func (h *Hearing) Argument(seat Seat, round int) *Argument {
	for i := len(h.Arguments) - 1; i >= 0; i-- {
		if a := &h.Arguments[i]; a.Seat == seat && a.Round <= round {
			return a
		}
	}
	return nil
}

// Opponent returns the other side, or "" for other seats.
func Opponent(seat Seat) Seat {
	if seat == Architect {
		return Skeptic
	}
	if seat == Skeptic {
		return Architect
	}
	return ""
}

// UnknownFacts returns the ids that are missing from the packet, without duplicates.
func (h *Hearing) UnknownFacts(ids []string) []string {
	var unknown []string
	// A reply, or a file that somebody else wrote, may name very many.
	seen := map[string]bool{}
	for _, id := range ids {
		if !seen[id] && !h.Holds(id) {
			seen[id] = true
			unknown = append(unknown, id)
		}
	}
	return unknown
}

// Holds reports whether the packet has a fact with the id.
func (h *Hearing) Holds(id string) bool {
	if h.Packet == nil {
		return false
	}
	_, there := h.Packet.Fact(id)
	return there
}
