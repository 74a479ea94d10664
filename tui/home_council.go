package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/state"
)

// councilFields are who sits in a council, how often it tests, and what binds it.
func councilFields() []*field {
	return slices.Concat(
		seatFields(string(state.Strategist), "Strategist", "It holds the claims, and answers for them."),
		seatFields(string(state.Critic), "Critic", "It looks for flaws of method and evidence."),
		seatFields(string(state.Adversary), "Adversary", "It looks for what breaks the claims."),
		seatFields(string(state.Moderator), "Moderator", "It says what follows from the claims, and words them anew."),
		seatFields(string(state.Expert), "Expert", "It is asked after the adversary, or nobody is."),
		[]*field{
			{
				name: "rounds", label: "Rounds", value: strconv.Itoa(state.DefaultCouncilRounds),
				help: fmt.Sprintf("How often the claims are tested at most, 1 to %d; less once there is consensus.", state.MaxCouncilRounds),
			},
			{name: "parallel", label: "Asked", kind: fieldChoice, help: "Whether critic and adversary see each other's reply.", options: []choice{
				{value: "no", label: "in turn", help: "the adversary after the critic was answered"},
				{value: "yes", label: "at once", help: "critic and adversary, unseen by each other"},
			}},
			{name: "constitution", label: "Constitution", placeholder: "the one that is built in", help: "What binds the seats: a TOML file."},
			{name: "weights", label: "Weights", value: state.WeightWords(state.DefaultWeights()), help: "How much each seat's confidence counts; together 1."},
			{name: "decision-threshold", label: "Stands from", value: fmt.Sprint(state.DefaultDecision), help: "The aggregate, 0 to 1, from which a claim may stand."},
		},
	)
}

// offerCouncil fills in who can sit in a council. Who tests is another than who
// holds the claims, where there is another.
func (f *fieldForm) offerCouncil(found *Candidates, names []choice) {
	f.named(string(state.Strategist)).offer(slices.Clone(names), when(found.Consultee == "", "rules", found.Consultee))
	f.named(string(state.Critic)).offer(slices.Clone(names), when(found.Orchestrator == "", "rules", found.Orchestrator))
	same := choice{label: "the critic's", help: "the participant that is the critic"}
	for _, seat := range []state.Seat{state.Adversary, state.Moderator} {
		f.named(string(seat)).offer(append([]choice{same}, names...), "")
	}
	f.named(string(state.Expert)).offer(append([]choice{{label: "nobody"}}, names...), "")
}

// convene fills in what a council is opened with.
func (q *Question) convene(v map[string]string, seat func(name string) string) {
	q.Strategist, q.Critic, q.Adversary = seat(string(state.Strategist)), seat(string(state.Critic)), seat(string(state.Adversary))
	q.Moderator, q.Expert = seat(string(state.Moderator)), seat(string(state.Expert))
	q.Rounds, q.Parallel, q.Constitution = v["rounds"], v["parallel"] == "yes", v["constitution"]
	q.Weights, q.Decision = strings.TrimSpace(v["weights"]), strings.TrimSpace(v["decision-threshold"])
}
