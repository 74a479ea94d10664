package gates_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
)

// anyInput draws an input in which much is about the same few things.
func anyInput(t *rapid.T) *gates.Input {
	paths := []string{"limit", "timeout", "region", "gone"}
	// Most of it is about one thing, so that items meet others of their kind.
	targets := []string{"limit", "limit", "limit", "limit", "timeout", "region", "gone"}
	predicates := []string{"holds", "Holds!", " HOLDS ", "is safe", ""}
	in := &gates.Input{Round: rapid.IntRange(1, 4).Draw(t, "round"), Directive: "set the limit to 8 retries"}
	in.Artifact.Proposal = gates.Proposal{ID: "P1", Round: rapid.IntRange(1, 4).Draw(t, "proposed")}
	for i, path := range paths[:3] {
		in.Artifact.Proposal.Fields = append(in.Artifact.Proposal.Fields, gates.Field{
			Path: path, Value: json.RawMessage(rapid.SampledFrom([]string{
				"8", `"30 s"`, "null",
				`["eu-west-1"]`,
			}).Draw(t, "value")),
			Category: rapid.SampledFrom([]string{"Safety", "Factual", "Taste"}).Draw(t, "category"),
			Grounded: rapid.Bool().Draw(t, "grounded"), Evidence: []string{"E" + strconv.Itoa(i)},
		})
	}
	for i := range rapid.IntRange(3, 40).Draw(t, "items") {
		in.Evidence = append(in.Evidence, gates.Evidence{
			ID: "E" + strconv.Itoa(i), SourceKind: rapid.SampledFrom(ledger.SourceKinds()).Draw(t, "kind"),
			Point:      rapid.SampledFrom(targets).Draw(t, "point"),
			Relation:   rapid.SampledFrom([]ledger.Relation{ledger.Supports, ledger.Refutes}).Draw(t, "relation"),
			Predicate:  rapid.SampledFrom(predicates).Draw(t, "predicate"),
			Confidence: float64(rapid.IntRange(50, 100).Draw(t, "confidence")) / 100,
			Quote:      "const retries = 8", Round: rapid.IntRange(1, 4).Draw(t, "at"),
			Verified: rapid.Bool().Draw(t, "verified"),
		})
	}
	for i := range rapid.IntRange(0, 8).Draw(t, "objections") {
		o := gates.Objection{
			ID: "C" + strconv.Itoa(i), Target: rapid.SampledFrom(targets).Draw(t, "target"),
			Category:  rapid.SampledFrom([]string{"Safety", "Factual", "Regulatory", "Taste"}).Draw(t, "threshold"),
			Severity:  rapid.SampledFrom(gates.Severities()).Draw(t, "severity"),
			Predicate: rapid.SampledFrom(predicates).Draw(t, "asked"), Round: 1,
			Conceded: rapid.IntRange(0, 5).Draw(t, "conceded") == 0,
		}
		if rapid.Bool().Draw(t, "lists") {
			o.Evidence = []string{"E" + strconv.Itoa(rapid.IntRange(0, len(in.Evidence)-1).Draw(t, "listed"))}
		}
		in.Artifact.Objections = append(in.Artifact.Objections, o)
	}
	return in
}

func TestAWeakerItemNeverChangesAnOutcome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		before := gates.Resolve(in)
		for i, s := range before.Artifact.Resolutions {
			if s.BestFor == "" && s.BestAgainst == "" {
				unchanged(t, in, i, s, ineligible(t, in, i, s))
				continue
			}
			// Under R4 there is no decider; the best of either side will do.
			decider := held(in, cmp.Or(s.Decider, s.BestFor))
			weaker := decider
			weaker.ID, weaker.Predicate, weaker.Point = "E99", in.Artifact.Objections[i].Predicate,
				in.Artifact.Objections[i].Target
			weaker.Relation = rapid.SampledFrom([]ledger.Relation{ledger.Supports, ledger.Refutes}).Draw(t, "side")
			kinds := ledger.SourceKinds()
			at := slices.Index(kinds, decider.SourceKind)
			weaker.Verified = decider.Verified || decider.SourceKind == ledger.UserOverride
			if !weaker.Verified || at == len(kinds)-1 {
				// It counts as the weakest kind already: it may be as sure as it
				// likes on its own side, and is nothing on the other.
				weaker.Relation = decider.Relation
			} else {
				weaker.SourceKind = rapid.SampledFrom(kinds[at+1:]).Draw(t, "weaker")
			}
			weaker.Confidence = float64(rapid.IntRange(60, 100).Draw(t, "sure")) / 100
			unchanged(t, in, i, s, weaker)
		}
	})
}

