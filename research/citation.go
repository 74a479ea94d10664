package research

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
	"moot/workspace"
)

// Citation checks that a quote occurs verbatim at a reference, in the text files of one workspace. It is safe for
// concurrent use. Close it.
type Citation struct {
	root *os.Root
	// guard decides which files may be cited.
	guard *workspace.Guard
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
	// roots are the names of the workspace: as it was given, and without links.
	roots []string
	mutex sync.Mutex
	files *fileIndex
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
	c := &Citation{root: root, guard: workspace.NewGuard(root), turn: make(chan struct{}, 1), roots: []string{filepath.ToSlash(absolute)}}
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
		c.roots = append(c.roots, filepath.ToSlash(resolved))
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

// Check compares a quote with the text at a reference (see ledger.ParseReference for its forms, and resolve for the
// file that it means). Failures are findings, too.
//
// The comparison is verbatim after line ends and trailing blanks are normalized: case, Unicode forms, ellipses and
// quotation marks count. A quote may be a part of a line, or of several consecutive lines. A block, which ends with a
// line end, may have another indentation as a whole. One with fewer than MinQuote non-blank characters must be the whole text of its lines, in place.
//
// Verified findings are textual; their source kind is domain-evidence, or official-source if the user marked the file.
// In place their confidence is ConfidenceInPlace or ConfidenceOfficial; found at other lines it is ConfidenceMoved, Moved
// is set, and the reference names the lines where the quote is, those closest to the cited ones. Without a quote Shown
// is set. Excerpt holds the whole lines, unchanged, within MaxExcerpt bytes.
//
// A refused finding has the source kind of a model's statement. If several files fit, it names them as Candidates. If
// the file was read, it carries the nearest passage, its reference and its similarity: one minus the edit distance in
// characters between quote and passage, divided by the quote's length.
//
// Digest covers the whole file, Commit names the commit of the git work tree around the workspace; the file is read as
// it is now, with uncommitted changes.
func (c *Citation) Check(ctx context.Context, reference, quote string) ledger.Finding {
	finding := ledger.Finding{
		Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord,
		Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), ledger.MaxReference),
	}
	if refused := c.examine(ctx, reference, quote, &finding); refused != "" {
		finding.Reason = refused
	}
	return finding
}

// examine fills in a finding, or returns the reason to refuse it.
func (c *Citation) examine(ctx context.Context, reference, quote string, finding *ledger.Finding) string {
	cited, err := ledger.ParseReference(reference)
	if err != nil {
		return err.Error()
	}
	finding.Reference = cited.String()
	if len(cited.Spans) == 0 && strings.TrimSpace(quote) == "" {
		return fmt.Sprintf("the reference %q names no line; write path:12, path:12-18 or path:12,18", cut(reference, 200))
	}
	if err := ctx.Err(); err != nil {
		return ended(err)
	}
	commit := ""
	if c.tree != nil {
		commit = c.tree.commit()
	}
	if cited.Commit != "" {
		if refused := c.localize(&cited, commit); refused != "" {
			return refused
		}
	}
	found, refused := c.resolve(ctx, cited, quote)
	if refused != "" {
		finding.Candidates = found.candidates
		return refused
	}
	cited.Path = found.path
	finding.Reference = cited.String()
	source, refused := c.read(ctx, cited.Path)
	if refused != "" {
		return refused
	}
	source.redactor, source.name = c.redactor, cited.Path
	finding.Digest, finding.Commit = ledger.Digest(source.file), commit
	if refused := c.compare(ctx, source, cited, quote, finding); refused != "" {
		return refused
	}
	finding.Reason += found.note
	return ""
}

