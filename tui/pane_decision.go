package tui

import (
	"fmt"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// decisionPane shows what code decided of the proposal: the decision and why, what
// holds it, the gates, the rounds before, and the receipts.
type decisionPane struct {
	list
	state   state.State
	items   []decisionItem
	reads   *decisions
	outcome *resolver.Outcome
	err     error
	basis   decisionBasis
	// past are the rounds before, by the places of their events: they stay as they
	// are.
	past map[int]decisionItem
}

func newDecisionPane(l *theme.Look, reads *decisions) *decisionPane {
	p := &decisionPane{list: list{look: l, at: -1}, reads: reads, past: map[int]decisionItem{}}
	p.draw = p.drawItem
	p.key = func(i int) string { return p.items[i].id }
	p.text = func(i int) string { return p.items[i].text() }
	return p
}

// setState takes over what stands now, and what code decided of it: nil where no
// round was resolved, or where the error says why that cannot be read.
func (p *decisionPane) setState(s state.State, o *resolver.Outcome, err error) {
	p.state, p.outcome, p.err = s, o, err
	if basis := basisOf(&s); basis != p.basis {
		p.basis = basis
		p.fill()
	}
}

// decisionBasis is what the view of the decision hangs on, by the places of events
// and by counts: most events of a session leave it as it is.
type decisionBasis struct {
	resolved, changed, round             int
	questions, answered, requests, given int
	paused                               state.PauseKind
	exit                                 state.Exit
}

func basisOf(s *state.State) decisionBasis {
	last := s.Dialectic.Last()
	if last == nil {
		return decisionBasis{}
	}
	b := decisionBasis{
		resolved: last.Seq, changed: resolver.ProposalChanged(s), round: s.Round, questions: s.Questions.Len(), requests: s.Requests.Len(),
		paused: s.Paused, exit: s.Exit,
	}
	for _, q := range s.Questions.All() {
		b.answered += when(q.Answered, 1, 0)
	}
	for _, r := range s.Requests.All() {
		b.given += when(r.Open(), 0, 1)
	}
	return b
}

func (p *decisionPane) setLook(l *theme.Look) {
	p.list.setLook(l)
	clear(p.past)
	p.fill()
}

// fill lists what was decided, in the present look.
func (p *decisionPane) fill() {
	p.items = nil
	if p.outcome != nil {
		d := decisionItems{decisionWords: newDecisionWords(&p.state, p.outcome), look: p.look}
		p.items = d.all(p.before())
	}
	p.setCount(len(p.items))
}

// before are the resolutions before the last one, in their order.
func (p *decisionPane) before() []decisionItem {
	var list []decisionItem
	for i := range len(p.state.Dialectic.Resolved) - 1 {
		seq := p.state.Dialectic.Resolved[i].Seq
		item, made := p.past[seq]
		if !made {
			o, err := p.reads.at(&p.state, i)
			if err != nil {
				continue
			}
			item = roundItem(p.look, &p.state, o, seq)
			p.past[seq] = item
		}
		list = append(list, item)
	}
	return list
}

// rounds is how many rounds there can be.
func (p *decisionPane) rounds() int {
	if p.outcome != nil {
		return p.outcome.Rounds
	}
	return resolver.LastRound(&p.state)
}

func (p *decisionPane) title() string {
	if p.outcome != nil {
		return fmt.Sprintf("%s %s", PaneDecision, p.outcome.Decision)
	}
	return PaneDecision.String()
}

func (p *decisionPane) view(width, height int) []string {
	if p.n > 0 {
		return p.rowsOrEmpty(width, height, "")
	}
	return fit(p.look.Paragraph(width, []theme.Span{{Text: "  "}}, p.look.Faint.Span(p.nothing()), nil, 0), width, height)
}

// nothing says why there is no decision to show.
func (p *decisionPane) nothing() string {
	switch {
	case p.err != nil:
		return "The decision cannot be shown: " + p.err.Error() + ". The record holds it as it was written; moot verify checks it."
	case p.state.Over():
		return "The session ended before a round was resolved."
	}
	return "No round is resolved yet. At the end of each round code decides: ADVANCE, HOLD or ESCALATE."
}

// drawItem draws an item behind the mark; a headline takes the whole width.
func (p *decisionPane) drawItem(i, width int, mark theme.Span) []string {
	if width <= 0 {
		return []string{""}
	}
	item := &p.items[i]
	var rows []string
	blocks := item.blocks()
	for k := range blocks {
		b := &blocks[k]
		if b.section != "" {
			rows = append(rows, b.rows(p.look, width, i == 0)...)
			continue
		}
		for _, row := range b.rows(p.look, width-1, true) {
			rows = append(rows, when(len(rows) == 0, mark.Style.Paint(mark.Text), " ")+row)
		}
	}
	return rows
}

// copied is the text of what is selected, of a receipt with its whole hash.
func (p *decisionPane) copied() string {
	if p.at >= 0 && p.at < p.n && p.items[p.at].copies != nil {
		return p.items[p.at].copies()
	}
	return p.list.copied()
}
