package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// lateTag is the label of a new independent point in a phase that takes none
// (PH4, PH7), or TagNone.
func lateTag(p state.Phase) state.Tag {
	switch p {
	case state.Constructive:
		return state.TagNone
	case state.Development:
		return state.TagRaisedLate
	case state.Crystallization:
		return state.TagPhaseClosed
	case state.PhaseUnknown:
		return state.TagPhaseUnknown
	}
	return state.TagPhaseUnknown
}

// raise is RAISE.
func (a *admission) raise(m *Raise) error {
	text := strings.TrimSpace(m.Text)
	if text == "" {
		return refuse("empty", "a point needs a text")
	}
	if a.raised >= maxRaised {
		return refuse("too-many", "a reply raises at most %d points", maxRaised)
	}
	same := assertion(text, m.Option, m.Criterion)
	var against *state.Point
	for _, p := range a.s.Points.All() {
		if !p.IsAuthor(a.seat) || p.MergedInto != "" {
			continue
		}
		if assertion(p.Text, p.Option, p.Criterion) == same && p.RevisedBy == "" {
			return refuse("repeated", "%s says the same already", p.ID)
		}
		if live(p) && p.Round < a.s.Round && p.Option == m.Option && resolver.Opposed(p.Text, text) {
			against = p
		}
	}
	id := a.nextPoint()
	err := a.add(&state.PointRaised{
		ID: id, By: a.seat, Text: text, Value: m.ValueJudgment, Label: string(m.Label), Holder: m.Holder,
		Option: m.Option, Criterion: m.Criterion, Predicate: predicate(m.Predicate), Late: lateTag(a.s.Phase),
		Key: m.Key, Limit: strings.TrimSpace(m.Limit),
	})
	if err != nil {
		return err
	}
	a.raised++
	if err := a.bring(id, m.Citations, m.Label, ledger.Supports); err != nil {
		return err
	}
	if lateTag(a.s.Phase) == state.TagNone {
		a.report(id, m.Confidence, m.Because)
	}
	if against != nil && lateTag(a.s.Phase) == state.TagNone {
		return a.contradiction(id, against)
	}
	return nil
}

func predicate(p *Predicate) *ledger.Predicate {
	if p == nil || p.Path == "" || len(p.Value) == 0 {
		return nil
	}
	return &ledger.Predicate{Path: p.Path, Op: p.Op, Value: p.Value}
}

// contradiction challenges a seat that says the opposite of what it said in
// an earlier round, by code (ST2).
func (a *admission) contradiction(id string, earlier *state.Point) error {
	if a.s.Round >= lastRound(&a.s) {
		return nil
	}
	return a.add(&state.ChallengeRaised{
		ID: a.nextChallenge(), Point: id, By: state.Protocol, What: state.Skeptical,
		Objection: fmt.Sprintf("In round %d you said %s (%q), now you say the opposite: which of the two holds?",
			earlier.Round, earlier.ID, clip(earlier.Text)),
		UpgradeIf: "say which holds, and concede the other",
	})
}

// clip is a text that a seat wrote, on one line and short.
func clip(text string) string { return plain.Clip(text, 160) }

// bring offers the citations inside another move; one that cannot stand spoils
// neither the move nor the others.
func (a *admission) bring(point string, citations []Citation, label Label, relation ledger.Relation) error {
	for _, c := range citations {
		if c.Relation == "" {
			c.Relation = relation
		}
		a.try(0, func() error { return a.cite(point, c, label) })
	}
	return nil
}

