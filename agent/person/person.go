package person

import (
	"context"
	"strings"
	"time"

	"moot/protocol"
)

// Name is the string that names this participant.
const Name = "me"

// silence is the reply of somebody who has nothing to say.
const silence = `{"moves":[]}`

// Asker asks the person for the reply to a call. An empty text means that the
// person has nothing to say. It ends with ctx at once, with ctx's error.
type Asker interface {
	Ask(ctx context.Context, call protocol.Call) (string, error)
}

// Person is the participant. It is asked as its Asker is.
type Person struct{ asker Asker }

// The person is a participant.
var _ protocol.Participant = (*Person)(nil)

// New returns the participant that asks through asker.
func New(asker Asker) *Person { return &Person{asker: asker} }

// Name implements protocol.Participant.
func (*Person) Name() string { return Name }

// Modelless implements protocol.Participant: no language model is at work.
func (*Person) Modelless() bool { return true }

// Reply implements protocol.Participant. The errors are those of the Asker.
func (p *Person) Reply(ctx context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	began := time.Now()
	text, err := p.asker.Ask(ctx, call)
	if err != nil {
		return protocol.Reply{}, err
	}
	if strings.TrimSpace(text) == "" {
		text = silence
	}
	return protocol.Reply{Text: text, Attempts: 1, Took: time.Since(began)}, nil
}
