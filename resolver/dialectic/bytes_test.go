package dialectic_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"moot/resolver/dialectic"
)

// largeText is the JSON of an input in which everything occurs: every severity,
// source kind, rule and gate, values of all sorts, earlier rounds. It is written
// with whole numbers alone, so that it has the same bytes everywhere.
func largeText(objections int) string {
	chance := uint32(1)
	draw := func(n int) int {
		// A linear congruential generator: Numerical Recipes, ranqd1.
		chance = chance*1664525 + 1013904223
		return int(chance>>8) % n
	}
	of := func(words ...string) string { return words[draw(len(words))] }
	list := func(n int, entry func(i int) string) string {
		entries := make([]string, n)
		for i := range entries {
			entries[i] = entry(i)
		}
		return "[" + strings.Join(entries, ",\n") + "]"
	}
	fields, items := objections/10, objections*4
	category := func() string {
		return of("Regulatory", "Safety", "External-Availability", "Factual", "Categorical", "Taste")
	}
	proposal := func() string {
		return list(fields, func(i int) string {
			value := of(`8`, `1e3`, `"10 %"`, `"limits.go:8, raised to 30s on 21 November 2026"`, `["eu-west-1", {"v1.20": 3.50}]`, `"„Größe“ ≥ １０ µs"`, `null`, `"https://example.com/a#b"`)
			derived := ""
			if i > 1 && draw(5) == 0 {
				derived = fmt.Sprintf(`, "derived": {"op": %q, "of": ["f%d", "E%d"]}`, of("sum", "diff", "ratio", "min", "max", "count"), draw(i), draw(items))
			}
			return fmt.Sprintf(`{"path": "f%d", "value": %s, "category": %q, "severity": %q, "grounded": %t, "evidence": ["E%d", "E%d"]%s}`,
				i, value, category(), of("BLOCKING", "HIGH", "MEDIUM", "LOW"), draw(2) == 0, draw(items), draw(items), derived)
		})
	}
	return fmt.Sprintf(`{"directive": "Set 8 of 10 %% by 2026-11-21 in eu-west-1", "round": 2, "asOf": "2026-11-21T00:00:00Z",
"config": {"freshness": {"live-api": "7d"}, "thresholds": {"Taste": 0.77}},
"artifact": {"proposal": {"id": "P1", "round": 2, "fields": %s},
"objections": %s},
"evidence": %s,
"facts": %s,
"requests": %s,
"rounds": [{"decision": "HOLD", "artifact": {"resolutions": %s}}]}`,
		proposal(),
		list(objections, func(i int) string {
			return fmt.Sprintf(`{"id": "C%d", "target": "f%d", "category": %q, "severity": %q, "predicate": "it holds %d", "evidence": ["E%d"], "round": %d, "ruling": %q, "conceded": %t}`,
				i, draw(fields+1), category(), of("BLOCKING", "HIGH", "MEDIUM", "LOW"), draw(3), draw(items), 1+draw(2), of("", "", "", "", "", "cleared", "upheld"), draw(20) == 0)
		}),
		list(items, func(i int) string {
			return fmt.Sprintf(`{"id": "E%d", "sourceKind": %q, "target": "f%d", "stance": %q, "predicate": %q, "value": %s, "confidence": 0.%02d, "quote": %q, "round": %d, "verified": %t, "observedAt": "2026-11-%02dT00:00:00Z"}`,
				i, of("user-override", "live-api", "official-source", "domain-evidence", "fresh-research", "modeled-fallback", "llm-inference"), draw(fields+1),
				of("supports", "contradicts"), of("it holds 0", "It holds, 1!", "IT HOLDS 2"), of(`8`, `"50 ms"`, `"11 ms"`, `true`), 50+draw(50),
				of("const limit = 8", "limits.go:8: raised to 30 s", "go1.20 took 10 µs, 3.5 s in eu-west-1"), 1+draw(2), draw(5) > 0, 1+draw(21))
		}),
		list(fields/4, func(i int) string {
			return fmt.Sprintf(`{"id": "F%d", "path": "f%d", "op": %q, "value": %s, "text": "so it is"}`, i, draw(fields), of("=", "≠", "<", "≤", ">", "≥"), of(`8`, `"10 %"`, `1000`))
		}),
		list(objections/10, func(i int) string {
			return fmt.Sprintf(`{"id": "Q%d", "objection": "C%d", "answered": %t}`, i, draw(objections), draw(2) == 0)
		}),
		list(objections, func(i int) string {
			return fmt.Sprintf(`{"objection": "C%d", "outcome": %q, "rule": "R2"}`, i, of("UPHELD", "CLEARED", "UNRESOLVED"))
		}),
	)
}

// The same input gives the same bytes, on every platform and in every release:
// these are the hashes of a large input and of what comes of it. Where a rule
// changes on purpose, the second one changes with it.
func TestALargeInputGivesTheBytesThatAreCommitted(t *testing.T) {
	const (
		input  = "b0aa9141c2a41796e2029e21015477fae72f89835d0a9e514b8ef32ddeab7b9b"
		output = "7d8c3ae04d2d0b490eed0ec2ef718aa7e6e7b9a8bb5853bc10eec26023115614"
	)
	sum := func(text []byte) string {
		digest := sha256.Sum256(text)
		return hex.EncodeToString(digest[:])
	}
	text := largeText(2000)
	if got := sum([]byte(text)); got != input {
		t.Fatalf("the input is another: %s", got)
	}
	in, err := dialectic.NewReader(strings.NewReader(text)).Next()
	if err != nil {
		t.Fatal(err)
	}
	result := dialectic.Resolve(in)
	seen := map[string]bool{}
	for _, r := range result.Receipts {
		seen[r.Rule+" "+r.Outcome] = true
	}
	for _, rule := range []string{
		"R0 CLEARED", "R0 UPHELD", "R1 CLEARED", "R2 UPHELD", "R3 CLEARED", "R3 UPHELD", "R4 UNRESOLVED", "R5 UNRESOLVED", "R6 MOOT", "R6 UPHELD",
		"G1 PASS", "G2 PASS", "G3 FAIL", "G4 FAIL", "G5 FAIL", "G6 FAIL", "G7 FAIL", "decision ESCALATE",
	} {
		if !seen[rule] {
			t.Errorf("no receipt says %s", rule)
		}
	}
	if got := sum(bytesOf(t, result)); got != output {
		t.Errorf("what comes out is another: %s", got)
	}
}
