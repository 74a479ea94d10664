package panel

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

//go:embed prompts/*.md
var prompts embed.FS

// text returns an embedded prompt text.
func text(name string) string { return protocol.PromptText(prompts, name) }

// Prompt implements Format. Prompts for marks and votes don't say who gave which answer.
// All other stages use the prompts of a consultation.
func (Format) Prompt(s state.State, ask protocol.Ask) protocol.Prompt {
	if ask.Stage != state.StagePropose && ask.Stage != state.StageTriage && ask.Stage != state.StageVote {
		return protocol.PromptClaims(s, ask, roleOf(ask.Seat))
	}
	b := &protocol.Brief{State: &s, Ask: ask}
	system := strings.ReplaceAll(text("preamble"), "{{nonce}}", s.Settings.Nonce) + "\n\n" +
		strings.ReplaceAll(text("role-"+panelRole(b)), "{{seat}}", string(ask.Seat)) + "\n\n" +
		protocol.ReplyForm(ask.Moves)
	if ask.Stage != state.StageTriage {
		system += b.Commands()
	}
	b.Anchor()
	head := b.Take()
	if ask.Stage == state.StageTriage {
		unattributedPoints(b)
	}
	if ask.Stage == state.StageVote {
		listConflicts(b)
	}
	b.LastReply()
	b.Line("%s", text(""+string(ask.Stage)))
	tail := b.Take()
	return b.Within(system, head, tail)
}

func panelRole(b *protocol.Brief) string {
	if b.Ask.Seat == state.Orchestrator {
		return "orchestrator"
	}
	return "panelist"
}

// unattributedPoints lists the claims without their authors, and the pairs that the word
// measure suggests. The measure never marks a pair.
func unattributedPoints(b *protocol.Brief) {
	inner := &strings.Builder{}
	for _, p := range protocol.LivePoints(b.State) {
		fmt.Fprintf(inner, "%s: %s\n", p.ID, protocol.SetIn(p.Text))
	}
	b.Line("What the answers say:")
	b.Fence("points", inner.String())
	var likely []string
	for _, pair := range Likely(b.State) {
		how := fmt.Sprintf("%s and %s", pair.A, pair.B)
		if pair.Opposed {
			how += " (perhaps opposed)"
		}
		likely = append(likely, how)
	}
	if len(likely) > 0 {
		b.Line("Likely pairs, by their words alone: %s.", strings.Join(likely, "; "))
	}
}

// LikelyPair is a pair of points of different panelists that may be on one
// subject.
type LikelyPair struct {
	A, B string
	// Likeness is the word measure of the pair, 0 to 1.
	Likeness float64
	// Opposed reports that they seem to say the opposite of each other.
	Opposed bool
}

// maxLikely limits the suggested pairs to the most similar ones.
const maxLikely = 40

// Likely returns the pairs that an orchestrator should look at first: those that share
// words or seem to say the opposite, most similar first (RD1b).
func Likely(s *state.State) []LikelyPair {
	var found []LikelyPair
	points := protocol.LivePoints(s)
	statements := statementsOf(points)
	for i, p := range points {
		for j, q := range points[i+1:] {
			mine, theirs := statements[i], statements[i+1+j]
			pair := LikelyPair{p.ID, q.ID, mine.Similarity(theirs), mine.Opposes(theirs)}
			if (pair.Likeness >= resolver.SameSubject || pair.Opposed) && !sameAuthors(p, q) && !protocol.Paired(s, p, q) {
				found = append(found, pair)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b LikelyPair) int {
		switch {
		case a.Likeness > b.Likeness:
			return -1
		case a.Likeness < b.Likeness:
			return 1
		}
		return 0
	})
	return found[:min(len(found), maxLikely)]
}

// listConflicts lists the conflicts in which the seat hasn't taken a side.
func listConflicts(b *protocol.Brief) {
	inner := &strings.Builder{}
	t := NewTable(b.State)
	for _, c := range undeclaredBy(t, b.State, b.Ask.Seat) {
		left, right := t.Sides(c)
		fmt.Fprintf(inner, "%s:\n", c.ID)
		for _, side := range []*Claim{left, right} {
			p := b.State.Point(side.Points[0])
			fmt.Fprintf(inner, "   %s: %s\n", p.ID, protocol.SetIn(p.Text))
			for _, id := range p.Evidence {
				if item := b.State.Item(id); item.Counts() {
					fmt.Fprintf(inner, "      %s %s it (checked): %s %s\n", item.ID, item.Relation,
						protocol.OneLine(item.Reference), protocol.Clip(item.Excerpt))
				}
			}
		}
	}
	b.Line("Where the answers conflict, and yours says nothing of it:")
	b.Fence("conflicts", inner.String())
}

// contestedFor returns the points on which a seat is asked to take a side.
func contestedFor(s *state.State, seat state.Seat) []string {
	var ids []string
	t := NewTable(s)
	for _, c := range undeclaredBy(t, s, seat) {
		a, b := t.Sides(c)
		for _, id := range []string{a.Points[0], b.Points[0]} {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// roleOf returns the role text of a seat.
func roleOf(seat state.Seat) string {
	if seat.IsPanelist() {
		return strings.ReplaceAll(text("role-panelist"), "{{seat}}", string(seat))
	}
	return protocol.RoleText(seat)
}
