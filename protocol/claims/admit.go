package claims

import (
	"cmp"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/state"
)

// Admit turns the moves of a reply into events, or refuses them one by one with a reason. After the last move it also
// records unanswered challenges (CH2, CH3).
func Admit(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	a := NewAdmitter(s, ask)
	a.Each(moves, a.Move)
	a.Finish()
	return a.Admission()
}

// Move admits one move of a reply.
func (a *Admitter) Move(m move.Move) error {
	switch m := m.(type) {
	case *move.Raise:
		return a.Raise(m, "")
	case *move.Triage:
		return a.Triage(m)
	case *move.Merge:
		return a.Merge(m)
	case *move.Classify:
		return a.classify(m)
	case *move.Challenge:
		return a.classify(&move.Classify{
			Point: m.Point, Class: m.Class, Flaw: m.Flaw, UpgradeIf: m.UpgradeIf, FlawKind: m.FlawKind,
			Grounds: m.Grounds, WhyNotSkeptical: m.WhyNotSkeptical, Narrower: m.Narrower, Needs: m.Needs,
			Citations: m.Citations,
		})
	case *move.Defend:
		return a.defend(m)
	case *move.Concede:
		return a.concede(m)
	case *move.Judge:
		return a.judge(m)
	case *move.Revise:
		return a.revise(m)
	case *move.Cite:
		return a.Cite(a.numbered(m.Point), m.Citation, m.Label, "")
	case *move.Accept:
		return a.accept(m)
	case *move.Contest:
		return a.contest(m)
	case *move.Withdraw:
		return a.withdraw(m)
	case *move.Violates:
		return a.violates(m)
	case *move.Blocked:
		return a.blocked(m)
	case *move.Clarify:
		return a.clarify(m)
	case *move.Score:
		return a.score(m.Point, m.Confidence, m.Cause)
	case *move.Flag:
		return a.flag(m)
	}
	return protocol.Refuse("unknown-move", "%s is not known", move.KindOf(m))
}

// Finish records what depends on the whole reply.
func (a *Admitter) Finish() {
	a.Try(0, a.AcceptSupport)
	switch a.Ask.Stage { //nolint:exhaustive // nothing is due at the end of the other stages
	case state.StagePropose:
		if a.Raised == 0 && !a.trivial && !a.State.ByRules(a.Seat) {
			const reason = "the reply holds no discrete point"
			a.Attempt(&state.QualityFailed{
				Seat: a.Seat, Stage: a.Ask.Stage, Reason: reason, Failure: Formless(a.Seat, reason),
			})
		}
	case state.StageAnswer, state.StageRebut:
		a.Try(0, a.applySilence)
	case state.StageRemind:
		a.Try(0, a.endReminded)
	}
	a.Try(0, a.challengeContradictions)
}

// Formless is the failure of a reply that came, but not as it was asked for.
func Formless(seat state.Seat, why string) *state.Failure {
	return &state.Failure{Seat: seat, Kind: state.FailureFormat, Text: plain.FirstLine(why)}
}

// applySilence records the challenges that the reply does not answer: a SKEPTICAL is dropped and
// its author reminded (CH2), a REJECT is undefended at once (CH3). If the reply cites something for
// the point, the author is asked whether that is the answer (CH4).
func (a *Admitter) applySilence() error {
	open := OpenChallenges(a.State, a.Seat, state.StandsOpen)
	for _, id := range a.left {
		// This author gave up the point; the others still hold it and have had their window.
		if c := a.State.Challenge(id); c.Status == state.StandsOpen {
			open = append(open, c)
		}
	}
	for _, c := range open {
		if c.Confirm || a.unseen(c) || slices.Contains(a.referenced, c.ID) || !a.lastDefender(c) {
			continue
		}
		if id := a.supportFor(c.Point); id != "" {
			// It may be meant as the answer (CH4).
			a.Record(&state.ChallengeUnconfirmed{Challenge: c.ID, Text: id})
			continue
		}
		var e state.Payload = &state.ChallengeDropped{Challenge: c.ID}
		if c.Kind == state.Reject {
			e = &state.ChallengeUndefended{Challenge: c.ID, Reason: "not referenced in its one defense round"}
		}
		a.Record(e)
	}
	return nil
}

// supportFor returns the last item that the reply offers in support of a point, or "".
func (a *Admitter) supportFor(point string) string {
	for _, id := range slices.Backward(a.State.Point(point).Evidence) {
		item := a.State.Item(id)
		if item.OfferedBy == string(a.Seat) && item.Seq > a.Began && item.Relation == ledger.Supports {
			return id
		}
	}
	return ""
}

// endReminded ends the challenges that were not answered after the reminder (CH2), and those whose
// answer was not confirmed (CH4).
func (a *Admitter) endReminded() error {
	for _, c := range OpenChallenges(a.State, a.Seat, state.StandsReminded, state.StandsOpen) {
		if (c.Status == state.StandsOpen && !c.Confirm) || (a.unseen(c) && !c.Confirm) || !a.lastDefender(c) {
			continue
		}
		reason := "not referenced after the reminder"
		if c.Confirm {
			reason = "the passage that seemed to answer it was not confirmed"
		}
		a.Record(&state.ChallengeUndefended{Challenge: c.ID, Reason: reason})
	}
	return nil
}

