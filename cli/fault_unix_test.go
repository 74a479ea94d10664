//go:build unix

package cli_test

import (
	"testing"

	"moot/state"
)

// EX7: in each format and in both of its seats, each kind of participant that is of no
// use from round 2 on pauses the session, with the seat, who it is and what to do; the
// session goes on when it is mended, and ends as it does without the fault. In a panel
// the others go on without it.
func TestEveryParticipantMayFail(t *testing.T) { //nolint:tparallel // its sessions lie in a folder that the environment names
	r := newRoom(t, meetings()...)
	r.installed(t)
	kinds := programKinds()
	// An endpoint sits in each seat of each format, a program in those of one format: all
	// of them in all of those take long, and tell no more.
	for i, held := range meetings() {
		for j, seat := range held.seats {
			ref := r.references[held.format]
			whole := (i+j)%2 == 1
			t.Run(held.format+"/"+seat+"/endpoint", func(t *testing.T) {
				t.Parallel()
				w := newWire(t, ref, seat, whole, answers(503, "<html><title>Down for maintenance</title>"))
				o := r.sit(held, seat, w.name(), nil, "--attempts", "1")
				fails(t, o, func() { w.set(nil, 0) }, w.URL, "answered 503", "wait a little")
			})
			for k := range kinds {
				if kind := kinds[k]; k%len(meetings()) == i {
					t.Run(held.format+"/"+seat+"/"+kind.name, func(t *testing.T) {
						t.Parallel()
						p := r.plays(t, kind, ref, seat)
						p.fault(t, p.refusal(t))
						o := r.sit(held, seat, p.participant(r), p.environ(r))
						fails(t, o, func() { p.fault(t, "") }, kind.says...)
					})
				}
			}
		}
	}
}

// fails has a session meet a fault, go on while it lasts, and go on when it is mended.
func fails(t *testing.T, o *occasion, mend func(), words ...string) {
	t.Helper()
	o.ask()
	if o.format == "panel" {
		o.says(t, append(words, o.seat)...)
		return
	}
	o.paused(t, state.PauseUnreachable, words...)
	mend()
	o.resume()
	o.ends(t)
}
