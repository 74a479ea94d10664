package protocol

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Consult is the argumentation protocol: an orchestrator consults one or more
// consultees, claim by claim, in at most 8 rounds.
type Consult struct{}

// MaxInScope is how many points a session evaluates (RD2).
const MaxInScope = 7

// userMove implements Format: a move of the user's means what it means anywhere.
func (Consult) userMove(*userAdmission, UserMove) (handled bool, err error) { return false, nil }

// missing implements Format: nobody can be done without.
func (Consult) missing(*state.State, Ask, string) []state.Payload { return nil }

// answerable implements Format: authors answer in the next round.
func (Consult) answerable(s *state.State) bool { return s.Round < lastRound(s) }

// undecided implements Format: the rulings alone say what a consultation came to.
func (Consult) undecided(*state.State) bool { return false }

// lastRound returns the cap on rounds of the session's mode (PH1).
func lastRound(s *state.State) int { return resolver.LastRound(s) }

// step is one thing that may be due. It returns the turn, and whether it is
// due now.
type step func(s *state.State) (Turn, bool)

// Next implements Format. The steps stand in the order of a round; the first
// that is due is the turn. Each looks at the state alone, so that a session
// that was cut off anywhere goes on at the same place.
func (Consult) Next(s state.State) Turn {
	for _, due := range []step{
		opening,
		checking,      // RD6
		refuting,      // RD6: verified refutations are put to the author
		approving,     // commands, before they are run
		failing,       // EX4
		closingSteps,  // RD10, AR, once an exit is reached
		mapping,       // RD1
		proposing,     // RD1, RD1b
		merging,       // RD2: identical text
		placing,       // RD2: what needs no triage
		limiting,      // RD2: more than 7
		answering,     // RD4, RD5
		reminding,     // CH2, CH4
		evaluating,    // RD2, RD3, CH5
		contradicting, // RD1b: unmarked contradictions
		covering,      // RD8
		stressing,     // RD9
		windows,       // requests whose window went by
		grounding,     // JU5
		deadlocks,     // EX8
		tradeoffs,     // EX8, AC11
		ruling,        // RD7
		exits,         // EX
		advancing,     // PH1, PH2
	} {
		if turn, ok := due(&s); ok {
			return turn
		}
	}
	return Turn{}
}

func events(payloads ...state.Payload) (Turn, bool) { return Turn{Events: payloads}, true }

func notDue() (Turn, bool) { return Turn{}, false }

// opening starts round 1 with the framing's points (PH1).
func opening(s *state.State) (Turn, bool) {
	if s.Round > 0 || s.Over() {
		return notDue()
	}
	d := &draft{s: *s}
	d.try(0, func() error {
		return d.all(&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive, Reason: "round 1"})
	})
	if seeds := framingOf(s.Settings.Framing).seeds; seeds != nil {
		for _, seed := range seeds(&s.Settings.Input) {
			seed.ID = d.nextPoint()
			d.try(0, func() error { return d.add(&seed) })
		}
	}
	return Turn{Events: d.events}, true
}

// checking has every reference looked at before it can count (RD6); commands
// once they are approved.
func checking(s *state.State) (Turn, bool) {
	var ids []string
	for i := s.Evidence.Len() - 1; i >= 0; i-- {
		// Citations are checked right after they are offered: what is unchecked
		// stands at the end.
		item := s.Evidence.At(i)
		if item.Approval != ledger.ApprovalNone {
			continue
		}
		if item.Checked && item.OfferedBy != string(state.User) {
			break
		}
		if !item.Checked {
			ids = append([]string{item.ID}, ids...)
		}
	}
	for _, id := range s.Commands {
		if item := s.Item(id); !item.Checked && item.Approval.Allows() {
			ids = append(ids, id)
		}
	}
	return Turn{Check: ids}, len(ids) > 0
}

// refuting raises a SKEPTICAL challenge by code for a verified refutation, so
// that the author is heard (RD6), unless a challenge of its round or a later
// one already does.
func refuting(s *state.State) (Turn, bool) {
	if s.Over() || !formatOf(s).answerable(s) {
		return notDue()
	}
	d := &draft{s: *s}
	for _, p := range livePoints(s) {
		for _, id := range p.Evidence {
			item := s.Item(id)
			if item.Counts() && item.Relation == "refutes" && !heard(&d.s, p.ID, item.Seq) {
				d.try(0, func() error {
					return d.add(&state.ChallengeRaised{
						ID: d.nextChallenge(), Point: p.ID, By: state.Protocol, What: state.Skeptical,
						Objection: id + " (" + item.Reference + ") refutes the point.",
						UpgradeIf: "verified evidence that ranks as high, or why " + id + " does not bear on it",
					})
				})
			}
		}
	}
	return Turn{Events: d.events}, len(d.events) > 0
}

// heard reports whether the author has had, or has, a window to answer an item
// that is known since the given event: a challenge waits for its answer, or one
// was answered later.
func heard(s *state.State, point string, since int) bool {
	for _, id := range s.Point(point).Challenges {
		c := s.Challenge(id)
		if resolver.Idle(s, c) {
			continue
		}
		switch c.Status {
		case state.StandsOpen, state.StandsDropped, state.StandsReminded:
			return true
		case state.StandsDefended, state.StandsUndefended, state.StandsConceded:
		}
		if last := c.Last(); last != nil && last.Seq > since {
			return true
		}
	}
	return false
}

