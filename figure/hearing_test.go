package figure

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/view"
)

// The map says what a claim rests on, what is cited against it, and whether that was
// answered; many facts are counted.
func TestTheMapOfAHearing(t *testing.T) {
	r := protocoltest.HearingOfTwo(t, "Was it a threat?")
	w := &writer{
		Ruler: Ruler{Method: ansi.GraphemeWidth}, s: r.State, rulings: resolver.Rule(r.State),
		shown: view.FormatOf(r.State).Map(r.State),
	}
	if got := strings.Join(w.point(r.State.Point("P2")).also, "; "); got != "rests on f1, f2, f3, f4, f5, f6 and 1 more" {
		t.Errorf("P2 says %q", got)
	}
	for id, want := range map[string]string{
		"C1": "C1 contradiction · ! ignored by the architect; cites f4", "C2": "C2 contradiction · ✓ answered; cites f5; C2.1 answer; cites f6",
	} {
		b := w.challenge(r.State.Challenge(id))
		said := []string{text([]Row{b.title}), strings.Join(b.also, "; ")}
		for _, answer := range b.children {
			said = append(said, text([]Row{answer.title}), strings.Join(answer.also, "; "))
		}
		if got := strings.Join(said, "; "); got != want {
			t.Errorf("%s says %q, want %q", id, got, want)
		}
	}
}
