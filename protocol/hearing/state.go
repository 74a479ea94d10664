package hearing

import (
	"errors"
	"slices"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/protocol/claims"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/state"
)

// Format is the hearing. Two sides argue a question from the facts of a frozen packet
// only, and arithmetic on their confidence decides. The form of the hearing sets the
// number of rounds.
type Format struct{ claims.Base }

// QuestionPoint is the point that is the question of a hearing.
const QuestionPoint = "P1"

// FactsOf returns the distinct facts that a side cites up to a round: in claims that it still
// holds, against claims of the other, and in its answers; in the order in which it first cited
// them.
func FactsOf(s *state.State, seat state.Seat, round int) []string {
	var cited []string
	for _, p := range ClaimsOf(s, seat, round) {
		cited = append(cited, p.Facts...)
	}
	for _, c := range s.Challenges.All() {
		if c.By == seat && c.Round <= round {
			cited = append(cited, c.Facts...)
		}
		for i := range c.Defenses {
			if d := &c.Defenses[i]; d.By == seat && d.Round <= round {
				cited = append(cited, d.Facts...)
			}
		}
	}
	return lists.Distinct(cited)
}

// Name is the format's name in session files.
const Name state.Format = "hearing"

// Oracle is the seat that gives, once, the strongest argument against the more confident side. The
// sides are judge.Architect and judge.Skeptic.
const Oracle state.Seat = "oracle"

// The stages of a hearing beside answer and judge.
const (
	// StageArgue is the first argument of a side, unseen by the other.
	StageArgue state.Stage = "argue"
	// StageProbe is the oracle's argument against the side that is more confident.
	StageProbe state.Stage = "probe"
	// StageExchange is an argument that knows the other's.
	StageExchange state.Stage = "exchange"
	// StageContest cites what contradicts the other's claims, one by one.
	StageContest state.Stage = "contest"
)

// Seats returns the seats of a hearing in the order in which they are read.
func Seats() []state.Seat { return append(sides(), Oracle) }

// sides returns the seats that argue, in reading order.
func sides() []state.Seat { return []state.Seat{judge.Architect, judge.Skeptic} }

// Opponent returns the other side, or "" for other seats.
func Opponent(seat state.Seat) state.Seat {
	switch seat { //nolint:exhaustive // the other seats have no opponent
	case judge.Architect:
		return judge.Skeptic
	case judge.Skeptic:
		return judge.Architect
	}
	return ""
}

// The rounds of a hearing whose sides exchange arguments.
const (
	DefaultRounds = 3
	MaxRounds     = 8
)

// ByRules reports whether the built-in rules fill a seat.
func ByRules(s *state.State, seat state.Seat) bool {
	assigned, _ := s.Assignment(seat)
	return assigned.Participant == state.BuiltInRules
}

// Settings configure a hearing. They are fixed when the session opens.
type Settings struct {
	Form  Form          `json:"form"`
	Judge judge.Version `json:"judge"`
	// Rounds is the limit on rounds if arguments are exchanged, 2 to MaxRounds.
	Rounds int `json:"rounds"`
	// Gate and Then are used by FormSelective only: the condition for another round, and the
	// form of that round.
	Gate judge.Gate `json:"gate"`
	Then Form       `json:"then"`
	// Oracle says that after round 1 the oracle gives the strongest argument against the more
	// confident side, and that both sides answer it.
	Oracle bool `json:"oracle"`
	// Domain configures hearings of this kind.
	Domain domain.Domain `json:"domain"`
}

// Form determines the turns of a hearing.
type Form string

// The forms.
const (
	// FormSingle lets each side argue once, without seeing the other's argument.
	FormSingle Form = "single"
	// FormMulti continues with exchanges.
	FormMulti Form = "multi"
	// FormAnchored lets a confidence fall only because of facts.
	FormAnchored Form = "anchored"
	// FormAudit argues each claim separately and rules on it.
	FormAudit Form = "audit"
	// FormSelective continues only if a gate opens.
	FormSelective Form = "selective"
)

// Forms returns every Form.
func Forms() []Form { return []Form{FormSingle, FormMulti, FormAnchored, FormAudit, FormSelective} }

// UnmarshalText refuses unknown forms. Without a gate, no form follows.
func (f *Form) UnmarshalText(text []byte) error {
	return enum.Unmarshal("form", text, append(Forms(), ""), f)
}

// Hearing is the hearing's own part of a state.
type Hearing struct {
	// Arguments, Violations and Ignored are events of these kinds, the oldest first.
	Arguments  []Argued
	Violations []SchemaViolated
	Ignored    []RebuttalIgnored
	// Gated is the result of the gate, or nil if there is no result.
	Gated *Gated
}

// Of returns the hearing's own part of a state.
func Of(s *state.State) *Hearing { return state.OwnOf[Hearing](s) }

// SettingsOf returns the hearing's own settings.
func SettingsOf(s *state.State) *Settings {
	if own, ok := s.Settings.Own.(*Settings); ok {
		return own
	}
	return defaults()
}

func defaults() *Settings { return &Settings{Form: FormSingle, Judge: judge.V1, Rounds: DefaultRounds} }

// Own implements state.Rules.
func (Format) Own() state.Own {
	return state.Own{
		Claims:   true,
		Stages:   []state.Stage{StageArgue, StageProbe, StageExchange, StageContest},
		Settings: defaults(), State: &Hearing{},
		Kinds: []func() state.Payload{
			state.Create[SchemaViolated], state.Create[Argued], state.Create[RebuttalIgnored], state.Create[Gated],
		},
	}
}