// compare looks for a quote in a text; without a quote it shows the cited lines. A range that ends behind the end of
// the text is cut to it.
func (c *Citation) compare(
	ctx context.Context, source *text, cited ledger.Reference, quote string, finding *ledger.Finding,
) string {
	wanted, outside, note := cited.Spans, "", ""
	cited.Spans = slices.DeleteFunc(slices.Clone(wanted), func(s ledger.Span) bool { return s.First > source.lines })
	switch n, size := len(cited.Spans), plain.Counted(source.lines, "line"); {
	case source.lines == 0:
		outside = "the file is empty"
	case n == 0 && len(wanted) > 0:
		outside = fmt.Sprintf("line %d does not exist: the file has %s", wanted[len(wanted)-1].Last, size)
	case n > 0 && wanted[len(wanted)-1].Last > source.lines:
		cited.Spans[n-1].Last = min(cited.Spans[n-1].Last, source.lines)
		note = "; cut to the end of the file, which has " + size
		finding.Reference = cited.String()
	}
	if strings.TrimSpace(quote) == "" {
		if outside != "" {
			return outside
		}
		refused := c.show(source, cited, finding)
		finding.Reason += note
		return refused
	}
	quoted, refused := newQuotation(quote)
	if refused != "" {
		return refused
	}
	readings := append([]*quotation{quoted}, source.indented(quoted)...)
	for _, q := range readings {
		// Each span is a stretch of text: a quote never matches across a gap of a list.
		for _, span := range cited.Spans {
			part, offset := source.window(span)
			if i := bytes.Index(part, q.needle); i >= 0 {
				c.verify(finding, source, source.matchAt(q, offset+i), cited)
				finding.Reason += q.note + note
				return ""
			}
		}
	}
	if quoted.short {
		return cmp.Or(outside, fmt.Sprintf("the quote is too short to tell one place from another: with fewer than %d "+
			"visible characters it must be the whole cited line", MinQuote))
	}
	near := cited.Spans
	if len(near) == 0 {
		near = []ledger.Span{{First: max(source.lines, 1), Last: max(source.lines, 1)}}
	}
	for _, q := range readings {
		found, ok := source.findClosest(q, near)
		if !ok {
			continue
		}
		reason := fmt.Sprintf("found at other lines: %s → %s", ledger.Spans(wanted), found.lines)
		if len(wanted) == 0 {
			if first, _ := source.findClosest(q, []ledger.Span{{First: 1, Last: 1}}); first.start != found.start {
				return fmt.Sprintf("the reference names no line, and the quote is at %s and at %s: cite one",
					first.lines, found.lines)
			}
			reason = "no line was cited; found at " + found.lines.String()
		} else if outside != "" {
			reason += " (" + outside + ")"
		}
		c.verify(finding, source, found, cited)
		finding.Moved, finding.Confidence = true, ledger.ConfidenceMoved
		finding.Reason = reason + q.note + note
		finding.Reference = ledger.Reference{Path: cited.Path, Spans: []ledger.Span{found.lines}}.String()
		return ""
	}
	reason := "the file does not contain the quote or anything like it"
	if best, alike, err := source.nearest(ctx, quoted, near[0]); err != nil {
		return ended(err)
	} else if alike {
		finding.Nearest, finding.Similarity = source.excerpt(best.passage), best.similarity
		finding.NearestReference = ledger.Reference{Path: cited.Path, Spans: []ledger.Span{best.lines}}.String()
		reason = fmt.Sprintf("the file does not contain the quote; the nearest passage, at %s, is %d %% similar",
			finding.NearestReference, int(100*best.similarity))
	}
	joined := []byte{'\n'}
	for _, span := range cited.Spans {
		part, _ := source.window(span)
		joined = append(joined, part[1:]...)
	}
	switch {
	case outside != "":
		return outside + ", and " + reason
	case len(cited.Spans) > 1 && bytes.Contains(joined, quoted.needle):
		return "the quote joins lines that stand apart: quote each place by itself"
	}
	return reason
}

// MaxShown is how many lines a citation without a quote shows.
const MaxShown = 12

// show fills in a finding with the cited lines, for the seats to judge.
func (c *Citation) show(source *text, cited ledger.Reference, finding *ledger.Finding) string {
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
		return "the cited lines are empty"
	}
	c.verify(finding, source, passage{lines: cited.Spans[0]}, cited)
	finding.Shown, finding.Excerpt, finding.Reference = true, text, cited.String()
	finding.Reason = "no quote; these are the lines"
	return ""
}

// localize turns a permalink into a reference below the workspace, if its
// commit is the present one. Objects of other commits are not read.
func (c *Citation) localize(cited *ledger.Reference, commit string) string {
	switch {
	case commit == "":
		return "the link is to a commit, and no git commit of the workspace can be read: cite path:line"
	case cited.Commit != commit:
		const other = "the link is to commit %.12s, and the work tree is at %.12s: only files of the current commit " +
			"are read; cite path:line"
		return fmt.Sprintf(other, cited.Commit, commit)
	}
	if c.tree.prefix == "" {
		return ""
	}
	below, found := strings.CutPrefix(cited.Path, c.tree.prefix+"/")
	if !found {
		return fmt.Sprintf("%q is in the repository and not in the workspace %q", cited.Path, c.tree.prefix)
	}
	cited.Path = below
	return ""
}

// verify fills in a finding whose quote is at the cited lines.
func (c *Citation) verify(finding *ledger.Finding, source *text, found passage, cited ledger.Reference) {
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
