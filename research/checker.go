// Package research checks evidence: given a reference and a quote or an expectation, it answers with a ledger.Finding,
// verified or refused with a reason. Citation checks quotes in the files of a workspace, Command runs commands, Kinds
// chooses between them, and Redacting removes secrets from what they found. A refusal is an answer, not an error.
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

// Redacting wraps a researcher and removes secrets from its findings, since excerpts go to prompts, the record and
// exports. The digest is of the unredacted file.
type Redacting struct {
	checker  Checker
	redactor *redact.Redactor
}

// NewRedacting puts a redactor behind a researcher.
func NewRedacting(checker Checker, redactor *redact.Redactor) *Redacting {
	return &Redacting{checker: checker, redactor: redactor}
}

// Check gives the checker's finding with [REDACTED: reason] in place of secrets
// (LE6).
func (r *Redacting) Check(ctx context.Context, reference, quote string) ledger.Finding {
	found := r.checker.Check(ctx, reference, quote)
	secrets := 0
	for _, text := range []*string{&found.Excerpt, &found.Nearest} {
		cleaned, findings := r.redactor.Text(*text)
		*text, secrets = cleaned, secrets+len(findings)
	}
	if secrets > 0 {
		found.Reason += "; secrets in the passage are redacted"
	}
	return found
}

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
