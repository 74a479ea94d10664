package hearing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/hearing/judge"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// wholePacket is the citation of a claim that nothing was found in the packet.
const wholePacket = "*"

// mostProbes is the number of challenges the oracle may raise.
const mostProbes = 3

// Admit implements Format. A move that cites a fact outside of the packet is dropped and
// recorded. Moves are read in three passes, because CONCLUDE depends on all other moves
// and FLAG nothing on their absence.
func (Format) Admit(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	a := claims.NewAdmitter(s, ask)
	last := []move.Kind{MoveConclude, move.KindFlag}
	for pass := range len(last) + 1 {
		for i, m := range moves {
			if slices.Index(last, move.KindOf(m))+1 != pass {
				continue
			}
			told := len(a.Refused)
			a.Try(i+1, func() error { return admit(a, m) })
			for j := range a.Refused[told:] {
				// A move that lost its effect counts as refused, too.
				a.Refused[told+j].Move = i + 1
			}
		}
	}
	return a.Admission()
}

func admit(a *claims.Admitter, m move.Move) error {
	if !slices.Contains(a.Ask.Moves, move.KindOf(m)) {
		return protocol.Refuse("not-allowed", "%s is not allowed in this turn", move.KindOf(m))
	}
	switch m := m.(type) {
	case *Claim:
		return claim(a, m)
	case *Contradict:
		return contradict(a, m)
	case *Rebut:
		return answerFacts(a, m)
	case *move.Classify:
		return audit(a, m)
	case *move.Judge:
		return review(a, m)
	case *move.Score:
		return rescore(a, m)
	case *move.Concede:
		return giveUp(a, m)
	case *Conclude:
		return conclude(a, m)
	case *move.Flag:
		if m.Flag != move.FlagNothing {
			return protocol.Refuse("not-allowed",
				"a hearing takes no flag but nothing: its facts are those of the packet")
		}
		return nothing(a)
	}
	return protocol.Refuse("unknown-move", "%s is not known here", move.KindOf(m))
}

// inPacket returns the distinct cited facts. If the packet lacks one of them, it records
// the violation and the move must be dropped.
func inPacket(a *claims.Admitter, m move.Kind, text string, cited []string) (facts []string, whole bool) {
	for _, id := range cited {
		if !holds(a.State, id) {
			id = strings.TrimSpace(id)
		}
		facts = append(facts, id)
	}
	facts = lists.Distinct(facts)
	unknown := unknownFacts(a.State, facts)
	if len(unknown) == 0 {
		return facts, true
	}
	a.Notify("outside-packet", "%s was dropped whole: the packet holds no fact %s", m, quoted(unknown...))
	a.Record(&SchemaViolated{Seat: a.Seat, Move: string(m), Text: plain.Short(text), Facts: unknown})
	return nil, false
}

// quoted lists ids in a sentence.
func quoted(ids ...string) string { return plain.Short(strings.Trim(fmt.Sprintf("%q", ids), "[]")) }

// checkConfidence refuses a missing confidence, and one outside of 0 to 1.
func checkConfidence(of string, confidence *float64) error {
	if confidence == nil {
		return protocol.Refuse("confidence", "%s needs a confidence from 0 to 1", of)
	}
	if err := judge.CheckConfidence(*confidence); err != nil {
		return protocol.Refuse("confidence", "the confidence %v", err)
	}
	return nil
}

