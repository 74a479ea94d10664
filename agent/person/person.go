// Package person is the participant "me": the person at the keyboard. It asks through an Asker of the front end, a
// dialog or lines on a terminal. The reply is parsed and admitted like a model's.
package person

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"moot/protocol"
	"moot/protocol/move"
	"moot/state"
)

// Name is the string that names this participant.
const Name = state.Person

// Asker asks the person for the reply to a call. An empty text means that the person has nothing to say. It returns at
// once with ctx's error when ctx ends.
type Asker interface {
	Ask(ctx context.Context, call protocol.Call) (string, error)
}

// Person is the participant "me".
type Person struct{ asker Asker }

var _ protocol.Participant = (*Person)(nil)

// New returns the participant that asks through asker.
func New(asker Asker) *Person { return &Person{asker: asker} }

// Name implements protocol.Participant.
func (*Person) Name() string { return Name }

// Modelless implements protocol.Participant.
func (*Person) Modelless() bool { return true }

// Reply implements protocol.Participant. It returns the errors of the Asker.
func (p *Person) Reply(ctx context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	began := time.Now()
	text, err := p.asker.Ask(ctx, call)
	if err != nil {
		return protocol.Reply{}, err
	}
	if strings.TrimSpace(text) == "" {
		text = `{"moves":[]}`
	}
	return protocol.Reply{Text: text, Attempts: 1, Took: time.Since(began)}, nil
}

//go:embed hints.txt
var hints string

// Hints returns example lines that can be typed in answer to a call, by its stage and the allowed moves.
func Hints(ask *protocol.Ask) []string {
	var list []string
	for line := range strings.Lines(hints) {
		key, hint, ok := strings.Cut(strings.TrimSpace(line), " | ")
		words := strings.Fields(key)
		if !ok || words[0] != "*" && words[0] != string(ask.Stage) {
			continue
		}
		forbidden := func(m string) bool { return !slices.Contains(ask.Moves, move.Kind(m)) }
		if !slices.ContainsFunc(words[1:], forbidden) {
			list = append(list, hint)
		}
	}
	return list
}
