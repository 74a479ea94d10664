package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/git"
	"moot/protocol"
	"moot/research"
	"moot/state"
	"moot/workspace"
)

// workspaceOptions say which folder citations refer to.
type workspaceOptions struct {
	dir      string
	none     bool
	official []string
	allow    []string
	// tree is the commit under review, in which citations and lookups look instead of the folder, or "".
	tree string
	// lookups is how often a seat may look at the folder in a turn.
	lookups int
}

func (o *workspaceOptions) flags(cmd *cobra.Command) {
	group(cmd, "Workspace for citations", func(f *pflag.FlagSet) {
		f.StringVar(&o.dir, "workspace", "", "the `folder` (default: the git work tree around the current folder, "+
			"else the current folder, unless that is / or your home folder)")
		f.BoolVar(&o.none, "no-workspace", false, "refuse citations, for questions that are not about files")
		f.StringArrayVar(&o.allow, "allow-path", nil, "a `glob` of files in it that may be cited although git "+
			"ignores them or they may hold secrets, such as 'dist/**' (repeatable)")
		f.IntVar(&o.lookups, "lookups", protocol.DefaultLookups, "how often a model may list, search or read "+
			"files in it in a turn; 0 for never")
		f.StringArrayVar(&o.official, "official", nil, "a `file` or folder in it that is a specification (repeatable)")
	})
}

// resolve finds the workspace and sets it. Without a name, it is no folder that holds far more than the question can be
// about, such as /: that is an error, unless the question brings material of its own.
func (o *workspaceOptions) resolve(c *Console, s *state.Settings, material bool) error {
	s.Official = []string{}
	wide := o.dir == "" && !o.none && workspace.TooWide(c.Dir, c.home())
	switch {
	case wide && (!material || len(o.official) > 0):
		return in("workspace", usage("%s is in no git repository, and is not searched as a whole: name a folder with "+
			"--workspace DIR or material with --context FILE, or use --no-workspace", c.Dir))
	case wide:
		return nil
	}
	if o.none {
		if o.dir != "" || len(o.official) > 0 {
			return in("no-workspace", usage("--no-workspace excludes --workspace and --official"))
		}
		return nil
	}
	dir := workspace.WorkTree(c.Dir)
	if o.dir != "" {
		dir = c.path(o.dir)
	}
	if err := checkFolder(dir); err != nil {
		return in("workspace", fmt.Errorf("%w; name a folder with --workspace, or use --no-workspace", err))
	}
	for _, glob := range o.allow {
		if !doublestar.ValidatePattern(glob) {
			return in("allow-path", usage("--allow-path %s: not a valid glob", glob))
		}
	}
	s.AllowPaths = append([]string{}, o.allow...)
	if o.lookups < 0 {
		return in("lookups", usage("--lookups is 0 or more"))
	}
	s.Workspace, s.Tree, s.Lookups = dir, o.tree, o.lookups
	for _, path := range o.official {
		relative, err := inWorkspace(c, dir, path)
		if err != nil {
			return in("official", err)
		}
		s.Official = append(s.Official, relative)
	}
	return nil
}

// checkFolder returns nil if a folder can be read.
func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usage("the workspace %s does not exist", dir)
	case err == nil && !info.IsDir():
		return usage("the workspace %s is not a folder", dir)
	case err != nil:
		return fmt.Errorf("open the workspace %s: %w", dir, err)
	}
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("the workspace %s cannot be read: %w", dir, err)
	}
	if _, err = folder.ReadDir(1); errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}

// inWorkspace returns a path that the user typed, relative to the workspace. The path is relative to the current folder
// if it exists there, else to the workspace.
func inWorkspace(c *Console, workspace, typed string) (string, error) {
	path := c.path(typed)
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join(workspace, typed)
	}
	if _, err := os.Stat(path); err != nil || typed == "" {
		return "", usage("--official %q: there is no such file or folder", typed)
	}
	relative, err := filepath.Rel(workspace, path)
	if err != nil || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return "", usage("--official %s is outside of the workspace %s", typed, workspace)
	}
	return filepath.ToSlash(relative), nil
}

