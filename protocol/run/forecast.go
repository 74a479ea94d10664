package run

import "moot/protocol"

// Priced is a participant that knows what its calls cost.
type Priced interface {
	// Estimate is the cost of a prompt of so many tokens in US dollars, without
	// the reply, and whether a price is known.
	Estimate(promptTokens int) (dollars float64, known bool)
}

// forecast tells, once a round, what it costs at least, before its first call
// goes out and after all that came before it was told.
func (r *Session) forecast(asks []protocol.Ask) {
	if r.foretold == r.State.Round {
		return
	}
	r.foretold = r.State.Round
	f := protocol.Forecast{Round: r.State.Round, Priced: true}
	tokens := 0
	for _, ask := range protocol.Of(&r.State).Least(r.State, asks) {
		p := r.Participants[ask.Seat]
		if p == nil || p.Modelless() {
			continue
		}
		if tokens == 0 {
			// Each prompt carries the whole position, so one tells the size of all.
			prompt := r.prompt(asks[0])
			tokens = size(&prompt)
		}
		f.Calls, f.Tokens = f.Calls+1, f.Tokens+tokens
		dollars, known := estimate(p, tokens)
		f.Cost, f.Priced = f.Cost+dollars, f.Priced && known
	}
	if f.Calls > 0 {
		r.Watch(f)
	}
}

// estimate is what a prompt of so many tokens costs a participant in US dollars, 0
// where that is not known.
func estimate(p protocol.Participant, tokens int) (dollars float64, known bool) {
	if priced, ok := p.(Priced); ok {
		return priced.Estimate(tokens)
	}
	return 0, false
}

// within are those of the asks that go out now. Where a cap on tokens or cost is
// near, that is only as many as the prompts before them leave room for: calls side by
// side overrun a cap by no more than they would one after the other (EX6). The format
// asks for the others once these have answered.
func (r *Session) within(asks []protocol.Ask) []protocol.Ask {
	s := &r.State
	if len(asks) < 2 || s.MaxTokens == 0 && s.MaxCost == 0 {
		return asks
	}
	tokens, cost := s.Usage.PromptTokens+s.Usage.CompletionTokens, s.Usage.Cost
	for i, ask := range asks {
		if i > 0 && (s.MaxTokens > 0 && tokens >= s.MaxTokens || s.MaxCost > 0 && cost >= s.MaxCost) {
			return asks[:i]
		}
		if p := r.Participants[ask.Seat]; p != nil && !p.Modelless() {
			prompt := r.prompt(ask)
			dollars, _ := estimate(p, size(&prompt))
			tokens, cost = tokens+size(&prompt), cost+dollars
		}
	}
	return asks
}
