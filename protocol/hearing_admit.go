package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// wholePacket is what a claim cites that says that nothing was found in the packet.
const wholePacket = "*"

// mostProbes is how many challenges the oracle brings.
const mostProbes = 3

// Admit implements Format. A move that cites a fact outside of the packet is dropped
// whole, and that is on the record. The closing word of an argument is read after all
// else, wherever it stands, since it depends on what came before; that there is
// nothing to say is read last.
func (Hearing) Admit(s state.State, ask Ask, moves []Move) Admission {
	d := &draft{s: s}
	a := &admission{draft: d, ask: ask, seat: ask.Seat, began: s.Seq}
	for pass := range 3 {
		for i, m := range moves {
			if passOf(m) != pass {
				continue
			}
			told := len(d.refused)
			d.try(i+1, func() error { return a.hearingMove(m) })
			for j := told; j < len(d.refused); j++ {
				d.refused[j].Move = i + 1
			}
		}
	}
	return Admission{Events: d.events, Refused: d.refused}
}

// passOf is when a move is read.
func passOf(m Move) int {
	switch m.Kind() { //nolint:exhaustive // the others come first
	case MoveConclude:
		return 1
	case MoveFlag:
		return 2
	}
	return 0
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
	case *Classify:
		return a.audit(m)
	case *Judge:
		return a.review(m)
	case *Score:
		return a.rescore(m)
	case *Concede:
		return a.giveUp(m)
	case *Conclude:
		return a.conclude(m)
	case *FlagMove:
		if m.Flag != FlagNothing {
			return refuse("not-allowed", "a hearing takes no flag but nothing: its facts are those of the packet")
		}
		return a.nothing()
	}
	return refuse("unknown-move", "%s is not known here", m.Kind())
}

// inPacket returns the cited facts, each once; with one that the packet does not hold
// the violation is recorded, and the move is dropped whole.
func (a *admission) inPacket(m MoveKind, text string, cited []string) (facts []string, whole bool, err error) {
	for _, id := range cited {
		if !a.s.Hearing.Holds(id) {
			id = strings.TrimSpace(id)
		}
		facts = append(facts, id)
	}
	facts = hearing.Distinct(facts)
	unknown := a.s.Hearing.UnknownFacts(facts)
	if len(unknown) == 0 {
		return facts, true, nil
	}
	a.refused = append(a.refused, state.Refusal{Code: "outside-packet", Text: string(m) + " was dropped whole: the packet holds no fact " + strings.Join(quoted(unknown), ", ")})
	return nil, false, a.add(&state.SchemaViolated{Seat: a.seat, Move: string(m), Text: clip(text), Facts: unknown})
}

// mostQuoted bounds the ids that a sentence tells.
const mostQuoted = 10

// quoted are ids as a sentence tells them.
func quoted(ids []string) []string {
	var out []string
	for i, id := range ids {
		if i == mostQuoted {
			return append(out, "…")
		}
		out = append(out, `"`+clip(id)+`"`)
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
		return refuse("no-facts", "a claim rests on facts of the packet: name their ids, or * if it says that nothing was found")
	case m.Confidence == nil:
		return refuse("confidence", "a claim needs a confidence from 0 to 1")
	case a.raised >= maxRaised:
		return refuse("too-many", "a reply makes at most %d claims", maxRaised)
	}
	if err := hearing.CheckConfidence(*m.Confidence); err != nil {
		return refuse("confidence", "the confidence %v", err)
	}
	var facts []string
	reason := "it says that nothing was found in the packet"
	if len(m.Facts) > 1 || m.Facts[0] != wholePacket || a.s.Hearing.Holds(wholePacket) {
		var whole bool
		var err error
		if facts, whole, err = a.inPacket(MoveClaim, text, m.Facts); !whole {
			return err
		}
		reason = "it rests on facts of the packet"
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
		&state.PointTriaged{Point: id, By: state.Protocol, Scope: state.InScope, Reason: reason},
		&state.ConfidenceReported{Seat: a.seat, Point: id, Stated: *m.Confidence, Admitted: *m.Confidence},
	)
}

// contradict is CONTRADICT: facts that speak against a claim of the other side.
func (a *admission) contradict(m *Contradict) error {
	text := strings.TrimSpace(m.Reading)
	p, err := a.contradictable(m.Point)
	switch {
	case err != nil:
		return err
	case len(m.Facts) == 0:
		return refuse("no-facts", "only facts of the packet contradict a claim: name their ids")
	case text == "":
		return refuse("empty", "say how the facts contradict %s", p.ID)
	case a.raised >= maxRaised || a.seat == state.Oracle && a.raised >= mostProbes:
		return refuse("too-many", "that is more than is read of one reply: the strongest come first")
	}
	facts, whole, err := a.inPacket(MoveContradict, text, m.Facts)
	if !whole {
		return err
	}
	for _, id := range p.Challenges {
		if c := a.s.Challenge(id); c.By == a.seat && c.Round == a.s.Round && slices.Equal(c.Facts, facts) {
			return refuse("repeated", "%s cites these facts against %s already", c.ID, p.ID)
		}
	}
	a.raised++
	return a.add(&state.ChallengeRaised{ID: a.nextChallenge(), Point: p.ID, By: a.seat, What: state.Skeptical, Objection: text, Facts: facts})
}