// triage is TRIAGE: a scope, or how two points relate.
func (a *admission) triage(m *Triage) error {
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	if m.Other != "" {
		if err := a.pair(p, m); err != nil {
			return err
		}
		if m.Scope == "" {
			return nil
		}
	}
	if p.Scope != state.Untriaged && p.Scope != m.Scope {
		switch {
		case p.Placed:
			return refuse("triaged", "the user decided on the scope of %s", p.ID)
		case p.IsAuthor(state.User):
			return refuse("triaged", "%s is the user's, and in scope", p.ID)
		case p.Latest(a.seat) != nil || len(p.Challenges) > 0:
			return refuse("triaged", "%s was placed and judged already", p.ID)
		}
	}
	switch m.Scope {
	case state.InScope, state.OutOfScope:
		return a.add(&state.PointTriaged{Point: p.ID, By: a.seat, Scope: m.Scope, Reason: m.Reason, Theme: m.Theme})
	case state.AnchorShift:
		return a.all(
			&state.PointTriaged{Point: p.ID, By: a.seat, Scope: m.Scope, Reason: m.Reason, Theme: m.Theme},
			&state.QuestionSurfaced{
				ID: a.nextQuestion(), Point: p.ID, What: state.QuestionAnchorShift,
				Options: []string{"consent", "refuse"},
				Text:    fmt.Sprintf("%s answers another reading of your question (%s). Do you consent to that reading?", p.ID, clip(m.Reason)),
			},
		)
	case state.Untriaged, state.Late, state.OverLimit:
	}
	return refuse("scope", "a scope is in-scope, out-of-scope or anchor-shift, not %q", m.Scope)
}

// pair marks two points of different seats (RD1b). A contradiction challenges
// both; the same subject with other content asks both for the crux; agreement
// lifts nothing (ST4).
func (a *admission) pair(p *state.Point, m *Triage) error {
	other, err := a.point(m.Other)
	if err != nil {
		return err
	}
	if other.ID == p.ID {
		return refuse("pair", "%s cannot be paired with itself", p.ID)
	}
	if slices.Equal(other.Authors, p.Authors) {
		return refuse("pair", "%s and %s are of the same seat", p.ID, other.ID)
	}
	for _, known := range a.s.Pairs.All() {
		if (known.A == p.ID && known.B == other.ID) || (known.A == other.ID && known.B == p.ID) {
			return refuse("pair", "%s and %s are paired already", p.ID, other.ID)
		}
	}
	if err := a.add(&state.PointsPaired{
		A: p.ID, B: other.ID, Same: m.SameSubject, Opposed: m.Opposed,
		Alike: m.Alike, By: a.seat,
	}); err != nil {
		return err
	}
	switch {
	case !m.SameSubject || (m.Alike && !m.Opposed):
		return nil
	case m.Opposed:
		return a.opposeBoth(p, other)
	}
	for _, q := range []*state.Point{p, other} {
		if err := a.add(&state.Requested{
			Point: q.ID, What: state.RequestCrux, Of: defenders(q), By: a.seat,
			Text: fmt.Sprintf("%s and %s are on the same subject and differ: what would decide between them?", p.ID,
				other.ID),
		}); err != nil {
			return err
		}
	}
	return nil
}

func (a *admission) opposeBoth(p, other *state.Point) error {
	if a.s.Round >= lastRound(&a.s) {
		return nil
	}
	for _, q := range [][2]*state.Point{{p, other}, {other, p}} {
		if err := a.add(&state.ChallengeRaised{
			ID: a.nextChallenge(), Point: q[0].ID, By: state.Protocol, What: state.Skeptical,
			Objection: fmt.Sprintf("%s says the opposite: %q.", q[1].ID, clip(q[1].Text)),
			UpgradeIf: "evidence for this and against the other",
		}); err != nil {
			return err
		}
	}
	return nil
}

// merge is MERGE (RD2).
func (a *admission) merge(m *Merge) error {
	into, err := a.point(m.Into)
	if err != nil {
		return err
	}
	if !standing(&a.s, into) {
		return refuse("closed-point", "%s has ended (%s); nothing is merged into it", into.ID, endedBy(&a.s, into))
	}
	var from []string
	for _, id := range m.From {
		p, err := a.point(id)
		switch {
		case err != nil:
			return err
		case !standing(&a.s, p):
			return refuse("closed-point", "%s has ended (%s); it is not merged", p.ID, endedBy(&a.s, p))
		case p.ID != into.ID && p.IsAuthor(state.User):
			return refuse("closed-point", "%s is the user's; merge the other into it", p.ID)
		}
		if p.ID != into.ID && !slices.Contains(from, p.ID) {
			from = append(from, p.ID)
		}
	}
	if len(from) == 0 {
		return refuse("empty", "a merge names the points that go into %s", into.ID)
	}
	return a.add(&state.PointsMerged{Into: into.ID, From: from, By: a.seat})
}

