package rules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/protocol/move"
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
	return hearAgainst(t, p, settings, "", nil)
}

// hearAgainst runs a hearing of rules against a participant on a seat.
func hearAgainst(t *testing.T, p *ledger.Packet, settings hearing.Settings, other state.Seat, by protocol.Participant,
) (s *state.State, events []state.Event) {
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
			assigned := state.SeatAssignment{Seat: name, Participant: "rules", NoModel: true}
			if name == other {
				seats[name], assigned = by, state.SeatAssignment{Seat: name, Participant: by.Name()}
			}
			opened.Seats = append(opened.Seats, assigned)
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

// sayer is a model that gives one reply in every turn.
type sayer string

func (sayer) Name() string    { return "sayer" }
func (sayer) Modelless() bool { return false }

func (r sayer) Reply(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply, error) {
	return protocol.Reply{Text: string(r), Attempts: 1}, nil
}

// Rules on one side check what a model on the other cites. Where they know nothing they do not
// overrule it, and nothing is dismissed that no rule names.
func TestRulesCheckWhatAModelCites(t *testing.T) {
	t.Parallel()
	book, err := domain.BuiltIn(domain.BuiltInName)
	if err != nil {
		t.Fatal(err)
	}
	admin := `{"id":"a1","entity":"srv-1","entity_type":"node","field":"logon","value":{"LogonType":10,"user":"adm-k"},` +
		`"timestamp":"2026-03-02T10:00:00Z","source_type":"auth_log","source_id":"c"},` +
		`{"id":"a2","entity":"adm-k","entity_type":"node","field":"group_membership","value":["Tier0-Operators"],` +
		`"timestamp":"2026-03-02T09:00:00Z","source_type":"manual","source_id":"c"}`
	odd := `{"id":"b1","entity":"ws-4","entity_type":"node","field":"window_title","value":"odd",` +
		`"timestamp":"2026-03-02T11:00:00Z","source_type":"syslog","source_id":"c"}`
	for name, c := range map[string]struct {
		facts, cites string
		seat         state.Seat
		confidence   string
		outcome      judge.Outcome
		says         string
		rulesClaim   int
	}{
		"nobody argues against a model":          {odd, "b1", judge.Architect, "0.85", judge.Confirmed, "; nobody argued against it", 1},
		"no rule names a fact":                   {odd, "b1", judge.Skeptic, "0.95", judge.Inconclusive, "HR4: no rule of the domain names a fact", 1},
		"a model that doubts what no rule names": {odd, "b1", judge.Architect, "0.05", judge.Inconclusive, "else", 1},
		"a cover of a fact that is not cited":    {admin + "," + odd, "b1", judge.Architect, "0.8", judge.Confirmed, "; nobody argued against it", 0},
		"a cover of the fact that is cited":      {admin + "," + odd, "a1", judge.Architect, "0.6", judge.Dismissed, "Known administrator", 1},
	} {
		day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
		p, err := ledger.NewPacket("night", day, day.Add(24*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.AddJSON(json.RawMessage("[" + c.facts + "]")); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Freeze(); err != nil {
			t.Fatal(err)
		}
		reply := `{"moves":[{"move":"CLAIM","reading":"it follows","facts":["` + c.cites + `"],"confidence":` + c.confidence +
			`},{"move":"CONCLUDE","confidence":` + c.confidence + `}]}`
		s, _ := hearAgainst(t, p, hearing.Settings{Form: hearing.FormSingle, Judge: judge.V2, Domain: book}, c.seat, sayer(reply))
		v, err := hearing.VerdictOf(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if says := v.Rule + " " + v.Sentence(); v.Outcome != c.outcome || !strings.Contains(says, c.says) {
			t.Errorf("%s: %s", name, says)
		}
		if n := len(hearing.ClaimsOf(s, hearing.Opponent(c.seat), 1)); n != c.rulesClaim {
			t.Errorf("%s: rules made %d claims", name, n)
		}
	}
}

// A finding that more facts show than a claim may list is claimed all the same.
func TestFindingOfManyFacts(t *testing.T) {
	t.Parallel()
	book, err := domain.BuiltIn(domain.BuiltInName)
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	p, err := ledger.NewPacket("night", day, day.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 * move.MaxItems {
		if err := p.Add(ledger.PacketFact{
			ID: fmt.Sprintf("f%d", i), Entity: "ws-7 -> 198.51.100.9", EntityType: ledger.EntityEdge, Field: "bytes_out", Value: "1140",
			At: day.Add(time.Duration(i) * time.Minute), SourceType: ledger.SourceNetflow, SourceID: "c",
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Freeze(); err != nil {
		t.Fatal(err)
	}
	s, _ := hear(t, p, hearing.Settings{Form: hearing.FormSingle, Judge: judge.V2, Domain: book})
	claims := hearing.ClaimsOf(s, judge.Architect, 1)
	more := fmt.Sprintf("%d more facts", 3*move.MaxItems)
	if len(claims) != 1 || len(claims[0].Facts) != move.MaxItems || !strings.Contains(claims[0].Text, more) {
		t.Errorf("the architect claims %+v", claims)
	}
}
