// Package gates resolves proposals of the dialectic format: it decides whether a proposal with objections may advance,
// needs another round, or goes to the user. Resolve is a pure function from an Input to a Result: rules R0 to
// R6 settle each objection, gates G1 to G8 check the proposal (gates.go, and invention.go for G3), and the
// decision follows from both. Every step leaves a receipt in a hash chain. The same input gives the same bytes.
//
// Parse reads the JSON of moot resolve, strictly. The package reads no files and no clock, and knows nothing
// about sessions.
package gates

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
)

// Resolve settles the objections, runs the gates and decides. It takes time linear in the size of its input and
// does not change it; the Result shares its slices. Invalid values and references fail G1 or G2 and are
// otherwise ignored.
func Resolve(in *Input) Result {
	ev := newEvaluation(in)
	result := Result{Artifact: Artifact{
		Proposal:    in.Artifact.Proposal,
		Objections:  in.Artifact.Objections,
		Resolutions: ev.resolveAll(),
	}}
	ev.resolutions = result.Artifact.Resolutions
	gates := ev.gates()
	verdict := ev.decide(gates)
	ev.chain.add(verdict.entry)
	result.Decision = verdict.decision
	result.NeedsAnotherRound = verdict.decision == Hold
	result.Artifact.Validation = Validation{
		ReadyToAdvance: verdict.decision == Advance,
		Gates:          gates,
		Warnings:       verdict.warnings,
	}
	result.Receipts = ev.chain.receipts
	return result
}

// evaluation holds an input and the state of resolving it.
type evaluation struct {
	in     *Input
	policy *policy
	round  int
	// fields and objections index the artifact by path and id. The first wins if one is repeated.
	fields     map[string]int
	objections map[string]int
	items      *items
	// origins caches the texts that values may come from (G3).
	origins map[int]*origin
	// resolutions are in the order of the objections.
	resolutions []Resolution
	chain       chain
}

func newEvaluation(in *Input) *evaluation {
	ev := &evaluation{in: in, policy: newPolicy(in.Config), round: in.round(), origins: map[int]*origin{}}
	ev.fields = make(map[string]int, len(in.Artifact.Proposal.Fields))
	for i := range in.Artifact.Proposal.Fields {
		place(ev.fields, in.Artifact.Proposal.Fields[i].Path, i)
	}
	ev.objections = make(map[string]int, len(in.Artifact.Objections))
	for i := range in.Artifact.Objections {
		place(ev.objections, in.Artifact.Objections[i].ID, i)
	}
	ev.items = newItems(in, ev.policy)
	// One receipt an objection, one a gate, and the decision's.
	ev.chain = newChain(ev.round, len(in.Artifact.Objections)+9)
	return ev
}

// place records the first place of a name.
func place(places map[string]int, name string, at int) {
	if _, taken := places[name]; !taken {
		places[name] = at
	}
}

// byUser is the Decider of a ruling by the user.
const byUser = "user"

// resolveAll settles the objections in order and adds a receipt for each.
func (ev *evaluation) resolveAll() []Resolution {
	resolutions := make([]Resolution, 0, len(ev.in.Artifact.Objections))
	for i := range ev.in.Artifact.Objections {
		r, why := ev.resolve(i)
		why.rule, why.subject = r.Rule, r.Objection
		why.threshold, why.outcome = r.Threshold, string(r.Outcome)
		ev.chain.add(why)
		resolutions = append(resolutions, r)
	}
	return resolutions
}

// resolve settles one objection by the first rule that applies.
func (ev *evaluation) resolve(i int) (Resolution, entry) {
	o := &ev.in.Artifact.Objections[i]
	r := Resolution{Objection: o.ID, Threshold: ev.policy.threshold(o.Category)}
	_, exists := ev.fields[o.Target]
	switch {
	case o.Ruling == RulingCleared:
		r.Rule, r.Outcome, r.Decider = "R0", Cleared, byUser
		return r, entry{observed: 1, reason: "the user cleared it"}
	case o.Ruling == RulingUpheld:
		r.Rule, r.Outcome, r.Decider = "R0", Upheld, byUser
		return r, entry{observed: 1, reason: "the user upheld it"}
	case !exists:
		r.Rule, r.Outcome = "R6", Moot
		return r, entry{reason: o.Target + " is no field of the proposal any more"}
	case o.Conceded:
		r.Rule, r.Outcome = "R6", Upheld
		return r, entry{reason: "it was conceded, and " + o.Target + " is still a field"}
	}
	return ev.weigh(o, r)
}

