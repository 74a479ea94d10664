package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// decisionWords say in plain words what code decided of a proposal. The words
// quote seats: who draws them escapes them.
type decisionWords struct {
	state    *state.State
	outcome  *resolver.Outcome
	objected *resolver.Objected
}

func newDecisionWords(s *state.State, o *resolver.Outcome) decisionWords {
	return decisionWords{s, o, resolver.NewObjected(s, o)}
}

// gateName says in a word or two what a gate asks for.
func gateName(gate string) string {
	switch gate {
	case "G1":
		return "schema"
	case "G2":
		return "references"
	case "G3":
		return "nothing invented"
	case "G4":
		return "authority"
	case "G5":
		return "objections"
	case "G6":
		return "your facts"
	case "G7":
		return "evidence owed"
	case "G8":
		return "freshness"
	}
	return ""
}

// standing are the objections that hold the proposal, the gravest first.
func (w decisionWords) standing() []*state.Challenge {
	var list []*state.Challenge
	for _, r := range resolver.Standing(&w.outcome.Result) {
		if c := w.objection(r.Objection); c != nil {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b *state.Challenge) int {
		return resolver.Gravity(a.Typed.Severity) - resolver.Gravity(b.Typed.Severity)
	})
	return list
}

// warning are the objections that stand against the proposal and hold nothing.
func (w decisionWords) warning() []*state.Challenge {
	holds := map[string]bool{}
	for _, r := range resolver.Standing(&w.outcome.Result) {
		holds[r.Objection] = true
	}
	var list []*state.Challenge
	for _, r := range w.outcome.Artifact.Resolutions {
		if c := w.objection(r.Objection); c != nil && r.Outcome.Holds() && !holds[c.ID] {
			list = append(list, c)
		}
	}
	return list
}

// objection is the challenge of an objection, nil where the session has none such.
func (w decisionWords) objection(id string) *state.Challenge {
	if c := w.state.Challenge(id); c != nil && c.Typed != nil {
		return c
	}
	return nil
}

// failing are the gates that fail, in their order.
func (w decisionWords) failing() []string {
	var gates []string
	for i := range w.outcome.Artifact.Validation.Gates {
		if g := &w.outcome.Artifact.Validation.Gates[i]; !g.Pass {
			gates = append(gates, g.Gate)
		}
	}
	return gates
}

// sentence says why, and what comes next.
func (w decisionWords) sentence() string {
	if w.outcome.Decision == dialectic.Advance {
		parts := []string{"every gate passes, and no objection holds it"}
		if warning := challengeIDs(w.warning()); len(warning) > 0 {
			parts = append(parts, listed(warning)+when(len(warning) == 1, " only warns", " only warn"))
		}
		return strings.Join(parts, "; ")
	}
	parts := w.holding()
	if w.outcome.Decision == dialectic.Escalate {
		for because := range strings.SplitSeq(w.because(), "; ") {
			if because != "" && !slices.Contains(parts, because) {
				parts = append(parts, because)
			}
		}
		return strings.Join(parts, "; ")
	}
	if !w.state.Over() {
		next := min(w.outcome.Round+1, w.outcome.Rounds)
		parts = append(parts, fmt.Sprintf("round %d of %d %s", next, w.outcome.Rounds, when(w.state.Round > w.outcome.Round, "is under way", "begins")))
	}
	return strings.Join(parts, "; ")
}

// holding says what keeps the proposal from advancing: the gravest objection,
// how many more there are, and the gates that fail beside those of objections.
func (w decisionWords) holding() []string {
	var parts []string
	failing, standing := w.failing(), w.standing()
	if len(standing) > 0 {
		parts = append(parts, w.standingBecause(standing[0]))
		if more := len(standing) - 1; more > 0 {
			parts = append(parts, when(more == 1, "1 more objection stands", fmt.Sprintf("%d more objections stand", more)))
		}
		failing = slices.DeleteFunc(failing, func(gate string) bool { return gate == "G5" })
	}
	if len(failing) > 0 {
		parts = append(parts, listed(failing)+when(len(failing) == 1, " fails", " fail"))
	}
	return parts
}

// standingBecause says why an objection stands.
func (w decisionWords) standingBecause(c *state.Challenge) string {
	name := c.ID + " (" + c.Typed.Severity + ")"
	r := w.outcome.Resolution(c.ID)
	switch {
	case r.Rule == "R0":
		return name + " is upheld by you"
	case r.Rule == "R4":
		return name + " has evidence of one kind on both sides"
	case r.Rule == "R5":
		return name + " has no evidence that may decide"
	case r.Rule == "R6":
		return name + " was conceded, and its field stays"
	}
	return name + " is upheld by " + r.Decider
}

