package research_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/internal/redact"
	"moot/ledger"
	"moot/research"
)

// A secret in a cited file reaches no finding.
func TestRedactingFindings(t *testing.T) {
	dir := t.TempDir()
	token := "ghp_" + strings.Repeat("a1B2", 9)
	text := "first line\ntoken := \"" + token + "\"\nlast line\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	citation, err := research.OpenCitation(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer citation.Close()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	checker := research.Checkers{List: []research.Checker{citation}, Redactor: redactor}
	found := checker.Check(t.Context(), "a.go:2", "token :=")
	if !found.Verified || strings.Contains(found.Excerpt, token) || !strings.Contains(found.Excerpt, "[REDACTED: ") ||
		!strings.Contains(found.Reason, "redacted") {
		t.Errorf("%+v", found)
	}
	found = checker.Check(t.Context(), "a.go:2", "token := \"ghp_"+strings.Repeat("a1B3", 9)+"\"")
	if found.Verified || strings.Contains(found.Nearest, token) {
		t.Errorf("%+v", found)
	}
	// A line of a key is recognised by the lines around it.
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEow line\nsecond line\n-----END RSA PRIVATE KEY-----\n"
	long := strings.Repeat("x ", 1000) + "quoted" + strings.Repeat(" y", 1000) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "k.txt"), []byte(key+long), 0o600); err != nil {
		t.Fatal(err)
	}
	citation.Redact(redactor)
	for _, quote := range []string{"MIIEow", "", "MIIEow lone"} {
		found = checker.Check(t.Context(), "k.txt:2", quote)
		if strings.Contains(found.Excerpt+found.Nearest, "MII") || !strings.Contains(found.Reason, "redacted") {
			t.Errorf("%q: %+v", quote, found)
		}
	}
	found = checker.Check(t.Context(), "k.txt:5", "quoted")
	if !found.Verified || len(found.Excerpt) != len("quoted")+research.MaxRest {
		t.Errorf("%+v", found)
	}
	found = checker.Check(t.Context(), "a.go:1", "first line")
	if !found.Verified || found.Excerpt != "first line" || strings.Contains(found.Reason, "redacted") {
		t.Errorf("%+v", found)
	}
}

// oracle is a checker that verifies everything with the same words.
type oracle struct {
	kind ledger.Kind
	says string
}

func (o *oracle) Kind() ledger.Kind { return o.kind }

func (o *oracle) Check(_ context.Context, reference, _ string) ledger.Finding {
	return ledger.Finding{Verified: true, Reference: reference, Excerpt: o.says, Reason: "so says the oracle"}
}

func omens() ledger.Kind {
	return ledger.Kind{
		Name: "omen", Marks: "OMEN SIGN", Says: "Cite an omen: OMEN 3.",
		Type: ledger.Textual, SourceKind: ledger.ModeledFallback, Confidence: ledger.ConfidenceModeled,
	}
}

// The kinds that the session recorded decide who checks a reference. A checker that describes its kind in another way,
// such as one that no longer asks for approval, is not asked.
func TestTheKindDecidesWhoChecks(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	changed := omens()
	changed.Runs = true
	given := &research.Citation{}
	files := []research.File{{Path: "OMEN 3", Text: "a file of that name\n"}, {Path: "plan.md", Text: "one step\n"}}
	given.Give(files, false)
	all := []research.Checker{&oracle{omens(), "it rains"}, given}
	for _, test := range []struct {
		name            string
		list            []research.Checker
		recorded        []ledger.Kind
		reference, says string
		verified        bool
	}{
		{"its own", all, []ledger.Kind{omens()}, "OMEN 3", "so says the oracle", true},
		{"its other mark", all, []ledger.Kind{omens()}, " SIGN 3", "so says the oracle", true},
		{"another kind", all, []ledger.Kind{omens()}, "plan.md:1", "the user gave the file", true},
		{"not recorded", all, nil, "OMEN 3:1", "the user gave the file", true},
		{
			"recorded with approval", all,
			[]ledger.Kind{changed},
			"OMEN 3", "does not check evidence of the kind omen",
			false,
		},
		{
			"no such checker", all[1:],
			[]ledger.Kind{omens()},
			"OMEN 3", "does not check evidence of the kind omen",
			false,
		},
		{"no commands", all, nil, "$ true", "commands are switched off: the session has no workspace", false},
		{"no citations", nil, nil, "a.go:1", "citations are switched off: the session has no workspace", false},
	} {
		c := research.Checkers{List: test.list, Recorded: test.recorded, Redactor: redactor}
		found := c.Check(t.Context(), test.reference, "")
		if found.Verified != test.verified || !strings.Contains(found.Reason, test.says) {
			t.Errorf("%s: verified %t: %s", test.name, found.Verified, found.Reason)
		}
	}
}

// A checker does not stamp its findings itself, and what it found is redacted.
func TestFindingsAreStampedAndRedacted(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	token := "ghp_" + strings.Repeat("a1B2", 9)
	kinds := research.Recorded([]research.Checker{&oracle{kind: omens()}})
	c := research.Checkers{List: []research.Checker{&oracle{omens(), token}}, Recorded: kinds, Redactor: redactor}
	found := c.Check(t.Context(), "OMEN 3", "")
	if found.Type != ledger.Textual || found.SourceKind != ledger.ModeledFallback ||
		found.Confidence != ledger.ConfidenceModeled {
		t.Errorf("stamped %s, %s, %v", found.Type, found.SourceKind, found.Confidence)
	}
	if strings.Contains(found.Excerpt, token) ||
		!strings.HasSuffix(found.Reason, "secrets in the passage are redacted") {
		t.Errorf("%+v", found)
	}
}
