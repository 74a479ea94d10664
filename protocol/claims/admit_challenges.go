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
	"moot/resolver/conflict"
	"moot/state"
)

// classify admits a CLASSIFY, or a CHALLENGE, which has the same effect (RD3, RD4).
func (a *Admitter) classify(m *move.Classify) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	said := p.LastVerdict(a.Seat)
	if said != nil && reversed(said, m.Class) && a.State.ByPerson(a.Seat) && m.Because == "" {
		// A person needs no cause to change its mind.
		m = new(*m)
		m.Because = "the person changed its mind"
	}
	if slices.Equal(p.Defenders(), []state.Seat{a.Seat}) {
		return protocol.Refuse("own-point", "a seat does not judge a point that it defends alone: %s", p.ID)
	}
	if m, err = a.complete(p, m); err != nil {
		return err
	}
	a.CallKind(p, m)
	if m.Class == state.Agree && a.Objects(p) {
		a.Notify("more-critical", "%s: what the same reply says against it holds, not its AGREE", p.ID)
		a.OfferAll(p.ID, m.Citations, move.LabelNone, ledger.Supports, "")
		a.Report(p.ID, m.Confidence, m.Because)
		return nil
	}
	if m.Class != state.Agree {
		a.Object(p)
	}
	// A reversal is measured against the seat's word before this reply (ST0).
	began := a.unitBegan(p)
	now := said
	if now != nil && now.Seq <= began {
		now = nil
	}
	switch {
	case now != nil && severity(m.Class) < severity(now.Class):
		if m.Class == state.Agree && !caused(a.Draft, p, m.Because, now.Seq) {
			a.Notify("more-critical", "%s: your %s of this round holds: nobody else spoke on it since", p.ID, now.Class)
			return nil
		}
	case now != nil && m.Class == now.Class:
		said = nil // The reply said so already, as by accepting a defense, which is no reversal.
	case now != nil:
		said = p.VerdictBefore(a.Seat, began+1)
	}
	if said != nil && reversed(said, m.Class) {
		if !a.State.ByPerson(a.Seat) && !caused(a.Draft, p, m.Because, said.Seq) {
			return a.uncaused(p, m, said)
		}
		if err := RecordRevision(a.Draft, a.Seat, fmt.Sprintf("%s on %s from %s to %s: %s", a.Seat, p.ID, said.Class, m.Class,
			ReasonText(m.Because))); err != nil {
			return err
		}
	}
	if p.Scope == state.Untriaged {
		// The orchestrator did not triage it.
		a.Record(&state.PointTriaged{
			Point: p.ID, By: state.Protocol, Scope: state.InScope, Reason: "judged, so in scope",
		})
	}
	if now == nil || m.Class == state.Agree || severity(m.Class) >= severity(now.Class) {
		a.Record(&state.PointClassified{
			Point: p.ID, By: a.Seat, Class: m.Class, Reason: plain.FirstNonBlank(m.Flaw, m.Reason),
		})
	}
	raised := a.State.NextChallenge()
	if err := a.consequence(p, m); err != nil {
		return err
	}
	if raised == a.State.NextChallenge() {
		raised = ""
	}
	relation := ledger.Supports
	if m.Class == state.Skeptical || m.Class == state.Reject {
		relation = ledger.Refutes
	}
	a.OfferAll(p.ID, m.Citations, move.LabelNone, relation, raised)
	a.premises(p, m.Needs, a.extension())
	a.Report(p.ID, m.Confidence, m.Because)
	return nil
}

// CallKind records what a judging seat calls a point (KI). Calling it empirical needs what would check it, and comes
// before a challenge of the seat on the point is judged: nobody turns a lost objection into a missing proof.
func (a *Admitter) CallKind(p *state.Point, m *move.Classify) {
	proposed := resolver.ProposedKind(p)
	switch {
	case m.Kind == "" || m.Kind == p.Called(a.Seat):
		return
	case proposed == state.Empirical:
		if m.Kind != state.Empirical {
			a.Notify("kind", "%s stays empirical: not all its authors call it a %s", p.ID, resolver.KindName(m.Kind))
		}
		return
	}
	call := &state.KindCalled{Point: p.ID, By: a.Seat, Kind: m.Kind}
	if m.Kind == state.Empirical {
		if slices.ContainsFunc(p.Challenges, func(id string) bool {
			c := a.State.Challenge(id)
			judged := func(d state.Defense) bool { return d.Judgment != state.Unjudged }
			return c.By == a.Seat && (slices.Contains(a.judging, id) || slices.ContainsFunc(c.Defenses, judged))
		}) {
			a.Notify("kind", "%s keeps its kind: your challenge on it is judged already", p.ID)
			return
		}
		if len(m.Citations) > 0 {
			call.Check = m.Citations[0].Reference
		}
		for _, said := range []string{m.UpgradeIf, m.Grounds, m.Reason, m.Flaw} {
			if call.Check == "" && resolver.NamesCheck(said) {
				call.Check = strings.TrimRight(plain.Short(said), ".")
			}
		}
		if call.Check == "" {
			a.Notify(
				"kind",
				"say what would check %s (a file, a command, a measurement): until then, that you call it "+
					"empirical does not make it so",
				p.ID,
			)
		}
	}
	a.Record(call)
}

