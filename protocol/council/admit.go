package council

import (
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/council/constitution"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// evidenceTerm is the term of a CLARIFY that requests evidence for a claim.
const evidenceTerm = "evidence"

// Admit implements Format: the rules of a consultation, plus the council's own moves.
func (Format) Admit(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	if ask.Stage == state.StageConclude {
		return claims.AdmitAnswer(s, ask, moves)
	}
	a := claims.NewAdmitter(s, ask)
	a.AgreesFrom = leastScore
	a.Each(moves, func(m move.Move) error { return councilMove(a, m) })
	if ask.Stage != state.StagePropose || a.Raised > 0 || !claims.HasPoint(a.State, a.Seat) {
		// A strategist that was asked again only for its confidence has its claims already.
		a.Finish()
	}
	return a.Admission()
}

func councilMove(a *claims.Admitter, m move.Move) error {
	switch m := m.(type) {
	case *Synthesize:
		return synthesize(a, m)
	case *move.Flag:
		if m.Flag == move.FlagKey {
			return markKey(a, m.Point)
		}
	case *move.Clarify:
		switch strings.ToLower(strings.TrimSpace(m.Term)) {
		case move.LimitTerm:
			return limit(a, m)
		case evidenceTerm:
			return requestEvidence(a, m)
		}
	case *move.Merge:
		return merge(a, m)
	case *move.Challenge:
		if a.Ask.Stage == StageFix {
			return rewordChallenge(a, m)
		}
	case *Raise:
		return newClaim(a, func() error { return a.Raise(&m.Raise, m.Because) }, m.Key, m.Limit)
	case *move.Revise:
		if a.Seat == constitution.Moderator {
			return reword(a, m)
		}
		return newClaim(a, func() error { return a.Move(m) }, false, m.Limit)
	}
	return a.Move(m)
}

// newClaim admits a RAISE or REVISE, whose author says whether the claim is key, and what it does not cover.
func newClaim(a *claims.Admitter, admit func() error, key bool, limit string) error {
	before := a.State.Points.Len()
	if err := admit(); err != nil || a.State.Points.Len() == before {
		return err
	}
	return qualify(a, key, limit)
}

// qualify records whether the newest claim is key, and its limit. A revision keeps both from the old form.
func qualify(a *claims.Admitter, key bool, limit string) error {
	p := a.State.Points.At(a.State.Points.Len() - 1)
	limit = strings.TrimSpace(limit)
	if old := a.State.Point(p.Revises); old != nil {
		claim := ClaimOf(a.State, old)
		key, limit = key || claim.Key, plain.FirstNonBlank(limit, claim.Limit)
	}
	if key {
		if err := a.Add(&ClaimMarkedKey{Point: p.ID, By: a.Seat}); err != nil {
			return err
		}
	}
	if limit == "" {
		return nil
	}
	return a.Add(&ClaimLimited{Point: p.ID, By: a.Seat, Limit: limit})
}

// synthesize handles SYNTHESIZE. The moderator's view on agreement is recorded in addition to the
// result of the rules.
func synthesize(a *claims.Admitter, m *Synthesize) error {
	text := strings.TrimSpace(m.Text)
	if text == "" {
		return protocol.Refuse("empty", "a synthesis needs a text")
	}
	if Of(a.State).Synthesis(a.State.Round) != nil {
		return protocol.Refuse("repeated", "the synthesis of round %d is given already", a.State.Round)
	}
	open := []string{}
	for _, id := range m.Open {
		p := a.State.Current(id)
		if p == nil {
			return protocol.Refuse("unknown-point", "there is no point %q", id)
		}
		if !slices.Contains(open, p.ID) {
			open = append(open, p.ID)
		}
	}
	return a.Add(&Synthesized{By: a.Seat, Text: text, Agreement: m.Agreement, Open: open})
}

// markKey marks a claim as key. Nothing unmarks it: that would lower what CV1 requires.
func markKey(a *claims.Admitter, id string) error {
	p, err := a.Point(id)
	switch {
	case err != nil:
		return err
	case ClaimOf(a.State, p).Key:
		return protocol.Refuse("repeated", "%s is a key claim already", p.ID)
	}
	return a.Add(&ClaimMarkedKey{Point: p.ID, By: a.Seat})
}

// limit handles CLARIFY with the term limit: what a claim doesn't cover (CV4). Only the
// claim's defenders and the moderator may say it.
func limit(a *claims.Admitter, m *move.Clarify) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(m.Text)
	switch {
	case text == "":
		return protocol.Refuse("empty", "a limit needs a text")
	case a.Seat != constitution.Moderator && !slices.Contains(p.Defenders(), a.Seat):
		return protocol.Refuse("not-author", "only its author says what %s does not cover", p.ID)
	}
	return a.Add(&ClaimLimited{Point: p.ID, By: a.Seat, Limit: text})
}

// requestEvidence handles CLARIFY with the term evidence: a tester asks the author for
// evidence, once per claim.
func requestEvidence(a *claims.Admitter, m *move.Clarify) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(m.Text)
	switch {
	case text == "":
		return protocol.Refuse("empty", "a request says which evidence of %s is missing", p.ID)
	case slices.Contains(p.Defenders(), a.Seat):
		return protocol.Refuse("own-point", "evidence of %s is yours to give: CITE it", p.ID)
	case resolver.Request(a.State, p, state.RequestEvidence) != nil:
		return protocol.Refuse("repeated", "evidence of %s was asked for already", p.ID)
	}
	return a.Add(&state.Requested{
		Point: p.ID, Kind: state.RequestEvidence, Of: p.Defenders(), By: a.Seat,
		Text: text,
	})
}

