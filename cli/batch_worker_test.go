//go:build !nobatchqueue

package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"moot/protocol/formats"
	"moot/queue/jetstream"
	"moot/state"
	"moot/state/store"
)

// BB5: the events that a session continues from are a message, too. A worker that would refuse their seats or folders in
// an item refuses them there, before it makes a participant.
func TestAWorkerRefusesUnits(t *testing.T) {
	const item = "5f2c5f2c"
	c := &Console{
		In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Dir: t.TempDir(), Now: time.Now, Random: strings.NewReader(""),
		State: t.TempDir(), Environ: []string{"MOOT_CONFIG=/dev/null"},
	}
	d, err := c.validDefaults()
	if err != nil {
		t.Fatal(err)
	}
	format, err := c.format("consult")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change func(*state.SessionOpened)
		later  state.Payload
		want   string
	}{
		"a program in a seat": {
			change: func(o *state.SessionOpened) { o.Seats[1].Participant = "exec:/bin/true" },
			want:   "exec:/bin/true is not in the configuration of this worker",
		},
		"a program under a name": {
			change: func(o *state.SessionOpened) { o.Seats[1].Participant = "rules2=exec:/bin/true" },
			want:   "exec:/bin/true is not in the configuration of this worker",
		},
		"a program that takes a seat later": {
			later: &state.SeatTaken{
				SeatAssignment: state.SeatAssignment{Seat: state.Consultee, Participant: "script:/etc/passwd"}, By: state.User,
			},
			want: "script:/etc/passwd is not in the configuration of this worker",
		},
		"a folder": {
			change: func(o *state.SessionOpened) { o.Settings.Workspace = t.TempDir() },
			want:   "this worker opens no workspace",
		},
		"secret files": {
			change: func(o *state.SessionOpened) { o.Settings.AllowPaths = []string{"**"} },
			want:   "a worker keeps secrets out of sessions",
		},
	} {
		t.Run(name, func(t *testing.T) {
			opened := &state.SessionOpened{
				Rules: formats.ByName("consult"), Version: state.Version, ID: "s1", Item: item, Question: "Is it so?",
				Settings: state.Settings{
					Format: "consult", Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "5eed",
					Input: state.Input{Options: []string{}, Views: []state.View{}}, Context: []state.Document{},
				},
				Seats: []state.SeatAssignment{
					{Seat: state.Orchestrator, Participant: "rules", NoModel: true}, {Seat: state.Consultee, Participant: "rules", NoModel: true},
				},
			}
			if test.change != nil {
				test.change(opened)
			}
			payloads := []state.Payload{opened}
			if test.later != nil {
				payloads = append(payloads, test.later)
			}
			_, events, err := state.Extend(&state.State{}, time.Unix(1, 0), payloads...)
			if err != nil {
				t.Fatal(err)
			}
			var units [][]byte
			file, err := store.Create(t.TempDir(), "s1")
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			file.Confirm(func(unit []byte) error {
				units = append(units, bytes.Clone(unit))
				return nil
			})
			if err := file.Append(events); err != nil {
				t.Fatal(err)
			}
			w := &worker{console: c, defaults: d}
			b := &builder{console: c.inBatch(t.TempDir(), c.Dir, d), defaults: d}
			lease := &jetstream.Lease{Task: jetstream.Task{Key: jetstream.Key{Item: item}}, Units: units}
			_, err = w.open(t.Context(), b, lease, &carried{Item: item}, format, nil, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
