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
	// packet is the closed world of a hearing, frozen; nil in other formats.
	packet *ledger.Packet
	// allowed are the commands that may run unasked.
	allowed []string
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
	if op.packet != nil {
		events = append(events, state.PacketEvents(op.packet)...)
	}
	for i, fact := range op.facts {
		events = append(events, &state.FactRecorded{
			ID: state.NextID('F', i), Tag: ledger.TagUser, Seat: state.User, Text: fact,
		})
	}
	return events
}
