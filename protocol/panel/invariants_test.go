package panel_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/protocol/protocoltest/random"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// TestInvariants lets seats and the user move at random. It checks INV1 to INV8 after every event, and recomputes and
// replays the record at the end. There are more sessions with -rapid.checks=10000.
func TestInvariants(t *testing.T) {
	t.Parallel()
	random.Invariants(t, randomPanel)
}

// TestSentences checks each sentence of the results of random sessions (SE2).
func TestSentences(t *testing.T) {
	t.Parallel()
	random.Sentences(t, randomPanel)
}

// randomPanelists is the part of a panel: seats may be missing, the first pass is blind.
type randomPanelists struct{ random.Consultation }

func randomPanel(t *rapid.T) (*state.SessionOpened, random.Seats) {
	o := protocoltest.Opened(panel.Name, protocoltest.Panelists(rapid.IntRange(2, 5).Draw(t, "panelists")))
	o.Settings.Workspace = rapid.SampledFrom([]string{"", "/work"}).Draw(t, "workspace")
	o.Settings.Own.(*panel.Settings).Strategy = string(rapid.SampledFrom(conflict.Strategies()).Draw(t, "strategy"))
	o.Settings.Own.(*panel.Settings).Then = rapid.SampledFrom([]string{"", panel.ThenConsult}).Draw(t, "then")
	return o, randomPanelists{}
}

// Move marks the text of some claims with a word that only their seat uses.
func (randomPanelists) Move(r *random.Session, ask protocol.Ask, kind move.Kind) move.Move {
	m := r.ClaimMove(kind)
	if raised, ok := m.(*move.Raise); ok && raised.Text != "" && rapid.Bool().Draw(r.T, "marked") {
		raised.Text += " " + mark(ask.Seat)
	}
	return m
}

// Asked checks that prompts show nothing of another panelist in the first pass, and no names to a
// seat that compares or votes.
func (randomPanelists) Asked(r *random.Session, asks []protocol.Ask) {
	for _, ask := range asks {
		if r.State.Misses(ask.Seat) {
			r.Fatalf("%s is asked to %s, and is missing", ask.Seat, ask.Stage)
		}
		prompt := protocol.Of(r.State).Prompt(r.State, ask)
		switch ask.Stage { //nolint:exhaustive // the others show all
		case state.StagePropose:
			for _, a := range r.State.Seats {
				if a.Seat != ask.Seat && strings.Contains(prompt.Text, mark(a.Seat)) {
					r.Fatalf("RD1b: %s is shown what %s said:\n%s", ask.Seat, a.Seat, prompt.Text)
				}
			}
		case panel.StageTriage, panel.StageVote:
			if strings.Contains(prompt.Text, string(panel.Panelist)) {
				r.Fatalf("%s is told who said what when it is to %s:\n%s", ask.Seat, ask.Stage, prompt.Text)
			}
		}
		r.Append(prompt.Sent(ask)...)
	}
}

// mark is a word that only one seat uses.
func mark(seat state.Seat) string {
	return "mark" + strings.TrimPrefix(strings.TrimPrefix(string(seat), string(panel.Panelist)), "-") + "!"
}

func (randomPanelists) Override(r *random.Session, other protocol.UserMove) protocol.UserMove {
	if rapid.IntRange(0, 6).Draw(r.T, "of the panel") == 0 {
		return protocol.AnswerQuestion{Question: r.ID("Q", r.State.Questions.Len()), Answer: r.UserAnswer()}
	}
	return other
}

// Agreed looks at a point that is Agreed without the user's word: it has the
// evidence that its kind needs, and more than one author's word.
func (randomPanelists) Agreed(r *random.Session, p *state.Point, ruling *state.Ruling) {
	t := panel.NewTable(r.State)
	claim := t.Claim(p.ID)
	if claim == nil {
		r.Fatalf("%s is Agreed and no claim: %+v", p.ID, ruling)
	}
	firm := slices.ContainsFunc(p.Evidence, func(id string) bool {
		item := r.State.Item(id)
		return item.Proven() && item.Relation == ledger.Supports && item.Type != ledger.Claim
	})
	if !firm && resolver.KindOf(r.State, p) == state.Empirical {
		r.Fatalf("INV3: %s is empirical and Agreed without verified evidence: %+v", p.ID, ruling)
	}
	several := len(claim.Holders) > 1
	for _, id := range claim.Points {
		for _, c := range r.State.Point(id).Classes {
			several = several || !slices.Contains(claim.Holders, c.Seat)
		}
	}
	for _, c := range t.Conflicts {
		a, b := t.Sides(c)
		if a != claim && b != claim {
			continue
		}
		other := a
		if a == claim {
			other = b
		}
		// Who gave up the other side says so too; verified evidence speaks for itself.
		conceded := slices.ContainsFunc(other.Points,
			func(id string) bool { return len(r.State.Point(id).Concessions) > 0 })
		several = several || conceded || panel.Settled(c)
		if c.Kind == conflict.Contradiction && !t.Ended(c) && !panel.Settled(c) && !panel.Argued(r.State, p) {
			r.Fatalf("%s is Agreed while %s is neither settled nor ended: %+v", p.ID, c.ID, ruling)
		}
	}
	if !several {
		r.Fatalf("INV1: %s is Agreed on the word of %v alone: %+v", p.ID, claim.Holders, ruling)
	}
}

// Ended checks that no two sides of a contradiction are both Agreed,
// unless the user agreed to one of them.
func (randomPanelists) Ended(r *random.Session) {
	t := panel.NewTable(r.State)
	rulings := resolver.Rule(r.State)
	agreed := func(c *panel.Claim) (id string, byUser bool) {
		for i, ruling := range rulings {
			if p := r.State.Points.At(i); slices.Contains(c.Points, p.ID) && ruling.Bucket == state.BucketAgreed {
				return p.ID, ruling.Tag == state.TagUser
			}
		}
		return "", false
	}
	for i, c := range t.Conflicts {
		a, b := t.Sides(c)
		p, byUser := agreed(a)
		q, also := agreed(b)
		if c.Kind == conflict.Contradiction && p != "" && q != "" && !byUser && !also {
			r.Fatalf("ST6: both sides of %s are Agreed: %s and %s", c.ID, p, q)
		}
		if i > 0 && t.Conflicts[i-1].Found > c.Found {
			r.Fatalf("%s is out of order", c.ID)
		}
	}
	for i, c := range panel.Of(r.State).Conflicts.All() {
		if want := fmt.Sprintf("K%d", i+1); c.ID != want {
			r.Fatalf("%s stands in the place of %s", c.ID, want)
		}
	}
}
