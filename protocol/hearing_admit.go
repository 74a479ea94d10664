package protocol

import (
	"slices"
	"strings"

	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// Admit implements Format. A move that cites a fact outside of the packet is dropped
// whole, and that is on the record; the closing word of an argument is read last,
// wherever it stands, since it depends on what came before.
func (Hearing) Admit(s state.State, ask Ask, moves []Move) Admission {
	d := &draft{s: s}
	a := &admission{draft: d, ask: ask, seat: ask.Seat, began: s.Seq}
	for _, last := range []bool{false, true} {
		for i, m := range moves {
			if (m.Kind() == MoveConclude) == last {
				d.try(i+1, func() error { return a.hearingMove(m) })
			}
		}
	}
	return Admission{Events: d.events, Refused: d.refused}
}

func (a *admission) hearingMove(m Move) error {
	if !slices.Contains(a.ask.Moves, m.Kind()) {
		return refuse("not-allowed", "%s is no move of this turn", m.Kind())
	}
	switch m := m.(type) {
	case *Claim:
		return a.claim(m)
	case *Contradict:
		return a.contradict(m)
	case *Answer:
		return a.answerFacts(m)
	case *Score:
		return a.rescore(m)
	case *Concede:
		return a.giveUp(m)
	case *Conclude:
		return a.conclude(m)
	case *FlagMove:
		if m.Flag == FlagNothing {
			return nil
		}
		return a.flag(m)
	}
	return refuse("unknown-move", "%s is not known here", m.Kind())
}

// inPacket returns the cited facts, each once; with one that the packet does not hold
// the violation is recorded, and the move is dropped whole.
func (a *admission) inPacket(m MoveKind, text string, cited []string) (facts []string, whole bool, err error) {
	for i := range cited {
		cited[i] = strings.TrimSpace(cited[i])
	}
	facts = hearing.Distinct(cited)
	unknown := a.s.Hearing.UnknownFacts(facts)
	if len(unknown) == 0 {
		return facts, true, nil
	}
	a.refused = append(a.refused, state.Refusal{Code: "outside-packet", Text: string(m) + " was dropped whole: the packet holds no fact " + strings.Join(quoted(unknown), ", ")})
	return nil, false, a.add(&state.SchemaViolated{Seat: a.seat, Move: string(m), Text: clip(text), Facts: unknown})
}

func quoted(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = `"` + clip(id) + `"`
	}
	return out
}

// claim is CLAIM.
func (a *admission) claim(m *Claim) error {
	text := strings.TrimSpace(m.Reading)
	switch {
	case text == "":
		return refuse("empty", "a claim needs a reading")
	case len(m.Facts) == 0:
		return refuse("no-facts", "a claim rests on facts of the packet: name their ids")
	case m.Confidence == nil:
		return refuse("confidence", "a claim needs a confidence from 0 to 1")
	case a.raised >= maxRaised:
		return refuse("too-many", "a reply makes at most %d claims", maxRaised)
	}
	if err := hearing.CheckConfidence(*m.Confidence); err != nil {
		return refuse("confidence", "the confidence %v", err)
	}
	facts, whole, err := a.inPacket(MoveClaim, text, m.Facts)
	if !whole {
		return err
	}
	for _, p := range a.s.Points.All() {
		if p.IsAuthor(a.seat) && resolver.Normalised(p.Text) == resolver.Normalised(text) {
			return refuse("repeated", "%s says the same already", p.ID)
		}
	}
	a.raised++
	id := a.nextPoint()
	return a.all(
		&state.PointRaised{ID: id, By: a.seat, Text: text, Facts: facts},
		&state.PointTriaged{Point: id, By: state.Protocol, Scope: state.InScope, Reason: "it rests on facts of the packet"},
		&state.ConfidenceReported{Seat: a.seat, Point: id, Stated: *m.Confidence, Admitted: *m.Confidence},
	)
}

// contradict is CONTRADICT: facts that speak against a claim of the other side.
func (a *admission) contradict(m *Contradict) error {
	p := a.s.Point(m.Point)
	text := strings.TrimSpace(m.Reading)
	switch {
	case p == nil:
		return refuse("unknown-point", "there is no claim %q", m.Point)
	case p.IsAuthor(a.seat):
		return refuse("own-point", "%s is your own: SCORE it lower, or CONCEDE it", p.ID)
	case a.seat == state.Oracle && p.ID != resolver.QuestionPoint && !p.IsAuthor(MoreConfident(&a.s)):
		return refuse("other-side", "%s is not of the %s, which is the side that is more confident", p.ID, MoreConfident(&a.s))
	case a.seat != state.Oracle && p.ID == resolver.QuestionPoint:
		return refuse("question", "%s is the question: contradict a claim", p.ID)
	case len(m.Facts) == 0:
		return refuse("no-facts", "only facts of the packet contradict a claim: name their ids")
	case text == "":
		return refuse("empty", "say how the facts contradict %s", p.ID)
	}
	if _, conceded := p.Conceded(); conceded {
		return refuse("closed-point", "%s was given up", p.ID)
	}
	facts, whole, err := a.inPacket(MoveContradict, text, m.Facts)
	if !whole {
		return err
	}
	for _, id := range p.Challenges {
		if c := a.s.Challenge(id); c.By == a.seat && slices.Equal(c.Facts, facts) {
			return refuse("repeated", "%s cites these facts against %s already", c.ID, p.ID)
		}
	}
	return a.add(&state.ChallengeRaised{ID: a.nextChallenge(), Point: p.ID, By: a.seat, What: state.Skeptical, Objection: text, Facts: facts})
}

