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
			if _, err := wellFormed(c.SVG(SVGStyle{Dark: rapid.Bool().Draw(rt, "dark")})); err != nil {
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

// tenths are ten bins with the given numbers of verdicts; the share of right ones is the
// confidence, less some.
func tenths(less float64, counts ...int) []Bin {
	bins := make([]Bin, 10)
	for i, n := range counts {
		sure := (float64(i) + 0.5) / 10
		bins[i] = Bin{sure, max(0, sure-less), n}
	}
	return bins
}

// lab returns the pictures of a lab's results.
func lab() map[string]*Chart {
	falling := []Stand{{0.91, 1000}, {0.62, 1000}, {0.33, 480}}
	level := []Stand{{0.75, 1000}, {0.75, 1000}, {0.76, 480}}
	return map[string]*Chart{
		"calibration": Calibration("calibration", "simulated", []Reliability{
			{"single", tenths(0, 0, 0, 0, 0, 0, 0, 120, 3400, 12_000, 250_000), 0.02},
			{"multi", tenths(0.3, 0, 0, 0, 1, 20, 300, 4000, 50_000, 1_500_000, 2_000_000_000), 0.3},
		}),
		"traces": Traces("traces", "measured", []Trace{
			{"single", falling[:1], level[:1]}, {"multi", falling, level}, {"anchored", level, level},
		}),
	}
}

func TestEveryLabChartIsExactAtAnySize(t *testing.T) {
	texts := hostile()
	rapid.Check(t, func(rt *rapid.T) {
		share := func(label string) float64 { return rapid.Float64Range(0, 1).Draw(rt, label) }
		var modes []Reliability
		var traces []Trace
		for range rapid.IntRange(0, 5).Draw(rt, "modes") {
			name := rapid.SampledFrom(texts).Draw(rt, "name")
			bins := make([]Bin, rapid.IntRange(0, 10).Draw(rt, "bins"))
			for i := range bins {
				bins[i] = Bin{share("confidence"), share("right"), rapid.IntRange(-1, 2_000_000_000).Draw(rt, "count")}
			}
			stands := make([]Stand, rapid.IntRange(0, 8).Draw(rt, "rounds"))
			for i := range stands {
				stands[i] = Stand{share("mean"), rapid.IntRange(0, 3).Draw(rt, "n")}
			}
			modes, traces = append(modes, Reliability{name, bins, share("error")}), append(traces, Trace{name, stands, stands[:len(stands)/2]})
		}
		measure := named(rt, measures())
		width, height := rapid.IntRange(-1, 210).Draw(rt, "width"), rapid.IntRange(-1, 70).Draw(rt, "height")
		for what, c := range map[string]*Chart{"calibration": Calibration("a", texts[0], modes), "traces": Traces("b", texts[6], traces)} {
			if err := exact(c.Draw(width, height, rapid.Bool().Draw(rt, "ascii"), measure), width, height, measure); err != nil {
				rt.Fatalf("%s: %v", what, err)
			}
			if _, err := wellFormed(c.SVG(SVGStyle{})); err != nil {
				rt.Fatalf("%s: %v", what, err)
			}
		}
	})
}

func TestEmptyLabChartsSaySo(t *testing.T) {
	for _, c := range []*Chart{
		Calibration("a", "simulated", nil), Calibration("a", "simulated", []Reliability{{Name: "single", Bins: make([]Bin, 10)}}),
		Traces("a", "simulated", nil), Traces("a", "simulated", []Trace{{Name: "audit"}}),
	} {
		if c.Empty() == "" || !strings.Contains(text(c.Draw(80, 20, false, nil)), c.Empty()) {
			t.Errorf("%s has nothing to draw and says %q", c.Title(), c.Empty())
		}
	}
}
