package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// classify is CLASSIFY, and CHALLENGE, which is the same outside a
// classification (RD3, RD4).
func (a *admission) classify(m *Classify) error {
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	if slices.Equal(defenders(p), []state.Seat{a.seat}) {
		return refuse("own-point", "a seat does not judge a point that it defends alone: %s (RD3)", p.ID)
	}
	if m, err = a.complete(p, m); err != nil {
		return err
	}
	if reversed(p.Latest(a.seat), m.Class, p.Reopened) && !a.caused(p, m.Because, p.Latest(a.seat).Seq) {
		return a.keepPosition(p, string(p.Latest(a.seat).Class), string(m.Class))
	}
	if err := a.placed(p); err != nil {
		return err
	}
	reversing := reversed(p.Latest(a.seat), m.Class, p.Reopened)
	if reversing {
		if err := a.reverse(p, m); err != nil {
			return err
		}
	}
	if err := a.add(&state.PointClassified{
		Point: p.ID, By: a.seat, Class: m.Class, Reason: first(m.Flaw, m.Reason), Value: m.ValueJudgment,
	}); err != nil {
		return err
	}
	if err := a.consequence(p, m); err != nil {
		return err
	}
	relation := ledger.Supports
	if m.Class == state.Skeptical || m.Class == state.Reject {
		relation = ledger.Refutes
	}
	if err := a.bring(p.ID, m.Citations, LabelNone, relation); err != nil {
		return err
	}
	a.report(p.ID, m.Confidence, m.Because)
	return nil
}

// placed takes a judged point as in scope where the orchestrator did not say.
func (a *admission) placed(p *state.Point) error {
	if p.Scope != state.Untriaged {
		return nil
	}
	return a.add(&state.PointTriaged{
		Point: p.ID, By: state.Protocol, Scope: state.InScope,
		Reason: "judged, so in scope",
	})
}

// complete checks that a classification says all that its class demands.
func (a *admission) complete(p *state.Point, m *Classify) (*Classify, error) {
	c := *m
	flaw := strings.TrimSpace(first(c.Flaw, c.Reason))
	switch c.Class {
	case state.Agree:
		if old := p.Latest(a.seat); old != nil && old.Class == state.Skeptical && !positive(c.Reason) {
			return nil, refuse("not-positive",
				"an upgrade of %s to AGREE needs something positive; in doubt it stays SKEPTICAL (JU2)", p.ID)
		}
		return &c, nil
	case state.IllFormed:
		return &c, nil
	case state.Skeptical, state.Reject:
	}
	if flaw == "" || claimsNoFlaw(flaw) {
		return nil, refuse("no-flaw", "%s of %s needs a concrete flaw; without one the class contradicts itself (RD3)", c.Class, p.ID)
	}
	if sentences(flaw) > 1 {
		if a.restated(p) {
			flaw = firstSentence(flaw)
		} else {
			return nil, refuse("restate", "%s needs its flaw in one sentence (JU1)", p.ID)
		}
	}
	c.Flaw = flaw
	if c.Class == state.Reject && (c.FlawKind == "" || strings.TrimSpace(c.Grounds) == "" ||
		strings.TrimSpace(c.WhyNotSkeptical) == "") {
		// Without all that REJECT demands it is taken as SKEPTICAL (RD3).
		c.Class = state.Skeptical
		c.UpgradeIf = first(c.UpgradeIf, "the flaw is shown not to hold")
	}
	if c.Class == state.Skeptical && strings.TrimSpace(c.UpgradeIf) == "" {
		return nil, refuse("no-upgrade", "SKEPTICAL of %s must say what would remove the flaw (RD3)", p.ID)
	}
	return &c, nil
}

// restated reports whether the seat was asked to restate a flaw already.
func (a *admission) restated(p *state.Point) bool {
	for _, r := range a.s.AskedOf(a.seat, a.ask.Stage).Refusals {
		if r.Code == "restate" && strings.Contains(r.Text, p.ID+" ") {
			return true
		}
	}
	return false
}

