package council

import (
	"moot/protocol"
	"moot/state"
)

// The stages of a council beside propose, answer, rebut, remind and judge.
const (
	// StageCritique is the critic's look at the claims, StageAttack the adversary's, StageAdvise the expert's.
	StageCritique state.Stage = "critique"
	StageAttack   state.Stage = "attack"
	StageAdvise   state.Stage = "advise"
	// StageFix asks a seat to fix what violates the constitution.
	StageFix        state.Stage = "fix"
	StageSynthesize state.Stage = "synthesize"
)

// MoveSynthesize is the move of the moderator.
const MoveSynthesize protocol.MoveKind = "SYNTHESIZE"

// Synthesize is the moderator's summary of a council's round.
type Synthesize struct {
	Text string `json:"text" jsonschema:"what follows from the claims as they stand, in a few sentences"`
	// Agreement is the seat's opinion; the rules decide.
	Agreement bool     `json:"agreement,omitempty" jsonschema:"true if you see agreement on every claim"`
	Open      []string `json:"open,omitempty" jsonschema:"the ids of the claims on which you see none"`
}

// Moves implements Format.
func (Format) Moves() protocol.Moves {
	return protocol.MovesWith([]protocol.MoveRow{
		{
			Move: (*Synthesize)(nil), Doc: "sums up a round of a council",
			Lines: []protocol.LineForm{{Words: "SYNTHESIZE|SYNTHESIS", Text: "text", Long: true}},
		},
	}...)
}