// weigh settles an objection by evidence: R1 to R5.
func (ev *evaluation) weigh(o *Objection, r Resolution) (Resolution, entry) {
	best := ev.items.about(o)
	supports := ev.items.eligible(&best, proponents, o.Severity, r.Threshold)
	refutes := ev.items.eligible(&best, opponents, o.Severity, r.Threshold)
	if supports < 0 && refutes < 0 {
		r.Rule, r.Outcome = "R5", Unresolved
		return r, ev.undecided(&best, o, r.Threshold)
	}
	var reads []string
	if supports >= 0 {
		r.BestFor = ev.items.all[supports].ID
		reads = append(reads, r.BestFor)
	}
	if refutes >= 0 {
		r.BestAgainst = ev.items.all[refutes].ID
		reads = append(reads, r.BestAgainst)
	}
	why := entry{reads: reads}
	switch {
	case refutes < 0:
		r.Rule, r.Outcome, r.Decider = "R1", Cleared, r.BestFor
		why.observed = ev.items.confidence(supports)
		why.reason = ev.named(supports) + " supports the proposal, and nothing eligible is against it"
	case supports < 0:
		r.Rule, r.Outcome, r.Decider = "R2", Upheld, r.BestAgainst
		why.observed = ev.items.confidence(refutes)
		why.reason = ev.named(refutes) + " contradicts the proposal, and nothing eligible supports it"
	case ev.items.rank(supports) < ev.items.rank(refutes):
		r.Rule, r.Outcome, r.Decider = "R3", Cleared, r.BestFor
		why.observed = ev.items.confidence(supports)
		why.reason = ev.named(supports) + " supports the proposal and outranks " + ev.named(refutes)
	case ev.items.rank(supports) > ev.items.rank(refutes):
		r.Rule, r.Outcome, r.Decider = "R3", Upheld, r.BestAgainst
		why.observed = ev.items.confidence(refutes)
		why.reason = ev.named(refutes) + " contradicts the proposal and outranks " + ev.named(supports)
	default:
		r.Rule, r.Outcome = "R4", Unresolved
		why.observed = max(ev.items.confidence(supports), ev.items.confidence(refutes))
		why.reason = ev.named(supports) + " supports the proposal and " + ev.named(refutes) +
			" contradicts it; they are of one kind, and confidence does not settle it"
	}
	return r, why
}

// undecided returns the R5 receipt, which says what the strongest item lacks.
func (ev *evaluation) undecided(best *tally, o *Objection, threshold float64) entry {
	at := ev.items.strongest(best)
	if at < 0 {
		return entry{reason: "no evidence speaks to it"}
	}
	why := entry{
		reads: []string{ev.items.all[at].ID}, observed: ev.items.confidence(at),
		reason: ev.named(at) + " is below the threshold of " + decimal(threshold),
	}
	if !ev.policy.allow[o.Severity.Gravity()][kindIndex(ev.items.kind(at))] {
		why.reason = ev.named(at) + " is not of a kind that decides what is " + string(o.Severity)
	}
	return why
}

