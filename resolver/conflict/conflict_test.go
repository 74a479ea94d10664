package conflict_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/resolver/conflict"
)

// parse reads a case of agents 0, 1, … that answered these JSON values.
func parse(t testing.TB, rest string, outputs ...string) *conflict.Case {
	t.Helper()
	var list []string
	for i, output := range outputs {
		list = append(list, fmt.Sprintf(`{"agentId":"%d","output":%s}`, i, output))
	}
	c, err := conflict.Parse([]byte(`{"outputs":[` + strings.Join(list, ",") + `]` + rest + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// everything makes all pairs conflicts whose similarity is not 1.
const everything = `,"options":{"contradictionThreshold":0,"agreementThreshold":1}`

func TestSimilarity(t *testing.T) {
	third, quarter, fifth := 1/float64(3), 1/float64(4), 1/float64(5)
	for _, row := range []struct {
		a, b string
		want float64
	}{
		// The examples of the contract.
		{`"The API is secure"`, `"The API is vulnerable"`, 3.0 / 5},
		{`{"status":"safe","score":0.9}`, `{"status":"unsafe","score":0.3}`, 0},
		{`[1,2,3]`, `[1,2,4]`, 2.0 / 3},
		// Null, and different types.
		{`null`, `null`, 0},
		{`[null]`, `[null]`, 0},
		{`{"a":null,"b":1}`, `{"a":null,"b":1}`, 0.5},
		{`[]`, `{}`, 0},
		{`["a"]`, `{"0":"a"}`, 0},
		{`1`, `"1"`, 0},
		{`0`, `false`, 0},
		{`["a",1]`, `["a","1"]`, 0.5},
		// Texts.
		{`""`, `""`, 0},
		{`"word"`, `" \t\n"`, 0},
		{`"One TWO"`, `"one two two one"`, 1},
		{`"a\tb\nc"`, `"  a b c "`, 1},
		{`"a"`, `"a b c"`, 1.0 / 3},
		{`"safe."`, `"safe"`, 0},
		{`"É ÜBER ЖУК"`, `"é über жук"`, 1},
		{`"STRASSE"`, `"straße"`, 0},
		{`"a\u00a0b\u3000c\u0085d"`, `"a b c d"`, 1},
		{`"a\u200bb"`, `"a b"`, 0},
		{`"\u00e9"`, `"e\u0301"`, 0},
		// Numbers and booleans.
		{`1`, `1.0`, 1},
		{`1`, `1.0000001`, 0},
		{`0`, `-0`, 1},
		{`9007199254740993`, `9007199254740992`, 1},
		{`1e-400`, `0`, 1},
		{`true`, `true`, 1},
		{`true`, `false`, 0},
		// Lists by position.
		{`[]`, `[]`, 1},
		{`[]`, `[1]`, 0},
		{`[1,2]`, `[2,1]`, 0},
		{`[1,2]`, `[1,2,3,4]`, 0.5},
		{`["a b","c"]`, `["a d","c"]`, (1.0/3 + 1) / 2},
		{`[[1,2],[3]]`, `[[1,3],[4]]`, 0.25},
		// Objects by name.
		{`{}`, `{}`, 1},
		{`{}`, `{"a":1}`, 0},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, 1},
		{`{"a":1,"b":2}`, `{"b":2,"c":1}`, 1.0 / 3},
		{`{"a":1}`, `{"A":1}`, 0},
		{`{"a":{"b":"x y"}}`, `{"a":{"b":"x z"}}`, 1.0 / 3},
		// Sums are made in the order of the sorted names, so that they are the same to the last bit.
		{`{"a":"x","b":"x","c":"x"}`, `{"c":"x 2 3 4 5","b":"x 2 3 4","a":"x 2 3"}`, ((third + quarter) + fifth) / 3},
	} {
		for _, pair := range [][2]string{{row.a, row.b}, {row.b, row.a}} {
			got := 1.0
			for p := range parse(t, everything, pair[0], pair[1]).Conflicts() {
				got = p.Similarity
			}
			if got != row.want {
				t.Errorf("%s: %v, want %v", pair, got, row.want)
			}
		}
	}
}

func TestDeepValuesAreCompared(t *testing.T) {
	const levels = 9_000
	nested := func(text string) string {
		return strings.Repeat(`[{"in":`, levels/2) + text + strings.Repeat(`}]`, levels/2)
	}
	for p := range parse(t, everything, nested(`"a b"`), nested(`"a c"`)).Conflicts() {
		if p.Similarity != 1.0/3 {
			t.Error(p.Similarity)
		}
	}
}

func TestThresholdsClassify(t *testing.T) {
	for _, c := range []struct {
		options string
		want    conflict.Type
	}{
		// The two texts are 0.6 alike.
		{`{"contradictionThreshold":0.7,"agreementThreshold":0.9}`, conflict.Contradiction},
		{`{"contradictionThreshold":0.6,"agreementThreshold":0.9}`, conflict.Disagreement},
		{`{"contradictionThreshold":0,"agreementThreshold":0.6}`, ""},
		{`{"contradictionThreshold":0,"agreementThreshold":0.6000000000000001}`, conflict.Disagreement},
		{`{"contradictionThreshold":1,"agreementThreshold":1}`, conflict.Contradiction},
		{`null`, conflict.Disagreement},
		{`{"preset":null}`, conflict.Disagreement},
		{`{"preset":"creative"}`, ""},
		{`{"preset":"creative","agreementThreshold":0.7}`, conflict.Disagreement},
		{`{"preset":"security","agreementThreshold":0.6}`, ""},
	} {
		got := conflict.Type("")
		for p := range parse(t, `,"options":`+c.options, `"1 2 3 4"`, `"1 2 3 5"`).Conflicts() {
			got = p.Type
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.options, got, c.want)
		}
	}
	for preset, want := range map[conflict.Preset]conflict.Thresholds{
		conflict.Strict: {0.5, 0.9}, conflict.Default: {0.3, 0.8}, conflict.Lenient: {0.15, 0.7},
		conflict.Security: {0.5, 0.9}, conflict.Code: {0.3, 0.8}, conflict.Creative: {0.15, 0.6},
	} {
		if got := preset.Thresholds(); got != want {
			t.Errorf("%s: %v, want %v", preset, got, want)
		}
	}
}

func TestHalfAPercentIsRoundedUp(t *testing.T) {
	for share, want := range map[float64]int{
		0: 0, 1: 100, 0.6: 60, 2.0 / 3: 67, 1.0 / 3: 33, 1.0 / 8: 13, 1.0 / 200: 1, 29.0 / 200: 15, 199.0 / 200: 100,
		math.Nextafter(1.0/8, 0): 12, 0.994: 99, 0.0049: 0,
	} {
		if got := conflict.Percent(share); got != want {
			t.Errorf("%v: %d %%, want %d %%", share, got, want)
		}
	}
}

// result is the output of Write.
type result struct {
	Conflicts []struct {
		ID, Type, Description string
		AgentIDs              [2]string
		Resolution            conflict.Resolution
	}
	Review conflict.Review
}

func TestStrategies(t *testing.T) {
	escalated := conflict.Resolution{
		Method: conflict.Escalate, Reasoning: "left to the user: a and b contradict each other: their outputs are 0 % alike",
	}
	weighed := func(winner string, confidence float64, reasoning string) conflict.Resolution {
		return conflict.Resolution{
			Method: conflict.EvidenceWeight, Winner: winner, Confidence: confidence, Reasoning: reasoning,
		}
	}
	voted := func(winner string, size, of int) conflict.Resolution {
		return conflict.Resolution{
			Method: conflict.Vote, Winner: winner, Confidence: float64(size) / float64(of),
			Reasoning: fmt.Sprintf("%d/%d agents agreed", size, of),
		}
	}
	for _, c := range []struct {
		name, strategy, outputs string
		tokens                  [4]int
		first                   conflict.Resolution
		review                  conflict.Review
	}{
		{"a vote of two", "vote", "no yes", [4]int{1, 9}, voted("a", 1, 2), conflict.Review{Winner: "a"}},
		{
			"a vote counts all outputs on one of the sides", "vote", "no yes yes",
			[4]int{},
			voted("b", 2, 3),
			conflict.Review{Winner: "b"},
		},
		{
			"other outputs have no vote", "vote", "no yes maybe yes",
			[4]int{},
			voted("b", 2, 3),
			conflict.Review{Winner: "b"},
		},
		{"on a tie the first wins", "vote", "no yes yes no", [4]int{}, voted("a", 2, 4), conflict.Review{Winner: "a"}},
		{
			"nulls are equal, yet not alike", "vote", "null null",
			[4]int{},
			voted("a", 2, 2),
			conflict.Review{Winner: "a"},
		},
		{
			"weight", "evidence_weight", "no yes",
			[4]int{20, 80},
			weighed("b", 0.8, "b processed 80 of 100 tokens"),
			conflict.Review{Winner: "b"},
		},
		{
			"on a tie of weights the first wins", "evidence_weight", "no yes",
			[4]int{5, 5},
			weighed("a", 0.5, "a processed 5 of 10 tokens"),
			conflict.Review{Winner: "a"},
		},
		{
			"no weights", "evidence_weight", "no yes",
			[4]int{},
			weighed("a", 0.5, "no tokens are counted for either agent"),
			conflict.Review{Winner: "a"},
		},
		{
			"weights are those of the two agents", "evidence_weight", "no yes yes",
			[4]int{1, 3, 96},
			weighed("b", 0.75, "b processed 3 of 4 tokens"),
			conflict.Review{Winner: "b"},
		},
		{"escalate", "escalate", "no yes", [4]int{1, 9}, escalated, conflict.Review{Escalated: true}},
		{"tiered takes a clear vote", "tiered", "no yes yes", [4]int{}, voted("b", 2, 3), conflict.Review{Winner: "b"}},
		{
			"tiered takes a clear weight", "tiered", "no yes",
			[4]int{3, 7},
			weighed("b", 0.7, "b processed 7 of 10 tokens"),
			conflict.Review{Winner: "b"},
		},
		{"tiered escalates", "tiered", "no yes", [4]int{31, 69}, escalated, conflict.Review{Escalated: true}},
		{
			"a later escalation counts", "tiered", "no yes maybe",
			[4]int{1, 9, 9},
			weighed("b", 0.9, "b processed 9 of 10 tokens"),
			conflict.Review{Escalated: true},
		},
	} {
		var list []string
		for i, output := range strings.Fields(c.outputs) {
			if output != "null" {
				output = strconv.Quote(output)
			}
			list = append(list, fmt.Sprintf(`{"agentId":"%c","output":%s,"tokens":%d}`, 'a'+i, output, c.tokens[i]))
		}
		parsed, err := conflict.Parse([]byte(`{"outputs":[` + strings.Join(list, ",") + `],"strategy":"` + c.strategy +
			`"}`))
		if err != nil {
			t.Fatal(err)
		}
		var rows, counts bytes.Buffer
		var got result
		var summary struct{ Review conflict.Review }
		if err := errors.Join(parsed.Write(&rows, conflict.DefaultRows), parsed.WriteSummary(&counts),
			json.Unmarshal(rows.Bytes(), &got), json.Unmarshal(counts.Bytes(), &summary)); err != nil {
			t.Fatal(err)
		}
		if got.Conflicts[0].Resolution != c.first || got.Review != c.review || summary.Review != c.review {
			t.Errorf("%s: %+v\n%+v, by the summary %+v", c.name, got.Conflicts[0].Resolution, got.Review,
				summary.Review)
		}
	}
}

func TestOutputsAreWrittenAsTheyWereGiven(t *testing.T) {
	var out bytes.Buffer
	c := parse(t, "", " \t{ \"b\" : [ 1.50 , 1e2 ],\r\n\"a\":\"x  \\u0041\" } ", " \"y  z\"\n")
	if err := c.Write(&out, conflict.DefaultRows); err != nil {
		t.Fatal(err)
	}
	want := `"outputs":[{"b":[1.50,1e2],"a":"x  \u0041"},"y  z"],"similarity":0,`
	if !strings.Contains(out.String(), want) {
		t.Errorf("%s, want %s", out.String(), want)
	}
}

// plain is the similarity as the rules state it, without an index.
func plain(a, b any) float64 {
	var sum float64
	var size int
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return conflict.WordsOf(a).Similarity(conflict.WordsOf(b))
		}
		return 0
	case []any:
		b, ok := b.([]any)
		if !ok {
			return 0
		}
		for i := range min(len(a), len(b)) {
			sum += plain(a[i], b[i])
		}
		size = max(len(a), len(b))
	default:
		if a != nil && a == b {
			return 1
		}
		return 0
	}
	if size == 0 {
		return 1
	}
	return sum / float64(size)
}

