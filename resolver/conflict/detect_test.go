package conflict_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/resolver/conflict"
)

func TestPairsComeInOrder(t *testing.T) {
	outputs := []conflict.Output{
		{Value: text("The API is secure")},
		{Value: text("The API is vulnerable")},
		{Value: text("no")},
		{Value: text("secure is the api")},
	}
	want := []conflict.Pair{
		{First: 0, Second: 1, Type: conflict.Disagreement, Similarity: 0.6},
		{First: 0, Second: 2, Type: conflict.Contradiction},
		{First: 1, Second: 2, Type: conflict.Contradiction},
		{First: 1, Second: 3, Type: conflict.Disagreement, Similarity: 0.6},
		{First: 2, Second: 3, Type: conflict.Contradiction},
	}
	conflicts := conflict.Detect(outputs, conflict.Default.Thresholds())
	for range 2 {
		if got := slices.Collect(conflicts); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	for pair := range conflicts {
		if pair != want[0] {
			t.Errorf("%v comes after the loop was left", pair)
		}
		break
	}
}

func TestFewerThanTwoOutputsHaveNoConflict(t *testing.T) {
	for _, outputs := range [][]conflict.Output{nil, {}, {{AgentID: "a"}}} {
		for pair := range conflict.Detect(outputs, conflict.Strict.Thresholds()) {
			t.Errorf("%d outputs: %v", len(outputs), pair)
		}
		if s := conflict.Summarize(outputs, conflict.Strict.Thresholds()); s.Pairs != 0 || s.Total != (conflict.Counts{}) || len(s.Outputs) != len(outputs) {
			t.Errorf("%d outputs: %+v", len(outputs), s)
		}
	}
}

func TestThresholdsAreWhereATypeBegins(t *testing.T) {
	outputs := []conflict.Output{{Value: text("1 2 3 4")}, {Value: text("1 2 3 5")}}
	for _, c := range []struct {
		contradiction, agreement float64
		want                     conflict.Type
	}{
		{0.7, 0.9, conflict.Contradiction},
		{0.6, 0.9, conflict.Disagreement},
		{math.Nextafter(0.6, 1), 0.9, conflict.Contradiction},
		{0, 0.6, ""},
		{0, math.Nextafter(0.6, 1), conflict.Disagreement},
		{1, 1, conflict.Contradiction},
		{0, 0, ""},
	} {
		thresholds := conflict.Thresholds{Contradiction: c.contradiction, Agreement: c.agreement}
		got := conflict.Type("")
		for pair := range conflict.Detect(outputs, thresholds) {
			got = pair.Type
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", thresholds, got, c.want)
		}
	}
}

func TestSummaryCountsByOutputAndType(t *testing.T) {
	outputs := []conflict.Output{{Value: text("a b c")}, {Value: text("a b d")}, {Value: text("x")}, {Value: text("c b a")}}
	want := conflict.Summary{
		Pairs: 6, Total: conflict.Counts{Contradictions: 3, Disagreements: 2},
		Outputs: []conflict.Counts{{1, 1}, {1, 2}, {3, 0}, {1, 1}},
	}
	got := conflict.Summarize(outputs, conflict.Default.Thresholds())
	if got.Pairs != want.Pairs || got.Total != want.Total || !slices.Equal(got.Outputs, want.Outputs) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if c := got.Outputs[1]; c.Of(conflict.Contradiction) != 1 || c.Of(conflict.Disagreement) != 2 {
		t.Errorf("%+v", c)
	}
}

// checkDetector compares the detector with the reference, bit for bit, and the
// summary with the rows.
func checkDetector(t rapid.TB, outputs []conflict.Output, thresholds conflict.Thresholds) {
	t.Helper()
	want := plainPairs(outputs, thresholds)
	if got := slices.Collect(conflict.Detect(outputs, thresholds)); !slices.EqualFunc(got, want, func(a, b conflict.Pair) bool {
		return a == b && math.Float64bits(a.Similarity) == math.Float64bits(b.Similarity)
	}) {
		t.Fatalf("%v, the reference says %v", got, want)
	}
	counted := conflict.Summary{Pairs: len(outputs) * (len(outputs) - 1) / 2, Outputs: make([]conflict.Counts, len(outputs))}
	for _, pair := range want {
		for _, c := range []*conflict.Counts{&counted.Total, &counted.Outputs[pair.First], &counted.Outputs[pair.Second]} {
			if pair.Type == conflict.Contradiction {
				c.Contradictions++
			} else {
				c.Disagreements++
			}
		}
	}
	if got := conflict.Summarize(outputs, thresholds); got.Pairs != counted.Pairs || got.Total != counted.Total || !slices.Equal(got.Outputs, counted.Outputs) {
		t.Fatalf("%+v, the rows are %+v", got, counted)
	}
}

func anyThresholds(t *rapid.T) conflict.Thresholds {
	// Many of these are similarities of small sets, so that pairs lie on them.
	share := rapid.SampledFrom([]float64{0, 1.0 / 7, 0.15, 0.25, 0.3, 1.0 / 3, 0.5, 0.6, 2.0 / 3, 0.75, 0.8, 0.9, 1})
	a, b := share.Draw(t, "one threshold"), share.Draw(t, "another")
	return conflict.Thresholds{Contradiction: min(a, b), Agreement: max(a, b)}
}

func TestTextsAreDetectedAsByTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few words make most of them frequent, many make most of them rare.
		known := rapid.SampledFrom([]int{1, 3, 20, 200, 3000}).Draw(t, "words known")
		word := rapid.Custom(func(t *rapid.T) string {
			// The low numbers come more often.
			n := rapid.IntRange(0, known).Draw(t, "word") * rapid.IntRange(0, 4).Draw(t, "times") / 4
			return rapid.SampledFrom([]string{"w", "W", "É"}).Draw(t, "letter") + fmt.Sprint(n)
		})
		outputs := make([]conflict.Output, rapid.IntRange(0, 40).Draw(t, "outputs"))
		for i := range outputs {
			if i > 0 && rapid.IntRange(0, 3).Draw(t, "the last again") == 0 {
				outputs[i].Value = text(outputs[i-1].Value.Text + " " + word.Draw(t, "one more"))
				continue
			}
			outputs[i].Value = text(strings.Join(rapid.SliceOfN(word, 0, 30).Draw(t, "text"), " "))
		}
		checkDetector(t, outputs, anyThresholds(t))
	})
}