// consequence is what a classification sets off: a challenge, or the request
// for a clarification.
func (a *admission) consequence(p *state.Point, m *Classify) error {
	switch m.Class {
	case state.Agree:
		return nil
	case state.IllFormed:
		if r := request(&a.s, p, state.RequestClarification); r != nil && r.Open() {
			return nil
		}
		return a.add(&state.Requested{
			Point: p.ID, What: state.RequestClarification, Of: defenders(p), By: a.seat,
			Text: first(m.Reason, m.Flaw, "what does the point mean?"),
		})
	case state.Skeptical, state.Reject:
		return a.challenge(p, m)
	}
	return nil
}

// defend is DEFEND (CH1, CH4, CH5).
func (a *admission) defend(m *Defend) error {
	text := strings.TrimSpace(m.Text)
	if text == "" {
		return refuse("empty", "a defense needs a text")
	}
	if m.Challenge == "" {
		return a.likely(text)
	}
	c, p, err := a.answerable(m.Challenge)
	if err != nil {
		return err
	}
	repeats := a.repeats(p, text)
	if err := a.add(&state.ChallengeAnswered{Challenge: c.ID, By: a.seat, Text: text}); err != nil {
		return err
	}
	a.referenced = append(a.referenced, c.ID)
	if err := a.bring(p.ID, m.Citations, LabelNone, ledger.Supports); err != nil {
		return err
	}
	if repeats {
		return a.askTerms(p)
	}
	return nil
}

// answerable returns an open challenge that the seat may answer, and its point.
func (a *admission) answerable(id string) (*state.Challenge, *state.Point, error) {
	c := a.s.Challenge(id)
	if c == nil {
		return nil, nil, refuse("unknown-challenge", "there is no challenge %q", id)
	}
	p := a.s.Point(c.Point)
	if p == nil || p.RevisedBy != "" {
		return nil, nil, refuse("closed-point", "%s ended with its point", c.ID)
	}
	if !slices.Contains(defenders(p), a.seat) {
		return nil, nil, refuse("not-author", "%s is not for %s to answer", c.ID, a.seat)
	}
	switch c.Status {
	case state.StandsOpen, state.StandsDropped, state.StandsReminded:
		return c, p, nil
	case state.StandsDefended, state.StandsUndefended, state.StandsConceded:
	}
	return nil, nil, refuse("closed-challenge", "%s is %s already", c.ID, c.Status)
}

// likely takes a passage without an id for the open challenge that it is most
// like, and asks the author to confirm (CH4).
func (a *admission) likely(text string) error {
	words := conflict.WordsOf(text)
	var found *state.Challenge
	best := resolver.Addressed
	for _, c := range openChallenges(&a.s, a.seat, state.StandsOpen, state.StandsDropped, state.StandsReminded) {
		if like := words.Similarity(conflict.WordsOf(c.Objection)); like >= best &&
			!slices.Contains(a.referenced, c.ID) {
			found, best = c, like
		}
	}
	if found == nil {
		return refuse("no-id", "the passage names no challenge, and is like none that is open: begin it with \"Re C1:\"")
	}
	if found.Status != state.StandsOpen {
		return refuse("no-id", "the passage seems to answer %s: say so with \"Re %s:\" (CH4)", found.ID, found.ID)
	}
	return a.add(&state.ChallengeUnconfirmed{Challenge: found.ID, Text: text})
}

// repeats reports whether a text is what the seat said on the point before
// (JU6).
func (a *admission) repeats(p *state.Point, text string) bool {
	words := conflict.WordsOf(text)
	for _, id := range p.Challenges {
		c := a.s.Challenge(id)
		for _, d := range c.Defenses {
			if d.By == a.seat && words.Similarity(conflict.WordsOf(d.Text)) >= resolver.Repeats {
				return true
			}
		}
	}
	return false
}

// askTerms asks both sides of a loop to define their terms, once (JU6).
func (a *admission) askTerms(p *state.Point) error {
	if request(&a.s, p, state.RequestTerms) != nil {
		return nil
	}
	of := slices.Concat(defenders(p), evaluators(&a.s, p))
	return a.add(&state.Requested{
		Point: p.ID, What: state.RequestTerms, Of: of, By: state.Protocol,
		Text: "the arguments on " + p.ID + " repeat without new matter: define the terms that they turn on",
	})
}