// failing ends the session after two consecutive format failures of a seat, or
// a quality failure that survived one critique (EX4).
func failing(s *state.State) (Turn, bool) {
	if s.Over() {
		return notDue()
	}
	for _, f := range s.Failures {
		if f.Count >= 2 {
			return events(&state.ExitReached{
				Exit:   state.ExitQuality,
				Reason: string(f.Seat) + " failed the format twice in a row",
			})
		}
	}
	if slices.ContainsFunc(s.QualityOf, func(c state.SeatCount) bool { return c.Count >= 2 }) {
		return events(&state.ExitReached{Exit: state.ExitQuality, Reason: s.QualityReason + ", also after a critique"})
	}
	return notDue()
}

// mapping has the orchestrator draw the map before the first question (RD1).
func mapping(s *state.State) (Turn, bool) {
	if s.Settings.Mode == state.ModeQuick || s.Round != 1 {
		return notDue()
	}
	return askOnce(s, state.StageMap, []state.Seat{state.Orchestrator}, MoveFlag, MoveClarify)
}

// askOnce asks the seats that have not given a valid reply in this stage.
func askOnce(s *state.State, stage state.Stage, seats []state.Seat, moves ...MoveKind) (Turn, bool) {
	var asks []Ask
	for _, seat := range seats {
		if asked := s.AskedOf(seat, stage); asked.Replies == 0 {
			asks = append(asks, Ask{Seat: seat, Stage: stage, Moves: moves, Retry: retryOf(asked)})
		}
	}
	return Turn{Asks: asks}, len(asks) > 0
}

// retryOf says why a seat is asked again, from its last reply.
func retryOf(asked state.Asked) string {
	if asked.Failed == 0 && asked.Replies == 0 {
		return ""
	}
	why := ""
	for _, r := range asked.Refusals {
		why += r.Text + "\n"
	}
	if why == "" {
		why = "what is listed below still waits for you\n"
	}
	return why
}

// proposing has the framing's seats propose, at once and unseen by each other
// (RD1, RD1b). A reply without a discrete point gets one critique (EX4).
func proposing(s *state.State) (Turn, bool) {
	if s.Round != 1 {
		return notDue()
	}
	moves := []MoveKind{MoveRaise, MoveFlag, MoveClarify}
	if turn, due := askOnce(s, state.StagePropose, proposers(s), moves...); due {
		return turn, due
	}
	if s.Quality == 0 {
		return notDue()
	}
	for _, seat := range proposers(s) {
		missed := !hasPoint(s, seat) || (s.QualityStage != state.StagePropose && seat.IsConsultee())
		if asked := s.AskedOf(seat, state.StagePropose); asked.Replies == 1 && missed {
			return Turn{Asks: []Ask{{
				Seat: seat, Stage: state.StagePropose, Moves: moves,
				Retry: s.QualityReason + ": give discrete points on the question, each a RAISE",
			}}}, true
		}
	}
	return notDue()
}

func hasPoint(s *state.State, seat state.Seat) bool {
	for _, p := range s.Points.All() {
		if p.IsAuthor(seat) {
			return true
		}
	}
	return false
}

// assertion is what two points must share to say the same (RD2): the text, and
// the option and criterion that it is about.
func assertion(text, option, criterion string) string {
	return resolver.Normalised(text) + "\x00" + resolver.Normalised(option) + "\x00" + resolver.Normalised(criterion)
}

// merging joins points of identical normalised text (RD2).
func merging(s *state.State) (Turn, bool) {
	first, starts := map[string]string{}, map[string]*state.Point{}
	var merged []state.Payload
	for _, p := range s.Points.All() {
		if !live(p) || p.Round < s.Round-1 {
			continue
		}
		// Whole texts are compared only where their first words are the same.
		start := beginning(p.Text)
		other, shared := starts[start]
		if !shared {
			starts[start] = p
			continue
		}
		if other != nil {
			first[assertion(other.Text, other.Option, other.Criterion)] = other.ID
			starts[start] = nil
		}
		key := assertion(p.Text, p.Option, p.Criterion)
		if into, ok := first[key]; ok {
			merged = append(merged, &state.PointsMerged{Into: into, From: []string{p.ID}, By: state.Protocol})
			continue
		}
		first[key] = p.ID
	}
	return Turn{Events: merged}, len(merged) > 0
}

// beginning is the normalised text of the first words; punctuation alone is no
// word.
func beginning(text string) string {
	start, words := strings.Builder{}, 0
	for field := range strings.FieldsSeq(text) {
		if word := resolver.Normalised(field); word != "" {
			start.WriteString(word + " ")
			words++
		}
		if words == 12 {
			break
		}
	}
	return start.String()
}

// placing puts in scope what needs no triage: what the user or the
// orchestrator brought, and what the orchestrator left after being asked.
func placing(s *state.State) (Turn, bool) {
	stage := evaluation(s)
	asked := s.AskedOf(state.Orchestrator, stage)
	var placed []state.Payload
	for _, p := range untriaged(s) {
		own := p.IsAuthor(state.User) || p.IsAuthor(state.Orchestrator)
		if own || (asked.Replies >= mostReplies(s) && p.Round == s.Round) {
			placed = append(placed, &state.PointTriaged{
				Point: p.ID, By: state.Protocol, Scope: state.InScope,
				Reason: "in scope unless said otherwise",
			})
		}
	}
	return Turn{Events: placed}, len(placed) > 0
}

// evaluation is the stage in which points are judged in this round.
func evaluation(s *state.State) state.Stage {
	if s.Round == 1 {
		return state.StageEvaluate
	}
	return state.StageJudge
}
