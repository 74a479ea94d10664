package consult

import (
	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Consult is the argumentation protocol: an orchestrator consults one or more
// consultees, claim by claim, in at most 8 rounds.
type Format struct{}

// UserMove implements Format: a move of the user's means what it means anywhere.
func (Format) UserMove(*protocol.UserAdmitter, protocol.UserMove) (handled bool, err error) {
	return false, nil
}

// Missing implements Format: nobody can be done without.
func (Format) Missing(*state.State, protocol.Ask, string) []state.Payload { return nil }

// Answerable implements Format: authors answer in the next round.
func (Format) Answerable(s *state.State) bool { return s.Round < protocol.LastRound(s) }

// Undecided implements Format: the rulings alone say what a consultation came to.
func (Format) Undecided(*state.State) bool { return false }

// Name implements Format.
func (Format) Name() state.Format { return state.FormatConsult }

// Admit implements Format.
func (Format) Admit(s state.State, ask protocol.Ask, moves []protocol.Move) protocol.Admission {
	return protocol.AdmitClaims(s, ask, moves)
}

// Prompt implements Format.
func (Format) Prompt(s state.State, ask protocol.Ask) protocol.Prompt {
	return protocol.PromptClaims(s, ask, protocol.RoleText(ask.Seat))
}

// Due implements Format.
func (Format) Due(s *state.State, ask protocol.Ask) protocol.Due { return protocol.DueClaims(s, ask) }

// Deliberated implements Format.
func (Format) Deliberated(s *state.State) []*state.Point { return protocol.LivePoints(s) }

// Asking implements Format: all questions of a consultation are shared ones.
func (Format) Asking(*state.State, *state.Question) (protocol.Asking, bool) {
	return protocol.Asking{}, false
}

// Blind implements Format.
func (Format) Blind(s *state.State, participant string) (owes, unseen bool) {
	return s.Owes(participant), s.Unseen(participant)
}

// AsksAtOnce implements Format.
func (Format) AsksAtOnce() bool { return false }

// Next implements Format. The steps stand in the order of a round; the first
// that is due is the turn. Each looks at the state alone, so that a session
// that was cut off anywhere goes on at the same place.
func (Format) Next(s state.State) protocol.Turn {
	for _, due := range []protocol.Step{
		opening,
		protocol.Checking,   // RD6
		protocol.Refuting,   // RD6: verified refutations are put to the author
		protocol.Approving,  // commands, before they are run
		protocol.Failing,    // EX4
		closingConsultation, // RD10, AR, once an exit is reached
		mapping,             // RD1
		proposing,           // RD1, RD1b
		protocol.Merging,    // RD2: identical text
		placing,             // RD2: what needs no triage
		limiting,            // RD2: more than 7
		answering,           // RD4, RD5
		protocol.Reminding,  // CH2, CH4
		protocol.Evaluating, // RD2, RD3, CH5
		contradicting,       // RD1b: unmarked contradictions
		covering,            // RD8
		stressing,           // RD9
		windows,             // requests whose window went by
		protocol.Grounding,  // JU5
		deadlocks,           // EX8
		tradeoffs,           // EX8, AC11
		protocol.Ruling,     // RD7
		exits,               // EX
		advancing,           // PH1, PH2
	} {
		if turn, ok := due(&s); ok {
			return turn
		}
	}
	return protocol.Turn{}
}

// opening starts round 1 with the framing's points (PH1).
func opening(s *state.State) (protocol.Turn, bool) {
	if s.Round > 0 || s.Over() {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: *s}
	d.Try(0, func() error {
		return d.All(&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive, Reason: "round 1"})
	})
	if seeds := framingOf(s.Settings.Framing).seeds; seeds != nil {
		for _, seed := range seeds(&s.Settings.Input) {
			seed.ID = d.NextPoint()
			d.Try(0, func() error { return d.Add(&seed) })
		}
	}
	return protocol.Turn{Events: d.Events}, true
}

// mapping has the orchestrator draw the map before the first question (RD1).
func mapping(s *state.State) (protocol.Turn, bool) {
	if s.Settings.Mode == state.ModeQuick || s.Round != 1 {
		return protocol.NotDue()
	}
	return protocol.AskOnce(s, state.StageMap, []state.Seat{state.Orchestrator}, protocol.MoveFlag, protocol.MoveClarify)
}

// proposing has the framing's seats propose, at once and unseen by each other
// (RD1, RD1b). A reply without a discrete point gets one critique (EX4).
func proposing(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	moves := []protocol.MoveKind{protocol.MoveRaise, protocol.MoveFlag, protocol.MoveClarify}
	if turn, due := protocol.AskOnce(s, state.StagePropose, proposers(s), moves...); due {
		return turn, due
	}
	if s.Quality == 0 {
		return protocol.NotDue()
	}
	for _, seat := range proposers(s) {
		missed := !protocol.HasPoint(s, seat) || (s.QualityStage != state.StagePropose && seat.IsConsultee())
		if asked := s.AskedOf(seat, state.StagePropose); asked.Replies == 1 && missed {
			return protocol.Turn{Asks: []protocol.Ask{{
				Seat: seat, Stage: state.StagePropose, Moves: moves,
				Retry: s.QualityReason + ": give discrete points on the question, each a RAISE",
			}}}, true
		}
	}
	return protocol.NotDue()
}

// placing puts in scope what needs no triage: what the user or the
// orchestrator brought, and what the orchestrator left after being asked.
func placing(s *state.State) (protocol.Turn, bool) {
	stage := protocol.Evaluation(s)
	asked := s.AskedOf(state.Orchestrator, stage)
	var placed []state.Payload
	for _, p := range protocol.Untriaged(s) {
		own := p.IsAuthor(state.User) || p.IsAuthor(state.Orchestrator)
		if own || (asked.Replies >= protocol.MostReplies(s) && p.Round == s.Round) {
			placed = append(placed, &state.PointTriaged{
				Point: p.ID, By: state.Protocol, Scope: state.InScope,
				Reason: "in scope unless said otherwise",
			})
		}
	}
	return protocol.Turn{Events: placed}, len(placed) > 0
}

// Overrides implements Format.
func (Format) Overrides(o protocol.Decisions) []protocol.Override { return o.Claims() }

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return resolver.Claims{} }

// View implements protocol.Format.
func (Format) View() view.Format { return view.Claims() }
