package tui

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/state/store"
)

// listedPhase is the phase and the round of a deliberation.
func listedPhase(s *store.Summary) string {
	return fmt.Sprintf("%s %d/%d", strings.ToLower(string(s.Phase)), s.Round, state.MaxRounds)
}

// listedPanel is what became of the conflicts of a panel, or its round if there are none yet.
func listedPanel(s *store.Summary) string {
	if s.Conflicts == 0 {
		return fmt.Sprintf("round %d", s.Round)
	}
	return plain.Counted(s.Conflicts, "conflict") + fmt.Sprintf(", %d left", s.Unsettled)
}

// listedProposal is the round of a proposal and the last decision.
func listedProposal(s *store.Summary) string {
	return fmt.Sprintf("round %d", s.Round) + when(s.Decision == "", "", ", "+s.Decision)
}
