package panel

import (
	"cmp"
	_ "embed" // for prompts.md
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/state"
)

//go:embed prompts.md
var prompts string

// text returns an embedded prompt text.
func text(name string) string { return protocol.PromptText(prompts, name) }

// Prompt implements Format. Prompts for marks and votes don't say who gave which answer.
// All other stages use the prompts of a consultation.
func (Format) Prompt(s *state.State, ask protocol.Ask) protocol.Prompt {
	if ask.Stage == state.StageConclude {
		return claims.PromptAnswer(s, ask, prompts)
	}
	if ask.Stage != state.StagePropose && ask.Stage != StageTriage && ask.Stage != StageVote && !isHearing(s, ask) {
		return claims.NewPrompt(s, ask, prompts).Whole(roleOf(ask.Seat))
	}
	b := claims.NewPrompt(s, ask, prompts)
	b.Anonymous = ask.Stage != state.StagePropose
	role := text("role-orchestrator")
	if ask.Seat != state.Orchestrator {
		role = roleOf(ask.Seat)
	}
	b.Begin(text("preamble"), role)
	if ask.Stage != StageTriage {
		b.Commands()
	}
	b.Anchor()
	b.Facts()
	if ask.Stage == StageTriage {
		unattributedPoints(b)
	}
	if ask.Stage == StageVote {
		listConflicts(b)
	}
	instructions := string(ask.Stage)
	if isHearing(s, ask) {
		listEvidenceAgainst(b)
		if instructions = "hear"; ask.Seat == state.Orchestrator {
			instructions = "weigh"
		}
	}
	b.LastReply()
	b.Line("%s", text(instructions))
	return b.Within()
}

// unattributedPoints lists the claims without their authors, and the pairs that the word
// measure suggests. The measure never marks a pair.
func unattributedPoints(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	for _, p := range claims.LivePoints(b.State) {
		listPoint(inner, "", b.State, p)
	}
	b.Line("What the answers say:")
	b.Fence("points", inner.String())
	// Suggest the most similar pairs.
	const most = 40
	pairs := unmarked(b.State)
	slices.SortStableFunc(pairs, func(a, b likelyPair) int { return cmp.Compare(b.likeness, a.likeness) })
	var likely []string
	for _, pair := range pairs[:min(len(pairs), most)] {
		how := pair.a + " and " + pair.b
		if pair.opposed {
			how += " (perhaps opposed)"
		}
		likely = append(likely, how)
	}
	if len(likely) > 0 {
		b.Line("Likely pairs, by their words alone: %s.", strings.Join(likely, "; "))
	}
}

// listConflicts lists the conflicts in which the seat hasn't taken a side.
func listConflicts(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	t := NewTable(b.State)
	for _, c := range undeclaredBy(t, b.Ask.Seat) {
		fmt.Fprintf(inner, "%s:\n", c.ID)
		for _, side := range t.between[c.ID] {
			listPoint(inner, "   ", b.State, b.State.Point(side.Points[0]))
		}
	}
	b.Line("Conflicts between the answers on which yours takes no side:")
	b.Fence("conflicts", inner.String())
}

// listPoint writes a point with its verified evidence.
func listPoint(to *strings.Builder, indent string, s *state.State, p *state.Point) {
	fmt.Fprintf(to, "%s%s: %s\n", indent, p.ID, plain.Indent(p.Text))
	for _, id := range p.Evidence {
		if item := s.Item(id); item.Proven() {
			fmt.Fprintf(to, "%s   %s %s it (checked): %s %s\n", indent, item.ID, item.Relation,
				plain.OneLine(item.Reference), plain.Short(item.Excerpt))
		}
	}
}

// roleOf returns the role text of a seat.
func roleOf(seat state.Seat) string {
	if IsPanelist(seat) {
		return strings.ReplaceAll(text("role-panelist"), "{{seat}}", string(seat))
	}
	return claims.RoleText(seat)
}