// because is what the receipt of the decision says beyond what is not ready.
func (w decisionWords) because() string {
	i := w.receiptOf("decision")
	if i < 0 {
		return ""
	}
	reason := w.outcome.Receipts[i].Reason
	if _, because, found := strings.Cut(reason, "): "); found {
		return because
	}
	return reason
}

// receiptOf is the place of the receipt of a rule, or of an objection; -1 where
// there is none.
func (w decisionWords) receiptOf(what string) int {
	return slices.IndexFunc(w.outcome.Receipts, func(r dialectic.Receipt) bool { return r.Rule == what || r.Subject == what })
}

// next says what the session waits for, or how it ended; "" where it goes on by
// itself.
func (w decisionWords) next() string {
	var asked []string
	for _, q := range w.state.Questions.All() {
		if q.Kind == state.QuestionEscalation && !q.Answered {
			asked = append(asked, q.ID)
		}
	}
	switch {
	case w.state.Over():
		return sentence("the session ended, exit "+string(w.state.Exit), w.state.ExitReason)
	case len(asked) == 0:
		return ""
	case w.state.Paused != state.PauseNone:
		return "it waits for somebody who answers " + listed(asked)
	}
	return listed(asked) + when(len(asked) == 1, " asks you", " ask you")
}

// owedFor says what would settle a standing objection, and who owes it; nobody
// where it was settled since, or the session is over.
func (w decisionWords) owedFor(c *state.Challenge) (who, what string) {
	if came := w.objected.Of(c); came.Settled() || w.state.Over() {
		return "", ""
	}
	if who, what = w.asked(c.ID); who != "" {
		return who, what
	}
	for _, r := range resolver.Owed(w.state, c) {
		if len(r.Of) > 0 {
			return seats(r.Of), r.Text
		}
	}
	switch r := w.outcome.Resolution(c.ID); r.Rule {
	case "R0":
		return string(state.Proposer), "to withdraw the field: you upheld it"
	case "R6":
		return string(state.Proposer), "to withdraw the field, or to propose another value"
	case "R2", "R3":
		return string(state.Proposer), "evidence of a stronger source than " + r.Decider + ", or to withdraw the field"
	case "R4":
		return string(state.Proposer), "evidence of a stronger source than both sides have"
	}
	return string(state.Proposer), c.UpgradeIf
}

// asked is the question that asks the user about a matter, with its answers.
func (w decisionWords) asked(about string) (who, what string) {
	for _, q := range w.state.Questions.All() {
		if q.Kind == state.QuestionEscalation && !q.Answered && q.About == about {
			return "you", q.ID + ", " + either(q.Options)
		}
	}
	return "", ""
}

// heldField is a field that fails gates, which a value or evidence would mend.
type heldField struct {
	point *state.Point
	gates []string
}

// fields are those that fail a gate, in their order.
func (w decisionWords) fields() []heldField {
	var list []heldField
	for _, p := range w.state.Points.All() {
		if !resolver.Proposed(p) {
			continue
		}
		var gates []string
		for _, failure := range resolver.FailuresOf(&w.outcome.Result, p.Field.Path) {
			gates = append(gates, failure.Gate)
		}
		if len(gates) > 0 {
			list = append(list, heldField{p, gates})
		}
	}
	return list
}

// owedOf says what would mend a field, and who owes it.
func (w decisionWords) owedOf(f heldField) (who, what string) {
	if who, what = w.asked(f.point.ID); who != "" || w.state.Over() {
		return who, what
	}
	if last := w.state.Dialectic.Last(); last != nil && f.point.Seq > last.Seq {
		// Something came for it: only the next resolution says what is owed still.
		return "", ""
	}
	return string(state.Proposer), "what " + listed(f.gates) + when(len(f.gates) == 1, " asks for", " ask for")
}

// named writes the paths of fields for their places in the proposal.
func (w decisionWords) named(reason string) string {
	if !strings.Contains(reason, "artifact.") {
		return reason
	}
	for i := range w.outcome.Artifact.Proposal.Fields {
		reason = strings.ReplaceAll(reason, fmt.Sprintf("artifact.proposal.fields[%d].", i), w.outcome.Artifact.Proposal.Fields[i].Path+": ")
	}
	for i := range w.outcome.Artifact.Objections {
		reason = strings.ReplaceAll(reason, fmt.Sprintf("artifact.objections[%d].", i), w.outcome.Artifact.Objections[i].ID+": ")
	}
	return reason
}

// challengeIDs are the ids of challenges.
func challengeIDs(list []*state.Challenge) []string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.ID
	}
	return names
}

// listed joins words with commas and an "and".
func listed(words []string) string { return joined(words, " and ") }

// either joins words with commas and an "or".
func either(words []string) string { return joined(words, " or ") }

// joined joins words with commas, and the last one with a word.
func joined(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + last + words[len(words)-1]
}
