package research

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"moot/internal/git"
	"moot/internal/lists"
	"moot/ledger"
	"moot/workspace"
)

// Bounds of an answer from the history.
const (
	maxBlamed  = 20
	maxCommits = 20
	maxDiff    = 16 << 10
)

// History checks what the history of a repository says: who wrote lines (BLAME path:12), which commits changed a file
// (LOG path), and how it differs between two commits (DIFF A..B path). git reads the objects; nothing of the
// repository runs.
type History struct {
	// folder is the workspace, and allow are globs of paths that may be shown although they may hold secrets.
	folder string
	allow  []string
	// reviewed is the commit that is looked at instead of HEAD, or "".
	reviewed string
}

// OpenHistory returns the checker for the repository around a workspace, or nil outside of one.
func OpenHistory(folder string, allow []string, tree *git.Tree) *History {
	if _, err := git.Find(folder); err != nil {
		return nil
	}
	h := &History{folder: folder, allow: allow}
	if tree != nil {
		h.reviewed = tree.Commit
	}
	return h
}

// Kind describes references to the history.
func (h *History) Kind() ledger.Kind {
	return ledger.Kind{
		Name: "history", Marks: "BLAME LOG DIFF",
		Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
		Says: `To show what the history of the repository says, cite BLAME path:12-14 (who wrote the lines, when, and the ` +
			`subject of the commit), LOG path (the last commits that changed a file) or DIFF v1.2..HEAD path (how a file ` +
			`differs), with a text of the answer as quote: reference "LOG queue.go", quote "retry only twice".`,
	}
}

// Check looks at the history, and for the quote in the answer, which must stand on one line of it.
func (h *History) Check(ctx context.Context, reference, quote string) ledger.Finding {
	finding := ledger.Finding{Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), ledger.MaxReference)}
	answer, err := h.look(ctx, &finding)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	finding.Digest = ledger.Digest([]byte(answer))
	finding.Excerpt = strings.TrimRight(answer, "\n")
	wanted := strings.TrimSpace(quote)
	var found []string
	for line := range strings.Lines(answer) {
		if wanted != "" && strings.Contains(line, wanted) {
			found = append(found, strings.TrimRight(line, "\n"))
		}
	}
	switch {
	case wanted == "":
		finding.Reason = "a citation of the history needs a quote: a text of its answer, which was: " +
			cut(finding.Excerpt, 300)
		finding.Nearest, finding.Excerpt = finding.Excerpt, ""
	case len(found) == 0:
		finding.Reason = "no line of the answer has the quote"
		finding.Nearest, finding.Unmet, finding.Excerpt = finding.Excerpt, true, ""
	default:
		finding.Verified = true
		finding.Reason = fmt.Sprintf("found in the history of commit %.12s", finding.Commit)
	}
	return finding
}

// look answers a reference, writes it in its normal form and sets the commit.
func (h *History) look(ctx context.Context, finding *ledger.Finding) (string, error) {
	mark, rest, _ := strings.Cut(strings.TrimSpace(finding.Reference), " ")
	revisions := ""
	if mark == "DIFF" {
		revisions, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
	}
	place, err := ledger.ParseReference(rest)
	if err != nil || place.Path == "" || leaves(place.Path) {
		return "", fmt.Errorf("%s needs a path below the workspace: BLAME path:12, LOG path or DIFF A..B path", mark)
	}
	if why := workspace.SecretName(place.Path); why != "" && !workspace.Allowed(place.Path, h.allow) {
		return "", fmt.Errorf("%q is not read, since it may hold secrets: %s; --allow-path permits it", place.Path, why)
	}
	repository, err := git.Open(ctx, h.folder)
	if err != nil {
		return "", err
	}
	defer repository.Close()
	commit, err := repository.Commit(ctx, cmp.Or(h.reviewed, "HEAD"))
	if err != nil {
		// A working tree, an index or a patch has the history of HEAD.
		commit, err = repository.Commit(ctx, "HEAD")
	}
	if err != nil {
		return "", err
	}
	finding.Commit = commit
	inTop := path.Join(repository.Prefix(h.folder), place.Path)
	switch mark {
	case "BLAME":
		finding.Reference = "BLAME " + place.String()
		return blame(ctx, repository, commit, inTop, place)
	case "LOG":
		finding.Reference = "LOG " + place.Path
		return log(ctx, repository, commit, inTop, place.Path)
	}
	finding.Reference = "DIFF " + revisions + " " + place.Path
	return diff(ctx, repository, revisions, inTop, place.Path)
}

