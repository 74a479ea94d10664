package domain_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"moot/domain"
	"moot/resolver/detect"
	"moot/resolver/hearing"
	"moot/state"
)

const judgePage = "../docs/judge.md"

// TestJudgePage keeps the example of docs/judge.md: what the facts of its claims do, what
// they come to, and the line that moot judge prints.
func TestJudgePage(t *testing.T) {
	old, err := os.ReadFile(judgePage)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(old, []byte("<!-- claims: an example -->\n\n```json\n"))
	input, _, found := bytes.Cut(rest, []byte("```\n"))
	begin, end := []byte("<!-- claims: written by a test -->\n"), []byte("<!-- end of claims -->")
	before, rest, begins := bytes.Cut(old, begin)
	_, after, ends := bytes.Cut(rest, end)
	if !found || !begins || !ends {
		t.Fatalf("%s has no place for the example of claims", judgePage)
	}
	want := slices.Concat(before, begin, []byte("\n"+worked(t, input)+"\n"), end, after)
	keepPage(t, judgePage, old, want)
}

// worked is the example reckoned step by step.
func worked(t *testing.T, input []byte) string {
	in, err := hearing.NewReader(bytes.NewReader(input), domain.Names()).Next()
	if err != nil {
		t.Fatal(err)
	}
	d, err := domain.BuiltIn(in.Domain)
	if err != nil {
		t.Fatal(err)
	}
	ready, err := detect.Compile(&d)
	if err != nil {
		t.Fatal(err)
	}
	c := ready.Find(in.Packet)
	var b strings.Builder
	b.WriteString("What each fact does:\n\n| fact |")
	for _, role := range state.Readings() {
		fmt.Fprintf(&b, " %s |", role)
	}
	b.WriteString(" nothing |\n|---|" + strings.Repeat("---|", len(state.Readings())+1) + "\n")
	for i := range in.Packet.Len() {
		f, rest := in.Packet.At(i), 1.0
		fmt.Fprintf(&b, "| `%s` |", f.ID)
		for _, n := range c.Likely(f.ID) {
			rest -= n
			fmt.Fprintf(&b, " %.3f |", n)
		}
		fmt.Fprintf(&b, " %.3f |\n", math.Abs(rest))
	}
	b.WriteString("\nHow far the ticket fits the acts:\n\n| cover | act | ties | z | fits |\n|---|---|---|---|---|\n")
	for _, pair := range c.Pairs() {
		z := 0.0
		for _, tie := range d.Weights.Ties {
			if slices.Contains(pair.Ties, tie.Name) {
				z += tie.Weight
			}
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %.2f | %.3f |\n", pair.Cover, pair.Act, strings.Join(pair.Ties, ", "), z, 1/(1+math.Exp(-z)))
	}
	b.WriteString("\nWhat all facts come to:\n\n| sum | value | for CONFIRMED | for DISMISSED |\n|---|---|---|---|\n")
	var z [2]float64
	for k, n := range c.Evidence() {
		at := slices.IndexFunc(d.Weights.Sums, func(s state.SumWeight) bool { return s.Name == detect.SumNames()[k] })
		if at < 0 {
			continue
		}
		w := d.Weights.Sums[at]
		z[0], z[1] = z[0]+n*w.Confirmed, z[1]+n*w.Dismissed
		fmt.Fprintf(&b, "| %s | %.3f | %.2f × %.3f = %.3f | %.2f × %.3f = %.3f |\n", w.Name, n, w.Confirmed, n, n*w.Confirmed, w.Dismissed, n, n*w.Dismissed)
	}
	fmt.Fprintf(&b, "| together | | %.3f | %.3f |\n\n", z[0], z[1])
	total := 1 + math.Exp(z[0]) + math.Exp(z[1])
	fmt.Fprintf(&b, "So the shares are e^%.3f, e^%.3f and 1, divided by their sum: %.3f, %.3f and %.3f.\n", z[0], z[1], math.Exp(z[0])/total, math.Exp(z[1])/total, 1/total)
	answer := func(says string) {
		var line strings.Builder
		if err := in.Answer(&line, func(string) (*detect.Detector, error) { return ready, nil }); err != nil {
			t.Fatal(err)
		}
		b.WriteString(says + "\n\n```json\n" + line.String() + "```\n")
	}
	answer("Both sides cite all that speaks for them, and keep their shares. `moot judge` prints:")
	in.Claims = in.Claims[:1]
	answer("\nWithout the claim S1 nobody cites what accounts for the acts. The skeptic keeps nothing of its\nshare, and what nobody cites wins for nobody:")
	return b.String()
}
