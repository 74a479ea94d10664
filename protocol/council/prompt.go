package council

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/council/constitution"
	"moot/resolver"
	"moot/state"
)

//go:embed prompts.md
var prompts string

// text returns an embedded prompt text.
func text(name string) string { return protocol.PromptText(prompts, name) }

// Prompt implements Format: preamble, role, constitution, question, the claims with their
// confidence, what the seat must answer, and its instructions.
func (Format) Prompt(s *state.State, ask protocol.Ask) protocol.Prompt {
	if ask.Stage == state.StageConclude {
		return claims.PromptAnswer(s, ask, prompts)
	}
	s = withoutOther(s, ask)
	b := claims.NewPrompt(s, ask, prompts, "limit")
	b.Begin(text("preamble"), text("role-"+string(ask.Seat))+constraints(b))
	b.Commands()
	b.Anchor()
	b.Line("Round %d of %d.", s.Round, resolver.LastRound(s))
	b.Facts()
	b.Points()
	writeConfidences(b)
	challenges(b)
	b.Challenges()
	b.Evidence()
	if ask.Stage == StageFix {
		violations(b)
	}
	if ask.Stage == StageSynthesize {
		validations(b)
	}
	b.LastReply()
	b.Requests()
	instructions := string(ask.Stage)
	if ask.Stage == StageFix && ask.Seat != constitution.Strategist && ask.Seat != constitution.Moderator {
		// These seats fix challenges, the others claims.
		instructions = "reword-challenge"
	}
	b.Line("%s", text(instructions))
	if s.Round >= resolver.LastRound(s) && ask.Seat == constitution.Strategist && ask.Stage != state.StagePropose {
		b.Line("This is the last round: claims cannot be reworded, because no seat would test the new wording. Say " +
			"what a claim does not cover (CLARIFY with term limit).")
	}
	b.Todo()
	return b.Within()
}

// otherTester returns the seat that is asked in parallel with this one, or "". Neither sees what
// the other said in this round.
func otherTester(s *state.State, seat state.Seat) state.Seat {
	switch {
	case !SettingsOf(s).Parallel:
		return ""
	case seat == constitution.Critic:
		return constitution.Adversary
	case seat == constitution.Adversary:
		return constitution.Critic
	}
	return ""
}

// withoutOther removes from the state what the other tester said in this round if critic
// and adversary are asked in parallel. This also applies to their retries, judgments and
// fixes.
func withoutOther(from *state.State, ask protocol.Ask) *state.State {
	other := otherTester(from, ask.Seat)
	if other == "" {
		return from
	}
	s := *from
	for i, p := range s.Points.All() {
		shown := *p
		shown.Scores = slices.DeleteFunc(slices.Clone(p.Scores),
			func(score state.Score) bool { return score.Seat == other && score.Round == s.Round })
		shown.Evidence = slices.DeleteFunc(slices.Clone(p.Evidence), func(id string) bool {
			item := s.Item(id)
			return item.OfferedBy == string(other) && item.Round == s.Round
		})
		shown.Challenges = slices.DeleteFunc(slices.Clone(p.Challenges), func(id string) bool {
			challenge := s.Challenge(id)
			return challenge.By == other && challenge.Round == s.Round
		})
		if claim, _ := p.Own.(Claim); claim.keyBy == other && claim.keyRound == s.Round {
			claim.Key = false
			shown.Own = claim
		}
		s.Points = s.Points.Update(i, func(p *state.Point) { *p = shown })
	}
	for i, fact := range s.Facts.All() {
		if fact.Seat == string(other) && fact.Round == s.Round {
			s.Facts = s.Facts.Update(i, func(f *ledger.Fact) { f.Live = false })
		}
	}
	s.Notes = state.List[state.PointNoted]{}
	return &s
}

// constraints lists the constraints of the asked seat.
func constraints(b *claims.PromptBuilder) string {
	lines := &strings.Builder{}
	for _, c := range SettingsOf(b.State).Constitution.Constraints {
		if c.Seat != b.Ask.Seat {
			continue
		}
		fmt.Fprintf(lines, "\n%s: %s", plain.OneLine(c.ID), plain.Clip(c.Text, constitution.MaxText))
		if c.Check != constitution.CheckNone {
			fmt.Fprintf(lines, " (checked by code: %s)", c.Check)
		}
	}
	if lines.Len() == 0 {
		return ""
	}
	return "\n\nYour constraints:" + lines.String()
}

