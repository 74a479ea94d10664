package hearing

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// quantity is what a test of the judge reads of the two sides.
type quantity int

const (
	// ofA and ofS are the confidences of architect and skeptic.
	ofA quantity = iota
	ofS
	// leadA is a - s, leadS is s - a, apart is abs(a - s).
	leadA
	leadS
	apart
	// larger is max(a, s).
	larger
	// factsA and factsS are the numbers of distinct facts.
	factsA
	factsS
)

// relation is how a quantity is held against its bound.
type relation int

const (
	over relation = iota
	atLeast
	under
	atMost
)

// test is one comparison of a row. The bound is a number, or twice the other side's
// facts.
type test struct {
	of    quantity
	is    relation
	bound float64
	// twice is the side whose number of facts, doubled, is the bound; unset is 0.
	twice quantity
}

// row is a rule of the judge: the first whose tests all hold decides.
type row struct {
	outcome state.Outcome
	tests   []test
	// number is that of the row in the table, where it is not its place: what the
	// table says of the larger side is one row there, and two here.
	number int
}

// rowsOf are the rules of a version that goes by confidences and numbers of facts.
func rowsOf(version state.JudgeVersion) []row {
	confirmed := func(tests ...test) row { return row{outcome: state.Confirmed, tests: tests} }
	dismissed := func(tests ...test) row { return row{outcome: state.Dismissed, tests: tests} }
	v1 := []row{
		confirmed(test{of: ofA, is: atLeast, bound: 0.7}, test{of: ofS, is: under, bound: 0.5}),
		dismissed(test{of: ofS, is: atLeast, bound: 0.7}, test{of: ofA, is: under, bound: 0.5}),
	}
	switch version {
	case state.JudgeV1:
		return v1
	case state.JudgeV1Facts:
		return append(
			v1,
			confirmed(test{of: ofA, is: atLeast, bound: 0.7}, test{of: factsA, is: over, twice: factsS}),
			dismissed(test{of: ofS, is: atLeast, bound: 0.7}, test{of: factsS, is: over, twice: factsA}),
		)
	case state.JudgeV2:
		far, high := test{of: apart, is: over, bound: 0.15}, test{of: larger, is: over, bound: 0.6}
		rows := []row{
			confirmed(test{of: ofA, is: over, bound: 0.85}),
			dismissed(test{of: ofS, is: over, bound: 0.85}),
			confirmed(far, high, test{of: leadA, is: over, bound: 0}),
			dismissed(far, high, test{of: leadS, is: over, bound: 0}),
		}
		rows[3].number = 3
		return rows
	case state.JudgeV2Bounded:
		return []row{
			confirmed(test{of: ofA, is: atLeast, bound: 0.85}, test{of: ofS, is: atMost, bound: 0.65}),
			dismissed(test{of: ofS, is: atLeast, bound: 0.85}, test{of: ofA, is: atMost, bound: 0.65}),
			confirmed(test{of: leadA, is: atLeast, bound: 0.15}, test{of: ofA, is: atLeast, bound: 0.6}),
			dismissed(test{of: leadS, is: atLeast, bound: 0.15}, test{of: ofS, is: atLeast, bound: 0.6}),
		}
	}
	return nil
}

// numbers are what the tests read.
type numbers struct {
	a, s           float64
	factsA, factsS int
}

// value is the double, or the count, that a test compares.
func (n *numbers) value(of quantity) float64 {
	switch of {
	case ofA:
		return n.a
	case ofS:
		return n.s
	case leadA:
		return n.a - n.s
	case leadS:
		return n.s - n.a
	case apart:
		return math.Abs(n.a - n.s)
	case larger:
		return max(n.a, n.s)
	case factsA:
		return float64(n.factsA)
	case factsS:
		return float64(n.factsS)
	}
	return math.NaN()
}

// bound is what a test compares with.
func (n *numbers) bound(t *test) float64 {
	if t.twice != ofA {
		return 2 * n.value(t.twice) //nolint:mnd // as the rule says
	}
	return t.bound
}

func (n *numbers) holds(t *test) bool {
	value, bound := n.value(t.of), n.bound(t)
	switch t.is {
	case over:
		return value > bound
	case atLeast:
		return value >= bound
	case under:
		return value < bound
	case atMost:
		return value <= bound
	}
	return false
}

func (n *numbers) decides(r *row) bool {
	for i := range r.tests {
		if !n.holds(&r.tests[i]) {
			return false
		}
	}
	return true
}

// Comparison is one test of a row, with the numbers that it was made with.
type Comparison struct {
	// Test is the rule's, as in "a ≥ 0.7".
	Test string `json:"test"`
	// Numbers are what was compared, in full, as in "architect 0.9 ≥ 0.7"; where it
	// does not hold, as in "architect 0.6 is not ≥ 0.7".
	Numbers string `json:"numbers"`
	Holds   bool   `json:"holds"`
}

