// Package judge is the arithmetic of hearings: the versions of the judge, the gates, and when an exchange
// ends. It is pure and knows numbers and facts, not sessions. Start at Judge.
package judge

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/state"
)

// Side is the judge's input from one side.
type Side struct {
	// Confidence is from 0 to 1.
	Confidence float64 `json:"confidence"`
	// Facts lists the ids that it cites; repetitions do not matter.
	Facts []string `json:"facts"`
}

// Verdict is the decision of the judge.
type Verdict struct {
	Outcome Outcome `json:"outcome"`
	// Confidence is the winner's, or the mean of both if nobody wins.
	Confidence float64 `json:"confidence"`
	// Supporting lists the distinct facts of the winner, or of both sides, in the order of first use, the
	// architect's first.
	Supporting []string `json:"supporting"`
	// Rule is the version and the row that decided, as in "v1.1", or Else.
	Rule string `json:"rule"`
}

// Else is the Rule of a verdict if no row applies.
const Else = "else"

// Judge decides by the confidences of both sides, compared as exact doubles, and by the numbers of their facts.
// It rejects a confidence that is not a number from 0 to 1.
func Judge(version Version, architect, skeptic Side) (Verdict, error) {
	for _, side := range []struct {
		seat state.Seat
		Side
	}{{Architect, architect}, {Skeptic, skeptic}} {
		if err := CheckConfidence(side.Confidence); err != nil {
			return Verdict{}, fmt.Errorf("the confidence of the %s: %w", side.seat, err)
		}
	}
	rows := Rows(version, architect, skeptic)
	if rows == nil {
		return Verdict{}, fmt.Errorf("unknown version %q of the judge", version)
	}
	a, s := architect.Confidence, skeptic.Confidence
	ofArchitect, ofSkeptic := lists.Distinct(architect.Facts), lists.Distinct(skeptic.Facts)
	for i := range rows {
		switch r := &rows[i]; {
		case !r.Holds:
		case r.Outcome == Confirmed:
			return Verdict{Outcome: r.Outcome, Confidence: a, Supporting: ofArchitect, Rule: r.Rule}, nil
		default:
			return Verdict{Outcome: r.Outcome, Confidence: s, Supporting: ofSkeptic, Rule: r.Rule}, nil
		}
	}
	both := lists.Distinct(append(ofArchitect, ofSkeptic...))
	return Verdict{Outcome: Inconclusive, Confidence: (a + s) / 2, Supporting: both, Rule: Else}, nil
}

// CheckConfidence rejects a number outside of 0 to 1.
func CheckConfidence(confidence float64) error {
	if math.IsNaN(confidence) || confidence < 0 || confidence > 1 {
		return fmt.Errorf("%v is not from 0 to 1", confidence)
	}
	return nil
}

// row is a rule of the judge. The first whose tests all hold decides.
type row struct {
	// number is the number of the row in the documented table: the rule about the larger side is
	// one row there and two here.
	number  int
	outcome Outcome
	tests   []test
}

// test is one comparison of a row: of and bound name quantities, or bound is a number.
type test struct{ of, sign, bound string }

// rowsOf returns the rules of a version of the judge.
func rowsOf(version Version) []row {
	v1 := []row{
		{1, Confirmed, []test{{"a", "≥", "0.7"}, {"s", "<", "0.5"}}},
		{2, Dismissed, []test{{"s", "≥", "0.7"}, {"a", "<", "0.5"}}},
	}
	switch version {
	case V1:
		return v1
	case V1Facts:
		return append(
			v1,
			row{3, Confirmed, []test{{"a", "≥", "0.7"}, {"facts(a)", ">", "2·facts(s)"}}},
			row{4, Dismissed, []test{{"s", "≥", "0.7"}, {"facts(s)", ">", "2·facts(a)"}}},
		)
	case V2:
		return []row{
			{1, Confirmed, []test{{"a", ">", "0.85"}}},
			{2, Dismissed, []test{{"s", ">", "0.85"}}},
			{3, Confirmed, []test{{"|a − s|", ">", "0.15"}, {"max(a, s)", ">", "0.6"}, {"a", ">", "s"}}},
			{3, Dismissed, []test{{"|a − s|", ">", "0.15"}, {"max(a, s)", ">", "0.6"}, {"s", ">", "a"}}},
		}
	case V2Bounded:
		return []row{
			{1, Confirmed, []test{{"a", "≥", "0.85"}, {"s", "≤", "0.65"}}},
			{2, Dismissed, []test{{"s", "≥", "0.85"}, {"a", "≤", "0.65"}}},
			{3, Confirmed, []test{{"a − s", "≥", "0.15"}, {"a", "≥", "0.6"}}},
			{4, Dismissed, []test{{"s − a", "≥", "0.15"}, {"s", "≥", "0.6"}}},
		}
	}
	return nil
}

// quantity is a number that tests compare, with the words that show how it came about.
type quantity struct {
	value float64
	words string
}

