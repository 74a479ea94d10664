package review

import (
	"slices"
	"strings"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/state"
	"moot/view"
)

// MergeFindings says that two findings mean the same.
type MergeFindings struct{ A, B string }

// SplitFinding takes a finding out of its group.
type SplitFinding struct{ Point, Reason string }

// AdmitUser implements Format.
func (Format) AdmitUser(base *protocol.UserAdmitter, move protocol.UserMove) error {
	u := claims.NewUser(base)
	r := Of(u.State)
	switch m := move.(type) {
	case claims.RuleOn:
		p, err := u.Point(m.Point)
		switch {
		case err != nil:
			return err
		case m.What == state.OverrideIntended:
			return u.Add(&state.OverrideMade{What: m.What, Point: p.ID, Reason: strings.TrimSpace(m.Reason)})
		}
	case MergeFindings:
		a, b := r.Finding(m.A), r.Finding(m.B)
		switch {
		case a == nil || b == nil || a == b:
			return protocol.Refuse("unknown-point", "name two findings, as in P2 and P5")
		case a.Over || b.Over:
			return protocol.Refuse("closed-point", "a finding over the limit is not merged")
		case m.A == m.B || slices.Contains(groupOf(u.State, m.A), m.B):
			return protocol.Refuse("merged", "%s and %s are merged already", m.A, m.B)
		}
		if err := u.Add(&FindingsJoined{A: m.A, B: m.B, By: state.User}); err != nil {
			return err
		}
		return u.Add(grouped(u.State))
	case SplitFinding:
		f, others := r.Finding(m.Point), groupOf(u.State, m.Point)
		switch {
		case f == nil:
			return protocol.Refuse("unknown-point", "there is no finding %q", m.Point)
		case len(others) == 0:
			return protocol.Refuse("not-merged", "%s is not merged with another finding", m.Point)
		}
		err := u.Add(&FindingsParted{Point: m.Point, From: others, By: state.User, Reason: strings.TrimSpace(m.Reason)})
		if err != nil {
			return err
		}
		return u.Add(grouped(u.State))
	}
	return u.Move(move)
}

// AfterEnd implements protocol.DecidableAfterEnd: the user may still rule on findings, merge and split them.
func (Format) AfterEnd(s *state.State, move protocol.UserMove) error {
	switch m := move.(type) {
	case MergeFindings, SplitFinding, protocol.RecordFact:
		return nil
	case claims.RuleOn:
		if m.What != state.OverrideReopen {
			return nil
		}
		return protocol.Refuse("no-rounds", "no reviewer is left to look at %s again: the review has ended; rule on it "+
			"instead, or fork the session", m.Point)
	}
	return protocol.Refuse("closed", "the review has ended: you can rule on its findings, merge and split them; fork it to "+
		"continue from an earlier event")
}

// Overrides implements Format.
func (Format) Overrides(decisions protocol.Decisions) []protocol.Override {
	o := claims.Decisions{Decisions: decisions}
	first, rest := o.OnQuestions()
	return slices.Concat(o.SelectedFact(), first, onFindings(o, true), o.OnEvidence(), o.OnFacts(), rest,
		decisions.SessionOverrides(), o.Answered())
}

// OverridesAfterEnd implements protocol.DecidableAfterEnd.
func (Format) OverridesAfterEnd(decisions protocol.Decisions) []protocol.Override {
	o := claims.Decisions{Decisions: decisions}
	return slices.Concat(onFindings(o, false), o.SelectedFact(), o.OnFacts())
}

// onFindings are the decisions about a finding.
func onFindings(o claims.Decisions, running bool) []protocol.Override {
	builds := []func(point string) protocol.Override{
		claims.RulePoint(state.OverrideAgree, "% stands", "it counts, whatever the reviewers say"),
		claims.RulePoint(state.OverrideDismiss, "% is wrong", "it is dismissed, and not raised again while its lines stay"),
		claims.RulePoint(state.OverrideIntended, "% is intended",
			"the change is meant to do that; it is not raised again while its lines stay"),
		claims.RulePoint(state.OverrideUnresolved, "leave % open", "it stays on the list"),
	}
	if running {
		builds = append(builds, claims.RulePoint(state.OverrideReopen, "reopen %", "your ruling is withdrawn"))
	}
	builds = append(builds,
		func(point string) protocol.Override { return mergeForm(o, point) },
		func(point string) protocol.Override { return splitForm(o, point) },
	)
	var list []protocol.Override
	for _, build := range builds {
		list = append(list, o.OnPoint("finding", func(point string) protocol.Override {
			one := build(point)
			if !running {
				one.Undo = ""
			}
			return one
		}))
	}
	return list
}

// mergeForm merges a finding with another one.
func mergeForm(o claims.Decisions, point string) protocol.Override {
	other := view.Field{Key: "other", Label: "Same as", Kind: view.FieldSelect, Help: "The finding that means the same."}
	for _, p := range Heads(o.State) {
		if p.ID != point {
			other.Choices = append(other.Choices, view.Choice{Value: p.ID, Help: p.Text})
		}
	}
	one := protocol.Override{
		ID: protocol.OverrideMerge, Title: "merge %", Detail: "with another finding that means the same", Heading: "Merge %",
		Fields: []view.Field{other},
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			return protocol.SingleMove(MergeFindings{A: point, B: v["other"]}, point+" is merged with "+v["other"]+", by you")
		},
	}
	if len(other.Choices) == 0 {
		one.Why = "there is no other finding"
	}
	return one
}

// splitForm takes one of the merged findings out of its group.
func splitForm(o claims.Decisions, point string) protocol.Override {
	one := protocol.Override{
		ID: protocol.OverrideSplit, Title: "split %", Detail: "one of its findings means something else", Heading: "Split %",
	}
	p := o.Point(point)
	if p == nil || len(p.Aliases) == 0 {
		if point != "" {
			one.Why = point + " is not merged with another finding"
		}
		return one
	}
	which := view.Field{Key: "which", Label: "Split out", Kind: view.FieldSelect, Help: "The finding that means something else."}
	for _, f := range Members(o.State, p) {
		which.Choices = append(which.Choices, view.Choice{Value: f.Point, Help: string(f.By) + ": " + f.What})
	}
	one.Fields = []view.Field{which, protocol.ReasonField("How it differs. It may be empty.")}
	one.Build = func(v view.Values) ([]protocol.UserMove, string, error) {
		return protocol.SingleMove(SplitFinding{Point: v["which"], Reason: v["reason"]}, v["which"]+" is split out, by you")
	}
	return one
}
