package protocol

import (
	"cmp"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// disputed are what the points under deliberation and the challenges on them
// cite: the references of their evidence, and facts by id (LE7).
func (b *Brief) disputed() map[string]bool {
	cites := map[string]bool{}
	note := func(texts ...string) {
		for _, text := range texts {
			for _, id := range ids(text) {
				cites[id] = true
			}
		}
	}
	for _, p := range LivePoints(b.State) {
		note(p.Text)
		for _, id := range p.Evidence {
			cites[b.State.Item(id).Reference] = true
		}
		for _, id := range p.Challenges {
			c := b.State.Challenge(id)
			note(c.Objection, c.UpgradeIf, c.Grounds)
			for i := range c.Defenses {
				note(c.Defenses[i].Text, c.Defenses[i].Reason)
			}
		}
	}
	return cites
}

func (b *Brief) factLine(f *ledger.Fact) string {
	id := f.ID
	if f.Supersedes != "" {
		id += " (supersedes " + f.Supersedes + ")"
	}
	label, text := f.Label(), f.Text
	switch b.Ask.Stage {
	case state.StageArbiter, state.StageTriage, state.StageVote:
		label = b.unattributed(label)
		if f.Tag == ledger.TagRevision {
			text = b.unattributed(text)
		}
	case state.StageMap, state.StagePropose, state.StageEvaluate, state.StageAnswer, state.StageRemind,
		state.StageJudge, state.StageCoverage, state.StageStress,
		state.StageCritique, state.StageAttack, state.StageRebut, state.StageAdvise, state.StageMend,
		state.StageSynthesize,
		state.StageArgue, state.StageProbe, state.StageExchange, state.StageContest:
	}
	return id + " [" + OneLine(label) + "]: " + SetIn(text)
}

// unattributed takes the names of the seats out of a text that code wrote: the
// arbiter does not see who said what (AR), nor does who compares or votes (RD1b).
func (b *Brief) unattributed(text string) string {
	var names []string
	for _, a := range b.State.Seats {
		names = append(names, string(a.Seat))
	}
	// consultee-2 before consultee.
	slices.SortFunc(names, func(x, y string) int { return cmp.Or(len(y)-len(x), strings.Compare(x, y)) })
	for _, name := range names {
		text = strings.ReplaceAll(text, name, "a seat")
	}
	return strings.ReplaceAll(text, "a seat-unverified", "unverified")
}
