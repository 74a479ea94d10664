package council

import (
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
)

// MoveSynthesize is the move of the moderator.
const MoveSynthesize move.Kind = "SYNTHESIZE"

// Raise is the RAISE of a council.
type Raise struct {
	move.Raise
	Because string `json:"because,omitempty" jsonschema:"why the confidence is not higher"`
	Limit   string `json:"limit,omitempty" jsonschema:"what the claim does not cover"`
	Key     bool   `json:"key,omitempty" jsonschema:"true if much depends on it; needs evidence from two sources"`
}

// Synthesize is the moderator's summary of a council's round.
type Synthesize struct {
	Text string `json:"text" jsonschema:"what follows from the claims as they stand, in a few sentences"`
	// Agreement is the seat's opinion; the rules decide.
	Agreement bool     `json:"agreement,omitempty" jsonschema:"true if you see agreement on every claim"`
	Open      []string `json:"open,omitempty" jsonschema:"the ids of the claims on which you see none"`
}

// Moves implements Format.
func (Format) Moves() protocol.Moves {
	raise := move.RowOf(move.KindRaise)
	raise.Move = (*Raise)(nil)
	return claims.Moves([]move.Row{
		raise,
		{
			Move: (*Synthesize)(nil), Doc: "sums up a round of a council",
			Lines: []move.LineForm{{Words: "SYNTHESIZE|SYNTHESIS", Text: "text", Long: true}},
		},
	}...)
}
