package run

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"moot/constitution"
	"moot/protocol"
	"moot/protocol/council"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// TestCouncil runs the files of testdata/council in the syntax of
// testdata/scenarios. A session opens with
//
//	open [rounds=N] [parallel] [expert] [without=SEAT] [attended] [workspace] [constitution] [deny=PHRASE]
//
// where constitution selects the built-in constitution and deny adds a forbidden phrase. The
// default is no constitution. Additional commands:
//
//	validate [POINT]  the confidences in the claims, and what CV1 to CV4 find of them
//	consensus         the tests for consensus, with what the moderator said
//	breaches          the violations of the constitution on the record
//	due SEAT          what the asked seat must respond to, by id
//
// The test also checks that the stored events replay to the same state, that it
// resumes with the same turn after any event, that the record recomputes, and that no violation
// was returned twice.
func TestCouncil(t *testing.T) {
	datadriven.Walk(t, "testdata/council", func(t *testing.T, path string) {
		var d *desk
		datadriven.RunTest(t, path, func(t *testing.T, c *datadriven.TestData) string {
			switch c.Cmd {
			case "open":
				d = openCouncil(t, c)
			case "validate":
				return d.validations(c.CmdArgs)
			case "consensus":
				return d.tested()
			case "breaches":
				return breachesOf(&d.s)
			case "due":
				return d.due(state.Seat(c.CmdArgs[0].Key))
			}
			out := d.command(t, c)
			d.alike(t)
			if d.s.Closed || d.s.Paused != state.PauseNone {
				resumesAnywhere(t, d)
				if _, err := resolver.Verify(d.replay); err != nil {
					t.Fatal(err)
				}
			}
			return out
		})
	})
}

// asksCouncil opens a council whose seats are all filled, but the expert's, and
// that nothing binds.
func asksCouncil(change ...func(*state.SessionOpened)) *state.SessionOpened {
	o := opened()
	o.Settings.Format, o.Settings.Framing, o.Settings.Mode = state.FormatCouncil, "", ""
	o.Rules = formats.ByName(o.Settings.Format)
	o.Settings.Council = &state.CouncilSettings{
		Rounds: state.DefaultCouncilRounds, Weights: state.DefaultWeights(), Decision: state.DefaultDecision,
		Constitution: state.Constitution{Name: "none", Constraints: []state.Constraint{}},
	}
	o.Seats = nil
	for _, seat := range state.CouncilSeats() {
		if seat != state.Expert {
			o.Seats = append(o.Seats, state.SeatAssignment{Seat: seat, Participant: "script"})
		}
	}
	for _, f := range change {
		f(o)
	}
	return o
}

func openCouncil(t *testing.T, c *datadriven.TestData) *desk {
	t.Helper()
	o := asksCouncil()
	o.Question = strings.TrimSpace(c.Input)
	for _, arg := range c.CmdArgs {
		switch arg.Key {
		case "rounds":
			c.ScanArgs(t, "rounds", &o.Settings.Council.Rounds)
		case "parallel":
			o.Settings.Council.Parallel = true
		case "expert":
			o.Seats = append(o.Seats, state.SeatAssignment{Seat: state.Expert, Participant: "script"})
		case "without":
			o.Seats = slices.DeleteFunc(o.Seats,
				func(a state.SeatAssignment) bool { return string(a.Seat) == arg.Vals[0] })
		case "attended":
			o.Settings.Attended = true
		case "workspace":
			o.Settings.Workspace = "/work"
		case "constitution":
			book, err := constitution.Default()
			if err != nil {
				t.Fatal(err)
			}
			o.Settings.Council.Constitution = book
		case "deny":
			o.Settings.Council.Constitution.Constraints = append(o.Settings.Council.Constitution.Constraints,
				state.Constraint{
					ID: "H1", Seat: state.Strategist, Text: "Recommend no such thing.", Check: state.CheckNoHarm,
					Deny: []string{strings.Join(arg.Vals, " ")},
				})
		default:
			t.Fatalf("%s: open does not know %q", c.Pos, arg.Key)
		}
	}
	d := newDesk(t, o)
	d.format = council.Format{}
	d.sent = func(ask protocol.Ask) {
		p := d.format.Prompt(d.s, ask)
		d.append(&state.PromptSent{
			Seat: ask.Seat, Stage: ask.Stage, System: p.System, Text: p.Text,
			Omitted: []string{},
		})
	}
	return d
}

// validations are the confidences in the named claims, or in all of them, and what
// the rules find of each.
func (d *desk) validations(named []datadriven.CmdArg) string {
	out := ""
	for _, p := range d.s.Points.All() {
		if len(named) > 0 && named[0].Key != p.ID {
			continue
		}
		v := council.Validate(&d.s, p)
		out += p.ID + ":"
		for _, score := range v.Scores {
			out += fmt.Sprintf(" %s %.2f", score.Seat, score.Admitted)
		}
		if v.Aggregate != nil {
			out += fmt.Sprintf(" aggregate %.3f", *v.Aggregate)
		}
		out += fmt.Sprintf(" spread %.2f confidence %.3f missing %v\n", v.Spread, v.Confidence, v.Missing)
		for _, r := range v.Rules {
			held := "holds"
			if !r.Passed {
				held = "fails"
			}
			out += fmt.Sprintf("  %s %s: %s\n", r.Rule, held, r.Says)
			for _, required := range r.Requires {
				out += "    requires " + required + "\n"
			}
		}
	}
	return out
}

func (d *desk) tested() string {
	out := ""
	for _, c := range d.s.Council.Tested {
		out += fmt.Sprintf("round %d: reached=%v reported=%q unsettled %v contradicted=%v\n", c.Round, c.Reached,
			c.Reported, c.Unsettled, c.Contradicted())
	}
	return out
}

func breachesOf(s *state.State) string {
	out := ""
	for _, b := range s.Council.Breaches {
		about := b.Point
		if b.Challenge != "" {
			about = b.Challenge + " on " + b.Point
		}
		mended := "stands"
		if !council.Breaks(s, s.Point(b.Point), &b) {
			mended = "mended"
		}
		out += fmt.Sprintf("%s of the %s, %s, round %d, %s: %s\n", b.Constraint, b.Seat, about, b.Round, mended, b.Text)
	}
	return out
}

// due lists the ids that the asked seat must respond to.
func (d *desk) due(seat state.Seat) string {
	for _, ask := range d.asks {
		if ask.Seat != seat {
			continue
		}
		owed := protocol.DueOf(&d.s, ask)
		out := fmt.Sprintf("answer %v judge %v score %v\n", owed.Answer, owed.Judge, owed.Score)
		for _, r := range owed.Requests {
			out += fmt.Sprintf("request %s on %s: %s\n", r.Kind, r.Point, r.Text)
		}
		for _, b := range owed.Mend {
			out += fmt.Sprintf("mend %s on %s %s\n", b.Constraint, b.Point, b.Challenge)
		}
		return out
	}
	return "not asked\n"
}
