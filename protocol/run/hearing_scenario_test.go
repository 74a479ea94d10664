package run

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"moot/domain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/resolver"
	"moot/state"
)

// TestHearing runs the files of testdata/hearing in the syntax of
// testdata/scenarios. A session opens on a packet of nine facts, f1 to f9, with
//
//	open [form=F] [judge=J] [rounds=N] [gate=G] [then=F] [oracle] [facts=N] [without=SEAT] [attended] [domain=NAME] [unfrozen]
//
// where unfrozen omits the packet. Additional commands:
//
//	due SEAT      what the asked seat must respond to, by id
//	recorded      arguments of each side, changes of its confidence, challenges it ignored,
//	              and dropped content
//	prompt SEAT   what the asked seat is shown
//
// The test also checks that the stored events replay to the same state, that the session resumes
// with the same turn after any event, and that the record recomputes.
func TestHearing(t *testing.T) {
	datadriven.Walk(t, "testdata/hearing", func(t *testing.T, path string) {
		var d *desk
		datadriven.RunTest(t, path, func(t *testing.T, c *datadriven.TestData) string {
			switch c.Cmd {
			case "open":
				d = openHearing(t, c)
			case "due":
				return d.owed(state.Seat(c.CmdArgs[0].Key))
			case "recorded":
				return recordedOf(&d.s)
			}
			out := d.command(t, c)
			d.alike(t)
			if _, err := resolver.Verify(d.replay); err != nil {
				t.Fatal(err)
			}
			if d.s.Closed || d.s.Paused != state.PauseNone {
				resumesAnywhere(t, d)
			}
			return out
		})
	})
}

// factsOf is a frozen packet of so many facts, f1, f2, ….
func factsOf(t testing.TB, count int) *ledger.Packet {
	t.Helper()
	from := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	p, err := ledger.NewPacket("night", from, from.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	sources := []ledger.SourceType{"syslog", "auth_log"}
	for i := range count {
		err := p.Add(ledger.PacketFact{
			ID: fmt.Sprintf("f%d", i+1), Entity: fmt.Sprintf("host-%d", i%3+1), EntityType: "node", Field: "event", Value: ledger.Value(fmt.Sprintf(`"what %d shows"`, i+1)),
			At: from.Add(time.Duration(i) * time.Minute), SourceType: sources[i%2], SourceID: "collector",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Freeze(); err != nil {
		t.Fatal(err)
	}
	return p
}

// asksHearing opens a hearing of both sides by the judge v1.
func asksHearing(change ...func(*state.SessionOpened)) *state.SessionOpened {
	o := opened()
	o.Question = "Is this a threat?"
	o.Settings.Format, o.Settings.Framing, o.Settings.Mode = state.FormatHearing, "", ""
	o.Rules = formats.ByName(o.Settings.Format)
	o.Settings.Hearing = &state.HearingSettings{
		Form: state.FormSingle, Judge: state.JudgeV1, Rounds: state.DefaultHearingRounds, Domain: state.Domain{Prefix: "THREAT"},
	}
	o.Seats = []state.SeatAssignment{{Seat: state.Architect, Participant: "script"}, {Seat: state.Skeptic, Participant: "script"}}
	for _, f := range change {
		f(o)
	}
	return o
}

func openHearing(t *testing.T, c *datadriven.TestData) *desk {
	t.Helper()
	o := asksHearing()
	h := o.Settings.Hearing
	facts := 9
	if text := strings.TrimSpace(c.Input); text != "" {
		o.Question = text
	}
	for _, arg := range c.CmdArgs {
		switch arg.Key {
		case "form":
			h.Form = state.Form(arg.Vals[0])
		case "judge":
			h.Judge = state.JudgeVersion(arg.Vals[0])
		case "rounds":
			c.ScanArgs(t, "rounds", &h.Rounds)
		case "gate":
			h.Gate = state.Gate(arg.Vals[0])
		case "then":
			h.Then = state.Form(arg.Vals[0])
		case "facts":
			c.ScanArgs(t, "facts", &facts)
		case "oracle":
			h.Oracle = true
			o.Seats = append(o.Seats, state.SeatAssignment{Seat: state.Oracle, Participant: "script"})
		case "without":
			o.Seats = slices.DeleteFunc(o.Seats, func(a state.SeatAssignment) bool { return string(a.Seat) == arg.Vals[0] })
		case "attended":
			o.Settings.Attended = true
		case "domain":
			built, err := domain.BuiltIn(arg.Vals[0])
			if err != nil {
				t.Fatal(err)
			}
			h.Domain = built
		case "unfrozen":
			facts = -1
		default:
			t.Fatalf("%s: open does not know %q", c.Pos, arg.Key)
		}
	}
	return hears(t, o, facts)
}

// hears opens a hearing on a packet of so many facts, and on none below 0.
func hears(t testing.TB, o *state.SessionOpened, facts int) *desk {
	t.Helper()
	d := newDesk(t, o)
	d.format, d.terse = hearing.Format{}, true
	if facts >= 0 {
		d.quiet = true
		d.append(state.PacketEvents(factsOf(t, facts))...)
		d.quiet = false
	}
	d.sent = func(ask protocol.Ask) {
		p := d.format.Prompt(d.s, ask)
		d.append(&state.PromptSent{Seat: ask.Seat, Stage: ask.Stage, System: p.System, Text: p.Text, Omitted: []string{}})
	}
	return d
}

func recordedOf(s *state.State) string {
	out := ""
	for _, a := range s.Hearing.Arguments {
		out += fmt.Sprintf("round %d: %s stated %v, counts %v", a.Round, a.Seat, a.Stated, a.Confidence)
		if a.WouldChange != "" {
			out += ", would change by " + a.WouldChange
		}
		out += "\n"
	}
	for _, c := range s.Hearing.Changes {
		out += fmt.Sprintf("round %d: %s %s moved by %+.2f from %v to %v by %q\n", c.Round, c.Seat, c.Point, c.Delta(), c.From, c.To, c.Fact)
	}
	for _, d := range s.Drifts.All() {
		out += fmt.Sprintf("round %d: %s %s drifted from %s to %s, kept %v\n", d.Round, d.Seat, d.Point, d.From, d.To, d.Kept)
	}
	for _, i := range s.Hearing.Ignored {
		out += fmt.Sprintf("round %d: %s let %s on %s pass, which cites %s\n", i.Round, i.Seat, i.Challenge, i.Point, i.Fact)
	}
	violations := map[state.Seat]int{}
	for _, v := range s.Hearing.Violations {
		violations[v.Seat]++
		out += fmt.Sprintf("round %d: %s of the %s dropped, which cites %s\n", v.Round, v.Move, v.Seat, strings.Join(v.Facts, ", "))
	}
	for _, seat := range state.HearingSeats() {
		if violations[seat] > 0 {
			out += fmt.Sprintf("%s: %d in all\n", seat, violations[seat])
		}
	}
	return out
}

// owed lists the ids that the asked seat must respond to in a hearing.
func (d *desk) owed(seat state.Seat) string {
	for _, ask := range d.asks {
		if ask.Seat == seat {
			owed := protocol.DueOf(&d.s, ask)
			return fmt.Sprintf("answer %v look at %v\n", owed.Answer, owed.Classify)
		}
	}
	return "not asked\n"
}

// cameToNothing reports whether a session ends without a result.
func cameToNothing(s *state.State, rulings []state.Ruling) bool {
	if s.Settings.Format == state.FormatHearing {
		return hearing.Undecided(rulings)
	}
	return resolver.Inconclusive(rulings)
}
