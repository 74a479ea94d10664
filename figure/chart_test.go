package figure

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

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
			if _, err := wellFormed(c.SVG(SVGStyle{Dark: rapid.Bool().Draw(rt, "dark")})); err != nil {
				rt.Fatalf("%s: %v", name, err)
			}
		}
	})
}

func TestChartsFitEverySmallSize(t *testing.T) {
	for name, c := range charts(demo(t)) {
		for width := range 60 {
			for height := range 20 {
				if err := exact(c.Draw(width, height, width%2 == 0, nil), width, height, nil); err != nil {
					t.Fatalf("%s at %d by %d: %v", name, width, height, err)
				}
			}
		}
	}
}

func TestEmptyChartsSaySo(t *testing.T) {
	r := &recorder{t: t}
	r.add(&state.SessionOpened{Version: state.Version, ID: "x", Question: "?"})
	for name, c := range charts(r) {
		drawing := text(c.Draw(80, 10, false, nil))
		if c.Empty() == "" || !strings.Contains(drawing, c.Empty()) || !strings.Contains(c.SVG(SVGStyle{}), c.Empty()) {
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

func TestConfidenceOfAMergedPointIsThatOfItsTarget(t *testing.T) {
	r := demo(t)
	if merged, live := Confidence(&r.state, "P7"), Confidence(&r.state, "P1"); text(merged.Draw(80, 24, false, nil)) != text(live.Draw(80, 24, false, nil)) {
		t.Error("P7 was merged into P1, and shows something else")
	}
}

func TestManyPointsBecomeLines(t *testing.T) {
	r, _ := big(t, 300, 0, 0)
	for i := range 300 {
		r.sure(state.Consultee, fmt.Sprint("P", i+1), 0.5, 0.5)
	}
	drawing := text(Confidence(&r.state, "").Draw(80, 24, false, nil))
	if !strings.Contains(drawing, "P1 consultee") || !strings.Contains(drawing, "278 more lines") {
		t.Errorf("what has no room is not counted:\n%s", drawing)
	}
}