// ineligible draws an item on an objection that is below the threshold, whatever
// else it is; where the user ruled or the field is gone, anything is weaker.
func ineligible(t *rapid.T, in *gates.Input, i int, s gates.Resolution) gates.Evidence {
	below := s.Threshold - 0.01
	if s.Rule != "R5" {
		below = 1
	}
	return gates.Evidence{
		ID: "E99", Point: in.Artifact.Objections[i].Target, Predicate: in.Artifact.Objections[i].Predicate,
		Verified:   rapid.Bool().Draw(t, "checked"),
		SourceKind: rapid.SampledFrom(ledger.SourceKinds()[1:]).Draw(t, "any kind"),
		Confidence: rapid.Float64Range(0, below).Draw(t, "unsure"),
		Relation:   rapid.SampledFrom([]ledger.Relation{ledger.Supports, ledger.Refutes}).Draw(t, "any side"),
	}
}

// unchanged demands that an objection comes out as before with another item, in
// front of the others or behind them.
func unchanged(t *rapid.T, in *gates.Input, i int, s gates.Resolution, weaker gates.Evidence) {
	more := *in
	more.Evidence = slices.Concat(in.Evidence, []gates.Evidence{weaker})
	if rapid.Bool().Draw(t, "in front") {
		more.Evidence = slices.Concat([]gates.Evidence{weaker}, in.Evidence)
	}
	if got := gates.Resolve(&more).Artifact.Resolutions[i]; got.Outcome != s.Outcome || got.Rule == "R4" &&
		s.Rule != "R4" {
		t.Fatalf("%s was %s by %s; with %+v it is %s by %s", s.Objection, s.Outcome, s.Decider, weaker, got.Outcome,
			got.Decider)
	}
}

// held is an item by its id.
func held(in *gates.Input, id string) gates.Evidence {
	return in.Evidence[slices.IndexFunc(in.Evidence, func(e gates.Evidence) bool { return e.ID == id })]
}

func TestModelsWordsNeverClearAboveLOW(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		for i := range in.Evidence {
			if rapid.Bool().Draw(t, "unverified") {
				in.Evidence[i].SourceKind = rapid.SampledFrom(ledger.SourceKinds()[1:]).Draw(t, "claims to be")
				in.Evidence[i].Verified = false
			} else {
				in.Evidence[i].SourceKind = ledger.LLMInference
			}
			in.Evidence[i].Confidence = 1
		}
		in.Config.Allow = map[gates.Severity][]ledger.SourceKind{
			rapid.SampledFrom(gates.Severities()).Draw(t, "configured"): ledger.SourceKinds(),
		}
		result := gates.Resolve(in)
		for i, s := range result.Artifact.Resolutions {
			if in.Artifact.Objections[i].Severity != gates.Low && s.Outcome == gates.Cleared {
				t.Fatalf("%s was cleared by %s", s.Objection, s.Decider)
			}
		}
	})
}

