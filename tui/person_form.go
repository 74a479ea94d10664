package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// newReplyForm asks the person for the reply of a seat.
func newReplyForm(r *request) *formDialog {
	ask := r.call.Ask
	f := newForm(fmt.Sprintf("You speak as %s: %s", ask.Seat, pane.StageName(ask.Stage)), []view.Field{{
		Key: "reply", Label: "Reply", Kind: view.FieldText, Placeholder: "one move per line",
		Help: "An empty reply means that you have nothing to say.",
	}}, func(v view.Values) perform {
		return func(m *Model) tea.Cmd {
			r.answer <- v["reply"]
			m.withdraw(r)
			return nil
		}
	})
	f.request = r
	f.Head = func(l *theme.Look, width int) []string { return r.asked(l, width) }
	return f
}

// proposes reports whether the person speaks for a seat of a proposal.
func (r *request) proposes() bool { return formatScreenOf(r.call.State.Settings.Format).proposes }

// asked says what is asked: the stage, the points, the challenges, the moves.
func (r *request) asked(l *theme.Look, width int) []string {
	call := &r.call
	rows := l.Paragraph(width, nil, l.Bold.Span(r.asks()), nil, 0)
	if call.Ask.Retry != "" {
		rows = append(rows, l.Paragraph(width, []theme.Span{l.Warn.Span(l.Glyphs.Warn + " again: ")}, l.Text.Span(call.Ask.Retry), nil, 0)...)
	}
	rows = append(rows, l.Paragraph(width, []theme.Span{l.Faint.Span("moves  ")}, l.Faint.Span(strings.Join(stageHints(call.Ask), "   ")), nil, 0)...)
	rows = append(rows, theme.Blank(width))
	s := &call.State
	due := protocol.DueOf(s, call.Ask)
	for _, id := range slices.Concat(due.Answer, due.Judge) {
		c := s.Challenge(id)
		lead := []theme.Span{l.Unresolved.Span(l.Glyphs.Unresolved + " "), l.Bold.Span(c.ID + " " + pane.ChallengeAbout(c) + "  ")}
		rows = append(rows, l.Paragraph(width, lead, l.Text.Span(c.Objection), nil, 0)...)
		if last := c.Last(); last != nil {
			rows = append(rows, l.Paragraph(width, []theme.Span{l.Faint.Span("    answered  ")}, l.Faint.Span(last.Text), nil, 0)...)
		}
	}
	for _, owed := range due.Requests {
		if r.proposes() {
			rows = append(rows, l.Paragraph(width, []theme.Span{l.Warn.Span(l.Glyphs.Warn + " "), l.Bold.Span("owed for " + owed.About + "  ")}, l.Text.Span(owed.Text), nil, 0)...)
		}
	}
	for _, p := range duePoints(s, call.Ask, due) {
		rows = append(rows, l.Paragraph(width, append([]theme.Span{l.Bold.Span("  " + p.ID + "  ")}, claimedBy(l, s, p)...), l.Text.Span(pane.Citing(p.Text, p.Facts)), nil, 0)...)
		for _, id := range p.Evidence {
			item := s.Item(id)
			mark := l.Dismissed.Span(l.Glyphs.Dismissed + " ")
			if item.Counts() {
				mark = l.Agreed.Span(l.Glyphs.Agreed + " ")
			}
			rows = append(rows, l.Paragraph(width, []theme.Span{l.Text.Span("      "), mark, l.Bold.Span(id + " ")},
				l.Faint.Span(string(item.Relation)+" "+item.Reference), nil, 0)...)
		}
	}
	return append(rows, packetRows(l, s, width)...)
}

// asks says in a sentence what is asked.
func (r *request) asks() string {
	ask := r.call.Ask
	if !r.proposes() {
		return stageAsks(ask.Stage)
	}
	switch {
	case ask.Seat == state.Proposer && ask.Stage == state.StagePropose && r.call.State.Round > 1:
		return "Answer what holds the proposal: mend a field, bring evidence, or withdraw it."
	case ask.Seat == state.Proposer && ask.Stage == state.StagePropose:
		return "Propose the fields, each with its value and what it rests on."
	case ask.Seat == state.Proposer:
		return "Bring evidence for what was objected, or concede it."
	case ask.Stage == state.StageJudge:
		return "Evidence came in. Does anything still stand against the proposal?"
	}
	return "What is wrong with the proposal? Look at every field."
}

// duePoints are the points that the seat must judge now; where it judges none,
// those under deliberation.
func duePoints(s *state.State, ask protocol.Ask, due protocol.Due) []*state.Point {
	if s.Settings.Format == state.FormatHearing {
		return knownClaims(s, ask.Seat)
	}
	if formatScreenOf(s.Settings.Format).proposes || !slices.Contains([]state.Stage{state.StageEvaluate, state.StageJudge, state.StageVote}, ask.Stage) {
		return protocol.Deliberated(s)
	}
	var points []*state.Point
	for _, p := range protocol.Deliberated(s) {
		judged := slices.ContainsFunc(due.Judge, func(id string) bool { return s.Challenge(id).Point == p.ID })
		if judged || slices.Contains(due.Classify, p.ID) || slices.Contains(due.Triage, p.ID) {
			points = append(points, p)
		}
	}
	return points
}

