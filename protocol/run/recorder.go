package run

import (
	"context"

	"moot/protocol"
)

// Recorder records every call to a participant, for tests and bug reports. It must be safe
// for concurrent use.
type Recorder interface {
	// Begin starts the record of a call. The call is made with the returned context.
	Begin(ctx context.Context, call protocol.Call, participant string) (context.Context, CallRecord)
}

// CallRecord records one call.
type CallRecord interface {
	// Tell records a delta of the reply.
	Tell(d protocol.Delta)
	// End records the result of the call. It returns a note about the recording, or "".
	End(reply protocol.Reply, err error) string
}

// noRecord is used when nothing is recorded.
type noRecord struct{}

func (noRecord) Tell(protocol.Delta) {}

func (noRecord) End(protocol.Reply, error) string { return "" }
