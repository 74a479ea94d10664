package conflict_test

import (
	"math"
	"strings"
	"testing"

	"moot/resolver/conflict"
)

func TestPresets(t *testing.T) {
	want := map[conflict.Preset]conflict.Thresholds{
		conflict.Strict:   {Contradiction: 0.5, Agreement: 0.9},
		conflict.Default:  {Contradiction: 0.3, Agreement: 0.8},
		conflict.Lenient:  {Contradiction: 0.15, Agreement: 0.7},
		conflict.Security: {Contradiction: 0.5, Agreement: 0.9},
		conflict.Code:     {Contradiction: 0.3, Agreement: 0.8},
		conflict.Creative: {Contradiction: 0.15, Agreement: 0.6},
	}
	if len(conflict.Presets()) != len(want) {
		t.Errorf("there are %d presets, want %d", len(conflict.Presets()), len(want))
	}
	for _, preset := range conflict.Presets() {
		if got := preset.Thresholds(); got != want[preset] || got.Check() != nil {
			t.Errorf("%s: %v, want %v; %v", preset, got, want[preset], got.Check())
		}
		var read conflict.Preset
		if err := read.UnmarshalText([]byte(preset.String())); err != nil || read != preset {
			t.Errorf("%s is read as %q, %v", preset, read, err)
		}
	}
	var read conflict.Preset
	if err := read.UnmarshalText([]byte("strcit")); err == nil || !strings.Contains(err.Error(), "strict") {
		t.Errorf("a word that is no preset: %v", err)
	}
}

func TestThresholdsAreInRangeAndOrder(t *testing.T) {
	for _, c := range []struct {
		contradiction, agreement float64
		want                     string
	}{
		{0, 0, ""},
		{0, 1, ""},
		{1, 1, ""},
		{0.3, 0.3, ""},
		{-0.1, 0.8, "the contradiction threshold is -0.1: it must be from 0 to 1"},
		{0.3, 1.1, "the agreement threshold is 1.1: it must be from 0 to 1"},
		{math.NaN(), 0.8, "the contradiction threshold is NaN"},
		{0.3, math.NaN(), "the agreement threshold is NaN"},
		{0.3, math.Inf(1), "the agreement threshold is +Inf"},
		{0.8, 0.3, "the contradiction threshold 0.8 is above the agreement threshold 0.3"},
	} {
		err := conflict.Thresholds{Contradiction: c.contradiction, Agreement: c.agreement}.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v and %v: %v, want %q", c.contradiction, c.agreement, err, c.want)
		}
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		similarity float64
		want       conflict.Type
	}{
		{0, conflict.Contradiction},
		{math.Nextafter(0.3, 0), conflict.Contradiction},
		{0.3, conflict.Disagreement},
		{math.Nextafter(0.8, 0), conflict.Disagreement},
		{0.8, ""},
		{1, ""},
	} {
		if got, found := conflict.Default.Thresholds().Classify(c.similarity); got != c.want || found != (c.want != "") {
			t.Errorf("%v: %q, %t, want %q", c.similarity, got, found, c.want)
		}
	}
}
