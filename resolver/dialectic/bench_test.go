package dialectic_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"moot/ledger"
	"moot/resolver/dialectic"
)

// heap makes an input of n objections, each with ten items of its own and some
// that cite more: the kinds, sides and confidences differ from item to item.
func heap(n int) *dialectic.Input {
	in := &dialectic.Input{Round: 1, Directive: "Set every limit to 8"}
	in.Artifact.Proposal.ID = "P1"
	categories := []string{"Regulatory", "Safety", "External-Availability", "Factual", "Categorical", "Other"}
	kinds := ledger.SourceKinds()
	for i := range n / 10 {
		in.Artifact.Proposal.Fields = append(in.Artifact.Proposal.Fields, dialectic.Field{
			Path: "limit." + strconv.Itoa(i), Value: json.RawMessage("8"), Category: categories[i%6], Grounded: i%10 == 0,
			Evidence: []string{"E" + strconv.Itoa(i*100)},
		})
	}
	for i := range n {
		target, predicate := "limit."+strconv.Itoa(i/10), "holds under load "+strconv.Itoa(i%10)
		in.Artifact.Objections = append(in.Artifact.Objections, dialectic.Objection{
			ID: "C" + strconv.Itoa(i), Target: target, Category: categories[i%6], Predicate: predicate, Round: 1,
			Severity: dialectic.Severities()[i%4], Evidence: []string{"E" + strconv.Itoa(i)},
		})
		for j := range 10 {
			e := dialectic.Evidence{
				ID: "E" + strconv.Itoa(i*10+j), SourceKind: kinds[(i+j)%7], Point: target, Relation: ledger.Supports,
				Predicate: predicate, Value: json.RawMessage("8"), Confidence: 0.5 + float64((i*7+j*3)%50)/100,
				Reference: "limits.go:8", Quote: "const limit = 8", Worker: "citation", Round: 1, Verified: j%5 != 0,
			}
			if (i+j)%3 == 0 {
				e.Relation = ledger.Refutes
			}
			in.Evidence = append(in.Evidence, e)
		}
	}
	return in
}

// crowd is a heap in which everything is about one thing, where an index by
// subject helps nobody.
func crowd(n int) *dialectic.Input {
	in := heap(n)
	for i := range in.Artifact.Objections {
		in.Artifact.Objections[i].Target, in.Artifact.Objections[i].Predicate = "limit.0", "holds"
	}
	for i := range in.Evidence {
		in.Evidence[i].Point, in.Evidence[i].Predicate = "limit.0", "holds"
	}
	return in
}

// shapes are the great inputs.
func shapes() map[string]func(int) *dialectic.Input {
	return map[string]func(int) *dialectic.Input{"apart": heap, "crowded": crowd}
}

// Ten times the objections and items are ten times the work: as many looks at an
// item and allocations for each objection, however many there are.
func TestTheWorkIsLinear(t *testing.T) {
	for name, shape := range shapes() {
		looks, allocations := map[int]float64{}, map[int]float64{}
		for _, n := range []int{500, 5000} {
			in := shape(n)
			looks[n] = float64(dialectic.Looks(in)) / float64(n)
			allocations[n] = testing.AllocsPerRun(1, func() { dialectic.Resolve(in) }) / float64(n)
		}
		if looks[5000] < 10 || looks[5000] > 1.01*looks[500] {
			t.Errorf("%s: an objection takes %v looks at an item among 500, and %v among 5000", name, looks[500], looks[5000])
		}
		if allocations[5000] > 1.05*allocations[500] {
			t.Errorf("%s: an objection takes %v allocations among 500, and %v among 5000", name, allocations[500], allocations[5000])
		}
	}
}

// BenchmarkResolve measures great inputs. Targets: 100,000 objections over
// 1,000,000 items in under 2 s, and as many ns for each objection among 1,000.
func BenchmarkResolve(b *testing.B) {
	for name, shape := range shapes() {
		for _, n := range []int{1000, 10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				in := shape(n)
				for b.Loop() {
					if got := dialectic.Resolve(in); len(got.Receipts) != n+9 {
						b.Fatal(len(got.Receipts))
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/objection")
			})
		}
	}
}

// typical is an artifact as a session has it: 20 fields with numbers, paths and
// names in them, 30 objections, 100 items.
func typical() *dialectic.Input {
	in := &dialectic.Input{Round: 1, Directive: "Roll the new limits out to 10 % of users by 2026-11-21"}
	in.Artifact.Proposal = dialectic.Proposal{ID: "P1", Round: 1}
	values := []string{`8`, `"10 %"`, `"limits.go:8"`, `"raise it to 30s on 21 November 2026"`, `["eu-west-1", 3]`}
	for i := range 20 {
		in.Artifact.Proposal.Fields = append(in.Artifact.Proposal.Fields, dialectic.Field{
			Path: "limit." + strconv.Itoa(i), Value: json.RawMessage(values[i%5]), Category: "Safety", Grounded: true,
			Evidence: []string{"E" + strconv.Itoa(i), "E" + strconv.Itoa(i+20)},
		})
	}
	for i := range 30 {
		in.Artifact.Objections = append(in.Artifact.Objections, dialectic.Objection{
			ID: "C" + strconv.Itoa(i), Target: "limit." + strconv.Itoa(i%20), Category: "Factual", Severity: dialectic.Severities()[i%4],
			Predicate: "the error budget allows it", Round: 1,
		})
	}
	for i := range 100 {
		in.Evidence = append(in.Evidence, dialectic.Evidence{
			ID: "E" + strconv.Itoa(i), SourceKind: ledger.SourceKinds()[1+i/20], Point: "limit." + strconv.Itoa(i%20),
			Relation: ledger.Supports, Predicate: "The error budget allows it.", Value: json.RawMessage(`"30 s"`), Confidence: 0.9,
			Reference: "limits.go:8", Quote: "limits.go:8: const limit = 8 // of 3 in eu-west-1", Worker: "citation", Round: 1, Verified: true,
		})
	}
	return in
}

// BenchmarkTypical has the target 200 µs, receipts included.
func BenchmarkTypical(b *testing.B) {
	in := typical()
	if got := dialectic.Resolve(in); got.Decision != dialectic.Advance {
		b.Fatalf("%s: %+v", got.Decision, got.Artifact.Validation)
	}
	b.ReportAllocs()
	for b.Loop() {
		dialectic.Resolve(in)
	}
}
