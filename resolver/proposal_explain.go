package resolver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// becauseProposal says why a field of a proposal is where it is, and what that
// read.
func becauseProposal(s *state.State, p *state.Point, e *Explanation, came *Objected) {
	e.Says = ProposalRuleSays(e.Rule)
	if p.Field == nil {
		e.Reads = newBench(s, p).readings(&e.Ruling)
		return
	}
	if strings.HasPrefix(e.Rule, "G") && e.Ruling.Bucket == state.BucketUnresolved {
		// A clause that begins with a path does not begin a sentence.
		e.Sentence = sentence("it fails " + e.Rule + ": " + e.Ruling.Reason)
	}
	b := newBench(s, p)
	b.objected = came
	for _, id := range e.Ruling.Reads {
		if what := b.readOf(id); what != "" {
			e.Reads = append(e.Reads, Reading{ID: id, What: what})
		}
	}
}

// explainProposal says what else holds a field, what nearly decided, and what
// would change it.
func explainProposal(s *state.State, p *state.Point, e *Explanation) {
	if p.Field == nil {
		return
	}
	if Proposed(p) {
		d := newDesk(s, new(recall))
		e.Reads = d.holding(p, e.Reads)
		e.Before = d.nearly(p)
	}
	e.Changes, e.More, e.Limit = newSearch(s, p, &e.Ruling).changes()
}

// nearly names the items that bear on what holds a field and decide nothing,
// each with the rule or gate that it came close to and what it lacks.
func (d *desk) nearly(p *state.Point) []NearMiss {
	var list []NearMiss
	in := d.back.proposalOf(d.s, lastResolved(d.s))
	for _, o := range d.burdens(p) {
		if r := resolutionOf(&d.result, o.ID); r == nil || r.Rule == "R0" || r.Rule == "R6" {
			continue
		}
		for _, short := range dialectic.Shortfalls(&in, o.ID) {
			rule, side := "R1", "for the field"
			if short.Relation == ledger.Refutes {
				rule, side = "R2", "against the field"
			}
			lacks := d.lacks(&short, o.Typed.Severity, o.Typed.Category)
			list = append(list, NearMiss{
				Rule:  rule,
				Words: fmt.Sprintf("%s is %s on %s; %s.", short.Item, side, o.ID, lacks),
			})
		}
	}
	for _, gate := range []string{"G3", "G4"} {
		if !d.fails(p, gate) {
			continue
		}
		for _, short := range dialectic.FloorShortfalls(&in, p.Field.Path) {
			weak := short.Lack == dialectic.LackKind
			if gate == "G4" || !weak {
				list = append(list, NearMiss{
					Rule:  gate,
					Words: fmt.Sprintf("%s is cited; %s.", short.Item, d.lacks(&short, p.Field.Severity, "")),
				})
			}
		}
		break
	}
	return list[:min(len(list), mostChanges)]
}

// lacks is what an item lacks to decide at a severity, in a clause.
func (d *desk) lacks(short *dialectic.Shortfall, severity, category string) string {
	switch short.Lack {
	case dialectic.LackFresh:
		return "it is too old to count (G8)"
	case dialectic.LackVerified:
		if item := d.s.Item(short.Item); item != nil && !item.Checked {
			return "it was not checked yet"
		}
		return "it was not verified"
	case dialectic.LackKind:
		return "it is " + string(short.Kind) + ", which may not decide what is " + severity
	case dialectic.LackConfidence:
		return fmt.Sprintf("it is at %.2f, where %s asks for %.2f", short.Confidence, category, short.Threshold)
	}
	return ""
}

