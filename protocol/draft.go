package protocol

import (
	"fmt"

	"moot/state"
)

// draft collects events and the state that they lead to, so that each move is
// admitted against what the moves before it brought.
type Draft struct {
	State   state.State
	Events  []state.Payload
	Refused []state.Refusal
}

// refusal is why a move is not admitted.
type refusal struct{ code, text string }

func (r *refusal) Error() string { return r.text }

// refuse returns a refusal; its text says what is wrong and what would do.
func Refuse(code, format string, args ...any) error {
	return &refusal{code: code, text: fmt.Sprintf(format, args...)}
}

// add applies an event.
func (d *Draft) Add(p state.Payload) error {
	next, err := state.Apply(d.State, state.Event{Seq: d.State.Seq + 1, At: d.State.At, Data: p})
	if err != nil {
		return &refusal{code: "impossible", text: err.Error()}
	}
	d.State, d.Events = next, append(d.Events, p)
	return nil
}

// all applies several events.
func (d *Draft) All(payloads ...state.Payload) error {
	for _, p := range payloads {
		if err := d.Add(p); err != nil {
			return err
		}
	}
	return nil
}

// try runs f and takes back what it did when it refuses; the refusal is kept
// under the move's number.
func (d *Draft) Try(number int, f func() error) {
	before, kept := d.State, len(d.Events)
	err := f()
	if err == nil {
		return
	}
	d.State, d.Events = before, d.Events[:kept]
	r := state.Refusal{Move: number, Code: "refused", Text: err.Error()}
	if coded, ok := err.(*refusal); ok { //nolint:errorlint // refusals are never wrapped
		r.Code = coded.code
	}
	d.Refused = append(d.Refused, r)
}

func (d *Draft) NextPoint() string     { return state.NextID('P', d.State.Points.Len()) }
func (d *Draft) NextChallenge() string { return state.NextID('C', d.State.Challenges.Len()) }
func (d *Draft) NextEvidence() string  { return state.NextID('E', d.State.Evidence.Len()) }
func (d *Draft) NextFact() string      { return state.NextID('F', d.State.Facts.Len()) }
func (d *Draft) NextQuestion() string  { return state.NextID('Q', d.State.Questions.Len()) }
