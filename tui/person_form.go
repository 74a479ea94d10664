package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// personForm is where the person speaks for a seat.
type personForm struct {
	request *request
	area    textarea.Model
}

func newPersonForm(r *request) *personForm {
	area := textarea.New()
	area.ShowLineNumbers = false
	area.Prompt = ""
	area.CharLimit = 0
	area.Placeholder = "one move a line"
	styles := area.Styles()
	styles.Cursor.Blink = false
	styles.Focused.CursorLine = styles.Focused.Text
	area.SetStyles(styles)
	area.Focus()
	return &personForm{request: r, area: area}
}

func (f *personForm) title() string {
	ask := f.request.call.Ask
	return fmt.Sprintf("You speak as %s: %s", ask.Seat, ask.Stage)
}

func (f *personForm) place() Place { return InForm }

func (f *personForm) keys() string { return "ctrl+s sends, nothing typed is nothing to say  esc hides" }

func (f *personForm) size(_ *look, width, height int) (int, int) {
	return min(width, 100), min(height, 30)
}

func (f *personForm) scroll(Action, int) {}

func (f *personForm) key(msg tea.Msg) intent {
	f.area, _ = f.area.Update(msg)
	return nil
}

func (f *personForm) send() intent {
	return giveReply{f.request, strings.TrimSpace(f.area.Value())}
}

func (f *personForm) view(l *look, width, height int) []string {
	typed := min(max(height/3, 2), height)
	rows := f.asked(l, width)
	if room := height - typed - 1; len(rows) > room {
		rows = rows[:max(room, 0)]
	}
	for len(rows) < height-typed-1 {
		rows = append(rows, blank(width))
	}
	if height > typed {
		rows = append(rows, l.border.paint(strings.Repeat(l.glyphs.horizontal, width)))
	}
	f.area.SetWidth(max(width, 1))
	f.area.SetHeight(max(typed, 1))
	for line := range strings.SplitSeq(f.area.View(), "\n") {
		line = l.method.Truncate(line, width, "")
		rows = append(rows, line+blank(width-l.method.StringWidth(line)))
	}
	return fit(rows, width, height)
}

// asked says what is asked: the stage, the points, the challenges, the moves.
func (f *personForm) asked(l *look, width int) []string {
	call := &f.request.call
	rows := l.paragraph(width, nil, span{l.bold, stageAsks(call.Ask.Stage)}, nil, 0)
	if call.Ask.Retry != "" {
		rows = append(rows, l.paragraph(width, []span{{l.warn, l.glyphs.warn + " again: "}}, span{l.text, call.Ask.Retry}, nil, 0)...)
	}
	rows = append(rows, l.paragraph(width, []span{{l.faint, "moves  "}}, span{l.faint, strings.Join(hints(call.Ask.Moves), "   ")}, nil, 0)...)
	rows = append(rows, blank(width))
	s := &call.State
	for _, c := range s.Challenges.All() {
		if c.Settled() {
			continue
		}
		lead := []span{{l.unresolved, l.glyphs.unresolved + " "}, {l.bold, c.ID + " " + string(c.Kind) + " on " + c.Point + "  "}}
		rows = append(rows, l.paragraph(width, lead, span{l.text, c.Objection}, nil, 0)...)
		if last := c.Last(); last != nil {
			rows = append(rows, l.paragraph(width, []span{{l.faint, "    answered  "}}, span{l.faint, last.Text}, nil, 0)...)
		}
	}
	for _, p := range s.Points.All() {
		if p.MergedInto != "" || p.RevisedBy != "" {
			continue
		}
		rows = append(rows, l.paragraph(width, []span{{l.bold, "  " + p.ID + "  "}}, span{l.text, p.Text}, nil, 0)...)
	}
	return rows
}

// stageAsks says in a sentence what a stage asks for.
func stageAsks(stage state.Stage) string {
	switch stage {
	case state.StageMap:
		return "What would a valid answer look like, what are likely tangents, what would show drift?"
	case state.StagePropose:
		return "Propose your points, one claim each."
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
	case state.StageArbiter:
		return "Is each ruling well supported? Name the doubts."
	}
	return string(stage)
}

// hints show the telegraphic form of the moves.
func hints(moves []protocol.MoveKind) []string {
	var list []string
	for _, m := range moves {
		if h := hint(m); h != "" {
			list = append(list, h)
		}
	}
	return list
}

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
	case protocol.MoveTriage, protocol.MoveMerge, protocol.MoveChallenge, protocol.MoveJudge, protocol.MoveRevise,
		protocol.MoveCite, protocol.MoveContest, protocol.MoveBlocked, protocol.MoveClarify, protocol.MoveScore,
		protocol.MoveSteelman, protocol.MoveFlag:
	}
	return string(m)
}
