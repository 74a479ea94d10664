package protocol

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// AdmitUser turns a decision of the user into events. The user outranks everyone: a move is refused
// only if it is incomplete or names something that does not exist, or if it came through a channel that doesn't count
// as the user.
func AdmitUser(s *state.State, move UserMove) ([]state.Payload, error) {
	u := &UserAdmitter{Draft: &Draft{State: s}}
	move, channel := ChannelOf(move)
	if err := permitted(s, channel, move); err != nil {
		return nil, err
	}
	if s.Closed {
		if err := afterTheEnd(s, move); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(u.Move(move), u.failed); err != nil {
		return nil, err
	}
	return u.Events, nil
}

// afterTheEnd refuses the moves that a closed session cannot take in, because a seat or the format would have to act on
// them. The user may still answer questions, rule on points, record facts and rewrite the answer (AN3).
func afterTheEnd(s *state.State, move UserMove) error {
	switch m := move.(type) {
	case RewriteAnswer:
		return nil
	case RuleOn, RecordFact, AnswerQuestion:
		if !DecidableAfterEnd(s) {
			return Refuse("closed", "the session is closed with its decision, which cannot change; fork it to continue "+
				"from an earlier event")
		}
		if r, rules := m.(RuleOn); rules && r.What == state.OverrideReopen {
			return Refuse("no-rounds", "no seat is left to look at %s again: the session is closed; rule on it "+
				"instead, or fork the session", r.Point)
		}
		a, answers := m.(AnswerQuestion)
		if q := s.QuestionByID(a.Question); answers && q != nil && !answerableAfterEnd(q) {
			return Refuse("closed", "the session is closed, and nothing would follow from an answer to %s; fork the "+
				"session to continue from an earlier event", q.ID)
		}
		return nil
	}
	return Refuse("closed", "the session is closed: you can answer its questions, rule on points, record facts and "+
		"rewrite the answer; fork it to continue from an earlier event")
}

// DecidableAfterEnd reports whether the user can still decide points of a session that is closed. In a format that ends
// with a decision, that decision is final.
func DecidableAfterEnd(s *state.State) bool { return Of(s).AnswerSeat(s) != "" }

// answerableAfterEnd reports whether an answer to a question can still change the rulings of a closed session. An
// approval or a choice of points cannot: no command runs and no seat is asked.
func answerableAfterEnd(q *state.Question) bool {
	switch q.Kind {
	case state.QuestionPriority:
		return false
	case state.QuestionApproval:
		return strings.HasPrefix(q.About, aboutConcede)
	case state.QuestionBlocked, state.QuestionTradeoff, state.QuestionDefinition, state.QuestionAnchorShift,
		state.QuestionEscalation, state.QuestionConstraint:
	}
	return true
}

// OpenToUser returns the open questions that the user can answer now.
func OpenToUser(s *state.State) []*state.Question {
	var open []*state.Question
	for _, q := range s.Questions.All() {
		if !q.Answered && (!s.Closed || DecidableAfterEnd(s) && answerableAfterEnd(q)) {
			open = append(open, q)
		}
	}
	return open
}

// ChannelOf returns a move of the user and the channel that it came through.
func ChannelOf(move UserMove) (UserMove, state.Channel) {
	if through, is := move.(Through); is {
		return through.Move, through.Channel
	}
	return move, state.ChannelTerminal
}

// permitted refuses what may not be decided through a channel. One that doesn't count as the user only takes answers to
// questions. Approvals are not among them, whatever they are asked as: a form of an agent's program could be filled in
// by the agent.
func permitted(s *state.State, channel state.Channel, move UserMove) error {
	if channel.IsUser() {
		return nil
	}
	const where = "the user decides in moot attach, or with moot answer"
	m, answers := move.(AnswerQuestion)
	if !answers {
		return Refuse("channel", "%s, only questions can be answered; "+where, channel.Words())
	}
	if q := s.QuestionByID(m.Question); q != nil && q.Kind == state.QuestionApproval {
		return Refuse("channel", "%s, nothing is approved; "+where, channel.Words())
	}
	return nil
}

// UserAdmitter turns moves of the user into events.
type UserAdmitter struct{ *Draft }

// Move admits one move of the user.
func (u *UserAdmitter) Move(move UserMove) error {
	if handled, err := Of(u.State).UserMove(u, move); handled {
		return err
	}
	switch m := move.(type) {
	case RuleOn:
		return u.ruleOn(m)
	case RecordFact:
		return u.recordFact(m)
	case ChallengePoint:
		return u.challenge(m)
	case AnswerChallenge:
		return u.answer(m)
	case SupplyEvidence:
		return u.Supply(m)
	case AnswerQuestion:
		return u.answerQuestion(m)
	case SetKind:
		p, err := u.Point(m.Point)
		switch {
		case err != nil:
			return err
		case m.Kind != "" && !slices.Contains(state.Kinds(), m.Kind):
			return Refuse("kind", "a point is empirical, a value judgment, a decision or a position, not %q",
				m.Kind)
		}
		return u.Add(&state.OverrideMade{What: state.OverrideKindSet, Point: p.ID, Set: m.Kind})
	case ConcedePoint:
		p, err := u.Point(m.Point)
		if err != nil {
			return err
		}
		if !p.IsAuthor(state.User) {
			return Refuse("not-author", "%s is not yours to concede; dismiss it instead", p.ID)
		}
		return u.Add(&state.PointConceded{Point: p.ID, By: state.User, Reason: m.Reason})
	case WeighEvidence:
		return u.weigh(m)
	case SetPriority:
		return u.prioritize(m.Points)
	case SetBudget:
		if m.MaxTokens < 0 || m.MaxCost < 0 || m.MaxSeconds < 0 {
			return Refuse("budget", "a cap is 0 (none) or more")
		}
		return u.Add(&state.OverrideMade{
			What: state.OverrideBudget, MaxTokens: m.MaxTokens, MaxCost: m.MaxCost,
			MaxSeconds: m.MaxSeconds,
		})
	case RewriteAnswer:
		return u.rewriteAnswer(m)
	case AskArbitration:
		if _, seated := u.State.Assignment(state.Arbiter); !seated {
			return Refuse("no-arbiter", "no arbiter is seated; seat one with --arbiter PARTICIPANT")
		}
		return u.Add(&state.OverrideMade{What: state.OverrideArbitrate})
	case EndSession:
		if u.State.Over() {
			return nil
		}
		return u.Add(&state.ExitReached{
			Exit:   state.ExitUser,
			Reason: FirstNonBlank(m.Reason, "the user closed the session"),
		})
	}
	return Refuse("unknown", "this move is not allowed in this format")
}

// Point returns the point with the ID, merged points resolved.
func (u *UserAdmitter) Point(id string) (*state.Point, error) {
	if p := u.State.Live(id); p != nil {
		return p, nil
	}
	return nil, Refuse("unknown-point", "there is no point %q", id)
}

func (u *UserAdmitter) ruleOn(m RuleOn) error {
	p, err := u.Point(m.Point)
	if err != nil {
		return err
	}
	switch m.What { //nolint:exhaustive // the others are no rulings
	case state.OverrideReopen:
		if u.State.Round >= resolver.LastRound(u.State) {
			return Refuse("no-rounds", "no round is left in which the seats could look at %s again; rule on it instead",
				p.ID)
		}
	case state.OverrideAgree, state.OverrideDismiss, state.OverrideUnresolved:
	default:
		return Refuse("ruling", "a ruling is agree, dismiss, unresolved or reopen, not %q", m.What)
	}
	return u.Add(&state.OverrideMade{What: m.What, Point: p.ID, Reason: m.Reason})
}

func (u *UserAdmitter) recordFact(m RecordFact) error {
	if strings.TrimSpace(m.Text) == "" {
		return Refuse("empty", "a fact needs a text")
	}
	if m.Supersedes != "" && u.State.Fact(m.Supersedes) == nil {
		return Refuse("unknown-fact", "there is no fact %q", m.Supersedes)
	}
	return u.Add(&state.FactRecorded{
		ID: u.NextFact(), Tag: ledger.TagUser, Seat: state.User, Text: m.Text, Supersedes: m.Supersedes,
	})
}

// addFact records a text as a fact of the user.
func (u *UserAdmitter) addFact(text string) error {
	return u.recordFact(RecordFact{Text: text})
}

func (u *UserAdmitter) challenge(m ChallengePoint) error {
	p, err := u.Point(m.Point)
	if err != nil {
		return err
	}
	class := m.Class
	if class != state.Reject {
		class = state.Skeptical
	}
	switch {
	case strings.TrimSpace(m.Objection) == "":
		return Refuse("empty", "a challenge needs its objection")
	case p.Deadlock != state.DeadlockNone && resolver.Held(p) && !u.State.Over():
		return Refuse("deadlocked", "%s is deadlocked, and no seat would answer: reopen it with your objection, or rule on it", p.ID)
	}
	return u.Add(&state.ChallengeRaised{
		ID: u.NextChallenge(), Point: p.ID, By: state.User, Kind: class, Objection: m.Objection,
		UpgradeIf: "an answer that the user accepts",
	})
}

func (u *UserAdmitter) answer(m AnswerChallenge) error {
	c := u.State.Challenge(m.Challenge)
	switch {
	case c == nil:
		return Refuse("unknown-challenge", "there is no challenge %q", m.Challenge)
	case strings.TrimSpace(m.Text) == "":
		return Refuse("empty", "an answer needs a text")
	}
	return u.Add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: m.Text})
}