// revise is REVISE (RD5, PH4).
func (a *admission) revise(m *Revise) error {
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(m.Text)
	switch {
	case !p.IsAuthor(a.seat):
		return refuse("not-author", "only an author revises %s", p.ID)
	case !standing(&a.s, p):
		return refuse("closed-point", "%s has ended (%s); what ended is not revised", p.ID, endedBy(&a.s, p))
	case text == "" || resolver.Normalised(text) == resolver.Normalised(p.Text):
		return refuse("unchanged", "the revision of %s says nothing new", p.ID)
	case resolver.Opposed(p.Text, text) && !a.caused(p, m.Because, 0):
		return a.keepPosition(p, p.Text, text)
	}
	answers := a.answersOpen(p, m.Challenge)
	if !answers && resolver.Similarity(p.Text, text) < resolver.SameSubject {
		// Not of the same core claim, and in doubt: a new point.
		return a.raise(&Raise{
			Text: text, ValueJudgment: m.ValueJudgment, Label: m.Label, Confidence: m.Confidence,
			Citations: m.Citations, Limit: m.Limit, Because: m.Because,
		})
	}
	late := state.TagNone
	if a.s.Phase == state.Crystallization && !answers {
		late = state.TagPhaseClosed
	}
	id := a.nextPoint()
	if err := a.add(&state.PointRaised{
		ID: id, By: a.seat, Text: text, Value: m.ValueJudgment ||
			slices.Contains(p.CalledValue, a.seat), Label: string(m.Label),
		Holder: p.Holder, Option: p.Option, Criterion: p.Criterion, Revises: p.ID, Late: late,
		Key: p.Key, Limit: first(strings.TrimSpace(m.Limit), p.Limit),
	}); err != nil {
		return err
	}
	if late != state.TagNone {
		return a.bring(id, m.Citations, m.Label, ledger.Supports)
	}
	return a.supersede(p, id, m)
}

// answersOpen reports whether a revision names an open challenge on the point:
// then it is a defense, in every phase.
func (a *admission) answersOpen(p *state.Point, challenge string) bool {
	c := a.s.Challenge(challenge)
	if c == nil || c.Point != p.ID {
		return false
	}
	switch c.Status {
	case state.StandsOpen, state.StandsDropped, state.StandsReminded:
		return true
	case state.StandsDefended, state.StandsUndefended, state.StandsConceded:
	}
	return false
}

func (a *admission) supersede(p *state.Point, id string, m *Revise) error {
	scope := p.Scope
	var old state.Payload = &state.PointRevised{Point: p.ID, New: id, By: a.seat}
	if slices.ContainsFunc(p.Authors, func(seat state.Seat) bool { return seat != a.seat && p.Holds(seat) }) {
		// Others hold the old form still: this author leaves it to them.
		old = &state.PointConceded{Point: p.ID, By: a.seat, Reason: "revised as " + id}
		a.left = append(a.left, p.Challenges...)
	} else {
		a.referenced = append(a.referenced, p.Challenges...)
	}
	if err := a.all(
		old,
		&state.PointTriaged{Point: id, By: state.Protocol, Scope: scope, Reason: "revises " + p.ID, Theme: p.Theme},
	); err != nil {
		return err
	}
	why := m.Because
	if why == "" && m.Challenge != "" {
		why = "answers " + m.Challenge
	}
	if err := a.recordRevision(a.seat, fmt.Sprintf("%s revised %s as %s: %s", a.seat, p.ID, id,
		orNone(why))); err != nil {
		return err
	}
	if err := a.bring(id, m.Citations, m.Label, ledger.Supports); err != nil {
		return err
	}
	a.report(id, m.Confidence, m.Because)
	return nil
}

func orNone(text string) string {
	if strings.TrimSpace(text) == "" {
		return "no reason given"
	}
	return text
}