// CurrentForm returns the form that the hearing follows now: a selective one is single until its
// gate opens, and then the form that Then names.
func CurrentForm(s *state.State) Form {
	settings := SettingsOf(s)
	if settings.Form != FormSelective {
		return settings.Form
	}
	if gated := Of(s).Gated; gated != nil && gated.Opens {
		return settings.Then
	}
	return FormSingle
}

// Argument returns the side's last argument up to the given round, or nil.
func (h *Hearing) Argument(seat state.Seat, round int) *Argued {
	return lists.Last(h.Arguments, func(a *Argued) bool { return a.Seat == seat && a.Round <= round })
}

// Overall returns the reports of both sides on the question as a whole.
func (h *Hearing) Overall() []state.Confidence {
	return lists.Map(h.Arguments, func(a Argued) state.Confidence {
		return state.Confidence{Round: a.Round, ConfidenceReported: state.ConfidenceReported{
			Seat: a.Seat, Point: QuestionPoint, Stated: a.Stated, Admitted: a.Confidence,
		}}
	})
}

// holds reports whether the packet has a fact with the id.
func holds(s *state.State, id string) bool {
	_, there := s.Packet.Fact(id)
	return there
}

// unknownFacts returns the ids that are missing from the packet, without duplicates.
func unknownFacts(s *state.State, ids []string) []string {
	return lists.Filter(lists.Distinct(ids), func(id string) bool { return !holds(s, id) })
}

// Change is a change of a side's confidence in a claim of its own.
type Change struct {
	From, To float64
	// Fact is the fact of the packet that caused it, or "".
	Fact  string
	Round int
}

// ChangesOf returns the admitted changes of an author's confidence in its claim.
func ChangesOf(s *state.State, p *state.Point) []Change {
	var changes []Change
	var before *state.Confidence
	for _, c := range s.Confidence.All() {
		if c.Point != p.ID || !p.IsAuthor(c.Seat) {
			continue
		}
		if before != nil && c.Admitted != before.Admitted {
			change := Change{From: before.Admitted, To: c.Admitted, Round: c.Round}
			if holds(s, c.Cause) {
				change.Fact = c.Cause
			}
			changes = append(changes, change)
		}
		before = c
	}
	return changes
}

// SchemaViolated says that a move cites facts outside of the packet: it is dropped
// whole, counted and shown.
type SchemaViolated struct {
	Seat  state.Seat `json:"seat"`
	Move  string     `json:"move"`
	Text  string     `json:"text"`
	Facts []string   `json:"facts"`
	// Round is set when it is applied.
	Round int `json:"-"`
}

// Fold implements state.Payload.
func (e *SchemaViolated) Fold(s *state.State) error {
	if len(e.Facts) == 0 || len(unknownFacts(s, e.Facts)) != len(e.Facts) {
		return errors.New("a violation of the closed world names facts that are not in the packet")
	}
	violation := *e
	violation.Round = s.Round
	return state.ChangeOwn(s, func(h *Hearing) { h.Violations = append(slices.Clip(h.Violations), violation) })
}

// Argued ends the argument of a side in a round, with its confidence in its side of the question.
type Argued struct {
	Seat state.Seat `json:"seat"`
	// Stated is the side's number, Confidence what counts.
	Stated     float64 `json:"stated"`
	Confidence float64 `json:"confidence"`
	// WouldChange names what would change its mind, or "".
	WouldChange string `json:"would_change"`
	// Round and Seq are set when it is applied.
	Round int `json:"-"`
	Seq   int `json:"-"`
}

// Fold implements state.Payload.
func (e *Argued) Fold(s *state.State) error {
	argument := *e
	argument.Round, argument.Seq = s.Round, s.Seq
	return state.ChangeOwn(s, func(h *Hearing) { h.Arguments = append(slices.Clip(h.Arguments), argument) })
}

// RebuttalIgnored says that a side left a contradicting fact unanswered, and neither
// lowered its confidence nor named the fact that would change its mind.
type RebuttalIgnored struct {
	Seat      state.Seat `json:"seat"`
	Challenge string     `json:"challenge"`
	Fact      string     `json:"fact"`
	// Round is set when it is applied.
	Round int `json:"-"`
}

// Fold implements state.Payload.
func (e *RebuttalIgnored) Fold(s *state.State) error {
	if s.Challenge(e.Challenge) == nil {
		return state.Unknown("challenge", e.Challenge)
	}
	ignored := *e
	ignored.Round = s.Round
	return state.ChangeOwn(s, func(h *Hearing) { h.Ignored = append(slices.Clip(h.Ignored), ignored) })
}

// Gated is the result of the gate of a selective hearing after round 1. verify recomputes it.
type Gated struct {
	// Confidence is the confidence in the verdict of round 1. Flags are reasons to doubt it.
	Confidence float64      `json:"confidence"`
	Flags      []judge.Flag `json:"flags"`
	// Opens reports whether the hearing continues.
	Opens bool `json:"opens"`
}

// Fold implements state.Payload.
func (e *Gated) Fold(s *state.State) error {
	if Of(s).Gated != nil {
		return errors.New("the gate has spoken already")
	}
	gated := *e
	return state.ChangeOwn(s, func(h *Hearing) { h.Gated = &gated })
}
