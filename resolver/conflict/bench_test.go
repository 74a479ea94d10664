package conflict_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moot/resolver/conflict"
)

// kind is a kind of outputs. A word is drawn by the number of the output and its
// place in it.
type kind struct {
	name string
	word func(random *rand.Rand) func(output, place int) int
	// shape puts a text into what an output is; nil for the text itself.
	shape func(words []string) conflict.Value
}

// outputs are those of the kind, the same each time.
func (k kind) outputs(n, words int) []conflict.Output {
	word := k.word(rand.New(rand.NewPCG(1, 2)))
	made := make([]conflict.Output, n)
	for i := range made {
		chosen := make([]string, words)
		for place := range chosen {
			chosen[place] = "w" + strconv.Itoa(word(i, place))
		}
		made[i].AgentID = fmt.Sprint("agent ", i)
		if k.shape == nil {
			made[i].Value = text(strings.Join(chosen, " "))
		} else {
			made[i].Value = k.shape(chosen)
		}
	}
	return made
}

func kinds() []kind {
	from := func(n int) func(*rand.Rand) func(int, int) int {
		return func(random *rand.Rand) func(int, int) int { return func(int, int) int { return random.IntN(n) } }
	}
	zipf := func(random *rand.Rand) func(int, int) int {
		z := rand.NewZipf(random, 1.1, 5, 50_000)
		return func(int, int) int { return int(z.Uint64()) }
	}
	fixed := func(word func(output, place int) int) func(*rand.Rand) func(int, int) int {
		return func(*rand.Rand) func(int, int) int { return word }
	}
	return []kind{
		{name: "as-language", word: zipf},
		{name: "of-400-words", word: from(400)},
		{name: "of-2400-words", word: from(2_400)},
		{name: "of-10000-words", word: from(10_000)},
		{name: "of-100000-words", word: from(100_000)},
		{name: "nearly-equal", word: func(random *rand.Rand) func(int, int) int {
			return func(_, place int) int {
				if random.IntN(20) == 0 {
					return random.IntN(10_000)
				}
				return place
			}
		}},
		{name: "equal", word: fixed(func(_, place int) int { return place })},
		{name: "disjoint", word: fixed(func(output, place int) int { return output<<20 + place })},
		{name: "one-word-shared", word: fixed(func(output, place int) int {
			if place == 0 {
				return 0
			}
			return output<<20 + place
		})},
		{name: "objects", word: zipf, shape: func(words []string) conflict.Value {
			return conflict.Value{Kind: conflict.Object, Names: []string{"reasons", "score", "status", "verdict"}, Items: []conflict.Value{
				{Kind: conflict.Array, Items: []conflict.Value{
					text(strings.Join(words[:len(words)/4], " ")), text(strings.Join(words[len(words)/4:len(words)/2], " ")),
				}},
				{Kind: conflict.Number, Float: float64(len(words[0]))},
				text(words[0]),
				text(strings.Join(words[len(words)/2:], " ")),
			}}
		}},
	}
}

// BenchmarkDetect goes through the conflicts of 2,000 outputs of 300 words by the
// default thresholds. Of the reference it takes the time on some of the outputs,
// where the two must say the same; times-plain is how many times as long the
// reference takes for a pair.
func BenchmarkDetect(b *testing.B) {
	const sample = 300
	thresholds := conflict.Default.Thresholds()
	for _, kind := range kinds() {
		b.Run(kind.name, func(b *testing.B) {
			outputs := kind.outputs(2_000, 300)
			began := time.Now()
			want := plainPairs(outputs[:sample], thresholds)
			reference := float64(time.Since(began)) / (sample * (sample - 1) / 2)
			if !slices.Equal(slices.Collect(conflict.Detect(outputs[:sample], thresholds)), want) {
				b.Fatal("the detector does not say what the reference says")
			}
			conflicts := 0
			for b.Loop() {
				conflicts = 0
				for range conflict.Detect(outputs, thresholds) {
					conflicts++
				}
			}
			pair := float64(b.Elapsed()) / float64(b.N) / float64(len(outputs)*(len(outputs)-1)/2)
			b.ReportMetric(float64(conflicts), "conflicts")
			b.ReportMetric(pair, "ns/pair")
			b.ReportMetric(reference, "plain-ns/pair")
			b.ReportMetric(reference/pair, "times-plain")
		})
	}
}

// BenchmarkSummary counts the conflicts of up to 20,000 outputs of 300 words. What
// it takes of memory for an output is the same however many there are.
func BenchmarkSummary(b *testing.B) {
	language := kinds()[0]
	for _, n := range []int{5_000, 20_000} {
		b.Run(fmt.Sprintf("of-%d", n), func(b *testing.B) {
			outputs := language.outputs(n, 300)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				if conflict.Summarize(outputs, conflict.Default.Thresholds()).Total == (conflict.Counts{}) {
					b.Fatal("there are no conflicts")
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/float64(n), "B/output")
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n*(n-1)/2), "ns/pair")
		})
	}
}
