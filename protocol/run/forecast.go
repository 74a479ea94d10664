package run

import (
	"moot/protocol"
	"moot/state"
)

// Priced is a participant that knows the price of its calls.
type Priced interface {
	// Estimate returns the cost of a prompt in US dollars, without the reply, and whether
	// the price is known.
	Estimate(promptTokens int) (dollars float64, known bool)
}

// forecast reports the minimum cost of a round once, before its first call. prompt belongs to
// the first ask of the turn.
func (r *Session) forecast(turn *protocol.Turn, prompt *protocol.Prompt) {
	if r.forecastRound == r.State.Round {
		return
	}
	r.forecastRound = r.State.Round
	f := protocol.Forecast{Round: r.State.Round}
	// Every prompt contains the whole position, so one size estimates all.
	size := promptTokens(prompt)
	least := turn.Least
	if least == nil {
		least = turn.Asks
	}
	for _, ask := range least {
		p := r.Participants[ask.Seat]
		if p == nil || p.Modelless() {
			continue
		}
		tokens, dollars, known := r.estimate(ask.Seat, size)
		f.Calls, f.Tokens, f.Cost = f.Calls+1, f.Tokens+tokens, f.Cost+dollars
		if !known {
			f.Unpriced++
		}
	}
	if f.Calls > 0 {
		r.Watch(f)
	}
}

// estimate returns the tokens of a call with a prompt of this size and its cost in US dollars,
// by what the participant used in the seat so far: a program may use ten times its prompt.
func (r *Session) estimate(seat state.Seat, prompt int) (tokens int, dollars float64, known bool) {
	if p, ok := r.Participants[seat].(Priced); ok {
		dollars, known = p.Estimate(prompt)
	}
	spent := r.State.SpentBy(seat)
	if spent == nil {
		return prompt, dollars, known
	}
	calls := max(spent.Calls, 1)
	if spent.Unpriced == 0 && spent.Cost > 0 {
		dollars, known = max(dollars, spent.Cost/float64(calls)), true
	}
	return max(prompt, spent.Tokens()/calls), dollars, known
}

// withinCaps returns the asks to send now. Near a cap on tokens or cost it returns only as
// many as fit, so that parallel calls exceed a cap by no more than sequential ones would
// (EX6). The format asks the others once these have answered.
func (r *Session) withinCaps(asks []protocol.Ask) []protocol.Ask {
	s := r.State
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
			used, dollars, _ := r.estimate(ask.Seat, promptTokens(&prompt))
			tokens, cost = tokens+used, cost+dollars
		}
	}
	return asks
}