func TestValuesAreDetectedAsByTheReference(t *testing.T) {
	leaf := rapid.Custom(func(t *rapid.T) conflict.Value {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			return conflict.Value{}
		case 1:
			return conflict.Value{Kind: conflict.Boolean, Truth: rapid.Bool().Draw(t, "truth")}
		case 2:
			return conflict.Value{Kind: conflict.Number, Float: rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, math.MaxFloat64, math.Inf(1)}).Draw(t, "number")}
		}
		return text(strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "B", "c", "d", "\xff"}), 0, 6).Draw(t, "words"), " "))
	})
	var within func(levels int) *rapid.Generator[conflict.Value]
	within = func(levels int) *rapid.Generator[conflict.Value] {
		return rapid.Custom(func(t *rapid.T) conflict.Value {
			kind := conflict.Kind(rapid.SampledFrom([]int{0, int(conflict.Array), int(conflict.Object), int(conflict.Object)}).Draw(t, "kind"))
			if levels == 0 || kind == conflict.Null {
				return leaf.Draw(t, "leaf")
			}
			v := conflict.Value{Kind: kind}
			if kind == conflict.Object {
				v.Names = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"", "a", "b", "é", "z"}), 0, 4, rapid.ID).Draw(t, "names")
				slices.Sort(v.Names)
				v.Items = rapid.SliceOfN(within(levels-1), len(v.Names), len(v.Names)).Draw(t, "values")
				return v
			}
			v.Items = rapid.SliceOfN(within(levels-1), 0, 4).Draw(t, "items")
			return v
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		outputs := make([]conflict.Output, rapid.IntRange(0, 8).Draw(t, "outputs"))
		for i := range outputs {
			outputs[i].Value = within(3).Draw(t, "output")
		}
		checkDetector(t, outputs, anyThresholds(t))
	})
}

// Each kind of data of the benchmarks, and what is made to be hard: words that
// all have but one, bitmaps that end in the middle of a number, one text that is
// much longer than the others, outputs of all types.
func TestHardOutputsAreDetectedAsByTheReference(t *testing.T) {
	hard := map[string][]conflict.Output{}
	for _, kind := range kinds() {
		hard[kind.name] = kind.outputs(120, 60)
	}
	for i := range 130 {
		var but, half strings.Builder
		for word := range 130 {
			if word != i {
				fmt.Fprint(&but, word, " ")
			}
			if (word*i+word)%3 != 0 {
				fmt.Fprint(&half, word, "\u00a0")
			}
		}
		long := text("1")
		if i == 7 {
			long = text(strings.Repeat(but.String(), 3) + "and others")
		}
		mixed := []conflict.Value{
			text(half.String()),
			{},
			{Kind: conflict.Array, Items: []conflict.Value{text(but.String()), text(half.String())}},
			{Kind: conflict.Object, Names: []string{"a", "b"}, Items: []conflict.Value{text(half.String()), long}},
			{Kind: conflict.Object, Names: []string{"b", "c"}, Items: []conflict.Value{long, text(half.String())}},
		}[i%5]
		for name, v := range map[string]conflict.Value{"all but one": text(but.String()), "halves": text(half.String()), "one long": long, "mixed": mixed} {
			hard[name] = append(hard[name], conflict.Output{Value: v})
		}
	}
	for name, outputs := range hard {
		t.Run(name, func(t *testing.T) {
			for _, preset := range []conflict.Preset{conflict.Strict, conflict.Default, conflict.Lenient} {
				checkDetector(t, outputs, preset.Thresholds())
			}
		})
	}
}

// A summary of four times the outputs has sixteen times the conflicts, and takes
// four times the memory.
func TestSummaryTakesMemoryForTheOutputsAlone(t *testing.T) {
	taken := func(n int) uint64 {
		outputs := make([]conflict.Output, n)
		for i := range outputs {
			outputs[i].Value = text(fmt.Sprint("word ", i%100))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if s := conflict.Summarize(outputs, conflict.Default.Thresholds()); s.Total.Disagreements == 0 {
			t.Fatal("there are no conflicts")
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := taken(1_000), taken(4_000); large > 6*small {
		t.Errorf("1,000 outputs take %d bytes, 4,000 take %d", small, large)
	}
}
