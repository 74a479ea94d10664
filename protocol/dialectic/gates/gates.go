package gates

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/plain"
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

// Name returns what a gate checks, in a word or two: "invention" for G3. A text that is no gate's ID is
// returned unchanged.
func Name(gate string) string {
	names := map[string]string{
		"G1": "schema", "G2": "references", "G3": "invention", "G4": "sources", "G5": "objections", "G6": "constraints",
		"G7": "evidence owed", "G8": "freshness", "G9": "coverage",
	}
	return cmp.Or(names[gate], gate)
}

// gates runs all gates and adds a receipt for each.
func (ev *evaluation) gates() []GateResult {
	schema, references := ev.wellFormed()
	found := []finding{
		schema, references, ev.invention(), ev.floor(),
		ev.objectionsMet(), ev.constraints(), ev.requestsMet(), ev.freshness(),
	}
	if len(ev.in.Changed) > 0 {
		found = append(found, ev.coverage())
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
		ev.chain.add(Receipt{
			Rule: g.Gate, Subject: ev.in.Artifact.Proposal.ID, Reads: f.reads,
			Observed: float64(len(f.failures)), Outcome: outcome, Reason: reason,
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
		if _, asked := ev.config.Thresholds[field.Category]; !field.Grounded || !asked {
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
			met = met || !ev.items.stale(at) && !ev.items.all[at].Contested &&
				ev.config.allows(ev.items.kind(at), field.weight())
		}
		if !met {
			f.failures = append(f.failures, field.Path+" cites no item that "+string(field.weight())+" allows")
		}
	}
	return f
}

// objectionsMet is G5: no BLOCKING or HIGH objection is open.
func (ev *evaluation) objectionsMet() finding {
	f := finding{note: "no objection was raised"}
	for i := range ev.in.Artifact.Objections {
		o, r := &ev.in.Artifact.Objections[i], &ev.resolutions[i]
		f.note, f.silent = "no BLOCKING or HIGH objection is unresolved or upheld", true
		if o.Severity == Medium || o.Severity == Low {
			continue
		}
		f.reads = append(f.reads, o.ID)
		if r.Outcome.Holds() {
			f.failures = append(f.failures, o.ID+" ("+string(o.Severity)+") is "+strings.ToLower(string(r.Outcome)))
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
	case len(ev.config.Freshness) == 0:
		return finding{note: "no freshness is configured"}
	case ev.in.AsOf.IsZero():
		return finding{note: "no asOf is given, so no item is too old"}
	}
	f := finding{note: "no item is too old", silent: true}
	for i := range ev.items.all {
		if ev.items.stale(i) {
			f.reads = append(f.reads, ev.items.all[i].ID)
		}
	}
	if len(f.reads) > 0 {
		f.note, f.silent = "too old to count: "+strings.Join(f.reads, ", "), false
	}
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

// coverage is G9: the pressure-tester saw each changed file whole, and a field proposes it or the proposer named it
// as not proposed. It runs only in a session about a change.
func (ev *evaluation) coverage() finding {
	var failures, remarks []string
	for i := range ev.in.Changed {
		file := &ev.in.Changed[i]
		if file.NotProposed && !file.Covered {
			remarks = append(remarks, file.Path+" is not proposed")
		}
		if file.Withheld != "" {
			failures = append(failures, file.Path+" was not shown to the pressure-tester whole: "+file.Withheld)
		} else if !file.Covered && !file.NotProposed {
			failures = append(failures, file.Path+" is covered by no field")
		}
		if file.Accepted && (file.Withheld != "" || !file.Covered && !file.NotProposed) {
			remarks = append(remarks, failures[len(failures)-1]+"; the user accepts that")
			failures = failures[:len(failures)-1]
		}
	}
	f := finding{failures: failures, note: strings.Join(remarks, "; ")}
	if f.note == "" {
		f.note, f.silent = "each changed file was shown whole and is covered by a field", true
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
		var allowed []json.RawMessage
		return json.Unmarshal(limit, &allowed) == nil &&
			slices.ContainsFunc(allowed, func(a json.RawMessage) bool { return same(value, a) })
	}
	order, ok := compared(value, limit)
	return ok && (op[0] == '<' && order < 0 || op[0] == '>' && order > 0 ||
		op == "≤" && order <= 0 || op == "≥" && order >= 0)
}

// same reports whether two values are equal: numbers as numbers, texts in folded form, everything else as
// canonical JSON.
func same(a, b json.RawMessage) bool {
	if order, ok := compared(a, b); ok {
		return order == 0
	}
	var s, t *string
	if json.Unmarshal(a, &s) == nil && json.Unmarshal(b, &t) == nil && s != nil && t != nil {
		return fold(*s) == fold(*t)
	}
	return canonical(a) == canonical(b)
}

// canonical returns a value in the form of RFC 8785, or as it is if it is not JSON.
func canonical(raw json.RawMessage) string {
	v := jsontext.Value(bytes.Clone(raw))
	if v.Canonicalize() != nil {
		return string(raw)
	}
	return string(v)
}

// longest is how many bytes of a value a reason shows.
const longest = 60

// brief shortens a value for a reason.
func brief(raw json.RawMessage) string { return plain.Cut(string(raw), longest) }

// compared orders two values that are numbers of the same unit (a bare number matches any), or dates, and nothing
// else.
func compared(value, limit json.RawMessage) (order int, ok bool) {
	list, limits := atomsOf(value), atomsOf(limit)
	if len(list) != 1 || len(limits) != 1 || !list[0].whole || !limits[0].whole || list[0].kind != limits[0].kind {
		return 0, false
	}
	a, b := &list[0], &limits[0]
	switch a.kind {
	case atomNumber:
		x, y := a.quantity, b.quantity
		return x.number.Cmp(y.number), x.unit == y.unit || x.unit == "" || y.unit == ""
	case atomDate:
		return strings.Compare(a.text, b.text), true
	case atomName, atomPassage:
	}
	return 0, false
}
