package dialectic_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"moot/ledger"
	"moot/resolver/dialectic"
)

// anyInput draws an input in which much is about the same few things.
func anyInput(t *rapid.T) *dialectic.Input {
	paths := []string{"limit", "timeout", "region", "gone"}
	predicates := []string{"", "holds", "Holds!", "is safe"}
	in := &dialectic.Input{Round: rapid.IntRange(1, 4).Draw(t, "round"), Directive: "set the limit to 8 retries"}
	in.Artifact.Proposal = dialectic.Proposal{ID: "P1", Round: rapid.IntRange(1, 4).Draw(t, "proposed")}
	for i, path := range paths[:3] {
		in.Artifact.Proposal.Fields = append(in.Artifact.Proposal.Fields, dialectic.Field{
			Path: path, Value: json.RawMessage(rapid.SampledFrom([]string{"8", `"30 s"`, "null", `["eu-west-1"]`}).Draw(t, "value")),
			Category: rapid.SampledFrom([]string{"Safety", "Factual", "Taste"}).Draw(t, "category"),
			Grounded: rapid.Bool().Draw(t, "grounded"), Evidence: []string{"E" + strconv.Itoa(i)},
		})
	}
	for i := range rapid.IntRange(3, 30).Draw(t, "items") {
		in.Evidence = append(in.Evidence, dialectic.Evidence{
			ID: "E" + strconv.Itoa(i), SourceKind: rapid.SampledFrom(ledger.SourceKinds()).Draw(t, "kind"),
			Point:      rapid.SampledFrom(paths).Draw(t, "point"),
			Relation:   rapid.SampledFrom([]ledger.Relation{ledger.Supports, ledger.Refutes}).Draw(t, "relation"),
			Predicate:  rapid.SampledFrom(predicates).Draw(t, "predicate"),
			Confidence: float64(rapid.IntRange(50, 100).Draw(t, "confidence")) / 100,
			Quote:      "const retries = 8", Round: rapid.IntRange(1, 4).Draw(t, "at"), Verified: rapid.Bool().Draw(t, "verified"),
		})
	}
	for i := range rapid.IntRange(0, 8).Draw(t, "objections") {
		o := dialectic.Objection{
			ID: "C" + strconv.Itoa(i), Target: rapid.SampledFrom(paths).Draw(t, "target"),
			Category:  rapid.SampledFrom([]string{"Safety", "Factual", "Regulatory", "Taste"}).Draw(t, "threshold"),
			Severity:  rapid.SampledFrom(dialectic.Severities()).Draw(t, "severity"),
			Predicate: rapid.SampledFrom(predicates).Draw(t, "asked"), Round: 1, Conceded: rapid.IntRange(0, 5).Draw(t, "conceded") == 0,
		}
		if rapid.Bool().Draw(t, "lists") {
			o.Evidence = []string{"E" + strconv.Itoa(rapid.IntRange(0, len(in.Evidence)-1).Draw(t, "listed"))}
		}
		in.Artifact.Objections = append(in.Artifact.Objections, o)
	}
	return in
}

func outcomes(r *dialectic.Result) []dialectic.Outcome {
	var all []dialectic.Outcome
	for _, s := range r.Artifact.Resolutions {
		all = append(all, s.Outcome)
	}
	return all
}

func TestAWeakerItemNeverChangesAnOutcome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		before := dialectic.Resolve(in)
		for i, s := range before.Artifact.Resolutions {
			if s.Decider == "" {
				continue
			}
			decider := in.Evidence[slices.IndexFunc(in.Evidence, func(e dialectic.Evidence) bool { return e.ID == s.Decider })]
			weaker := decider
			weaker.ID, weaker.Predicate, weaker.Point = "E99", in.Artifact.Objections[i].Predicate, in.Artifact.Objections[i].Target
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
			weaker.Confidence = float64(rapid.IntRange(0, 100).Draw(t, "sure")) / 100
			more := *in
			more.Evidence = slices.Concat(in.Evidence, []dialectic.Evidence{weaker})
			after := dialectic.Resolve(&more)
			if got := after.Artifact.Resolutions[i]; got.Outcome != s.Outcome {
				t.Fatalf("%s was %s by %s; with %+v it is %s by %s", s.Objection, s.Outcome, s.Decider, weaker, got.Outcome, got.Decider)
			}
		}
	})
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
		in.Config.Allow = map[dialectic.Severity][]ledger.SourceKind{
			rapid.SampledFrom(dialectic.Severities()).Draw(t, "configured"): ledger.SourceKinds(),
		}
		result := dialectic.Resolve(in)
		for i, s := range result.Artifact.Resolutions {
			if in.Artifact.Objections[i].Severity != dialectic.Low && s.Outcome == dialectic.Cleared {
				t.Fatalf("%s was cleared by %s", s.Objection, s.Decider)
			}
		}
	})
}

