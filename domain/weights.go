package domain

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moot/config"
	"moot/enum"
	"moot/plain"
	"moot/resolver/detect"
	"moot/state"
)

// weighed are the tables of a file that weights stand in.
type weighed struct {
	Terms   map[string][]int     `toml:"terms"`
	Company map[string][]int     `toml:"company"`
	Ties    map[string]float64   `toml:"ties"`
	Sums    map[string][]float64 `toml:"sums"`
}

// isWeighed reports whether weights stand in the table.
func isWeighed(table string) bool { return slices.Contains(config.Keys(weighed{}), table) }

// Bounds of weights.
const (
	maxTerms  = 20_000
	maxWeight = 2000
	// outcomes is for how many outcomes a sum has weights.
	outcomes = 2
)

// weights reads the weights; nil where the file has none.
func (r *reader) weights() *state.Weights {
	w := &r.form.weighed
	if len(w.Terms)+len(w.Company)+len(w.Ties)+len(w.Sums) == 0 {
		return nil
	}
	if len(w.Ties) == 0 || len(w.Sums) == 0 {
		r.Tell(w.first(), "weights are no use without the tables [ties] and [sums]: moot lab learn writes all of them")
	}
	if len(w.Company) > 0 && len(w.Terms) == 0 {
		r.Tell("company", "[company] adds to what [terms] come to, and there are none: moot lab learn writes both")
	}
	read := &state.Weights{Terms: r.terms("terms", w.Terms), Company: r.terms("company", w.Company)}
	for _, name := range detect.TieNames() {
		if n, there := w.Ties[name]; there {
			r.logit("ties."+name, n)
			read.Ties = append(read.Ties, state.Weight{Name: name, Weight: n})
		}
	}
	r.unknown("ties", "tie", sorted(w.Ties), detect.TieNames())
	for _, name := range detect.SumNames() {
		of, there := w.Sums[name]
		switch {
		case !there:
			continue
		case len(of) != outcomes:
			r.Tell("sums."+name, "%s; a sum has %d: for CONFIRMED and for DISMISSED", plain.Counted(len(of), "weight"), outcomes)
			continue
		}
		r.logit("sums."+name, of[0])
		r.logit("sums."+name, of[1])
		read.Sums = append(read.Sums, state.SumWeight{Name: name, Confirmed: of[0], Dismissed: of[1]})
	}
	r.unknown("sums", "sum", sorted(w.Sums), detect.SumNames())
	return read
}

// first is the first table that is there.
func (w *weighed) first() string {
	switch {
	case len(w.Terms) > 0:
		return "terms"
	case len(w.Company) > 0:
		return "company"
	case len(w.Ties) > 0:
		return "ties"
	}
	return "sums"
}

// terms reads terms in the order of their names.
func (r *reader) terms(table string, given map[string][]int) []state.Term {
	if len(given) > maxTerms {
		r.Tell(table, "%d terms; %d are the most", len(given), maxTerms)
		return nil
	}
	readings := enum.Words(state.Readings())
	var all []state.Term
	for _, name := range sorted(given) {
		of := given[name]
		if len(of) != len(readings) {
			r.Tell(table+"."+name, "%s; a term has %d: for %s", plain.Counted(len(of), "weight"), len(readings), strings.Join(readings, ", "))
			continue
		}
		if slices.ContainsFunc(of, func(n int) bool { return n > maxWeight || n < -maxWeight }) {
			r.Tell(table+"."+name, "a weight is beyond %d hundredths", maxWeight)
		}
		all = append(all, state.Term{Name: name, Weights: of})
	}
	return all
}

// logit looks at the weight of a tie, or of a sum.
func (r *reader) logit(path string, n float64) {
	const hundredths = 100
	if math.IsNaN(n) || math.Abs(n) > maxWeight/hundredths {
		r.Tell(path, "the weight is not between -%d and %d", maxWeight/hundredths, maxWeight/hundredths)
	}
}

// unknown tells the names that are none.
func (r *reader) unknown(table, what string, given, known []string) {
	for _, name := range given {
		if !slices.Contains(known, name) {
			r.Tell(table+"."+name, "no %s is named %s%s", what, config.Named(name), config.Meant(enum.Nearest(name, known)))
		}
	}
}

// WriteWeights is the tables of weights, in TOML, as they stand in the file of a domain.
func WriteWeights(w *state.Weights) string {
	var text strings.Builder
	table := func(name, comment string) {
		fmt.Fprintf(&text, "\n# %s\n[%s]\n", comment, name)
	}
	terms := func(all []state.Term) {
		for i := range all {
			fmt.Fprintf(&text, "%s = %s\n", quoted(all[i].Name), list(all[i].Weights))
		}
	}
	table("terms", "What a fact does by its terms: hundredths for "+strings.Join(enum.Words(state.Readings()), ", ")+".")
	terms(w.Terms)
	table("company", "What the facts around it add.")
	terms(w.Company)
	table("ties", "How far a cover accounts for an act, by what they have in common.")
	for _, t := range w.Ties {
		fmt.Fprintf(&text, "%s = %s\n", quoted(t.Name), decimal(t.Weight))
	}
	table("sums", "What all facts come to: for CONFIRMED and for DISMISSED.")
	for _, s := range w.Sums {
		fmt.Fprintf(&text, "%s = [%s, %s]\n", quoted(s.Name), decimal(s.Confirmed), decimal(s.Dismissed))
	}
	return strings.TrimPrefix(text.String(), "\n")
}

// quoted is a key in TOML: what nobody could see in it is written by its number.
func quoted(name string) string {
	var text strings.Builder
	text.WriteByte('"')
	for _, r := range name {
		switch {
		case r == '"' || r == '\\':
			text.WriteByte('\\')
			text.WriteRune(r)
		case !strconv.IsPrint(r):
			fmt.Fprintf(&text, `\U%08X`, r)
		default:
			text.WriteRune(r)
		}
	}
	text.WriteByte('"')
	return text.String()
}

func list(all []int) string {
	return strings.ReplaceAll(fmt.Sprint(all), " ", ", ")
}

// decimal writes a number that TOML takes for one with a fraction.
func decimal(n float64) string { return fmt.Sprintf("%.2f", n) }
