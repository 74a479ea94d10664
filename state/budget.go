package state

import "slices"

// PromptShrunk says that an endpoint refused a prompt for its length, and how large
// the prompts of the seat may be from here on (LE7). The seat is asked again in the
// same round (PH3). All sizes are in tokens, estimated as bytes/4.
type PromptShrunk struct {
	Seat  Seat  `json:"seat"`
	Stage Stage `json:"stage"`
	// Sent is the size of the prompt that was refused, Limit what the endpoint told
	// of its own, 0 where it told nothing, and Budget what counts now.
	Sent   int `json:"sent"`
	Limit  int `json:"limit,omitempty"`
	Budget int `json:"budget"`
	// Reason is what the endpoint said.
	Reason string `json:"reason"`
}

// Kind implements Payload.
func (*PromptShrunk) Kind() string { return "prompt-shrunk" }

// Fold implements Payload.
func (e *PromptShrunk) Fold(s *State) error {
	s.askedOf(e.Seat, e.Stage, func(a *Asked) { a.Shrunk++ })
	s.Budgets = slices.DeleteFunc(slices.Clone(s.Budgets), func(c SeatCount) bool { return c.Seat == e.Seat })
	s.Budgets = append(s.Budgets, SeatCount{e.Seat, e.Budget})
	return nil
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