// answerFacts is ANSWER.
func (a *admission) answerFacts(m *Answer) error {
	c := a.s.Challenge(m.Challenge)
	text := strings.TrimSpace(m.Text)
	switch {
	case c == nil:
		return refuse("unknown-challenge", "there is no challenge %q", m.Challenge)
	case !answersIn(&a.s, a.seat, c):
		return refuse("not-yours", "%s does not wait for your answer", c.ID)
	case text == "":
		return refuse("empty", "an answer to %s needs a text", c.ID)
	}
	facts, whole, err := a.inPacket(MoveAnswer, text, m.Facts)
	if !whole {
		return err
	}
	return a.add(&state.ChallengeAnswered{Challenge: c.ID, By: a.seat, Text: text, Facts: facts})
}

// own returns a claim of the seat's own that it still makes.
func (a *admission) own(id string) (*state.Point, error) {
	p := a.s.Point(id)
	switch {
	case p == nil:
		return nil, refuse("unknown-point", "there is no claim %q", id)
	case !p.IsAuthor(a.seat):
		return nil, refuse("not-author", "%s is not yours: CONTRADICT it", p.ID)
	}
	if _, conceded := p.Conceded(); conceded {
		return nil, refuse("closed-point", "you gave %s up", p.ID)
	}
	return p, nil
}

// rescore is SCORE: a change of confidence in a claim of one's own. In an anchored
// hearing it falls only by a fact.
func (a *admission) rescore(m *Score) error {
	p, err := a.own(m.Point)
	if err != nil {
		return err
	}
	if err := hearing.CheckConfidence(m.Confidence); err != nil {
		return refuse("confidence", "the confidence %v", err)
	}
	return a.change(p, m.Confidence, m.Cause)
}

// change records a confidence in a claim, with what counts of it.
func (a *admission) change(p *state.Point, stated float64, named string) error {
	before := p.Score(a.seat).Admitted
	admitted, cause := resolver.Conviction(&a.s, a.seat, p, stated, strings.TrimSpace(named))
	if err := a.add(&state.ConfidenceReported{Seat: a.seat, Point: p.ID, Stated: stated, Admitted: admitted, Cause: firstText(cause, clip(named))}); err != nil {
		return err
	}
	if admitted != stated { //nolint:floatcompare // it is one or the other, unchanged
		return a.drift(p.ID, before, stated)
	}
	if admitted == before {
		return nil
	}
	return a.add(&state.ConfidenceChanged{Seat: a.seat, Point: p.ID, From: before, To: admitted, Fact: cause})
}

// drift records a fall of confidence that no fact causes: the old value stands.
func (a *admission) drift(point string, from, to float64) error {
	a.refused = append(a.refused, state.Refusal{Code: "no-cause", Text: point + ": your confidence stands: it falls only by a fact that the other side cites as contradicting it, and that was not answered before"})
	return a.add(&state.DriftDetected{Seat: a.seat, Point: point, From: share(from), To: share(to), Kept: true})
}

// giveUp is CONCEDE of a claim. In an anchored hearing it needs a cause as any fall
// does.
func (a *admission) giveUp(m *Concede) error {
	id := m.Point
	if c := a.s.Challenge(m.Challenge); c != nil {
		id = c.Point
	}
	p, err := a.own(id)
	if err != nil {
		return err
	}
	before := p.Score(a.seat).Admitted
	if err := a.change(p, 0, ""); err != nil {
		return err
	}
	if a.s.Point(p.ID).Score(a.seat).Admitted > 0 && before > 0 {
		return nil
	}
	return a.add(&state.PointConceded{Point: p.ID, By: a.seat, Reason: strings.TrimSpace(m.Reason)})
}

// conclude is CONCLUDE: the overall confidence, once in a round.
func (a *admission) conclude(m *Conclude) error {
	if m.Confidence == nil {
		return refuse("confidence", "CONCLUDE needs a confidence from 0 to 1")
	}
	if err := hearing.CheckConfidence(*m.Confidence); err != nil {
		return refuse("confidence", "the confidence %v", err)
	}
	stated := *m.Confidence
	admitted := resolver.ConvictionOverall(&a.s, a.seat, stated)
	if err := a.add(&state.Argued{Seat: a.seat, Stated: stated, Confidence: admitted, WouldChange: strings.TrimSpace(m.WouldChange)}); err != nil {
		return err
	}
	if admitted > stated {
		before := a.s.Hearing.Argument(a.seat, a.s.Round-1).Confidence
		return a.drift(resolver.QuestionPoint, before, stated)
	}
	return nil
}