// writeConfidences lists the confidence in each live claim, with reasons and limits. Text
// written by seats gets separate lines.
func writeConfidences(b *claims.PromptBuilder) {
	if b.Ask.Stage == state.StagePropose {
		return
	}
	inner := &strings.Builder{}
	for _, p := range claims.LivePoints(b.State) {
		var parts []string
		claim := ClaimOf(b.State, p)
		if claim.Key {
			parts = append(parts, "key claim")
		}
		said := ""
		if claim.Limit != "" {
			said += "   does not cover: " + plain.Short(claim.Limit) + "\n"
		}
		for _, score := range p.Scores {
			parts = append(parts, fmt.Sprintf("%s %.2f", score.Seat, score.Admitted))
			if score.Cause != "" {
				said += "   " + string(score.Seat) + " says why: " + plain.Short(score.Cause) + "\n"
			}
		}
		if len(parts) > 0 || said != "" {
			fmt.Fprintf(inner, "%s: %s\n%s", p.ID, claims.ReasonText(strings.Join(parts, "; ")), said)
		}
	}
	b.List("Confidence so far:", "confidence", inner)
}

// challenges lists the challenges to live claims and their answers, newest first, so that
// testers don't repeat them and the moderator can weigh them.
func challenges(b *claims.PromptBuilder) {
	switch b.Ask.Stage { //nolint:exhaustive // the others answer, judge or fix what is listed for them
	case StageCritique, StageAttack, StageAdvise, StageSynthesize:
	default:
		return
	}
	inner := &strings.Builder{}
	listed := 0
	for _, p := range claims.LivePoints(b.State) {
		for _, id := range slices.Backward(p.Challenges) {
			if listed++; listed > claims.MaxListed {
				continue
			}
			c := b.State.Challenge(id)
			fmt.Fprintf(inner, "%s %s on %s, by %s, round %d, %s: %s\n", c.ID, c.Kind, p.ID, c.By, c.Round, c.Status,
				plain.Short(c.Objection))
			if last := c.Last(); last != nil {
				fmt.Fprintf(inner, "   %s answered: %s\n", last.By, plain.Short(last.Text))
			}
		}
	}
	b.List("Challenges to them:", "tested", inner)
	if listed > claims.MaxListed {
		b.Line("%d more are left out for length.", listed-claims.MaxListed)
	}
}

// violations lists the violations that the seat must fix.
func violations(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	for _, breach := range Unfixed(b.State, b.Ask.Seat) {
		fmt.Fprintf(inner, "%s, %s: %s\n", plain.OneLine(breach.Constraint), breach.About(),
			plain.Indent(breach.Text))
		if c := b.State.Challenge(breach.Challenge); c != nil {
			fmt.Fprintf(inner, "   you said: %s\n", plain.Indent(c.Objection))
		}
	}
	b.Line("What violates your constitution:")
	b.Fence("violations", inner.String())
}

// validations lists what the rules find for each live claim.
func validations(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	for _, p := range claims.LivePoints(b.State) {
		v := Validate(b.State, p)
		if v.Valid() {
			fmt.Fprintf(inner, "%s is accepted by the rules\n", p.ID)
			continue
		}
		fmt.Fprintf(inner, "%s is not accepted: %s\n", p.ID, plain.Indent(strings.Join(v.Required(), "; ")))
		for _, id := range p.Challenges {
			if c := b.State.Challenge(id); c.Narrower != "" {
				fmt.Fprintf(inner, "   %s would accept this: %s\n", c.By, plain.Indent(c.Narrower))
			}
		}
	}
	earlier := lists.Filter(Of(b.State).Syntheses, func(y Synthesis) bool { return y.Round < b.State.Round })
	if n := len(earlier); n > 0 {
		last := earlier[n-1]
		fmt.Fprintf(inner, "your last synthesis (round %d): %s\n", last.Round, plain.Indent(last.Text))
	}
	b.Line("What the rules find:")
	b.Fence("validation", inner.String())
}
