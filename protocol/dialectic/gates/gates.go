package gates

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// finding is the result of a gate.
type finding struct {
	// failures fail the gate. note is the remark if it passes.
	failures []string
	note     string
	// silent means that the note only goes into the receipt.
	silent bool
	reads  []string
}

// gates runs all gates and adds a receipt for each.
func (ev *evaluation) gates() []GateResult {
	schema, references := ev.wellFormed()
	found := [8]finding{
		schema, references, ev.invention(), ev.floor(),
		ev.objectionsMet(), ev.constraints(), ev.requestsMet(), ev.freshness(),
	}
	results := make([]GateResult, len(found))
	for i := range found {
		f := &found[i]
		g := GateResult{Gate: fmt.Sprintf("G%d", i+1), Pass: len(f.failures) == 0, Reasons: f.failures}
		outcome, reason := "PASS", f.note
		if !g.Pass {
			outcome, reason = "FAIL", strings.Join(f.failures, "; ")
		} else if !f.silent {
			g.Reasons = []string{f.note}
		}
		if g.Reasons == nil {
			g.Reasons = []string{}
		}
		ev.chain.add(entry{
			rule: g.Gate, subject: ev.in.Artifact.Proposal.ID, reads: f.reads,
			observed: float64(len(f.failures)), outcome: outcome, reason: reason,
		})
		results[i] = g
	}
	return results
}

// wellFormed is G1 and G2: allowed words and ranges, and references that exist.
func (ev *evaluation) wellFormed() (schema, references finding) {
	schema = finding{note: "every word and number is one that is allowed", silent: true}
	references = finding{note: "everything that is cited is there", silent: true}
	for _, p := range ev.problems() {
		if p.gate == "G1" {
			schema.failures = append(schema.failures, p.String())
		} else {
			references.failures = append(references.failures, p.String())
		}
	}
	return schema, references
}

// floor is G4: a grounded field cites an item with the authority that its severity requires.
func (ev *evaluation) floor() finding {
	f := finding{note: "no field is grounded in a category that has a threshold"}
	for i := range ev.in.Artifact.Proposal.Fields {
		field := &ev.in.Artifact.Proposal.Fields[i]
		if _, asked := ev.policy.thresholds[field.Category]; !field.Grounded || !asked {
			continue
		}
		f.note, f.silent = "every grounded field cites an item of the authority that it needs", true
		met := false
		for _, id := range field.Evidence {
			at, ok := ev.items.byID[id]
			if !ok {
				continue
			}
			f.reads = append(f.reads, id)
			met = met || ev.meetsFloor(field, at)
		}
		if !met {
			f.failures = append(f.failures, field.Path+" cites no item that "+string(field.weight())+" allows")
		}
	}
	return f
}

// meetsFloor reports whether an item has the authority that a field needs.
func (ev *evaluation) meetsFloor(field *Field, at int) bool {
	return !ev.items.stale(at) && !ev.items.all[at].Contested &&
		ev.policy.allow[field.weight().Gravity()][kindIndex(ev.items.kind(at))]
}

// objectionsMet is G5: no BLOCKING or HIGH objection is open.
func (ev *evaluation) objectionsMet() finding {
	f := finding{note: "no objection was raised"}
	for i := range ev.in.Artifact.Objections {
		o, r := &ev.in.Artifact.Objections[i], &ev.resolutions[i]
		f.note, f.silent = "no BLOCKING or HIGH objection stands", true
		if o.Severity == Medium || o.Severity == Low {
			continue
		}
		f.reads = append(f.reads, o.ID)
		if r.Outcome.Holds() {
			f.failures = append(f.failures, o.ID+" ("+string(o.Severity)+") is "+string(r.Outcome)+" by "+r.Rule)
		}
	}
	return f
}

