package panel

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Panel asks several participants at once, each without the others' answers.
// Their claims become points; an orchestrator marks which are on one subject, and
// their polarity; code finds the conflicts, settles by the session's strategy what
// that can settle, and has the sides argue the rest as in a consultation, or puts
// it to the user.
type Format struct{}

// leastAnswers is how many answers there must be for anything to be compared.
const leastAnswers = 2

// Next implements Format. The steps stand in the order of a round, as in a
// consultation; those behind the settling are its rounds 2 to 8, between the two
// sides of what is argued.
func (Format) Next(s state.State) protocol.Turn {
	for _, due := range []protocol.Step{
		openPanel,
		protocol.Checking,          // RD6
		protocol.Approving,         // commands, before they are run
		panelClosing,               // RD10, once an exit is reached
		deserting,                  // who failed twice is missing
		convening,                  // all at once, unseen by each other (RD1b)
		missed,                     // whether to go on without who is missing
		outnumbered,                // nobody, or only one, answered
		protocol.Merging,           // RD2: identical text
		comparing,                  // TRIAGE by the orchestrator (RD1b)
		opposing,                   // RD1b: contradictions that it left unmarked
		scoping,                    // what it left is in scope
		finding,                    // conflicts
		voting,                     // who said nothing of them takes a side
		settling,                   // the strategy
		retracting,                 // questions that need no answer any more
		later(protocol.Refuting),   // RD6
		later(countering),          // RD4, RD5: DEFEND and its kin
		protocol.Reminding,         // CH2, CH4
		later(protocol.Evaluating), // RD3, CH5
		protocol.Expiring,          // requests whose window went by
		later(protocol.Grounding),  // JU5: evidence is asked for once
		protocol.Ruling,            // RD7
		sending,                    // what is not settled is argued, where the session was opened so
		continuing,                 // the next round of it
		appealing,                  // the rest is put to the user
		disbanding,
	} {
		if turn, ok := due(&s); ok {
			return turn
		}
	}
	return protocol.Turn{}
}

// later is a step of the rounds in which is argued: not of the first.
func later(due protocol.Step) protocol.Step {
	return func(s *state.State) (protocol.Turn, bool) {
		if s.Round < 2 {
			return protocol.NotDue()
		}
		return due(s)
	}
}

// present are the panelists that are not missing.
func present(s *state.State) []state.Seat {
	return slices.DeleteFunc(s.Panelists(), s.Panel.Misses)
}

// answered are the panelists whose first answer came.
func answered(s *state.State) []state.Seat {
	return slices.DeleteFunc(s.Panelists(), func(seat state.Seat) bool { return !protocol.HasPoint(s, seat) })
}

// deserting takes a seat for missing that failed the format twice in a row, or
// gave no discrete point also after a critique: the others go on.
func deserting(s *state.State) (protocol.Turn, bool) {
	var gone []state.Payload
	for _, seat := range protocol.Seated(s) {
		if reason, stage := failure(s, seat); reason != "" {
			gone = append(gone, &state.SeatMissed{Seat: seat, Stage: stage, Reason: reason, Answered: true})
		}
	}
	return protocol.Turn{Events: gone}, len(gone) > 0
}

// failure says what a seat failed at, and in which stage; "" where it did not.
func failure(s *state.State, seat state.Seat) (reason string, stage state.Stage) {
	if seat.IsPanelist() && s.AskedOf(seat, state.StagePropose).Replies > 1 && !protocol.HasPoint(s, seat) {
		return "gave no discrete point, also after a critique", state.StagePropose
	}
	if !slices.ContainsFunc(s.Failures, func(f state.SeatCount) bool { return f.Seat == seat && f.Count > 1 }) {
		return "", ""
	}
	reason = "two replies in a row could not be taken"
	for _, asked := range s.Asked {
		// The last stage in which a reply of it was none.
		if asked.Seat != seat || asked.Failed == 0 {
			continue
		}
		stage = asked.Stage
		if n := len(asked.Refusals); n > 0 {
			reason = "two replies in a row could not be taken; " + lastOf(s, seat, asked.Refusals[n-1])
		}
	}
	return reason, stage
}

