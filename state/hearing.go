package state

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
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
	Argued
	Round int `json:"round"`
	Seq   int `json:"-"`
}

// SchemaViolation is a move that cited facts outside of the packet, with its round.
type SchemaViolation struct {
	SchemaViolated
	Round int `json:"round"`
}

// ConfidenceChange is a change of a side's confidence in one of its claims, with its round.
type ConfidenceChange struct {
	ConfidenceChanged
	Round int `json:"round"`
}

// Delta is how far the confidence moved, -1 to 1.
func (c *ConfidenceChange) Delta() float64 { return c.To - c.From }

// IgnoredRebuttal is a contradicting fact that a side left unanswered, with the point and the round.
type IgnoredRebuttal struct {
	RebuttalIgnored
	Point string `json:"point"`
	Round int    `json:"round"`
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
	return lists.Last(h.Arguments, func(a *Argument) bool { return a.Seat == seat && a.Round <= round })
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

// The seats of a hearing.
const (
	// Architect argues that it holds.
	Architect Seat = "architect"
	// Skeptic argues that it does not.
	Skeptic Seat = "skeptic"
	// Oracle brings, once, the strongest argument against the side that is more
	// confident.
	Oracle Seat = "oracle"
)

// HearingSeats returns the seats of a hearing in the order in which they are read.
func HearingSeats() []Seat { return []Seat{Architect, Skeptic, Oracle} }

// Outcome is the result of a hearing.
type Outcome string

// The outcomes. They are shown with the domain's prefix: THREAT_CONFIRMED.
const (
	Confirmed    Outcome = "CONFIRMED"
	Dismissed    Outcome = "DISMISSED"
	Inconclusive Outcome = "INCONCLUSIVE"
)

// Outcomes returns every Outcome.
func Outcomes() []Outcome { return []Outcome{Confirmed, Dismissed, Inconclusive} }

// UnmarshalText refuses a word that is no Outcome; a prefix that ends in an
// underscore is taken off.
func (o *Outcome) UnmarshalText(text []byte) error {
	word := string(text)
	return enum.Unmarshal("outcome", []byte(word[strings.LastIndexByte(word, '_')+1:]), Outcomes(), o)
}

// Form is how the turns of a hearing go.
type Form string

// The forms.
const (
	// FormSingle has each side speak once, unseen by the other.
	FormSingle Form = "single"
	// FormMulti continues with exchanges.
	FormMulti Form = "multi"
	// FormAnchored holds confidences to what was shown.
	FormAnchored Form = "anchored"
	// FormAudit argues and rules each claim alone.
	FormAudit Form = "audit"
	// FormSelective continues only if a gate opens.
	FormSelective Form = "selective"
)

// Forms returns every Form.
func Forms() []Form { return []Form{FormSingle, FormMulti, FormAnchored, FormAudit, FormSelective} }

// JudgeVersion is which arithmetic decides.
type JudgeVersion string

// The versions.
const (
	JudgeV1        JudgeVersion = "v1"
	JudgeV1Facts   JudgeVersion = "v1-facts"
	JudgeV2        JudgeVersion = "v2"
	JudgeV2Bounded JudgeVersion = "v2-bounded"
)

// JudgeVersions returns every JudgeVersion.
func JudgeVersions() []JudgeVersion {
	return []JudgeVersion{JudgeV1, JudgeV1Facts, JudgeV2, JudgeV2Bounded}
}

// Gate decides whether a selective hearing continues.
type Gate string

// The gates.
const (
	// GateEscalation sends on what lies in the middle.
	GateEscalation Gate = "escalation"
	// GateMiscalibration sends on what looks surer than its facts are.
	GateMiscalibration Gate = "miscalibration"
	GateEither         Gate = "either"
)

// Gates returns every Gate.
func Gates() []Gate { return []Gate{GateEscalation, GateMiscalibration, GateEither} }

// Support is how a claim of an audit ends.
type Support string

// The rulings on claims.
const (
	Supported   Support = "SUPPORTED"
	Disputed    Support = "CONTESTED"
	Unsupported Support = "UNSUPPORTED"
)

// Domain configures hearings on one kind of question.
type Domain struct {
	// Name names a built-in domain or the one in the user's file.
	Name string `json:"name"`
	// Prefix precedes outcomes, without the underscore: THREAT.
	Prefix string `json:"prefix"`
	// Question is asked if the user asks none.
	Question string `json:"question"`
	// Opposites are pairs of fields of which an entity has only one if its facts agree (the
	// miscalibration gate).
	Opposites []Opposites `json:"opposites"`
	// Rules is the text of the domain's file in TOML, which built-in rules on a seat apply.
	Rules RulesText `json:"rules"`
}

// RulesText is the text of a domain's file.
type RulesText string

// UnmarshalJSON refuses the rules of earlier versions, which were a list with learned weights.
func (r *RulesText) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return errors.New("the hearing was recorded by an earlier version of moot, whose domains had learned " +
			"weights: that version can read the session; with this one, start the hearing again from its packet")
	}
	return json.Unmarshal(data, (*string)(r))
}

