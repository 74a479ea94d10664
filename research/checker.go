// Package research checks evidence: given a reference and a quote or an expectation, it answers with a ledger.Finding,
// verified or refused with a reason. Citation checks quotes in the files of a workspace, Command runs commands, and
// Kinds chooses between them and removes secrets from what they found. A refusal is an answer, not an error.
package research

import (
	"context"

	"moot/internal/redact"
	"moot/ledger"
)

// Checker checks a reference; a refusal is a finding.
type Checker interface {
	Check(ctx context.Context, reference, quote string) ledger.Finding
}

// Kinds hands each reference to the researcher for its kind; one that is nil refuses them all. A redactor, if there is
// one, removes secrets from the findings, since excerpts go to prompts, the record and exports; the digest is of the
// unredacted file.
type Kinds struct {
	Citation, Command Checker
	Redactor          *redact.Redactor
}

// Check asks the researcher for the kind of the reference, and puts [REDACTED: reason] in place of secrets (LE6).
func (k Kinds) Check(ctx context.Context, reference, quote string) ledger.Finding {
	checker, why := k.Citation, "citations are switched off: the session has no workspace"
	if ledger.IsCommand(reference) {
		checker, why = k.Command, "commands are switched off: the session has no workspace"
	}
	if checker == nil {
		return ledger.Finding{Reason: why}
	}
	found := checker.Check(ctx, reference, quote)
	if k.Redactor == nil {
		return found
	}
	secrets := 0
	for _, text := range []*string{&found.Excerpt, &found.Nearest} {
		*text, _ = k.Redactor.Text(*text)
		secrets += len(redact.Marked(*text))
	}
	if secrets > 0 {
		found.Reason += "; secrets in the passage are redacted"
	}
	return found
}