// lastOf says why the last reply of a seat was not taken. The text of a refusal
// is for whoever replied, save where no reply came to its end.
func lastOf(s *state.State, seat state.Seat, r state.Refusal) string {
	if r.Code != "broken" && r.Code != "empty" && r.Code != "oversized" {
		return "the last held no move that can be read"
	}
	why := r.Text
	if seated, ok := s.Assignment(seat); ok {
		if rest, named := strings.CutPrefix(why, seated.Participant+" "); named {
			why = "it " + rest
		}
	}
	return "the last time, " + why
}

// convening asks all panelists for their answers, at once.
func convening(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	moves := []protocol.MoveKind{protocol.MoveRaise, protocol.MoveFlag, protocol.MoveClarify}
	if turn, due := protocol.AskOnce(s, state.StagePropose, present(s), moves...); due {
		return turn, due
	}
	var asks []protocol.Ask
	for _, seat := range present(s) {
		if asked := s.AskedOf(seat, state.StagePropose); asked.Replies == 1 && !protocol.HasPoint(s, seat) {
			asks = append(asks, protocol.Ask{
				Seat: seat, Stage: state.StagePropose, Moves: moves,
				Retry: "the reply holds no discrete point: give discrete points on the question, each a RAISE",
			})
		}
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// outnumbered is what happens when nothing can be compared: where nobody could be
// asked the session waits (EX7), where one answered it ends.
func outnumbered(s *state.State) (protocol.Turn, bool) {
	there := len(answered(s))
	switch {
	case s.Round != 1 || there >= leastAnswers:
		return protocol.NotDue()
	case there == 0:
		return nobody(s)
	}
	return protocol.Emit(&state.ExitReached{
		Exit:   state.ExitQuality,
		Reason: "only " + string(answered(s)[0]) + " answered: there is nothing to compare",
	})
}

// nobody is the turn where no answer came: who could not be asked is asked again
// once the session is resumed.
func nobody(s *state.State) (protocol.Turn, bool) {
	var again []state.Payload
	var why []string
	for _, m := range s.Panel.Missing {
		if !m.Answered {
			again = append(again, &state.SeatRecalled{Seat: m.Seat, By: state.Protocol})
		}
		why = append(why, string(m.Seat)+": "+m.Reason)
	}
	reason := "nobody answered: " + strings.Join(why, "; ")
	if len(again) == 0 {
		return protocol.Emit(&state.ExitReached{Exit: state.ExitQuality, Reason: reason})
	}
	return protocol.Emit(append(again, &state.SessionPaused{Why: state.PauseUnreachable, Reason: reason})...)
}

// comparing has the orchestrator mark which points are on one subject, and their
// polarity, and what is beside the question. It is shown no authors.
func comparing(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	asked := s.AskedOf(state.Orchestrator, state.StageTriage)
	if asked.Replies > 0 || asked.Failed > 1 || s.Panel.Misses(state.Orchestrator) {
		return protocol.NotDue()
	}
	return protocol.Turn{Asks: []protocol.Ask{{
		Seat: state.Orchestrator, Stage: state.StageTriage, Moves: []protocol.MoveKind{protocol.MoveTriage, protocol.MoveMerge, protocol.MoveFlag},
		Retry: protocol.RetryOf(asked),
	}}}, true
}

// opposing marks pairs that nobody marked and that seem to say the opposite of
// each other: to leave them would be a false consensus (ST6).
func opposing(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	var marked []state.Payload
	points := protocol.LivePoints(s)
	statements := statementsOf(points)
	for i, p := range points {
		for j, q := range points[i+1:] {
			if statements[i].Opposes(statements[i+1+j]) && !sameAuthors(p, q) && !protocol.Paired(s, p, q) {
				marked = append(marked, &state.PointsPaired{
					A: p.ID, B: q.ID, Same: true, Opposed: true,
					By: state.Protocol,
				})
			}
		}
	}
	return protocol.Turn{Events: marked}, len(marked) > 0
}

// statementsOf reads the texts of points once, to be compared with each other.
func statementsOf(points []*state.Point) []*resolver.Statement {
	statements := make([]*resolver.Statement, len(points))
	for i, p := range points {
		statements[i] = resolver.StatementOf(p.Text)
	}
	return statements
}

// scoping puts in scope what the orchestrator did not put elsewhere.
func scoping(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	var placed []state.Payload
	for _, p := range protocol.Untriaged(s) {
		placed = append(placed, &state.PointTriaged{
			Point: p.ID, By: state.Protocol, Scope: state.InScope,
			Reason: "in scope unless said otherwise",
		})
	}
	return protocol.Turn{Events: placed}, len(placed) > 0
}

// openPanel starts round 1 (PH1).
func openPanel(s *state.State) (protocol.Turn, bool) {
	if s.Round > 0 || s.Over() {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive, Reason: "round 1"})
}

// nextRound starts the next round of an argument and sets its phase (PH1).
func nextRound(s *state.State) (protocol.Turn, bool) {
	n := s.Round + 1
	start := &state.RoundStarted{Round: n}
	phase := protocol.PhaseByRound(n)
	if phase == s.Phase {
		return protocol.Emit(start)
	}
	return protocol.Emit(start, &state.PhaseChanged{Phase: phase, Reason: fmt.Sprintf("round %d", n)})
}

// panelClosing is what happens once an exit is reached.
func panelClosing(s *state.State) (protocol.Turn, bool) {
	if !s.Over() {
		return protocol.NotDue()
	}
	return protocol.ClosingSteps(s)
}

// Seated implements Format.
func (Format) Seated(s *state.State) []state.Seat {
	return slices.DeleteFunc(append(present(s), state.Orchestrator), s.Panel.Misses)
}

// Due implements Format: what is argued is owed as in a consultation.
func (Format) Due(s *state.State, ask protocol.Ask) protocol.Due {
	switch ask.Stage { //nolint:exhaustive // the others are a consultation's
	case state.StageTriage:
		return protocol.Due{Triage: protocol.IdsOf(protocol.Untriaged(s))}
	case state.StageVote:
		return protocol.Due{Classify: contestedFor(s, ask.Seat)}
	}
	return protocol.DueClaims(s, ask)
}

// Deliberated implements Format.
func (Format) Deliberated(s *state.State) []*state.Point { return protocol.LivePoints(s) }

// Answerable implements Format: as in a consultation.
func (Format) Answerable(s *state.State) bool { return s.Round < protocol.LastRound(s) }

// Undecided implements Format: the rulings alone say what a panel came to.
func (Format) Undecided(*state.State) bool { return false }

// Missing implements Format: a panel goes on without who cannot be asked. Who that
// is the record says already, so that the reason need not.
func (Format) Missing(s *state.State, ask protocol.Ask, reason string) []state.Payload {
	if seated, ok := s.Assignment(ask.Seat); ok {
		reason = strings.TrimPrefix(reason, seated.Participant+" gives no answer: ")
	}
	return []state.Payload{&state.SeatMissed{Seat: ask.Seat, Stage: ask.Stage, Reason: reason}}
}

// Least implements Format: the answers, and the look of the orchestrator at them;
// whether votes follow is not known before. A round of the argument costs what one
// of a consultation does.
func (Format) Least(s state.State, asks []protocol.Ask) []protocol.Ask {
	if asks[0].Stage != state.StagePropose {
		if asks[0].Stage == state.StageAnswer {
			return append(slices.Clone(asks), protocol.Ask{Seat: protocol.JudgeAfter(&s, asks), Stage: state.StageJudge})
		}
		return asks
	}
	return append(slices.Clone(asks), protocol.Ask{Seat: state.Orchestrator, Stage: state.StageTriage})
}

// Name implements Format.
func (Format) Name() state.Format { return state.FormatPanel }

// AsksAtOnce implements Format.
func (Format) AsksAtOnce() bool { return false }

// Blind implements Format.
func (Format) Blind(s *state.State, participant string) (owes, unseen bool) {
	return s.Owes(participant), s.Unseen(participant)
}

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return resolver.Panels() }

// View implements protocol.Format.
func (Format) View() view.Format { return view.Panels() }
