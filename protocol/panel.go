package protocol

import (
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
)

// Panel asks several participants at once, each without the others' answers.
// Their claims become points; an orchestrator marks which are on one subject, and
// their polarity; code finds the conflicts, settles by the session's strategy what
// that can settle, and has the sides argue the rest as in a consultation, or puts
// it to the user.
type Panel struct{}

// leastAnswers is how many answers there must be for anything to be compared.
const leastAnswers = 2

// Next implements Format. The steps stand in the order of a round, as in a
// consultation; those behind the settling are its rounds 2 to 8, between the two
// sides of what is argued.
func (Panel) Next(s state.State) Turn {
	for _, due := range []step{
		opening,
		checking,          // RD6
		approving,         // commands, before they are run
		panelClosing,      // RD10, once an exit is reached
		deserting,         // who failed twice is missing
		convening,         // all at once, unseen by each other (RD1b)
		missed,            // whether to go on without who is missing
		outnumbered,       // nobody, or only one, answered
		merging,           // RD2: identical text
		comparing,         // TRIAGE by the orchestrator (RD1b)
		opposing,          // RD1b: contradictions that it left unmarked
		scoping,           // what it left is in scope
		finding,           // conflicts
		voting,            // who said nothing of them takes a side
		settling,          // the strategy
		retracting,        // questions that need no answer any more
		later(refuting),   // RD6
		later(countering), // RD4, RD5: DEFEND and its kin
		reminding,         // CH2, CH4
		later(evaluating), // RD3, CH5
		expiring,          // requests whose window went by
		later(grounding),  // JU5: evidence is asked for once
		ruling,            // RD7
		sending,           // what is not settled is argued, where the session was opened so
		continuing,        // the next round of it
		appealing,         // the rest is put to the user
		disbanding,
	} {
		if turn, ok := due(&s); ok {
			return turn
		}
	}
	return Turn{}
}

