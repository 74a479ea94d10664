package reply_test

import (
	"fmt"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/move"
	"moot/protocol/reply"
	"moot/state"
)

// A reply in lines lists the moves over a limit as left out, like one in JSON.
func TestTheLineFormSaysWhatIsOverALimit(t *testing.T) {
	t.Parallel()
	parser, err := reply.NewParser(formats.All())
	if err != nil {
		t.Fatal(err)
	}
	ids := func(letter string, count int) string {
		var all []string
		for i := range count {
			all = append(all, fmt.Sprintf("%s%d", letter, i+1))
		}
		return strings.Join(all, ", ")
	}
	var places strings.Builder
	for i := range move.MaxItems + 7 {
		fmt.Fprintf(&places, " queue/f%d.go:%d", i, i+1)
	}
	for _, c := range []struct {
		name, lines, json string
		moves             []move.Kind
		want              string
	}{
		{
			"citations", "RAISE: The queue keeps each job |" + places.String(),
			`{"moves":[{"move":"RAISE","text":"The queue keeps each job","citations":[` +
				strings.TrimSuffix(strings.Repeat(`{"reference":"a.go:1"},`, move.MaxItems+7), ",") + `]}]}`,
			[]move.Kind{move.KindRaise},
			"the first 200 were read, and 7 more were not",
		},
		{
			"moves of one line", "AGREE " + ids("P", reply.MaxMoves+3) + ": all of it is so",
			`{"moves":[` + strings.TrimSuffix(strings.Repeat(`{"move":"CLASSIFY","point":"P1","class":"AGREE"},`, reply.MaxMoves+3), ",") + `]}`,
			[]move.Kind{move.KindClassify},
			fmt.Sprintf("only the first %d moves of a reply are read", reply.MaxMoves),
		},
	} {
		for form, text := range map[string]string{"lines": c.lines, "JSON": c.json} {
			parsed, failed := parser.Parse(text, protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose, Moves: c.moves})
			if failed != nil {
				t.Fatalf("%s, %s: %s", c.name, form, failed.Reason)
			}
			said := ""
			for _, r := range parsed.Refused {
				said += r.Text + "\n"
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("%s, %s: %d moves, and refused is %q", c.name, form, len(parsed.Moves), said)
			}
		}
	}
}
