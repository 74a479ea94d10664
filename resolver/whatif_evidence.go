package resolver

import (
	"fmt"
	"slices"

	"moot/ledger"
	"moot/state"
)

// byEvidence tries what evidence does: what may come, what waits for its
// check, and what the ruling rests on.
func (w *whatIf) byEvidence() {
	w.onChecks()
	if w.running() && !w.citable() {
		w.onLoss()
		return
	}
	for _, kind := range []ledger.Type{ledger.Textual, ledger.Execution} {
		what := supportWords(kind)
		w.consider(MovedByEvidence, what+" supports it", what+" supported it", w.suppose().evidence(kind, ledger.Supports))
		w.considerNew(MovedByEvidence, w.upheldClause(false)+what+" supports it", w.upheldClause(true)+what+" supported it",
			w.upholding().evidence(kind, ledger.Supports))
	}
	w.onRefutation()
	w.onSilence()
	w.onLoss()
}

// onRefutation tries evidence against the point, before and after its author
// was heard on it.
func (w *whatIf) onRefutation() {
	if w.base.Bucket == state.BucketDismissed {
		return
	}
	for _, kind := range []ledger.Type{ledger.Textual, ledger.Execution} {
		what := supportWords(kind)
		w.consider(MovedByEvidence, what+" refutes it", what+" refuted it", w.suppose().evidence(kind, ledger.Refutes).heard())
		w.considerNew(MovedByEvidence, what+" refutes it, also after its author was heard", what+" refuted it, also after its author was heard",
			w.suppose().evidence(kind, ledger.Refutes).heard().answerAll())
	}
}

func supportWords(kind ledger.Type) string {
	if kind == ledger.Execution {
		return "a command's checked output"
	}
	return "a verified passage"
}

// citable reports whether seats may still cite for or against the point.
func (w *whatIf) citable() bool {
	return w.p.RevisedBy == "" && w.p.Scope != state.Late && w.p.Scope != state.OverLimit && Held(w.p)
}

// upholding is the course in which every challenge that stands is answered and
// accepted and every seat that has to judge agrees.
func (w *whatIf) upholding() *supposed {
	silent := w.silent()
	if w.running() && !Debated(w.s, w.p) || len(silent)+len(w.unaccepted()) == 0 {
		return w.suppose().cannot()
	}
	x := w.allAccepted()
	for _, seat := range silent {
		x.classify(seat, state.Agree, slices.Contains(w.p.CalledValue, seat))
	}
	return x
}

// silent returns the seats that have to judge the point and did not; when they
// no longer can, those that did not agree. Who accepts the answer to its
// challenge agrees with that.
func (w *whatIf) silent() []state.Seat {
	var seats, judges []state.Seat
	for _, c := range w.unaccepted() {
		judges = append(judges, JudgeOf(w.s, c))
	}
	for _, seat := range Evaluators(w.s, w.p) {
		if w.p.IsAuthor(seat) && len(w.p.Authors) == 1 || slices.Contains(judges, seat) {
			continue
		}
		latest := w.p.Latest(seat)
		undecided := latest == nil || latest.Seq < w.p.Reopened
		if undecided || !w.running() && latest.Class != state.Agree {
			seats = append(seats, seat)
		}
	}
	return seats
}

// upheldClause says in a clause what upholding supposes.
func (w *whatIf) upheldClause(past bool) string {
	clause := ""
	if standing := w.unaccepted(); len(standing) > 0 {
		answers, be := "the answer to ", " is accepted, and "
		if len(standing) > 1 {
			answers, be = "the answers to ", " are accepted, and "
		}
		if past {
			be = " been accepted, and "
		}
		clause = answers + listed(challengeIDs(standing)) + be
	}
	if silent := w.silent(); len(silent) > 0 {
		verb := " agrees with it, and "
		switch {
		case past:
			verb = " agreed with it, and "
		case len(silent) > 1:
			verb = " agree with it, and "
		}
		clause += seatNames(silent) + verb
	}
	return clause
}

// onSilence tries that what was asked for, or will be, does not come.
func (w *whatIf) onSilence() {
	if !w.running() || !Debated(w.s, w.p) {
		return
	}
	if q := w.request(state.RequestClarification); q != nil && q.Open() {
		w.consider(MovedByEvidence, "it is not clarified", "", w.suppose().unanswered(state.RequestClarification))
	}
	if w.value || w.firmSupport() != nil {
		return
	}
	w.consider(MovedByEvidence, "no evidence comes, though it is asked for", "", w.suppose().unanswered(state.RequestEvidence))
	w.considerNew(MovedByEvidence, w.upheldClause(false)+"no evidence comes, though it is asked for", "", w.upholding().unanswered(state.RequestEvidence))
}

// unanswered lets a request be made, where it was not, and its window pass.
func (x *supposed) unanswered(kind state.RequestKind) *supposed {
	if x.impossible {
		return x
	}
	b := systemOf(x.s.Settings.Format).bench(&x.s, x.here())
	q := b.request(kind)
	if q != nil && !q.Open() {
		return x.cannot()
	}
	if q == nil {
		if _, ok := b.upheld(); !ok || kind != state.RequestEvidence {
			return x.cannot()
		}
		x.add(&state.Requested{
			Point: x.point, What: kind, Of: slices.Concat(Defenders(b.p), Evaluators(&x.s, b.p)), By: state.Protocol,
			Text: "which evidence, that anyone can check, would settle " + x.point + "? Cite it.",
		})
	}
	if q == nil || q.Round >= x.s.Round {
		x.nextRound()
	}
	return x.add(&state.RequestSettled{Point: x.point, What: kind, By: state.Protocol})
}