// claim handles CLAIM.
func claim(a *claims.Admitter, m *Claim) error {
	text := strings.TrimSpace(m.Reading)
	switch {
	case text == "":
		return protocol.Refuse("empty", "a claim needs a reading")
	case len(m.Facts) == 0:
		return protocol.Refuse("no-facts",
			"a claim rests on facts of the packet: name their ids, or * if it says that nothing was found")
	case a.Raised >= claims.MaxRaised:
		return protocol.OverLimit(text, "a reply makes at most %d claims", claims.MaxRaised)
	}
	if err := checkConfidence("a claim", m.Confidence); err != nil {
		return err
	}
	var facts []string
	reason := "it says that nothing was found in the packet"
	if len(m.Facts) > 1 || m.Facts[0] != wholePacket || holds(a.State, wholePacket) {
		var whole bool
		if facts, whole = inPacket(a, MoveClaim, text, m.Facts); !whole {
			return nil
		}
		reason = "it rests on facts of the packet"
	}
	for _, p := range a.State.Points.All() {
		if p.IsAuthor(a.Seat) && resolver.Normalized(p.Text) == resolver.Normalized(text) {
			return protocol.Refuse("repeated", "%s says the same already", p.ID)
		}
	}
	a.Raised++
	id := a.State.NextPoint()
	return a.Add(
		&state.PointRaised{ID: id, By: a.Seat, Text: text, Facts: facts},
		&state.PointTriaged{Point: id, By: state.Protocol, Scope: state.InScope, Reason: reason},
		&state.ConfidenceReported{Seat: a.Seat, Point: id, Stated: *m.Confidence, Admitted: *m.Confidence},
	)
}

// contradict handles CONTRADICT: facts against a claim of the other side.
func contradict(a *claims.Admitter, m *Contradict) error {
	text := strings.TrimSpace(m.Reading)
	p, err := contradictable(a, m.Point)
	switch {
	case err != nil:
		return err
	case len(m.Facts) == 0:
		return protocol.Refuse("no-facts", "only facts of the packet contradict a claim: name their ids")
	case text == "":
		return protocol.Refuse("empty", "say how the facts contradict %s", p.ID)
	case a.Seat == Oracle && a.Raised >= mostProbes:
		return protocol.OverLimit(text, "the oracle contradicts at most %d times", mostProbes)
	case a.Raised >= claims.MaxRaised:
		return protocol.OverLimit(text, "a reply contradicts at most %d times", claims.MaxRaised)
	}
	facts, whole := inPacket(a, MoveContradict, text, m.Facts)
	if !whole {
		return nil
	}
	for _, id := range p.Challenges {
		if c := a.State.Challenge(id); c.By == a.Seat && c.Round == a.State.Round && slices.Equal(c.Facts, facts) {
			return protocol.Refuse("repeated", "%s cites these facts against %s already", c.ID, p.ID)
		}
	}
	a.Raised++
	return a.Add(&state.ChallengeRaised{
		ID: a.State.NextChallenge(), Point: p.ID, By: a.Seat, Kind: state.Skeptical,
		Objection: text, Facts: facts,
	})
}

// contradictable returns a claim that facts may be cited against: one of the other side
// that the seat has been shown. The oracle may contradict the more confident side, or the
// question.
func contradictable(a *claims.Admitter, id string) (*state.Point, error) {
	p := a.State.Point(id)
	question := p != nil && p.ID == QuestionPoint
	confident := MoreConfident(a.State)
	switch {
	case p == nil || a.Ask.Stage == StageExchange && p.Round >= a.State.Round && !p.IsAuthor(a.Seat):
		return nil, protocol.Refuse("unknown-point", "there is no claim %q", plain.Short(id))
	case p.IsAuthor(a.Seat):
		return nil, protocol.Refuse("own-point", "%s is your own: SCORE it lower, or CONCEDE it", p.ID)
	case a.Seat == Oracle && !question && !p.IsAuthor(confident):
		return nil, protocol.Refuse("other-side", "%s is not of the %s, which is the side that is more confident",
			p.ID, confident)
	case a.Seat != Oracle && question:
		return nil, protocol.Refuse("question", "%s is the question: contradict a claim", p.ID)
	case !contestedBy(a.State, a.Seat, p):
		return nil, protocol.Refuse("closed-point", "%s was given up, or the user ruled on it", p.ID)
	}
	return p, nil
}

// answerFacts handles REBUT.
func answerFacts(a *claims.Admitter, m *Rebut) error {
	c := a.State.Challenge(m.Challenge)
	text := strings.TrimSpace(m.Text)
	switch {
	case c == nil:
		return protocol.Refuse("unknown-challenge", "there is no challenge %q", plain.Short(m.Challenge))
	case !answerDue(a.State, a.Seat, c):
		return protocol.Refuse("not-yours", "%s does not wait for your answer", c.ID)
	case text == "":
		return protocol.Refuse("empty", "an answer to %s needs a text", c.ID)
	}
	if a.Ask.Stage == state.StageAnswer && len(c.Facts) > 0 && len(m.Facts) == 0 {
		return protocol.Refuse("no-facts", "only a fact of the packet answers %s: name its id, or CONCEDE the claim",
			c.ID)
	}
	facts, whole := inPacket(a, MoveRebut, text, m.Facts)
	if !whole {
		return nil
	}
	return a.Add(&state.ChallengeAnswered{Challenge: c.ID, By: a.Seat, Text: text, Facts: facts})
}

