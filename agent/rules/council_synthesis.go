package rules

import (
	"slices"
	"strings"

	"moot/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// synthesize merges claims that say the same, puts the narrower form that a tester
// offered in the place of a claim that does not stand, and says what the rules find
// of what is left. It reports agreement where they find it, and nowhere else.
func (t *turn) synthesize() {
	merged := t.mergeClaims()
	reworded := map[string]bool{}
	for _, p := range protocol.Deliberated(t.s) {
		if merged[p.ID] {
			continue
		}
		t.assess(p, t.open(p))
		if t.reword(p) {
			reworded[p.ID] = true
		}
	}
	if t.s.Council.Synthesis(t.s.Round) != nil {
		if len(t.moves) == 0 {
			t.flag(protocol.FlagNothing, "", t.say(sayCouncilQuiet))
		}
		return
	}
	after := t.foreseen()
	unsettled := resolver.Unsettled(after)
	t.add(&protocol.Synthesize{Text: t.synthesis(after, unsettled), Agreement: len(unsettled) == 0, Open: t.known(unsettled)})
}

// mergeClaims joins claims that say the same but for words that say nothing. It
// returns the ids that went into others.
func (t *turn) mergeClaims() map[string]bool {
	merged := map[string]bool{}
	if !t.allows(protocol.MoveMerge) {
		return merged
	}
	claims := protocol.Deliberated(t.s)
	for i, into := range claims {
		var from []string
		for _, p := range claims[i+1:] {
			if merged[into.ID] || merged[p.ID] || user(p) || p.Key && !into.Key || t.open(p) != t.open(into) {
				continue
			}
			one, other := t.bareClaim(into), t.bareClaim(p)
			if t.compareClaims(one, other) == sameWords || t.sameButFiller(one, other) && !resolver.Opposed(one, other) {
				merged[p.ID] = true
				from = append(from, p.ID)
			}
		}
		if len(from) > 0 {
			t.add(&protocol.Merge{Into: into.ID, From: from})
		}
	}
	return merged
}

// open reports whether a challenge on a claim is not settled.
func (t *turn) open(p *state.Point) bool {
	return slices.ContainsFunc(p.Challenges, func(id string) bool {
		c := t.s.Challenge(id)
		return c != nil && (!c.Settled() || c.Status == state.StandsUndefended)
	})
}

// reword puts the narrower form that a tester offered in the place of a claim that
// does not stand, where what is verified carries it and a round is left to test it.
func (t *turn) reword(p *state.Point) bool {
	if !t.allows(protocol.MoveRevise) || len(t.forms(p)) >= mostForms || user(p) {
		return false
	}
	ruled, ok := resolver.RuleOne(*t.s, p.ID)
	if !ok || ruled.Bucket != state.BucketOpen {
		return false
	}
	for _, id := range p.Challenges {
		c := t.s.Challenge(id)
		if c == nil || c.Settled() || c.Narrower == "" || !t.narrows(p, c.Narrower) || !t.vouched(p, c) {
			continue
		}
		confidence := confidenceDoubted
		t.add(&protocol.Revise{Point: p.ID, Text: strings.TrimSpace(c.Narrower), Because: t.say(sayReviseNarrower, "challenge", c.ID), Confidence: &confidence})
		return true
	}
	return false
}

// foreseen is the state once the moves so far are admitted.
func (t *turn) foreseen() *state.State {
	after := *t.s
	for _, payload := range (protocol.Council{}).Admit(*t.s, t.ask, t.moves).Events {
		next, err := state.Apply(after, state.Event{Seq: after.Seq + 1, At: after.At, Data: payload})
		if err != nil {
			return t.s
		}
		after = next
	}
	return &after
}

// known are the ids of claims that the state has already: those that a rewording
// makes have none yet.
func (t *turn) known(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return t.s.Point(id) == nil })
}

// synthesis is what the rules find of the claims.
func (t *turn) synthesis(s *state.State, unsettled []string) string {
	var valid, gone, parts []string
	for _, p := range s.Points.All() {
		if p.MergedInto != "" || p.RevisedBy != "" {
			continue
		}
		ruled, ok := resolver.RuleOne(*s, p.ID)
		switch {
		case !ok:
		case ruled.Bucket == state.BucketAgreed:
			valid = append(valid, p.ID)
		case ruled.Bucket == state.BucketDismissed:
			gone = append(gone, p.ID)
		case !slices.Contains(unsettled, p.ID):
		case t.s.Point(p.ID) == nil:
			parts = append(parts, t.say(saySynthesisNarrowed, "point", p.Revises))
		default:
			v := resolver.Validate(s, p)
			parts = append(parts, t.say(saySynthesisOpen, "point", p.ID, "wants", clause(plain.Clip(strings.Join(v.Required(), "; "), quoted))))
		}
	}
	if len(gone) > 0 {
		parts = slices.Insert(parts, 0, t.say(saySynthesisGone, "points", strings.Join(gone, ", ")))
	}
	if len(valid) > 0 {
		verb := "claims stand"
		if len(valid) == 1 {
			verb = "claim stands"
		}
		parts = slices.Insert(parts, 0, t.say(saySynthesisValid, "count", itoa(len(valid))+" "+verb, "points", strings.Join(valid, ", ")))
	}
	if len(parts) == 0 {
		parts = append(parts, t.say(saySynthesisNone))
	}
	return strings.Join(parts, " ")
}