// complete checks that a classification has the fields that its class requires.
func (a *Admitter) complete(p *state.Point, m *move.Classify) (*move.Classify, error) {
	c := *m
	flaw := strings.TrimSpace(plain.FirstNonBlank(c.Flaw, c.Reason))
	switch c.Class {
	case state.Agree:
		if old := p.Latest(a.Seat); old != nil && old.Class == state.Skeptical && !positive(c.Reason) {
			return nil, protocol.Refuse("not-positive",
				"an upgrade of %s to AGREE needs something positive; in doubt it stays SKEPTICAL", p.ID)
		}
		return &c, nil
	case state.IllFormed:
		if c.Readings() {
			return &c, a.mayCallIllFormed(p)
		}
		a.Notify(
			"no-readings",
			"%s: ILL-FORMED names the term and two readings of it; without them it is taken as SKEPTICAL",
			p.ID,
		)
		c.Class = state.Skeptical
	case state.Skeptical, state.Reject:
	}
	if flaw == "" || FoundNothing(flaw) {
		return nil, protocol.Refuse(
			"no-flaw",
			"%s of %s needs a concrete flaw; without one the class contradicts itself",
			c.Class,
			p.ID,
		)
	}
	c.Flaw = plain.FirstSentence(flaw)
	restated := slices.ContainsFunc(a.State.AskedOf(a.Seat, a.Ask.Stage).Refusals, func(r state.Refusal) bool {
		return r.Code == "restate" && strings.Contains(r.Text, p.ID+" ")
	})
	if c.Flaw != flaw && !restated {
		return nil, protocol.Refuse("restate", "%s needs its flaw in one sentence", p.ID)
	}
	if c.Class == state.Reject && (c.FlawKind == "" || strings.TrimSpace(c.Grounds) == "" ||
		strings.TrimSpace(c.WhyNotSkeptical) == "") {
		// An incomplete REJECT is admitted as SKEPTICAL (RD3).
		c.Class = state.Skeptical
	}
	if m.Class == state.Skeptical && strings.TrimSpace(c.UpgradeIf) == "" {
		return nil, protocol.Refuse("no-upgrade", "SKEPTICAL of %s must say what would remove the flaw", p.ID)
	}
	return &c, nil
}

// mayCallIllFormed refuses an ILL-FORMED of a seat that called the point so twice: it has to judge what there is
// (AC12).
func (a *Admitter) mayCallIllFormed(p *state.Point) error {
	if len(resolver.IllFormedRounds(p, a.Seat)) < 2 {
		return nil
	}
	return protocol.Refuse(
		"ill-formed-twice",
		"you called %s ill-formed twice; judge it as it is: AGREE, SKEPTICAL or REJECT",
		p.ID,
	)
}

// consequence applies a classification: it raises a challenge or requests a clarification.
func (a *Admitter) consequence(p *state.Point, m *move.Classify) error {
	switch m.Class {
	case state.Agree:
		a.takeBack(p)
		a.Agrees(p, m.Reason+" "+m.Because)
		return nil
	case state.IllFormed:
		r := resolver.Request(a.State, p, state.RequestClarification)
		if r != nil && r.Open() || len(resolver.IllFormedRounds(a.State.Point(p.ID), a.Seat)) > 1 {
			return nil
		}
		return a.Add(&state.Requested{
			Point: p.ID, Kind: state.RequestClarification, Of: p.Defenders(), By: a.Seat,
			Text: fmt.Sprintf(
				"what does %q mean: %s, or %s?",
				plain.Short(m.Term),
				plain.Short(m.Reading),
				plain.Short(m.OtherReading),
			),
		})
	case state.Skeptical, state.Reject:
		return a.challenge(p, m)
	}
	return nil
}

