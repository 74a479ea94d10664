package claims

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
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

// Raise admits a RAISE. Because is the cause that the seat gives for its confidence, or "".
func (a *Admitter) Raise(m *move.Raise, because string) error {
	text := strings.TrimSpace(m.Text)
	if text == "" {
		return protocol.Refuse("empty", "a point needs a text")
	}
	same := assertion(text, m.Option, m.Criterion)
	for _, p := range a.State.Points.All() {
		if !p.IsAuthor(a.Seat) || p.MergedInto != "" {
			continue
		}
		if assertion(p.Text, p.Option, p.Criterion) == same && p.RevisedBy == "" {
			return protocol.Refuse("repeated", "%s says the same already", p.ID)
		}
	}
	id, kind, framed := a.State.NextPoint(), m.Kind, false
	if a.FramedKind != nil {
		if given, byFraming := a.FramedKind(m); given != "" {
			kind, framed = given, byFraming
		}
	}
	err := a.Add(&state.PointRaised{
		ID: id, By: a.Seat, Text: text, Kind: kind, Framed: framed, Label: string(m.Label), Holder: m.Holder,
		Option: m.Option, Criterion: m.Criterion, Predicate: predicate(m.Predicate), Late: lateTag(a.State.Phase),
	})
	if err != nil {
		return err
	}
	a.Raised++
	a.said = append(a.said, statement{point: id, text: text})
	a.OfferAll(id, m.Citations, m.Label, ledger.Supports, "")
	if a.Raised > MaxRaised && lateTag(a.State.Phase) == state.TagNone {
		return a.Add(&state.PointTriaged{
			Point: id, By: state.Protocol, Scope: state.OverLimit,
			Reason: fmt.Sprintf("one reply raised more than %d points", MaxRaised),
		})
	}
	if lateTag(a.State.Phase) == state.TagNone {
		a.Report(id, m.Confidence, because)
	}
	a.premises(a.State.Point(id), m.Needs, lateTag(a.State.Phase))
	return nil
}

// premises records what a point rests on (KI): existing points by their ids, other claims as points of their own,
// which are empirical and held by the authors of the point. In a challenge or its answer they extend the point, so
// that only CRYSTALLIZATION closes them out (PH4).
func (a *Admitter) premises(p *state.Point, needs []string, late state.Tag) {
	for _, need := range needs {
		a.Try(0, func() error {
			text := strings.TrimSpace(need)
			if id := move.NormalID(text); len(id) > 1 && id[0] == 'P' && state.Index(id, 'P') >= 0 {
				q, err := a.Point(id)
				switch {
				case err != nil:
					return err
				case q.ID == p.ID:
					return protocol.Refuse("needs", "%s cannot need itself", p.ID)
				}
				return a.Add(&state.PremiseNamed{Point: p.ID, Needs: q.ID, By: a.Seat})
			}
			for _, q := range LivePoints(a.State) {
				if q.ID != p.ID && resolver.Normalized(q.Text) == resolver.Normalized(text) {
					return a.Add(&state.PremiseNamed{Point: p.ID, Needs: q.ID, By: a.Seat})
				}
			}
			switch {
			case text == "" || resolver.Normalized(text) == resolver.Normalized(p.Text):
				return protocol.Refuse("needs", "what %s needs is another claim than %s itself", p.ID, p.ID)
			case a.Raised >= MaxRaised:
				return protocol.Refuse(state.NotTaken, "a reply raises at most %d points", MaxRaised)
			}
			raised := &state.PointRaised{
				ID:   a.State.NextPoint(),
				By:   a.Seat,
				Text: text,
				Kind: state.Empirical,
				Late: late,
			}
			if author := p.Authors[0]; author != a.Seat {
				raised.For = author
			}
			a.Record(raised, &state.PremiseNamed{Point: p.ID, Needs: raised.ID, By: a.Seat})
			a.Raised++
			if late != state.TagNone || p.Scope != state.InScope {
				return a.Failed
			}
			return a.Add(&state.PointTriaged{
				Point: raised.ID, By: state.Protocol, Scope: state.InScope, Reason: p.ID + " needs it", Theme: p.Theme,
			})
		})
	}
}