// citablePath is the path of a file in citations: relative to the workspace if the file is there, else as typed.
func citablePath(c *Console, workspace, typed string) string {
	relative, err := filepath.Rel(workspace, c.path(filepath.FromSlash(typed)))
	if workspace == "" || err != nil || !filepath.IsLocal(relative) {
		return filepath.ToSlash(typed)
	}
	return filepath.ToSlash(relative)
}

// openCitation opens the checker of citations. It is nil without a workspace.
func openCitation(s *state.Settings, tree *git.Tree) (*research.Citation, error) {
	if s.Workspace == "" {
		return nil, nil //nolint:nilnil // a session without a workspace has no citations
	}
	citation, err := research.OpenCitation(s.Workspace, s.Official...)
	if err != nil {
		return nil, fmt.Errorf("%w; the session needs it to check citations, and was left unchanged", err)
	}
	citation.Allow(s.AllowPaths)
	if tree != nil {
		citation.In(tree)
	}
	return citation, nil
}

// openGit opens the repository around the current folder.
func openGit(ctx context.Context, c *Console) (*git.Repository, error) {
	repository, err := git.Open(ctx, c.Dir)
	if err != nil {
		return nil, usage("git: %w", err)
	}
	return repository, nil
}

// change holds the changed files with their diffs, before secrets are taken out.
type change struct {
	// name is the path of the document that shows it, question what is asked about it.
	name, question string
	// tree is the commit that is reviewed, or "" for the work tree.
	tree  string
	files []changedPart
	// withheld are the files that cannot be shown, and those of which a part is not.
	withheld []*state.Withheld
}

// changedPart is how one file changed, as git shows it, or "" if it is withheld.
type changedPart struct{ path, diff string }

// maxChange bounds how much of a change is read. Large files are withheld, so that the others fit.
const maxChange = 8 << 20

// readChange reads what changed between two commits, or with to == "" between a commit and the working tree, where new
// files count if withNew says so. The user names the paths that matter; none are all.
func readChange(
	ctx context.Context, g *git.Repository, name, from, to string, withNew bool, paths, allow []string,
) (*change, error) {
	var unread []git.Withheld
	if to == "" {
		var err error
		if from, to, unread, err = g.WorkTree(ctx, from, withNew); err != nil {
			return nil, gitFailure(err)
		}
	}
	changes, err := g.Changes(ctx, from, to)
	if err != nil {
		return nil, gitFailure(err)
	}
	isWanted := func(name string) bool {
		return len(paths) == 0 || slices.ContainsFunc(paths, func(path string) bool {
			path = filepath.ToSlash(path)
			return path == "." || name == path || strings.HasPrefix(name, path+"/")
		})
	}
	changes = slices.DeleteFunc(changes, func(change git.Change) bool { return !isWanted(change.Path) })
	hidden, err := g.Hidden(ctx, changes)
	if err != nil {
		return nil, gitFailure(err)
	}
	reasons := map[string]string{}
	for _, w := range append(unread, hidden...) {
		if isWanted(w.Path) {
			reasons[w.Path] = w.Reason
		}
	}
	c := &change{name: name}
	names, shown := []string{}, []string{}
	for _, one := range changes {
		if why := workspace.SecretName(one.Path); why != "" && !workspace.Allowed(one.Path, allow) {
			reasons[one.Path] = why
		}
		if names = append(names, one.Path); reasons[one.Path] == "" {
			shown = append(shown, one.Path)
		}
	}
	for _, w := range unread {
		if isWanted(w.Path) && !slices.Contains(names, w.Path) {
			names = append(names, w.Path)
		}
	}
	parts := map[string]string{}
	if err := readParts(ctx, g, from, to, shown, parts); err != nil {
		return nil, gitFailure(err)
	}
	left := maxChange
	for _, path := range names {
		part := parts[diffHeader(path)]
		switch {
		case reasons[path] != "":
			part = ""
		case part == "":
			reasons[path] = fmt.Sprintf("its change is larger than %d KiB", maxDocument>>10)
		case len(part) > left:
			part, reasons[path] = "", fmt.Sprintf("the change is larger than %d MiB", maxChange>>20)
		}
		left -= len(part)
		c.files = append(c.files, changedPart{path, part})
		if reasons[path] != "" {
			c.withheld = append(c.withheld, &state.Withheld{Path: path, Reason: reasons[path], Seats: []state.Seat{}})
		}
	}
	return c, nil
}

