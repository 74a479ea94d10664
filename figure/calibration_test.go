package figure

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tenths are ten bins with so many verdicts each, of which every bin is as often right
// as it is sure, less some.
func tenths(less float64, counts ...int) []Bin {
	bins := make([]Bin, 10)
	for i, n := range counts {
		sure := (float64(i) + 0.5) / 10
		right := max(0, sure-less)
		bins[i] = Bin{Confidence: sure, Right: right, Low: max(0, right-0.1), High: min(1, right+0.1), Count: n}
	}
	return bins
}

// lab are the pictures of a lab's results.
func lab() map[string]*Chart {
	falling := []Stand{{0.91, 0.04, 1000}, {0.62, 0.09, 1000}, {0.33, 0.11, 480}}
	level := []Stand{{0.75, 0.09, 1000}, {0.75, 0.09, 1000}, {0.76, 0.08, 480}}
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

func TestGoldenLabCharts(t *testing.T) {
	for name, c := range lab() {
		for _, size := range [][2]int{{20, 3}, {44, 20}, {60, 16}, {100, 30}, {200, 40}} {
			for _, ascii := range []bool{false, true} {
				file := fmt.Sprintf("%s-%dx%d%s.golden", name, size[0], size[1], when(ascii, "-ascii", ""))
				golden(t, file, text(c.Draw(size[0], size[1], ascii, nil)))
			}
		}
		golden(t, name+".svg", c.SVG(SVGStyle{Dark: name == "traces"}))
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
				bins[i] = Bin{share("confidence"), share("right"), share("low"), share("high"), rapid.IntRange(-1, 2_000_000_000).Draw(rt, "count")}
			}
			stands := make([]Stand, rapid.IntRange(0, 8).Draw(rt, "rounds"))
			for i := range stands {
				stands[i] = Stand{share("mean"), share("spread"), rapid.IntRange(0, 3).Draw(rt, "n")}
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
			t.Errorf("%s has nothing to draw, and says %q", c.Title(), c.Empty())
		}
	}
}

func TestLabChartsSayWhereTheyComeFrom(t *testing.T) {
	for name, c := range lab() {
		mark, _, _ := strings.Cut(c.Title(), ":")
		if !strings.HasPrefix(text(c.Draw(100, 30, false, nil)), mark+":") || !strings.Contains(c.SVG(SVGStyle{}), mark+":") {
			t.Errorf("the %s do not begin with their mark", name)
		}
	}
}

func TestCountsAreBrief(t *testing.T) {
	for n, want := range map[int]string{
		-1: "0", 0: "0", 7: "7", 999: "999", 1000: "1.0k", 1099: "1.0k", 1100: "1.1k", 9999: "9.9k", 10_000: "10k", 999_999: "999k",
		1_000_000: "1.0M", 12_345_678: "12M", 1_000_000_000: "lots",
	} {
		if got := brieflyCounted(n); got != want {
			t.Errorf("%d is %s, not %s", n, got, want)
		}
	}
}
