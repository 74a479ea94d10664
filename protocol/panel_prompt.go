package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
)

// Prompt implements Format. Marks and votes are asked for without saying whose
// the answers are; all else is asked as in a consultation.
func (Panel) Prompt(s state.State, ask Ask) Prompt {
	if ask.Stage != state.StagePropose && ask.Stage != state.StageTriage && ask.Stage != state.StageVote {
		return Consult{}.Prompt(s, ask)
	}
	b := &brief{s: &s, ask: ask}
	system := strings.ReplaceAll(text("panel-preamble"), "{{nonce}}", s.Settings.Nonce) + "\n\n" +
		strings.ReplaceAll(text("panel-role-"+b.panelRole()), "{{seat}}", string(ask.Seat)) + "\n\n" +
		formText(ask.Moves)
	if ask.Stage != state.StageTriage {
		system += b.commands()
	}
	b.anchor()
	head := b.take()
	if ask.Stage == state.StageTriage {
		b.unattributedPoints()
	}
	if ask.Stage == state.StageVote {
		b.contested()
	}
	b.lastReply()
	b.line("%s", text("panel-"+string(ask.Stage)))
	tail := b.take()
	return b.within(system, head, tail)
}

func (b *brief) panelRole() string {
	if b.ask.Seat == state.Orchestrator {
		return "orchestrator"
	}
	return "panelist"
}

// unattributedPoints lists what was said, not by whom, and which pairs the word
// measure proposes: it never marks any.
func (b *brief) unattributedPoints() {
	inner := &strings.Builder{}
	for _, p := range livePoints(b.s) {
		fmt.Fprintf(inner, "%s: %s\n", p.ID, within(p.Text))
	}
	b.line("What the answers say:")
	b.fence("points", inner.String())
	var likely []string
	for _, pair := range Likely(b.s) {
		how := fmt.Sprintf("%s and %s", pair.A, pair.B)
		if pair.Opposed {
			how += " (perhaps opposed)"
		}
		likely = append(likely, how)
	}
	if len(likely) > 0 {
		b.line("Likely pairs, by their words alone: %s.", strings.Join(likely, "; "))
	}
}

// LikelyPair is a pair of points of different panelists that may be on one
// subject.
type LikelyPair struct {
	A, B string
	// Likeness is the word measure of the two, 0 to 1.
	Likeness float64
	// Opposed says that they seem to say the opposite of each other.
	Opposed bool
}

// maxLikely bounds the pairs that are proposed: the likest stay.
const maxLikely = 40

// Likely proposes the pairs that an orchestrator should look at first: what shares
// words, and what seems to say the opposite, the likest first (RD1b).
func Likely(s *state.State) []LikelyPair {
	var found []LikelyPair
	points := livePoints(s)
	statements := statementsOf(points)
	for i, p := range points {
		for j, q := range points[i+1:] {
			mine, theirs := statements[i], statements[i+1+j]
			pair := LikelyPair{p.ID, q.ID, mine.Similarity(theirs), mine.Opposes(theirs)}
			if (pair.Likeness >= resolver.SameSubject || pair.Opposed) && !sameAuthors(p, q) && !paired(s, p, q) {
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

// contested lists the conflicts in which the seat has not taken a side.
func (b *brief) contested() {
	inner := &strings.Builder{}
	t := resolver.NewTable(b.s)
	for _, c := range undeclared(t, b.s, b.ask.Seat) {
		left, right := t.Sides(c)
		fmt.Fprintf(inner, "%s:\n", c.ID)
		for _, side := range []*resolver.Claim{left, right} {
			p := b.s.Point(side.Points[0])
			fmt.Fprintf(inner, "   %s: %s\n", p.ID, within(p.Text))
			for _, id := range p.Evidence {
				if item := b.s.Item(id); item.Counts() {
					fmt.Fprintf(inner, "      %s %s it (checked): %s %s\n", item.ID, item.Relation,
						oneLine(item.Reference), clip(item.Excerpt))
				}
			}
		}
	}
	b.line("Where the answers conflict, and yours says nothing of it:")
	b.fence("conflicts", inner.String())
}

// contestedFor are the points that a seat is asked to take a side on.
func contestedFor(s *state.State, seat state.Seat) []string {
	var ids []string
	t := resolver.NewTable(s)
	for _, c := range undeclared(t, s, seat) {
		a, b := t.Sides(c)
		for _, id := range []string{a.Points[0], b.Points[0]} {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
