package cli

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol"
	"moot/protocol/council"
	"moot/state"
)

// phase tells where a session is. A council has phases of its own, which follow
// from who is asked.
func (p *progress) phase(e *state.PhaseChanged, s *state.State) {
	if s.Settings.Format != state.FormatCouncil {
		p.say("phase", "%s (%s)", e.Phase, e.Reason)
	}
}

// council tells of the constitution, of the confidences, and of what the moderator
// and the rules make of a round.
func (p *progress) council(data state.Payload, n *protocol.Advanced) {
	switch e := data.(type) {
	case *state.RoundStarted:
		p.begun = 0
	case *state.PromptSent:
		p.councilPhase(e.Stage, &n.State)
	case *state.ConfidenceReported:
		p.scored(e, &n.State)
	case *state.ConstitutionViolated:
		p.violation(e, &n.State)
	case *state.ClaimMarkedKey:
		p.say("key", "%s %s, by %s", e.Point, map[bool]string{true: "is a key claim", false: "is no key claim any more"}[e.Key], e.By)
	case *state.ClaimLimited:
		p.say("limit", "%s: %s", e.Point, clip(e.Limit))
	case *state.ChallengeMended:
		p.say("mended", "%s by %s: %s", e.Challenge, e.By, clip(e.Objection))
	case *state.Synthesized:
		p.say("synthesis", "%s", clip(e.Text))
		p.say("reported", "by the %s: %s", e.By, reportedWords(e))
	case *state.ConsensusTested:
		p.consensus(&e.Consensus)
	}
}

// reportedWords are what a moderator says of agreement.
func reportedWords(e *state.Synthesized) string {
	text := "no agreement"
	if e.Agreement {
		text = "agreement"
	}
	if len(e.Open) > 0 {
		return text + ", open: " + strings.Join(e.Open, ", ")
	}
	return text
}

// whose is who says a point, in a council also for whom, and that much rests on it.
func whose(e *state.PointRaised) string {
	by := string(e.By)
	if e.For != "" {
		by += " for the " + string(e.For)
	}
	if e.Key {
		by += " (key claim)"
	}
	return by
}

// councilPhase tells that a phase of a council begins with what is asked.
func (p *progress) councilPhase(stage state.Stage, s *state.State) {
	if s.Settings.Format != state.FormatCouncil {
		return
	}
	begun := council.PhaseOf(stage)
	if begun <= p.begun {
		return
	}
	p.begun = begun
	p.say("phase", "%d of %d, %s", begun, len(council.Phases()), council.Phases()[begun-1])
}

// violation tells of one, and keeps what only flags a claim, which it may say of each,
// until all is told in one line.
func (p *progress) violation(e *state.ConstitutionViolated, s *state.State) {
	if s.OnlyFlags(e.Constraint) {
		p.flags = append(p.flags, *e)
		return
	}
	p.say("violation", "%s by the %s: %s: %s", e.About(), e.Seat, e.Constraint, clip(e.Text))
}

// gathered tells what was kept to be told in one line.
func (p *progress) gathered() {
	for len(p.flags) > 0 {
		first := p.flags[0]
		var points []string
		p.flags = slices.DeleteFunc(p.flags, func(e state.ConstitutionViolated) bool {
			same := e.Constraint == first.Constraint && e.Seat == first.Seat
			if same {
				points = append(points, e.Point)
			}
			return same
		})
		text := first.Text
		if len(points) > 1 {
			text = "all support of each is of one source, seat or polarity"
		}
		p.say("flagged", "%s by the %s: %s: %s; it holds nothing up", strings.Join(points, ", "), first.Seat, first.Constraint, clip(text))
	}
	p.scores()
}

// scored keeps how sure a seat of a council is of a claim, until all that it says
// is told in one line.
func (p *progress) scored(e *state.ConfidenceReported, s *state.State) {
	if s.Settings.Format != state.FormatCouncil {
		return
	}
	if p.scoring != e.Seat {
		p.scores()
	}
	text := fmt.Sprintf("%s %.2f", e.Point, e.Admitted)
	if e.Stated != e.Admitted {
		text += fmt.Sprintf(" (%.2f stated without a cause)", e.Stated)
	}
	p.scoring, p.sure = e.Seat, append(p.sure, text)
}

// scores tells the confidences that were kept, as they count.
func (p *progress) scores() {
	if len(p.sure) > 0 {
		p.say("scores", "%s: %s", p.scoring, strings.Join(p.sure, ", "))
	}
	p.sure = nil
}

// consensus tells what the rules found at the end of a round beside what the
// moderator said of it.
func (p *progress) consensus(c *state.Consensus) {
	unsettled := strings.Join(c.Unsettled, ", ")
	if c.Reached {
		p.say("consensus", "in round %d: CV1 to CV4 leave no live claim unsettled", c.Round)
	} else {
		p.say("consensus", "none in round %d; not settled: %s", c.Round, unsettled)
	}
	switch {
	case !c.Contradicted():
	case c.Reached:
		p.say("warning", "the moderator reports no agreement; the rules find it")
	default:
		p.say("warning", "the moderator reports agreement; the rules find none: %s", unsettled)
	}
}