// Opposites are two fields that contradict each other, named by their words: "login
// success" is also login_success and LoginSuccess.
type Opposites struct {
	A string `json:"a"`
	B string `json:"b"`
}

// Shown is an outcome with the prefix of the domain.
func (d *Domain) Shown(o Outcome) string {
	if d.Prefix == "" || o == "" {
		return string(o)
	}
	return d.Prefix + "_" + string(o)
}

// PacketFacts are facts of the packet, in its order. A large packet takes several.
type PacketFacts struct {
	// Facts is a list of facts, as ledger.Packet.Chunks yields it.
	Facts json.RawMessage `json:"facts"`
}

func (e *PacketFacts) Fold(s *State) error {
	if s.Hearing.Packet != nil {
		return ledger.ErrFrozen
	}
	s.Hearing.parts = append(slices.Clip(s.Hearing.parts), e.Facts)
	return nil
}

// PacketFrozen ends the collection of facts for a hearing. The digest covers all facts
// recorded so far.
type PacketFrozen struct{ ledger.PacketSeal }

// Fold implements Payload. A packet that was changed after it was frozen is refused.
func (e *PacketFrozen) Fold(s *State) error {
	if s.Hearing.Packet != nil {
		return ledger.ErrFrozen
	}
	packet, err := ledger.RestorePacket(e.PacketSeal, s.Hearing.parts)
	if err != nil {
		return err
	}
	s.Hearing.Packet, s.Hearing.parts = packet, nil
	return nil
}

// PacketEvents are the events that put a frozen packet on record.
func PacketEvents(p *ledger.Packet) []Payload {
	var events []Payload
	for chunk := range p.Chunks() {
		events = append(events, &PacketFacts{Facts: chunk})
	}
	return append(events, &PacketFrozen{PacketSeal: p.Seal()})
}

// SchemaViolated says that a move cites facts outside of the packet: it is dropped
// whole, counted and shown.
type SchemaViolated struct {
	Seat  Seat     `json:"seat"`
	Move  string   `json:"move"`
	Text  string   `json:"text"`
	Facts []string `json:"facts"`
}

func (e *SchemaViolated) Fold(s *State) error {
	if len(e.Facts) == 0 || len(s.Hearing.UnknownFacts(e.Facts)) != len(e.Facts) {
		return errors.New("a violation of the closed world names facts that are not in the packet")
	}
	s.Hearing.Violations = append(slices.Clip(s.Hearing.Violations), SchemaViolation{*e, s.Round})
	return nil
}

// Argued ends the argument of a side in a round: how sure it is of its side of the
// question.
type Argued struct {
	Seat Seat `json:"seat"`
	// Stated is the side's number, Confidence what counts.
	Stated     float64 `json:"stated"`
	Confidence float64 `json:"confidence"`
	// WouldChange names what would change its mind, or "".
	WouldChange string `json:"would_change"`
}

func (e *Argued) Fold(s *State) error {
	s.Hearing.Arguments = append(slices.Clip(s.Hearing.Arguments), Argument{*e, s.Round, s.Seq})
	return nil
}

// ConfidenceChanged is a change of a side's confidence in a claim of its own, with
// the fact that caused it.
type ConfidenceChanged struct {
	Seat  Seat    `json:"seat"`
	Point string  `json:"point"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	// Fact is the fact of the packet that caused it, or "".
	Fact string `json:"fact"`
}

func (e *ConfidenceChanged) Fold(s *State) error {
	if s.Point(e.Point) == nil {
		return Unknown("point", e.Point)
	}
	s.Hearing.Changes = append(slices.Clip(s.Hearing.Changes), ConfidenceChange{*e, s.Round})
	return nil
}

// RebuttalIgnored says that a side left a contradicting fact unanswered, and neither
// lowered its confidence nor named the fact that would change its mind.
type RebuttalIgnored struct {
	Seat      Seat   `json:"seat"`
	Challenge string `json:"challenge"`
	Fact      string `json:"fact"`
}

func (e *RebuttalIgnored) Fold(s *State) error {
	c := s.Challenge(e.Challenge)
	if c == nil {
		return Unknown("challenge", e.Challenge)
	}
	s.Hearing.Ignored = append(slices.Clip(s.Hearing.Ignored), IgnoredRebuttal{*e, c.Point, s.Round})
	return nil
}

// Gated is the result of the gate of a selective hearing. verify recomputes it.
type Gated struct{ Gating }

func (e *Gated) Fold(s *State) error {
	if s.Hearing.Gated != nil {
		return errors.New("the gate has spoken already")
	}
	gating := e.Gating
	gating.Flags = slices.Clone(gating.Flags)
	s.Hearing.Gated = &gating
	return nil
}
