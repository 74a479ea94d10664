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
