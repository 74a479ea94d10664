package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Prompt implements Format: preamble, role and constitution, the question, the
// claims with what the seats report of them, what waits for the seat, and what is
// asked of it.
func (Council) Prompt(s state.State, ask Ask) Prompt {
	s = blindfolded(s, ask)
	b := &brief{s: &s, ask: ask}
	system := strings.ReplaceAll(text("council-preamble"), "{{nonce}}", s.Settings.Nonce) + "\n\n" +
		text("council-role-"+string(ask.Seat)) + b.bindings() + "\n\n" +
		formText(ask.Moves) + b.commands()
	b.anchor()
	b.line("Round %d of %d.", s.Round, lastRound(&s))
	head := b.take()
	b.points()
	b.reports()
	b.tested()
	b.challenges()
	b.evidence()
	if ask.Stage == state.StageMend {
		b.mendable()
	}
	if ask.Stage == state.StageSynthesize {
		b.validations()
	}
	b.lastReply()
	b.requests()
	b.line("%s", b.asked())
	if s.Round >= lastRound(&s) && ask.Seat == state.Strategist && ask.Stage != state.StagePropose {
		b.line("This is the last round: nothing is worded anew in it, since nobody would test that. Say what a claim does not cover (CLARIFY with term limit).")
	}
	b.todo()
	tail := b.take()
	return b.within(system, head, tail)
}

// asked says what the seat is to do. Who is to mend has claims to mend, or
// challenges.
func (b *brief) asked() string {
	name := "council-" + string(b.ask.Stage)
	if b.ask.Stage == state.StageMend && b.ask.Seat != state.Strategist && b.ask.Seat != state.Moderator {
		name += "-challenge"
	}
	return text(name)
}

// beside is who is asked at once with the seat, "" where nobody is. Neither sees
// what the other says in that round.
func beside(s *state.State, seat state.Seat) state.Seat {
	switch c := s.Settings.Council; {
	case c == nil || !c.Parallel:
		return ""
	case seat == state.Critic:
		return state.Adversary
	case seat == state.Adversary:
		return state.Critic
	}
	return ""
}

// blindfolded is the state without what the other seat said in this round, where
// critic and adversary are asked at once: also who is asked again, to judge or to
// mend sees nothing of it.
func blindfolded(s state.State, ask Ask) state.State {
	other := beside(&s, ask.Seat)
	if other == "" {
		return s
	}
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
		if p.KeyBy == other && p.KeyRound == s.Round {
			shown.Key = !p.Key
		}
		s.Points = s.Points.Update(i, func(p *state.Point) { *p = shown })
	}
	for i, fact := range s.Facts.All() {
		if fact.Seat == string(other) && fact.Round == s.Round {
			s.Facts = s.Facts.Update(i, func(f *ledger.Fact) { f.Live = false })
		}
	}
	s.Notes = state.List[state.Note]{}
	return s
}

// maxBinding bounds a constraint in a prompt, in characters: no file of a
// constitution has a longer one.
const maxBinding = 400

// bindings are the constraints of the asked seat.
func (b *brief) bindings() string {
	if b.s.Settings.Council == nil {
		return ""
	}
	lines := &strings.Builder{}
	for _, c := range b.s.Settings.Council.Constitution.Constraints {
		if c.Seat != b.ask.Seat {
			continue
		}
		fmt.Fprintf(lines, "\n%s: %s", oneLine(c.ID), plain.Clip(c.Text, maxBinding))
		if c.Check != state.CheckNone {
			fmt.Fprintf(lines, " (checked by code: %s)", c.Check)
		}
	}
	if lines.Len() == 0 {
		return ""
	}
	return "\n\nWhat binds you:" + lines.String()
}

// reports are the confidences in the live claims with their reasons, and what is
// said beside their texts. What is not ours stands on lines of its own.
func (b *brief) reports() {
	if b.ask.Stage == state.StagePropose {
		return
	}
	inner := &strings.Builder{}
	for _, p := range livePoints(b.s) {
		var parts []string
		if p.Key {
			parts = append(parts, "key claim")
		}
		said := ""
		if p.Limit != "" {
			said += "   does not cover: " + clip(p.Limit) + "\n"
		}
		for _, score := range p.Scores {
			parts = append(parts, fmt.Sprintf("%s %.2f", score.Seat, score.Admitted))
			if score.Cause != "" {
				said += "   " + string(score.Seat) + " says why: " + clip(score.Cause) + "\n"
			}
		}
		if len(parts) > 0 || said != "" {
			fmt.Fprintf(inner, "%s: %s\n%s", p.ID, orNone(strings.Join(parts, "; ")), said)
		}
	}
	b.list("Confidence so far:", "confidence", inner)
}

// tested lists what was held against the live claims, the newest first, and what
// came of it: who tests them brings what is new, and who says what follows weighs it.
func (b *brief) tested() {
	switch b.ask.Stage { //nolint:exhaustive // the others answer, judge or mend what is listed for them
	case state.StageCritique, state.StageAttack, state.StageAdvise, state.StageSynthesize:
	default:
		return
	}
	inner := &strings.Builder{}
	listed := 0
	for _, p := range livePoints(b.s) {
		for _, id := range slices.Backward(p.Challenges) {
			if listed++; listed > maxListed {
				continue
			}
			c := b.s.Challenge(id)
			fmt.Fprintf(inner, "%s %s on %s, by %s, round %d, %s: %s\n", c.ID, c.Kind, p.ID, c.By, c.Round, c.Status,
				clip(c.Objection))
			if last := c.Last(); last != nil {
				fmt.Fprintf(inner, "   %s answered: %s\n", last.By, clip(last.Text))
			}
		}
	}
	if inner.Len() == 0 {
		return
	}
	b.line("What was held against them:")
	b.fence("tested", inner.String())
	if listed > maxListed {
		b.line("%d more are left out for length.", listed-maxListed)
	}
}

// mendable are the violations that the seat is to mend.
func (b *brief) mendable() {
	inner := &strings.Builder{}
	for _, breach := range unmended(b.s, b.ask.Seat) {
		fmt.Fprintf(inner, "%s, %s: %s\n", oneLine(breach.Constraint), breach.About(), within(breach.Text))
		if c := b.s.Challenge(breach.Challenge); c != nil {
			fmt.Fprintf(inner, "   you said: %s\n", within(c.Objection))
		}
	}
	b.line("What violates your constitution:")
	b.fence("violations", inner.String())
}

// validations say what the rules find of each live claim.
func (b *brief) validations() {
	inner := &strings.Builder{}
	for _, p := range livePoints(b.s) {
		v := resolver.Validate(b.s, p)
		if v.Valid() {
			fmt.Fprintf(inner, "%s stands by the rules\n", p.ID)
			continue
		}
		fmt.Fprintf(inner, "%s does not stand: %s\n", p.ID, within(strings.Join(v.Required(), "; ")))
		for _, id := range p.Challenges {
			if c := b.s.Challenge(id); c.Narrower != "" {
				fmt.Fprintf(inner, "   %s would let this stand: %s\n", c.By, within(c.Narrower))
			}
		}
	}
	if said := slices.ContainsFunc(b.s.Council.Syntheses,
		func(y state.Synthesis) bool { return y.Round < b.s.Round }); said {
		last := b.s.Council.Syntheses[len(b.s.Council.Syntheses)-1]
		fmt.Fprintf(inner, "your last synthesis (round %d): %s\n", last.Round, within(last.Text))
	}
	b.line("What the rules find:")
	b.fence("validation", inner.String())
}
