package domain

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// decoded is what the decoder reads of a text alone.
func decoded(t *testing.T, data []byte) weighed {
	t.Helper()
	var f form
	if err := toml.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f.weighed
}

// What is taken of the weights that are built in is what the decoder reads, and
// nothing of it is left in the text, whose lines stay where they were.
func TestTermsAreTaken(t *testing.T) {
	for _, name := range Names() {
		data, err := books.ReadFile("books/" + name + ".weights.toml")
		if err != nil {
			t.Fatal(err)
		}
		taken, rest := takeTerms(data)
		all, left := decoded(t, data), decoded(t, rest)
		if len(all.Terms) < 1000 || !maps.EqualFunc(taken["terms"], all.Terms, slices.Equal) || !maps.EqualFunc(taken["company"], all.Company, slices.Equal) {
			t.Errorf("%s: %d of %d terms were taken, and %d of %d of the company", name, len(taken["terms"]), len(all.Terms), len(taken["company"]), len(all.Company))
		}
		if len(left.Terms)+len(left.Company) > 0 || !reflect.DeepEqual(left.Ties, all.Ties) || !reflect.DeepEqual(left.Sums, all.Sums) {
			t.Errorf("%s: %d terms are left", name, len(left.Terms)+len(left.Company))
		}
		if len(rest) != len(data) || bytes.Count(rest, []byte("\n")) != bytes.Count(data, []byte("\n")) {
			t.Errorf("%s: the lines moved", name)
		}
	}
}

// What the decoder refuses, or reads in a way of its own, is left to it whole.
func TestTermsAreLeftToTheDecoder(t *testing.T) {
	for _, text := range []string{
		"[terms]\na = [1]\na = [2]\n",
		"[terms]\na = [1]\n\"a\" = [1]\n",
		"[terms]\na = [007]\n",
		"[terms]\na = [1_0]\n",
		"[terms]\na = [1, 2.5]\n",
		"[terms]\na = [[1]]\n",
		"[terms]\na = \"1\"\n",
		"[terms]\na.b = [1]\n",
		"[terms]\na = [1] b = [2]\n",
		"[terms]\na = [1\n",
		"[company]\na = {}\n",
	} {
		if taken, rest := takeTerms([]byte(text)); taken != nil || string(rest) != text {
			t.Errorf("%q: %v, %q", text, taken, rest)
		}
	}
	for _, text := range []string{
		"terms.a = [1]\n", "terms = {a = [1]}\n", "[[terms]]\na = [1]\n", "[x.terms]\na = [1]\n", "[terms.x]\na = [1]\n", "[ties]\na = [1]\n",
	} {
		if taken, rest := takeTerms([]byte(text)); len(taken["terms"]) > 0 || string(rest) != text {
			t.Errorf("%q: %v, %q", text, taken, rest)
		}
	}
	many := "[terms] # all\n" + strings.Repeat("\n", 3) + "a = [\n 1, # one\n -2 ] # two\n[sums]\n"
	if taken, rest := takeTerms([]byte(many)); !reflect.DeepEqual(taken["terms"]["a"], []int{1, -2}) || strings.TrimSpace(string(rest)) != "[terms] # all\n\n\n\n     \n         \n      # two\n[sums]" {
		t.Errorf("%v, %q", taken, rest)
	}
}