// stageAsks says in a sentence what a stage asks for.
func stageAsks(stage state.Stage) string {
	switch stage {
	case state.StageMap:
		return "What would a valid answer look like, what are likely tangents, what would show drift?"
	case state.StagePropose:
		return "Propose your points, one claim each."
	case state.StageTriage:
		return "Which points are on one subject? Which of them contradict each other, which say the same?"
	case state.StageVote:
		return "The other answers conflict where yours says nothing: which side do you hold?"
	case state.StageEvaluate:
		return "Judge each point of the other seat."
	case state.StageAnswer:
		return "Answer the challenges by their ids: defend, concede or revise."
	case state.StageRemind:
		return "A challenge was not answered. Answer it by its id now."
	case state.StageJudge:
		return "Does each defense hold? Accept or reject it, with the reason."
	case state.StageCoverage:
		return "Are there other points not yet discussed?"
	case state.StageStress:
		return "What is the strongest objection to what all agree on?"
	case state.StageCritique:
		return "What is wrong with how each claim is known? How sure are you of each?"
	case state.StageAttack:
		return "What breaks each claim? How sure are you of each?"
	case state.StageRebut:
		return "Answer the challenges by their ids: defend, concede or revise."
	case state.StageAdvise:
		return "What did the others overlook? How sure are you of each claim?"
	case state.StageMend:
		return "Something violates your constitution: mend it, once."
	case state.StageSynthesize:
		return "What follows from the claims? Do you see agreement?"
	case state.StageArgue, state.StageProbe, state.StageContest, state.StageExchange:
		return hearingAsks(stage)
	case state.StageArbiter:
		return "Is each ruling well supported? Name the doubts."
	}
	return string(stage)
}

// stageHints show what to type: for the map its parts, else the moves.
func stageHints(ask protocol.Ask) []string {
	if ask.Stage == state.StageMap {
		return []string{"SHAPE: …", "TANGENTS: …", "DRIFT: …", "AMBIGUITY: …"}
	}
	switch ask.Stage { //nolint:exhaustive // the moves of the others say it
	case state.StageTriage:
		return []string{"TRIAGE P1 P5: opposed (or same subject, or alike)", "MERGE P5 into P1", "TRIAGE P3 out-of-scope: why"}
	case state.StageVote:
		return []string{"AGREE: P1 why", "REJECT: P5 flaw", "nothing for neither"}
	}
	var list []string
	for _, m := range ask.Moves {
		// Of a proposal a field has a value; who may classify challenges by that.
		switch {
		case m == protocol.MoveRevise && slices.Contains(ask.Moves, protocol.MovePropose):
			list = append(list, "REVISE P1 = 5 | why: …")
		case m == protocol.MoveChallenge && slices.Contains(ask.Moves, protocol.MoveClassify):
		case slices.Contains(state.HearingSeats(), ask.Seat):
			list = append(list, hearingHint(m))
		case slices.Contains(state.CouncilSeats(), ask.Seat):
			list = append(list, councilHint(ask.Seat, m))
		default:
			list = append(list, hint(m))
		}
	}
	return list
}

// councilHint shows the telegraphic form of a move with what it has in a council
// alone.
func councilHint(seat state.Seat, m protocol.MoveKind) string {
	switch m { //nolint:exhaustive // the others are as everywhere
	case protocol.MoveRaise:
		return "1. claim | path:line \"quote\" | confidence: 0.8 | because: … | limit: …"
	case protocol.MoveClassify:
		return "AGREE: P1 why   SKEPTICAL: P1 flaw of method | upgrade if: … | narrower: …   REJECT: P1 flaw"
	case protocol.MoveChallenge:
		return "SKEPTICAL: P1 flaw of method | upgrade if: …   REJECT: P1 flaw"
	case protocol.MoveClarify:
		return when(seat == state.Strategist, "LIMIT P1: what it does not cover", "CLARIFY P1: your question")
	case protocol.MoveFlag:
		return "KEY P1: why   NOTHING"
	}
	return hint(m)
}

// hint shows the telegraphic form of a move.
func hint(m protocol.MoveKind) string {
	switch m {
	case protocol.MoveRaise:
		return "1. claim (path:line \"quote\")"
	case protocol.MoveClassify:
		return "AGREE: P1 why   SKEPTICAL: P1 flaw   REJECT: P1 flaw"
	case protocol.MoveDefend:
		return "Re C1: answer"
	case protocol.MoveConcede:
		return "I concede C1"
	case protocol.MoveWithdraw:
		return "WITHDRAW P1: why"
	case protocol.MoveNoObjection:
		return "NO OBJECTION: what you looked for"
	case protocol.MovePropose:
		return "PROPOSE a.path = 10 | category: Safety | why: …"
	case protocol.MoveObject:
		return "OBJECT P1 [red-flag]: what is wrong"
	case protocol.MoveRequest:
		return "REQUEST C1: which evidence"
	case protocol.MoveSupply:
		return "SUPPLY C1 supports path:12 \"quote\""
	case protocol.MoveSynthesize:
		return "SYNTHESIZE: what follows | agreement: yes | open: P2"
	case protocol.MoveScore:
		return "SCORE P1 0.7: cause"
	case protocol.MoveJudge:
		return "ACCEPT C1: why   REJECT C1: why"
	case protocol.MoveCite:
		return "CITE P1 supports path:12 \"quote\""
	case protocol.MoveRevise:
		return "REVISE P1: new claim | because: …"
	case protocol.MoveMerge:
		return "MERGE P2 into P1"
	case protocol.MoveTriage, protocol.MoveChallenge, protocol.MoveContest, protocol.MoveBlocked, protocol.MoveClarify,
		protocol.MoveSteelman, protocol.MoveFlag, protocol.MoveClaim, protocol.MoveContradict, protocol.MoveAnswer, protocol.MoveConclude:
	}
	return string(m)
}