// Supply adds evidence from the user: verified and textual, with the source kind that outranks all
// others.
func (u *UserAdmitter) Supply(m SupplyEvidence) error {
	p, err := u.Point(m.Point)
	if err != nil {
		return err
	}
	if strings.TrimSpace(m.Text) == "" {
		return Refuse("empty", "evidence needs a text")
	}
	relation := cmp.Or(m.Relation, ledger.Supports)
	if !slices.Contains(ledger.Relations(), relation) {
		return Refuse("relation", "evidence supports or refutes a point or is neutral, not %q", relation)
	}
	id := u.NextEvidence()
	reference := FirstNonBlank(m.Reference, "the user")
	offer := &state.EvidenceOffered{
		ID: id, Point: p.ID, Relation: relation, Reference: reference, Quote: m.Text, By: state.User,
	}
	return u.Add(offer, Supplied(offer))
}

// Supplied stamps evidence from the user.
func Supplied(offer *state.EvidenceOffered) *state.EvidenceVerified {
	return &state.EvidenceVerified{
		ID: offer.ID, Type: ledger.Textual, SourceKind: ledger.UserOverride, Confidence: ledger.ConfidenceUser,
		Reference: offer.Reference, Excerpt: offer.Quote, Admitted: true, Reason: "the user gave it",
	}
}