// defend admits a DEFEND (CH1, CH4, CH5).
func (a *Admitter) defend(m *move.Defend) error {
	text := strings.TrimSpace(m.Text)
	if text == "" {
		return protocol.Refuse("empty", "a defense needs a text")
	}
	if m.Challenge == "" {
		return a.likely(text)
	}
	if strings.HasPrefix(m.Challenge, "E") {
		return a.answerContest(m.Challenge, text)
	}
	c, p, err := a.answerable(m.Challenge)
	if err != nil {
		return err
	}
	if d := a.repeated(p, text); d != nil {
		a.Notify(
			"repeats",
			"%s: this repeats your answer of round %d (%q); bring something new",
			c.ID,
			d.Round,
			plain.Short(d.Text),
		)
	}
	a.Record(&state.ChallengeAnswered{Challenge: c.ID, By: a.Seat, Text: text})
	a.referenced = append(a.referenced, c.ID)
	a.said = append(a.said, statement{point: p.ID, challenge: c.ID, text: text})
	a.OfferAll(p.ID, m.Citations, move.LabelNone, ledger.Supports, c.ID)
	a.premises(p, m.Needs, a.extension())
	return nil
}

// answerable returns an open challenge that the seat may answer, and its point.
func (a *Admitter) answerable(id string) (*state.Challenge, *state.Point, error) {
	c := a.State.Challenge(id)
	if c == nil {
		return nil, nil, protocol.Refuse("unknown-challenge", "there is no challenge %q", id)
	}
	p := a.State.Point(c.Point)
	if p == nil || p.RevisedBy != "" {
		return nil, nil, protocol.Refuse("closed-point", "%s ended with its point", c.ID)
	}
	if !slices.Contains(p.Defenders(), a.Seat) {
		return nil, nil, protocol.Refuse("not-author", "%s is not for %s to answer", c.ID, a.Seat)
	}
	if !resolver.Answerable(c) {
		return nil, nil, protocol.Refuse("closed-challenge", "%s is %s already", c.ID, c.Status)
	}
	return c, p, nil
}

// likely matches a passage without an id to the most similar open challenge, and asks the author to
// confirm (CH4).
func (a *Admitter) likely(text string) error {
	words := conflict.WordsOf(text)
	var found *state.Challenge
	best := resolver.Addressed
	for _, c := range OpenChallenges(a.State, a.Seat, state.StandsOpen, state.StandsDropped, state.StandsReminded) {
		if like := words.Similarity(conflict.WordsOf(c.Objection)); like >= best &&
			!slices.Contains(a.referenced, c.ID) {
			found, best = c, like
		}
	}
	if found == nil {
		return protocol.Refuse("no-id", "the passage names no challenge and resembles no open one: "+
			"begin it with \"Re C1:\"")
	}
	if found.Status != state.StandsOpen {
		return protocol.Refuse("no-id", "the passage seems to answer %s: say so with \"Re %s:\"", found.ID, found.ID)
	}
	return a.Add(&state.ChallengeUnconfirmed{Challenge: found.ID, Text: text})
}

// repeated returns the answer of an earlier round in which the seat said the same about the point, or nil (JU6).
func (a *Admitter) repeated(p *state.Point, text string) *state.Defense {
	words := conflict.WordsOf(text)
	for _, id := range p.Challenges {
		c := a.State.Challenge(id)
		for i := range c.Defenses {
			d := &c.Defenses[i]
			if d.By == a.Seat && d.Round < a.State.Round &&
				words.Similarity(conflict.WordsOf(d.Text)) >= resolver.Repeats {
				return d
			}
		}
	}
	return nil
}

// concede admits a CONCEDE (CH1). Only an author can give up a point, and only the user one of the
// user's.
func (a *Admitter) concede(m *move.Concede) error {
	id := m.Point
	c := a.State.Challenge(m.Challenge)
	if m.Challenge != "" {
		if c == nil {
			return protocol.Refuse("unknown-challenge", "there is no challenge %q", m.Challenge)
		}
		id = c.Point
	}
	p, err := a.Point(id)
	if err != nil {
		return err
	}
	if a.defends(p) {
		return protocol.Refuse("more-critical", "%s is not conceded: the same reply defends it", p.ID)
	}
	if !p.IsAuthor(a.Seat) {
		return a.adviseConcession(p, c, m)
	}
	if c != nil && !c.Settled() {
		a.Record(&state.ChallengeConceded{Challenge: c.ID, By: a.Seat, Reason: m.Reason})
		if !a.State.Challenge(c.ID).Settled() {
			a.left = append(a.left, c.ID)
		}
		return nil
	}
	return a.Add(&state.PointConceded{Point: p.ID, By: a.Seat, Reason: m.Reason})
}

