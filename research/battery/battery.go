package battery

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"moot/ledger"
	"moot/research"
)

// Checker is what is measured.
type Checker interface {
	Examine(ctx context.Context, reference, quote string) (ledger.Finding, research.Outcome)
}

// Run lays out the battery's workspace in a directory, which must exist and be
// empty, and measures the citation researcher on every case. It writes some
// 32 MiB there; the caller removes them. Mistakes of the researcher are no
// errors: they are in the score.
func Run(ctx context.Context, directory string) (score Score, err error) {
	cases, err := Cases()
	if err != nil {
		return Score{}, err
	}
	lacking, err := layOut(directory)
	if err != nil {
		return Score{}, err
	}
	citation, err := research.OpenCitation(filepath.Join(directory, filepath.FromSlash(workspace)))
	if err != nil {
		return Score{}, fmt.Errorf("opening the battery's workspace: %w", err)
	}
	defer func() {
		if closing := citation.Close(); err == nil {
			err = closing
		}
	}()
	return Measure(ctx, citation, cases, lacking)
}

// Measure runs cases against a checker. Lacking are the paths of the workspace
// that this system could not make; cases that cite one, or what is below it,
// are skipped. The error is the context's, with the score so far.
func Measure(ctx context.Context, checker Checker, cases []Case, lacking []string) (Score, error) {
	var score Score
	for _, c := range cases {
		if err := ctx.Err(); err != nil {
			return score, fmt.Errorf("measuring citations: %w", err)
		}
		if c.cites(lacking) {
			score.Skipped = append(score.Skipped, c)
			continue
		}
		finding, outcome := checker.Examine(ctx, c.Reference, c.quote())
		score.count(c, finding, outcome)
	}
	return score, nil
}

// cites reports whether a case needs one of some paths.
func (c Case) cites(paths []string) bool {
	reference, err := research.ParseReference(c.Reference)
	if err != nil {
		return false
	}
	for _, path := range paths {
		if reference.Path == path || strings.HasPrefix(reference.Path, path+"/") {
			return true
		}
	}
	return false
}
