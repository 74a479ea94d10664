package research

import (
	"context"
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
)

// Given checks citations of texts that the user handed over, by their names, and passes all
// others on. The texts come from the record, so that a resumed session finds the same.
type Given struct {
	Files []File
	// Others checks what names none of the files; nil refuses it.
	Others Checker
	// ByAgent is set if an agent passed the files: the user did not name them, and what moot wrote is refused.
	ByAgent bool
}

// File is a text with the name that it was given under.
type File struct{ Path, Text string }

// Check implements Checker. A file is cited by its path, or by its base name if no other file
// has it.
func (g Given) Check(ctx context.Context, reference, quote string) ledger.Finding {
	cited, err := ledger.ParseReference(reference)
	if err == nil {
		switch file, several := g.named(cited); {
		case len(several) > 0 && g.Others == nil:
			return ledger.Finding{
				Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord,
				Reference: reference, Candidates: several,
				Reason: fmt.Sprintf("unclear: several files fit %q: %s; cite one by its path", cited.Path,
					plain.Clip(strings.Join(several, ", "), 300)),
			}
		case file == nil:
		case g.ByAgent && ledger.WrittenByMoot(file.Path, []byte(file.Text)):
			return ledger.Finding{
				Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord,
				Reference: reference, Reason: writtenByMoot(file.Path),
			}
		case g.ByAgent:
			return checkText(ctx, newText([]byte(file.Text)), cited, quote, ledger.GivenByAgent)
		default:
			return checkText(ctx, newText([]byte(file.Text)), cited, quote, ledger.GivenByUser)
		}
	}
	if g.Others == nil {
		return ledger.Finding{
			Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord,
			Reference: reference,
			Reason:    "the session has no workspace; only what the user gave can be cited",
		}
	}
	return g.Others.Check(ctx, reference, quote)
}

// named returns the file that a reference names: by its path, or by the end of its path if no other file ends so. If
// several do, it returns their paths.
func (g Given) named(cited ledger.Reference) (file *File, several []string) {
	for _, name := range cited.Paths() {
		name = strings.TrimPrefix(name, "@")
		for i := range g.Files {
			if given := g.Files[i].Path; given == name || strings.TrimPrefix(given, "./") == name {
				return &g.Files[i], nil
			}
		}
		for _, same := range []func(given, name string) bool{
			func(given, name string) bool { return strings.HasSuffix(given, "/"+name) },
			func(given, name string) bool {
				return strings.HasSuffix(folded(given), "/"+folded(name)) || folded(given) == folded(name)
			},
		} {
			var found []string
			for i := range g.Files {
				if same(g.Files[i].Path, name) {
					file, found = &g.Files[i], append(found, g.Files[i].Path)
				}
			}
			if len(found) == 1 {
				return file, nil
			}
			if len(several) == 0 {
				several = found
			}
		}
	}
	return nil, several
}

// checkText checks a citation of a text outside of the workspace.
func checkText(ctx context.Context, source *text, cited ledger.Reference, quote, note string) ledger.Finding {
	finding := ledger.Finding{
		Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord,
		Reference: cited.String(), Digest: ledger.Digest(source.file),
	}
	if refused := (&Citation{}).compare(ctx, source, cited, quote, &finding); refused != "" {
		finding.Reason = refused
		return finding
	}
	finding.Reason += note
	return finding
}
