package state

import "slices"

// PromptShrunk says that an endpoint refused a prompt for its length, or read only a
// part of it, and how large the prompts of the seat may be from here on (LE7). The seat
// is asked again in the same round (PH3). All sizes are in tokens, estimated as bytes/4.
type PromptShrunk struct {
	Seat  Seat  `json:"seat"`
	Stage Stage `json:"stage"`
	// Sent is the size of the refused prompt. Limit is the limit that the endpoint reported,
	// or 0. Budget is the size from now on.
	Sent   int `json:"sent"`
	Limit  int `json:"limit,omitempty"`
	Budget int `json:"budget"`
	// Cut says that the endpoint did not refuse the prompt: it dropped a part of it,
	// and replied to the rest. That reply is left out.
	Cut bool `json:"cut,omitempty"`
	// Reason is the endpoint's message, or how the cut was noticed.
	Reason string `json:"reason"`
}

// Kind implements Payload.
func (*PromptShrunk) Kind() string { return "prompt-shrunk" }

// Fold implements Payload.
func (e *PromptShrunk) Fold(s *State) error {
	s.askedOf(e.Seat, e.Stage, func(a *Asked) { a.Shrunk++ })
	s.shrink(e.Seat, e.Budget)
	if e.Limit == 0 || e.Limit >= e.Sent {
		return nil // The budget is a guess.
	}
	// What an endpoint takes for a model it takes for it in every seat.
	for i := range s.Seats {
		if other := s.Seats[i].Seat; other != e.Seat && s.sameAnswers(other, e.Seat) {
			s.shrink(other, min(e.Budget, s.PromptBudget(other, e.Budget)))
		}
	}
	return nil
}

// shrink sets the size of a seat's prompts, in tokens.
func (s *State) shrink(seat Seat, budget int) {
	s.Budgets = slices.DeleteFunc(slices.Clone(s.Budgets), func(c SeatCount) bool { return c.Seat == seat })
	s.Budgets = append(s.Budgets, SeatCount{seat, budget})
}

// sameAnswers reports whether the same participant answers for two seats.
func (s *State) sameAnswers(one, other Seat) bool {
	a, sits := s.Assignment(one)
	b, alsoSits := s.Assignment(other)
	if !sits || !alsoSits {
		return false
	}
	first, _ := a.Answers()
	second, _ := b.Answers()
	return first == second
}

// PromptBudget is the size of a prompt of the seat, in tokens: the session's, 0 for
// the default, or a smaller one that the seat's endpoint forced. What a default is,
// the caller says.
func (s *State) PromptBudget(seat Seat, otherwise int) int {
	budget := s.Settings.PromptBudget
	if budget == 0 {
		budget = otherwise
	}
	for _, c := range s.Budgets {
		if c.Seat == seat {
			budget = min(budget, c.Count)
		}
	}
	return budget
}

// unshrink forgets what the endpoint of a seat refused: another sits there now.
func (s *State) unshrink(seat Seat) {
	s.Budgets = slices.DeleteFunc(slices.Clone(s.Budgets), func(c SeatCount) bool { return c.Seat == seat })
	s.Asked = slices.Clone(s.Asked)
	for i := range s.Asked {
		if s.Asked[i].Seat == seat {
			s.Asked[i].Shrunk = 0
		}
	}
}
