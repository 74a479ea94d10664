package protocol

// Claim says what facts of the packet show.
type Claim struct {
	Reading    string   `json:"reading" jsonschema:"what these facts show, in one or two terse sentences"`
	Facts      []string `json:"facts" jsonschema:"the ids of the facts of the packet that it rests on; no others exist"`
	Confidence *float64 `json:"confidence" jsonschema:"0 to 1"`
}

// Contradict cites facts that speak against a claim of the other side.
type Contradict struct {
	Point   string   `json:"point" jsonschema:"the id of the claim, as in P3"`
	Facts   []string `json:"facts" jsonschema:"the ids of the facts of the packet that contradict it"`
	Reading string   `json:"reading" jsonschema:"how they contradict it, in one sentence"`
}

// Answer meets facts that were cited against a claim.
type Answer struct {
	Challenge string   `json:"challenge" jsonschema:"the id, as in C1"`
	Text      string   `json:"text" jsonschema:"why the claim still holds, or in which part"`
	Facts     []string `json:"facts,omitempty" jsonschema:"ids of facts of the packet that bear it out"`
}

// Conclude ends an argument: how sure the side is of its side of the question.
type Conclude struct {
	Confidence  *float64 `json:"confidence" jsonschema:"0 to 1: how sure you are of your side"`
	WouldChange string   `json:"would_change,omitempty" jsonschema:"the fact that would change your mind"`
}

// Kind implements Move.
func (*Claim) Kind() MoveKind { return MoveClaim }

// Kind implements Move.
func (*Contradict) Kind() MoveKind { return MoveContradict }

// Kind implements Move.
func (*Answer) Kind() MoveKind { return MoveAnswer }

// Kind implements Move.
func (*Conclude) Kind() MoveKind { return MoveConclude }
