package protocol

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/move"
	"moot/state"
)

// Draft collects events and the state after them, so that each move is admitted against the state
// that the moves before it produced.
type Draft struct {
	State   *state.State
	Events  []state.Payload
	Refused []state.Refusal
	// Failed is why an event of the current move cannot be applied, or nil.
	Failed error
}

// Proposal brings a citation of a kind that runs into its normal form: Reference is its mark and the command, Quote the
// expected result.
func (d *Draft) Proposal(c move.Citation) (move.Citation, error) {
	kind := d.State.EvidenceKind(c.Reference)
	switch {
	case !kind.Patch && strings.TrimSpace(c.Patch) != "":
		return c, Refuse("no-trial", "a patch is tried by a command behind TRY, not by %s", plain.Short(c.Reference))
	case !kind.Runs:
		return c, nil
	}
	// The reference holds both, written as on a line: "$ COMMAND => EXPECTED".
	text, _, _ := ledger.CutProposal(c.Reference)
	if kind.Patch {
		before, after, _ := strings.Cut(c.Reference, "=>")
		text = regexp.MustCompile(`^(\s*[A-Z]+\s+)\$\s`).ReplaceAllString(before, "$1") // "TRY $ go test"
		c.Quote = plain.FirstNonBlank(c.Quote, after)
	}
	command, err := ledger.ParseCommand(text)
	if err != nil {
		return c, Refuse("no-command", "%s", err)
	}
	if kind.Patch {
		return trial(c, kind, command)
	}
	expected, err := ledger.ParseExpectation(c.Quote)
	if err != nil {
		return c, Refuse("no-expectation", "%s", err)
	}
	c.Reference, c.Quote = kind.Reference(command), expected.String()
	return c, nil
}

// trial brings a citation that hands in a patch into its normal form.
func trial(c move.Citation, kind ledger.Kind, command ledger.Command) (move.Citation, error) {
	expected, err := ledger.ParseTrialExpectation(c.Quote)
	if err != nil {
		return c, Refuse("no-expectation", "%s", err)
	}
	patch, err := ledger.ParsePatch(c.Patch)
	if err != nil {
		return c, Refuse("no-patch", "%s", err)
	}
	words := command.Words()
	if len(words) < 2 {
		return c, Refuse("no-command", "a trial needs a command behind its mark, as in: TRY go test ./queue")
	}
	c.Reference, c.Quote, c.Patch = kind.Reference(command), expected.String(), patch.String()
	return c, nil
}

// refusal is the reason that a move is not admitted. Said is the text of a move over a limit.
type refusal struct{ code, text, said string }

func (r *refusal) Error() string { return r.text }

// Refuse returns a refusal. Its text says what is wrong and what would be accepted.
func Refuse(code, format string, args ...any) error {
	return &refusal{code: code, text: fmt.Sprintf(format, args...)}
}

// MaxUntaken is the length of the text of a move over a limit that the record keeps beside the reply, in characters.
const MaxUntaken = 400

// OverLimit refuses a move because of a limit. The result lists what it says, and the limit.
func OverLimit(said, format string, args ...any) error {
	return &refusal{code: state.NotTaken, text: fmt.Sprintf(format, args...), said: plain.Clip(said, MaxUntaken)}
}

// Record applies events. If one cannot be applied, all events of the move are dropped, and Try refuses the
// move.
func (d *Draft) Record(payloads ...state.Payload) {
	if d.Failed != nil {
		return
	}
	next, _, err := state.Extend(d.State, d.State.At, payloads...)
	if err != nil {
		d.Failed = &refusal{code: "impossible", text: err.Error()}
		return
	}
	d.State, d.Events = next, append(d.Events, payloads...)
}

// Add is Record for the last events of a move.
func (d *Draft) Add(payloads ...state.Payload) error {
	d.Record(payloads...)
	return d.Failed
}

// Try runs f and undoes its events if it returns a refusal, which is recorded with the number of
// the move.
func (d *Draft) Try(number int, f func() error) {
	if d.Failed != nil {
		return
	}
	before, kept := d.State, len(d.Events)
	err := cmp.Or(f(), d.Failed)
	d.Failed = nil
	if err == nil {
		return
	}
	d.State, d.Events = before, d.Events[:kept]
	r := state.Refusal{Move: number, Code: "refused", Text: err.Error()}
	if coded, ok := err.(*refusal); ok { //nolint:errorlint // refusals are never wrapped
		r.Code, r.Said = coded.code, coded.said
	}
	d.Refused = append(d.Refused, r)
}

// Attempt adds events that do not come from a move of a seat.
func (d *Draft) Attempt(payloads ...state.Payload) {
	d.Try(0, func() error { return d.Add(payloads...) })
}
