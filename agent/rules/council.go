package rules

import (
	"slices"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// The confidences that the seats of a council report. They put claims in an order
// and measure nothing: each is given with its cause.
const (
	// claimed is that of a claim that its document states, hoped of one that the
	// document itself only expects.
	confidenceClaimed = 0.85
	confidenceHoped   = 0.75
	// Those of a claim that verified text of one source supports, by seat.
	confidenceCritic    = 0.72
	confidenceAdversary = 0.68
	confidenceModerator = 0.7
	// confidenceSeveral is that of a claim that several sources say.
	confidenceSeveral = 0.8
	// confidenceDoubted is that of a supported claim that the seat has a doubt of.
	confidenceDoubted = 0.55
	// confidenceNoView is that of what no evidence can settle.
	confidenceNoView = 0.5
)

// council makes the moves of a seat of a council.
func (t *turn) council() error {
	switch t.ask.Stage { //nolint:exhaustive // a council has no others
	case state.StagePropose:
		return t.present()
	case state.StageCritique:
		return t.test(t.doubts)
	case state.StageAttack:
		return t.test(t.attacks)
	case state.StageAdvise:
		return t.test(nil)
	case state.StageAnswer, state.StageRebut, state.StageRemind:
		return t.answerCouncil()
	case state.StageJudge:
		t.judgeAnswers()
	case state.StageMend:
		return t.mend()
	case state.StageSynthesize:
		t.synthesize()
	}
	return nil
}

// tester looks for a doubt of a claim; nil where it has none.
type tester func(*state.Point) (*protocol.Challenge, error)

// test looks at each live claim that the seat has no challenge on yet, and reports
// its confidence in each where it is owed or has a cause to move.
func (t *turn) test(look tester) error {
	for _, p := range protocol.Deliberated(t.s) {
		if protocol.Answers(p, t.ask.Seat) {
			continue
		}
		doubted := t.challenged(p)
		if p.Score(t.ask.Seat) == nil && !doubted {
			switch {
			case calledValue(p):
				t.add(&protocol.Classify{Point: p.ID, Class: state.Agree, ValueJudgment: true, Reason: t.say(sayCouncilScoreValue)})
			case look != nil:
				m, err := look(p)
				if err != nil {
					return err
				}
				if m != nil {
					doubted = true
					t.add(m)
				}
			}
		}
		t.assess(p, doubted)
	}
	if len(t.moves) == 0 {
		t.flag(protocol.FlagNothing, "", t.say(sayCouncilQuiet))
	}
	return nil
}

// challenged reports whether a challenge of the seat on the claim is not settled.
func (t *turn) challenged(p *state.Point) bool {
	return slices.ContainsFunc(p.Challenges, func(id string) bool {
		c := t.s.Challenge(id)
		return c != nil && c.By == t.ask.Seat && !c.Settled()
	})
}

// assess reports the seat's confidence in a claim: where it has reported none, and
// where a verified item is a cause to move it (ST3).
func (t *turn) assess(p *state.Point, doubted bool) {
	confidence, cause, item := t.confidenceIn(p, doubted)
	if before := p.Score(t.ask.Seat); before != nil && (item == nil || before.Admitted == confidence || item.Seq < before.Seq) {
		return
	}
	t.add(&protocol.Score{Point: p.ID, Confidence: confidence, Cause: cause})
}

// confidenceIn is what the verified evidence on a claim lets the seat hold it at,
// with its cause, and the item that it names, or nil.
func (t *turn) confidenceIn(p *state.Point, doubted bool) (confidence float64, cause string, item *ledger.Evidence) {
	now := t.stands(p, "")
	switch {
	case calledValue(p):
		return confidenceNoView, t.say(sayCouncilScoreValue), nil
	case now.refutation != nil:
		return 1 - now.refutation.Confidence, t.say(sayCouncilScoreRefuted, "item", now.refutation.ID, "place", now.refutation.Reference), now.refutation
	case now.support == nil:
		return ledger.ConfidenceWord, t.say(sayCouncilScoreNone), nil
	case doubted:
		return confidenceDoubted, t.say(sayCouncilScoreDoubt), nil
	}
	if supports := t.supporting(p); len(sourcesOf(supports)) > 1 {
		last := supports[len(supports)-1]
		return confidenceSeveral, t.say(sayCouncilScoreSeveral, "item", last.ID, "sources", itoa(len(sourcesOf(supports)))), last
	}
	if t.ask.Seat == state.Adversary {
		return confidenceAdversary, t.say(sayCouncilScoreAgainst), nil
	}
	confidence = confidenceModerator
	if t.ask.Seat == state.Critic {
		confidence = confidenceCritic
	}
	return confidence, t.say(sayCouncilScore, "item", now.support.ID, "place", now.support.Reference), now.support
}

// supporting are the verified items that support a claim, in their order.
func (t *turn) supporting(p *state.Point) []*ledger.Evidence {
	var items []*ledger.Evidence
	for _, id := range p.Evidence {
		if item := t.s.Item(id); item != nil && item.Counts() && item.Relation == ledger.Supports && item.Type != ledger.Claim {
			items = append(items, item)
		}
	}
	return items
}

// sourcesOf are the distinct sources of items.
func sourcesOf(items []*ledger.Evidence) []string {
	var sources []string
	for _, item := range items {
		if source := resolver.SourceOf(item); !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
	}
	return sources
}

// forms are a claim and those that it replaces, the newest first.
func (t *turn) forms(p *state.Point) []*state.Point {
	var all []*state.Point
	for p != nil && !slices.Contains(all, p) {
		all = append(all, p)
		p = t.s.Point(p.Revises)
	}
	return all
}
