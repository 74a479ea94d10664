package council

import (
	"fmt"
	"slices"
	"strconv"

	"moot/protocol"
	"moot/state"
	"moot/view"
)

// Settings implements protocol.Format.
func (Format) Settings() protocol.Settings {
	adversary := protocol.SeatField(state.Adversary, "Adversary", "It looks for what breaks the claims.", "", "the critic's")
	moderator := protocol.SeatField(state.Moderator, "Moderator", "It says what follows from the claims, and rewords them.", "", "the critic's")
	adversary.None.Help, moderator.None.Help = "the same participant as the critic", "the same participant as the critic"
	return protocol.Settings{
		About: "claims, tested by a critic and an adversary until they hold or fail", Rules: protocol.SearchRules,
		Fields: slices.Concat([]view.Field{
			protocol.SeatField(state.Strategist, "Strategist", "It makes the claims and answers for them.", view.FirstFound, ""),
			protocol.SeatField(state.Critic, "Critic", "It looks for flaws of method and evidence.", view.SecondFound, ""),
			adversary, moderator,
			protocol.SeatField(state.Expert, "Expert", "It is asked after the adversary, or nobody is.", "", "nobody"),
			{
				Key: "rounds", Label: "Rounds", Default: strconv.Itoa(state.DefaultCouncilRounds),
				Help: fmt.Sprintf("How often the claims are tested at most, 1 to %d. Consensus ends it earlier.", state.MaxCouncilRounds),
			},
			{
				Key: "parallel", Label: "Asked", Kind: view.FieldSelect, Help: "Whether critic and adversary see each other's reply.",
				Choices: []view.Choice{
					{Value: view.No, Label: "in turn", Help: "the adversary after the critic was answered"},
					{Value: view.Yes, Label: "at once", Help: "critic and adversary, without seeing each other's reply"},
				},
			},
			{Key: "constitution", Label: "Constitution", Placeholder: "the built-in one", Help: "The rules for the seats: a TOML file."},
			{
				Key: "weights", Label: "Weights", Default: state.WeightWords(state.DefaultWeights()),
				Help: "How much each seat's confidence counts. The sum is 1.",
			},
			{
				Key: "decision-threshold", Label: "Accepted from", Default: fmt.Sprint(state.DefaultDecision),
				Help: "The aggregate, 0 to 1, from which a claim may be accepted.",
			},
		}, protocol.ContextFields()),
	}
}
