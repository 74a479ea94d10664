package cli

import (
	"encoding/hex"
	"fmt"
	"io"

	"moot/ledger"
	"moot/state"
)

// opening is what a new session begins with.
type opening struct {
	question string
	settings state.Settings
	// places are those that were named; empty seats are filled when it opens.
	places []place
	facts  []string
}

// opening checks all that was typed before anything is made.
func (o *askOptions) opening() (*opening, error) {
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
	op := &opening{}
	if op.question, err = readQuestion(o.console, o.question); err != nil {
		return nil, err
	}
	if op.places, err = o.seats.places(); err != nil {
		return nil, err
	}
	if op.facts, err = o.given.read(o.console, &settings); err != nil {
		return nil, err
	}
	if err := checkFraming(&settings); err != nil {
		return nil, err
	}
	if settings.Mode == state.ModeQuick && (len(op.facts) > 0 || len(settings.Context) > 0) {
		return nil, usage("--mode quick is for questions without constraints, and --fact or --context was given; use --mode standard")
	}
	if o.highStakes && settings.Mode != state.ModeStandard {
		return nil, usage("--high-stakes asks for a stress test and arbitration, which --mode %s leaves out; use --mode standard", settings.Mode)
	}
	if err := o.workspace.settle(o.console, &settings); err != nil {
		return nil, err
	}
	if settings.Nonce, err = nonce(o.console.Random); err != nil {
		return nil, err
	}
	op.settings = settings
	return op, nil
}

// nonceSize is that of a fence's mark, in bytes: no text meets it by chance.
const nonceSize = 8

func nonce(random io.Reader) (string, error) {
	var b [nonceSize]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("draw the nonce of the data fences: %w; no session was opened", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// events are the first events of a session: it opens, and the user's facts are
// in the ledger before anyone speaks.
func (op *opening) events(id string, seats []state.SeatAssignment) []state.Payload {
	events := []state.Payload{&state.SessionOpened{
		Version: state.Version, ID: id, Question: op.question, Settings: op.settings, Seats: seats,
	}}
	for i, fact := range op.facts {
		events = append(events, &state.FactRecorded{
			ID: state.NextID('F', i), Tag: ledger.TagUser, Seat: state.User, Text: fact,
		})
	}
	return events
}
