package run

import (
	"moot/protocol"
	"moot/state"
)

// linger records what a participant did in calls that were cancelled, once that is
// known; the loop goes on meanwhile.
func (r *Session) linger(seat state.Seat, p protocol.Participant) {
	l, ok := p.(protocol.Lingering)
	if !ok {
		return
	}
	r.lingering.Go(func() {
		for _, text := range l.Aftermath() {
			r.commands <- func() {
				if r.lost == nil {
					r.lost = r.append(&state.WorkspaceChanged{Seat: seat, Text: text})
				}
			}
		}
	})
}

// aftermath waits until no participant is at work any more, and what was done is on
// record.
func (r *Session) aftermath() error {
	over := make(chan struct{})
	go func() {
		r.lingering.Wait()
		close(over)
	}()
	for {
		select {
		case f := <-r.commands:
			f()
		case <-over:
			return r.lost
		}
	}
}