// requestsMet is G7: requests about BLOCKING and HIGH objections were answered.
func (ev *evaluation) requestsMet() finding {
	f := finding{note: "nothing was requested"}
	for i := range ev.in.Requests {
		request := &ev.in.Requests[i]
		f.note, f.silent = "nothing that was requested is outstanding", true
		at, ok := ev.objections[request.Objection]
		if !ok {
			continue
		}
		o := &ev.in.Artifact.Objections[at]
		grave := o.Severity != Medium && o.Severity != Low
		f.reads = append(f.reads, request.ID)
		if grave && !request.Answered {
			f.failures = append(f.failures, request.ID+" about "+o.ID+" ("+string(o.Severity)+") is not answered")
		}
	}
	return f
}

// freshness is G8: items that are too old do not count in any gate or rule. It fails if a grounded field cites
// nothing else.
func (ev *evaluation) freshness() finding {
	switch {
	case len(ev.policy.freshness) == 0:
		return finding{note: "no freshness is configured"}
	case ev.in.AsOf.IsZero():
		return finding{note: "no asOf is given, so no item is too old"}
	}
	f := finding{note: "no item is too old", silent: true}
	var old, undated []string
	for i := range ev.items.all {
		switch {
		case ev.items.stale(i):
			old = append(old, ev.items.all[i].ID)
		case ev.items.undated(i):
			undated = append(undated, ev.items.all[i].ID)
		}
	}
	var notes []string
	if len(old) > 0 {
		notes = append(notes, "too old to count: "+strings.Join(old, ", "))
	}
	if len(undated) > 0 {
		notes = append(notes, "of unknown age, as they have no observedAt: "+strings.Join(undated, ", "))
	}
	if len(notes) > 0 {
		f.note, f.silent = strings.Join(notes, "; "), false
	}
	f.reads = slices.Concat(old, undated)
	for i := range ev.in.Artifact.Proposal.Fields {
		field := &ev.in.Artifact.Proposal.Fields[i]
		cited, fresh := 0, 0
		for _, id := range field.Evidence {
			if at, ok := ev.items.byID[id]; ok {
				cited++
				if !ev.items.stale(at) {
					fresh++
				}
			}
		}
		if field.Grounded && cited > 0 && fresh == 0 {
			f.failures = append(f.failures,
				field.Path+" rests on items that are too old: "+strings.Join(field.Evidence, ", "))
		}
	}
	return f
}

// constraints is G6: no field contradicts a fact of the user. A value that cannot be compared counts as a
// contradiction, so that nothing passes by being written differently.
func (ev *evaluation) constraints() finding {
	f := finding{note: "no live fact of the user can be checked"}
	for i := range ev.in.Facts {
		fact := &ev.in.Facts[i]
		if fact.Path == "" {
			continue
		}
		f.note, f.silent = "no field contradicts a fact of the user", true
		f.reads = append(f.reads, fact.ID)
		at, ok := ev.fields[fact.Path]
		if !ok {
			continue
		}
		value := ev.in.Artifact.Proposal.Fields[at].Value
		if !satisfies(value, fact.Op, fact.Value) {
			f.failures = append(f.failures,
				fmt.Sprintf("%s is %s, and %s says %s %s", fact.Path, brief(value), fact.ID, fact.Op,
					brief(fact.Value)))
		}
	}
	return f
}

// satisfies reports whether a relation holds between a value and a limit.
func satisfies(value json.RawMessage, op string, limit json.RawMessage) bool {
	switch op {
	case "=":
		return same(value, limit)
	case "≠":
		return !same(value, limit)
	case "in":
		return among(value, limit)
	}
	if list, ok := listOf(value); ok {
		return !slices.ContainsFunc(list, func(v json.RawMessage) bool { return !satisfies(v, op, limit) })
	}
	order, ok := compared(value, limit)
	if !ok {
		return false
	}
	switch op {
	case "<":
		return order < 0
	case "≤":
		return order <= 0
	case ">":
		return order > 0
	case "≥":
		return order >= 0
	}
	return false
}