// AdmitFindings turns the findings on evidence items into events. It decides which items are
// admitted (PH5) and which enter the ledger (LE2, LE4).
func AdmitFindings(s *state.State, ids []string, findings []ledger.Finding) []state.Payload {
	d := &protocol.Draft{State: s}
	for i, id := range ids {
		d.Try(0, func() error { return found(d, id, findings[i]) })
	}
	d.Try(0, func() error { return settleReversals(d) })
	return d.Events
}

func found(d *protocol.Draft, id string, f ledger.Finding) error {
	item := d.State.Item(id)
	if item == nil {
		return protocol.Refuse("unknown-evidence", "there is no evidence %q", id)
	}
	number, named := strings.CutPrefix(item.Reference, "F")
	if named && number != "" && strings.Trim(number, "0123456789") == "" {
		f = factFinding(d.State.Fact(item.Reference), item)
	}
	if item.Asked && f.Unmet {
		f.Excerpt = cmp.Or(f.Excerpt, f.Nearest)
	} else if !f.Verified {
		refused := &state.EvidenceRefused{
			ID: id, Reason: f.Reason, Run: f.Run, Nearest: f.Nearest, NearestReference: f.NearestReference,
			Similarity: f.Similarity, Candidates: f.Candidates,
		}
		if f.Run != nil {
			refused.Digest = f.Digest
		}
		return d.Add(refused)
	}
	admitted, reason := true, f.Reason
	answers := item.For == ForRequest || item.For != "" && item.Relation == ledger.Supports
	if d.State.Phase == state.Crystallization && f.Run == nil && !answers {
		admitted, reason = false, f.Reason+"; not admitted: in CRYSTALLIZATION only evidence that answers an open "+
			"challenge or a request is"
	}
	if name := examined(d.State, &f); name != "" {
		admitted = false
		reason = f.Reason + "; not admitted: " + name + " is under examination, and shows only that it says so"
	}
	d.Record(&state.EvidenceVerified{
		ID: id, Type: f.Type, SourceKind: f.SourceKind, Confidence: f.Confidence, Reference: f.Reference,
		Excerpt: f.Excerpt, Digest: f.Digest, Commit: f.Commit, Run: f.Run, Shown: f.Shown, Admitted: admitted, Reason: reason,
		Unmet: f.Unmet,
	})
	return recordVerified(d, state.Seat(item.OfferedBy), f)
}

// Stamp sets the type, source kind and confidence of a result as its checker does: by the form of the reference and by
// how the check came out.
func Stamp(s *state.State, item *ledger.Evidence, f *ledger.Finding) {
	if item == nil || !f.Verified && !f.Unmet {
		return
	}
	// Lines are shown if there is no quote to compare.
	f.Shown = f.Shown && !item.Asked && item.Kind.IsPlace() && strings.TrimSpace(item.Excerpt) == ""
	item.Kind.Stamp(f)
	if item.Asked || !item.Kind.IsPlace() {
		return
	}
	cited, err := ledger.ParseReference(item.Reference)
	found, wrong := ledger.ParseReference(f.Reference)
	if err != nil || wrong != nil {
		return
	}
	given := strings.HasSuffix(f.Reason, ledger.GivenByUser) || strings.HasSuffix(f.Reason, ledger.GivenByAgent)
	if !given && official(s, found.Path) {
		f.SourceKind, f.Confidence = ledger.OfficialSource, ledger.ConfidenceOfficial
	}
	if !f.Shown && !found.Within(cited) {
		f.Confidence = ledger.ConfidenceMoved
	}
}

// official reports whether the user marked a path as an official source.
func official(s *state.State, path string) bool {
	return slices.ContainsFunc(s.Settings.Official, func(marked string) bool {
		return marked == "." || path == marked || strings.HasPrefix(path, marked+"/")
	})
}

// factFinding checks the citation of a fact: facts of the user can be cited by their ids (RV5).
func factFinding(fact *ledger.Fact, item *ledger.Evidence) ledger.Finding {
	f := ledger.Finding{
		Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord,
		Reference: item.Reference,
	}
	if fact == nil || fact.Tag != ledger.TagUser || !fact.Live {
		f.Reason = item.Reference + " is not a current fact of the user"
		return f
	}
	f.Excerpt = fact.Text
	if !strings.Contains(fact.Text, strings.TrimSpace(item.Excerpt)) {
		f.Reason, f.Nearest, f.NearestReference = fact.ID+" does not say that", fact.Text, fact.ID
		return f
	}
	f.Verified, f.Reason = true, "a fact of the user"
	f.Type, f.SourceKind, f.Confidence = ledger.Textual, ledger.UserOverride, ledger.ConfidenceUser
	return f
}
