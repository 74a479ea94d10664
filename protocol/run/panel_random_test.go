package run

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// randomPanel adds the panel's part to a random session.
type randomPanel struct {
	// missed counts the seats that could not be reached.
	missed int
}

// more is how many more calls a panel makes than a consultation: its seats are
// more, and those that are missing are asked again.
func (p *randomPanel) more() int {
	if p == nil {
		return 0
	}
	return 400
}

// TestRandomPanels makes random moves of panelists, orchestrator and user, with missing seats. It checks
// invariants after every event, recomputes and replays the record at the end, and resumes from a random event.
func TestRandomPanels(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := asksSeveral(rapid.IntRange(2, 5).Draw(rt, "panelists"))
		o.Settings.Attended = rapid.Bool().Draw(rt, "attended")
		o.Settings.Workspace = rapid.SampledFrom([]string{"", "/work"}).Draw(rt, "workspace")
		o.Settings.Panel.Strategy = string(rapid.SampledFrom(conflict.Strategies()).Draw(rt, "strategy"))
		o.Settings.Panel.Then = rapid.SampledFrom([]string{"", state.ThenConsult}).Draw(rt, "then")
		r := &randomSession{
			t: rt, format: panel.Format{}, ruler: resolver.NewRuler(), tags: map[string]ledger.Tag{},
			leave: map[string]bool{}, panel: &randomPanel{},
		}
		r.append(o)
		if rapid.Bool().Draw(rt, "allow") {
			r.append(&state.CommandsAllowed{Patterns: []string{"go vet ..."}, By: state.User})
		}
		r.drive()
		r.consensus()
		r.recomputed()
	})
}

// missing draws that a seat cannot be reached; now and then it may, as often as a
// session bears.
func (r *randomSession) missing(ask protocol.Ask) bool {
	if r.panel.missed >= 6 || rapid.IntRange(0, 14).Draw(r.t, "missing") > 0 {
		return false
	}
	r.panel.missed++
	r.append(&state.SeatMissed{Seat: ask.Seat, Stage: ask.Stage, Reason: "connection refused"})
	return true
}

// shown records the prompts, and looks at what they show: in the first pass
// nothing of another panelist, and to who compares or votes no names.
func (r *randomSession) shown(asks []protocol.Ask) {
	if r.council != nil {
		r.council.shown(r, asks)
	}
	if r.hearing != nil {
		r.hearing.shown(r, asks)
	}
	if r.panel == nil {
		return
	}
	for _, ask := range asks {
		if r.s.Panel.Misses(ask.Seat) {
			r.t.Fatalf("%s is asked to %s, and is missing", ask.Seat, ask.Stage)
		}
		prompt := r.format.Prompt(r.s, ask)
		switch ask.Stage { //nolint:exhaustive // the others show all
		case state.StagePropose:
			for _, a := range r.s.Seats {
				if a.Seat != ask.Seat && strings.Contains(prompt.Text, mark(a.Seat)) {
					r.t.Fatalf("RD1b: %s is shown what %s said:\n%s", ask.Seat, a.Seat, prompt.Text)
				}
			}
		case state.StageTriage, state.StageVote:
			if strings.Contains(prompt.Text, string(state.Panelist)) {
				r.t.Fatalf("%s is told who said what when it is to %s:\n%s", ask.Seat, ask.Stage, prompt.Text)
			}
		}
		r.append(&state.PromptSent{Seat: ask.Seat, Stage: ask.Stage, Text: prompt.Text, Omitted: []string{}})
	}
}

// mark is a word that only one seat uses.
func mark(seat state.Seat) string {
	return "mark" + strings.TrimPrefix(strings.TrimPrefix(string(seat), string(state.Panelist)), "-") + "!"
}

// panelUser draws a move of the user's in a panel, or leaves the drawn one.
func (r *randomSession) panelUser(other protocol.UserMove) protocol.UserMove {
	switch rapid.IntRange(0, 6).Draw(r.t, "of the panel") {
	case 0, 1:
		return protocol.MarkPair{
			A: r.point(), B: r.point(), Same: rapid.Bool().Draw(r.t, "same"),
			Opposed: rapid.Bool().Draw(r.t, "opposed"), Alike: rapid.Bool().Draw(r.t, "alike"),
		}
	case 2:
		return protocol.ArgueConflict{Conflict: r.id("K", r.s.Panel.Conflicts.Len())}
	case 3:
		return protocol.AnswerQuestion{Question: r.id("Q", r.s.Questions.Len()), Answer: r.userAnswer()}
	}
	return other
}

