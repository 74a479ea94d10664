package run

import "moot/protocol"

// Priced is a participant that knows the price of its calls.
type Priced interface {
	// Estimate returns the cost of a prompt in US dollars, without the reply, and whether
	// the price is known.
	Estimate(promptTokens int) (dollars float64, known bool)
}

// forecast reports the minimum cost of a round once, before its first call.
func (r *Session) forecast(asks []protocol.Ask) {
	if r.forecastRound == r.State.Round {
		return
	}
	r.forecastRound = r.State.Round
	f := protocol.Forecast{Round: r.State.Round, Priced: true}
	tokens := 0
	for _, ask := range protocol.Of(&r.State).Least(r.State, asks) {
		p := r.Participants[ask.Seat]
		if p == nil || p.Modelless() {
			continue
		}
		if tokens == 0 {
			// Every prompt contains the whole position, so one size estimates all.
			prompt := r.prompt(asks[0])
			tokens = promptTokens(&prompt)
		}
		f.Calls, f.Tokens = f.Calls+1, f.Tokens+tokens
		dollars, known := estimate(p, tokens)
		f.Cost, f.Priced = f.Cost+dollars, f.Priced && known
	}
	if f.Calls > 0 {
		r.Watch(f)
	}
}

// estimate returns the cost of a prompt for a participant in US dollars, or 0 if it is
// unknown.
func estimate(p protocol.Participant, tokens int) (dollars float64, known bool) {
	if priced, ok := p.(Priced); ok {
		return priced.Estimate(tokens)
	}
	return 0, false
}

// withinCaps returns the asks to send now. Near a cap on tokens or cost it returns only as
// many as fit, so that parallel calls exceed a cap by no more than sequential ones would
// (EX6). The format asks the others once these have answered.
func (r *Session) withinCaps(asks []protocol.Ask) []protocol.Ask {
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
			dollars, _ := estimate(p, promptTokens(&prompt))
			tokens, cost = tokens+promptTokens(&prompt), cost+dollars
		}
	}
	return asks
}