// quantities returns what tests compare, by the notation of the rules.
func quantities(architect, skeptic Side) map[string]quantity {
	a, s := architect.Confidence, skeptic.Confidence
	of, against := Figure(a), Figure(s)
	facts, others := len(lists.Distinct(architect.Facts)), len(lists.Distinct(skeptic.Facts))
	return map[string]quantity{
		"a":          {a, "architect " + of},
		"s":          {s, "skeptic " + against},
		"a − s":      {a - s, fmt.Sprintf("architect %s − skeptic %s = %s", of, against, Figure(a-s))},
		"s − a":      {s - a, fmt.Sprintf("skeptic %s − architect %s = %s", against, of, Figure(s-a))},
		"|a − s|":    {math.Abs(a - s), fmt.Sprintf("|%s − %s| = %s", of, against, Figure(math.Abs(a-s)))},
		"max(a, s)":  {max(a, s), "the larger, " + Figure(max(a, s)) + ","},
		"facts(a)":   {float64(facts), "the architect's " + plain.Counted(facts, "fact")},
		"facts(s)":   {float64(others), "the skeptic's " + plain.Counted(others, "fact")},
		"2·facts(a)": {2 * float64(facts), fmt.Sprintf("2·%d", facts)},
		"2·facts(s)": {2 * float64(others), fmt.Sprintf("2·%d", others)},
	}
}

// apply compares the numbers of a test, and shows them in full: "architect 0.9 ≥ 0.7" or, if the test fails,
// "architect 0.6 is not ≥ 0.7".
func (t *test) apply(known map[string]quantity) (holds bool, numbers string) {
	of, bound := known[t.of], quantity{words: t.bound}
	if named, ok := known[t.bound]; ok {
		bound = named
	} else if number, err := strconv.ParseFloat(t.bound, 64); err == nil {
		bound.value = number
	}
	holds = map[string]bool{
		">": of.value > bound.value, "≥": of.value >= bound.value,
		"<": of.value < bound.value, "≤": of.value <= bound.value,
	}[t.sign]
	verb := ""
	if !holds {
		verb = "is not "
	}
	return holds, of.words + " " + verb + t.sign + " " + bound.words
}

// Row is a row of the judge, applied to two sides.
type Row struct {
	// Rule is the version and the row, as in "v1.1".
	Rule string
	// Outcome follows if the row holds: if all its tests do.
	Outcome Outcome
	Holds   bool
	// Says is the row in a line: "a ≥ 0.7 and s < 0.5".
	Says string
	// Numbers shows the row with its numbers: all tests if it holds, or the tests that fail.
	Numbers string
}

// Rows returns the rows of a version in order, each applied to the two sides.
func Rows(version Version, architect, skeptic Side) []Row {
	known := quantities(architect, skeptic)
	var applied []Row
	for _, r := range rowsOf(version) {
		var says, held, failed []string
		for _, t := range r.tests {
			says = append(says, t.of+" "+t.sign+" "+t.bound)
			if holds, numbers := t.apply(known); holds {
				held = append(held, numbers)
			} else {
				failed = append(failed, numbers)
			}
		}
		numbers := failed
		if len(failed) == 0 {
			numbers = held
		}
		applied = append(applied, Row{
			Rule: fmt.Sprintf("%s.%d", version, r.number), Outcome: r.outcome, Holds: len(failed) == 0,
			Says: strings.Join(says, " and "), Numbers: strings.Join(numbers, " and "),
		})
	}
	return applied
}

// Figure formats a number as the shortest decimal of exactly this double.
func Figure(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// The seats that argue a hearing.
const (
	// Architect argues that it holds.
	Architect state.Seat = "architect"
	// Skeptic argues that it does not.
	Skeptic state.Seat = "skeptic"
)

// Outcome is the result of a hearing.
type Outcome string

// The outcomes. They are shown with the domain's prefix: THREAT_CONFIRMED.
const (
	Confirmed    Outcome = "CONFIRMED"
	Dismissed    Outcome = "DISMISSED"
	Inconclusive Outcome = "INCONCLUSIVE"
)

// Outcomes returns every Outcome.
func Outcomes() []Outcome { return []Outcome{Confirmed, Dismissed, Inconclusive} }

// UnmarshalText refuses a word that is no Outcome. It removes a prefix that ends in an
// underscore.
func (o *Outcome) UnmarshalText(text []byte) error {
	word := string(text)
	return enum.Unmarshal("outcome", []byte(word[strings.LastIndexByte(word, '_')+1:]), Outcomes(), o)
}

// Version is which arithmetic decides.
type Version string

// The versions.
const (
	V1        Version = "v1"
	V1Facts   Version = "v1-facts"
	V2        Version = "v2"
	V2Bounded Version = "v2-bounded"
)

// Versions returns every Version.
func Versions() []Version { return []Version{V1, V1Facts, V2, V2Bounded} }

// UnmarshalText refuses unknown versions.
func (v *Version) UnmarshalText(text []byte) error {
	return enum.Unmarshal("version of the judge", text, Versions(), v)
}

// Gate decides whether a selective hearing continues.
type Gate string

// The gates.
const (
	// GateEscalation opens for a verdict in the middle.
	GateEscalation Gate = "escalation"
	// GateMiscalibration opens for a verdict that looks surer than its facts are.
	GateMiscalibration Gate = "miscalibration"
	GateEither         Gate = "either"
)

// Gates returns every Gate.
func Gates() []Gate { return []Gate{GateEscalation, GateMiscalibration, GateEither} }

// UnmarshalText refuses unknown gates. Hearings without a gate have "".
func (g *Gate) UnmarshalText(text []byte) error {
	return enum.Unmarshal("gate", text, append(Gates(), ""), g)
}
