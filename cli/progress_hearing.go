package cli

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// hearing tells of a hearing: claims with their facts and confidences, what was
// dropped and what was kept, and the verdict with its sums after each round. It
// reports whether it told all that is to be told of the event.
func (p *progress) hearing(data state.Payload, n *protocol.Advanced) bool {
	if n.State.Settings.Format != state.FormatHearing {
		return false
	}
	switch e := data.(type) {
	case *state.PacketFrozen:
		p.say("packet", "%s: %s, %s", e.ID, plain.Counted(e.Facts, "fact"), e.Digest)
	case *state.PointRaised:
		p.claim(e, &n.State)
	case *state.SchemaViolated:
		p.say("dropped", "%s of the %s cites %s, which the packet does not hold: %s", e.Move, e.Seat, clip(strings.Join(e.Facts, ", ")), clip(e.Text))
	case *state.ChallengeRaised:
		p.say("challenge", "%s by the %s against %s [%s]: %s", e.ID, e.By, e.Point, strings.Join(e.Facts, ", "), clip(e.Objection))
	case *state.ChallengeAnswered:
		p.say("answer", "%s by the %s%s: %s", e.Challenge, e.By, bracketed(e.Facts), clip(e.Text))
	case *state.ConfidenceChanged:
		p.say("confidence", "%s of the %s from %s to %s%s", e.Point, e.Seat, hearing.Figure(e.From), hearing.Figure(e.To), by(e.Fact))
	case *state.DriftDetected:
		p.kept(e)
	case *state.Argued:
		p.concludes(e)
	case *state.RebuttalIgnored:
		p.say("ignored", "%s by the %s: %s was not answered, and no confidence was lowered for it", e.Challenge, e.Seat, e.Fact)
	case *state.Gated:
		p.gate(&e.Gating, n.State.HearingSettings().Then)
	case *state.Ruled:
		return p.verdict(e)
	default:
		return false
	}
	return true
}

// claim tells of a claim with its facts; the question is told already.
func (p *progress) claim(e *state.PointRaised, s *state.State) {
	if e.ID == resolver.QuestionPoint {
		return
	}
	confidence := ""
	if point := s.Point(e.ID); point != nil && point.Score(e.By) != nil {
		confidence = " " + hearing.Figure(point.Score(e.By).Admitted)
	}
	p.say("claim", "%s by the %s%s%s: %s", e.ID, e.By, bracketed(e.Facts), confidence, clip(e.Text))
}

// bracketed are facts as they are cited in moves; "" for none.
func bracketed(facts []string) string {
	if len(facts) == 0 {
		return ""
	}
	return " [" + strings.Join(facts, ", ") + "]"
}

func by(fact string) string {
	if fact == "" {
		return ""
	}
	return ", by " + fact
}

// kept tells of a fall of confidence that no fact caused.
func (p *progress) kept(e *state.DriftDetected) {
	if e.Point == resolver.QuestionPoint {
		p.say("kept", "overall by the %s: it said %s, and may fall by no more than its claims did", e.Seat, clip(e.To))
		return
	}
	p.say("kept", "%s of the %s at %s: no fact was cited (it said %s)", e.Point, e.Seat, clip(e.From), clip(e.To))
}

// concludes tells how sure a side is of its side of the question.
func (p *progress) concludes(e *state.Argued) {
	holds := "holds"
	if e.Seat == state.Skeptic {
		holds = "does not hold"
	}
	p.say("concludes", "%s %s that it %s", e.Seat, hearing.Figure(e.Confidence), holds)
	if e.WouldChange != "" {
		p.say("", "  would change its mind: %s", clip(e.WouldChange))
	}
}

// gate tells what the gate of a selective hearing found, and how it goes on.
func (p *progress) gate(g *state.Gating, then state.Form) {
	came := "stays shut"
	if g.Opens {
		came = fmt.Sprintf("opens, and %s follows", then)
	}
	p.say("gate", "%s %s: verdict at %s, risk %s%s", g.Gate, came, hearing.Figure(g.Confidence), hearing.Figure(g.Risk), bracketed(g.Flags))
}

// verdict tells what the judge says after a round, with its sums: what it said before
// where nothing changed. It reports whether the question is open still.
func (p *progress) verdict(e *state.Ruled) (open bool) {
	open = true
	if i := slices.IndexFunc(e.Rulings, func(r state.Ruling) bool { return r.Point == resolver.QuestionPoint }); i >= 0 {
		p.judged, open = e.Rulings[i].Reason, e.Rulings[i].Bucket == state.BucketOpen
	}
	if p.judged != "" {
		p.say("verdict", "round %d: %s", e.Round, strings.TrimPrefix(p.judged, "under deliberation; "))
	}
	return open
}

// toldElsewhere reports whether a refusal has an event of its own in a hearing: a move
// that was dropped, or a confidence that was kept.
func toldElsewhere(s *state.State, code string) bool {
	return s.Settings.Format == state.FormatHearing && (code == "outside-packet" || code == "no-cause")
}