// weigh accepts an item of evidence, which ends contests of it, or refuses it (RV2, RV3).
func (u *UserAdmitter) weigh(m WeighEvidence) error {
	item := u.State.Item(m.Evidence)
	switch {
	case item == nil:
		return Refuse("unknown-evidence", "there is no evidence %q", m.Evidence)
	case m.Accept:
		return u.Add(&state.EvidenceAccepted{ID: item.ID, By: state.User, Reason: m.Reason})
	}
	return u.Add(&state.EvidenceContested{
		ID: item.ID, By: state.User, Reason: FirstNonBlank(m.Reason, "it does not bear on the point"),
	})
}

func (u *UserAdmitter) prioritize(points []string) error {
	var keep []string
	for _, id := range points {
		p, err := u.Point(id)
		if err != nil {
			return err
		}
		if !slices.Contains(keep, p.ID) {
			keep = append(keep, p.ID)
		}
	}
	if len(keep) == 0 || len(keep) > MaxInScope {
		return Refuse("priority", "name 1 to %d points to keep", MaxInScope)
	}
	return u.Add(&state.OverrideMade{What: state.OverridePriority, Points: keep})
}

// The answers that code understands.
const (
	AnswerStop   = "stop"
	AboutStop    = state.AboutStop
	AboutReexam  = "re-examine"
	AnswerReopen = "re-examine"

	aboutConcede  = "concede "
	answerConcede = "concede"

	aboutClose  = "close"
	answerClose = "close"
)

// answerQuestion records the user's answer and what follows from it.
func (u *UserAdmitter) answerQuestion(m AnswerQuestion) error {
	q := u.State.QuestionByID(m.Question)
	switch {
	case q == nil:
		return Refuse("unknown-question", "there is no question %q", m.Question)
	case strings.TrimSpace(m.Answer) == "":
		return Refuse("empty", "an answer needs a text")
	}
	answer, options := strings.TrimSpace(m.Answer), q.Options
	if n := OptionIndex(answer, len(options)); n >= 0 {
		answer = options[n]
	}
	u.Record(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answer})
	switch q.Kind {
	case state.QuestionAnchorShift:
		return u.answerShift(q, answer)
	case state.QuestionPriority:
		return u.prioritize(namedPoints(answer))
	case state.QuestionApproval:
		return u.answerApproval(q, answer)
	case state.QuestionConstraint:
		return u.answerConstraint(q, answer)
	case state.QuestionTradeoff:
		return u.answerTradeoff(q, answer)
	case state.QuestionBlocked:
		return u.answerBlocked(q, answer)
	case state.QuestionDefinition, state.QuestionEscalation:
		return u.addFact(Clip(q.Text) + " - " + answer)
	}
	return nil
}

