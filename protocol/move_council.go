package protocol

// Synthesize is what the moderator makes of a round of a council.
type Synthesize struct {
	Text string `json:"text" jsonschema:"what follows from the claims as they stand, in a few sentences"`
	// Agreement is what the seat sees; the rules decide.
	Agreement bool     `json:"agreement,omitempty" jsonschema:"true if you see agreement on every claim"`
	Open      []string `json:"open,omitempty" jsonschema:"the ids of the claims on which you see none"`
}

// Kind implements Move.
func (*Synthesize) Kind() MoveKind { return MoveSynthesize }