// Order is the last tie-break: it is asked only between items of the same kind and
// the same confidence on the same side of an objection. Which of those is named as
// the decider may change with the order, and nothing else may: no outcome, no gate,
// no decision, and no other kind or confidence of what decided.
func TestTheOrderOfEvidenceDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		before := gates.Resolve(in)
		reversed := slices.Clone(in.Evidence)
		slices.Reverse(reversed)
		for _, order := range [][]gates.Evidence{reversed, rapid.Permutation(in.Evidence).Draw(t, "order")} {
			moved := *in
			moved.Evidence = order
			after := gates.Resolve(&moved)
			if before.Decision != after.Decision {
				t.Fatalf("%s became %s", before.Decision, after.Decision)
			}
			for i, s := range before.Artifact.Resolutions {
				if r := after.Artifact.Resolutions[i]; weighed(in, s) != weighed(in, r) {
					t.Fatalf("%+v became %+v", s, r)
				}
			}
			for i, g := range before.Artifact.Validation.Gates {
				if a := after.Artifact.Validation.Gates[i]; !slices.Equal(g.Reasons, a.Reasons) {
					t.Fatalf("%v became %v", g, a)
				}
			}
		}
	})
}

// weighed is a resolution with what its items weigh in the place of their ids.
func weighed(in *gates.Input, s gates.Resolution) gates.Resolution {
	s.Decider, s.BestFor, s.BestAgainst = weight(in, s.Decider), weight(in, s.BestFor), weight(in, s.BestAgainst)
	return s
}

// weight is all of an item that decides between it and another.
func weight(in *gates.Input, id string) string {
	if id == "" || id == "user" {
		return id
	}
	e := held(in, id)
	switch {
	case e.SourceKind == ledger.UserOverride:
		return "user-override"
	case !e.Verified:
		return fmt.Sprintf("llm-inference %v", e.Confidence)
	}
	return fmt.Sprintf("%s %v", e.SourceKind, e.Confidence)
}

func TestAUserRulingAlwaysWins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		if len(in.Artifact.Objections) == 0 {
			return
		}
		i := rapid.IntRange(0, len(in.Artifact.Objections)-1).Draw(t, "objection")
		ruling := rapid.SampledFrom(gates.Rulings()).Draw(t, "ruling")
		in.Artifact.Objections[i].Ruling = ruling
		want := map[gates.Ruling]gates.Outcome{
			gates.RulingCleared: gates.Cleared,
			gates.RulingUpheld:  gates.Upheld,
		}[ruling]
		if got := gates.Resolve(in).Artifact.Resolutions[i]; got.Outcome != want || got.Rule != "R0" ||
			got.Decider != "user" {
			t.Fatalf("%s: %+v", ruling, got)
		}
	})
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		before := write(t, gates.Resolve(in))
		copied := *in
		copied.Evidence = slices.Clone(in.Evidence)
		if after := write(t, gates.Resolve(&copied)); !bytes.Equal(before, after) {
			t.Fatalf("%s\n%s", before, after)
		}
	})
}

// A hash covers the canonical JSON of RFC 8785.
func TestReceiptsAreCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		in := anyInput(t)
		in.Artifact.Proposal.ID = text.Draw(t, "id") + "\u2028<&>\u007f\t"
		for i := range in.Artifact.Objections {
			in.Artifact.Objections[i].Target = text.Draw(t, "target")
		}
		prev := ledger.ZeroHash
		for _, r := range gates.Resolve(in).Receipts {
			object := map[string]any{
				"seq": r.Seq, "round": r.Round, "rule": r.Rule, "subject": r.Subject, "reads": r.Reads,
				"threshold": r.Threshold, "observed": r.Observed, "outcome": r.Outcome, "reason": r.Reason,
			}
			encoded, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			canonical := jsontext.Value(encoded)
			if err := canonical.Canonicalize(); err != nil {
				t.Fatal(err)
			}
			if want := ledger.Hash(append([]byte(prev), canonical...)); r.Hash != want {
				t.Fatalf("receipt %d: %s is not the hash of %s", r.Seq, r.Hash, canonical)
			}
			prev = r.Hash
		}
	})
}

func write(t *rapid.T, r gates.Result) []byte {
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
