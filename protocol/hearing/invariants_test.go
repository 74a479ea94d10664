package hearing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/protocol/protocoltest/random"
	"moot/resolver"
	"moot/state"
)

// TestInvariants lets seats and the user move at random. It checks INV1 to INV8 after every event, and recomputes and
// replays the record at the end. There are more sessions with -rapid.checks=10000.
func TestInvariants(t *testing.T) {
	t.Parallel()
	random.Invariants(t, randomHearing)
}

// TestSentences checks each sentence of the results of random sessions (SE2).
func TestSentences(t *testing.T) {
	t.Parallel()
	random.Sentences(t, randomHearing)
}

// randomSides is the part of a hearing: everything rests on the packet, and no side sees what the
// other says in the same round.
type randomSides struct{}

func randomHearing(t *rapid.T) (*state.SessionOpened, random.Seats) {
	o := protocoltest.Opened(hearing.Name)
	h := o.Settings.Own.(*hearing.Settings)
	h.Form = rapid.SampledFrom(hearing.Forms()).Draw(t, "form")
	h.Judge = rapid.SampledFrom(judge.Versions()).Draw(t, "judge")
	h.Rounds = rapid.IntRange(2, 5).Draw(t, "rounds")
	if h.Form == hearing.FormSelective {
		h.Gate = rapid.SampledFrom(judge.Gates()).Draw(t, "gate")
		h.Then = rapid.SampledFrom([]hearing.Form{hearing.FormMulti, hearing.FormAnchored, hearing.FormAudit}).Draw(t, "then")
	}
	if h.Form != hearing.FormSingle && rapid.Bool().Draw(t, "oracle") {
		h.Oracle = true
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: hearing.Oracle, Participant: "script"})
	}
	return o, randomSides{}
}

// Agreed checks nothing: the judge decides, by arithmetic.
func (randomSides) Agreed(*random.Session, *state.Point, *state.Ruling) {}

// Ended looks at how a session ended: within the rounds of its form. That it ended by
// its rules the record tells, which is recomputed.
func (h randomSides) Ended(r *random.Session) {
	if last := resolver.LastRound(r.State); r.State.Round > last {
		r.Fatalf("INV7: round %d of %d", r.State.Round, last)
	}
	oracle := 0
	for _, c := range r.State.Challenges.All() {
		if c.By == hearing.Oracle {
			oracle++
		}
	}
	if oracle > 3 {
		r.Fatalf("the oracle brings %d challenges", oracle)
	}
}

// saidIn marks what a seat says in a round, and meets is the mark of answers.
func saidIn(seat state.Seat, round int) string {
	return fmt.Sprintf("said by the %s in %d", seat, round)
}

func meetsIn(seat state.Seat, round int) string {
	return fmt.Sprintf("met by the %s in %d", seat, round)
}

// shown looks at each prompt: in it is nothing that the other side said in the round;
// where claims are contested and answered in one, no answer of the other side.
func (h randomSides) Asked(r *random.Session, asks []protocol.Ask) {
	for _, ask := range asks {
		prompt := protocol.Of(r.State).Prompt(r.State, ask)
		if len(prompt.Text)+len(prompt.System) > protocol.DefaultPromptBudget*4 {
			r.Fatalf("a prompt of %d bytes", len(prompt.Text))
		}
		other := hearing.Opponent(ask.Seat)
		if ask.Stage == state.StageJudge {
			// It judges the answers of the round.
			other = ""
		}
		if other != "" && ask.Stage != state.StageAnswer && strings.Contains(prompt.Text, saidIn(other, r.State.Round)) || strings.Contains(prompt.Text, meetsIn(other, r.State.Round)) {
			r.Fatalf("asked to %s in round %d the %s is shown what the other side says there:\n%s", ask.Stage, r.State.Round, ask.Seat, prompt.Text)
		}
		if again := protocol.Of(r.State).Prompt(r.State, ask); again.Text != prompt.Text {
			r.Fatal("asked twice, the prompt differs")
		}
		r.Append(prompt.Sent(ask)...)
	}
}

