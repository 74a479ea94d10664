package rules_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/protocol/run"
	"moot/state"
	"moot/state/store"
)

// scenarios are the packets of a corpus, by their file names.
func scenarios(t *testing.T, corpus string) map[string]*ledger.Packet {
	t.Helper()
	files, err := filepath.Glob("../../lab/" + corpus + "/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios of %s: %v", corpus, err)
	}
	packets := map[string]*ledger.Packet{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Packet struct {
				ID     string          `json:"packet_id"`
				Window [2]time.Time    `json:"window"`
				Facts  json.RawMessage `json:"facts"`
			} `json:"packet"`
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		p, err := ledger.NewPacket(s.Packet.ID, s.Packet.Window[0], s.Packet.Window[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := p.AddJSON(s.Packet.Facts); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Freeze(); err != nil {
			t.Fatal(err)
		}
		packets[filepath.Base(file)] = p
	}
	return packets
}

// hear runs a hearing of rules on a packet.
func hear(t *testing.T, p *ledger.Packet, settings hearing.Settings) (s *state.State, events []state.Event) {
	t.Helper()
	s = &state.State{}
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	seat := blind()
	opened := &state.SessionOpened{
		Rules:   formats.ByName(hearing.Name),
		Version: state.Version, ID: "s", Question: settings.Domain.Question,
		Settings: state.Settings{Format: hearing.Name, Nonce: "n", Own: &settings},
	}
	seats := map[state.Seat]protocol.Participant{}
	for _, name := range hearing.Seats() {
		if name != hearing.Oracle || settings.Oracle {
			seats[name] = seat
			opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: name, Participant: "rules", NoModel: true})
		}
	}
	log := &store.Memory{}
	at := time.Unix(1_700_000_000, 0).UTC()
	for i, payload := range append([]state.Payload{opened}, state.PacketEvents(p)...) {
		e := state.Event{Seq: i + 1, At: at, Data: payload}
		var err error
		if s, err = state.Apply(s, e); err != nil {
			t.Fatal(err)
		}
		if err := log.Append([]state.Event{e}); err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	r := run.New(run.Options{
		State: s, Log: log, Participants: seats, Parser: parser, Now: func() time.Time { return at },
		Watch: func(n protocol.Notice) {
			switch n := n.(type) {
			case protocol.Advanced:
				events, s = append(events, n.Events...), n.State
			}
		},
	})
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Verify(parser, events); err != nil {
		t.Error(err)
	}
	return s, events
}

// Rules take either side of any packet, and the oracle's seat: the hearing ends by its
// form, no move of theirs is refused or outside of the packet, and all of it verifies.
func TestHearingSeats(t *testing.T) {
	t.Parallel()
	courses := []hearing.Settings{
		{Form: hearing.FormSingle, Judge: judge.V1},
		{Form: hearing.FormMulti, Judge: judge.V2, Rounds: 3, Oracle: true},
		{Form: hearing.FormAnchored, Judge: judge.V2Bounded, Rounds: 4, Oracle: true},
		{Form: hearing.FormAudit, Judge: judge.V2},
		{Form: hearing.FormSelective, Judge: judge.V1Facts, Rounds: 3, Gate: judge.GateEither, Then: hearing.FormAnchored},
	}
	for _, name := range []string{domain.BuiltInName} {
		book, err := domain.BuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		packets := scenarios(t, name)
		for at, file := range slices.Sorted(maps.Keys(packets)) {
			if testing.Short() && at == len(courses) {
				break
			}
			course, p := courses[at%len(courses)], packets[file]
			course.Domain = book
			t.Run(file, func(t *testing.T) {
				t.Parallel()
				s, events := hear(t, p, course)
				if !s.Closed || s.Exit == state.ExitQuality {
					t.Errorf("it ended by %q: %s", s.Exit, s.ExitReason)
				}
				if len(hearing.Of(s).Violations) > 0 {
					t.Errorf("cited what is not there: %+v", hearing.Of(s).Violations)
				}
				for _, e := range events {
					if refused, is := e.Data.(*state.ReplyReceived); is && len(refused.Refused) > 0 {
						t.Errorf("%s in %s: %+v", refused.Seat, refused.Stage, refused.Refused)
					}
				}
			})
		}
	}
}