// named returns an item's id with the kind and confidence that count.
func (ev *evaluation) named(at int) string {
	e, kind := &ev.items.all[at], ev.items.kind(at)
	words := e.ID + " (" + string(kind) + " " + decimal(ev.items.confidence(at))
	if kind == ledger.LLMInference && e.SourceKind != kind {
		words += ", as it is not verified"
	}
	return words + ")"
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// verdict is the decision with its warnings and receipt.
type verdict struct {
	decision Decision
	warnings []string
	entry    entry
}

// decide derives the decision from the resolutions and the gates.
func (ev *evaluation) decide(gates []GateResult) verdict {
	last, progress := ev.round >= ev.policy.maxRounds, ev.progress()
	v := verdict{warnings: []string{}}
	var failed, held []string
	for _, g := range gates {
		if !g.Pass {
			failed = append(failed, g.Gate)
		}
	}
	for i := range ev.in.Artifact.Objections {
		o, r := &ev.in.Artifact.Objections[i], &ev.resolutions[i]
		if o.Severity != Medium || !r.Outcome.Holds() {
			continue
		}
		if !last && progress {
			held = append(held, o.ID)
			continue
		}
		when := "in a round that brought nothing new"
		if last {
			when = "in the last round"
		}
		v.warnings = append(v.warnings, o.ID+" (MEDIUM) is "+string(r.Outcome)+" by "+r.Rule+"; "+when+
			" that only warns")
	}
	because, read := ev.escalates(last, progress)
	switch {
	case len(failed) == 0 && len(held) == 0:
		v.decision, v.entry.reason = Advance, "every gate passes, and no objection holds it"
	case len(because) > 0:
		v.decision, v.entry.reason = Escalate, strings.Join(because, "; ")
	default:
		v.decision, v.entry.reason = Hold,
			"round "+strconv.Itoa(ev.round)+" of "+strconv.Itoa(ev.policy.maxRounds)+" leaves it open"
	}
	if v.decision != Advance {
		v.entry.reason = "not ready (" + strings.Join(slices.Concat(failed, held), ", ") + "): " + v.entry.reason
		v.entry.reads = slices.Concat(failed, held)
	}
	if v.decision == Escalate {
		v.entry.reads = append(v.entry.reads, read...)
	}
	v.entry.rule, v.entry.subject, v.entry.outcome = "decision", ev.in.Artifact.Proposal.ID, string(v.decision)
	v.entry.threshold, v.entry.observed = float64(ev.policy.maxRounds), float64(ev.round)
	return v
}

// escalates returns the reasons why the user must decide on a proposal that is not ready, and the objections
// behind them.
func (ev *evaluation) escalates(last, progress bool) (because, read []string) {
	if last {
		because = append(because, "round "+strconv.Itoa(ev.round)+" was the last")
	}
	before := ev.upheldBefore()
	for i := range ev.in.Artifact.Objections {
		o, r := &ev.in.Artifact.Objections[i], &ev.resolutions[i]
		if o.Severity != Blocking {
			continue
		}
		if r.Rule == "R4" {
			because = append(because, o.ID+" (BLOCKING) has evidence of one kind on both sides")
			read = append(read, o.ID)
		}
		if r.Outcome == Upheld && before[o.ID] {
			because = append(because, o.ID+" (BLOCKING) is upheld twice in a row")
			read = append(read, o.ID)
		}
	}
	if !progress {
		because = append(because, "the round brought neither new evidence nor a changed field")
	}
	return because, read
}

// previous returns the result of the previous round, or nil.
func (ev *evaluation) previous() *Result {
	if n := len(ev.in.Rounds); n > 0 {
		return &ev.in.Rounds[n-1]
	}
	return nil
}

// upheldBefore returns the objections that the previous round upheld.
func (ev *evaluation) upheldBefore() map[string]bool {
	upheld := map[string]bool{}
	if before := ev.previous(); before != nil {
		for _, r := range before.Artifact.Resolutions {
			if r.Outcome == Upheld {
				upheld[r.Objection] = true
			}
		}
	}
	return upheld
}

// progress reports whether the round brought new evidence or a changed field. Round 1 counts as progress. If
// the previous round is not given, the proposal's own round shows whether it was revised.
func (ev *evaluation) progress() bool {
	if ev.round == 1 {
		return true
	}
	for i := range ev.in.Evidence {
		if ev.in.Evidence[i].Round == ev.round {
			return true
		}
	}
	before := ev.previous()
	if before == nil {
		return ev.in.Artifact.Proposal.Round == ev.round
	}
	return ev.changed(before.Artifact.Proposal.Fields)
}

// changed reports whether a field was added, removed or changed, in any order.
func (ev *evaluation) changed(before []Field) bool {
	if len(before) != len(ev.in.Artifact.Proposal.Fields) {
		return true
	}
	for i := range before {
		at, there := ev.fields[before[i].Path]
		if !there || !sameField(ev.in.Artifact.Proposal.Fields[at], before[i]) {
			return true
		}
	}
	return false
}

// sameField reports whether a field is unchanged.
func sameField(a, b Field) bool {
	if a.Path != b.Path || a.Category != b.Category || a.weight() != b.weight() || a.Grounded != b.Grounded ||
		!slices.Equal(a.Evidence, b.Evidence) || (a.Derived == nil) != (b.Derived == nil) {
		return false
	}
	if a.Derived != nil && (a.Derived.Op != b.Derived.Op || !slices.Equal(a.Derived.Of, b.Derived.Of)) {
		return false
	}
	return bytes.Equal(a.Value, b.Value) || canonical(a.Value) == canonical(b.Value)
}
