package protocol

import (
	"slices"

	"moot/state"
)

// Due is what a seat owes in its turn, by id: what its prompt lists for a
// model, for participants that read the state.
type Due struct {
	// Triage and Classify are points.
	Triage, Classify []string
	// Answer and Judge are challenges.
	Answer, Judge []string
	// Score are the points that it has reported no confidence in.
	Score []string
	// Optional says that a point in Classify may be left without a class.
	Optional bool
	// Mend are its violations of the constitution that are given back to it.
	Mend []state.Breach
	// Requests are what was asked of the seat in earlier rounds.
	Requests []*state.Request
}

// DueOf returns what the asked seat owes. Stages in which nothing is owed by
// id have an empty Due.
func DueOf(s *state.State, ask Ask) Due { return Of(s).Due(s, ask) }

// DueClaims is what a seat owes in a debate over claims.
func DueClaims(s *state.State, ask Ask) Due {
	var d Due
	switch ask.Stage {
	case state.StageEvaluate, state.StageJudge:
		if ask.Seat == state.Orchestrator {
			d.Triage = IdsOf(Untriaged(s))
		}
		d.Classify = IdsOf(unclassified(s, ask.Seat))
		for _, c := range Unjudged(s, ask.Seat) {
			d.Judge = append(d.Judge, c.ID)
		}
	case state.StageAnswer, state.StageRemind:
		for _, c := range OpenChallenges(s, ask.Seat, state.StandsOpen, state.StandsReminded) {
			if !slices.Contains(d.Answer, c.ID) {
				d.Answer = append(d.Answer, c.ID)
			}
		}
	case state.StageMap, state.StagePropose, state.StageCoverage, state.StageStress, state.StageArbiter,
		state.StageTriage, state.StageVote,
		state.StageCritique, state.StageAttack, state.StageRebut, state.StageAdvise, state.StageMend,
		state.StageSynthesize,
		state.StageArgue, state.StageProbe, state.StageExchange, state.StageContest:
		return d
	}
	d.Requests = RequestsOf(s, ask.Seat)
	return d
}

func IdsOf(points []*state.Point) []string {
	var ids []string
	for _, p := range points {
		ids = append(ids, p.ID)
	}
	return ids
}

// Answers reports whether the seat answers challenges on the point: its
// authors do, and the orchestrator for the user.
func Answers(p *state.Point, seat state.Seat) bool { return slices.Contains(Defenders(p), seat) }

// Deliberated returns the points under deliberation, in order: of a proposal its
// fields as they stand.
func Deliberated(s *state.State) []*state.Point { return Of(s).Deliberated(s) }
