// Package research checks evidence. A Checker owns a kind of reference: it describes the kind, and checks each
// reference with its quote or expectation. Its answer is a ledger.Finding, verified or refused with a reason: a
// refusal is an answer, not an error. Citation checks quotes in files, Command runs commands. Checkers chooses
// between those of a session.
//
// A new kind of evidence is a file with its checker, and a line in the list of checkers that cli opens.
package research

import (
	"context"
	"fmt"
	"slices"

	"moot/internal/redact"
	"moot/ledger"
)

// Checker owns a kind of evidence. It is safe for concurrent use: the references of a turn are checked side by side.
// The session refuses what a checker does not answer within the deadline of its context, and what it panics on.
type Checker interface {
	// Kind describes the references that the checker owns, for admission, prompts and rulings.
	Kind() ledger.Kind
	// Check checks a reference; a refusal is a finding.
	Check(ctx context.Context, reference, quote string) ledger.Finding
}

// Checkers hands each reference to the checker that owns it.
type Checkers struct {
	List []Checker
	// Recorded are the kinds that the session recorded when it was opened. They decide who owns a reference and whether
	// it needs approval, so a checker that describes its kind in another way is not asked.
	Recorded []ledger.Kind
	// Redactor removes secrets from findings, since excerpts go to prompts, the record and exports; nil keeps them. The
	// digest is of the unredacted source.
	Redactor *redact.Redactor
}

// Recorded returns the kinds that a session with these checkers records: those that not every session has, or nil.
func Recorded(more []Checker) (kinds []ledger.Kind) {
	for _, checker := range more {
		kinds = append(kinds, checker.Kind())
	}
	return kinds
}

// Check asks the checker that owns a reference, and puts [REDACTED: reason] in place of secrets (LE6).
func (c Checkers) Check(ctx context.Context, reference, quote string) ledger.Finding {
	return c.check(reference, func(owner Checker) ledger.Finding { return owner.Check(ctx, reference, quote) })
}

// Try is Check for a citation that hands in a patch.
func (c Checkers) Try(ctx context.Context, reference, expected, patch string) ledger.Finding {
	return c.check(reference, func(owner Checker) ledger.Finding {
		if tries, can := owner.(interface {
			Try(ctx context.Context, reference, expected, patch string) ledger.Finding
		}); can {
			return tries.Try(ctx, reference, expected, patch)
		}
		return ledger.Finding{Reference: reference, Reason: "evidence of this kind takes no patch"}
	})
}

func (c Checkers) check(reference string, ask func(owner Checker) ledger.Finding) ledger.Finding {
	kind := ledger.KindOf(ledger.Kinds(c.Recorded), reference)
	i := slices.IndexFunc(c.List, func(checker Checker) bool { return checker.Kind() == kind })
	switch {
	case i < 0 && slices.Contains(c.Recorded, kind):
		const foreign = "this moot does not check evidence of the kind %s as the session recorded it"
		return ledger.Finding{Reason: fmt.Sprintf(foreign, kind.Name)}
	case i < 0:
		return ledger.Finding{Reason: fmt.Sprintf("%ss are switched off: the session has no workspace", kind.Name)}
	}
	found := ask(c.List[i])
	if !kind.IsPlace() {
		kind.Stamp(&found)
	}
	if c.Redactor == nil {
		return found
	}
	secrets := 0
	for _, text := range []*string{&found.Excerpt, &found.Nearest} {
		*text, _ = c.Redactor.Text(*text)
		secrets += len(redact.Marked(*text))
	}
	if secrets > 0 {
		found.Reason += "; secrets in the passage are redacted"
	}
	return found
}