// Row is a row of the judge, as it was held against two sides.
type Row struct {
	// Rule is the version and the row, as in "v1.1".
	Rule string `json:"rule"`
	// Outcome is what follows where all tests hold.
	Outcome state.Outcome `json:"outcome"`
	Tests   []Comparison  `json:"tests"`
	Holds   bool          `json:"holds"`
}

// Rows are the rows of a version that goes by confidences and numbers of facts, each
// held against the two sides, in their order.
func Rows(version state.JudgeVersion, architect, skeptic Side) []Row {
	n := read(architect, skeptic)
	rows := rowsOf(version)
	out := make([]Row, len(rows))
	for i := range rows {
		out[i] = Row{Rule: ruleName(version, rows, i), Outcome: rows[i].outcome, Holds: n.decides(&rows[i])}
		for j := range rows[i].tests {
			t := &rows[i].tests[j]
			out[i].Tests = append(out[i].Tests, Comparison{Test: t.says(), Numbers: n.says(t), Holds: n.holds(t)})
		}
	}
	return out
}

// Says is the row in a line: "a ≥ 0.7 and s < 0.5".
func (r *Row) Says() string {
	parts := make([]string, len(r.Tests))
	for i := range r.Tests {
		parts[i] = r.Tests[i].Test
	}
	return strings.Join(parts, " and ")
}

// Numbers is the row with the numbers: all that hold where it does, and what does not
// where it fails.
func (r *Row) Numbers() string {
	var parts []string
	for _, t := range r.Tests {
		if t.Holds == r.Holds {
			parts = append(parts, t.Numbers)
		}
	}
	return strings.Join(parts, " and ")
}

func read(architect, skeptic Side) *numbers {
	return &numbers{a: architect.Confidence, s: skeptic.Confidence, factsA: len(Distinct(architect.Facts)), factsS: len(Distinct(skeptic.Facts))}
}

func ruleName(version state.JudgeVersion, rows []row, at int) string {
	number := at + 1
	if rows[at].number > 0 {
		number = rows[at].number
	}
	return string(version) + "." + strconv.Itoa(number)
}

// sign is a relation as it is written.
func (r relation) sign() string { return [...]string{">", "≥", "<", "≤"}[r] }

// letters is a quantity as tables write it.
func (q quantity) letters() string {
	return [...]string{"a", "s", "a − s", "s − a", "|a − s|", "max(a, s)", "facts(a)", "facts(s)"}[q]
}

func (t *test) says() string {
	switch {
	case t.is == over && t.bound == 0 && t.of == leadA:
		return "a > s"
	case t.is == over && t.bound == 0 && t.of == leadS:
		return "s > a"
	}
	if t.twice != ofA {
		return fmt.Sprintf("%s %s 2·%s", t.of.letters(), t.is.sign(), t.twice.letters())
	}
	return fmt.Sprintf("%s %s %s", t.of.letters(), t.is.sign(), Figure(t.bound))
}

// says is a test with its numbers.
func (n *numbers) says(t *test) string {
	sign := t.is.sign()
	if !n.holds(t) {
		sign = "is not " + sign
	}
	a, s, value := Figure(n.a), Figure(n.s), Figure(n.value(t.of))
	var what string
	switch {
	case t.is == over && t.bound == 0 && t.of == leadA:
		return fmt.Sprintf("architect %s %s skeptic %s", a, sign, s)
	case t.is == over && t.bound == 0 && t.of == leadS:
		return fmt.Sprintf("skeptic %s %s architect %s", s, sign, a)
	}
	switch t.of {
	case ofA:
		what = "architect " + a
	case ofS:
		what = "skeptic " + s
	case leadA:
		what = fmt.Sprintf("architect %s − skeptic %s = %s", a, s, value)
	case leadS:
		what = fmt.Sprintf("skeptic %s − architect %s = %s", s, a, value)
	case apart:
		what = fmt.Sprintf("|%s − %s| = %s", a, s, value)
	case larger:
		what = "the larger, " + value + ","
	case factsA:
		what = "the architect's " + plain.Counted(n.factsA, "fact")
	case factsS:
		what = "the skeptic's " + plain.Counted(n.factsS, "fact")
	}
	if t.twice != ofA {
		return fmt.Sprintf("%s %s 2·%s", what, sign, Figure(n.value(t.twice)))
	}
	return fmt.Sprintf("%s %s %s", what, sign, Figure(t.bound))
}

// Figure is a number in full: the shortest decimal that is this very double.
func Figure(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