// adviseConcession makes a challenge granted: a defender gives way on a point of the user, with a reason. The user is
// asked whether to give it up; until then the point waits.
func (a *Admitter) adviseConcession(p *state.Point, c *state.Challenge, m *move.Concede) error {
	if c == nil || !p.IsAuthor(state.User) || !slices.Contains(p.Defenders(), a.Seat) {
		return protocol.Refuse("not-author", "only its author concedes %s", p.ID)
	}
	a.referenced, a.givesWay = append(a.referenced, c.ID), append(a.givesWay, c.ID)
	about := aboutConcede + c.ID
	switch {
	case strings.TrimSpace(m.Reason) == "":
		return protocol.Refuse("no-reason", "giving way under %s on the user's point needs the reason", c.ID)
	case !resolver.Answerable(c):
		return protocol.Refuse("closed-challenge", "%s is %s already", c.ID, c.Status)
	case p.Deadlock != state.DeadlockNone:
		return protocol.Refuse("deadlocked", "%s is deadlocked: no seat is asked about it anymore", p.ID)
	case !resolver.Debated(a.State, p):
		return protocol.Refuse("closed-point", "%s is closed, and nobody asks the user to give it up: %s", p.ID,
			ClosedReason(a.State, p))
	}
	for _, q := range a.State.Questions.All() {
		switch {
		case q.About != about:
		case q.Answered && !q.Withdrawn:
			return protocol.Refuse("user-holds", "the user holds %s: answer %s, or leave it", p.ID, c.ID)
		}
	}
	a.Record(&state.ChallengeGranted{Challenge: c.ID, By: a.Seat, Reason: strings.TrimSpace(m.Reason)})
	return a.Add(&state.QuestionSurfaced{
		ID: a.State.NextQuestion(), Point: p.ID, What: state.QuestionApproval, About: about,
		Options: []string{answerConcede, "hold it"},
		Text: fmt.Sprintf("The %s would give up your point %s under %s (%q): %s. Do you?", a.Seat, p.ID, c.ID,
			plain.Short(c.Objection), strings.TrimRight(plain.Short(m.Reason), ".")),
	})
}

// blocked admits a BLOCKED (CH7).
func (a *Admitter) blocked(m *move.Blocked) error {
	missing := []string{}
	for _, f := range [][2]string{
		{m.Measurement, "the measurement that is missing"},
		{m.Threshold, "the threshold that matters"},
		{m.Below, "the verdict below it"},
		{m.Above, "the verdict above it"},
	} {
		if strings.TrimSpace(f[0]) == "" {
			missing = append(missing, f[1])
		}
	}
	if m.Challenge == "" {
		return a.blockedPoint(m, missing)
	}
	c, p, err := a.answerable(m.Challenge)
	if err != nil {
		return err
	}
	a.referenced = append(a.referenced, c.ID)
	a.Record(&state.ChallengeAnswered{Challenge: c.ID, By: a.Seat, Text: blockedText(m), Blocked: len(missing) == 0})
	if len(missing) > 0 {
		return a.rejectDefense(a.State.Challenge(c.ID), state.Protocol,
			"BLOCKED does not say "+strings.Join(missing, ", nor "))
	}
	return a.Add(blockedOn(p.ID, a.Seat, m))
}

func (a *Admitter) blockedPoint(m *move.Blocked, missing []string) error {
	if m.Point == "" || len(missing) > 0 {
		return protocol.Refuse("blocked", "BLOCKED names a challenge, or a point with measurement, threshold and the "+
			"verdict on each side")
	}
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	if !slices.Contains(slices.Concat(p.Defenders(), resolver.Evaluators(a.State, p)), a.Seat) {
		return protocol.Refuse("not-author", "%s is not for %s to call blocked", p.ID, a.Seat)
	}
	// An author that calls the point blocked answers its open challenges.
	for _, c := range OpenChallenges(a.State, a.Seat, state.StandsOpen, state.StandsDropped, state.StandsReminded) {
		if c.Point != p.ID {
			continue
		}
		a.referenced = append(a.referenced, c.ID)
		a.Record(&state.ChallengeAnswered{Challenge: c.ID, By: a.Seat, Text: blockedText(m), Blocked: true})
	}
	return a.Add(blockedOn(p.ID, a.Seat, m))
}

// blockedText is the text of a BLOCKED as an answer to a challenge, without the parts that it lacks.
func blockedText(m *move.Blocked) string {
	text := "BLOCKED: " + m.Measurement
	for _, part := range []struct{ name, text string }{
		{"threshold ", m.Threshold}, {"below: ", m.Below}, {"above: ", m.Above},
	} {
		if part.text != "" {
			text += "; " + part.name + part.text
		}
	}
	return text
}

func blockedOn(point string, by state.Seat, m *move.Blocked) *state.PointBlocked {
	return &state.PointBlocked{Point: point, Blocked: state.Blocked{
		By: by, Measurement: m.Measurement, Threshold: m.Threshold, Below: m.Below, Above: m.Above,
	}}
}