// extension is the label of a premise that a challenge or its answer names: only CRYSTALLIZATION closes it out.
func (a *Admitter) extension() state.Tag {
	if a.State.Phase == state.Crystallization {
		return state.TagPhaseClosed
	}
	return state.TagNone
}

func predicate(p *move.Predicate) *ledger.Predicate {
	if p == nil || p.Path == "" || len(p.Value) == 0 {
		return nil
	}
	return &ledger.Predicate{Path: p.Path, Op: string(p.Op), Value: p.Value}
}

// challengeContradictions challenges, on behalf of the protocol, what the reply says against what its seat said in an
// earlier round and still holds (ST2). A reply is never compared with itself (ST0).
func (a *Admitter) challengeContradictions() error {
	if len(a.said) == 0 || a.State.Round >= resolver.LastRound(a.State) {
		return nil
	}
	var earlier []statement
	for _, p := range a.State.Points.All() {
		if !p.IsAuthor(a.Seat) || !Live(p) {
			continue
		}
		if p.Round < a.State.Round {
			earlier = append(earlier, statement{point: p.ID, text: p.Text, round: p.Round})
		}
		for _, id := range p.Challenges {
			c := a.State.Challenge(id)
			for i := range c.Defenses {
				if d := &c.Defenses[i]; d.By == a.Seat && d.Round < a.State.Round && d.Seq > c.Since {
					earlier = append(earlier, statement{point: p.ID, challenge: id, text: d.Text, round: d.Round})
				}
			}
		}
	}
	for i := range a.said {
		now := &a.said[i]
		p := a.State.Point(now.point)
		if p == nil || !p.IsAuthor(a.Seat) || !Live(p) {
			continue
		}
		at := slices.IndexFunc(earlier, func(e statement) bool {
			q := a.State.Point(e.point)
			return p.Option == q.Option && now.contradicts(&e)
		})
		if at < 0 {
			continue
		}
		before := &earlier[at]
		said := fmt.Sprintf("In round %d you said %s (%q), ", before.round, before.label(), plain.Short(before.text))
		if slices.ContainsFunc(p.Challenges, func(id string) bool {
			return strings.HasPrefix(a.State.Challenge(id).Objection, said)
		}) {
			continue
		}
		a.Record(&state.ChallengeRaised{
			ID: a.State.NextChallenge(), Point: p.ID, By: state.Protocol, Kind: state.Skeptical,
			Objection: said + fmt.Sprintf("in round %d you say %s (%q): which of the two holds?", a.State.Round,
				now.label(), plain.Short(now.text)),
			UpgradeIf: "say which holds, and concede the other",
		})
	}
	return nil
}

// Triage admits a TRIAGE: the scope of a point, or how two points relate.
func (a *Admitter) Triage(m *move.Triage) error {
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
	if m.Scope == state.AnchorShift && needsNoWord(a.State, p) {
		return protocol.Refuse("closed-point", "%s is closed: %s", p.ID, ClosedReason(a.State, p))
	}
	if m.Scope == state.AnchorShift && p.Scope == m.Scope {
		return protocol.Refuse("repeated", "the user is asked already whether %s changes the question", p.ID)
	}
	if p.Scope != state.Untriaged && p.Scope != m.Scope {
		switch {
		case p.Placed:
			return protocol.Refuse("triaged", "the user decided on the scope of %s", p.ID)
		case p.IsAuthor(state.User):
			return protocol.Refuse("triaged", "%s is the user's, and in scope", p.ID)
		case p.Latest(a.Seat) != nil || len(p.Challenges) > 0:
			return protocol.Refuse("triaged", "%s was placed and judged already", p.ID)
		}
	}
	switch m.Scope {
	case state.InScope, state.OutOfScope:
		return a.Add(&state.PointTriaged{Point: p.ID, By: a.Seat, Scope: m.Scope, Reason: m.Reason, Theme: m.Theme})
	case state.AnchorShift:
		return a.shiftAnchor(p, m)
	case state.Untriaged, state.Late, state.OverLimit:
	}
	return protocol.Refuse("scope", "a scope is in-scope, out-of-scope or anchor-shift, not %q", m.Scope)
}

