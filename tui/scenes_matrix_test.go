package tui

import (
	"testing"
	"time"

	"moot/protocol"
	"moot/state"
)

// matrixScenes are how the answers of a panel lie beside each other.
func matrixScenes() []scene {
	of := func(name, shows string, record func(t testing.TB) *recorder, keys string, told ...any) scene {
		return scene{name, shows, func(s *stage) *Model {
			return s.convened(record).session(keys, append([]any{ready(state.Panelist)}, told...)...)
		}}
	}
	return []scene{
		of("matrix", "at one in 2 of the 4 claims that both speak of, apart in K1 and K2", compared, "6"),
		of("matrix-pair", "at one in 2 of the 5 claims that both speak of", compared, "6 down down right"),
		of("matrix-claims", "gave it up", compared, "6 end up up"),
		of("matrix-missing", "missing: connection refused", comparedWithout, "6"),
		of("matrix-over", "decided for P2 by you", comparedOver, "6"),
		of("matrix-uncompared", "Not compared yet", uncompared, "6"),
		of("beside", "about a [month, since every", compared, "6 enter"),
		of("beside-other", "1 and 3, side by side", compared, "6 enter right"),
		of("beside-left", "3 and 2, side by side", compared, "6 enter tab"),
		of("beside-once", "Once against each other", compared, "6 enter pgdown"),
		of("beside-conflict", "Throughput is [lower] with streams", compared, "6 end up up up up up enter"),
		of("beside-argued", "gave it up", compared, "6 end up up up up up enter left"),
		of("beside-missing", "not compared", comparedWithout, "6 up right right enter"),
		{"matrix-live", "has answered", func(s *stage) *Model {
			m := s.convened(func(t testing.TB) *recorder { return convened(t).recorder }).session("", asking(s)...)
			pressAll(m, "6")
			return m
		}},
		{"matrix-replay", "no answer yet", func(s *stage) *Model {
			s.convened(compared)
			return s.past(3, "6")
		}},
	}
}

// convened puts a panel on the stage: the one that is asked for, or the foul one
// of the cast.
func (s *stage) convened(of func(t testing.TB) *recorder) *stage {
	record := s.panel
	if record == nil {
		record = of(s.t)
	}
	s.cast = &cast{record: record, panel: s.panel, text: s.text}
	return s
}

// asking is a first round in which all are asked, one has answered, and one waits
// for its provider.
func asking(s *stage) []any {
	var told []any
	for i, seat := range []state.Seat{state.Panelist, "panelist-2", "panelist-3", "panelist-4"} {
		told = append(told, protocol.CallStarted{
			Ask: protocol.Ask{Seat: seat, Stage: state.StagePropose}, Participant: s.text("somebody"), At: demoTime.Add(time.Hour - time.Duration(8+i)*time.Second),
		})
	}
	return append(told,
		protocol.CallEnded{Seat: "panelist-2"},
		protocol.Reported{Seat: "panelist-3", Text: s.text("429, again in 12 s (2/5)"), Until: demoTime.Add(time.Hour + 12*time.Second)})
}

// uncompared is a session whose answers are in, and nobody has compared them.
func uncompared(t testing.TB) *recorder {
	t.Helper()
	h := convened(t)
	delete(h.replies, "orchestrator/triage")
	h.run()
	return h.recorder
}
