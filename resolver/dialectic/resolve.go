package dialectic

// Resolve says what stands: it settles the objections, runs the gates and
// decides. It is pure and linear in the size of its input, which it does not
// change; the Result shares its slices. What the input's schema or references
// lack fails G1 or G2 and is left out of account.
func Resolve(in *Input) Result {
	b := newBench(in)
	result := Result{Artifact: Artifact{
		Proposal:    in.Artifact.Proposal,
		Objections:  in.Artifact.Objections,
		Resolutions: b.resolveAll(),
	}}
	b.resolutions = result.Artifact.Resolutions
	gates := b.gates()
	verdict := b.decide(gates)
	b.chain.add(verdict.entry)
	result.Decision = verdict.decision
	result.NeedsAnotherRound = verdict.decision == Hold
	result.Artifact.Validation = Validation{
		ReadyToAdvance: verdict.decision == Advance,
		Gates:          gates,
		Warnings:       verdict.warnings,
	}
	result.Receipts = b.chain.receipts
	return result
}

// bench holds an input and what Resolve works out of it.
type bench struct {
	in    *Input
	law   *law
	round int
	// fields and objections are the places of paths and ids in the artifact, the
	// first where one is named twice.
	fields     map[string]int
	objections map[string]int
	items      *items
	// resolutions stand in the order of the objections, once they are known.
	resolutions []Resolution
	chain       chain
}

func newBench(in *Input) *bench {
	b := &bench{in: in, law: newLaw(in.Config), round: in.round()}
	b.fields = make(map[string]int, len(in.Artifact.Proposal.Fields))
	for i := range in.Artifact.Proposal.Fields {
		place(b.fields, in.Artifact.Proposal.Fields[i].Path, i)
	}
	b.objections = make(map[string]int, len(in.Artifact.Objections))
	for i := range in.Artifact.Objections {
		place(b.objections, in.Artifact.Objections[i].ID, i)
	}
	b.items = newItems(in, b.law)
	// One receipt an objection, one a gate, and the decision's.
	b.chain = newChain(b.round, len(in.Artifact.Objections)+9)
	return b
}

// place records the first place of a name.
func place(places map[string]int, name string, at int) {
	if _, taken := places[name]; !taken {
		places[name] = at
	}
}
