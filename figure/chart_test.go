package figure

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

func TestEveryChartIsExactAtAnySize(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r, _ := session(rt, t, hostile())
		measure := named(rt, measures())
		width, height := rapid.IntRange(-1, 210).Draw(rt, "width"), rapid.IntRange(-1, 70).Draw(rt, "height")
		for name, c := range map[string]*Chart{
			"confidence": Confidence(&r.state, ""), "of one point": Confidence(&r.state, "P1"),
		} {
			if err := exact(c.Draw(width, height, rapid.Bool().Draw(rt, "ascii"), measure), width, height, measure); err != nil {
				rt.Fatalf("%s: %v", name, err)
			}
		}
	})
}

func TestEmptyChartsSaySo(t *testing.T) {
	r := &recorder{t: t}
	r.add(&state.SessionOpened{Rules: formats.ByName(state.FormatConsult), Version: state.Version, ID: "x", Question: "?", Settings: state.Settings{Format: state.FormatConsult}})
	for name, c := range map[string]*Chart{"all": Confidence(&r.state, ""), "one": Confidence(&r.state, "P2")} {
		drawing := text(c.Draw(80, 10, false, nil))
		if c.Empty() == "" || !strings.Contains(drawing, c.Empty()) {
			t.Errorf("%s says %q and draws\n%s", name, c.Empty(), drawing)
		}
	}
}

func TestConfidenceMarksRetreatAndRigidity(t *testing.T) {
	r := demo(t)
	retreats, rigid := 0, 0
	for _, seat := range r.state.Seats {
		found := resolver.Calibrate(&r.state, seat.Seat)
		for _, shift := range found.Shifts {
			if shift.Uncaused() > 0 {
				retreats++
			}
		}
		for _, counter := range found.Counter {
			if !counter.Moved {
				rigid++
			}
		}
	}
	if retreats == 0 || rigid == 0 {
		t.Fatal("the demo holds no retreat or no rigid seat")
	}
	for _, ascii := range []bool{false, true} {
		drawing := text(Confidence(&r.state, "").Draw(120, 60, ascii, nil))
		if n := strings.Count(drawing, "retreat: "); n != retreats {
			t.Errorf("%d retreats are named, not %d", n, retreats)
		}
		if n := strings.Count(drawing, "rigid: "); n != rigid {
			t.Errorf("%d rigid seats are named, not %d", n, rigid)
		}
	}
}