// audit handles CLASSIFY: AGREE accepts a claim, SKEPTICAL says that it is true but
// irrelevant to the question.
func audit(a *claims.Admitter, m *move.Classify) error {
	p := a.State.Point(m.Point)
	switch {
	case p == nil:
		return protocol.Refuse("unknown-point", "there is no claim %q", plain.Short(m.Point))
	case !slices.Contains(claims.IDsOf(Unaudited(a.State, a.Seat)), p.ID):
		return protocol.Refuse("not-yours", "%s does not wait for your verdict", p.ID)
	}
	reason := cmp.Or(strings.TrimSpace(m.Flaw), strings.TrimSpace(m.Reason))
	switch m.Class {
	case state.Agree:
	case state.Skeptical:
		if reason == "" {
			return protocol.Refuse("empty", "say why %s is true but does not bear on the question", p.ID)
		}
	case state.Reject, state.IllFormed:
		return protocol.Refuse("no-facts", "only facts of the packet refute %s: CONTRADICT it with their ids", p.ID)
	}
	return a.Add(&state.PointClassified{Point: p.ID, By: a.Seat, Class: m.Class, Reason: reason})
}

// review handles JUDGE: accepted withdraws a contradiction, rejected maintains it.
func review(a *claims.Admitter, m *move.Judge) error {
	c := a.State.Challenge(m.Challenge)
	switch {
	case c == nil:
		return protocol.Refuse("unknown-challenge", "there is no challenge %q", plain.Short(m.Challenge))
	case !slices.ContainsFunc(Unreviewed(a.State, a.Seat), func(due *state.Challenge) bool { return due.ID == c.ID }):
		return protocol.Refuse("not-yours", "%s does not wait for your word", c.ID)
	case m.Judgment == state.Unjudged:
		return protocol.Refuse("empty", "JUDGE %s accepted (you withdraw it) or rejected (you maintain it)", c.ID)
	}
	return a.Add(&state.ChallengeJudged{
		Challenge: c.ID, By: a.Seat, Judgment: m.Judgment, Reason: strings.TrimSpace(m.Reason),
	})
}

// ownClaim returns a claim of the seat that it hasn't given up.
func ownClaim(a *claims.Admitter, id string) (*state.Point, error) {
	p := a.State.Point(id)
	switch {
	case p == nil:
		return nil, protocol.Refuse("unknown-point", "there is no claim %q", plain.Short(id))
	case p.ID == QuestionPoint:
		return nil,
			protocol.Refuse("question", "%s is the question: CONCLUDE says how sure you are of your side of it", p.ID)
	case !p.IsAuthor(a.Seat):
		return nil, protocol.Refuse("not-author", "%s is not yours: CONTRADICT it", p.ID)
	case !contested(p):
		return nil, protocol.Refuse("closed-point", "you gave %s up, or the user ruled on it", p.ID)
	}
	return p, nil
}

// rescore handles SCORE. In an anchored hearing, confidence can fall only because of a
// fact.
func rescore(a *claims.Admitter, m *move.Score) error {
	p, err := ownClaim(a, m.Point)
	if err != nil {
		return err
	}
	if err := checkConfidence("SCORE", &m.Confidence); err != nil {
		return err
	}
	change(a, p, m.Confidence, m.Cause)
	return nil
}

// change records a confidence in a claim and returns the admitted one.
func change(a *claims.Admitter, p *state.Point, stated float64, named string) float64 {
	before := confidenceIn(a.State, p, a.Seat, a.State.Round)
	admitted, cause := admitConfidence(a.State, a.Seat, p, stated, factNamed(a, named))
	a.Record(&state.ConfidenceReported{
		Seat: a.Seat, Point: p.ID, Stated: stated, Admitted: admitted, Cause: cmp.Or(cause, plain.Short(named)),
	})
	if admitted > stated {
		drift(
			a,
			p.ID,
			before,
			stated,
			admitted,
			"it falls only by a fact that is cited as contradicting it, that was not answered before, and that is tied to "+
				"the facts of the claim (entity, account, host, time window or ticket)",
		)
	}
	return admitted
}