// gitFailure makes an error of git's one about the command line.
func gitFailure(err error) error {
	if failed, of := errors.AsType[*git.Error](err); of {
		return usage("git: %w", failed)
	}
	return err
}

// readParts reads how files changed, by the header of each. It halves a list that is too long for one answer; a file
// that is too long alone is missing.
func readParts(ctx context.Context, g *git.Repository, from, to string, paths []string, parts map[string]string) error {
	if len(paths) == 0 {
		return nil
	}
	limit := maxDocument
	if len(paths) > 1 {
		limit = 4 * maxDocument
	}
	text, err := g.Diff(ctx, from, to, paths, limit)
	failed, of := errors.AsType[*git.Error](err)
	switch {
	case of && failed.TooMuch && len(paths) == 1:
		return nil
	case of && failed.TooMuch:
		half := len(paths) / 2
		return errors.Join(
			readParts(ctx, g, from, to, paths[:half], parts),
			readParts(ctx, g, from, to, paths[half:], parts),
		)
	case err != nil:
		return err
	}
	wanted := map[string]bool{}
	for _, path := range paths {
		wanted[diffHeader(path)] = true
	}
	// A NUL byte inside of a text would end it for some programs.
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\u2400")
	for _, part := range splitDiff(text) {
		header, _, _ := strings.Cut(part, "\n")
		// A path that became a folder brings the files below it, which may be withheld.
		if wanted[header] {
			parts[header] += part
		}
	}
	return nil
}

// splitDiff splits the output of git diff by file. No other line begins like the header of a file: those of a file have
// a sign before them.
func splitDiff(text string) (parts []string) {
	const header = "\ndiff --git "
	for text != "" {
		end := strings.Index(text, header) + 1
		if end == 0 {
			end = len(text)
		}
		parts, text = append(parts, text[:end]), text[end:]
	}
	return parts
}

// diffHeader is the first line of the part about a file, in which git quotes some names.
func diffHeader(path string) string {
	path = strings.ToValidUTF8(path, "\uFFFD")
	return "diff --git " + gitQuoted("a/"+path) + " " + gitQuoted("b/"+path)
}

func gitQuoted(name string) string {
	var out strings.Builder
	quoted := false
	for _, c := range []byte(name) {
		escape := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c)
		switch {
		case escape >= 0:
			out.WriteByte('\\')
			out.WriteByte("abtnvfr\"\\"[escape])
			quoted = true
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&out, "\\%03o", c)
			quoted = true
		default:
			out.WriteByte(c)
		}
	}
	if quoted {
		return `"` + out.String() + `"`
	}
	return out.String()
}

// shownLines are the lines of a part that a redaction took out, as places of the file.
type shownLines struct{ added, removed []int }

// touched returns which changed lines of a part some of its lines are, by their numbers in the file: from and to count
// the lines of the part from 1.
func touched(part string, from, to int) (found shownLines) {
	before, after := 0, 0
	n := 0
	for line := range strings.Lines(part) {
		n++
		switch {
		case strings.HasPrefix(line, "@@ "):
			_, _ = fmt.Sscanf(line, "@@ -%d", &before)
			_, rest, _ := strings.Cut(line, " +")
			_, _ = fmt.Sscanf(rest, "%d", &after)
		case after == 0 && before == 0:
		case strings.HasPrefix(line, "+"):
			if n >= from && n <= to {
				found.added = append(found.added, after)
			}
			after++
		case strings.HasPrefix(line, "-"):
			if n >= from && n <= to {
				found.removed = append(found.removed, before)
			}
			before++
		case strings.HasPrefix(line, " "), line == "\n":
			before++
			after++
		}
	}
	return found
}

// lineRange writes consecutive lines as 12 or 12-40.
func lineRange(lines []int) string {
	if first, last := lines[0], lines[len(lines)-1]; first != last {
		return fmt.Sprintf("%d-%d", first, last)
	}
	return strconv.Itoa(lines[0])
}
