package gates_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
)

// against is one objection to one field, with the items that are given.
func against(severity gates.Severity, category string, items ...gates.Evidence) *gates.Input {
	in := &gates.Input{Round: 1, Evidence: items}
	in.Artifact.Proposal = gates.Proposal{
		ID: "P1", Round: 1,
		Fields: []gates.Field{{Path: "limit", Value: json.RawMessage("8")}},
	}
	in.Artifact.Objections = []gates.Objection{{
		ID: "C1", Target: "limit", Category: category, Severity: severity,
		Predicate: "holds",
	}}
	return in
}

// item is one that speaks for the field, and was verified.
func item(id string, kind ledger.SourceKind, confidence float64) gates.Evidence {
	return gates.Evidence{
		ID: id, SourceKind: kind, Point: "limit", Relation: ledger.Supports, Predicate: "holds",
		Confidence: confidence, Verified: true, Round: 1,
	}
}

func resolution(in *gates.Input) gates.Resolution {
	return gates.Resolve(in).Artifact.Resolutions[0]
}

// Confidence that is exactly the threshold settles an objection, and the next
// number below it does not; a category that is not listed takes the highest
// threshold, of those that are configured too.
func TestConfidenceMeetsTheThresholdOfItsCategory(t *testing.T) {
	for _, c := range []struct {
		category   string
		configured map[string]float64
		threshold  float64
	}{
		{"Regulatory", nil, 0.85},
		{"Safety", nil, 0.80},
		{"External-Availability", nil, 0.75},
		{"Factual", nil, 0.70},
		{"Categorical", nil, 0.65},
		{"Taste", nil, 0.85},
		{"", nil, 0.85},
		{"safety", nil, 0.85},
		{"Safety", map[string]float64{"Safety": 0.5}, 0.5},
		{"Factual", map[string]float64{"Safety": 0.5}, 0.70},
		{"Taste", map[string]float64{"Safety": 0.95}, 0.95},
		{"Taste", map[string]float64{"Taste": 0.1, "Other": 1}, 0.1},
		{"Taste", map[string]float64{"Other": 1}, 1},
		{"Safety", map[string]float64{"Safety": 0}, 0},
	} {
		in := against(gates.Blocking, c.category, item("E1", ledger.LiveAPI, c.threshold))
		in.Config.Thresholds = c.configured
		if r := resolution(in); r.Rule != "R1" || r.Threshold != c.threshold || r.Decider != "E1" {
			t.Errorf("%q %v, at its threshold: %+v", c.category, c.configured, r)
		}
		in.Evidence[0].Confidence = math.Nextafter(c.threshold, -1)
		if r := resolution(in); r.Rule != "R5" || r.Outcome != gates.Unresolved || r.Decider != "" {
			t.Errorf("%q %v, below its threshold: %+v", c.category, c.configured, r)
		}
	}
}

// Every source kind decides what its severity allows and nothing else; what is
// not verified, or does not say that it is, decides LOW alone.
func TestASeverityAllowsItsKinds(t *testing.T) {
	allowed := map[gates.Severity]int{
		gates.Blocking: 4, gates.High: 5, gates.Medium: 6,
		gates.Low: 7,
	}
	for severity, n := range allowed {
		for place, kind := range ledger.SourceKinds() {
			for _, verified := range []bool{true, false} {
				e := item("E1", kind, 0.9)
				e.Verified = verified
				want := "R5"
				if verified && place < n || severity == gates.Low || kind == ledger.UserOverride {
					want = "R1"
				}
				if r := resolution(against(severity, "Safety", e)); r.Rule != want {
					t.Errorf("%s %s verified=%v: %s, want %s", severity, kind, verified, r.Rule, want)
				}
				e.Relation = ledger.Refutes
				if r := resolution(against(severity, "Safety", e)); (r.Rule == "R2") != (want == "R1") {
					t.Errorf("%s %s verified=%v against it: %s", severity, kind, verified, r.Rule)
				}
			}
		}
	}
}

// A configured allow-list replaces that of its severity only.
func TestAnAllowListIsThatOfItsSeverity(t *testing.T) {
	for _, severity := range gates.Severities() {
		in := against(severity, "Safety", item("E1", ledger.LiveAPI, 0.9))
		in.Config.Allow = map[gates.Severity][]ledger.SourceKind{gates.High: {ledger.ModeledFallback}}
		if r := resolution(in); (r.Rule == "R5") != (severity == gates.High) {
			t.Errorf("%s: %s", severity, r.Rule)
		}
	}
	in := against(gates.Low, "Safety", item("E1", ledger.UserOverride, 1))
	in.Config.Allow = map[gates.Severity][]ledger.SourceKind{gates.Low: {}}
	if r := resolution(in); r.Rule != "R5" {
		t.Errorf("nothing is allowed, and %s decides", r.Decider)
	}
}

