package protocol

import (
	"fmt"

	"moot/state"
)

// draft collects events and the state that they lead to, so that each move is
// admitted against what the moves before it brought.
type draft struct {
	s       state.State
	events  []state.Payload
	refused []state.Refusal
}

// refusal is why a move is not admitted.
type refusal struct{ code, text string }

func (r *refusal) Error() string { return r.text }

// refuse returns a refusal; its text says what is wrong and what would do.
func refuse(code, format string, args ...any) error {
	return &refusal{code: code, text: fmt.Sprintf(format, args...)}
}

// add applies an event.
func (d *draft) add(p state.Payload) error {
	next, err := state.Apply(d.s, state.Event{Seq: d.s.Seq + 1, At: d.s.At, Data: p})
	if err != nil {
		return &refusal{code: "impossible", text: err.Error()}
	}
	d.s, d.events = next, append(d.events, p)
	return nil
}

// all applies several events.
func (d *draft) all(payloads ...state.Payload) error {
	for _, p := range payloads {
		if err := d.add(p); err != nil {
			return err
		}
	}
	return nil
}

// try runs f and takes back what it did when it refuses; the refusal is kept
// under the move's number.
func (d *draft) try(number int, f func() error) {
	before, kept := d.s, len(d.events)
	err := f()
	if err == nil {
		return
	}
	d.s, d.events = before, d.events[:kept]
	r := state.Refusal{Move: number, Code: "refused", Text: err.Error()}
	if coded, ok := err.(*refusal); ok { //nolint:errorlint // refusals are never wrapped
		r.Code = coded.code
	}
	d.refused = append(d.refused, r)
}

func (d *draft) nextPoint() string     { return state.NextID('P', d.s.Points.Len()) }
func (d *draft) nextChallenge() string { return state.NextID('C', d.s.Challenges.Len()) }
func (d *draft) nextEvidence() string  { return state.NextID('E', d.s.Evidence.Len()) }
func (d *draft) nextFact() string      { return state.NextID('F', d.s.Facts.Len()) }
func (d *draft) nextQuestion() string  { return state.NextID('Q', d.s.Questions.Len()) }
