package run

import (
	"context"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/state"
)

// ambiguous is a researcher for which a name alone fits two files.
type ambiguous struct{}

func (ambiguous) Check(_ context.Context, reference, quote string) ledger.Finding {
	if strings.HasPrefix(reference, "same.go") {
		return ledger.Finding{Reason: "unclear: several files fit", Candidates: []string{"a/same.go", "b/same.go"}}
	}
	return finding(&ledger.Evidence{Reference: reference, Excerpt: quote})
}

// A name that fits several files means the one that the seat cited before, and another seat's citation decides nothing.
func TestTheFileThatTheSeatCitedBefore(t *testing.T) {
	for name, c := range map[string]struct {
		earlier []string
		by      string
		want    string
	}{
		"one":               {[]string{"a/same.go:1"}, "consultee", "a/same.go:3"},
		"both":              {[]string{"a/same.go:1", "b/same.go:2"}, "consultee", ""},
		"none":              {[]string{"other.go:1"}, "consultee", ""},
		"by another seat":   {[]string{"a/same.go:1"}, "orchestrator", ""},
		"among other files": {[]string{"other.go:1", "b/same.go:2", "b/same.go:9"}, "consultee", "b/same.go:3"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &state.State{}
			for i, reference := range append(c.earlier, "same.go:3") {
				item := &ledger.Evidence{ID: state.NextID('E', i), Reference: reference, OfferedBy: c.by}
				if i == len(c.earlier) {
					item.OfferedBy = "consultee"
				}
				s.Evidence = s.Evidence.Append(item)
			}
			item := s.Item(state.NextID('E', len(c.earlier)))
			first := ambiguous{}.Check(t.Context(), item.Reference, "")
			again := clearer(item, first.Candidates, citedBefore(s, item))
			if got := again; (got != nil) != (c.want != "") || got != nil && got.Reference != c.want {
				t.Errorf("%+v, want %q", got, c.want)
			}
		})
	}
}

// The result says how many findings were not taken, and what was not read as one.
func TestFindingsThatWereNotTaken(t *testing.T) {
	var reply strings.Builder
	reply.WriteString("# Tests to add\n- one that fails\n\n# Findings\n")
	for i := range protocol.MaxRaised + 5 {
		reply.WriteString("- finding " + strings.Repeat("x", i+1) + " is one of its own\n")
	}
	d := newDesk(t, &state.SessionOpened{
		Rules: formats.ByName(consult.Name), Version: state.Version, ID: "s", Question: "What is wrong?",
		Settings: state.Settings{
			Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "5eed",
			Input: state.Input{Options: []string{}, Views: []state.View{}},
		},
		Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Consultee}},
	})
	d.run()
	d.reply(state.Consultee, reply.String())
	got := strings.Join(d.s.Warnings, "\n")
	for _, want := range []string{
		"5 findings of the reply in round 1 were not taken: a reply raises at most 20 points", `1 item under "Tests to add"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the warnings are %q, want %q", got, want)
		}
	}
}
