package figure

import (
	"fmt"
	"slices"
	"strconv"

	"moot/plain"
	"moot/state"
)

// share is what one seat's calls took.
type share struct {
	name                       string
	role                       Role
	calls, prompts, completion int
	cost                       float64
}

func (s share) tokens() int { return s.prompts + s.completion }

// mostSamples is how many samples a curve of costs keeps.
const mostSamples = 400

// Cost shows the tokens and the dollars that the calls took so far, and the
// share of each seat.
func Cost(events []state.Event) *Chart {
	var l bill
	for _, e := range events {
		switch p := e.Data.(type) {
		case *state.RoundStarted:
			l.rounds = append(l.rounds, tick{float64(l.calls), strconv.Itoa(p.Round)})
		case *state.UsageCounted:
			l.add(p)
		}
	}
	c := &Chart{name: "cost", title: "Tokens and dollars over the calls"}
	if l.calls == 0 {
		c.empty = "No call to a model has been counted yet."
		return c
	}
	c.title += fmt.Sprintf(": %s, %s tokens%s", plain.Counted(l.calls, "call"), quantity(float64(l.tokens)), when(l.cost > 0, ", "+dollars(l.cost), "; no price is known"))
	c.plots = append(c.plots, l.plot("tokens so far, over the rounds", l.byTokens, quantity))
	c.brief = append(c.brief, brief{words: "tokens", values: spaced(l.byTokens), end: quantity(float64(l.tokens)), high: float64(l.tokens), role: RoleOpen})
	if l.cost > 0 {
		c.plots = append(c.plots, l.plot("dollars so far, over the rounds", l.byCost, dollars))
		c.brief = append(c.brief, brief{words: "dollars", values: spaced(l.byCost), end: dollars(l.cost), high: l.cost, role: RoleOpen})
	}
	slices.SortStableFunc(l.shares, func(a, b share) int { return b.tokens() - a.tokens() })
	c.shares = l.shares
	for _, one := range l.shares {
		c.brief = append(c.brief, brief{words: one.name, end: one.words(l.tokens), role: one.role})
	}
	return c
}

// bill sums up the calls.
type bill struct {
	calls, tokens    int
	cost             float64
	byTokens, byCost []sample
	rounds           []tick
	shares           []share
}

func (l *bill) add(e *state.UsageCounted) {
	if len(l.byTokens) == 0 {
		l.byTokens, l.byCost = []sample{{}}, []sample{{}}
	}
	l.calls += e.Calls
	l.tokens += e.PromptTokens + e.CompletionTokens
	l.cost += e.Cost
	l.byTokens = append(l.byTokens, sample{float64(l.calls), float64(l.tokens)})
	l.byCost = append(l.byCost, sample{float64(l.calls), l.cost})
	name := safe(string(e.Seat))
	i := slices.IndexFunc(l.shares, func(s share) bool { return s.name == name })
	if i < 0 {
		i = len(l.shares)
		l.shares = append(l.shares, share{name: name, role: seatRole(e.Seat)})
	}
	s := &l.shares[i]
	s.calls += e.Calls
	s.prompts += e.PromptTokens
	s.completion += e.CompletionTokens
	s.cost += e.Cost
}

// plot is a picture of one sum over the calls, with the rounds below.
func (l *bill) plot(title string, sum []sample, words func(float64) string) plot {
	top := sum[len(sum)-1].y
	return plot{
		title: title, xWord: "round", right: float64(l.calls), high: top, xTicks: l.rounds,
		yTicks: []tick{{top, words(top)}, {top / 2, words(top / 2)}, {0, "0"}},
		curves: []curve{{role: RoleOpen, samples: thinned(sum), bare: true}},
	}
}

// thinned keeps samples at even distances, the last one among them.
func thinned(all []sample) []sample {
	if len(all) <= mostSamples {
		return all
	}
	kept := make([]sample, 0, mostSamples)
	for i := range mostSamples {
		kept = append(kept, all[i*(len(all)-1)/(mostSamples-1)])
	}
	return kept
}

// spaced are a few values for a single line.
func spaced(all []sample) []float64 {
	const most = 12
	var values []float64
	for i := range min(most, len(all)) {
		values = append(values, all[(i+1)*(len(all)-1)/min(most, len(all))].y)
	}
	return values
}

// quantity writes a number of tokens in few signs.
func quantity(n float64) string {
	switch {
	case n >= 10e6:
		return fmt.Sprintf("%.0fM", n/1e6)
	case n >= 1e6:
		return fmt.Sprintf("%.1fM", n/1e6)
	case n >= 10e3:
		return fmt.Sprintf("%.0fk", n/1e3)
	case n >= 1e3:
		return fmt.Sprintf("%.1fk", n/1e3)
	}
	return fmt.Sprintf("%.0f", n)
}

// dollars writes a cost in few signs.
func dollars(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("$%.0f", v)
	case v >= 0.1:
		return fmt.Sprintf("$%.2f", v)
	}
	return fmt.Sprintf("$%.3f", v)
}

// words are the figures of a seat.
func (s share) words(all int) string {
	text := fmt.Sprintf("%3.0f %%  %s tokens, %s", 100*float64(s.tokens())/float64(max(all, 1)), quantity(float64(s.tokens())), plain.Counted(s.calls, "call"))
	if s.cost > 0 {
		text += ", " + dollars(s.cost)
	}
	return text
}

// share draws the line of one seat: name, bar, figures.
func (s *sheet) share(one share, all []share, y int) {
	width, total, widest, names := s.window.W, 0, 0, 0
	for _, o := range all {
		total += o.tokens()
	}
	for _, o := range all {
		widest, names = max(widest, s.width(o.words(total))), max(names, s.width(o.name))
	}
	names = min(names, width/4)
	s.write(0, y, s.clip(one.name, names), one.role, names)
	room := width - names - widest - 4
	x := names + 1
	if room >= 8 {
		room = min(room, 40)
		n := int(float64(room)*float64(one.tokens())/float64(max(total, 1)) + 0.5)
		s.fill(x, y, n, when(s.ascii, "#", "█"), one.role)
		s.fill(x+n, y, room-n, when(s.ascii, ".", "░"), RoleFaint)
		x += room + 2
	}
	s.write(x, y, s.clip(one.words(total), width-x), RoleText, width-x)
}
