package tui

import "moot/state"

// councilTelling tells of claims that a council tests: by what of CV1 to CV4 they
// stand or not, beside all that a consultation tells.
type councilTelling struct{ consultTelling }

func newCouncilTelling(s *state.State) councilTelling { return councilTelling{consultTelling{s}} }
