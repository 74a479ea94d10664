// Package gates resolves proposals of the dialectic format: it decides whether a proposal with objections may advance,
// needs another round, or goes to the user. Resolve is a pure function from an Input to a Result: rules R0 to
// R6 settle each objection, gates G1 to G9 check the proposal (gates.go, and invention.go for G3), and the
// decision follows from both. Every step leaves a receipt in a hash chain. The same input gives the same bytes.
//
// Parse reads the JSON of moot resolve, strictly. The package reads no files and no clock, and knows nothing
// about sessions.
package gates

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
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
	decision, warnings := ev.decide(gates)
	result.Decision = decision
	result.NeedsAnotherRound = decision == Hold
	result.Artifact.Validation = Validation{ReadyToAdvance: decision == Advance, Gates: gates, Warnings: warnings}
	result.Receipts = ev.chain.receipts
	return result
}

// evaluation holds an input and the state of resolving it.
type evaluation struct {
	in     *Input
	config Config
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
	ev := &evaluation{in: in, config: in.Config.Over(DefaultConfig()), round: in.round(), origins: map[int]*origin{}}
	ev.fields = make(map[string]int, len(in.Artifact.Proposal.Fields))
	for i := range in.Artifact.Proposal.Fields {
		place(ev.fields, in.Artifact.Proposal.Fields[i].Path, i)
	}
	ev.objections = make(map[string]int, len(in.Artifact.Objections))
	for i := range in.Artifact.Objections {
		place(ev.objections, in.Artifact.Objections[i].ID, i)
	}
	ev.items = newItems(in, &ev.config)
	ev.chain.round = ev.round
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
		o := &ev.in.Artifact.Objections[i]
		r := Resolution{Objection: o.ID, Threshold: ev.config.threshold(o.Category)}
		why := ev.resolve(o, &r)
		why.Rule, why.Subject, why.Threshold, why.Outcome = r.Rule, o.ID, r.Threshold, string(r.Outcome)
		ev.chain.add(why)
		resolutions = append(resolutions, r)
	}
	return resolutions
}

// resolve settles one objection by the first rule that applies. It returns the receipt without the rule and outcome.
func (ev *evaluation) resolve(o *Objection, r *Resolution) (why Receipt) {
	settle := func(rule string, outcome Outcome, decider string, observed float64, reason string) {
		r.Rule, r.Outcome, r.Decider, why.Observed, why.Reason = rule, outcome, decider, observed, reason
	}
	_, exists := ev.fields[o.Target]
	switch {
	case o.Ruling == RulingCleared:
		settle("R0", Cleared, byUser, 1, "the user cleared it")
		return why
	case o.Ruling == RulingUpheld:
		settle("R0", Upheld, byUser, 1, "the user upheld it")
		return why
	case o.Withdrawn:
		settle("R6", Moot, "", 0, "the pressure-tester withdrew it")
		return why
	case !exists && o.Conceded:
		settle("R6", Moot, "", 0, "granted, and withdrawn after "+o.ID)
		return why
	case !exists:
		settle("R6", Moot, "", 0, o.Target+" is not a field of the proposal")
		return why
	case o.Conceded:
		settle("R6", Upheld, "", 0, "it was conceded, and "+o.Target+" is still a field")
		return why
	}
	list, ignored := ev.items.about(o)
	supports := ev.items.eligible(list, ledger.Supports, o, r.Threshold)
	refutes := ev.items.eligible(list, ledger.Refutes, o, r.Threshold)
	var pro, con string
	var proSure, conSure float64
	if supports >= 0 {
		r.BestFor, pro, proSure = ev.items.all[supports].ID, ev.named(supports), ev.items.confidence(supports)
		why.Reads = append(why.Reads, r.BestFor)
	}
	if refutes >= 0 {
		r.BestAgainst, con, conSure = ev.items.all[refutes].ID, ev.named(refutes), ev.items.confidence(refutes)
		why.Reads = append(why.Reads, r.BestAgainst)
	}
	switch {
	case supports < 0 && refutes < 0:
		r.Rule, r.Outcome = "R5", Unresolved
		return ev.undecided(list, ignored, o, r.Threshold)
	case o.Unheard && supports >= 0 && (refutes < 0 || ev.items.rank(supports) < ev.items.rank(refutes)):
		settle("R5", Unresolved, "", 0, "evidence for the objection waits for the proposer's answer, or is contested")
	case refutes < 0:
		settle("R1", Cleared, r.BestFor, proSure, pro+" supports the proposal, and nothing eligible is against it")
	case supports < 0:
		settle("R2", Upheld, r.BestAgainst, conSure, con+" contradicts the proposal, and nothing eligible supports it")
	case ev.items.rank(supports) < ev.items.rank(refutes):
		settle("R3", Cleared, r.BestFor, proSure, pro+" supports the proposal and outranks "+con)
	case ev.items.rank(supports) > ev.items.rank(refutes):
		settle("R3", Upheld, r.BestAgainst, conSure, con+" contradicts the proposal and outranks "+pro)
	default:
		settle("R4", Unresolved, "", max(proSure, conSure), pro+" supports the proposal and "+con+
			" contradicts it; they are of one kind, and confidence does not settle it")
	}
	return why
}