// look checks one event: it refers only to facts of the packet, and in an anchored hearing confidence falls only
// for a cause.
func (h randomSides) Applied(r *random.Session, before *state.State, p state.Payload) {
	switch p := p.(type) {
	case *state.PointRaised:
		h.known(r, p.ID, p.Facts)
	case *state.ChallengeRaised:
		h.known(r, p.ID, p.Facts)
	case *state.ChallengeAnswered:
		h.known(r, p.Challenge, p.Facts)
	case *state.ConfidenceReported:
		score := before.Point(p.Point).Score(p.Seat)
		if score != nil && p.Admitted < score.Admitted && hearing.CurrentForm(before) == hearing.FormAnchored {
			h.caused(r, before, p)
		}
	case *hearing.Argued:
		last := hearing.Of(before).Argument(p.Seat, before.Round-1)
		if last == nil || hearing.CurrentForm(before) != hearing.FormAnchored || p.Confidence >= last.Confidence {
			return
		}
		fell := before.Points.Any(func(claim *state.Point) bool {
			return claim.IsAuthor(p.Seat) && slices.ContainsFunc(hearing.ChangesOf(before, claim), func(c hearing.Change) bool {
				return c.Round == before.Round && c.To < c.From
			})
		})
		if question := before.Point("P1"); !fell && len(question.Challenges) == 0 {
			r.Fatalf("the %s falls from %v to %v, and no claim of its did", p.Seat, last.Confidence, p.Confidence)
		}
	}
}

// known fails where something rests on what the packet does not hold.
func (h randomSides) known(r *random.Session, id string, facts []string) {
	for _, fact := range facts {
		if _, there := r.State.Packet.Fact(fact); !there {
			r.Fatalf("%s cites %q, which is not in the packet", id, fact)
		}
	}
}

// caused fails where a fall has no cause: a fact that another seat cited against the
// claim in an earlier round, and that nobody answered before this one.
func (h randomSides) caused(r *random.Session, before *state.State, e *state.ConfidenceReported) {
	cited := false
	for _, c := range before.Challenges.All() {
		if c.Point != e.Point || !slices.Contains(c.Facts, e.Cause) {
			continue
		}
		cited = cited || c.By != e.Seat && c.Round < before.Round
		for _, d := range c.Defenses {
			if d.By == e.Seat && d.Round < before.Round && d.Seq > c.Since {
				r.Fatalf("the %s lowers %s by %q, which it answered in round %d", e.Seat, e.Point, e.Cause, d.Round)
			}
		}
	}
	if !cited {
		r.Fatalf("the %s lowers %s by %q, which nobody cited against it", e.Seat, e.Point, e.Cause)
	}
}

// facts draws ids, mostly of the packet.
func (h randomSides) facts(r *random.Session) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", " f1 ", "f10", "F1"}), 0, 3).Draw(r.T, "facts")
}

// Move draws a move of a seat, whose texts say whose they are.
func (h randomSides) Move(r *random.Session, ask protocol.Ask, kind move.Kind) move.Move {
	said := r.Text() + " " + saidIn(ask.Seat, r.State.Round)
	switch kind { //nolint:exhaustive // those of a hearing
	case hearing.MoveClaim:
		return &hearing.Claim{Reading: said, Facts: h.facts(r), Confidence: r.Confidence()}
	case hearing.MoveContradict:
		return &hearing.Contradict{Point: r.Point(), Facts: h.facts(r), Reading: said}
	case move.KindAnswer:
		return &hearing.Rebut{Challenge: r.Challenge(), Facts: h.facts(r), Text: meetsIn(ask.Seat, r.State.Round)}
	case move.KindScore:
		return &move.Score{Point: r.Point(), Confidence: *r.Confidence(), Cause: strings.Join(h.facts(r), " ")}
	case move.KindConcede:
		return &move.Concede{Point: r.Point(), Reason: said}
	case hearing.MoveConclude:
		return &hearing.Conclude{Confidence: r.Confidence(), WouldChange: rapid.SampledFrom([]string{"", "nothing", "a ticket"}).Draw(r.T, "would change")}
	}
	return &move.Flag{Flag: rapid.SampledFrom(move.FlagKinds()).Draw(r.T, "flag kind"), Text: said}
}

// user draws what the user does in a hearing, or leaves the drawn move.
func (h randomSides) Override(r *random.Session, other protocol.UserMove) protocol.UserMove {
	switch rapid.IntRange(0, 9).Draw(r.T, "of the hearing") {
	case 0, 1:
		return claims.ChallengePoint{Point: r.Point(), Objection: fmt.Sprintf("[%s] so it is", strings.Join(h.facts(r), ", "))}
	case 2:
		return claims.AnswerChallenge{Challenge: r.Challenge(), Text: fmt.Sprintf("[%s] so it is", strings.Join(h.facts(r), ", "))}
	case 3:
		if rapid.IntRange(0, 4).Draw(r.T, "ends") == 0 {
			return protocol.EndSession{}
		}
	}
	return other
}
