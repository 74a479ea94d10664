package research

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
	"moot/workspace"
)

// Citation checks that a quote occurs verbatim at a reference: in the text files of one workspace, and in texts that
// the user or an agent handed over. It is safe for concurrent use. The zero Citation has no workspace.
type Citation struct {
	// root is the workspace, or nil.
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
	named  []string
	// given are the texts that were handed over. They come from the record, so that a resumed session finds the same.
	given []File
	// byAgent says that an agent passed them: the user did not name them, and what moot wrote is refused.
	byAgent bool
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

// File is a text with the name that it was given under.
type File struct{ Path, Text string }

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
	c := &Citation{
		root: root, guard: workspace.NewGuard(root), turn: make(chan struct{}, 1),
		roots: []string{filepath.ToSlash(absolute)},
	}
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

// Kind describes citations.
func (c *Citation) Kind() ledger.Kind { return ledger.PlaceKind() }

// Since refuses files that changed after a session was opened, save the official ones and those
// that the user named.
func (c *Citation) Since(opened time.Time, named ...string) { c.opened, c.named = opened, named }

// Give adds texts that can be cited by their names, before the files of the workspace.
func (c *Citation) Give(files []File, byAgent bool) { c.given, c.byAgent = files, byAgent }

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

// Check compares a quote with the text at a reference (see ledger.ParseReference for its forms, and resolve for the
// file that it means). Failures are findings, too.
//
// The comparison is verbatim after line ends and trailing blanks are normalized: case, Unicode forms, ellipses and
// quotation marks count. A quote may be a part of a line, or of several consecutive lines. A block, which ends with a
// line end, may have another indentation as a whole. One with fewer than MinQuote non-blank characters must be the
// whole text of its lines, in place.
//
// Verified findings are textual; their source kind is domain-evidence, or official-source if the user marked the
// file. In place their confidence is ConfidenceInPlace or ConfidenceOfficial; found at other lines it is
// ConfidenceMoved, Moved is set, and the reference names the lines where the quote is, those closest to the cited
// ones. Without a quote Shown is set. Excerpt holds the whole lines, unchanged, within MaxExcerpt bytes.
//
// A refused finding has the source kind of a model's statement. If several files fit, it names them as Candidates. If
// the file was read, it carries the nearest passage, its reference and its similarity: one minus the edit distance in
// characters between quote and passage, divided by the quote's length.
//
// Digest covers the whole file, Commit names the commit of the git work tree around the workspace; the file is read as
// it is now, with uncommitted changes.
func (c *Citation) Check(ctx context.Context, reference, quote string) ledger.Finding {
	finding := ledger.Finding{Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), ledger.MaxReference)}
	ledger.PlaceKind().Stamp(&finding)
	cited, err := ledger.ParseReference(reference)
	file, several := c.handed(cited)
	var refused string
	switch {
	case err == nil && file != nil:
		refused = c.examineGiven(ctx, file, cited, quote, &finding)
	case c.root == nil && len(several) > 0:
		finding.Candidates = several
		refused = fmt.Sprintf("unclear: several files fit %q: %s; cite one by its path", cited.Path,
			plain.Clip(strings.Join(several, ", "), 300))
	case c.root == nil:
		refused = "the session has no workspace; only what the user gave can be cited"
	case err != nil:
		refused = err.Error()
	case len(cited.Spans) == 0 && strings.TrimSpace(quote) == "":
		refused = fmt.Sprintf("the reference %q names no line; write path:12, path:12-18 or path:12,18",
			cut(reference, 200))
	default:
		refused = c.examine(ctx, cited, quote, &finding)
	}
	if refused != "" {
		finding.Reason = refused
	}
	return finding
}

// examineGiven compares a quote with a text that was handed over. It fills in a finding, or returns the reason to
// refuse it.
func (c *Citation) examineGiven(
	ctx context.Context, file *File, cited ledger.Reference, quote string, finding *ledger.Finding,
) string {
	note := ledger.GivenByUser
	if c.byAgent {
		note = ledger.GivenByAgent
		if ledger.WrittenByMoot(file.Path, []byte(file.Text)) {
			return writtenByMoot(file.Path)
		}
	}
	source := newText([]byte(file.Text))
	finding.Reference, finding.Digest = cited.String(), ledger.Digest(source.file)
	refused := source.check(ctx, cited, quote, finding)
	if refused == "" {
		finding.Reason += note
	}
	return refused
}

// handed returns the given text that a reference names: by its path, or by the end of its path if no other file ends
// so. If several do, it returns their paths.
func (c *Citation) handed(cited ledger.Reference) (file *File, several []string) {
	for _, name := range cited.Paths() {
		name = strings.TrimPrefix(name, "@")
		for i := range c.given {
			if given := c.given[i].Path; given == name || strings.TrimPrefix(given, "./") == name {
				return &c.given[i], nil
			}
		}
		for _, same := range []func(given, name string) bool{
			func(given, name string) bool { return strings.HasSuffix(given, "/"+name) },
			func(given, name string) bool {
				return strings.HasSuffix(folded(given), "/"+folded(name)) || folded(given) == folded(name)
			},
		} {
			var found []string
			for i := range c.given {
				if same(c.given[i].Path, name) {
					file, found = &c.given[i], append(found, c.given[i].Path)
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

// examine compares a quote with a file of the workspace. It fills in a finding, or returns the reason to refuse it.
func (c *Citation) examine(ctx context.Context, cited ledger.Reference, quote string, finding *ledger.Finding) string {
	finding.Reference = cited.String()
	if err := ctx.Err(); err != nil {
		return ended(err)
	}
	commit := c.Commit()
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
	source.redactor, source.name, source.official = c.redactor, cited.Path, c.isOfficial(cited.Path)
	finding.Digest, finding.Commit = ledger.Digest(source.file), commit
	if refused := source.check(ctx, cited, quote, finding); refused != "" {
		return refused
	}
	finding.Reason += found.note
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