// undecided returns the R5 receipt, which says what the strongest item lacks, or why none counts.
func (ev *evaluation) undecided(list, ignored []int, o *Objection, threshold float64) Receipt {
	side := func(relation ledger.Relation) int {
		return ev.items.best(list, func(at int) bool { return ev.items.all[at].Relation == relation })
	}
	at, against := side(ledger.Supports), side(ledger.Refutes)
	if at < 0 || against >= 0 && ev.items.rank(against) < ev.items.rank(at) {
		at = against
	}
	if at < 0 && len(ignored) == 0 {
		return Receipt{Reason: "no evidence speaks to it"}
	}
	if best := ev.items.best(ignored, func(int) bool { return true }); best >= 0 &&
		(at < 0 || ev.items.rank(best) < ev.items.rank(at)) {
		return Receipt{
			Reads: []string{ev.items.all[best].ID}, Observed: ev.items.confidence(best),
			Reason: ev.items.whyIgnored(best, o),
		}
	}
	why := Receipt{
		Reads: []string{ev.items.all[at].ID}, Observed: ev.items.confidence(at),
		Reason: ev.named(at) + " is below the threshold of " + decimal(threshold),
	}
	switch kind := ev.items.kind(at); {
	case !ev.config.allows(kind, o.Severity):
		why.Reason = ev.named(at) + " is not of a kind that decides what is " + string(o.Severity)
	case ev.items.all[at].Relation == ledger.Supports && !o.Clears(kind):
		why.Reason = ev.named(at) + " is not of a kind that clears " + o.ID + " (" +
			strings.Join(enum.Words(o.ClearedBy), ", ") + ")"
	}
	return why
}

// named returns an item's id with the kind and confidence that count.
func (ev *evaluation) named(at int) string {
	e, kind := &ev.items.all[at], ev.items.kind(at)
	words := e.ID + " (" + string(kind) + " " + decimal(ev.items.confidence(at))
	if e.SourceKind != kind {
		words += ", as it is not verified"
	}
	return words + ")"
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// decide derives the decision from the resolutions and the gates, adds its receipt, and returns the warnings.
func (ev *evaluation) decide(gates []GateResult) (decision Decision, warnings []string) {
	last, progress := ev.round >= ev.config.MaxRounds, ev.progress()
	warnings = []string{}
	blocked := lists.Map(lists.Filter(gates, func(g GateResult) bool { return !g.Pass }), func(g GateResult) string {
		return g.Gate
	})
	for i := range ev.in.Artifact.Objections {
		o, r := &ev.in.Artifact.Objections[i], &ev.resolutions[i]
		if o.Severity != Medium || !r.Outcome.Holds() {
			continue
		}
		if !last && progress {
			blocked = append(blocked, o.ID)
			continue
		}
		when := "in a round that brought nothing new"
		if last {
			when = "in the last round"
		}
		warnings = append(
			warnings,
			o.ID+" (MEDIUM) is "+strings.ToLower(string(r.Outcome))+"; "+when+" that only warns",
		)
	}
	receipt := Receipt{
		Rule: "decision", Subject: ev.in.Artifact.Proposal.ID, Threshold: float64(ev.config.MaxRounds),
		Observed: float64(ev.round), Reason: "every gate passes, and no objection holds it",
	}
	decision = Advance
	if ev.in.Session && len(ev.in.Artifact.Proposal.Fields) == 0 {
		decision, receipt.Reads, receipt.Reason = Escalate, blocked, "nothing is proposed any more"
	} else if len(blocked) > 0 {
		because, read := ev.escalates(last, progress)
		decision, receipt.Reads = Escalate, slices.Concat(blocked, read)
		if len(because) == 0 {
			decision, receipt.Reads = Hold, blocked
			because = []string{fmt.Sprintf("round %d of %d leaves it open", ev.round, ev.config.MaxRounds)}
		}
		names := lists.Map(blocked, Name)
		receipt.Reason = "not ready (" + strings.Join(names, ", ") + "): " + strings.Join(because, "; ")
	}
	receipt.Outcome = string(decision)
	ev.chain.add(receipt)
	return decision, warnings
}

// escalates returns the reasons why the user must decide on a proposal that is not ready, and the objections
// behind them.
func (ev *evaluation) escalates(last, progress bool) (because, read []string) {
	if last {
		because = append(because, "round "+strconv.Itoa(ev.round)+" was the last")
	}
	before := map[string]bool{}
	if previous := ev.previous(); previous != nil {
		for _, r := range previous.Artifact.Resolutions {
			before[r.Objection] = r.Outcome == Upheld
		}
	}
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
	fields := before.Artifact.Proposal.Fields
	return len(fields) != len(ev.in.Artifact.Proposal.Fields) || slices.ContainsFunc(fields, func(f Field) bool {
		at, there := ev.fields[f.Path]
		return !there || !sameField(ev.in.Artifact.Proposal.Fields[at], f)
	})
}

// sameField reports whether the field of a path is unchanged.
func sameField(a, b Field) bool {
	if a.Category != b.Category || a.weight() != b.weight() || a.Grounded != b.Grounded ||
		!slices.Equal(a.Evidence, b.Evidence) || (a.Derived == nil) != (b.Derived == nil) {
		return false
	}
	if a.Derived != nil && (a.Derived.Op != b.Derived.Op || !slices.Equal(a.Derived.Of, b.Derived.Of)) {
		return false
	}
	return bytes.Equal(a.Value, b.Value) || canonical(a.Value) == canonical(b.Value)
}
