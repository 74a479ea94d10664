package run

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/hearing"
	"moot/resolver"
	"moot/state"
)

// randomHearing adds the hearing's part to a random session.
type randomHearing struct{ packet *ledger.Packet }

// TestRandomHearings makes random moves of the seats and the user on a packet. It checks invariants after every
// event, recomputes and replays the record at the end, and resumes from a random event.
func TestRandomHearings(t *testing.T) {
	packet := factsOf(t, 9)
	rapid.Check(t, func(rt *rapid.T) {
		o := asksHearing()
		o.Settings.Attended = rapid.Bool().Draw(rt, "attended")
		h := o.Settings.Hearing
		h.Form = rapid.SampledFrom(state.Forms()).Draw(rt, "form")
		h.Judge = rapid.SampledFrom(state.JudgeVersions()).Draw(rt, "judge")
		h.Rounds = rapid.IntRange(2, 5).Draw(rt, "rounds")
		if h.Form == state.FormSelective {
			h.Gate = rapid.SampledFrom(state.Gates()).Draw(rt, "gate")
			h.Then = rapid.SampledFrom([]state.Form{state.FormMulti, state.FormAnchored, state.FormAudit}).Draw(rt, "then")
		}
		if h.Form != state.FormSingle && rapid.Bool().Draw(rt, "oracle") {
			h.Oracle = true
			o.Seats = append(o.Seats, state.SeatAssignment{Seat: state.Oracle, Participant: "script"})
		}
		r := &randomSession{
			t: rt, format: hearing.Format{}, ruler: resolver.NewRuler(), tags: map[string]ledger.Tag{}, leave: map[string]bool{},
			hearing: &randomHearing{packet: packet},
		}
		r.append(o)
		r.append(state.PacketEvents(packet)...)
		r.drive()
		r.hearing.ended(r)
		r.recomputed()
	})
}