// panelAgreed looks at a point that is Agreed without the user's word: it has the
// evidence that its kind needs, and more than one author's word.
func (r *randomSession) panelAgreed(p *state.Point, ruling *state.Ruling) {
	t := panel.NewTable(&r.s)
	claim := t.Claim(p.ID)
	if claim == nil {
		r.t.Fatalf("%s is Agreed and no claim: %+v", p.ID, ruling)
	}
	firm := slices.ContainsFunc(p.Evidence, func(id string) bool {
		item := r.s.Item(id)
		return item.Counts() && item.Relation == ledger.Supports && item.Type != ledger.Claim
	})
	if !firm && !resolver.IsValue(&r.s, p) {
		r.t.Fatalf("INV3: %s is empirical and Agreed without verified evidence: %+v", p.ID, ruling)
	}
	several := len(claim.Holders) > 1
	for _, id := range claim.Points {
		for _, c := range r.s.Point(id).Classes {
			several = several || !slices.Contains(claim.Holders, c.Seat)
		}
	}
	for _, c := range t.Conflicts() {
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
			func(id string) bool { return len(r.s.Point(id).Concessions) > 0 })
		several = several || conceded || panel.Settled(c)
		if c.Kind == state.Contradiction && !t.Ended(c) && !panel.Settled(c) && !panel.Argued(&r.s, p) {
			r.t.Fatalf("%s is Agreed while %s is neither settled nor ended: %+v", p.ID, c.ID, ruling)
		}
	}
	if !several {
		r.t.Fatalf("INV1: %s is Agreed on the word of %v alone: %+v", p.ID, claim.Holders, ruling)
	}
}

// consensus looks at the end: no two sides of a contradiction are both Agreed,
// unless the user agreed to one of them.
func (r *randomSession) consensus() {
	t := panel.NewTable(&r.s)
	rulings := resolver.Rule(r.s)
	agreed := func(c *panel.Claim) (id string, byUser bool) {
		for i, ruling := range rulings {
			if p := r.s.Points.At(i); slices.Contains(c.Points, p.ID) && ruling.Bucket == state.BucketAgreed {
				return p.ID, ruling.Tag == state.TagUser
			}
		}
		return "", false
	}
	for i, c := range t.Conflicts() {
		a, b := t.Sides(c)
		p, byUser := agreed(a)
		q, also := agreed(b)
		if c.Kind == state.Contradiction && p != "" && q != "" && !byUser && !also {
			r.t.Fatalf("ST6: both sides of %s are Agreed: %s and %s", c.ID, p, q)
		}
		if i > 0 && t.Conflicts()[i-1].Found > c.Found {
			r.t.Fatalf("%s is out of order", c.ID)
		}
	}
	for i, c := range r.s.Panel.Conflicts.All() {
		if want := fmt.Sprintf("K%d", i+1); c.ID != want {
			r.t.Fatalf("%s stands in the place of %s", c.ID, want)
		}
	}
}

// recomputed checks the record: what was stored and read again verifies, and gives
// the same turn behind each event.
func (r *randomSession) recomputed() {
	var stored []state.Event
	var live, again state.State
	decoder := state.NewDecoder(formats.Rules()...)
	for _, e := range r.events {
		data, err := json.Marshal(e.Data)
		if err != nil {
			r.t.Fatal(err)
		}
		read := e
		if read.Data, err = decoder.Decode(e.Data.Kind(), data); err != nil {
			r.t.Fatal(err)
		}
		stored = append(stored, read)
		if live, err = state.Apply(live, e); err != nil {
			r.t.Fatal(err)
		}
		if again, err = state.Apply(again, read); err != nil {
			r.t.Fatal(err)
		}
		next := r.format.Next(live)
		if len(next.Events) > 0 {
			continue
		}
		if here, there := fmt.Sprintf("%+v", next), fmt.Sprintf("%+v", r.format.Next(again)); here != there {
			r.t.Fatalf("after event %d, %s:\n%s\nand replayed:\n%s", e.Seq, e.Data.Kind(), here, there)
		}
	}
	end, err := resolver.Verify(stored)
	if err != nil {
		r.t.Fatal(err)
	}
	if here, there := resolver.Digest(resolver.Rule(r.s)), resolver.Digest(resolver.Rule(end)); here != there {
		r.t.Fatal("replayed, the rulings differ")
	}
}