// Among items that are equal in all that counts the first one is named; else the
// order of evidence changes nothing but the order in which it is read.
func TestTheOrderOfEvidenceDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		before := dialectic.Resolve(in)
		shuffled := *in
		shuffled.Evidence = rapid.Permutation(in.Evidence).Draw(t, "order")
		after := dialectic.Resolve(&shuffled)
		if before.Decision != after.Decision || !slices.Equal(outcomes(&before), outcomes(&after)) {
			t.Fatalf("%s %v became %s %v", before.Decision, outcomes(&before), after.Decision, outcomes(&after))
		}
		for i := range before.Artifact.Validation.Gates {
			if a, b := before.Artifact.Validation.Gates[i], after.Artifact.Validation.Gates[i]; !slices.Equal(a.Reasons, b.Reasons) {
				t.Fatalf("%v became %v", a, b)
			}
		}
	})
}

func TestAUserRulingAlwaysWins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		if len(in.Artifact.Objections) == 0 {
			return
		}
		i := rapid.IntRange(0, len(in.Artifact.Objections)-1).Draw(t, "objection")
		ruling := rapid.SampledFrom(dialectic.Rulings()).Draw(t, "ruling")
		in.Artifact.Objections[i].Ruling = ruling
		want := map[dialectic.Ruling]dialectic.Outcome{dialectic.RulingCleared: dialectic.Cleared, dialectic.RulingUpheld: dialectic.Upheld}[ruling]
		if got := dialectic.Resolve(in).Artifact.Resolutions[i]; got.Outcome != want || got.Rule != "R0" || got.Decider != "user" {
			t.Fatalf("%s: %+v", ruling, got)
		}
	})
}

func TestTheSameInputGivesTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput(t)
		before := write(t, dialectic.Resolve(in))
		copied := *in
		copied.Evidence = slices.Clone(in.Evidence)
		if after := write(t, dialectic.Resolve(&copied)); !bytes.Equal(before, after) {
			t.Fatalf("%s\n%s", before, after)
		}
	})
}

// The receipts follow from one another, and any change of one is found.
func TestReceiptsReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		receipts := dialectic.Resolve(anyInput(t)).Receipts
		last, err := dialectic.Replay(receipts)
		if err != nil || last != receipts[len(receipts)-1].Hash {
			t.Fatalf("%s, %v", last, err)
		}
		changed := slices.Clone(receipts)
		r := &changed[rapid.IntRange(0, len(changed)-1).Draw(t, "which")]
		switch rapid.IntRange(0, 9).Draw(t, "what") {
		case 0:
			r.Seq++
		case 1:
			r.Round++
		case 2:
			r.Rule += "b"
		case 3:
			r.Subject += "b"
		case 4:
			r.Reads = append(slices.Clone(r.Reads), "E1")
		case 5:
			r.Threshold += 0.25
		case 6:
			r.Observed += 0.25
		case 7:
			r.Outcome += "b"
		case 8:
			r.Reason += "b"
		case 9:
			r.Prev = r.Prev[1:] + "0"
			if r.Prev == receipts[0].Prev {
				return
			}
		}
		if _, err := dialectic.Replay(changed); err == nil {
			t.Fatalf("a changed receipt was not found: %+v", *r)
		}
	})
}

// What a hash covers is what RFC 8785 makes of the receipt: the library writes
// the same canonical form from the receipt as anybody would have it.
func TestReceiptsAreCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		in := anyInput(t)
		in.Artifact.Proposal.ID = text.Draw(t, "id") + "\u2028<&>\u007f\t"
		for i := range in.Artifact.Objections {
			in.Artifact.Objections[i].Target = text.Draw(t, "target")
		}
		prev := ledger.ZeroHash
		for _, r := range dialectic.Resolve(in).Receipts {
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

// A result is itself a round that can be given along, unchanged.
func TestAResultReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := write(t, dialectic.Resolve(anyInput(t)))
		in, err := dialectic.NewReader(bytes.NewReader(slices.Concat([]byte(`{"rounds": [`), line, []byte(`]}`)))).Next()
		if err != nil {
			t.Fatal(err)
		}
		if again := write(t, in.Rounds[0]); !bytes.Equal(line, again) {
			t.Fatalf("%s\n%s", line, again)
		}
	})
}

func write(t *rapid.T, r dialectic.Result) []byte {
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
