package hearing

import (
	"moot/protocol"
)

// The moves of a hearing, in addition to CLASSIFY, JUDGE, SCORE, CONCEDE and FLAG.
const (
	MoveClaim      protocol.MoveKind = "CLAIM"
	MoveContradict protocol.MoveKind = "CONTRADICT"
	MoveRebut      protocol.MoveKind = "REBUT"
	MoveConclude   protocol.MoveKind = "CONCLUDE"
)

// Claim says what facts of the packet show.
type Claim struct {
	Reading    string   `json:"reading" jsonschema:"what these facts show, in one or two terse sentences"`
	Facts      []string `json:"facts" jsonschema:"the ids of the facts of the packet that it rests on; no others exist"`
	Confidence *float64 `json:"confidence" jsonschema:"0 to 1"`
}

// Contradict cites facts against a claim of the other side.
type Contradict struct {
	Point   string   `json:"point" jsonschema:"the id of the claim, as in P3"`
	Facts   []string `json:"facts" jsonschema:"the ids of the facts of the packet that contradict it"`
	Reading string   `json:"reading" jsonschema:"how they contradict it, in one sentence"`
}

// Rebut answers facts that were cited against a claim.
type Rebut struct {
	Challenge string   `json:"challenge" jsonschema:"the id, as in C1"`
	Text      string   `json:"text" jsonschema:"why the claim still holds, or in which part"`
	Facts     []string `json:"facts,omitempty" jsonschema:"ids of facts of the packet that bear it out"`
}

// Conclude ends an argument: how sure the side is of its side of the question.
type Conclude struct {
	Confidence  *float64 `json:"confidence" jsonschema:"0 to 1: how sure you are of your side"`
	WouldChange string   `json:"would_change,omitempty" jsonschema:"the fact that would change your mind"`
}

// Moves implements Format.
func (Format) Moves() protocol.Moves {
	return protocol.MovesWith([]protocol.MoveRow{
		{
			Move: (*Claim)(nil), Doc: "says what facts of the packet show",
			Lines: []protocol.LineForm{{Words: "CLAIM", Lead: "[facts] confidence", Text: "reading", Claim: true}},
		},
		{
			Move: (*Contradict)(nil), Doc: "cites facts against a claim of the other side",
			Lines: []protocol.LineForm{
				{Words: "CONTRADICT|CONTRADICTION", IDs: "point", Lead: "[facts]", Text: "reading"},
				{IDs: "point", Lead: "[facts]", Text: "reading"},
			},
		},
		{
			Move: (*Rebut)(nil), Doc: "answers facts that were cited against your claim",
			Lines: []protocol.LineForm{
				{
					Words: "REBUT|ANSWER|Re|REGARDING|DEFEND|DEFENSE|DEFENCE", IDs: "challenge", Lead: "[facts]?",
					Text: "text", Long: true,
				},
				{IDs: "challenge", Lead: "[facts]?", Text: "text", Long: true},
			},
		},
		{
			Move: (*Conclude)(nil), Doc: "ends your argument with how sure you are of your side",
			Lines: []protocol.LineForm{{Words: "CONCLUDE|CONCLUSION|OVERALL", Lead: "confidence"}},
		},
	}...)
}
