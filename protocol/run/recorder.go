package run

import (
	"context"

	"moot/protocol"
)

// Recorder is told of every call to a participant, for tests and reports of
// defects. It is called by several goroutines at once.
type Recorder interface {
	// Begin is told that a participant is asked. The call is made in the context
	// that it returns, and the record is told of the rest of it.
	Begin(ctx context.Context, call protocol.Call, participant string) (context.Context, CallRecord)
}

// CallRecord is told of one call.
type CallRecord interface {
	// Tell is told what the participant tells on the way.
	Tell(d protocol.Delta)
	// End is told what came of the call. It returns what must be said of the
	// recording, or "".
	End(reply protocol.Reply, err error) string
}

// noRecord is the record where none is kept.
type noRecord struct{}

func (noRecord) Tell(protocol.Delta) {}

func (noRecord) End(protocol.Reply, error) string { return "" }

// record begins the record of a call.
func (r *Session) record(ctx context.Context, p protocol.Participant, call protocol.Call) (context.Context, CallRecord) {
	if r.Recorder == nil {
		return ctx, noRecord{}
	}
	return r.Recorder.Begin(ctx, call, p.Name())
}
