package pane

import (
	"fmt"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// Decision shows what code decided of the proposal: the decision and why, what
// holds it, the gates, the rounds before, and the receipts.
type Decision struct {
	List
	state   state.State
	items   []decisionItem
	Reads   *Decisions
	Outcome *resolver.Outcome
	err     error
	basis   decisionBasis
	// past are the rounds before, by the places of their events: they stay as they
	// are.
	past map[int]decisionItem
}

func NewDecision(l *theme.Look, reads *Decisions) *Decision {
	p := &Decision{List: List{Look: l, At: -1}, Reads: reads, past: map[int]decisionItem{}}
	p.Draw = p.drawItem
	p.Key = func(i int) string { return p.items[i].ID }
	p.Text = func(i int) string { return p.items[i].text() }
	return p
}

// SetState takes over what stands now, and what code decided of it: nil where no
// round was resolved, or where the error says why that cannot be read.
func (p *Decision) SetState(s state.State, o *resolver.Outcome, err error) {
	p.state, p.Outcome, p.err = s, o, err
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

func (p *Decision) SetLook(l *theme.Look) {
	p.List.SetLook(l)
	clear(p.past)
	p.fill()
}

// fill lists what was decided, in the present look.
func (p *Decision) fill() {
	p.items = nil
	if p.Outcome != nil {
		d := decisionItems{decisionWords: newDecisionWords(&p.state, p.Outcome), look: p.Look}
		p.items = d.all(p.before())
	}
	p.SetCount(len(p.items))
}

// before are the resolutions before the last one, in their order.
func (p *Decision) before() []decisionItem {
	var list []decisionItem
	for i := range len(p.state.Dialectic.Resolved) - 1 {
		seq := p.state.Dialectic.Resolved[i].Seq
		item, made := p.past[seq]
		if !made {
			o, err := p.Reads.at(&p.state, i)
			if err != nil {
				continue
			}
			item = roundItem(p.Look, &p.state, o, seq)
			p.past[seq] = item
		}
		list = append(list, item)
	}
	return list
}

// Rounds is how many rounds there can be.
func (p *Decision) Rounds() int {
	if p.Outcome != nil {
		return p.Outcome.Rounds
	}
	return resolver.LastRound(&p.state)
}

func (p *Decision) Title() string {
	if p.Outcome != nil {
		return fmt.Sprintf("%s %s", DecisionID, p.Outcome.Decision)
	}
	return DecisionID.String()
}

func (p *Decision) View(width, height int) []string {
	if p.N > 0 {
		return p.RowsOrEmpty(width, height, "")
	}
	return Fit(p.Look.Paragraph(width, []theme.Span{{Text: "  "}}, p.Look.Faint.Span(p.nothing()), nil, 0), width, height)
}

// nothing says why there is no decision to show.
func (p *Decision) nothing() string {
	switch {
	case p.err != nil:
		return "The decision cannot be shown: " + p.err.Error() + ". The record holds it as it was written; moot verify checks it."
	case p.state.Over():
		return "The session ended before a round was resolved."
	}
	return "No round is resolved yet. At the end of each round code decides: ADVANCE, HOLD or ESCALATE."
}

// drawItem draws an item behind the mark; a headline takes the whole width.
func (p *Decision) drawItem(i, width int, mark theme.Span) []string {
	if width <= 0 {
		return []string{""}
	}
	item := &p.items[i]
	var rows []string
	blocks := item.blocks()
	for k := range blocks {
		b := &blocks[k]
		if b.Section != "" {
			rows = append(rows, b.Rows(p.Look, width, i == 0)...)
			continue
		}
		for _, row := range b.Rows(p.Look, width-1, true) {
			rows = append(rows, when(len(rows) == 0, mark.Style.Paint(mark.Text), " ")+row)
		}
	}
	return rows
}

// Copied is the text of what is selected, of a receipt with its whole hash.
func (p *Decision) Copied() string {
	if p.At >= 0 && p.At < p.N && p.items[p.At].copies != nil {
		return p.items[p.At].copies()
	}
	return p.List.Copied()
}