// holding adds to what a ruling read what else holds the field: objections, gates
// and the user's facts that they name.
func (d *desk) holding(p *state.Point, list []Reading) []Reading {
	add := func(id, what string) {
		if what != "" && !slices.ContainsFunc(list, func(r Reading) bool { return r.ID == id }) {
			list = append(list, Reading{ID: id, What: what})
		}
	}
	b := newBench(d.s, p)
	for _, o := range d.burdens(p) {
		add(o.ID, b.readOf(o.ID))
		if owed := Outstanding(&d.result, o.ID); owed != "" {
			add("G7", owed)
		}
	}
	for _, g := range FailuresOf(&d.result, p.Field.Path) {
		add(g.Gate, "fails: "+strings.Join(g.Reasons, "; "))
		for _, f := range d.s.Facts.All() {
			if g.Gate == "G6" && Binds(f, p) {
				add(f.ID, factWords(f))
			}
		}
	}
	return list
}

// readOf is what stands under an id that a ruling read, in words.
func (b *bench) readOf(id string) string {
	if number, ok := strings.CutPrefix(id, "#"); ok {
		if seq, err := strconv.Atoi(number); err == nil && seq == b.p.Field.Seq && b.p.Field.Withdrawn {
			return "the withdrawal by " + seatName(b.p.Field.WithdrawnBy) +
				strings.TrimSuffix(colon(b.p.Field.Reason), ".")
		}
	}
	return b.read(id)
}

// ProposalRuleSays is what a rule or gate of a proposal, R0 to R6 or G1 to G8, says
// of any field, and what the rule "decision" says of one that waits; "" for any other.
func ProposalRuleSays(rule string) string {
	switch rule {
	case "R0":
		return "What the user decided stands as decided."
	case "R1":
		return "An objection is cleared where eligible evidence is for the proposal only."
	case "R2":
		return "An objection is upheld where eligible evidence is against the proposal only."
	case "R3":
		return "Where eligible evidence of different kinds stands on both sides, the stronger kind wins."
	case "R4":
		return "Where eligible evidence of one kind stands on both sides, nothing is settled; confidence does not " +
			"settle it."
	case "R5":
		return "Where no evidence is eligible, nothing is settled."
	case "R6":
		return "An objection is moot once its field is gone, and upheld where it was conceded and the field stays."
	case "G1":
		return "Every word is one of its list, and every number in its range."
	case "G2":
		return "Everything that is cited exists."
	case "G3":
		return "What a grounded value says is found in what the user asked for or in what it cites, or follows from " +
			"that."
	case "G4":
		return "A grounded field cites evidence of a source that its severity allows."
	case "G5":
		return "No BLOCKING or HIGH objection stands."
	case "G6":
		return "No field contradicts a fact of the user."
	case "G7":
		return "Nothing that was asked for about a BLOCKING or HIGH objection is outstanding."
	case "G8":
		return "What is too old does not count."
	case decisionRule:
		return "What no round has resolved is open."
	}
	return ""
}

// objectionWords is an objection with how it came out: "BLOCKING objection of the
// pressure-tester from round 1, cleared by E2, R1: “…”".
func (b *bench) objectionWords(c *state.Challenge) string {
	came := b.toldOf().Of(c)
	return fmt.Sprintf("%s objection of %s from round %d, %s: %s", c.Typed.Severity, seatName(c.By), c.Round,
		came.Words("you"), quote(c.Objection))
}

// toldOf is where the objections stand, read once.
func (b *bench) toldOf() *Objected {
	if b.objected == nil {
		// A resolution that cannot be read says nothing of any objection.
		outcome, _ := OutcomeOf(b.s)
		b.objected = NewObjected(b.s, outcome)
	}
	return b.objected
}

// fieldEvidenceWords is an item with what counts of it in a proposal: its source,
// and how sure code is of it.
func fieldEvidenceWords(e *ledger.Evidence) string {
	bears := bearsOn(e.Relation, "the field")
	checked := "not checked yet"
	switch {
	case e.Counts():
		checked = "verified"
	case e.Checked:
		checked = "not verified, so that it counts as " + string(ledger.LLMInference)
	}
	return fmt.Sprintf("%s, %.2f, %s, %s, at %s: %s", e.SourceKind, e.Confidence, bears, checked, clip(e.Reference),
		quote(e.Excerpt))
}
