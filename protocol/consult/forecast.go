package consult

import (
	"moot/protocol"
	"moot/state"
)

// Least implements Format: the first asks of a round, and the judgments that must follow
// them.
func (Format) Least(s state.State, asks []protocol.Ask) []protocol.Ask {
	least := append([]protocol.Ask{}, asks...)
	stage := asks[0].Stage
	if stage == state.StageMap {
		for _, seat := range proposers(&s) {
			least = append(least, protocol.Ask{Seat: seat, Stage: state.StagePropose})
		}
		stage = state.StagePropose
	}
	switch stage {
	case state.StagePropose:
		judges := s.Consultees()
		if framingOf(s.Settings.Framing).consultees {
			judges = []state.Seat{state.Orchestrator}
		}
		for _, seat := range judges {
			least = append(least, protocol.Ask{Seat: seat, Stage: state.StageEvaluate})
		}
	case state.StageAnswer:
		least = append(least, protocol.Ask{Seat: protocol.JudgeAfter(&s, asks), Stage: state.StageJudge})
	case state.StageMap, state.StageEvaluate, state.StageRemind, state.StageJudge, state.StageCoverage,
		state.StageStress, state.StageArbiter,
		state.StageTriage, state.StageVote,
		state.StageCritique, state.StageAttack, state.StageRebut, state.StageAdvise, state.StageMend,
		state.StageSynthesize,
		state.StageArgue, state.StageProbe, state.StageExchange, state.StageContest:
	}
	return least
}