// The conflicts equal those of comparing all pairs one by one, to the last bit, and the summary counts them.
func TestConflictsAreThoseOfAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few words make most of them frequent, many make most of them rare.
		known := rapid.SampledFrom([]int{1, 20, 3000}).Draw(t, "words known")
		text := rapid.Custom(func(t *rapid.T) any {
			var words []string
			for range rapid.IntRange(0, 30).Draw(t, "length") {
				// Low numbers come more often.
				n := rapid.IntRange(0, known).Draw(t, "word") * rapid.IntRange(0, 4).Draw(t, "times") / 4
				words = append(words, "w"+strconv.Itoa(n))
			}
			return strings.Join(words, " ")
		})
		list := rapid.Map(rapid.SliceOfN(text, 0, 3), func(list []any) any { return slices.Clip(list) })
		values := rapid.SliceOfN(rapid.OneOf(text, text, list), 0, 40).Draw(t, "outputs")
		type pair struct {
			first, second int
			similarity    uint64
		}
		var outputs []string
		var want []pair
		for i, a := range values {
			written, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			outputs = append(outputs, fmt.Sprintf(`{"agentId":"%d","output":%s}`, i, written))
			for j := i + 1; j < len(values); j++ {
				if s := plain(a, values[j]); s < 0.8 {
					want = append(want, pair{i, j, math.Float64bits(s)})
				}
			}
		}
		c, err := conflict.Parse([]byte(`{"outputs":[` + strings.Join(outputs, ",") + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		var got []pair
		for p := range c.Conflicts() {
			got = append(got, pair{p.First, p.Second, math.Float64bits(p.Similarity)})
		}
		var out bytes.Buffer
		var summary struct{ Contradictions, Disagreements int }
		if err := errors.Join(c.WriteSummary(&out), json.Unmarshal(out.Bytes(), &summary)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || summary.Contradictions+summary.Disagreements != len(want) {
			t.Fatalf("%v, one by one %v; the summary is %s", got, want, out.String())
		}
	})
}

