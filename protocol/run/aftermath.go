package run

import (
	"moot/protocol"
	"moot/state"
)

// collectAftermath records in the background what a participant did in a cancelled call.
func (r *Session) collectAftermath(seat state.Seat, p protocol.Participant) {
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

// waitForAftermath waits until all participants have stopped and their actions are
// recorded.
func (r *Session) waitForAftermath() error {
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
