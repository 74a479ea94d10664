package review

import (
	"moot/protocol"
	"moot/protocol/move"
)

// The moves of a review, in addition to WITHDRAW and CONTEST.
const (
	MoveFinding    move.Kind = "FINDING"
	MoveNoFindings move.Kind = "NO_FINDINGS"
	MoveConfirm    move.Kind = "CONFIRM"
	MoveRefute     move.Kind = "REFUTE"
	MoveUnsure     move.Kind = "UNSURE"
	MoveSplit      move.Kind = "SPLIT"
	MoveFixed      move.Kind = "FIXED"
	MoveIntended   move.Kind = "INTENDED"
	MoveWrong      move.Kind = "WRONG"
)

// finding is the move of a reviewer that says what is wrong. The name of the type gives the name of the move.
type finding struct {
	// Point is the finding of the reviewer whose place this corrects, or "".
	Point    string `json:"point,omitempty" jsonschema:"your finding whose place this corrects, as in P3"`
	Path     string `json:"path" jsonschema:"the changed file"`
	Line     int    `json:"line,omitempty" jsonschema:"the line after the change, or before it for a removed line"`
	End      int    `json:"end,omitempty" jsonschema:"the last line, if there are several"`
	Severity string `json:"severity,omitempty" jsonschema:"BLOCKING, HIGH, MEDIUM or LOW"`
	Category string `json:"category,omitempty" jsonschema:"correctness, security, data loss, concurrency, performance, compatibility, tests, documentation or style"`
	What     string `json:"what" jsonschema:"what is wrong, in one sentence"`
	Why      string `json:"why,omitempty" jsonschema:"what happens then, and in which case"`
	Fix      string `json:"fix,omitempty" jsonschema:"the smallest change that helps"`
	// Citations are other places that show it.
	Citations []move.Citation `json:"citations,omitempty" jsonschema:"other places, or commands, that show it"`
}

// FindingMove is the move FINDING.
type FindingMove = finding

// NoFindings is the move of a reviewer that found nothing.
type NoFindings struct {
	Text string `json:"text" jsonschema:"what you looked at"`
}

// Confirm says that the finding of another reviewer is right.
type Confirm struct {
	Point     string          `json:"point"`
	Severity  string          `json:"severity,omitempty" jsonschema:"BLOCKING, HIGH, MEDIUM or LOW"`
	Reason    string          `json:"reason,omitempty" jsonschema:"what shows it, in one sentence"`
	Citations []move.Citation `json:"citations,omitempty" jsonschema:"a place of your own, outside the finding's lines, or a command"`
}

// Refute says that the finding of another reviewer is wrong.
type Refute struct {
	Point     string          `json:"point"`
	Reason    string          `json:"reason" jsonschema:"why it is wrong, in one sentence"`
	Citations []move.Citation `json:"citations,omitempty" jsonschema:"the place, or the command, that shows it"`
}

// Unsure says that a seat can tell neither.
type Unsure struct {
	Point  string `json:"point"`
	Reason string `json:"reason,omitempty" jsonschema:"what would settle it"`
}

// Split takes a reviewer's own finding out of a group.
type Split struct {
	Point  string `json:"point" jsonschema:"your finding, by its own id"`
	Reason string `json:"reason,omitempty" jsonschema:"how it differs"`
}

// Fixed says that a finding is no longer there.
type Fixed struct {
	Point     string          `json:"point"`
	Reason    string          `json:"reason,omitempty"`
	Citations []move.Citation `json:"citations,omitempty" jsonschema:"the place that fixes it"`
}

// Intended says that the change is meant to do what a finding says.
type Intended struct {
	Point  string `json:"point"`
	Reason string `json:"reason" jsonschema:"why it is meant to be so"`
}

// Wrong says that a finding is wrong.
type Wrong struct {
	Point     string          `json:"point"`
	Reason    string          `json:"reason,omitempty"`
	Citations []move.Citation `json:"citations,omitempty"`
}

// Moves implements Format.
func (Format) Moves() protocol.Moves {
	onPoint := func(words string) []move.LineForm {
		return []move.LineForm{{Words: words, IDs: "point", Text: "reason"}}
	}
	return protocol.Moves{Seats: []move.Row{
		{
			Move: (*finding)(nil), Doc: "says what is wrong with the change, and where", Plain: true,
			Lines: []move.LineForm{
				{Words: "FINDING", IDs: "point", Lead: "severity? place", Text: "what"},
				{Words: "FINDING", Lead: "severity? place", Text: "what"},
			},
		},
		{
			Move: (*NoFindings)(nil), Doc: "says that you found nothing wrong, and what you looked at", Plain: true,
			Lines: []move.LineForm{{Words: "NO FINDINGS|NO_FINDINGS|NO FINDING", Text: "text"}},
		},
		{
			Move: (*Confirm)(nil), Doc: "says that a finding of another reviewer is right, with a place of your own",
			Plain: true, Lines: []move.LineForm{{Words: "CONFIRM|CONFIRMED", IDs: "point", Lead: "severity?", Text: "reason"}},
		},
		{
			Move: (*Refute)(nil), Doc: "says that a finding of another reviewer is wrong, with a place of your own",
			Plain: true, Lines: onPoint("REFUTE|REFUTED"),
		},
		{
			Move: (*Unsure)(nil), Doc: "says that you can tell neither", Plain: true, Lines: onPoint("UNSURE"),
		},
		{
			Move: (*Split)(nil), Doc: "takes your own finding out of a group that does not mean the same", Plain: true,
			Lines: onPoint("SPLIT"),
		},
		{
			Move: (*Fixed)(nil), Doc: "says that a finding is fixed", Plain: true, Lines: onPoint("FIXED"),
		},
		{
			Move: (*Intended)(nil), Doc: "says that the change is meant to do what a finding says", Plain: true,
			Lines: onPoint("INTENDED"),
		},
		{
			Move: (*Wrong)(nil), Doc: "says that a finding on your change is wrong", Plain: true, Lines: onPoint("WRONG"),
		},
		sharedRow(move.KindWithdraw), sharedRow(move.KindContest),
	}}
}

// sharedRow returns the row of a shared move.
func sharedRow(kind move.Kind) move.Row {
	row := move.RowOf(kind)
	row.Plain = true
	return row
}
