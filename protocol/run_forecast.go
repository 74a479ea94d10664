package protocol

// Priced is a participant that knows what its calls cost.
type Priced interface {
	// Estimate is the cost of a prompt of so many tokens in US dollars, without
	// the reply, and whether a price is known.
	Estimate(promptTokens int) (dollars float64, known bool)
}

// forecast tells, once a round, what it costs at least, before its first call
// goes out and after all that came before it was told.
func (r *Runner) forecast(asks []Ask) {
	if r.foretold == r.State.Round {
		return
	}
	r.foretold = r.State.Round
	f := Forecast{Round: r.State.Round, Priced: true}
	tokens := 0
	for _, ask := range r.Format.Least(r.State, asks) {
		p := r.Participants[ask.Seat]
		if p == nil || p.Modelless() {
			continue
		}
		if tokens == 0 {
			// Each prompt carries the whole position, so one tells the size of all.
			prompt := r.prompt(asks[0])
			tokens = (len(prompt.System) + len(prompt.Text)) / bytesPerToken
		}
		f.Calls, f.Tokens = f.Calls+1, f.Tokens+tokens
		dollars, known := 0.0, false
		if priced, ok := p.(Priced); ok {
			dollars, known = priced.Estimate(tokens)
		}
		f.Cost, f.Priced = f.Cost+dollars, f.Priced && known
	}
	if f.Calls > 0 {
		r.Watch(f)
	}
}
