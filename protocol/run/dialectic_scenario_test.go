package run

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// TestDialectic runs the files of testdata/dialectic in the syntax of
// testdata/scenarios. A session opens with
//
//	open [attended] [rounds=N] [fresh=(KIND,AGE)]
//
// and a small playbook. The output of a resolution is the decision, all receipts except PASS,
// and the warnings.
func TestDialectic(t *testing.T) {
	datadriven.Walk(t, "testdata/dialectic", func(t *testing.T, path string) {
		var d *desk
		datadriven.RunTest(t, path, func(t *testing.T, c *datadriven.TestData) string {
			if c.Cmd == "open" {
				d = openPressed(t, c)
			}
			out := d.command(t, c)
			d.alike(t)
			return out
		})
	})
}

func playbook(config string) *state.Playbook {
	return &state.Playbook{
		Name: "small", Config: json.RawMessage(config),
		Flags: []state.RedFlag{
			{
				ID: "no-rollback", Title: "no way back", Look: "a change that cannot be undone", Category: "Safety",
				Severity:  "BLOCKING",
				Predicate: "the change can be undone", Clears: "a tested way back",
			},
			{
				ID: "untested", Title: "not tested", Look: "what no test covers", Category: "Factual", Severity: "HIGH",
				Predicate: "a test covers the change", Clears: "the test",
			},
			{
				ID: "undocumented", Title: "not documented", Look: "what users must know", Category: "Categorical",
				Severity:  "MEDIUM",
				Predicate: "the change is documented", Clears: "the passage",
			},
		},
	}
}

func openPressed(t *testing.T, c *datadriven.TestData) *desk {
	t.Helper()
	var config []string
	opened := pressed(strings.TrimSpace(c.Input))
	for _, arg := range c.CmdArgs {
		switch arg.Key {
		case "attended":
			opened.Settings.Attended = true
		case "rounds":
			config = append(config, `"maxRounds":`+arg.Vals[0])
		case "fresh":
			config = append(config, `"freshness":{"`+arg.Vals[0]+`":"`+arg.Vals[1]+`"}`)
		default:
			t.Fatalf("%s: open does not know %q", c.Pos, arg.Key)
		}
	}
	opened.Settings.Playbook = playbook("{" + strings.Join(config, ",") + "}")
	d := newDesk(t, opened)
	d.format = dialectic.Format{}
	return d
}

func pressed(question string) *state.SessionOpened {
	return &state.SessionOpened{
		Rules:   formats.ByName(state.FormatDialectic),
		Version: state.Version, ID: "s", Question: question,
		Settings: state.Settings{
			Format: state.FormatDialectic, Nonce: "5eed", Workspace: "w",
			Input:    state.Input{Options: []string{}, Views: []state.View{}},
			Playbook: playbook("{}"),
		},
		Seats: []state.SeatAssignment{{Seat: state.Proposer}, {Seat: state.PressureTester}},
	}
}

// resolved tells a resolution without what merely passed.
func (d *desk) resolved(p *state.RoundResolved) {
	var result gates.Result
	if err := json.Unmarshal(p.Result, &result); err != nil {
		d.t.Fatal(err)
	}
	if _, err := gates.Replay(result.Receipts); err != nil {
		d.t.Fatal(err)
	}
	d.say("resolved round %d: %s", p.Round, p.Decision)
	for _, r := range result.Receipts {
		if r.Outcome != "PASS" {
			d.say("  %s %s %s: %s", r.Rule, r.Subject, r.Outcome, r.Reason)
		}
	}
	for _, w := range result.Artifact.Validation.Warnings {
		d.say("  warning: %s", w)
	}
}

// alike checks that what was stored and read again gives the same session.
func (d *desk) alike(t *testing.T) {
	t.Helper()
	var again state.State
	decoder := state.NewDecoder(formats.Rules()...)
	for _, e := range d.replay {
		data, err := json.Marshal(e.Data)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := decoder.Decode(e.Data.Kind(), data)
		if err != nil {
			t.Fatal(err)
		}
		e.Data = payload
		if again, err = state.Apply(again, e); err != nil {
			t.Fatal(err)
		}
	}
	if here, there := protocolRulings(d.s), protocolRulings(again); here != there {
		t.Fatalf("replayed, the rulings differ:\n%s\n%s", here, there)
	}
}

func protocolRulings(s state.State) string {
	out := ""
	rulings := resolver.Rule(s)
	for i := range rulings {
		out += rulingLine(&rulings[i]) + "\n"
	}
	return out
}
