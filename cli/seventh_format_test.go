package cli_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/move"
	"moot/state"
	"moot/view"
)

// estimate is a seventh format, which is no debate: each seat gives a range and a reason without seeing the other's, and
// code gives the median and says who differs.
type estimate struct{ protocol.Base }

// estimated is the estimate of one seat, which is an event too.
type estimated struct {
	By     state.Seat `json:"by"`
	Low    float64    `json:"low"`
	High   float64    `json:"high"`
	Reason string     `json:"reason"`
}

// estimates is the format's own part of a state.
type estimates struct{ list []estimated }

func (e *estimated) Fold(s *state.State) error {
	return state.ChangeOwn(s, func(own *estimates) { own.list = append(slices.Clip(own.list), *e) })
}

// guess is the only move.
type guess struct {
	Low    *float64 `json:"low" jsonschema:"the least that is likely"`
	High   *float64 `json:"high" jsonschema:"the most that is likely"`
	Reason string   `json:"reason" jsonschema:"what it rests on"`
}

func estimators() []state.Seat { return []state.Seat{"first", "second"} }

func (estimate) Name() state.Format { return "estimate" }

func (estimate) Own() state.Own {
	return state.Own{State: &estimates{}, Kinds: []func() state.Payload{state.Create[estimated]}}
}

func (estimate) Settings() protocol.Settings {
	return protocol.Settings{
		About: "two seats estimate a number on their own",
		Fields: []view.Field{
			protocol.SeatField("first", "First", "estimates", view.FirstFound, ""),
			protocol.SeatField("second", "Second", "estimates", view.SecondFound, ""),
		},
		Open: func(view.Values, protocol.Files, *state.Settings) (opening protocol.Opening, err error) {
			return opening, nil
		},
	}
}

func (estimate) Moves() protocol.Moves {
	return protocol.Moves{Seats: []move.Row{{
		Move: (*guess)(nil), Doc: "gives a range and its reason", Plain: true,
		Lines: []move.LineForm{{Words: "GUESS", Text: "reason"}},
	}}}
}

// Next asks both seats at once, and ends.
func (estimate) Next(s *state.State) protocol.Turn {
	turn, _ := protocol.FirstDue(s, protocol.OpenSession, protocol.EndOnFailures,
		func(s *state.State) (protocol.Turn, bool) { return protocol.Close(s) },
		func(s *state.State) (protocol.Turn, bool) {
			return protocol.AskOnce(s, state.StagePropose, estimators(), "GUESS")
		},
		func(*state.State) (protocol.Turn, bool) {
			return protocol.Emit(&state.ExitReached{Exit: state.ExitConverged, Reason: "both have estimated"})
		})
	return turn
}

func (estimate) Admit(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	d := &protocol.Draft{State: s}
	for i, m := range moves {
		d.Try(i+1, func() error {
			g := m.(*guess)
			if g.Low == nil || g.High == nil || *g.Low > *g.High {
				return protocol.Refuse("range", "a range needs low and high")
			}
			return d.Add(&estimated{ask.Seat, *g.Low, *g.High, g.Reason})
		})
	}
	return protocol.Admission{Events: d.Events, Refused: d.Refused}
}

func (estimate) Prompt(s *state.State, ask protocol.Ask) protocol.Prompt {
	b := &protocol.PromptBuilder{State: s, Ask: ask}
	b.Begin("You estimate a number.", "")
	b.Anchor()
	b.Facts()
	b.Line("Give the range that you believe in.")
	return b.Within()
}

func (estimate) View() view.Format { return estimateView{} }

type estimateView struct{ view.Base }

// Decision is the median of the middles, with the seats whose range does not hold it.
func (estimateView) Decision(s *state.State) string {
	list := slices.Clone(state.OwnOf[estimates](s).list)
	if len(list) == 0 {
		return "Nobody gave an estimate."
	}
	var middles []float64
	for _, e := range list {
		middles = append(middles, (e.Low+e.High)/2)
	}
	slices.Sort(middles)
	median := (middles[(len(middles)-1)/2] + middles[len(middles)/2]) / 2
	var differ []string
	for _, e := range list {
		if median < e.Low || median > e.High {
			differ = append(differ, string(e.By))
		}
	}
	return fmt.Sprintf("The median is %g; outside of their range: %s.", median, cmp.Or(strings.Join(differ, ", "), "nobody"))
}

func (v estimateView) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	v.Base.Fill(d, s, rulings)
	section := view.Section{Title: "ESTIMATES"}
	for _, e := range state.OwnOf[estimates](s).list {
		section.Items = append(section.Items, view.Item{ID: string(e.By), Text: fmt.Sprintf("%g to %g: %s", e.Low, e.High, e.Reason)})
	}
	d.Add(section)
}

func (estimateView) Event(_, _ *state.State, data state.Payload) ([]view.Line, bool) {
	if e, ok := data.(*estimated); ok {
		return view.One(view.Say("estimate", "", fmt.Sprintf("%g to %g: %s", e.Low, e.High, e.Reason), view.RolePoint).By(e.By)), true
	}
	return nil, false
}

// estimator returns a file with the reply of a seat.
func estimator(t *testing.T, dir, seat, low, high, reason string) string {
	t.Helper()
	path := filepath.Join(dir, seat+".txt")
	text := fmt.Sprintf("--- propose\n{\"moves\":[{\"move\":\"GUESS\",\"low\":%s,\"high\":%s,\"reason\":%q}]}\n", low, high, reason)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "script:" + path
}

// TestSeventhFormat takes a session without any claim through every command.
func TestSeventhFormat(t *testing.T) {
	d := newDesk(t)
	d.Formats = append(formats.All(), estimate{})
	dir := t.TempDir()
	first, second := estimator(t, dir, "first", "0.2", "0.4", "as last year"), estimator(t, dir, "second", "0.6", "0.8", "it grew")
	run := func(says string, args ...string) string {
		t.Helper()
		d.out.Reset()
		d.err.Reset()
		code, said := d.run(args...), d.out.String()+d.err.String()
		if code != int(protocol.ExitConcluded) || !strings.Contains(said, says) {
			t.Errorf("moot %s: exit %d, want 0 and %q\n%s", strings.Join(args, " "), code, says, said)
		}
		return said
	}
	const result = "The median is 0.5; outside of their range: first, second."
	said := run(result, "ask", "--headless", "--format", "estimate", "--no-workspace", "--first", first, "--second", second, "Which share fails?")
	for _, claims := range []string{"point", "claim", "Agreed", "AGREED"} {
		if strings.Contains(said, claims) {
			t.Errorf("the result of an estimate mentions %q:\n%s", claims, said)
		}
	}
	_, id, _ := strings.Cut(said, "saved      ")
	id, _, _ = strings.Cut(id, ",")
	run(id, "fork", id, "--at", "4")
	fork := strings.TrimSpace(d.out.String())
	run(result, "resume", fork, "--headless", "--first", first, "--second", second)
	for _, c := range []struct{ command, want string }{
		{"verify ID", "recomputes"},
		{"show ID", result},
		{"show ID -o json", `"format": "estimate"`},
		{"export ID --as markdown", "## ESTIMATES (2)"},
		{"export ID --as json --events", `\"low\":0.2`},
		{"list", "Which share fails?"},
		{"search it grew", "estimate  "},
		{"replay ID", "0.6 to 0.8: it grew"},
	} {
		run(c.want, strings.Fields(strings.ReplaceAll(c.command, "ID", id))...)
	}
}
