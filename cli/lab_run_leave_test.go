package cli

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"moot/lab/matrix"
	"moot/protocol"
	"moot/state"
)

// deaf is a participant that never answers and ignores cancellation.
type deaf struct{ asked, released chan struct{} }

func (*deaf) Name() string    { return "deaf" }
func (*deaf) Modelless() bool { return true }

func (d *deaf) Reply(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply, error) {
	d.asked <- struct{}{}
	<-d.released
	return protocol.Reply{}, errors.New("it never says anything")
}

func TestASecondSignalLeavesALabRunAtOnce(t *testing.T) {
	var said bytes.Buffer
	signals := make(chan os.Signal, 2)
	c := &Console{Out: &said, Err: &said, Signals: signals, Now: time.Now, Random: rand.NewChaCha8([32]byte{1}), Dir: t.TempDir()}
	o := &labRunOptions{
		console: c, half: "both", limit: 1, jobs: 1,
		plan: matrix.Plan{
			Forms: []state.Form{state.FormSingle}, Judges: []state.JudgeVersion{state.JudgeV2}, Gate: state.GateEither,
			Then: state.FormMulti, Rounds: 3, Repeats: 1,
		},
	}
	plan, _, err := o.prepare(nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := matrix.New(plan)
	if err != nil {
		t.Fatal(err)
	}
	sits := &deaf{asked: make(chan struct{}, 4), released: make(chan struct{})}
	defer close(sits.released)
	go func() {
		<-sits.asked
		signals <- os.Interrupt
		signals <- os.Interrupt
	}()
	_, code, err := o.hear(t.Context(), m, func() (map[state.Seat]protocol.Participant, error) {
		return map[state.Seat]protocol.Participant{state.Architect: sits, state.Skeptic: sits}, nil
	})
	if code != ExitInterrupted || exitCode(err) != ExitInterrupted {
		t.Errorf("it leaves with %d, %v", code, err)
	}
}
