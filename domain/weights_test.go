package domain_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/config"
	"moot/domain"
	"moot/resolver/detect"
	"moot/state"
)

// weights are those of a small domain, as moot lab learn writes them.
const weights = `# What a fact does by its terms: hundredths for act, cover, misfit, denial, gap, failed.
[terms]
"copied \"out\" \\" = [120, -30, 0, 0, 0, 5]
"said:confirmed" = [-80, 210, 0, -1, 0, 0]

# What the facts around it add.
[company]
"others act:1" = [10, 0, 0, 0, 0, 0]

# How far a cover accounts for an act, by what they have in common.
[ties]
"record: always" = -0.50
"seen: near: name and kind" = 20.00

# What all facts come to: for CONFIRMED and for DISMISSED.
[sums]
"always" = [-0.59, 1.03]
"acts that stand" = [1.83, -0.30]
`

// Weights are read as they were written, and written as they were read.
func TestWeights(t *testing.T) {
	d, err := domain.Read([]byte(small+weights), "mine.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := &state.Weights{
		Terms: []state.Term{
			{Name: `copied "out" \`, Weights: []int{120, -30, 0, 0, 0, 5}},
			{Name: "said:confirmed", Weights: []int{-80, 210, 0, -1, 0, 0}},
		},
		Company: []state.Term{{Name: "others act:1", Weights: []int{10, 0, 0, 0, 0, 0}}},
		Ties:    []state.Weight{{Name: "record: always", Weight: -0.5}, {Name: "seen: near: name and kind", Weight: 20}},
		Sums:    []state.SumWeight{{Name: "always", Confirmed: -0.59, Dismissed: 1.03}, {Name: "acts that stand", Confirmed: 1.83, Dismissed: -0.3}},
	}
	if !reflect.DeepEqual(d.Weights, want) {
		t.Errorf("%+v, want %+v", d.Weights, want)
	}
	if text := domain.WriteWeights(d.Weights); text != weights {
		t.Errorf("they are written as\n%s", text)
	}
}

// Whatever the names of terms are and however far weights go, what is written is read.
func TestWeightsAreReadAsWritten(t *testing.T) {
	logit := rapid.Map(rapid.IntRange(-2000, 2000), func(n int) float64 { return float64(n) / 100 })
	rapid.Check(t, func(r *rapid.T) {
		terms := func(label string) []state.Term {
			var all []state.Term
			for _, name := range rapid.SliceOfNDistinct(rapid.String(), 1, 5, rapid.ID).Draw(r, label) {
				all = append(all, state.Term{Name: name, Weights: rapid.SliceOfN(rapid.IntRange(-2000, 2000), 6, 6).Draw(r, "weights")})
			}
			return all
		}
		given := &state.Weights{Terms: terms("terms"), Company: terms("company")}
		for _, name := range detect.TieNames() {
			given.Ties = append(given.Ties, state.Weight{Name: name, Weight: logit.Draw(r, "tie")})
		}
		for _, name := range detect.SumNames() {
			given.Sums = append(given.Sums, state.SumWeight{Name: name, Confirmed: logit.Draw(r, "confirmed"), Dismissed: logit.Draw(r, "dismissed")})
		}
		text := domain.WriteWeights(given)
		d, err := domain.Read([]byte(small+text), "mine.toml")
		if err != nil {
			r.Fatalf("%v in %s", err, text)
		}
		if again := domain.WriteWeights(d.Weights); again != domain.WriteWeights(sortedTerms(given)) {
			r.Fatalf("%s is read as %s", text, again)
		}
	})
}

// What is wrong with weights is told with its line.
func TestWeightsTellLines(t *testing.T) {
	for _, c := range []struct{ name, was, is, tells string }{
		{"terms alone", weights[strings.Index(weights, "\n# What the facts"):], "", "mine.toml:36: weights are no use without the tables [ties] and [sums]"},
		{"no ties", weights[strings.Index(weights, "[ties]"):strings.Index(weights, "\n# What all")], "", "mine.toml:36: weights are no use without"},
		{"company alone", weights[strings.Index(weights, "[terms]"):strings.Index(weights, "\n# What the facts")], "", "mine.toml:38: [company] adds to what [terms] come to, and there are none"},
		{"an unknown tie", `"record: always"`, `"record: alway"`, `mine.toml:46: no tie is named "record: alway"; did you mean record: always?`},
		{"an unknown sum", `"acts that stand"`, `"acts that stay"`, `mine.toml:52: no sum is named "acts that stay"; did you mean acts that stand?`},
		{"too few weights", "[10, 0, 0, 0, 0, 0]", "[10]", "mine.toml:42: 1 weight; a term has 6: for act, cover, misfit, denial, gap, failed"},
		{"too many weights", "0, -1, 0, 0]", "0, -1, 0, 0, 0]", "mine.toml:38: 7 weights; a term has 6"},
		{"a sum of one", "[1.83, -0.30]", "[1.83]", "mine.toml:52: 1 weight; a sum has 2: for CONFIRMED and for DISMISSED"},
		{"a term beyond bounds", "210", "2001", "mine.toml:38: a weight is beyond 2000 hundredths"},
		{"a tie beyond bounds", "20.00", "20.01", "mine.toml:47: the weight is not between -20 and 20"},
		{"a sum beyond bounds", "1.03", "-20.5", "mine.toml:51: the weight is not between -20 and 20"},
		{"a tie that is no number", "20.00", "nan", "mine.toml:47: the weight is not between -20 and 20"},
		{"a sum without end", "1.03", "inf", "mine.toml:51: the weight is not between -20 and 20"},
		{"a term that is a number", "[10, 0, 0, 0, 0, 0]", "10", `mine.toml:42: "others act:1" is a list of whole numbers, hundredths for act, cover`},
		{"a fraction of a hundredth", "210", "2.5", "mine.toml:38: \"said:confirmed\" is a list of whole numbers"},
		{"a tie that is a text", "20.00", `"high"`, "mine.toml:47: \"seen: near: name and kind\" is a number, without quotes"},
		{"a sum that is a number", "[1.83, -0.30]", "1.83", "mine.toml:52: \"acts that stand\" is a list of two numbers"},
		{"ties that are no table", "[ties]", "[[ties]]", "mine.toml:45: ties is a table of weights"},
		{"weights twice", "[company]", "[terms]", "mine.toml:41: this is no domain: table terms already exists: a file has weights once, so take the old ones out"},
		{"a key in the wrong place", "[ties]\n", "[[rule]]\nid = \"x\"\nties = 3\n[ties]\n", "mine.toml:47: the key ties does not belong here"},
		{"a rule that reads and has conditions", "cancel = [\"denial\", \"lateral\"]\n", "reads = true\n", "mine.toml:31: the rule has a [[rule.when]], and reads by the weights of words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(small+weights, c.was, c.is, 1)
			if text == small+weights {
				t.Fatal("nothing was changed")
			}
			_, err := domain.Read([]byte(text), "mine.toml")
			if err == nil || !strings.Contains(err.Error(), c.tells) {
				t.Errorf("%v, want %s", err, c.tells)
			}
		})
	}
	_, err := domain.Read([]byte(small+"[terms]\n\"a\" = [1]\n\"b\" = [2]\n[ties]\n\"c\" = 30\n"), "mine.toml")
	if problems, is := err.(config.Problems); !is || len(problems) < 4 { //nolint:errorlint // the type is promised
		t.Errorf("not all is told: %v", err)
	}
}

// A domain without weights gets the plain ones, whatever its file is called, and reads no
// words; those that are built in have weights of their own.
func TestPlainWeights(t *testing.T) {
	for _, name := range []string{"mine.toml", "plain.weights.toml"} {
		d, err := domain.Read([]byte(small), name)
		if err != nil || d.Weights == nil || len(d.Weights.Terms) > 0 || len(d.Weights.Company) > 0 || len(d.Weights.Ties) < 20 || len(d.Weights.Sums) < 10 {
			t.Errorf("%s: %v, %+v", name, err, d.Weights)
		}
	}
	own, err := domain.Read([]byte(small+weights), "mine.toml")
	if err != nil || len(own.Weights.Sums) != 2 {
		t.Errorf("%v, %+v", err, own.Weights)
	}
	for _, name := range domain.Names() {
		d, err := domain.BuiltIn(name)
		if err != nil || len(d.Weights.Ties) == 0 || len(d.Weights.Sums) < 10 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d, err := domain.BuiltIn("security"); err != nil || len(d.Weights.Terms) < 1000 || len(d.Weights.Company) == 0 {
		t.Errorf("security reads no words: %v", err)
	}
}

// sortedTerms is weights with their terms by name, as they are read.
func sortedTerms(w *state.Weights) *state.Weights {
	again := *w
	again.Terms, again.Company = byName(w.Terms), byName(w.Company)
	return &again
}

func byName(terms []state.Term) []state.Term {
	return slices.SortedFunc(slices.Values(terms), func(a, b state.Term) int { return strings.Compare(a.Name, b.Name) })
}
