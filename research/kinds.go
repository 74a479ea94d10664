package research

import (
	"context"

	"moot/ledger"
)

// Kinds hands each reference to the researcher for its kind; one that is nil
// refuses them all.
type Kinds struct {
	Citation, Command Checker
}

// Check asks the researcher for the kind of the reference.
func (k Kinds) Check(ctx context.Context, reference, quote string) ledger.Finding {
	checker, why := k.Citation, "citations are switched off: the session has no workspace"
	if ledger.IsCommand(reference) {
		checker, why = k.Command, "commands are switched off: the session has no workspace"
	}
	if checker == nil {
		return ledger.Finding{Reason: why}
	}
	return checker.Check(ctx, reference, quote)
}
