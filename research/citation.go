package research

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moot/internal/redact"
	"moot/ledger"
	"moot/workspace"
)

// Citation checks that a quote occurs verbatim at a reference, in the text files of one workspace. It is safe for
// concurrent use. Close it.
type Citation struct {
	root *os.Root
	// turn lets one file at a time be read, so that many checks at once need the memory of one.
	turn chan struct{}
	// official are the normal paths of files and directories that the user
	// marked as official documents.
	official []string
	// opened is when the session began, zero for no limit: what changed since is no evidence,
	// unless the user named it.
	opened time.Time
	given  []string
	// allow are globs of paths that may be cited although they may hold secrets.
	allow []string
	// redactor removes secrets from excerpts; nil keeps them.
	redactor *redact.Redactor
	// tree is the git work tree around the workspace, or nil.
	tree *workTree
}

// OpenCitation opens a workspace for checks. Official names files, or directories with all below them, that the user
// marked as specifications or official documents (--official PATH), relative to the workspace, or absolute and inside
// it. It is an error if the directory cannot be opened, or if an official path is not in it.
func OpenCitation(directory string, official ...string) (*Citation, error) {
	absolute, err := filepath.Abs(directory)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace %q: %w", directory, err)
	}
	root, err := os.OpenRoot(absolute)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w; name a directory that exists", err)
	}
	c := &Citation{root: root, turn: make(chan struct{}, 1)}
	for _, path := range official {
		marked, err := c.officialPath(absolute, path)
		if err != nil {
			root.Close() //nolint:errcheck // the first error is the one to tell
			return nil, err
		}
		c.official = append(c.official, marked)
	}
	// git, too, looks at the folders above the real directory.
	if resolved, err := filepath.EvalSymlinks(absolute); err == nil {
		c.tree = findWorkTree(resolved)
	}
	return c, nil
}

// Commit returns the commit that the work tree is at, or "".
func (c *Citation) Commit() string {
	if c.tree == nil {
		return ""
	}
	return c.tree.commit()
}

// Since refuses files that changed after a session was opened, save the official ones and those
// that the user gave.
func (c *Citation) Since(opened time.Time, given ...string) { c.opened, c.given = opened, given }

// Allow permits paths that are otherwise refused because they may hold secrets.
func (c *Citation) Allow(globs []string) { c.allow = globs }

// Redact removes secrets from excerpts. They are sought in the whole file.
func (c *Citation) Redact(redactor *redact.Redactor) { c.redactor = redactor }

// Close closes the workspace. Later checks are refused.
func (c *Citation) Close() error {
	if err := c.root.Close(); err != nil {
		return fmt.Errorf("closing the workspace: %w", err)
	}
	return nil
}

// officialPath brings a path that the user marked into the normal form.
func (c *Citation) officialPath(workspace, path string) (string, error) {
	relative := path
	if filepath.IsAbs(path) {
		var err error
		if relative, err = filepath.Rel(workspace, path); err != nil {
			return "", fmt.Errorf("the official path %q: %w; name a file of the workspace", path, err)
		}
	}
	relative = filepath.ToSlash(filepath.Clean(relative))
	if leaves(relative) {
		return "", fmt.Errorf("the official path %q is outside of the workspace: name a file of the workspace", path)
	}
	if _, err := c.root.Stat(filepath.FromSlash(relative)); err != nil {
		return "", fmt.Errorf("the official path %q: %w; name a file of the workspace", path, err)
	}
	return relative, nil
}

// isOfficial reports whether the user marked a path, or a directory above it.
func (c *Citation) isOfficial(path string) bool {
	return slices.ContainsFunc(c.official, func(marked string) bool {
		return marked == "." || path == marked || strings.HasPrefix(path, marked+"/")
	})
}