// contradictable returns a claim that facts may be cited against: one of the other
// side, of an argument that the seat knows. The oracle's are those of the side that is
// more confident, and the question.
func (a *admission) contradictable(id string) (*state.Point, error) {
	p := a.s.Point(id)
	question := p != nil && p.ID == resolver.QuestionPoint
	confident := resolver.MoreConfident(&a.s)
	switch {
	case p == nil || a.ask.Stage == state.StageExchange && p.Round >= a.s.Round && !p.IsAuthor(a.seat):
		return nil, refuse("unknown-point", "there is no claim %q", clip(id))
	case p.IsAuthor(a.seat):
		return nil, refuse("own-point", "%s is your own: SCORE it lower, or CONCEDE it", p.ID)
	case a.seat == state.Oracle && !question && !p.IsAuthor(confident):
		return nil, refuse("other-side", "%s is not of the %s, which is the side that is more confident", p.ID, confident)
	case a.seat != state.Oracle && question:
		return nil, refuse("question", "%s is the question: contradict a claim", p.ID)
	case !resolver.ContestedBy(&a.s, a.seat, p):
		return nil, refuse("closed-point", "%s was given up, or the user ruled on it", p.ID)
	}
	return p, nil
}

// answerFacts is ANSWER.
func (a *admission) answerFacts(m *Answer) error {
	c := a.s.Challenge(m.Challenge)
	text := strings.TrimSpace(m.Text)
	switch {
	case c == nil:
		return refuse("unknown-challenge", "there is no challenge %q", clip(m.Challenge))
	case !resolver.AnswerDue(&a.s, a.seat, c):
		return refuse("not-yours", "%s does not wait for your answer", c.ID)
	case text == "":
		return refuse("empty", "an answer to %s needs a text", c.ID)
	}
	if a.ask.Stage == state.StageAnswer && len(c.Facts) > 0 && len(m.Facts) == 0 {
		return refuse("no-facts", "only a fact of the packet answers %s: name its id, or CONCEDE the claim", c.ID)
	}
	facts, whole, err := a.inPacket(MoveAnswer, text, m.Facts)
	if !whole {
		return err
	}
	return a.add(&state.ChallengeAnswered{Challenge: c.ID, By: a.seat, Text: text, Facts: facts})
}

// audit is CLASSIFY in an audit: AGREE accepts a claim, SKEPTICAL says that it is true but does not
// bear on the question.
func (a *admission) audit(m *Classify) error {
	p := a.s.Point(m.Point)
	switch {
	case p == nil:
		return refuse("unknown-point", "there is no claim %q", clip(m.Point))
	case !slices.Contains(idsOf(resolver.Unaudited(&a.s, a.seat)), p.ID):
		return refuse("not-yours", "%s does not wait for your verdict", p.ID)
	}
	reason := firstText(strings.TrimSpace(m.Flaw), strings.TrimSpace(m.Reason))
	switch m.Class {
	case state.Agree:
	case state.Skeptical:
		if reason == "" {
			return refuse("empty", "say why %s is true but does not bear on the question", p.ID)
		}
	case state.Reject, state.IllFormed:
		return refuse("no-facts", "only facts of the packet refute %s: CONTRADICT it with their ids", p.ID)
	}
	return a.add(&state.PointClassified{Point: p.ID, By: a.seat, Class: m.Class, Reason: reason})
}

// review is JUDGE in an audit: accepted withdraws a contradiction, rejected maintains it.
func (a *admission) review(m *Judge) error {
	c := a.s.Challenge(m.Challenge)
	switch {
	case c == nil:
		return refuse("unknown-challenge", "there is no challenge %q", clip(m.Challenge))
	case !slices.ContainsFunc(resolver.Unreviewed(&a.s, a.seat), func(due *state.Challenge) bool { return due.ID == c.ID }):
		return refuse("not-yours", "%s does not wait for your word", c.ID)
	case m.Judgment == state.Unjudged:
		return refuse("empty", "JUDGE %s accepted (you withdraw it) or rejected (you maintain it)", c.ID)
	}
	return a.add(&state.ChallengeJudged{Challenge: c.ID, By: a.seat, Judgment: m.Judgment, Reason: strings.TrimSpace(m.Reason)})
}