func blame(ctx context.Context, r *git.Repository, commit, inTop string, place ledger.Reference) (string, error) {
	if len(place.Spans) != 1 || place.Spans[0].Last-place.Spans[0].First >= maxBlamed {
		return "", fmt.Errorf("BLAME needs one range of at most %d lines: BLAME path:12-18", maxBlamed)
	}
	lines, err := r.Blame(ctx, commit, inTop, place.Spans[0].First, place.Spans[0].Last)
	if err != nil {
		return "", fmt.Errorf("there are no lines %s as of commit %.12s", place.String(), commit)
	}
	var out strings.Builder
	for _, line := range lines {
		edge := ""
		if line.Edge {
			edge = " (or earlier: the history of this clone ends there)"
		}
		fmt.Fprintf(&out, "%d: %s%s: %s\n", line.Line, commitLine(line.Logged), edge, line.Text)
	}
	return out.String(), nil
}

func log(ctx context.Context, r *git.Repository, commit, inTop, shown string) (string, error) {
	commits, err := r.Log(ctx, commit, inTop, maxCommits+1)
	if err != nil {
		return "", err
	}
	if len(commits) == 0 {
		return "", fmt.Errorf("no commit in the history of %.12s has the path %q", commit, shown)
	}
	var out strings.Builder
	for _, c := range commits[:min(len(commits), maxCommits)] {
		out.WriteString(commitLine(c) + "\n")
	}
	switch {
	case len(commits) > maxCommits:
		out.WriteString("older commits are not shown\n")
	case r.IsShallow():
		out.WriteString("the history of this clone is shallow: older commits are missing\n")
	}
	return out.String(), nil
}

func commitLine(c git.Logged) string {
	return fmt.Sprintf("%.12s %s %s: %s", c.Commit, c.At.Format("2006-01-02"), c.Author, c.Subject)
}

func diff(ctx context.Context, r *git.Repository, revisions, inTop, shown string) (string, error) {
	from, to, both := strings.Cut(revisions, "..")
	if !both || from == "" || to == "" || strings.HasPrefix(to, ".") {
		return "", errors.New("DIFF needs two commits and a path: DIFF v1.2..HEAD path")
	}
	commits := []string{from, to}
	for i, revision := range commits {
		var err error
		if commits[i], err = r.Commit(ctx, revision); err != nil {
			return "", err
		}
	}
	changes, err := r.Changes(ctx, commits[0], commits[1])
	if err != nil {
		return "", err
	}
	changes = lists.Filter(changes, func(c git.Change) bool { return c.Path == inTop || c.From == inTop })
	if len(changes) == 0 {
		return fmt.Sprintf("%s is the same in %.12s and %.12s\n", shown, commits[0], commits[1]), nil
	}
	var out strings.Builder
	for _, c := range changes {
		if c.From != "" {
			fmt.Fprintf(&out, "renamed from %s to %s\n", c.From, c.Path)
		}
	}
	named := out.Len()
	err = r.Hunks(ctx, changes, maxDiff, func(_ int, hunks string) { out.WriteString(hunks) })
	if err != nil {
		return "", err
	}
	if out.Len() == named && changes[0].Was.ID != changes[0].Now.ID {
		return "", fmt.Errorf("the difference of %q is not text, or has more than %d KiB", shown, maxDiff>>10)
	}
	return out.String(), nil
}