// onChecks tries both outcomes for items that wait for their check (RD6).
func (w *whatIf) onChecks() {
	for _, item := range w.items(func(e *ledger.Evidence) bool { return !e.Checked }) {
		verified := &state.EvidenceVerified{
			ID: item.ID, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
			Reference: item.Reference, Excerpt: item.Excerpt, Admitted: true, Reason: "verbatim at the cited lines",
		}
		proves := " proves right when it is checked"
		if item.Approval != ledger.ApprovalNone {
			verified.Type, verified.SourceKind, verified.Confidence = ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution
			verified.Reason, proves = "what was expected came", " is approved and what it expects comes"
		}
		x := w.suppose().add(verified)
		if w.s.Phase == state.Crystallization && !x.impossible && !x.s.Item(item.ID).Decisive() {
			continue
		}
		w.consider(MovedByEvidence, item.ID+proves, item.ID+" proved right when it was checked", x.heard())
	}
}

// onLoss tries what the ruling would be without an item that it may rest on,
// and with a direct one contested (PH6).
func (w *whatIf) onLoss() {
	for _, item := range w.items(func(e *ledger.Evidence) bool { return e.Counts() && e.Relation != ledger.Neutral }) {
		w.consider(MovedByEvidence, "", item.ID+" not been verified",
			w.supposePast().add(&state.EvidenceRefused{ID: item.ID, Reason: "it does not stand there"}))
		if !item.Direct || item.Contested != "" || item.SourceKind == ledger.UserOverride {
			continue
		}
		for _, seat := range slices.Concat(Evaluators(w.s, w.p), Defenders(w.p)) {
			if item.OfferedBy == string(seat) || w.running() && !w.citable() {
				continue
			}
			w.consider(MovedByEvidence, fmt.Sprintf("%s denies that %s says the very thing", seatName(seat), item.ID),
				fmt.Sprintf("%s denied that %s says the very thing", seatName(seat), item.ID),
				w.suppose().add(&state.EvidenceContested{ID: item.ID, By: seat, Reason: "it takes a further step"}))
			break
		}
	}
}

// items returns the first items on the point that the test picks.
func (w *whatIf) items(pick func(*ledger.Evidence) bool) []*ledger.Evidence {
	var found []*ledger.Evidence
	for _, id := range w.p.Evidence {
		if item := w.s.Item(id); item != nil && pick(item) {
			found = append(found, item)
		}
		if len(found) == mostTried {
			break
		}
	}
	return found
}

// evidence lets a seat cite what proves right: a passage of the workspace, or
// the output of a command. It is direct, so that every phase admits it (PH5).
func (x *supposed) evidence(kind ledger.Type, relation ledger.Relation) *supposed {
	return x.evidenceOf(kind, relation, referenceOf(kind))
}

// referenceOf stands for where evidence of the kind is found.
func referenceOf(kind ledger.Type) string {
	if kind == ledger.Execution {
		return "a command"
	}
	return "a file and line"
}

// evidenceOf is evidence with a reference of its own.
func (x *supposed) evidenceOf(kind ledger.Type, relation ledger.Relation, reference string) *supposed {
	if x.impossible {
		return x
	}
	seats := Defenders(x.here())
	if relation == ledger.Refutes {
		seats = Evaluators(&x.s, x.here())
	}
	by := state.Orchestrator
	if len(seats) > 0 {
		by = seats[0]
	}
	id := state.NextID('E', x.s.Evidence.Len())
	e := &state.EvidenceVerified{
		ID: id, Type: kind, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
		Reference: reference, Excerpt: "a passage", Admitted: true, Reason: "verbatim at the cited lines",
	}
	if kind == ledger.Execution {
		e.SourceKind, e.Confidence = ledger.LiveAPI, ledger.ConfidenceExecution
		e.Excerpt, e.Reason = "its output", "the expectation was met"
	}
	x.add(&state.EvidenceOffered{ID: id, Point: x.point, Relation: relation, Reference: e.Reference, Quote: e.Excerpt, Direct: true, By: by})
	if q := newBench(&x.s, x.here()).request(state.RequestEvidence); q != nil && q.Open() {
		x.add(&state.RequestSettled{Point: x.point, What: state.RequestEvidence, Answered: true, By: by})
	}
	return x.add(e)
}

// heard raises the challenge that lets the author answer a verified refutation,
// unless one waits already (RD6).
func (x *supposed) heard() *supposed {
	if x.impossible || x.s.Over() || x.s.Round >= LastRound(&x.s) || !Debated(&x.s, x.here()) {
		return x
	}
	p := x.here()
	item := x.s.Item(p.Evidence[len(p.Evidence)-1])
	for _, id := range p.Evidence {
		if e := x.s.Item(id); e.Seq == x.s.Seq {
			item = e
		}
	}
	if !item.Counts() || item.Relation != ledger.Refutes {
		return x
	}
	for _, id := range p.Challenges {
		if answerable(x.s.Challenge(id)) {
			return x
		}
	}
	return x.add(&state.ChallengeRaised{
		ID: state.NextID('C', x.s.Challenges.Len()), Point: x.point, By: state.Protocol, What: state.Skeptical,
		Objection: item.ID + " (" + item.Reference + ") refutes the point.", UpgradeIf: "verified evidence that ranks as high, or why " + item.ID + " does not bear on it",
	})
}
