package council

import (
	"embed"

	"moot/protocol"
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

// Kind implements Move.
func (*Synthesize) Kind() protocol.MoveKind { return MoveSynthesize }

// Moves implements Format.
func (Format) Moves() []protocol.MoveRow {
	return []protocol.MoveRow{
		{
			Move: (*Synthesize)(nil), Doc: "sums up a round of a council",
			Lines: []protocol.LineForm{{Words: "SYNTHESIZE|SYNTHESIS", Text: "text", Long: true}},
		},
	}
}

// Prompts implements Format.
func (Format) Prompts() embed.FS { return prompts }