// concede is CONCEDE (CH1). Only an author gives up a point, and only the user
// gives up the user's.
func (a *admission) concede(m *Concede) error {
	id := m.Point
	c := a.s.Challenge(m.Challenge)
	if m.Challenge != "" {
		if c == nil {
			return refuse("unknown-challenge", "there is no challenge %q", m.Challenge)
		}
		id = c.Point
	}
	p, err := a.point(id)
	if err != nil {
		return err
	}
	if !p.IsAuthor(a.seat) {
		return a.adviseConcession(p, c, m)
	}
	if c != nil && !c.Settled() {
		if err := a.add(&state.ChallengeConceded{Challenge: c.ID, By: a.seat, Reason: m.Reason}); err != nil {
			return err
		}
		if !a.s.Challenge(c.ID).Settled() {
			a.left = append(a.left, c.ID)
		}
		return nil
	}
	return a.add(&state.PointConceded{Point: p.ID, By: a.seat, Reason: m.Reason})
}

// adviseConcession asks the user, where the orchestrator would give up a point
// of the user's: only the user does. Meanwhile the challenge stays open.
func (a *admission) adviseConcession(p *state.Point, c *state.Challenge, m *Concede) error {
	if c == nil || !p.IsAuthor(state.User) || !slices.Contains(defenders(p), a.seat) {
		return refuse("not-author", "only its author concedes %s", p.ID)
	}
	a.referenced = append(a.referenced, c.ID)
	about := aboutConcede + c.ID
	for _, q := range a.s.Questions.All() {
		switch {
		case q.About != about:
		case q.Answered:
			return refuse("user-holds", "the user holds %s: answer %s, or leave it", p.ID, c.ID)
		default:
			return nil
		}
	}
	return a.add(&state.QuestionSurfaced{
		ID: a.nextQuestion(), Point: p.ID, What: state.QuestionApproval, About: about,
		Options: []string{answerConcede, "hold it"},
		Text: fmt.Sprintf("The orchestrator would give up your point %s under %s (%q): %s. Do you?", p.ID, c.ID,
			clip(c.Objection), orNone(clip(m.Reason))),
	})
}

// blocked is BLOCKED (CH7).
func (a *admission) blocked(m *Blocked) error {
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
	text := blockedText(m)
	if err := a.add(&state.ChallengeAnswered{Challenge: c.ID, By: a.seat, Text: text}); err != nil {
		return err
	}
	if len(missing) > 0 {
		return a.rejectDefense(a.s.Challenge(c.ID), state.Protocol,
			"BLOCKED does not say "+strings.Join(missing, ", nor ")+" (CH7)")
	}
	return a.add(blockedOn(p.ID, a.seat, m))
}

func (a *admission) blockedPoint(m *Blocked, missing []string) error {
	if m.Point == "" || len(missing) > 0 {
		return refuse("blocked", "BLOCKED names a challenge, or a point with measurement, threshold and the verdict on each side (CH7)")
	}
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	if !slices.Contains(slices.Concat(defenders(p), evaluators(&a.s, p)), a.seat) {
		return refuse("not-author", "%s is not for %s to call blocked", p.ID, a.seat)
	}
	// An author that calls the point blocked answers what is open on it.
	for _, c := range openChallenges(&a.s, a.seat, state.StandsOpen, state.StandsDropped, state.StandsReminded) {
		if c.Point != p.ID {
			continue
		}
		a.referenced = append(a.referenced, c.ID)
		if err := a.add(&state.ChallengeAnswered{Challenge: c.ID, By: a.seat, Text: blockedText(m)}); err != nil {
			return err
		}
	}
	return a.add(blockedOn(p.ID, a.seat, m))
}

// blockedText is how a BLOCKED answers a challenge.
func blockedText(m *Blocked) string {
	return fmt.Sprintf("BLOCKED: %s; threshold %s; below: %s; above: %s", m.Measurement, m.Threshold, m.Below, m.Above)
}

func blockedOn(point string, by state.Seat, m *Blocked) *state.PointBlocked {
	return &state.PointBlocked{Point: point, Blocked: state.Blocked{
		By: by, Measurement: m.Measurement, Threshold: m.Threshold, Below: m.Below, Above: m.Above,
	}}
}