// Check compares a quote with the text at a reference (see ParseReference for its
// forms). Failures are findings, too.
//
// The comparison is verbatim after line ends and trailing blanks are normalized:
// case, Unicode forms, ellipses and quotation marks count. A quote may be a part of
// a line, or of several consecutive lines. One with fewer than MinQuote non-blank
// characters must be the whole text of its lines, in place.
//
// Verified findings are textual; their source kind is domain-evidence, or
// official-source if the user marked the file. In place their confidence is
// ConfidenceInPlace or ConfidenceOfficial; found at other lines it is
// ConfidenceMoved, Moved is set, and the reference names the lines where the
// quote is, those closest to the cited ones. Excerpt holds the whole lines,
// unchanged, within MaxExcerpt bytes.
//
// A refused finding has the source kind of a model's statement. If the file was read
// it carries the nearest passage, its reference and its similarity: one minus
// the edit distance in characters between quote and passage, divided by the
// quote's length. A line past the end of the file refuses the citation even if the
// quote is elsewhere in the file; that passage is then the nearest, at similarity 1.
//
// Digest covers the whole file, Commit names the commit of the git work tree around the
// workspace; the file is read as it is now, with uncommitted changes.
func (c *Citation) Check(ctx context.Context, reference, quote string) ledger.Finding {
	finding, _ := c.Examine(ctx, reference, quote)
	return finding
}

// Examine is Check, and also returns the outcome.
func (c *Citation) Examine(ctx context.Context, reference, quote string) (ledger.Finding, Outcome) {
	finding := ledger.Finding{
		Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord,
		Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), MaxReference),
	}
	refused := c.examine(ctx, reference, quote, &finding)
	if refused != nil {
		finding.Reason = refused.reason
		return finding, refused.outcome
	}
	if finding.Moved {
		return finding, Moved
	}
	return finding, InPlace
}

// examine fills in a finding, or says why it is refused.
func (c *Citation) examine(ctx context.Context, reference, quote string, finding *ledger.Finding) *refusal {
	cited, err := ParseReference(reference)
	if err != nil {
		return &refusal{BadReference, err.Error()}
	}
	finding.Reference = cited.String()
	if err := ctx.Err(); err != nil {
		return ended(err)
	}
	commit := ""
	if c.tree != nil {
		commit = c.tree.commit()
	}
	if cited.Commit != "" {
		if refused := c.localize(&cited, commit); refused != nil {
			return refused
		}
		finding.Reference = cited.String()
	}
	if refused := c.find(&cited); refused != nil {
		return refused
	}
	finding.Reference = cited.String()
	source, refused := c.read(ctx, cited.Path)
	if refused != nil {
		return refused
	}
	source.redactor = c.redactor
	finding.Digest, finding.Commit = ledger.Digest(source.raw), commit
	return c.compare(ctx, source, cited, quote, finding)
}

// compare looks for a quote in a text; without a quote it shows the cited lines.
func (c *Citation) compare(
	ctx context.Context, source *text, cited Reference, quote string, finding *ledger.Finding,
) *refusal {
	if strings.TrimSpace(quote) == "" {
		return c.show(source, cited, finding)
	}
	quoted, refused := newQuotation(quote)
	if refused != nil {
		return refused
	}
	if source.lines < cited.Spans[len(cited.Spans)-1].Last {
		return refuseBounds(ctx, source, quoted, cited, finding)
	}
	if found, ok := source.findWithin(quoted, cited.Spans); ok {
		c.verify(finding, source, found, cited)
		return nil
	}
	if quoted.short {
		const short = "the quote is too short to tell one place from another: with fewer than %d visible characters " +
			"it must be the whole cited line"
		return refuse(TooShort, short, MinQuote)
	}
	if found, ok := source.findClosest(quoted, cited.Spans); ok {
		c.verifyMoved(finding, source, found, cited)
		return nil
	}
	return refuseAbsent(ctx, source, quoted, cited, finding)
}

// MaxShown is how many lines a citation without a quote shows.
const MaxShown = 12

// show fills in a finding with the cited lines, for the seats to judge.
func (c *Citation) show(source *text, cited Reference, finding *ledger.Finding) *refusal {
	if last := cited.Spans[len(cited.Spans)-1].Last; source.lines < last {
		return refuse(OutOfBounds, "line %d does not exist: the file has %d lines", last, source.lines)
	}
	var shown []string
	left := MaxShown
	for i, span := range cited.Spans {
		if left == 0 {
			cited.Spans = cited.Spans[:i]
			break
		}
		span.Last = min(span.Last, span.First+left-1)
		left -= span.Last - span.First + 1
		shown = append(shown, source.excerpt(passage{lines: span}))
		cited.Spans[i] = span
	}
	text := strings.Join(shown, "\n")
	if strings.TrimSpace(text) == "" {
		return &refusal{Absent, "the cited lines are empty"}
	}
	c.verify(finding, source, passage{lines: cited.Spans[0]}, cited)
	finding.Shown, finding.Excerpt, finding.Reference = true, text, cited.String()
	finding.Reason = "no quote; these are the lines"
	return nil
}