func kinds() map[string]func(output, place int) int {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.1, 5, 50_000)
	from := func(n int) func(int, int) int { return func(int, int) int { return random.IntN(n) } }
	return map[string]func(output, place int) int{
		"as-language": func(int, int) int { return int(zipf.Uint64()) },
		"of-2400":     from(2_400), "of-5000": from(5_000), "of-100000": from(100_000),
		"equal":    func(_, place int) int { return place },
		"disjoint": func(output, place int) int { return output<<20 + place },
	}
}

// BenchmarkConflicts finds all conflicts of 2,000 outputs of 300 words: reading them, and comparing each pair.
func BenchmarkConflicts(b *testing.B) {
	for name, word := range kinds() {
		var in strings.Builder
		in.WriteString(`{"outputs":[`)
		for i := range 2_000 {
			fmt.Fprintf(&in, `{"agentId":"%d","output":"`, i)
			for place := range 300 {
				fmt.Fprintf(&in, "w%d ", word(i, place))
			}
			in.WriteString(`"},`)
		}
		text := []byte(strings.TrimSuffix(in.String(), ",") + "]}")
		b.Run(name, func(b *testing.B) {
			found := 0
			for b.Loop() {
				c, err := conflict.Parse(text)
				if err != nil {
					b.Fatal(err)
				}
				found = 0
				for range c.Conflicts() {
					found++
				}
			}
			b.ReportMetric(float64(found), "conflicts")
		})
	}
}
