package rules

import (
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

const (
	// maxPoints is the maximum number of passages per reply, and maxPerSearch per option or view if there are
	// several.
	maxPoints    = 5
	maxPerSearch = 2
	// nearBest is the minimum score of the other passages, as a share of the best one's.
	nearBest = 0.4
	// quoted is the maximum length of a quote in a point, in bytes.
	quoted = 240
)

// consult makes the moves of a consultation: it raises passages that answer the question, and otherwise does the
// minimum that the protocol requires.
func (t *turn) consult() error {
	switch t.ask.Stage { //nolint:exhaustive // in other stages rules stay silent
	case state.StageMap:
		t.flag(move.FlagShape, "passages that share words with the question, quoted with file and line")
	case state.StagePropose:
		return t.propose()
	case state.StageCoverage:
		t.flag(move.FlagNothing, "built-in rules see no further points")
	case state.StageEvaluate, state.StageJudge:
		for _, id := range t.due.Triage {
			t.add(&move.Triage{Point: id, Scope: state.InScope, Reason: "built-in rules keep every point"})
		}
		return t.cite()
	case state.StageAnswer, state.StageRemind:
		t.answer()
		return t.cite()
	}
	return nil
}

// query is one search of a proposal.
type query struct{ text, option, about string }

// searches returns the searches for the framing.
func (t *turn) searches() []query {
	in := &t.s.Settings.Input
	var all []query
	switch t.s.Settings.Framing { //nolint:exhaustive // the others ask the question alone
	case state.FramingCompare:
		for _, option := range in.Options {
			about := `On the option "` + plain.Clip(option, quoted) + `", `
			all = append(all, query{text: option, option: option, about: about})
		}
		return all
	case state.FramingSynthesize:
		for _, view := range in.Views {
			all = append(all, query{text: view.Text, about: "On the view of " + plain.Clip(view.Name, quoted) + ", "})
		}
		return all
	case state.FramingPosition, state.FramingSteelman:
		return []query{{text: t.question()}, {text: in.Position}}
	default:
		return []query{{text: t.question()}}
	}
}

// question is the anchor with the reading that the user consented to.
func (t *turn) question() string { return strings.TrimSpace(t.s.Question + " " + t.s.Reading) }

// propose raises the passages that bear on the question. Each point claims no more than that these lines exist.
func (t *turn) propose() error {
	searches, raised := t.searches(), 0
	for _, search := range searches {
		found, err := t.source.find(t.ctx, search.text, 3*maxPoints)
		if err != nil {
			return err
		}
		most := maxPoints
		if len(searches) > 1 {
			most = maxPerSearch
		}
		best, taken := 0.0, 0
		for i := range found {
			p := &found[i]
			best = max(best, p.score)
			full := taken == most || raised == claims.MaxInScope
			if full || p.score < nearBest*best || repeatsQuestion(search.text, p.text) || t.raisedAt(p) {
				continue
			}
			confidence := ledger.ConfidenceInPlace
			quote := plain.Clip(plain.Line(strings.Join(strings.Fields(p.text), " ")), quoted)
			t.add(&move.Raise{
				Text:  search.about + p.reference() + ` says: "` + quote + `"`,
				Label: move.LabelEvidence, Confidence: &confidence, Option: search.option,
				Citations: []move.Citation{{Reference: p.reference(), Quote: p.text, Relation: ledger.Supports}},
			})
			taken++
			raised++
		}
	}
	if raised == 0 {
		t.flag(move.FlagNothing, t.source.nothing())
	}
	return nil
}

// repeatsQuestion reports whether a text only asks the same question, as in a list of example questions.
func repeatsQuestion(question, text string) bool {
	asked := resolver.Normalized(question)
	return strings.Contains(asked, " ") && strings.Contains(resolver.Normalized(text), asked)
}

// raisedAt reports whether a passage, one that shares lines with it, or another with the same words was raised before.
func (t *turn) raisedAt(p *passage) bool {
	for _, item := range t.s.Evidence.All() {
		if p.overlaps(item.Reference) {
			return true
		}
	}
	return slices.ContainsFunc(t.moves, func(m move.Move) bool {
		r, ok := m.(*move.Raise)
		return ok && (p.overlaps(r.Citations[0].Reference) ||
			resolver.Normalized(r.Citations[0].Quote) == resolver.Normalized(p.text))
	})
}

// answer concedes doubted points of the participant: rules quote and do not argue. Only the user can give up a point
// of the user's.
func (t *turn) answer() {
	for _, id := range t.due.Answer {
		c := t.s.Challenge(id)
		if p := t.s.Point(c.Point); p.IsAuthor(t.ask.Seat) {
			const reason = "built-in rules quote and do not argue: others decide whether the passage fits the question"
			t.add(&move.Concede{Challenge: id, Reason: reason})
		} else {
			const text = "built-in rules do not argue: the point stays as you stated it"
			t.add(&move.Defend{Challenge: id, Text: text})
		}
	}
}

// cite searches for evidence that was requested for points that the seat defends, including the user's.
func (t *turn) cite() error {
	for _, r := range t.due.Requests {
		p := t.s.Live(r.Point)
		if r.Kind != state.RequestEvidence || p == nil || !slices.Contains(p.Defenders(), t.ask.Seat) {
			continue
		}
		found, err := t.source.find(t.ctx, p.Text, maxPerSearch)
		if err != nil {
			return err
		}
		for i := range found {
			one := &found[i]
			offered := func(id string) bool {
				item := t.s.Item(id)
				return item != nil && one.overlaps(item.Reference)
			}
			if slices.ContainsFunc(p.Evidence, offered) {
				continue
			}
			t.add(&move.Cite{
				Point: p.ID, Label: move.LabelEvidence,
				Citation: move.Citation{Reference: one.reference(), Quote: one.text, Relation: ledger.Supports},
			})
		}
	}
	return nil
}
