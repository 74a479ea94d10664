package panel

import (
	"fmt"
	"slices"

	"moot/protocol"
	"moot/resolver/conflict"
	"moot/state"
	"moot/view"
)

// maxPanelists is the maximum number of panelists.
const maxPanelists = 12

// Settings implements protocol.Format.
func (Format) Settings() protocol.Settings {
	proposed := []string{view.FirstFound, view.SecondFound, view.ThirdFound}
	var fields []view.Field
	var keys []string
	for i := range maxPanelists {
		f := protocol.SeatField(Panelist, fmt.Sprintf("Panelist %d", i+1), "answers without seeing the other answers",
			"", "")
		f.Flag = fmt.Sprintf("answers without seeing the others; once for each of 2 to %d panelists", maxPanelists)
		if i < len(proposed) {
			f.Default = proposed[i]
		}
		if i > 0 {
			f.Key = fmt.Sprintf("%s-%d", Panelist, i+1)
		}
		if i > 1 {
			f.Help, f.None = "One more participant, or nobody.", view.Choice{Label: "nobody"}
			// A further panelist is asked for once all optional ones before it are named.
			before := slices.Clone(keys[2:])
			f.Hidden = func(v view.Values) bool {
				return slices.ContainsFunc(before, func(key string) bool { return v[key] == "" })
			}
		}
		keys, fields = append(keys, f.Key), append(fields, f)
	}
	compares := protocol.SeatField(state.Orchestrator, "Compares",
		"says which claims are about the same, without knowing whose they are", "", "")
	compares.None = view.Choice{
		Label: "the first model",
		Help:  "the first panelist that is a model endpoint, else rules",
	}
	return protocol.Settings{
		About: "several independent answers, and where they conflict", Rules: protocol.SearchRules,
		NoRules:  map[state.Seat]string{"": "they hold no opinion that could be compared"},
		Repeated: Panelist, Most: maxPanelists, Vacant: compareAnswers,
		Open: func(v view.Values, _ protocol.Files, s *state.Settings) (none protocol.Opening, err error) {
			s.Own = &Settings{Strategy: v["strategy"], Then: v["then"]}
			return none, nil
		},
		Fields: slices.Concat(fields, []view.Field{
			compares,
			{
				Key: "strategy", Label: "Settled by", Kind: view.FieldSelect,
				Help: "What settles a conflict between two answers.",
				Choices: protocol.Choices(map[conflict.Strategy]string{
					conflict.Tiered:         "a clear vote, else clear verified evidence, else nothing",
					conflict.Vote:           "what more than half of them say",
					conflict.EvidenceWeight: "the side with more verified evidence",
					conflict.Escalate:       "nothing: each conflict stays open",
				}, conflict.Tiered, conflict.Vote, conflict.EvidenceWeight, conflict.Escalate),
			},
			{
				Key: "then", Label: "The rest", Kind: view.FieldSelect,
				Help: "What happens to a conflict that this does not settle.",
				Flag: "what happens to an unsettled conflict: consult has its two sides argue it " +
					"(default: moot asks you)",
				Choices: []view.Choice{
					{Label: "you decide", Help: "you are asked a question"},
					{
						Value: ThenConsult, Label: "is argued",
						Help: "its two sides argue it first, in up to seven rounds",
					},
				},
			},
		}, protocol.ContextFields()),
	}
}

// compareAnswers has the first panelist that is known to be a model compare the answers, else the
// first one that is not a person.
func compareAnswers(
	taken []state.SeatAssignment, kind func(participant string) protocol.ParticipantKind,
) []state.SeatAssignment {
	if slices.ContainsFunc(taken, func(a state.SeatAssignment) bool { return a.Seat == state.Orchestrator }) {
		return nil
	}
	for _, wanted := range []protocol.ParticipantKind{protocol.ParticipantModel, protocol.ParticipantProgram} {
		for _, a := range taken {
			if kind(a.Participant) == wanted {
				return []state.SeatAssignment{{Seat: state.Orchestrator, Participant: a.Participant}}
			}
		}
	}
	return nil
}
