package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// lateTag is the label of a new independent point in a phase that no longer accepts any (PH4, PH7),
// or TagNone.
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

// raise admits a RAISE.
func (a *Admitter) raise(m *Raise) error {
	text := strings.TrimSpace(m.Text)
	if text == "" {
		return Refuse("empty", "a point needs a text")
	}
	if a.Raised >= MaxRaised {
		return Refuse(state.NotTaken, "a reply raises at most %d points", MaxRaised)
	}
	same := assertion(text, m.Option, m.Criterion)
	var against *state.Point
	for _, p := range a.State.Points.All() {
		if !p.IsAuthor(a.Seat) || p.MergedInto != "" {
			continue
		}
		if assertion(p.Text, p.Option, p.Criterion) == same && p.RevisedBy == "" {
			return Refuse("repeated", "%s says the same already", p.ID)
		}
		if Live(p) && p.Round < a.State.Round && p.Option == m.Option && resolver.Opposed(p.Text, text) {
			against = p
		}
	}
	id := a.NextPoint()
	err := a.Add(&state.PointRaised{
		ID: id, By: a.Seat, Text: text, Value: m.ValueJudgment, Label: string(m.Label), Holder: m.Holder,
		Option: m.Option, Criterion: m.Criterion, Predicate: predicate(m.Predicate), Late: lateTag(a.State.Phase),
	})
	if err != nil {
		return err
	}
	a.Raised++
	a.OfferAll(id, m.Citations, m.Label, ledger.Supports, "")
	if lateTag(a.State.Phase) == state.TagNone {
		a.Report(id, m.Confidence, m.Because)
	}
	if against != nil && lateTag(a.State.Phase) == state.TagNone {
		return a.contradiction(id, against)
	}
	return nil
}

func predicate(p *Predicate) *ledger.Predicate {
	if p == nil || p.Path == "" || len(p.Value) == 0 {
		return nil
	}
	return &ledger.Predicate{Path: p.Path, Op: string(p.Op), Value: p.Value}
}

// contradiction challenges a point, on behalf of the protocol, that contradicts what its author
// said in an earlier round (ST2).
func (a *Admitter) contradiction(id string, earlier *state.Point) error {
	if a.State.Round >= resolver.LastRound(a.State) {
		return nil
	}
	return a.Add(&state.ChallengeRaised{
		ID: a.NextChallenge(), Point: id, By: state.Protocol, Kind: state.Skeptical,
		Objection: fmt.Sprintf("In round %d you said %s (%q), now you say the opposite: which of the two holds?",
			earlier.Round, earlier.ID, Clip(earlier.Text)),
		UpgradeIf: "say which holds, and concede the other",
	})
}

// Clip shortens the text of a seat to one short line.
func Clip(text string) string { return plain.Clip(text, 160) }

// OfferAll offers the citations of another move. If one is refused, the move and the other
// citations are still admitted. challenge is the one that they answer or support, or "".
func (a *Admitter) OfferAll(
	point string, citations []Citation, label Label, relation ledger.Relation, challenge string,
) {
	for _, c := range citations {
		c.Relation = cmp.Or(c.Relation, relation)
		a.Try(0, func() error { return a.Cite(point, c, label, challenge) })
	}
}

// Triage admits a TRIAGE: the scope of a point, or how two points relate.
func (a *Admitter) Triage(m *Triage) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	if m.Other != "" {
		if err := a.Pair(p, m); err != nil {
			return err
		}
		if m.Scope == "" {
			return nil
		}
	}
	if p.Scope != state.Untriaged && p.Scope != m.Scope {
		switch {
		case p.Placed:
			return Refuse("triaged", "the user decided on the scope of %s", p.ID)
		case p.IsAuthor(state.User):
			return Refuse("triaged", "%s is the user's, and in scope", p.ID)
		case p.Latest(a.Seat) != nil || len(p.Challenges) > 0:
			return Refuse("triaged", "%s was placed and judged already", p.ID)
		}
	}
	switch m.Scope {
	case state.InScope, state.OutOfScope:
		return a.Add(&state.PointTriaged{Point: p.ID, By: a.Seat, Scope: m.Scope, Reason: m.Reason, Theme: m.Theme})
	case state.AnchorShift:
		return a.Add(
			&state.PointTriaged{Point: p.ID, By: a.Seat, Scope: m.Scope, Reason: m.Reason, Theme: m.Theme},
			&state.QuestionSurfaced{
				ID: a.NextQuestion(), Point: p.ID, What: state.QuestionAnchorShift,
				Options: []string{"consent", "refuse"},
				Text: fmt.Sprintf("%s answers another reading of your question (%s). Do you consent to that "+
					"reading?", p.ID, Clip(m.Reason)),
			},
		)
	case state.Untriaged, state.Late, state.OverLimit:
	}
	return Refuse("scope", "a scope is in-scope, out-of-scope or anchor-shift, not %q", m.Scope)
}

