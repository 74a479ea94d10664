package protocol

import (
	"moot/ledger"
	"moot/state"
)

// ExaminedBy gives the tests outside of the package access to examined.
func ExaminedBy(s *state.State, f *ledger.Finding) string { return examined(s, f) }