// OptionIndex returns the index of an option chosen by its number, or -1.
func OptionIndex(answer string, options int) int {
	for i := range options {
		if answer == strconv.Itoa(i+1) {
			return i
		}
	}
	return -1
}

// namedPoints returns the ids of points in a text, in order.
func namedPoints(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return strings.ContainsRune(" ,;\n", r) })
}

func yes(answer string) bool {
	switch strings.ToLower(answer) {
	case "yes", "y", "consent", "confirm", "ok", "true", "approve":
		return true
	}
	return false
}

func (u *UserAdmitter) answerShift(q *state.Question, answer string) error {
	p := u.State.Live(q.Point)
	if p == nil {
		return nil
	}
	reading := ""
	if yes(answer) {
		reading = p.Text
	}
	u.Record(&state.AnchorShiftConsented{Point: p.ID, Consented: yes(answer), Reading: reading})
	for _, other := range u.State.Points.All() {
		waits := other.Scope == state.AnchorShift || other.Placed && other.Scope == state.InScope
		if waits && other.MergedInto == "" && sameReading(other, p) {
			u.Record(&state.AnchorShiftConsented{Point: other.ID, Consented: yes(answer), Reading: reading})
		}
	}
	return nil
}

func (u *UserAdmitter) answerApproval(q *state.Question, answer string) error {
	switch {
	case strings.HasPrefix(q.About, AboutRun):
		return u.answerRun(q, answer)
	case q.About == AboutStop:
		if strings.EqualFold(answer, AnswerStop) && !u.State.Over() {
			return u.Add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user took the offer to stop"})
		}
	case q.About == AboutReexam:
		if !strings.EqualFold(answer, AnswerReopen) {
			return nil
		}
		for _, f := range u.State.Flags {
			u.Record(&state.OverrideMade{
				What: state.OverrideReopen, Point: f.Point,
				Reason: "re-examined: the arbiter flagged it",
			})
		}
	case strings.HasPrefix(q.About, aboutConcede):
		c := u.State.Challenge(strings.TrimPrefix(q.About, aboutConcede))
		switch {
		case c == nil || c.Settled():
		case strings.EqualFold(answer, answerConcede), yes(answer):
			return u.Add(&state.ChallengeConceded{Challenge: c.ID, By: state.User, Reason: "the user gave it up"})
		case c.Status == state.StandsGranted && !u.State.Over() && Of(u.State).Answerable(u.State) &&
			u.State.Live(c.Point).Deadlock == state.DeadlockNone:
			// A defender can still be asked to answer it (CH3b).
			return u.Add(&state.ChallengeReopened{Challenge: c.ID, By: state.User})
		}
	}
	return nil
}

// answerTradeoff records the choice of a side: the point, or what is against it.
func (u *UserAdmitter) answerTradeoff(q *state.Question, answer string) error {
	p := u.State.Live(q.Point)
	if p == nil {
		return nil
	}
	var what state.OverrideKind
	switch {
	case len(q.Options) > 0 && answer == q.Options[0]:
		what = state.OverrideAgree
	case len(q.Options) > 1 && answer == q.Options[1]:
		what = state.OverrideDismiss
	default:
		return u.addFact("on " + p.ID + ": " + answer)
	}
	return u.Add(&state.OverrideMade{What: what, Point: p.ID, Reason: "chose a side of the tradeoff: " + Clip(answer)})
}

// answerBlocked records the missing data as a user fact, and also as evidence if the answer says
// which way it points: "supports: …" or "refutes: …".
func (u *UserAdmitter) answerBlocked(q *state.Question, answer string) error {
	if err := u.addFact(answer); err != nil {
		return err
	}
	for _, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
		text, ok := strings.CutPrefix(answer, string(relation)+":")
		if ok && u.State.Live(q.Point) != nil {
			return u.Supply(SupplyEvidence{Point: q.Point, Text: strings.TrimSpace(text), Relation: relation})
		}
	}
	return nil
}