// Pair marks two points of different seats (RD1b). A contradiction challenges
// both; the same subject with other content asks both for the crux; agreement
// lifts nothing (ST4).
func (a *Admitter) Pair(p *state.Point, m *Triage) error {
	other, err := a.Point(m.Other)
	if err != nil {
		return err
	}
	if other.ID == p.ID {
		return Refuse("pair", "%s cannot be paired with itself", p.ID)
	}
	if slices.Equal(other.Authors, p.Authors) {
		return Refuse("pair", "%s and %s are of the same seat", p.ID, other.ID)
	}
	if IsPaired(a.State, p, other) {
		return Refuse("pair", "%s and %s are paired already", p.ID, other.ID)
	}
	a.Record(&state.PointsPaired{
		A: p.ID, B: other.ID, Same: m.SameSubject, Opposed: m.Opposed,
		Alike: m.Alike, By: a.Seat,
	})
	last := a.State.Round >= resolver.LastRound(a.State)
	if !m.SameSubject || m.Alike && !m.Opposed || m.Opposed && last {
		return nil
	}
	for _, q := range [][2]*state.Point{{p, other}, {other, p}} {
		if m.Opposed {
			a.Record(&state.ChallengeRaised{
				ID: a.NextChallenge(), Point: q[0].ID, By: state.Protocol, Kind: state.Skeptical,
				Objection: fmt.Sprintf("%s says the opposite: %q.", q[1].ID, Clip(q[1].Text)),
				UpgradeIf: "evidence for this and against the other", About: q[1].ID,
			})
			continue
		}
		a.Record(&state.Requested{
			Point: q[0].ID, Kind: state.RequestCrux, Of: q[0].Defenders(), By: a.Seat,
			Text: fmt.Sprintf("%s and %s are on the same subject and differ: what would decide between them?", p.ID,
				other.ID),
		})
	}
	return nil
}

// Merge admits a MERGE (RD2).
func (a *Admitter) Merge(m *Merge) error {
	into, err := a.Point(m.Into)
	if err != nil {
		return err
	}
	if !Revisable(a.State, into) {
		return Refuse("closed-point", "%s has ended (%s); nothing is merged into it", into.ID,
			ClosedReason(a.State, into))
	}
	var from []string
	for _, id := range m.From {
		p, err := a.Point(id)
		switch {
		case err != nil:
			return err
		case !Revisable(a.State, p):
			return Refuse("closed-point", "%s has ended (%s); it is not merged", p.ID, ClosedReason(a.State, p))
		case p.ID != into.ID && p.IsAuthor(state.User):
			return Refuse("closed-point", "%s is the user's; merge the other into it", p.ID)
		}
		if p.ID != into.ID && !slices.Contains(from, p.ID) {
			from = append(from, p.ID)
		}
	}
	if len(from) == 0 {
		return Refuse("empty", "a merge names the points that go into %s", into.ID)
	}
	return a.Add(&state.PointsMerged{Into: into.ID, From: from, By: a.Seat})
}

// revise admits a REVISE (RD5, PH4).
func (a *Admitter) revise(m *Revise) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(m.Text)
	switch {
	case !p.IsAuthor(a.Seat):
		return Refuse("not-author", "only an author revises %s", p.ID)
	case !Revisable(a.State, p):
		return Refuse("closed-point", "%s has ended (%s); what ended is not revised", p.ID, ClosedReason(a.State, p))
	case text == "":
		return Refuse("missing-field", "a revision of %s needs its text", p.ID)
	case resolver.Normalized(text) == resolver.Normalized(p.Text):
		return Refuse("unchanged", "the revision of %s says nothing new", p.ID)
	case resolver.Opposed(p.Text, text) && !a.caused(p, m.Because, 0):
		return a.keepPosition(p, p.Text, text, "")
	}
	// A revision that names an open challenge on the point is a defense, in every phase.
	c := a.State.Challenge(m.Challenge)
	answers := c != nil && c.Point == p.ID && resolver.Answerable(c)
	if !answers && resolver.Similarity(p.Text, text) < resolver.SameSubject {
		// If it is not clearly the same core claim, it is a new point.
		return a.raise(&Raise{
			Text: text, ValueJudgment: m.ValueJudgment, Label: m.Label, Confidence: m.Confidence,
			Citations: m.Citations, Because: m.Because,
		})
	}
	late := state.TagNone
	if a.State.Phase == state.Crystallization && !answers {
		late = state.TagPhaseClosed
	}
	id := a.NextPoint()
	a.Record(&state.PointRaised{
		ID: id, By: a.Seat, Text: text, Value: m.ValueJudgment ||
			slices.Contains(p.CalledValue, a.Seat), Label: string(m.Label),
		Holder: p.Holder, Option: p.Option, Criterion: p.Criterion, Revises: p.ID, Late: late,
	})
	if late != state.TagNone {
		a.OfferAll(id, m.Citations, m.Label, ledger.Supports, "")
		return nil
	}
	return a.supersede(p, id, m, answers)
}

func (a *Admitter) supersede(p *state.Point, id string, m *Revise, answers bool) error {
	scope, answered := p.Scope, ""
	if answers {
		answered = m.Challenge
	}
	var old state.Payload = &state.PointRevised{Point: p.ID, New: id, By: a.Seat}
	if slices.ContainsFunc(p.Authors, func(seat state.Seat) bool { return seat != a.Seat && p.Holds(seat) }) {
		// Other authors still hold the old form, so this author only leaves it.
		old = &state.PointConceded{Point: p.ID, By: a.Seat, Reason: "revised as " + id}
		a.left = append(a.left, p.Challenges...)
	} else {
		a.referenced = append(a.referenced, p.Challenges...)
	}
	a.Record(
		old,
		&state.PointTriaged{Point: id, By: state.Protocol, Scope: scope, Reason: "revises " + p.ID, Theme: p.Theme},
	)
	why := m.Because
	if why == "" && m.Challenge != "" {
		why = "answers " + m.Challenge
	}
	if err := a.RecordRevision(a.Seat, fmt.Sprintf("%s revised %s as %s: %s", a.Seat, p.ID, id,
		ReasonText(why))); err != nil {
		return err
	}
	a.OfferAll(id, m.Citations, m.Label, ledger.Supports, answered)
	a.Report(id, m.Confidence, m.Because)
	return nil
}

// ReasonText returns the text, or "no reason given" if it is blank.
func ReasonText(text string) string {
	if strings.TrimSpace(text) == "" {
		return "no reason given"
	}
	return text
}
