package run

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/state"
)

// meeting lets nobody answer in some stages until so many seats were asked at once. One of
// them then gives a broken reply, the first time.
type meeting struct {
	stages []state.Stage
	broken state.Seat

	sync.Mutex
	missing int
	all     chan struct{}
	failed  bool
	asked   map[state.Seat]int
}

// guest is a participant at a meeting.
type guest struct {
	protocol.Participant
	*meeting
}

func (g guest) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	if !slices.Contains(g.stages, call.Ask.Stage) {
		return g.Participant.Reply(ctx, call, watch)
	}
	g.Lock()
	g.asked[call.Ask.Seat]++
	if g.missing--; g.missing == 0 {
		close(g.all)
	}
	g.Unlock()
	select {
	case <-g.all:
	case <-ctx.Done():
		return protocol.Reply{}, ctx.Err()
	}
	g.Lock()
	fails := call.Ask.Seat == g.broken && !g.failed
	g.failed = g.failed || fails
	g.Unlock()
	if fails {
		return protocol.Reply{}, &protocol.Broken{Code: "broken", What: "the stream broke off"}
	}
	return g.Participant.Reply(ctx, call, watch)
}

// Independent calls run in parallel in every format. After a broken reply only that seat is asked again, and the
// other replies are kept (RD1b, PH3).
func TestIndependentCallsOverlap(t *testing.T) {
	for name, c := range map[string]struct {
		open   func(t *testing.T, log *record) Options
		stages []state.Stage
		seats  []state.Seat
		broken state.Seat
	}{
		"consult": {func(t *testing.T, log *record) Options {
			seats := agreeable()
			seats["consultee-2"] = says(map[state.Stage]string{
				state.StagePropose:  `1. Beta holds b/b.go:1 "beta"`,
				state.StageCoverage: "NOTHING",
			})
			return options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
				o.Seats = append(o.Seats, state.SeatAssignment{Seat: "consultee-2", Participant: "script"})
			}), seats)
		}, []state.Stage{state.StagePropose}, []state.Seat{state.Consultee, "consultee-2"}, state.Consultee},
		"panel": {func(t *testing.T, log *record) Options {
			return panelRun(t, log, protocoltest.Opened(panel.Name, protocoltest.Panelists(3)), several(3))
		}, []state.Stage{state.StagePropose}, []state.Seat{panel.Panelist, "panelist-2", "panelist-3"}, "panelist-2"},
		"council": {func(t *testing.T, log *record) Options {
			seats := map[state.Seat]protocol.Participant{
				constitution.Strategist: says(map[state.Stage]string{
					state.StagePropose: `{"moves":[{"move":"RAISE","text":"The cache survives a restart","confidence":0.8}]}`,
				}),
				constitution.Critic: says(nil), constitution.Adversary: says(nil), constitution.Moderator: says(nil),
			}
			return options(t, log, protocoltest.Opened(council.Name, func(o *state.SessionOpened) {
				o.Settings.Own.(*council.Settings).Parallel = true
			}), seats)
		}, []state.Stage{council.StageCritique, council.StageAttack}, []state.Seat{constitution.Critic, constitution.Adversary}, constitution.Critic},
		"hearing": {func(t *testing.T, log *record) Options {
			argues := says(map[state.Stage]string{hearing.StageArgue: "CLAIM [f1, f2] 0.8: the account logged on\nCONCLUDE 0.8"})
			o := options(t, log, protocoltest.Opened(hearing.Name), map[state.Seat]protocol.Participant{
				judge.Architect: argues, judge.Skeptic: argues,
			})
			return frozen(t, o, log, protocoltest.Packet(t, 9))
		}, []state.Stage{hearing.StageArgue}, []state.Seat{judge.Architect, judge.Skeptic}, judge.Skeptic},
	} {
		t.Run(name, func(t *testing.T) {
			log := &record{}
			o := c.open(t, log)
			m := &meeting{
				stages: c.stages, broken: c.broken, missing: len(c.seats), all: make(chan struct{}),
				asked: map[state.Seat]int{},
			}
			for seat, p := range o.Participants {
				o.Participants[seat] = guest{p, m}
			}
			// Asked one after the other, they would wait for each other.
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := New(o).Run(ctx); err != nil {
				t.Fatal(err)
			}
			for _, seat := range c.seats {
				replies := 0
				for _, e := range log.events {
					if r, ok := e.Data.(*state.ReplyReceived); ok && r.Seat == seat &&
						slices.Contains(c.stages, r.Stage) && r.Valid {
						replies++
					}
				}
				if once := seat != c.broken; replies == 0 || once && m.asked[seat] != replies || !once &&
					m.asked[seat] != replies+1 {
					t.Errorf("%s was asked %d times for %d replies", seat, m.asked[seat], replies)
				}
			}
			if refused := slices.IndexFunc(log.events, func(e state.Event) bool {
				_,
					is := e.Data.(*state.ReplyRefused)
				return is
			}); refused < 0 {
				t.Error("the broken reply is not on record")
			}
		})
	}
}
