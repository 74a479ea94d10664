package rules

import (
	"context"
	"slices"

	"moot/agent/rules/redflag"
	"moot/playbook"
	"moot/protocol"
	"moot/state"
)

// turn is one reply in the making.
type turn struct {
	*lexicon
	patterns *patterns
	ctx      context.Context //nolint:containedctx // a turn lives no longer than its call
	s        *state.State
	ask      protocol.Ask
	due      protocol.Due
	source   *source
	moves    []protocol.Move
	// cites are the citations of this reply, as "point reference".
	cites    map[string]bool
	searches int
	// notes are what is to be said beside the reply.
	notes     []string
	checker   func() *redflag.Checker
	detectors *detectors

	// What a proposal is made from and pressed by, once it was asked for.
	read        []*material
	drafted     []drafted
	book        *playbook.Playbook
	bookFailure error
	found       map[*material][]redflag.Finding
}

func (r *Rules) newTurn(ctx context.Context, call *protocol.Call) *turn {
	return &turn{
		lexicon: r.lexicon, patterns: &r.patterns, ctx: ctx, s: &call.State, ask: call.Ask,
		due: protocol.DueOf(&call.State, call.Ask), source: r.openSource(&call.State),
		cites: map[string]bool{}, checker: r.checker, detectors: &r.detectors, found: map[*material][]redflag.Finding{},
	}
}

// take makes the moves of the stage.
func (t *turn) take() error {
	if t.s.Settings.Format == state.FormatDialectic {
		return t.press()
	}
	if t.s.Settings.Format == state.FormatCouncil {
		return t.council()
	}
	if t.s.Settings.Format == state.FormatHearing {
		return t.hear()
	}
	switch t.ask.Stage {
	case state.StageMap:
		t.drawMap()
	case state.StagePropose:
		return t.propose()
	case state.StageEvaluate, state.StageJudge:
		return t.evaluate()
	case state.StageAnswer, state.StageRemind:
		return t.answer()
	case state.StageCoverage:
		return t.cover()
	case state.StageStress:
		t.stress()
	case state.StageArbiter:
		t.arbitrate()
	case state.StageTriage:
		t.compare()
	case state.StageVote:
		return t.vote()
	case state.StageCritique, state.StageAttack, state.StageRebut, state.StageAdvise, state.StageMend, state.StageSynthesize,
		state.StageArgue, state.StageProbe, state.StageExchange, state.StageContest:
	}
	return nil
}

// allows reports whether the seat may make the move now.
func (t *turn) allows(kind protocol.MoveKind) bool { return slices.Contains(t.ask.Moves, kind) }

// add makes a move where it is allowed.
func (t *turn) add(m protocol.Move) {
	if t.allows(m.Kind()) {
		t.moves = append(t.moves, m)
	}
}

func (t *turn) flag(kind protocol.FlagKind, point, text string) {
	t.add(&protocol.FlagMove{Flag: kind, Point: point, Text: text})
}

// mostSearches bounds the searches of one reply, so that many challenges on a
// large workspace do not keep the session waiting.
const mostSearches = 12

// find searches; see source.find. Beyond mostSearches nothing is found.
func (t *turn) find(sought string, limit int) (finding, error) {
	if t.searches++; t.searches > mostSearches {
		return finding{}, t.ctx.Err()
	}
	return t.source.find(t.ctx, sought, limit)
}

func (t *turn) drawMap() {
	t.flag(protocol.FlagShape, "", t.shapeOf(t.s.Question))
	t.flag(protocol.FlagTangents, "", t.say(sayTangents))
	t.flag(protocol.FlagDriftSignals, "", t.say(sayDrift))
}
