package run

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/state"
)

// TestPanel runs the files of testdata/panel in the syntax of
// testdata/scenarios. A session opens with
//
//	open [panelists=N] [attended] [strategy=…] [then] [workspace]
//
// with the additional commands
//
//	gone SEAT         the seat cannot be reached; the reason is the input
//	tokens SEAT=N …   what the seats processed
//	argued            from here on all seats stay silent
//
// The test also checks that the first pass was blind, that the stored events replay to the same
// state, and that the session resumes with the same turn after any event.
func TestPanel(t *testing.T) {
	datadriven.Walk(t, "testdata/panel", func(t *testing.T, path string) {
		var d *desk
		var prompts *[]sentPrompt
		datadriven.RunTest(t, path, func(t *testing.T, c *datadriven.TestData) string {
			switch c.Cmd {
			case "open":
				d, prompts = openPanel(t, c)
			case "gone":
				d.trace.Reset()
				d.gone(state.Seat(c.CmdArgs[0].Key), strings.TrimSpace(c.Input))
				return d.trace.String()
			case "tokens":
				for _, arg := range c.CmdArgs {
					n := 0
					c.ScanArgs(t, arg.Key, &n)
					d.append(&state.UsageCounted{
						Seat: state.Seat(arg.Key), Calls: 1, CompletionTokens: n,
						Notes: []string{},
					})
				}
				return ""
			}
			out := d.command(t, c)
			d.alike(t)
			blind(t, d, *prompts)
			if d.s.Closed || d.s.Paused != state.PauseNone {
				resumesAnywhere(t, d)
			}
			return out
		})
	})
}

// sentPrompt is a prompt as it went out.
type sentPrompt struct {
	ask protocol.Ask
	protocol.Prompt
}

// atTable is a desk of the format panel, which keeps the prompts.
func atTable(t testing.TB, opened *state.SessionOpened) (*desk, *[]sentPrompt) {
	d, prompts := newDesk(t, opened), &[]sentPrompt{}
	d.format = panel.Format{}
	d.sent = func(ask protocol.Ask) {
		p := d.format.Prompt(d.s, ask)
		*prompts = append(*prompts, sentPrompt{ask, p})
		d.append(&state.PromptSent{
			Seat: ask.Seat, Stage: ask.Stage, System: p.System, Text: p.Text,
			Omitted: []string{},
		})
	}
	return d, prompts
}

func openPanel(t *testing.T, c *datadriven.TestData) (*desk, *[]sentPrompt) {
	t.Helper()
	panelists := 2
	var change []func(*state.SessionOpened)
	for _, arg := range c.CmdArgs {
		switch arg.Key {
		case "panelists":
			c.ScanArgs(t, "panelists", &panelists)
		case "attended":
			change = append(change, func(o *state.SessionOpened) { o.Settings.Attended = true })
		case "strategy":
			change = append(change, func(o *state.SessionOpened) { o.Settings.Panel.Strategy = arg.Vals[0] })
		case "then":
			change = append(change, func(o *state.SessionOpened) { o.Settings.Panel.Then = state.ThenConsult })
		case "workspace":
			change = append(change, func(o *state.SessionOpened) { o.Settings.Workspace = "/work" })
		default:
			t.Fatalf("%s: open does not know %q", c.Pos, arg.Key)
		}
	}
	o := asksSeveral(panelists)
	o.Question = strings.TrimSpace(c.Input)
	for _, f := range change {
		f(o)
	}
	return atTable(t, o)
}

// gone is that a seat cannot be reached: as the loop records it.
func (d *desk) gone(seat state.Seat, reason string) {
	d.t.Helper()
	at := slices.IndexFunc(d.asks, func(a protocol.Ask) bool { return a.Seat == seat })
	if at < 0 {
		d.t.Fatalf("%s was not asked", seat)
	}
	d.append(&state.SeatMissed{Seat: seat, Stage: d.asks[at].Stage, Reason: reason})
	d.run()
}

// blind checks that prompts contain no other panelist's reply until all have answered, and that comparing and
// voting seats do not see who wrote what.
func blind(t testing.TB, d *desk, prompts []sentPrompt) {
	t.Helper()
	for _, p := range prompts {
		for _, point := range d.s.Points.All() {
			if p.ask.Stage == state.StagePropose && point.Round == 1 && !point.IsAuthor(p.ask.Seat) &&
				strings.Contains(p.Text, point.Text) {
				t.Fatalf("%s is shown %s before it answered:\n%s", p.ask.Seat, point.ID, p.Text)
			}
		}
		if p.ask.Stage != state.StageTriage && p.ask.Stage != state.StageVote {
			continue
		}
		for _, a := range d.s.Seats {
			if a.Seat.IsPanelist() && a.Seat != p.ask.Seat && strings.Contains(p.Text, string(a.Seat)+" ") {
				t.Fatalf("%s reads of %s when it is to %s:\n%s", p.ask.Seat, a.Seat, p.ask.Stage, p.Text)
			}
		}
	}
}

// resumesAnywhere checks that a session cut off after any event resumes with the same turn.
func resumesAnywhere(t testing.TB, d *desk) {
	t.Helper()
	var live, stored state.State
	decoder := state.NewDecoder(formats.Rules()...)
	for _, e := range d.replay {
		data, err := json.Marshal(e.Data)
		if err != nil {
			t.Fatal(err)
		}
		again := e
		if again.Data, err = decoder.Decode(e.Data.Kind(), data); err != nil {
			t.Fatal(err)
		}
		if live, err = state.Apply(live, e); err != nil {
			t.Fatal(err)
		}
		if stored, err = state.Apply(stored, again); err != nil {
			t.Fatal(err)
		}
		here, there := d.format.Next(live), d.format.Next(stored)
		if !reflect.DeepEqual(here, there) {
			t.Fatalf("after event %d, %s:\n%+v\nand replayed:\n%+v", e.Seq, e.Data.Kind(), here, there)
		}
		if empty(here) && !live.Closed && live.Paused == state.PauseNone {
			t.Fatalf("after event %d, %s, nobody knows what is next", e.Seq, e.Data.Kind())
		}
	}
}

func empty(turn protocol.Turn) bool { return reflect.DeepEqual(turn, protocol.Turn{}) }

// conflicts tells each conflict and what the strategy made of it.
func (d *desk) conflicts() string {
	out := ""
	t := panel.NewTable(&d.s)
	for _, c := range d.s.Panel.Conflicts.All() {
		out += fmt.Sprintf("%s %s of %s and %s", c.ID, c.Kind, c.A, c.B)
		switch {
		case c.Dropped:
			out += ", dropped: " + c.DroppedReason
		case !slices.Contains(t.Conflicts(), c):
			out += ", none any more"
		case t.Ended(c):
			out += ", ended"
		}
		if c.Argued {
			out += fmt.Sprintf(", argued (%s)", c.ArguedBy)
		}
		out += "\n"
		if s := c.Settlement; s != nil {
			out += fmt.Sprintf("  %s %s: winner %q, %.2f, settled=%v: %s\n", s.Method, s.Measure, s.Winner,
				s.Confidence, s.Settled, s.Reasoning)
			for _, p := range s.Positions {
				out += fmt.Sprintf("  %s holds %s, answered=%v\n", p.Seat, p.Point, p.Answered)
			}
		}
	}
	return out
}