// ended looks at how a session ended: within the rounds of its form. That it ended by
// its rules the record tells, which is recomputed.
func (h *randomHearing) ended(r *randomSession) {
	if last := resolver.LastRound(&r.s); r.s.Round > last {
		r.t.Fatalf("INV7: round %d of %d", r.s.Round, last)
	}
	oracle := 0
	for _, c := range r.s.Challenges.All() {
		if c.By == state.Oracle {
			oracle++
		}
	}
	if oracle > 3 {
		r.t.Fatalf("the oracle brings %d challenges", oracle)
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
func (h *randomHearing) shown(r *randomSession, asks []protocol.Ask) {
	for _, ask := range asks {
		prompt := r.format.Prompt(r.s, ask)
		if len(prompt.Text)+len(prompt.System) > protocol.DefaultPromptBudget*4 {
			r.t.Fatalf("a prompt of %d bytes", len(prompt.Text))
		}
		other := state.Opponent(ask.Seat)
		if ask.Stage == state.StageJudge {
			// It judges the answers of the round.
			other = ""
		}
		if other != "" && ask.Stage != state.StageAnswer && strings.Contains(prompt.Text, saidIn(other, r.s.Round)) || strings.Contains(prompt.Text, meetsIn(other, r.s.Round)) {
			r.t.Fatalf("asked to %s in round %d the %s is shown what the other side says there:\n%s", ask.Stage, r.s.Round, ask.Seat, prompt.Text)
		}
		if again := r.format.Prompt(r.s, ask); again.Text != prompt.Text {
			r.t.Fatal("asked twice, the prompt differs")
		}
		r.append(&state.PromptSent{Seat: ask.Seat, Stage: ask.Stage, Text: prompt.Text, Omitted: []string{}})
	}
}

// look checks one event: it refers only to facts of the packet, and in an anchored hearing confidence falls only
// for a cause.
func (h *randomHearing) look(r *randomSession, before *state.State, p state.Payload) {
	switch p := p.(type) {
	case *state.PointRaised:
		h.known(r, p.ID, p.Facts)
	case *state.ChallengeRaised:
		h.known(r, p.ID, p.Facts)
	case *state.ChallengeAnswered:
		h.known(r, p.Challenge, p.Facts)
	case *state.ConfidenceReported:
		score := before.Point(p.Point).Score(p.Seat)
		if score != nil && p.Admitted < score.Admitted && before.Course() == state.FormAnchored {
			h.caused(r, before, p)
		}
	case *state.Argued:
		last := before.Hearing.Argument(p.Seat, before.Round-1)
		if last == nil || before.Course() != state.FormAnchored || p.Confidence >= last.Confidence {
			return
		}
		fell := slices.ContainsFunc(r.s.Hearing.Changes, func(c state.ConfidenceChange) bool {
			return c.Seat == p.Seat && c.Round == before.Round && c.To < c.From
		})
		if question := before.Point("P1"); !fell && len(question.Challenges) == 0 {
			r.t.Fatalf("the %s falls from %v to %v, and no claim of its did", p.Seat, last.Confidence, p.Confidence)
		}
	}
}

// known fails where something rests on what the packet does not hold.
func (h *randomHearing) known(r *randomSession, id string, facts []string) {
	for _, fact := range facts {
		if _, there := h.packet.Fact(fact); !there {
			r.t.Fatalf("%s cites %q, which is not in the packet", id, fact)
		}
	}
}

// caused fails where a fall has no cause: a fact that another seat cited against the
// claim in an earlier round, and that nobody answered before this one.
func (h *randomHearing) caused(r *randomSession, before *state.State, e *state.ConfidenceReported) {
	cited := false
	for _, c := range before.Challenges.All() {
		if c.Point != e.Point || !slices.Contains(c.Facts, e.Cause) {
			continue
		}
		cited = cited || c.By != e.Seat && c.Round < before.Round
		for _, d := range c.Defenses {
			if d.By == e.Seat && d.Round < before.Round && d.Seq > c.Since {
				r.t.Fatalf("the %s lowers %s by %q, which it answered in round %d", e.Seat, e.Point, e.Cause, d.Round)
			}
		}
	}
	if !cited {
		r.t.Fatalf("the %s lowers %s by %q, which nobody cited against it", e.Seat, e.Point, e.Cause)
	}
}

// facts draws ids, mostly of the packet.
func (h *randomHearing) facts(r *randomSession) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", " f1 ", "f10", "F1"}), 0, 3).Draw(r.t, "facts")
}

// move draws a move of a seat, whose texts say whose they are.
func (h *randomHearing) move(r *randomSession, ask protocol.Ask, kind protocol.MoveKind) protocol.Move {
	said := r.text() + " " + saidIn(ask.Seat, r.s.Round)
	switch kind { //nolint:exhaustive // those of a hearing
	case protocol.MoveClaim:
		return &protocol.Claim{Reading: said, Facts: h.facts(r), Confidence: r.confidence()}
	case protocol.MoveContradict:
		return &protocol.Contradict{Point: r.point(), Facts: h.facts(r), Reading: said}
	case protocol.MoveAnswer:
		return &protocol.Answer{Challenge: r.challenge(), Facts: h.facts(r), Text: meetsIn(ask.Seat, r.s.Round)}
	case protocol.MoveScore:
		return &protocol.Score{Point: r.point(), Confidence: *r.confidence(), Cause: strings.Join(h.facts(r), " ")}
	case protocol.MoveConcede:
		return &protocol.Concede{Point: r.point(), Reason: said}
	case protocol.MoveConclude:
		return &protocol.Conclude{Confidence: r.confidence(), WouldChange: rapid.SampledFrom([]string{"", "nothing", "a ticket"}).Draw(r.t, "would change")}
	}
	return &protocol.FlagMove{Flag: rapid.SampledFrom(protocol.FlagKinds()).Draw(r.t, "flag kind"), Text: said}
}

// user draws what the user does in a hearing, or leaves the drawn move.
func (h *randomHearing) user(r *randomSession, other protocol.UserMove) protocol.UserMove {
	switch rapid.IntRange(0, 9).Draw(r.t, "of the hearing") {
	case 0, 1:
		return protocol.ChallengePoint{Point: r.point(), Objection: fmt.Sprintf("[%s] so it is", strings.Join(h.facts(r), ", "))}
	case 2:
		return protocol.AnswerChallenge{Challenge: r.challenge(), Text: fmt.Sprintf("[%s] so it is", strings.Join(h.facts(r), ", "))}
	case 3:
		if rapid.IntRange(0, 4).Draw(r.t, "ends") == 0 {
			return protocol.EndSession{}
		}
	}
	return other
}