// own returns a claim of the seat's own that it still makes.
func (a *admission) own(id string) (*state.Point, error) {
	p := a.s.Point(id)
	switch {
	case p == nil:
		return nil, refuse("unknown-point", "there is no claim %q", clip(id))
	case p.ID == resolver.QuestionPoint:
		return nil, refuse("question", "%s is the question: CONCLUDE says how sure you are of your side of it", p.ID)
	case !p.IsAuthor(a.seat):
		return nil, refuse("not-author", "%s is not yours: CONTRADICT it", p.ID)
	case !resolver.Contested(p):
		return nil, refuse("closed-point", "you gave %s up, or the user ruled on it", p.ID)
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
	_, err = a.change(p, m.Confidence, m.Cause)
	return err
}

// held is what counts of the seat's confidence in its claim.
func (a *admission) held(p *state.Point) float64 {
	if score := p.Score(a.seat); score != nil {
		return score.Admitted
	}
	return 0
}

// change records a confidence in a claim, and returns what counts of it.
func (a *admission) change(p *state.Point, stated float64, named string) (admitted float64, err error) {
	before := a.held(p)
	admitted, cause := resolver.Conviction(&a.s, a.seat, p, stated, a.factNamed(named))
	if err := a.add(&state.ConfidenceReported{Seat: a.seat, Point: p.ID, Stated: stated, Admitted: admitted, Cause: firstText(cause, clip(named))}); err != nil {
		return 0, err
	}
	if admitted > stated {
		return admitted, a.drift(p.ID, before, stated, admitted, "it falls only by a fact that is cited as contradicting it, and that was not answered before")
	}
	if admitted == before {
		return admitted, nil
	}
	return admitted, a.add(&state.ConfidenceChanged{Seat: a.seat, Point: p.ID, From: before, To: admitted, Fact: cause})
}

// factNamed is the fact of the packet that the cause of a change names: the whole of
// it, or the first of its words that is one; else "".
func (a *admission) factNamed(cause string) string {
	if cause = strings.TrimSpace(cause); a.s.Hearing.Holds(cause) {
		return cause
	}
	for _, word := range strings.FieldsFunc(cause, func(r rune) bool { return strings.ContainsRune(" \t\n,;:()[]\"'`", r) }) {
		if a.s.Hearing.Holds(word) {
			return word
		}
		if word = strings.TrimRight(word, "."); a.s.Hearing.Holds(word) {
			return word
		}
	}
	return ""
}

// drift records a fall of confidence that no fact causes, as far as it does not count.
func (a *admission) drift(point string, from, to, admitted float64, why string) error {
	a.refused = append(a.refused, state.Refusal{Code: "no-cause", Text: fmt.Sprintf("%s: your confidence counts as %s, not %s: %s", point, inFull(admitted), inFull(to), why)})
	return a.add(&state.DriftDetected{Seat: a.seat, Point: point, From: inFull(from), To: inFull(to), Kept: admitted >= from})
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
	admitted, err := a.change(p, 0, m.Reason)
	if err != nil || admitted > 0 {
		return err
	}
	return a.add(&state.PointConceded{Point: p.ID, By: a.seat, Reason: strings.TrimSpace(m.Reason)})
}

// conclude is CONCLUDE: the overall confidence, once in a reply.
func (a *admission) conclude(m *Conclude) error {
	if m.Confidence == nil {
		return refuse("confidence", "CONCLUDE needs a confidence from 0 to 1")
	}
	if err := hearing.CheckConfidence(*m.Confidence); err != nil {
		return refuse("confidence", "the confidence %v", err)
	}
	if last := a.s.Hearing.Argument(a.seat, a.s.Round); last != nil && last.Seq > a.began {
		return refuse("repeated", "you concluded already, with %s", inFull(last.Stated))
	}
	return a.argue(*m.Confidence, named(m.WouldChange))
}

// argue records how sure the side is, with what counts of it.
func (a *admission) argue(stated float64, wouldChange string) error {
	before := a.s.Hearing.Argument(a.seat, a.s.Round-1)
	admitted := resolver.ConvictionOverall(&a.s, a.seat, stated)
	if err := a.add(&state.Argued{Seat: a.seat, Stated: stated, Confidence: admitted, WouldChange: wouldChange}); err != nil {
		return err
	}
	if before == nil || admitted <= stated {
		return nil
	}
	return a.drift(resolver.QuestionPoint, before.Confidence, stated, admitted, "it falls by no more than the claim that fell most in this round")
}

// named is what would change a mind; that nothing would names no fact.
func named(wouldChange string) string {
	text := strings.TrimSpace(wouldChange)
	switch strings.ToLower(strings.Trim(text, " .-–—")) {
	case "", "none", "nothing", "no fact", "n/a", "nil", "unknown":
		return ""
	}
	return text
}

// nothing is FLAG nothing, an honest "nothing found". A side that has made no claim is
// then not confident at all; one that has argued before leaves its argument as it is.
func (a *admission) nothing() error {
	last := a.s.Hearing.Argument(a.seat, a.s.Round)
	switch {
	case a.ask.Stage != state.StageArgue && a.ask.Stage != state.StageExchange && a.ask.Stage != state.StageAnswer:
		return nil
	case last != nil && last.Round == a.s.Round:
		return nil
	case last != nil:
		return a.argue(last.Confidence, "")
	case len(resolver.ClaimsOf(&a.s, a.seat, a.s.Round)) > 0:
		return refuse("confidence", "you made claims: CONCLUDE with a confidence from 0 to 1")
	}
	return a.argue(0, "")
}