// later is a step of the rounds in which is argued: not of the first.
func later(due step) step {
	return func(s *state.State) (Turn, bool) {
		if s.Round < 2 {
			return notDue()
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
	return slices.DeleteFunc(s.Panelists(), func(seat state.Seat) bool { return !hasPoint(s, seat) })
}

// deserting takes a seat for missing that failed the format twice in a row, or
// gave no discrete point also after a critique: the others go on.
func deserting(s *state.State) (Turn, bool) {
	var gone []state.Payload
	for _, seat := range seated(s) {
		if reason, stage := failure(s, seat); reason != "" {
			gone = append(gone, &state.SeatMissed{Seat: seat, Stage: stage, Reason: reason, Answered: true})
		}
	}
	return Turn{Events: gone}, len(gone) > 0
}

// failure says what a seat failed at, and in which stage; "" where it did not.
func failure(s *state.State, seat state.Seat) (reason string, stage state.Stage) {
	if seat.IsPanelist() && s.AskedOf(seat, state.StagePropose).Replies > 1 && !hasPoint(s, seat) {
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
func convening(s *state.State) (Turn, bool) {
	if s.Round != 1 {
		return notDue()
	}
	moves := []MoveKind{MoveRaise, MoveFlag, MoveClarify}
	if turn, due := askOnce(s, state.StagePropose, present(s), moves...); due {
		return turn, due
	}
	var asks []Ask
	for _, seat := range present(s) {
		if asked := s.AskedOf(seat, state.StagePropose); asked.Replies == 1 && !hasPoint(s, seat) {
			asks = append(asks, Ask{
				Seat: seat, Stage: state.StagePropose, Moves: moves,
				Retry: "the reply holds no discrete point: give discrete points on the question, each a RAISE",
			})
		}
	}
	return Turn{Asks: asks}, len(asks) > 0
}

// outnumbered is what happens when nothing can be compared: where nobody could be
// asked the session waits (EX7), where one answered it ends.
func outnumbered(s *state.State) (Turn, bool) {
	there := len(answered(s))
	switch {
	case s.Round != 1 || there >= leastAnswers:
		return notDue()
	case there == 0:
		return nobody(s)
	}
	return events(&state.ExitReached{
		Exit:   state.ExitQuality,
		Reason: "only " + string(answered(s)[0]) + " answered: there is nothing to compare",
	})
}

// nobody is the turn where no answer came: who could not be asked is asked again
// once the session is resumed.
func nobody(s *state.State) (Turn, bool) {
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
		return events(&state.ExitReached{Exit: state.ExitQuality, Reason: reason})
	}
	return events(append(again, &state.SessionPaused{Why: state.PauseUnreachable, Reason: reason})...)
}

// comparing has the orchestrator mark which points are on one subject, and their
// polarity, and what is beside the question. It is shown no authors.
func comparing(s *state.State) (Turn, bool) {
	if s.Round != 1 {
		return notDue()
	}
	asked := s.AskedOf(state.Orchestrator, state.StageTriage)
	if asked.Replies > 0 || asked.Failed > 1 || s.Panel.Misses(state.Orchestrator) {
		return notDue()
	}
	return Turn{Asks: []Ask{{
		Seat: state.Orchestrator, Stage: state.StageTriage, Moves: []MoveKind{MoveTriage, MoveMerge, MoveFlag},
		Retry: retryOf(asked),
	}}}, true
}

// opposing marks pairs that nobody marked and that seem to say the opposite of
// each other: to leave them would be a false consensus (ST6).
func opposing(s *state.State) (Turn, bool) {
	if s.Round != 1 {
		return notDue()
	}
	var marked []state.Payload
	points := livePoints(s)
	statements := statementsOf(points)
	for i, p := range points {
		for j, q := range points[i+1:] {
			if statements[i].Opposes(statements[i+1+j]) && !sameAuthors(p, q) && !paired(s, p, q) {
				marked = append(marked, &state.PointsPaired{
					A: p.ID, B: q.ID, Same: true, Opposed: true,
					By: state.Protocol,
				})
			}
		}
	}
	return Turn{Events: marked}, len(marked) > 0
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
func scoping(s *state.State) (Turn, bool) {
	if s.Round != 1 {
		return notDue()
	}
	var placed []state.Payload
	for _, p := range untriaged(s) {
		placed = append(placed, &state.PointTriaged{
			Point: p.ID, By: state.Protocol, Scope: state.InScope,
			Reason: "in scope unless said otherwise",
		})
	}
	return Turn{Events: placed}, len(placed) > 0
}

// panelClosing is what happens once an exit is reached.
func panelClosing(s *state.State) (Turn, bool) {
	if !s.Over() {
		return notDue()
	}
	return closingSteps(s)
}

// seated implements Format.
func (Panel) seated(s *state.State) []state.Seat {
	return slices.DeleteFunc(append(present(s), state.Orchestrator), s.Panel.Misses)
}

// due implements Format: what is argued is owed as in a consultation.
func (Panel) due(s *state.State, ask Ask) Due {
	switch ask.Stage { //nolint:exhaustive // the others are a consultation's
	case state.StageTriage:
		return Due{Triage: idsOf(untriaged(s))}
	case state.StageVote:
		return Due{Classify: contestedFor(s, ask.Seat)}
	}
	return Consult{}.due(s, ask)
}

// deliberated implements Format.
func (Panel) deliberated(s *state.State) []*state.Point { return livePoints(s) }

// answerable implements Format: as in a consultation.
func (Panel) answerable(s *state.State) bool { return Consult{}.answerable(s) }

// undecided implements Format: the rulings alone say what a panel came to.
func (Panel) undecided(*state.State) bool { return false }

// missing implements Format: a panel goes on without who cannot be asked. Who that
// is the record says already, so that the reason need not.
func (Panel) missing(s *state.State, ask Ask, reason string) []state.Payload {
	if seated, ok := s.Assignment(ask.Seat); ok {
		reason = strings.TrimPrefix(reason, seated.Participant+" gives no answer: ")
	}
	return []state.Payload{&state.SeatMissed{Seat: ask.Seat, Stage: ask.Stage, Reason: reason}}
}

// Least implements Format: the answers, and the look of the orchestrator at them;
// whether votes follow is not known before. A round of the argument costs what one
// of a consultation does.
func (Panel) Least(s state.State, asks []Ask) []Ask {
	if asks[0].Stage != state.StagePropose {
		return Consult{}.Least(s, asks)
	}
	return append(slices.Clone(asks), Ask{Seat: state.Orchestrator, Stage: state.StageTriage})
}