// merge handles the moderator's MERGE of equivalent claims. A merge changes no outcome: an
// agreed claim remains agreed, and an unsettled one doesn't become agreed through evidence
// that was never tested against its wording.
func merge(a *claims.Admitter, m *move.Merge) error {
	into, err := a.Point(m.Into)
	if err != nil {
		return err
	}
	stood := isAgreed(a, into.ID)
	for _, id := range m.From {
		p, err := a.Point(id)
		switch {
		case err != nil:
			return err
		case resolver.Opposed(p.Text, into.Text):
			return protocol.Refuse("opposed", "%s and %s say the opposite of each other; they are not joined", p.ID,
				into.ID)
		case resolver.Similarity(p.Text, into.Text) < resolver.SameSubject:
			return protocol.Refuse("other-claim", "%s and %s are not of the same core claim; they are not joined",
				p.ID, into.ID)
		case isAgreed(a, p.ID) && !stood:
			return protocol.Refuse("closed-point", "%s is accepted by the rules and %s is not: merge %s into it", p.ID,
				into.ID,
				into.ID)
		}
	}
	if err := a.Merge(m); err != nil {
		return err
	}
	switch stands := isAgreed(a, into.ID); {
	case stands && !stood:
		return protocol.Refuse(
			"lifts",
			"%s is not accepted by itself, and a merge cannot change that: its author must cite that evidence for it",
			into.ID,
		)
	case stood && !stands:
		return protocol.Refuse(
			"sinks",
			"%s is accepted by the rules, and what is open on the other would undo that: they cannot be merged",
			into.ID,
		)
	}
	return nil
}

// isAgreed reports whether the rules currently find a claim agreed.
func isAgreed(a *claims.Admitter, point string) bool {
	ruled, _ := resolver.RuleOne(a.State, point)
	return ruled.Bucket == state.BucketAgreed
}

// rewordChallenge rewords a challenge that violates the constitution.
func rewordChallenge(a *claims.Admitter, m *move.Challenge) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	for _, b := range Unfixed(a.State, a.Seat) {
		c := a.State.Challenge(b.Challenge)
		if c == nil || c.Point != p.ID || c.By != a.Seat || c.Seq > a.Began {
			// It belongs to another seat, or this reply has already reworded it.
			continue
		}
		flaw := strings.TrimSpace(m.Flaw)
		if flaw == "" || claims.FoundNothing(flaw) {
			return protocol.Refuse("no-flaw", "%s needs a concrete flaw", c.ID)
		}
		return a.Add(&ChallengeReworded{
			Challenge: c.ID, By: a.Seat, Objection: flaw,
			UpgradeIf: plain.FirstNonBlank(strings.TrimSpace(m.UpgradeIf), c.UpgradeIf),
			Grounds:   plain.FirstNonBlank(strings.TrimSpace(m.Grounds), c.Grounds),
		})
	}
	return protocol.Refuse("nothing-to-fix", "no challenge of yours to %s needs another wording", p.ID)
}

// reword handles the moderator's REVISE. The author still answers for the claim, which is
// tested in the next round. Agreed claims can't be reworded.
func reword(a *claims.Admitter, m *move.Revise) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(m.Text)
	switch {
	case !claims.Revisable(a.State, p):
		return protocol.Refuse("closed-point", "%s has ended (%s), so it cannot be reworded", p.ID,
			claims.ClosedReason(a.State, p))
	case isAgreed(a, p.ID):
		return protocol.Refuse("closed-point", "%s is accepted by the rules, so it cannot be reworded", p.ID)
	case text == "" || resolver.Normalized(text) == resolver.Normalized(p.Text):
		return protocol.Refuse("unchanged", "the new form of %s says nothing new", p.ID)
	case resolver.Opposed(p.Text, text):
		return protocol.Refuse("opposed", "the new form of %s says the opposite: that is another claim", p.ID)
	case !resolver.KeepsKind(p, text, resolver.ProposedKind(p)):
		return protocol.Refuse("other-claim", "the new form of %s is of another kind: that is another claim", p.ID)
	case resolver.Similarity(p.Text, text) < resolver.SameSubject:
		return protocol.Refuse("other-claim", "the new form of %s is not of the same core claim", p.ID)
	}
	id := a.State.NextPoint()
	author := p.Authors[0]
	if err := a.Add(
		&state.PointRaised{
			ID: id, By: a.Seat, For: author, Text: text, Kind: p.Proposed, Label: p.Label,
			Revises: p.ID,
		},
		&state.PointRevised{Point: p.ID, New: id, By: a.Seat},
		&state.PointTriaged{Point: id, By: state.Protocol, Scope: p.Scope, Reason: "revises " + p.ID, Theme: p.Theme},
	); err != nil {
		return err
	}
	if err := qualify(a, false, m.Limit); err != nil {
		return err
	}
	if err := claims.RecordRevision(a.Draft, a.Seat,
		string(a.Seat)+" reworded "+p.ID+" as "+id+": "+claims.ReasonText(m.Because)); err != nil {
		return err
	}
	a.OfferAll(id, m.Citations, move.LabelNone, ledger.Supports, "")
	a.Report(id, m.Confidence, m.Because)
	return a.Revive(id)
}
