package protocol

import (
	"slices"

	"moot/internal/lists"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Format is a system of deliberation: who speaks when, with which moves.
type Format interface {
	state.Rules
	// Rulings rules on the points of a session.
	Rulings() resolver.Format
	// View describes a session in words.
	View() view.Format
	// Settings describes the settings that the user gives when a session is opened.
	Settings() Settings
	// Moves are the moves of a seat that only this format has.
	Moves() []MoveRow
	// Stages are the steps of a round that only this format has.
	Stages() []state.Stage
	// Prompts are its texts for models, see PromptText; the section "moves" describes its moves.
	Prompts() string
	// Next returns the next turn. It is a pure function of the state: after a crash it returns the
	// same turn again.
	Next(s *state.State) Turn
	// Admit turns a parsed reply into events, or refuses its moves one by one
	// with a reason each. The events are in order and can be applied.
	Admit(s *state.State, ask Ask, moves []Move) Admission
	// Prompt returns the prompt for the asked seat.
	Prompt(s *state.State, ask Ask) Prompt
	// MinAsks returns the asks that a round makes at least, given its first ones.
	MinAsks(s *state.State, asks []Ask) []Ask
	// UserMoves are the moves of the user that only this format has.
	UserMoves() []UserMove
	// UserMove admits a move of the user that this format handles in its own way. It returns
	// handled as false for the others.
	UserMove(u *UserAdmitter, move UserMove) (handled bool, err error)
	// Missing returns the events for a seat that cannot be asked if the others continue
	// without it; nil makes the session wait for the seat (EX7). The failure is nil if an older moot
	// recorded it.
	Missing(s *state.State, ask Ask, reason string, failure *state.Failure) []state.Payload
	// AnswerSeat returns the seat that answers the question at the end (AN1), or "" if the format's
	// own decision is the answer.
	AnswerSeat(s *state.State) state.Seat
	// Seated returns the seats that take part in the rounds.
	Seated(s *state.State) []state.Seat
	// Due returns the open tasks of the asked seat.
	Due(s *state.State, ask Ask) Due
	// Deliberated returns the points under deliberation, in order.
	Deliberated(s *state.State) []*state.Point
	// Answerable reports whether a challenge that is raised now can still be answered.
	Answerable(s *state.State) bool
	// Examines reports whether all prose that the user gave is under examination, so that it is no evidence
	// (RV4).
	Examines(s *state.State) bool
	// ExitCode returns the exit code for what the format decided so far: ExitConcluded, ExitInconclusive or
	// ExitPerson. SessionExitCode also takes into account how the session ended.
	ExitCode(s *state.State) ExitCode
	// QuestionInfo describes a question that only this format asks. It returns ok as false for
	// questions that all formats share.
	QuestionInfo(s *state.State, q *state.Question) (a QuestionInfo, ok bool)
	// Blind reports whether the participant still has to give an answer that others give at the
	// same time, and whether there are answers that it must not see before that.
	Blind(s *state.State, participant string) (owes, unseen bool)
	// AsksAtOnce reports whether a request to a seat is due in the round it was made in; otherwise
	// it is due in the next.
	AsksAtOnce() bool
	// Uses are the fields of moves that only this format reads.
	Uses() []string
	// Overrides lists the decisions that the user can make now.
	Overrides(o Decisions) []Override
}

// Of returns the format of a session. It is nil if the session was opened without one, as some
// tests do.
func Of(s *state.State) Format {
	f, _ := s.Rules.(Format)
	return f
}

// Turn is the next thing to do. Exactly one of its fields is set, except that Exit comes with Close.
type Turn struct {
	// Events are those that the rules record by themselves.
	Events []state.Payload
	// Check are the ids of evidence items that a researcher has to check.
	Check []string
	// Asks are the seats to ask. They are asked at the same time, and none sees another's reply.
	Asks []Ask
	// Await are the questions that the user has to answer before anything else can happen.
	Await []string
	// Close ends the session; the final rulings are in the state already. Exit renames the exit after a decision that
	// followed the end, or is empty.
	Close bool
	Exit  state.ExitReached
}

// Ask is one seat's turn.
type Ask struct {
	Seat  state.Seat
	Stage state.Stage
	// Moves are the allowed moves.
	Moves []MoveKind
	// Retry says why the seat is asked again, or is "".
	Retry string
	// Kinds are the kinds of evidence that the session takes beyond citations and commands.
	Kinds []ledger.Kind
	// Prose reads an answer that is written as prose: its sentences with places are points, or else those of its first
	// paragraph.
	Prose bool
}

// Admission is the result of a reply.
type Admission struct {
	Events  []state.Payload
	Refused []state.Refusal
}

// Due lists the open tasks of a seat in its turn, by id. The prompt shows them to a model;
// other participants read them from the state.
type Due struct {
	// Triage and Classify are points.
	Triage, Classify []string
	// Answer and Judge are challenges.
	Answer, Judge []string
	// Weigh are items of evidence whose relevance the seat was not asked about yet.
	Weigh []string
	// Score are the points for which the seat has not reported a confidence.
	Score []string
	// Optional says that the points in Classify need not be classified.
	Optional bool
	// Requests are the open requests to the seat from earlier rounds.
	Requests []*state.Request
}

// DueOf returns the open tasks of the asked seat.
func DueOf(s *state.State, ask Ask) Due {
	if f := Of(s); f != nil {
		return f.Due(s, ask)
	}
	return Due{}
}

// IDsOf returns the IDs of points.
func IDsOf(points []*state.Point) []string {
	return lists.Map(points, func(p *state.Point) string { return p.ID })
}

// Owes reports whether the participant still has to give an answer that others give at the same
// time, without seeing each other's. It is false before the session is open.
func Owes(s *state.State, participant string) bool {
	f := Of(s)
	if f == nil {
		return false
	}
	owes, _ := f.Blind(s, participant)
	return owes
}

// Unseen reports whether there are answers that the participant must not see before it has given
// its own.
func Unseen(s *state.State, participant string) bool {
	f := Of(s)
	if f == nil {
		return false
	}
	_, unseen := f.Blind(s, participant)
	return unseen
}

// Base implements the methods of Format that most formats have in common. A format embeds it.
type Base struct{}

// Moves implements Format: the format has the shared moves only.
func (Base) Moves() []MoveRow { return nil }

// Stages implements Format: the format has the shared stages only.
func (Base) Stages() []state.Stage { return nil }

// Prompts implements Format.
func (Base) Prompts() string { return "" }

// UserMoves implements Format: the user has the shared moves only.
func (Base) UserMoves() []UserMove { return nil }

// UserMove implements Format: the shared rules cover the moves of the user.
func (Base) UserMove(*UserAdmitter, UserMove) (handled bool, err error) { return false, nil }

// Due implements Format: the open tasks of a seat in a debate over claims.
func (Base) Due(s *state.State, ask Ask) Due {
	var d Due
	switch ask.Stage { //nolint:exhaustive // nothing is owed by id in the other stages
	case state.StageEvaluate, state.StageJudge:
		if ask.Seat == state.Orchestrator {
			d.Triage = IDsOf(Untriaged(s))
		}
		d.Classify = IDsOf(unclassified(s, ask.Seat))
		for _, c := range Unjudged(s, ask.Seat) {
			d.Judge = append(d.Judge, c.ID)
		}
	case state.StageAnswer, state.StageRemind:
		for _, c := range OpenChallenges(s, ask.Seat, state.StandsOpen, state.StandsReminded) {
			if !slices.Contains(d.Answer, c.ID) {
				d.Answer = append(d.Answer, c.ID)
			}
		}
	default:
		return d
	}
	for _, item := range ToWeigh(s, ask.Seat) {
		d.Weigh = append(d.Weigh, item.ID)
	}
	d.Requests = RequestsOf(s, ask.Seat)
	return d
}

// Deliberated implements Format.
func (Base) Deliberated(s *state.State) []*state.Point { return LivePoints(s) }

// Missing implements Format: the session cannot continue without a seat.
func (Base) Missing(*state.State, Ask, string, *state.Failure) []state.Payload { return nil }

// AnswerSeat implements Format.
func (Base) AnswerSeat(*state.State) state.Seat { return state.Orchestrator }

// Answerable implements Format: authors answer in the next round.
func (Base) Answerable(s *state.State) bool { return s.Round < resolver.LastRound(s) }

// ExitCode implements Format: the rulings are the result (EX9).
func (Base) ExitCode(s *state.State) ExitCode {
	if s.Inconclusive {
		return ExitInconclusive
	}
	return ExitConcluded
}

// Examines implements Format: the framings that put a text to the test.
func (Base) Examines(s *state.State) bool {
	switch s.Settings.Framing { //nolint:exhaustive // the others examine no document
	case state.FramingCritique, state.FramingRedteam, state.FramingVerify:
		return true
	}
	return false
}

// QuestionInfo implements Format: the format asks the user nothing of its own.
func (Base) QuestionInfo(*state.State, *state.Question) (QuestionInfo, bool) {
	return QuestionInfo{}, false
}

// AsksAtOnce implements Format.
func (Base) AsksAtOnce() bool { return false }

// Blind implements Format: every seat sees what the others said.
func (Base) Blind(*state.State, string) (owes, unseen bool) { return false, false }

// Uses implements Format.
func (Base) Uses() []string { return nil }

// Own implements state.Rules: the format adds nothing to a session.
func (Base) Own() state.Own { return state.Own{} }