// shiftAnchor asks the user whether the question may be read as the point reads it: once for each reading, whatever the
// number of points and rounds. A point with a reading that the user decided on before follows that decision.
func (a *Admitter) shiftAnchor(p *state.Point, m *move.Triage) error {
	if p.Scope == state.AnchorShift {
		a.Notify("repeated", "%s waits for the user's word on its reading of the question already", p.ID)
		return nil
	}
	a.Record(&state.PointTriaged{Point: p.ID, By: a.Seat, Scope: m.Scope, Reason: m.Reason, Theme: m.Theme})
	p = a.State.Point(p.ID)
	for _, q := range a.State.Questions.All() {
		if q.Kind != state.QuestionAnchorShift || !sameReading(p, a.State.Live(q.Point)) {
			continue
		}
		a.Record(
			&state.PointNoted{Point: p.ID, Text: fmt.Sprintf("it reads the question as %s does: your word on %s holds "+
				"for both", q.Point, q.ID)},
		)
		if asked := a.State.Live(q.Point); q.Answered && asked.Placed {
			e := &state.AnchorShiftConsented{Point: p.ID, Consented: !asked.Refused}
			if e.Consented {
				e.Reading = a.State.Reading
			}
			a.Record(e)
		}
		return nil
	}
	return a.Add(&state.QuestionSurfaced{
		ID: a.State.NextQuestion(), Point: p.ID, What: state.QuestionAnchorShift,
		Options: []string{"consent", "refuse"},
		Text: fmt.Sprintf("%s answers another reading of your question (%s). Do you consent to that reading?", p.ID,
			plain.Short(m.Reason)),
	})
}

