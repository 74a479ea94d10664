package rules_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"moot/state"
)

// TestCouncilAnyState seats rules beside somebody who makes random moves in one or
// two seats of a council: each session ends, no reply of rules is refused, and the
// moderator reports agreement where the rules find it alone.
func TestCouncilAnyState(t *testing.T) {
	t.Parallel()
	sessions := 60
	if testing.Short() {
		sessions = 10
	}
	files := map[string]string{
		"design.md":   "# The queue\n\nA job is retried 5 times. The queue never loses a job.\nWe should move to Postgres. First the workers, then the rest.\nThe median latency is 40 ms, we expect.\n",
		"config.toml": "retries = 3\n",
		"README.md":   "Ferry is a small job queue. TODO: the queue loses a job where the disk is full.\n",
	}
	seats := state.CouncilSeats()
	for seed := range sessions {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b := newCouncil(t, files)
			b.expert = seed%2 == 0
			b.settings.Parallel = seed%3 == 0
			b.seats[seats[seed%len(seats)]] = &monkey{random: rand.New(rand.NewPCG(9, uint64(seed)))}
			if seed%4 == 0 {
				b.seats[seats[(seed+2)%len(seats)]] = &monkey{random: rand.New(rand.NewPCG(10, uint64(seed)))}
			}
			if !b.expert {
				delete(b.seats, state.Expert)
			}
			b.run(t)
		})
	}
}