// Whatever their order, the item of the strongest kind wins, then the highest confidence, then the first.
func TestTheBestItemDecides(t *testing.T) {
	sure := func(confidences ...float64) []gates.Evidence {
		var items []gates.Evidence
		for i, c := range confidences {
			items = append(items, item(fmt.Sprintf("E%d", i+1), ledger.LiveAPI, c))
		}
		return items
	}
	for _, c := range []struct {
		name  string
		items []gates.Evidence
		want  string
	}{
		{"the highest confidence", sure(0.8, 0.9, 0.85), "E2"},
		{"of equals the first", sure(0.8, 0.9, 0.9), "E2"},
		{"the stronger kind, be it less sure", append(sure(0.8), item("E2", ledger.DomainEvidence, 1)), "E1"},
		{
			"the stronger kind, be it later",
			append([]gates.Evidence{item("E2", ledger.DomainEvidence, 1)}, sure(0.8)...), "E1",
		},
		{"what is eligible, be it weaker", append(sure(0.79), item("E2", ledger.DomainEvidence, 0.8)), "E2"},
		{"the user before all", append(sure(1), item("E2", ledger.UserOverride, 0)), "E2"},
	} {
		if r := resolution(against(gates.Blocking, "Safety", c.items...)); r.Decider != c.want ||
			r.BestFor != c.want {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// Predicates are the same without case, blanks and the punctuation of words; what
// an item is about, and on which side it is, is never guessed.
func TestPredicatesAreComparedNormalised(t *testing.T) {
	for predicate, same := range map[string]bool{
		"the budget allows it": true, "  The  Budget\tallows it. ": true, "THE BUDGET ALLOWS IT!": true,
		"the budget, allows it": true,
		"ｔｈｅ budget allows it":  false, "the budget": false, "the budget allows": false, "": false,
		"allows it the budget": false,
		"thebudget allows it":  false,
	} {
		e := item("E1", ledger.LiveAPI, 0.9)
		e.Predicate = predicate
		in := against(gates.Blocking, "Safety", e)
		in.Artifact.Objections[0].Predicate = "The budget allows it"
		if r := resolution(in); (r.Rule == "R1") != same {
			t.Errorf("%q: %s", predicate, r.Rule)
		}
		in.Artifact.Objections[0].Evidence = []string{"E1"}
		if r := resolution(in); r.Rule != "R1" {
			t.Errorf("%q, and the objection lists it: %s", predicate, r.Rule)
		}
		in.Evidence[0].Point = "Limit"
		if r := resolution(in); r.Rule != "R5" {
			t.Errorf("%q of another field, and the objection lists it: %s", predicate, r.Rule)
		}
	}
}

// Numbers that JSON does not have fail G1 wherever they stand, decide nothing,
// and leave receipts that are JSON.
func TestWhatIsNoNumberDecidesNothing(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1.01, -0.01} {
		in := against(gates.Blocking, "Safety", item("E1", ledger.LiveAPI, bad), item("E2", ledger.LiveAPI, 0.9))
		result := gates.Resolve(in)
		if g1 := result.Artifact.Validation.Gates[0]; g1.Pass || result.Decision == gates.Advance {
			t.Errorf("%v: %+v, %s", bad, g1, result.Decision)
		}
		if math.IsNaN(bad) && result.Artifact.Resolutions[0].Decider != "E2" {
			t.Errorf("%v hides what is a number: %+v", bad, result.Artifact.Resolutions)
		}
		bytesOf(t, result)
	}
}

// Every result has the receipts of its resolutions, of G1 to G8 and of the
// decision, in this order, and no clock.
func TestReceiptsStandInOrder(t *testing.T) {
	var rules []string
	for _, r := range gates.Resolve(against(gates.Low, "Safety")).Receipts {
		rules = append(rules, r.Rule)
	}
	if want := []string{"R5", "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "decision"}; !slices.Equal(rules, want) {
		t.Errorf("%v, want %v", rules, want)
	}
}

// While evidence for an objection waits for the proposer's answer, evidence for the proposal alone does not clear it (R5).
// Evidence that counts against the proposal upholds it all the same.
func TestEvidenceThatWaitsHoldsAClearance(t *testing.T) {
	refuting := func(kind ledger.SourceKind) gates.Evidence {
		e := item("E2", kind, 0.95)
		e.Relation = ledger.Refutes
		return e
	}
	supports := item("E1", ledger.OfficialSource, 0.95)
	for _, c := range []struct {
		name    string
		items   []gates.Evidence
		rule    string
		outcome gates.Outcome
	}{
		{"only for the proposal", []gates.Evidence{supports}, "R5", gates.Unresolved},
		{"stronger for the proposal", []gates.Evidence{supports, refuting(ledger.DomainEvidence)}, "R5", gates.Unresolved},
		{"stronger against it", []gates.Evidence{supports, refuting(ledger.LiveAPI)}, "R3", gates.Upheld},
		{"of one kind", []gates.Evidence{supports, refuting(ledger.OfficialSource)}, "R4", gates.Unresolved},
		{"only against it", []gates.Evidence{refuting(ledger.LiveAPI)}, "R2", gates.Upheld},
		{"none", nil, "R5", gates.Unresolved},
	} {
		in := against(gates.Blocking, "Safety", c.items...)
		in.Artifact.Objections[0].Unheard = true
		if r := resolution(in); r.Rule != c.rule || r.Outcome != c.outcome {
			t.Errorf("%s: %s %s, not %s %s", c.name, r.Rule, r.Outcome, c.rule, c.outcome)
		}
	}
}

// The receipt of R5 names the strongest item that does not count, on either side.
func TestUndecidedNamesTheStrongestItem(t *testing.T) {
	weak := func(id string, kind ledger.SourceKind, relation ledger.Relation) gates.Evidence {
		e := item(id, kind, 0.1)
		e.Relation = relation
		return e
	}
	contested := func(id string, kind ledger.SourceKind) gates.Evidence {
		e := item(id, kind, 0.95)
		e.Contested = true
		return e
	}
	for _, c := range []struct {
		name  string
		items []gates.Evidence
		want  []string
	}{
		{"for the proposal", []gates.Evidence{
			weak("E1", ledger.LiveAPI, ledger.Supports), weak("E2", ledger.OfficialSource, ledger.Refutes),
		}, []string{"E1"}},
		{"against it", []gates.Evidence{
			weak("E1", ledger.OfficialSource, ledger.Supports), weak("E2", ledger.LiveAPI, ledger.Refutes),
		}, []string{"E2"}},
		{"only against it", []gates.Evidence{weak("E2", ledger.LiveAPI, ledger.Refutes)}, []string{"E2"}},
		{"of one kind", []gates.Evidence{
			weak("E1", ledger.LiveAPI, ledger.Refutes), weak("E2", ledger.LiveAPI, ledger.Supports),
		}, []string{"E2"}},
		{"one that counts, before a weaker one that is contested", []gates.Evidence{
			weak("E1", ledger.LiveAPI, ledger.Supports), contested("E2", ledger.OfficialSource),
		}, []string{"E1"}},
		{"a stronger one that is contested", []gates.Evidence{
			weak("E1", ledger.OfficialSource, ledger.Supports), contested("E2", ledger.LiveAPI),
		}, []string{"E2"}},
		{"none", nil, nil},
	} {
		got := gates.Resolve(against(gates.Blocking, "Safety", c.items...)).Receipts[0]
		if got.Rule != "R5" || !slices.Equal(got.Reads, c.want) {
			t.Errorf("%s: %s reads %v, not %v", c.name, got.Rule, got.Reads, c.want)
		}
	}
}

// What each gate lets pass.
func TestWhatTheGatesLetPass(t *testing.T) {
	field := func(grounded bool, cites ...string) *gates.Input {
		in := against(gates.Medium, "Safety", item("E1", ledger.LiveAPI, 0.9), item("E2", ledger.LLMInference, 0.9))
		in.Directive = "set it to 8"
		f := &in.Artifact.Proposal.Fields[0]
		f.Category, f.Grounded, f.Evidence = "Safety", grounded, cites
		return in
	}
	limited := func(op, limit string) *gates.Input {
		in := field(false)
		in.Facts = []gates.Constraint{{ID: "F1", Path: "limit", Op: op, Value: json.RawMessage(limit)}}
		return in
	}
	old := func(in *gates.Input) *gates.Input {
		in.AsOf = time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
		in.Config.Freshness = map[ledger.SourceKind]gates.Age{ledger.LiveAPI: gates.Age(time.Hour)}
		in.Evidence[0].ObservedAt = in.AsOf.Add(-2 * time.Hour)
		return in
	}
	asked := func(severity gates.Severity) *gates.Input {
		in := field(false)
		in.Artifact.Objections[0].Severity = severity
		in.Requests = []gates.Request{{ID: "R1", Objection: "C1"}}
		return in
	}
	equal := func(value, limit string) *gates.Input {
		in := limited("=", limit)
		in.Artifact.Proposal.Fields[0].Value = json.RawMessage(value)
		return in
	}
	for _, c := range []struct {
		name, gate string
		in         *gates.Input
		pass       bool
	}{
		{"one of two items is strong enough", "G4", field(true, "E1", "E2"), true},
		{"the only item is too weak", "G4", field(true, "E2"), false},
		{"a request about a MEDIUM objection is open", "G7", asked(gates.Medium), true},
		{"a request about a LOW objection is open", "G7", asked(gates.Low), true},
		{"a request about a HIGH objection is open", "G7", asked(gates.High), false},
		{"a grounded field rests on an old item alone", "G8", old(field(true, "E1")), false},
		{"a field that is not grounded does", "G8", old(field(false, "E1")), true},
		{"a grounded field cites nothing", "G8", old(field(true)), true},
		{"8 < 9", "G6", limited("<", "9"), true},
		{"8 < 8", "G6", limited("<", "8"), false},
		{"8 > 7", "G6", limited(">", "7"), true},
		{"8 > 8", "G6", limited(">", "8"), false},
		{"8 > 9", "G6", limited(">", "9"), false},
		{"8 ≤ 8", "G6", limited("≤", "8"), true},
		{"8 ≤ 7", "G6", limited("≤", "7"), false},
		{"8 ≥ 8", "G6", limited("≥", "8"), true},
		{"8 ≥ 9", "G6", limited("≥", "9"), false},
		{"8 in 7 and 8", "G6", limited("in", "[7,8]"), true},
		{"8 in 7", "G6", limited("in", "[7]"), false},
		{"texts in any case", "G6", equal(`"On"`, `"on"`), true},
		{"true is no empty text", "G6", equal("true", `""`), false},
		{"an empty text is not true", "G6", equal(`""`, "true"), false},
		{"null is no empty text", "G6", equal("null", `""`), false},
		{"an empty text is not null", "G6", equal(`""`, "null"), false},
	} {
		for _, g := range gates.Resolve(c.in).Artifact.Validation.Gates {
			if g.Gate == c.gate && g.Pass != c.pass {
				t.Errorf("%s: %s passes is %v: %q", c.name, g.Gate, g.Pass, g.Reasons)
			}
		}
	}
}

// G9: the pressure-tester saw each changed file whole, and a field covers it or the proposer named it as not proposed. The
// user may accept a file that fails, and that file only.
func TestEveryChangedFileIsCovered(t *testing.T) {
	covered := gates.ChangedFile{Path: "a.go", Covered: true}
	unseen := func(f gates.ChangedFile) gates.ChangedFile {
		f.Withheld = "it may hold secrets"
		return f
	}
	accepted := func(f gates.ChangedFile) gates.ChangedFile {
		f.Accepted = true
		return f
	}
	uncovered, leftOut := gates.ChangedFile{Path: "b.go"}, gates.ChangedFile{Path: "c.md", NotProposed: true}
	both := gates.ChangedFile{Path: "d.md", Covered: true, NotProposed: true}
	for _, c := range []struct {
		name    string
		files   []gates.ChangedFile
		pass    bool
		reasons []string
	}{
		{"all are covered", []gates.ChangedFile{covered, covered}, true, nil},
		{"one is withheld", []gates.ChangedFile{covered, unseen(covered)}, false, []string{
			"a.go was not shown to the pressure-tester whole: it may hold secrets",
		}},
		{"one is not covered", []gates.ChangedFile{covered, uncovered}, false, []string{"b.go is covered by no field"}},
		{"one is withheld and not covered", []gates.ChangedFile{unseen(uncovered)}, false, []string{
			"b.go was not shown to the pressure-tester whole: it may hold secrets",
		}},
		{"one is not proposed", []gates.ChangedFile{covered, leftOut}, true, []string{"c.md is not proposed"}},
		{"one is covered and named as not proposed", []gates.ChangedFile{both}, true, nil},
		{"one is withheld and not proposed", []gates.ChangedFile{unseen(leftOut)}, false, []string{
			"c.md was not shown to the pressure-tester whole: it may hold secrets",
		}},
		{"the user accepts one that is withheld", []gates.ChangedFile{accepted(unseen(covered))}, true, []string{
			"a.go was not shown to the pressure-tester whole: it may hold secrets; the user accepts that",
		}},
		{"the user accepts one that is not covered", []gates.ChangedFile{covered, accepted(uncovered)}, true, []string{
			"b.go is covered by no field; the user accepts that",
		}},
		{"the user accepts another file that fails", []gates.ChangedFile{uncovered, accepted(unseen(leftOut))}, false, []string{
			"b.go is covered by no field",
		}},
		{"the user accepts one that is covered", []gates.ChangedFile{uncovered, accepted(covered)}, false, []string{
			"b.go is covered by no field",
		}},
		{"the user accepts one that is not proposed", []gates.ChangedFile{uncovered, accepted(leftOut)}, false, []string{
			"b.go is covered by no field",
		}},
	} {
		in := against(gates.Low, "Safety")
		in.Changed = c.files
		result := gates.Resolve(in)
		results := result.Artifact.Validation.Gates
		g := results[len(results)-1]
		if g.Gate != "G9" || g.Pass != c.pass || !slices.Equal(g.Reasons, c.reasons) {
			t.Errorf("%s: %s passes is %v: %q", c.name, g.Gate, g.Pass, g.Reasons)
		}
		// The decision has the last receipt.
		receipt, want := result.Receipts[len(result.Receipts)-2], strings.Join(c.reasons, "; ")
		if len(c.reasons) == 0 {
			want = "each changed file was shown whole and is covered by a field"
		}
		if receipt.Rule != "G9" || receipt.Reason != want {
			t.Errorf("%s: the receipt of %s says %q", c.name, receipt.Rule, receipt.Reason)
		}
		if (result.Decision == gates.Advance) != c.pass {
			t.Errorf("%s: %s", c.name, result.Decision)
		}
	}
}

// A round that brought neither new evidence nor a changed field escalates: each part of a field counts, and so does a
// field more or less.
func TestWhatIsProgress(t *testing.T) {
	const stalled = "the round brought neither new evidence nor a changed field"
	for name, c := range map[string]struct {
		change func(f *gates.Field)
		want   bool
	}{
		"nothing":       {func(*gates.Field) {}, false},
		"spaces":        {func(f *gates.Field) { f.Value = json.RawMessage(" 8") }, false},
		"the value":     {func(f *gates.Field) { f.Value = json.RawMessage("9") }, true},
		"the category":  {func(f *gates.Field) { f.Category = "Safety" }, true},
		"the severity":  {func(f *gates.Field) { f.Severity = gates.Low }, true},
		"the grounding": {func(f *gates.Field) { f.Grounded = true }, true},
		"the evidence":  {func(f *gates.Field) { f.Evidence = []string{"E1"} }, true},
		"the path":      {func(f *gates.Field) { f.Path = "cap" }, true},
		"derived":       {func(f *gates.Field) { f.Derived = &gates.Derivation{Op: "sum", Of: []string{"E1"}} }, true},
	} {
		in := against(gates.High, "Safety", item("E1", ledger.LLMInference, 0.9))
		in.Round = 2
		before := gates.Result{Artifact: in.Artifact}
		before.Artifact.Proposal.Fields = slices.Clone(in.Artifact.Proposal.Fields)
		c.change(&before.Artifact.Proposal.Fields[0])
		in.Rounds = []gates.Result{before}
		if got := !strings.Contains(decided(in), stalled); got != c.want {
			t.Errorf("%s changed: progress is %v", name, got)
		}
	}
	for name, d := range map[string]gates.Derivation{
		"the operation": {Op: "max", Of: []string{"E1"}}, "the operands": {Op: "sum", Of: []string{"E2"}},
	} {
		in := against(gates.High, "Safety")
		in.Round = 2
		before := gates.Result{Artifact: in.Artifact}
		before.Artifact.Proposal.Fields = slices.Clone(in.Artifact.Proposal.Fields)
		before.Artifact.Proposal.Fields[0].Derived = &d
		in.Artifact.Proposal.Fields[0].Derived = &gates.Derivation{Op: "sum", Of: []string{"E1"}}
		in.Rounds = []gates.Result{before}
		if strings.Contains(decided(in), stalled) {
			t.Errorf("%s changed: no progress", name)
		}
	}
	in := against(gates.High, "Safety")
	in.Round = 2
	in.Rounds = []gates.Result{{Artifact: in.Artifact}}
	in.Artifact.Proposal.Fields = append(slices.Clone(in.Artifact.Proposal.Fields), gates.Field{Path: "cap", Value: json.RawMessage("1")})
	if strings.Contains(decided(in), stalled) {
		t.Error("another field is no progress")
	}
}

// A BLOCKING objection that was upheld, and is now unresolved, is not upheld twice in a row.
func TestUpheldTwiceInARow(t *testing.T) {
	for relation, want := range map[ledger.Relation]bool{ledger.Refutes: true, ledger.Neutral: false} {
		e := item("E1", ledger.LiveAPI, 0.9)
		e.Relation, e.Round = relation, 2
		in := against(gates.Blocking, "Safety", e)
		in.Round = 2
		before := gates.Result{Artifact: in.Artifact}
		before.Artifact.Resolutions = []gates.Resolution{{Objection: "C1", Outcome: gates.Upheld}}
		in.Rounds = []gates.Result{before}
		if got := strings.Contains(decided(in), "upheld twice in a row"); got != want {
			t.Errorf("%s: upheld twice is %v: %s", relation, got, decided(in))
		}
	}
}

// decided returns the reason of the decision.
func decided(in *gates.Input) string {
	receipts := gates.Resolve(in).Receipts
	return receipts[len(receipts)-1].Reason
}

// A flag may name the kinds that clear it. Others of its severity do not, but they uphold it as before.
func TestKindsThatClear(t *testing.T) {
	opposed := item("E2", ledger.DomainEvidence, 0.95)
	opposed.Relation = ledger.Refutes
	for _, c := range []struct {
		name          string
		items         []gates.Evidence
		by            []ledger.SourceKind
		rule, decider string
		reason        string
	}{
		{
			"any kind of the severity",
			[]gates.Evidence{item("E1", ledger.DomainEvidence, 0.95)},
			nil, "R1", "E1",
			"supports the proposal",
		},
		{
			"a kind that is named",
			[]gates.Evidence{item("E1", ledger.OfficialSource, 0.95)},
			[]ledger.SourceKind{ledger.UserOverride, ledger.OfficialSource},
			"R1", "E1", "supports the proposal",
		},
		{
			"another kind",
			[]gates.Evidence{item("E1", ledger.DomainEvidence, 0.95)},
			[]ledger.SourceKind{ledger.UserOverride, ledger.OfficialSource},
			"R5", "",
			"E1 (domain-evidence 0.95) is not of a kind that clears C1 (user-override, official-source)",
		},
		{
			"a stronger kind that is not named",
			[]gates.Evidence{item("E1", ledger.LiveAPI, 0.95)},
			[]ledger.SourceKind{ledger.UserOverride, ledger.OfficialSource},
			"R5", "", "is not of a kind that clears C1",
		},
		{
			"a kind that its severity does not allow",
			[]gates.Evidence{item("E1", ledger.FreshResearch, 0.95)},
			[]ledger.SourceKind{ledger.UserOverride, ledger.FreshResearch},
			"R5", "", "decides what is BLOCKING",
		},
		{
			"against it",
			[]gates.Evidence{item("E1", ledger.DomainEvidence, 0.95), opposed},
			[]ledger.SourceKind{ledger.UserOverride},
			"R2", "E2", "contradicts the proposal",
		},
	} {
		in := against(gates.Blocking, "Safety", c.items...)
		in.Artifact.Objections[0].ClearedBy = c.by
		result := gates.Resolve(in)
		r := result.Artifact.Resolutions[0]
		if r.Rule != c.rule || r.Decider != c.decider || !strings.Contains(result.Receipts[0].Reason, c.reason) {
			t.Errorf("%s: %+v: %s", c.name, r, result.Receipts[0].Reason)
		}
	}
	in := against(gates.Blocking, "Safety")
	in.Artifact.Objections[0].ClearedBy = []ledger.SourceKind{"hearsay"}
	if err := in.Check(); err == nil || !strings.Contains(err.Error(), `there is no source kind "hearsay"`) {
		t.Errorf("an unknown kind: %v", err)
	}
}