// find turns an absolute path below the root, and a base name that one file of the workspace has,
// into the path below the root.
func (c *Citation) find(cited *Reference) *refusal {
	if below, ok := strings.CutPrefix(cited.Path, filepath.ToSlash(c.root.Name())+"/"); ok {
		cited.Path = below
		return nil
	}
	if strings.Contains(cited.Path, "/") {
		return nil
	}
	if _, err := c.root.Stat(cited.Path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	found := c.named(cited.Path)
	switch {
	case len(found) == 1:
		cited.Path = found[0]
	case len(found) > 1:
		more := ""
		if len(found) > maxCandidates {
			found, more = found[:maxCandidates], " and more"
		}
		return refuse(Missing, "several files are named %q: %s%s; cite one by its path", cited.Path,
			strings.Join(found, ", "), more)
	}
	return nil
}

// The bounds of the search for a base name: the candidates that a refusal names, and the
// entries of the workspace that are looked at.
const (
	maxCandidates = 5
	maxEntries    = 200_000
)

// named are the first files of the workspace with a base name, in order; git's own and those of
// dependencies are left out.
func (c *Citation) named(name string) []string {
	var found, hidden []string
	entries := 0
	_ = fs.WalkDir(c.root.FS(), ".", func(path string, entry fs.DirEntry, unreadable error) error {
		entries++
		switch {
		case entries > maxEntries || len(found) > maxCandidates:
			return fs.SkipAll
		case unreadable != nil && entry != nil && entry.IsDir():
			return fs.SkipDir
		case entry == nil:
			return nil
		case entry.IsDir() && slices.Contains([]string{".git", "node_modules", "vendor"}, entry.Name()):
			return fs.SkipDir
		case !entry.IsDir() && entry.Name() == name:
			if workspace.Secret(c.root, path, c.allow) != "" {
				hidden = append(hidden, path)
			} else {
				found = append(found, path)
			}
		}
		return nil
	})
	if len(found) == 0 && len(hidden) > 0 {
		// Citing it is refused with the reason.
		return hidden[:1]
	}
	return found
}

// localize turns a permalink into a reference below the workspace, if its
// commit is the present one. Objects of other commits are not read.
func (c *Citation) localize(cited *Reference, commit string) *refusal {
	switch {
	case commit == "":
		return &refusal{
			OtherCommit,
			"the link is to a commit, and no git commit of the workspace can be read: cite path:line",
		}
	case cited.Commit != commit:
		const other = "the link is to commit %.12s, and the work tree is at %.12s: only files of the current commit " +
			"are read; cite path:line"
		return refuse(OtherCommit, other, cited.Commit, commit)
	}
	if c.tree.prefix == "" {
		return nil
	}
	below, found := strings.CutPrefix(cited.Path, c.tree.prefix+"/")
	if !found {
		return refuse(Outside, "%q is in the repository and not in the workspace %q", cited.Path, c.tree.prefix)
	}
	cited.Path = below
	return nil
}

// verify fills in a finding whose quote is at the cited lines.
func (c *Citation) verify(finding *ledger.Finding, source *text, found passage, cited Reference) {
	finding.Verified = true
	finding.Type, finding.SourceKind, finding.Confidence = ledger.Textual, ledger.DomainEvidence,
		ledger.ConfidenceInPlace
	finding.Reason = "verbatim at the cited lines"
	if c.isOfficial(cited.Path) {
		finding.SourceKind, finding.Confidence = ledger.OfficialSource, ledger.ConfidenceOfficial
		finding.Reason += " of an official document"
	}
	finding.Excerpt = source.excerpt(found)
}

// verifyMoved fills in a finding whose quote is at other lines.
func (c *Citation) verifyMoved(finding *ledger.Finding, source *text, found passage, cited Reference) {
	c.verify(finding, source, found, cited)
	finding.Moved, finding.Confidence = true, ledger.ConfidenceMoved
	finding.Reason = fmt.Sprintf("found at other lines: %s → %s", spanList(cited.Spans), found.lines)
	finding.Reference = Reference{Path: cited.Path, Spans: []Span{found.lines}}.String()
}

// refuseBounds refuses lines that do not exist, and reports where the quote is.
func refuseBounds(ctx context.Context, source *text, quoted *quotation, cited Reference,
	finding *ledger.Finding,
) *refusal {
	reason := fmt.Sprintf("line %d does not exist: the file has %d lines", cited.Spans[len(cited.Spans)-1].Last,
		source.lines)
	if source.lines == 0 {
		reason = "the file is empty"
	}
	if quoted.short {
		return &refusal{OutOfBounds, reason}
	}
	if found, ok := source.findClosest(quoted, cited.Spans); ok {
		setNearest(finding, source, likeness{passage: found, similarity: 1}, cited)
		return refuse(OutOfBounds, "%s; the quote stands at %s", reason, finding.NearestReference)
	}
	absent := refuseAbsent(ctx, source, quoted, cited, finding)
	if absent.outcome != Absent {
		return absent
	}
	return &refusal{OutOfBounds, reason + ", and " + absent.reason}
}

// refuseAbsent refuses a quote that the file does not hold, and looks for the
// nearest passage.
func refuseAbsent(ctx context.Context, source *text, quoted *quotation, cited Reference,
	finding *ledger.Finding,
) *refusal {
	near, found, err := source.nearest(ctx, quoted, cited.Spans[0])
	if err != nil {
		return ended(err)
	}
	reason := "the file does not hold the quote, nor anything like it"
	if found {
		setNearest(finding, source, near, cited)
		reason = fmt.Sprintf("the file does not hold the quote; the nearest passage, at %s, is %d %% alike",
			finding.NearestReference, int(100*near.similarity))
	}
	if source.lines >= cited.Spans[len(cited.Spans)-1].Last && source.isSplice(quoted, cited.Spans) {
		reason = "the quote joins lines that stand apart: quote each place by itself"
	}
	return &refusal{Absent, reason}
}

func setNearest(finding *ledger.Finding, source *text, near likeness, cited Reference) {
	finding.Nearest, finding.Similarity = source.excerpt(near.passage), near.similarity
	finding.NearestReference = Reference{Path: cited.Path, Spans: []Span{near.lines}}.String()
}

// Outcome is how the check of a citation came out, as a word that a caller can
// decide by; the finding's reason says the same to a person.
type Outcome string

// The outcomes. Only InPlace and Moved are verified.
const (
	// InPlace: the quote is verbatim at the cited lines.
	InPlace Outcome = "in-place"
	// Moved: the quote is verbatim in the file, at other lines.
	Moved Outcome = "moved"
	// Absent: the file was read and does not hold the quote.
	Absent Outcome = "absent"
	// OutOfBounds: a cited line is past the end of the file.
	OutOfBounds Outcome = "out-of-bounds"
	// NoQuote: there is nothing to compare.
	NoQuote Outcome = "no-quote"
	// TooShort: the quote would match almost anything, and is no whole line.
	TooShort Outcome = "too-short"
	// TooLong: the quote is over MaxQuote bytes.
	TooLong Outcome = "too-long"
	// BadReference: the reference is in none of the forms of ParseReference.
	BadReference Outcome = "bad-reference"
	// OtherCommit: a permalink's commit is not the work tree's present one.
	OtherCommit Outcome = "other-commit"
	// Outside: the path leaves the workspace, by its name or by a symlink.
	Outside Outcome = "outside"
	// Missing: no file has that path.
	Missing Outcome = "missing"
	// NotRegular: the path names a directory, device, pipe or socket.
	NotRegular Outcome = "not-regular"
	// TooLarge: the file is over MaxFile bytes.
	TooLarge Outcome = "too-large"
	// OwnOutput: the file appeared or changed during the session, or moot wrote it.
	OwnOutput Outcome = "own-output"
	// Secret: the file may hold secrets.
	Secret Outcome = "secret"
	// Binary: the file holds a NUL byte.
	Binary Outcome = "binary"
	// Unreadable: the system refused to read the file.
	Unreadable Outcome = "unreadable"
	// Ended: the context ended before the check did.
	Ended Outcome = "ended"
)

// Verified reports whether a finding with this outcome is verified.
func (o Outcome) Verified() bool { return o == InPlace || o == Moved }

// refusal is an outcome that is not verified, with its reason in one clause. At
// the edge of the package it becomes a finding.
type refusal struct {
	outcome Outcome
	reason  string
}

func refuse(outcome Outcome, format string, args ...any) *refusal {
	return &refusal{outcome, fmt.Sprintf(format, args...)}
}