// factNamed returns the first fact of the packet that a cause names, or "".
func factNamed(a *claims.Admitter, cause string) string {
	words := strings.FieldsFunc(cause, func(r rune) bool { return strings.ContainsRune(" \t\n,;:()[]\"'`", r) })
	for _, word := range append([]string{strings.TrimSpace(cause)}, words...) {
		for _, id := range []string{word, strings.TrimRight(word, ".")} {
			if holds(a.State, id) {
				return id
			}
		}
	}
	return ""
}

// drift records the part of a fall in confidence that no fact explains.
func drift(a *claims.Admitter, point string, from, to, admitted float64, why string) {
	a.Notify(
		"no-cause",
		"%s: your confidence counts as %s, not %s: %s",
		point,
		judge.Figure(admitted),
		judge.Figure(to),
		why,
	)
	a.Record(&state.DriftDetected{
		Seat: a.Seat, Point: point, From: judge.Figure(from), To: judge.Figure(to), Kept: admitted >= from,
	})
}

// giveUp handles CONCEDE of a claim. In an anchored hearing it needs a cause like any
// other fall.
func giveUp(a *claims.Admitter, m *move.Concede) error {
	id := m.Point
	if c := a.State.Challenge(m.Challenge); c != nil {
		id = c.Point
	}
	p, err := ownClaim(a, id)
	if err != nil {
		return err
	}
	if change(a, p, 0, m.Reason) > 0 {
		return nil
	}
	return a.Add(&state.PointConceded{Point: p.ID, By: a.Seat, Reason: strings.TrimSpace(m.Reason)})
}

// conclude handles CONCLUDE: the overall confidence, once per reply.
func conclude(a *claims.Admitter, m *Conclude) error {
	if err := checkConfidence("CONCLUDE", m.Confidence); err != nil {
		return err
	}
	if last := Of(a.State).Argument(a.Seat, a.State.Round); last != nil && last.Seq > a.Began {
		return protocol.Refuse("repeated", "you concluded already, with %s", judge.Figure(last.Stated))
	}
	return argue(a, *m.Confidence, wouldChange(m.WouldChange))
}

// argue records the stated and admitted confidence of a side.
func argue(a *claims.Admitter, stated float64, wouldChange string) error {
	admitted := admitOverall(a.State, a.Seat, stated)
	a.Record(&Argued{Seat: a.Seat, Stated: stated, Confidence: admitted, WouldChange: wouldChange})
	if admitted > stated {
		drift(a, QuestionPoint, overall(a.State, a.Seat, a.State.Round-1), stated, admitted,
			"it falls by no more than the claim that fell most in this round")
	}
	return nil
}

// wouldChange cleans up what would change a seat's mind; "nothing" and the like become "".
func wouldChange(wouldChange string) string {
	text := strings.TrimSpace(wouldChange)
	switch strings.ToLower(strings.Trim(text, " .-–—")) {
	case "", "none", "nothing", "no fact", "n/a", "nil", "unknown":
		return ""
	}
	return text
}

// nothing handles FLAG nothing, an honest "nothing found". A side without claims then has
// confidence 0; a side that has argued keeps its argument.
func nothing(a *claims.Admitter) error {
	last := Of(a.State).Argument(a.Seat, a.State.Round)
	switch {
	case a.Ask.Stage != StageArgue && a.Ask.Stage != StageExchange && a.Ask.Stage != state.StageAnswer:
		return nil
	case last != nil && last.Round == a.State.Round:
		return nil
	case last != nil:
		return argue(a, last.Confidence, "")
	case len(ClaimsOf(a.State, a.Seat, a.State.Round)) > 0:
		return protocol.Refuse("confidence", "you made claims: CONCLUDE with a confidence from 0 to 1")
	}
	return argue(a, 0, "")
}