// listOf returns the values of a list; ok is false for other values.
func listOf(raw json.RawMessage) (list []json.RawMessage, ok bool) {
	return list, json.Unmarshal(raw, &list) == nil && list != nil
}

// among reports whether a value, or each value of a list, is in a list.
func among(value, list json.RawMessage) bool {
	allowed, ok := listOf(list)
	if !ok {
		return false
	}
	in := func(v json.RawMessage) bool {
		return slices.ContainsFunc(allowed, func(a json.RawMessage) bool { return same(v, a) })
	}
	given, ok := listOf(value)
	return in(value) || ok && !slices.ContainsFunc(given, func(v json.RawMessage) bool { return !in(v) })
}

// same reports whether two values are equal: numbers as numbers, texts in folded form, everything else as
// canonical JSON.
func same(a, b json.RawMessage) bool {
	x, textX := wholeQuantity(a)
	y, textY := wholeQuantity(b)
	if textX && textY {
		return x.number.Cmp(y.number) == 0 && (x.unit == y.unit || x.unit == "" || y.unit == "")
	}
	var s, t *string
	if json.Unmarshal(a, &s) == nil && json.Unmarshal(b, &t) == nil && s != nil && t != nil {
		return fold(*s) == fold(*t)
	}
	c, d := jsontext.Value(append([]byte{}, a...)), jsontext.Value(append([]byte{}, b...))
	return c.Canonicalize() == nil && d.Canonicalize() == nil && string(c) == string(d)
}

// wholeAtom reads a value that is one atom and nothing else.
func wholeAtom(raw json.RawMessage) (atom, bool) {
	atoms := atomsOf(raw)
	if len(atoms) != 1 || !atoms[0].whole {
		return atom{}, false
	}
	return atoms[0], true
}

// wholeQuantity reads a value that is a number and nothing else.
func wholeQuantity(raw json.RawMessage) (quantity, bool) {
	if a, ok := wholeAtom(raw); !ok || a.kind != atomNumber {
		return quantity{}, false
	}
	return quantityOf(raw)
}

// longest is how many bytes of a value a reason shows.
const longest = 60

// brief shortens a value for a reason.
func brief(raw json.RawMessage) string {
	if len(raw) > longest {
		return strings.ToValidUTF8(string(raw[:longest]), "") + "…"
	}
	return string(raw)
}

// compared orders two values: numbers with the same unit (a bare number matches any), times and dates, and
// versions.
func compared(value, limit json.RawMessage) (order int, ok bool) {
	a, okA := quantityOf(value)
	b, okB := quantityOf(limit)
	if okA && okB {
		return a.number.Cmp(b.number), a.unit == b.unit || a.unit == "" || b.unit == ""
	}
	if a, b := momentOf(value), momentOf(limit); a != "" && b != "" {
		// A time is before a date if its own date is.
		least := min(len(a), len(b))
		return strings.Compare(a[:least], b[:least]), true
	}
	if a, b := versionOf(value), versionOf(limit); a != nil && b != nil {
		return slices.CompareFunc(a, b, cmp.Compare[int]), true
	}
	return 0, false
}

// momentOf returns a date or timestamp in ISO 8601 and UTC, or "".
func momentOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	if moment, err := time.Parse(time.RFC3339, strings.TrimSpace(text)); err == nil {
		return moment.UTC().Format("2006-01-02T15:04:05.000000000")
	}
	if a, ok := wholeAtom(raw); ok && a.kind == atomDate && len(a.text) == len(time.DateOnly) && a.text[4] == '-' {
		return a.text
	}
	return ""
}

// versionOf returns the numbers of a version without a pre-release, such as v1.26.0, or of a plain number. It
// returns nil for anything else.
func versionOf(raw json.RawMessage) []int {
	a, ok := wholeAtom(raw)
	if !ok || a.with != "" {
		return nil
	}
	var version []int
	for part := range strings.SplitSeq(strings.TrimPrefix(a.shown, "v"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil
		}
		version = append(version, n)
	}
	return version
}