// Pair marks two points of different seats (RD1b). A contradiction challenges
// both; the same subject with other content asks both for the crux; agreement
// lifts nothing (ST4).
func (a *Admitter) Pair(p *state.Point, m *move.Triage) error {
	other, err := a.Point(m.Other)
	if err != nil {
		return err
	}
	if other.ID == p.ID {
		return protocol.Refuse("pair", "%s cannot be paired with itself", p.ID)
	}
	if slices.Equal(other.Authors, p.Authors) {
		return protocol.Refuse("pair", "%s and %s are of the same seat", p.ID, other.ID)
	}
	if IsPaired(a.State, p, other) {
		return protocol.Refuse("pair", "%s and %s are paired already", p.ID, other.ID)
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
				ID: a.State.NextChallenge(), Point: q[0].ID, By: state.Protocol, Kind: state.Skeptical,
				Objection: fmt.Sprintf("%s says the opposite: %q.", q[1].ID, plain.Short(q[1].Text)),
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
func (a *Admitter) Merge(m *move.Merge) error {
	into, err := a.Point(m.Into)
	if err != nil {
		return err
	}
	if !Revisable(a.State, into) {
		return protocol.Refuse("closed-point", "%s has ended (%s); nothing is merged into it", into.ID,
			ClosedReason(a.State, into))
	}
	var from []string
	for _, id := range m.From {
		p, err := a.Point(id)
		switch {
		case err != nil:
			return err
		case !Revisable(a.State, p):
			return protocol.Refuse(
				"closed-point",
				"%s has ended (%s); it is not merged",
				p.ID,
				ClosedReason(a.State, p),
			)
		case p.ID != into.ID && p.IsAuthor(state.User):
			return protocol.Refuse("closed-point", "%s is the user's; merge the other into it", p.ID)
		}
		if p.ID != into.ID && !slices.Contains(from, p.ID) {
			from = append(from, p.ID)
		}
	}
	if len(from) == 0 {
		return protocol.Refuse("empty", "a merge names the points that go into %s", into.ID)
	}
	return a.Add(&state.PointsMerged{Into: into.ID, From: from, By: a.Seat})
}

// revise admits a REVISE (RD5, PH4).
func (a *Admitter) revise(m *move.Revise) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(m.Text)
	switch {
	case !p.IsAuthor(a.Seat):
		return protocol.Refuse("not-author", "only an author revises %s", p.ID)
	case !Revisable(a.State, p):
		return protocol.Refuse(
			"closed-point",
			"%s has ended (%s); what ended is not revised",
			p.ID,
			ClosedReason(a.State, p),
		)
	case text == "":
		return protocol.Refuse("missing-field", "a revision of %s needs its text", p.ID)
	case resolver.Normalized(text) == resolver.Normalized(p.Text):
		return protocol.Refuse("unchanged", "the revision of %s says nothing new", p.ID)
	case resolver.Opposed(p.Text, text) && !caused(a.Draft, p, m.Because, 0):
		return a.keepPosition(p, p.Text, text, "")
	}
	kind := m.Kind
	if proposed := resolver.ProposedKind(p); kind == "" && (proposed != state.Empirical || p.Proposed != "") {
		kind = proposed
	}
	if !resolver.KeepsKind(p, text, kind) {
		a.Notify("other-kind", "the new form of %s is of another kind, so it is another point", p.ID)
		return a.Raise(&move.Raise{
			Text: text, Kind: kind, Label: m.Label, Confidence: m.Confidence, Citations: m.Citations,
		}, m.Because)
	}
	// A revision that names an open challenge on the point is a defense, in every phase.
	c := a.State.Challenge(m.Challenge)
	answers := c != nil && c.Point == p.ID && resolver.Answerable(c)
	if !answers && resolver.Similarity(p.Text, text) < resolver.SameSubject {
		// If it is not clearly the same core claim, it is a new point.
		return a.Raise(&move.Raise{
			Text: text, Kind: kind, Label: m.Label, Confidence: m.Confidence, Citations: m.Citations,
		}, m.Because)
	}
	late := state.TagNone
	if a.State.Phase == state.Crystallization && !answers {
		late = state.TagPhaseClosed
	}
	id := a.State.NextPoint()
	a.Record(&state.PointRaised{
		ID: id, By: a.Seat, Text: text, Kind: kind, Framed: p.Framed && len(p.Joined) == 0, Label: string(m.Label),
		Holder: p.Holder, Option: p.Option, Criterion: p.Criterion, Revises: p.ID, Late: late,
	})
	if late != state.TagNone {
		a.OfferAll(id, m.Citations, m.Label, ledger.Supports, "")
		return nil
	}
	return a.supersede(p, id, m, answers)
}

func (a *Admitter) supersede(p *state.Point, id string, m *move.Revise, answers bool) error {
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
	if err := RecordRevision(a.Draft, a.Seat, fmt.Sprintf("%s revised %s as %s: %s", a.Seat, p.ID, id,
		ReasonText(why))); err != nil {
		return err
	}
	a.OfferAll(id, m.Citations, m.Label, ledger.Supports, answered)
	a.Report(id, m.Confidence, m.Because)
	return a.Revive(id)
}

// Revive prevents a revision from avoiding objections by returning to earlier words (RD5). If the point is nearer in
// words to an earlier point of its lineage than to the one that it revises, it raises the challenges to that earlier
// point again that nobody answered or that were upheld.
func (a *Admitter) Revive(id string) error {
	p := a.State.Point(id)
	revised := a.State.Point(p.Revises)
	if revised == nil {
		return nil
	}
	var returns *state.Point
	nearest := resolver.Similarity(p.Text, revised.Text)
	for earlier := a.State.Point(revised.Revises); earlier != nil; earlier = a.State.Point(earlier.Revises) {
		if like := resolver.Similarity(p.Text, earlier.Text); like > nearest {
			returns, nearest = earlier, like
		}
	}
	if returns == nil {
		return nil
	}
	for _, of := range returns.Challenges {
		c := a.State.Challenge(of)
		if !c.Revised && c.Status != state.StandsUpheld || a.challengedBy(p.ID, c.Objection) {
			continue
		}
		again := c.ChallengeRaised
		again.ID, again.Point = a.State.NextChallenge(), p.ID
		if again.About != "" && a.State.Item(again.About) != nil {
			again.About = "" // the item may count for another point by now
		}
		a.Record(&again)
	}
	return nil
}
